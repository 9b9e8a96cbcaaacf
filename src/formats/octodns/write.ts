import { Document, type Node, Pair, Scalar, type Tags, YAMLMap, YAMLSeq } from "yaml";
import { isRoot, type Name, nameKey, relativeTo } from "../../dns/name/name.ts";
import { fromOctets, isUtf8, splitText } from "../../dns/name/text.ts";
import { readField } from "../../dns/rdata/record-type.ts";
import { paramKinds, uint16s } from "../../dns/rdata/service-param.ts";
import type { ServiceParam } from "../../dns/rdata/service-params.ts";
import { typeOf } from "../../dns/types/index.ts";
import { soaSettings } from "../../dns/zone/soa-settings.ts";
import { distinct, isType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { defaultTimes } from "../../dns/zone/zone-settings.ts";
import { ownerOf, sortSets } from "../edit/order.ts";
import { Losses, type WrittenZone } from "../edit/written-zone.ts";
import type { WriteOptions } from "../kit/source.ts";
import { printDocument, quoteUnusual } from "../yaml/render.ts";
import { compareKeys } from "./key-order.ts";
import { isRejected, isUnreadableName } from "./validation.ts";

/** A value in a file, or the reason why it cannot be there. */
type Value = string | Fields | Unwritable;
type Fields = Readonly<Record<string, unknown>>;

/** A clause about octoDNS. */
class Unwritable {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Writes a zone as a file of octoDNS's YamlProvider 1.x: keys in its order, names absolute, every TTL explicit. Record
 * sets that octoDNS can contain but would reject are `lenient`.
 */
export function writeOctodns(zone: Zone, { settings }: Pick<WriteOptions, "settings">): WrittenZone {
  const losses = new Losses("octoDNS", zone.name);
  const soa = zone.records.find((record) => isType(record, "SOA"));
  const fromSoa = soa ? soaSettings(soa, settings) : {};
  losses.omitSettings(
    zone,
    settings.filter(({ name }) => name !== "ttl_sec" && !(name in fromSoa)),
  );
  if (soa) losses.omitted.push("the SOA record");
  checkZoneName(zone.name, losses);
  const defaultTtl = zone.settings.ttl_sec || defaultTimes(settings).ttl_sec;
  const owners = new Map<string, Fields[]>();
  for (const [key, sets] of setsByKey(zone)) {
    const written = sets.flatMap((records) => writeSet(key, zone, records, defaultTtl, losses) ?? []);
    const types = written.map(({ type }) => type);
    const isClash = types.includes("CNAME")
      ? types.length > 1
      : types.includes("ALIAS") && (types.includes("A") || types.includes("AAAA"));
    if (written.length > 0) owners.set(key, isClash ? written.map((set) => ({ ...set, ...lenient })) : written);
  }
  const keys = [...owners.keys()].sort(compareKeys);
  const file = new YAMLMap<Scalar, Node>();
  for (const key of keys) {
    const [first, ...others] = owners.get(key) ?? [];
    file.items.push(new Pair(scalar(key), toNode(others.length > 0 ? [first, ...others] : first)));
  }
  const document = new Document(file, { version: "1.1", customTags: withoutMerge });
  return { text: `---\n${printDocument(document)}`, problems: losses.problems, omitted: losses.omitted };
}

/** Scalars of PyYAML, which reads YAML 1.1: `yes`, `1:30` and `0777` are quoted, and so is the owner `<<`. */
const withoutMerge = (tags: Tags) => tags.filter((tag) => typeof tag === "string" || tag.tag !== mergeTag);
const mergeTag = "tag:yaml.org,2002:merge";

const lenient = { octodns: { lenient: true } };

/** octoDNS finds a zone by the name of its file, and takes the name for a regular expression, too. */
function checkZoneName(name: Name, losses: Losses): void {
  const isUsual = /^(?:[\w-]+\.)+$/.test(name);
  if (isUsual && !isUnreadableName(name)) return;
  losses.loseZone("cannot have a zone of this name", "Export it in another form.");
}

/** The RRsets by the spelling of their owner, in a stable order. */
function setsByKey(zone: Zone): Map<string, ZoneRecord[][]> {
  const keys = new Map<string, ZoneRecord[][]>();
  const spelled = new Map<string, string>();
  for (const set of sortSets(zone.records)) {
    const relative = relativeTo(ownerOf(set), zone.name);
    const key =
      spelled.get(set.owner) ?? (relative === "@" ? "" : relative.replace(isRoot(zone.name) ? /\.$/ : /^$/, ""));
    spelled.set(set.owner, key);
    keys.set(key, [...(keys.get(key) ?? []), set.records]);
  }
  return keys;
}

function writeSet(
  key: string,
  zone: Zone,
  records: readonly ZoneRecord[],
  defaultTtl: number,
  losses: Losses,
): (Fields & { readonly type: string }) | undefined {
  const values: Exclude<Value, Unwritable>[] = [];
  const kept: ZoneRecord[] = [];
  for (const record of distinct(records)) {
    if (record.type === "SOA") continue;
    const value = isUnreadableName(key)
      ? new Unwritable("does not accept this name (IDNA 2008)")
      : singleValued.has(record.type) && kept.length > 0
        ? new Unwritable(`has one value for ${record.type}`)
        : writeValue(record);
    if (value instanceof Unwritable) losses.lose(record, value.reason);
    else {
      values.push(value);
      kept.push(record);
    }
  }
  const [first] = kept;
  if (first === undefined) return undefined;
  const ttlOf = ({ ttl = defaultTtl }: ZoneRecord) => ttl;
  const ttl = Math.min(...kept.map(ttlOf));
  for (const record of kept) {
    if (ttlOf(record) !== ttl)
      losses.change(record, `has one TTL for the records of a name and type: ${ttlOf(record)} becomes ${ttl}`);
    if (isType(record, "TXT", "SPF") && !isUsualSplit(record.data.strings))
      losses.change(record, "has one text for each record: the strings are joined");
  }
  const set = { ttl, type: first.type, ...(values.length === 1 ? { value: values[0] } : { values }) };
  return kept.some((record) => isRejected(key.toLowerCase(), nameKey(zone.name), record))
    ? { ...lenient, ...set }
    : set;
}

/** Types of which octoDNS has one value for a name. */
const singleValued = new Set(["ALIAS", "CNAME", "DNAME"]);

/** octoDNS's names of fields, if different. */
const fieldNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  NAPTR: { services: "service" },
  TLSA: { usage: "certificate_usage", certificate: "certificate_association_data" },
};

/** Types whose value is a text, and types whose value has fields. */
const types: Readonly<Record<string, "text" | "fields">> = {
  ...{
    A: "text",
    AAAA: "text",
    ALIAS: "text",
    CNAME: "text",
    DNAME: "text",
    NS: "text",
    OPENPGPKEY: "text",
    PTR: "text",
  },
  ...{ CAA: "fields", DS: "fields", MX: "fields", NAPTR: "fields", SRV: "fields", SSHFP: "fields", TLSA: "fields" },
  URI: "fields",
};

function writeValue(record: ZoneRecord): Value {
  if (isType(record, "TXT", "SPF")) return textOf(record.data.strings.join(""));
  if (isType(record, "LOC")) return location(record.data.location);
  if (isType(record, "SVCB", "HTTPS")) {
    const { priority, target, params } = record.data;
    const svcparams = writeParams(params);
    if (svcparams instanceof Unwritable) return svcparams;
    return { svcpriority: priority, targetname: target, ...(params.length > 0 && { svcparams }) };
  }
  if (isType(record, "URI") && /[A-Z]/.test(record.data.target))
    return new Unwritable("changes the capital letters of a URI to small ones");
  const fields = fieldsOf(record);
  switch (types[record.type]) {
    case "text":
      return String(Object.values(fields)[0]);
    case "fields":
      return fields;
    default:
      return new Unwritable(`has no ${record.type} records`);
  }
}

function fieldsOf({ type, data }: Pick<ZoneRecord, "type" | "data">): Fields {
  const names = fieldNames[type] ?? {};
  return Object.fromEntries(
    typeOf(type).fields.map(({ name, kind }) => {
      const value = readField(data, { name });
      if (typeof value === "number") return [names[name] ?? name, value];
      const text = kind.format(value, (name) => name);
      // It prints the text between quotes as it is, so that escapes stay.
      return [names[name] ?? name, kind.json === "text" ? text.replace(/^"(.*)"$/s, "$1") : text];
    }),
  );
}

/**
 * A text as octoDNS reads it: `;` has a backslash, quotes around the whole are removed, then every `" "` inside, which
 * separates strings.
 */
function textOf(octets: string): Value {
  if (!isUtf8(octets)) return new Unwritable("files contain text, and this is not UTF-8");
  const text = fromOctets(octets)
    .replaceAll(";", "\\;")
    .replaceAll(/"(?= ")/g, '"" "');
  return text.startsWith('"') ? `"${text}"` : text;
}

