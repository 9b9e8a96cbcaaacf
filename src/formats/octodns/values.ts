import { nearest } from "../../diagnostics/nearest.ts";
import { type Place, type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { RecordType } from "../../dns/rdata/record-type.ts";
import type { YamlEntry, YamlMap, YamlNode, YamlText } from "../yaml/tree.ts";

/** octoDNS's current and older names of fields, if different. */
const fieldNames: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  MX: namesOf({ priority: "preference", value: "exchange" }),
  NAPTR: namesOf({ service: "services" }),
  TLSA: namesOf({ certificate_usage: "usage", certificate_association_data: "certificate" }),
  SVCB: namesOf({ svcpriority: "priority", targetname: "target", svcparams: "params" }),
  HTTPS: namesOf({ svcpriority: "priority", targetname: "target", svcparams: "params" }),
};

/** A map, because keys come from files: an object has names such as `constructor` of its own. */
function namesOf(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names));
}

/** Whether a field of octoDNS is a whole number. */
export function isInteger({ type, fields }: RecordType, key: string): boolean {
  const name = fieldNames[type]?.get(key) ?? key;
  return fields.some((field) => field.name === name && field.kind.json === "integer");
}

/** The parts of a LOC record, in the order of zone files. */
const locationParts = [
  ...["lat_degrees", "lat_minutes", "lat_seconds", "lat_direction"],
  ...["long_degrees", "long_minutes", "long_seconds", "long_direction"],
  ...["altitude", "size", "precision_horz", "precision_vert"],
];

/**
 * Translates a value of octoDNS to zonewright's YAML: texts without escapes, translated field names, a location as one
 * text, service parameters as words.
 * @throws {ProblemError} with its place
 */
export function translateValue({ type, fields }: RecordType, node: YamlNode): YamlNode {
  const isText = fields.length === 1 && fields[0]?.kind.json === "texts";
  if (node.kind === "text" && isText && !node.isEmpty) return { ...node, text: plainText(node.text) };
  if (node.kind !== "map") return node;
  if (type === "LOC") return location(node);
  if (fields.length === 1)
    throw shapeError(`a value of ${type} must be a single string`, "Write it without a key.", node.at);
  const names = fieldNames[type] ?? new Map<string, string>();
  const isTranslated = node.entries.some(({ key }) => key === "params" || names.has(key));
  if (!isTranslated) return node;
  const entries = node.entries.map((entry): YamlEntry => {
    const key = names.get(entry.key) ?? entry.key;
    return { ...entry, key, value: key === "params" ? params(entry.value) : entry.value };
  });
  for (const [index, { key, keyAt }] of entries.entries()) {
    const first = entries.findIndex((entry) => entry.key === key);
    const [one, other] = [node.entries[first]?.key, node.entries[index]?.key];
    if (first < index)
      throw shapeError(`"${one}" and "${other}" are the same field of ${type}`, "Keep one of them.", keyAt);
  }
  return { ...node, entries };
}

function location(node: YamlMap): YamlText {
  for (const { key, keyAt } of node.entries) {
    if (locationParts.includes(key)) continue;
    const known = nearest(key, locationParts);
    const fix = known ? `Did you mean "${known}"?` : `Known fields: ${locationParts.join(", ")}.`;
    throw problemError("unknown-key", `"${key}" is not a field of LOC`, { fix, place: keyAt });
  }
  const words = locationParts.map((part, index) => {
    const value = node.entries.find(({ key }) => key === part)?.value;
    if (value?.kind === "text" && !value.isEmpty) return value.text;
    if (value || index < 9)
      throw shapeError(`"${part}" of LOC has no value`, `Write the value after \`${part}:\`.`, node.at);
    return ["1", "10000", "10"][index - 9] ?? "";
  });
  return asText(node, words.join(" "));
}

/** `{ alpn: [h2, h3], no-default-alpn: null }` as the words `alpn="h2,h3" no-default-alpn`. */
function params(node: YamlNode): YamlNode {
  if (node.kind !== "map") return node;
  const words = node.entries.map(({ key, value }) => {
    const items = value.kind === "list" ? value.items : [value];
    const texts = items.map((item) => {
      if (item.kind === "text") return item.isEmpty ? "" : item.text;
      throw shapeError(`"${key}" must be a string or a list of strings`, `Write the value after \`${key}:\`.`, item.at);
    });
    const text = texts.join(",").replaceAll(/["\\]/g, "\\$&");
    return text === "" ? key : `${key}="${text}"`;
  });
  return asText(node, words.join(" "));
}

/** octoDNS escapes semicolons in texts, and removes quotes around them and every `" "` between strings. */
function plainText(written: string): string {
  const isQuoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
  const text = isQuoted ? written.slice(1, -1) : written;
  return text.replaceAll('" "', "").replaceAll("\\;", ";");
}

function asText({ entries: _, ...map }: YamlMap, text: string): YamlText {
  return { ...map, kind: "text", text, isEmpty: text === "", verbatimAt: undefined };
}

function shapeError(summary: string, fix: string, place: Place): ProblemError {
  return problemError("value-shape", summary, { fix, place });
}
