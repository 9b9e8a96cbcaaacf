import { nearest } from "../../diagnostics/nearest.ts";
import { type Place, type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { NodeReference } from "../../dns/zone/zone.ts";
import { entryOf, type YamlMap, type YamlNode, type YamlText } from "./tree.ts";

export const referenceKeys: readonly string[] = ["node", "private"];

/** Whether a value names a node whose address the record has, or is meant to. */
export function isReference(value: YamlNode): value is YamlMap {
  return value.kind === "map" && value.entries.some(({ key }) => referenceKeys.includes(key));
}

/** Whether a map with such keys takes the place of a value under this type. */
export function takesReference(type: string): boolean {
  return type === "A" || type === "AAAA";
}

/**
 * Reads `{ node: web-1 }`, or `{ node: web-1, private: true }` for an A record.
 * @throws {ProblemError} `node-reference`, `unknown-key` with its place
 */
export function readReference(type: string, value: YamlMap): NodeReference {
  const label = entryOf(value, "node");
  const first = label ?? entryOf(value, "private");
  if (!takesReference(type))
    throw fault("node-reference", `${type} records cannot refer to a node`, onlyAddresses, first?.keyAt ?? value.at);
  for (const { key, keyAt } of value.entries) {
    if (referenceKeys.includes(key)) continue;
    const near = nearest(key, referenceKeys);
    const fix = near ? `Did you mean "${near}"?` : `Known keys: ${referenceKeys.join(", ")}.`;
    throw fault("unknown-key", `"${key}" is not a key of a reference to a node`, fix, keyAt);
  }
  const form = `\`${type}: ${adviseReference(type, value)}\``;
  if (!label || (label.value.kind === "text" && label.value.isEmpty))
    throw fault(
      "node-reference",
      "the reference names no node",
      `Write its label, for example ${form}.`,
      label?.keyAt ?? value.at,
    );
  if (label.value.kind !== "text")
    throw fault(
      "node-reference",
      "`node` must be the label of one node",
      `Write a reference for each label: ${form}.`,
      label.value.at,
    );
  const { text, at } = label.value;
  return { label: text, isPrivate: readPrivate(type, value), at };
}

const onlyAddresses =
  "Refer to the node in an A or AAAA record of the name. Records of other types name that name, not the node.";

function readPrivate(type: string, map: YamlMap): boolean {
  const entry = entryOf(map, "private");
  const text = entry && textOf(entry.value)?.text.toLowerCase();
  if (!entry || text === "false") return false;
  if (type !== "A")
    throw fault(
      "node-reference",
      "a node has no private IPv6 address",
      "Remove `private`, or refer to the private IPv4 address in an A record.",
      entry.keyAt,
    );
  if (text !== "true")
    throw fault("node-reference", "`private` must be true or false", "Write `private: true`.", entry.value.at);
  return true;
}

/** The references that a map with such keys may mean: one, or a list of one for each label. */
export function adviseReference(type: string, map: YamlMap): string {
  const label = entryOf(map, "node")?.value;
  const values = label?.kind === "list" ? label.items : label ? [label] : [];
  const labels = new Set(values.flatMap((value) => (value.kind === "text" && !value.isEmpty ? [value.text] : [])));
  const isPrivate = type === "A" && textOf(entryOf(map, "private")?.value)?.text.toLowerCase() === "true";
  const references = [...(labels.size > 0 ? labels : ["web-1"])].map((label) => {
    const shown = /^[\w.-]+$/.test(label) ? label : JSON.stringify(label);
    return `{ node: ${shown}${isPrivate ? ", private: true" : ""} }`;
  });
  return references.length === 1 ? `${references[0]}` : `[ ${references.join(", ")} ]`;
}

function textOf(value: YamlNode | undefined): YamlText | undefined {
  return value?.kind === "text" ? value : undefined;
}

function fault(id: "node-reference" | "unknown-key", summary: string, fix: string, place: Place): ProblemError {
  return problemError(id, summary, { fix, place });
}