function isUsualSplit(strings: readonly string[]): boolean {
  const usual = splitText(strings.join(""));
  return strings.length === usual.length && strings.every((text, index) => text === usual[index]);
}

function location(text: string): Fields {
  const [degrees, minutes, seconds, direction, ...rest] = text.split(" ");
  const [longDegrees, longMinutes, longSeconds, longDirection, ...sizes] = rest;
  const [altitude, size, horizontal, vertical] = sizes.map((meters) => Number.parseFloat(meters));
  return {
    lat_degrees: Number(degrees),
    lat_minutes: Number(minutes),
    lat_seconds: Number(seconds),
    lat_direction: direction,
    long_degrees: Number(longDegrees),
    long_minutes: Number(longMinutes),
    long_seconds: Number(longSeconds),
    long_direction: longDirection,
    altitude,
    size,
    precision_horz: horizontal,
    precision_vert: vertical,
  };
}

/** Parameters that octoDNS knows by name. */
const knownParams = 7;

function paramName(key: number): string {
  return key < knownParams ? (paramKinds[key]?.name ?? "") : `key${key}`;
}

/** Lists are YAML lists; octoDNS prints their items and other values without quotes and escapes. */
function writeParams(params: readonly ServiceParam[]): Fields | Unwritable {
  const written: [string, unknown][] = [];
  for (const { key, value } of params) {
    const name = paramName(key);
    if (name === "ech") return new Unwritable("1.22 stops with an error at the parameter ech");
    const text = key < knownParams ? paramKinds[key]?.format?.(value, paramName).replace(/^"(.*)"$/s, "$1") : value;
    if (text === undefined || /[^!-~]|["\\;()]/.test(text))
      return new Unwritable(`prints the parameter ${name} without quotes, which its value needs`);
    const isList = ["alpn", "ipv4hint", "ipv6hint", "mandatory"].includes(name);
    if (name === "mandatory") written.push([name, uint16s(value).map(paramName)]);
    else written.push([name, isList ? text.split(",") : name === "port" ? Number(text) : text === "" ? null : text]);
  }
  return Object.fromEntries(written);
}

/** A value with its maps sorted by key at every level. */
function toNode(value: unknown): Node {
  if (Array.isArray(value)) {
    const list = new YAMLSeq<Node>();
    list.items = value.map(toNode);
    return list;
  }
  if (typeof value !== "object" || value === null) return scalar(value);
  const map = new YAMLMap<Scalar, Node>();
  const entries = Object.entries(value).sort(([a], [b]) => compareKeys(a, b));
  map.items = entries.map(([key, inner]) => new Pair(scalar(key), toNode(inner)));
  return map;
}

function scalar(value: unknown): Scalar {
  const node = new Scalar(value);
  if (value === "=" || value === "<<") node.type = "QUOTE_DOUBLE"; // special in YAML 1.1
  quoteUnusual(node);
  return node;
}
