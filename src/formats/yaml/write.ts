import { Document, type Node, Pair, Scalar, visit, YAMLMap } from "yaml";
import { formatDuration } from "../../dns/name/duration.ts";
import { isSameName, type Name, type NameKey, nameKey, spellName, withoutDot } from "../../dns/name/name.ts";
import { fromOctets, isUtf8, splitText } from "../../dns/name/text.ts";
import { type SpellName, texts } from "../../dns/rdata/field.ts";
import { readField } from "../../dns/rdata/record-type.ts";
import { typeOf } from "../../dns/types/index.ts";
import type { Scope } from "../../dns/zone/scope.ts";
import { soaSettings } from "../../dns/zone/soa-settings.ts";
import { isType, rdataText, type TemplateUse, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { excusesByOwner, ownerOf, sortSets } from "../edit/order.ts";
import { ignoreEntries, targetsKey } from "../kit/scope.ts";
import type { WriteOptions } from "../kit/source.ts";
import { setSpeller } from "../kit/target-speller.ts";
import { excuseValue } from "./edit-lenient.ts";
import { printPlain } from "./plain-text.ts";
import { isUnusual, printDocument, quoteUnusual } from "./render.ts";

export type YamlValue = string | string[] | { rdata: string } | { node: string; private?: true };

/**
 * The comment, without its `#`, that refers editors to the JSON Schema of zone files; the path is relative to the file.
 */
export function schemaComment(path: string): string {
  return ` yaml-language-server: $schema=${path}`;
}

/** A zone as YAML in canonical form. */
export function writeYaml(zone: Zone, { settings, schema }: WriteOptions): string {
  const document = new Document({}, { merge: true }); // as the reader has it, so that an owner << is quoted
  if (schema !== undefined) document.commentBefore = schemaComment(schema);
  document.set("zone", withoutDot(zone.name));
  const soa = zone.records.find((record) => isType(record, "SOA"));
  const fromSoa = soa ? soaSettings(soa, settings) : {};
  for (const { name, kind } of settings) {
    const value = zone.settings[name];
    if (value === undefined || name in fromSoa) continue;
    const shown = kind === "duration" ? timeValue(Number(value)) : value;
    document.set(name, document.createNode(shown, { flow: Array.isArray(value) }));
  }
  const targets = zone.targets?.map(({ name }) => name);
  if (targets) document.set(targetsKey, document.createNode(targets, { flow: true }));
  const { manage, ignore = [] }: Partial<Scope> = zone.scope ?? {};
  if (manage !== undefined) document.set("manage", manage);
  if (ignore.length > 0) document.set("ignore", document.createNode(ignore.map(ignoreEntries)));
  if (zone.templates) document.set("templates", templates(document, zone.templates));
  visit(document, { Scalar: (_, scalar) => quoteUnusual(scalar) });
  const isEmptySlave = zone.settings.type === "slave" && zone.records.length === 0 && !zone.excused && !zone.overrides;
  return printDocument(document) + (isEmptySlave ? "" : recordsText(zone));
}

function templates(document: Document, uses: readonly TemplateUse[]): Node {
  const items = uses.map(({ name, parameters }) => {
    if (parameters.length === 0) return name;
    const values = parameters.map(({ name, texts = [], isList }) => [name, isList ? texts : texts[0]] as const);
    return new Map([[name, new Map(values)]]);
  });
  const isShort = uses.every(({ parameters }) => parameters.length === 0);
  return document.createNode(items, { flow: isShort });
}

/** An owner name in the spelling of the file, with the values of its types. */
interface OwnerEntry {
  readonly owner: string;
  readonly types: Map<string, unknown>;
  lenient?: readonly string[];
}

/** The records of a zone: owners whose strings are all plain are written directly, the others by the library. */
function recordsText(zone: Zone): string {
  const owners = ownerEntries(zone);
  if (owners.length === 0) return "records: {}\n";
  const parts = ["records:\n"];
  let others: OwnerEntry[] = [];
  for (const entry of owners) {
    const text = entry.lenient ? undefined : printPlain(new Map([[entry.owner, entry.types]]), "  ");
    if (text === undefined) others.push(entry);
    else {
      if (others.length > 0) parts.push(printOwners(others));
      others = [];
      parts.push("  ", text, "\n");
    }
  }
  if (others.length > 0) parts.push(printOwners(others));
  return parts.join("");
}

/** The lines of owners, by the library. */
function printOwners(entries: readonly OwnerEntry[]): string {
  const document = new Document({}, { merge: true });
  const owners = new YAMLMap<string | Scalar, YAMLMap>();
  document.set("records", owners);
  for (const { owner, types, lenient } of entries) {
    const key = isUnusual(owner) ? new Scalar(owner) : owner; // a plain << would be a merge key
    const map = new YAMLMap();
    owners.items.push(new Pair(key, map));
    if (lenient) map.items.push(new Pair("lenient", document.createNode(lenient.map(excuseValue), { flow: true })));
    for (const [type, value] of types) map.items.push(new Pair(type, document.createNode(value)));
  }
  visit(document, { Scalar: (_, scalar) => quoteUnusual(scalar) });
  return printDocument(document).slice("records:\n".length);
}

/** The owners in canonical order, names without records last. */
function ownerEntries(zone: Zone): OwnerEntry[] {
  const owners = new Map<NameKey, OwnerEntry>();
  const entryOf = (name: Name) => {
    const key = nameKey(name);
    const entry: OwnerEntry = owners.get(key) ?? { owner: spellName(name, zone.name), types: new Map() };
    owners.set(key, entry);
    return entry;
  };
  const spellIn = setSpeller(zone);
  const sets = sortSets(zone.records);
  sets.forEach((set, index) => {
    const before = sets[index - 1];
    if (before?.owner === set.owner && before.type === set.type) return; // written with the first set of the type
    const ofType: ZoneRecord[] = [];
    for (let at = index; sets[at]?.owner === set.owner && sets[at]?.type === set.type; at++)
      ofType.push(...(sets[at]?.records ?? []));
    const value = typeValue(ofType, spellIn(set), isOverride(zone, set.owner, set.type));
    entryOf(ownerOf(set)).types.set(set.type, value);
  });
  for (const { owner, type } of zone.overrides ?? []) {
    const { types } = entryOf(owner);
    if (!types.has(type)) types.set(type, typeValue([], String, true));
  }
  for (const [owner, rules] of excusesByOwner(zone)) entryOf(owner).lenient = rules;
  return [...owners.values()];
}

/** Whether a zone file replaces an RRset of a template. */
export function isOverride({ overrides = [] }: Pick<Zone, "overrides">, owner: Name, type: string): boolean {
  return overrides.some((override) => override.type === type && isSameName(override.owner, owner));
}

/** The value of a type under an owner name: a list of parts if the records have several TTLs. */
export function typeValue(records: readonly ZoneRecord[], spell: SpellName, isOverriding = false): unknown {
  const byTtl = new Map<number | undefined, YamlValue[]>();
  for (const record of records) {
    const values = byTtl.get(record.ttl) ?? [];
    byTtl.set(record.ttl, values);
    values.push(value(record, spell));
  }
  if (isOverriding && records.length === 0) return { override: true, values: [] };
  const parts = [...byTtl].map(([ttl, values]) => ({
    ...(isOverriding && { override: true }),
    ...(ttl !== undefined && { ttl_sec: timeValue(ttl) }),
    values: values.length === 1 && isOneValue(values[0]) ? values[0] : values,
  }));
  const [first] = parts;
  if (parts.length > 1) return parts;
  return first && ("ttl_sec" in first || "override" in first) ? first : first?.values;
}

/**
 * A record as its text, as a list if splitting the text would give other strings, or as `rdata` if it is not UTF-8; as
 * the node that it refers to, if there is one.
 */
export function value(record: ZoneRecord, spell: SpellName): YamlValue {
  if (record.node) return { node: record.node.label, ...(record.node.isPrivate && { private: true }) };
  const rdata = rdataText(record, spell);
  const [field] = typeOf(record.type).fields;
  const strings: unknown = field?.kind === texts ? readField(record.data, field) : undefined;
  if (!Array.isArray(strings)) return rdata;
  const text = strings.join("");
  if (isUtf8(text) && sameStrings(strings, splitText(text))) return fromOctets(text);
  return strings.every(isUtf8) ? strings.map(fromOctets) : { rdata };
}

/** Whether the only value of an RRset is written without a list. */
function isOneValue(value: YamlValue | undefined): boolean {
  return typeof value === "string" || (typeof value === "object" && "node" in value);
}

function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((string, index) => string === b[index]);
}

export function timeValue(seconds: number): string | number {
  const text = formatDuration(seconds);
  return /^\d+$/.test(text) ? seconds : text;
}
