import { nearest } from "../../diagnostics/nearest.ts";
import { type Place, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { NodeReference } from "../../dns/zone.ts";
import { entryOf, type YamlMap, type YamlNode, type YamlText } from "./tree.ts";

const keys = ["node", "private"];

/** Whether a value names a node whose address the record has, or is meant to. */
export function isReference(value: YamlNode): value is YamlMap {
  return value.kind === "map" && value.entries.some(({ key }) => keys.includes(key));
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
    if (keys.includes(key)) continue;
    const near = nearest(key, keys);
    const fix = near ? `Did you mean "${near}"?` : `Known keys: ${keys.join(", ")}.`;
    throw fault("unknown-key", `"${key}" is not a key of a reference to a node`, fix, keyAt);
  }
  if (!label || (label.value.kind === "text" && label.value.isEmpty))
    throw fault("node-reference", "the reference names no node", example, label?.keyAt ?? value.at);
  if (label.value.kind !== "text")
    throw fault("node-reference", "`node` must be the label of one node", severalNodes, label.value.at);
  const { text, at } = label.value;
  return { label: text, isPrivate: readPrivate(type, value), at };
}

const onlyAddresses =
  "Refer to the node in an A or AAAA record of the name. Records of other types name that name, not the node.";
const example = "Write its label, for example `A: { node: web-1 }`.";
const severalNodes = "Write a list of references: `A: [ { node: web-1 }, { node: web-2 } ]`.";

function readPrivate(type: string, map: YamlMap): boolean {
  const entry = entryOf(map, "private");
  if (!entry) return false;
  const text = textOf(entry.value)?.text.toLowerCase();
  if (text !== "true" && text !== "false")
    throw fault("node-reference", "`private` must be true or false", "Write `private: true`.", entry.value.at);
  if (text === "true" && type !== "A")
    throw fault(
      "node-reference",
      "a node has no private IPv6 address",
      "Remove `private`, or refer to the private IPv4 address in an A record.",
      entry.keyAt,
    );
  return text === "true";
}

function textOf(value: YamlNode): YamlText | undefined {
  return value.kind === "text" ? value : undefined;
}

function fault(id: "node-reference" | "unknown-key", summary: string, fix: string, place: Place): ProblemError {
  return new ProblemError(problem(id, summary, { fix, place }));
}
