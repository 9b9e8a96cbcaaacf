import { Document, Pair, Scalar, visit, YAMLMap } from "yaml";
import { formatDuration } from "../../zone/duration.ts";
import { isInside, type Name, relativeTo } from "../../zone/name.ts";
import type { Scope } from "../../zone/scope.ts";
import { soaSettings } from "../../zone/soa-settings.ts";
import { fromOctets, isUtf8, splitText } from "../../zone/text.ts";
import { type RRset, rdataText, type Zone, type ZoneRecord } from "../../zone/zone.ts";
import { excusesByOwner, inOrder, ownerOf } from "../order.ts";
import { ignoreEntries } from "../scope.ts";
import { settingKinds, settingNames } from "../setting.ts";
import { modeline } from "./modeline.ts";
import { isOdd, quoteOdd, spelled } from "./spelling.ts";

export type Value = string | string[] | { rdata: string };

/** A zone as YAML in canonical form. */
export function writeYaml(zone: Zone): string {
  const document = new Document({}, { merge: true }); // as the reader has it, so that an owner << is quoted
  document.commentBefore = modeline;
  document.set("zone", zone.name.replace(/(?<=.)\.$/, ""));
  const soa = zone.records.find(({ type }) => type === "SOA");
  const fromSoa = soa ? soaSettings(soa) : {};
  for (const name of settingNames) {
    const value = zone.settings[name];
    if (value === undefined || name in fromSoa) continue;
    const shown = settingKinds[name] === "duration" ? timeValue(Number(value)) : value;
    document.set(name, document.createNode(shown, { flow: Array.isArray(value) }));
  }
  const { manage, ignore = [] }: Partial<Scope> = zone.scope ?? {};
  if (manage !== undefined) document.set("manage", manage);
  if (ignore.length > 0) document.set("ignore", document.createNode(ignore.map(ignoreEntries)));
  if (zone.settings.type !== "slave" || zone.records.length > 0 || zone.excused)
    document.set("records", records(document, zone));
  visit(document, { Scalar: (_, scalar) => quoteOdd(scalar) });
  return spelled(document);
}

function records(document: Document, zone: Zone): YAMLMap {
  const owners = new YAMLMap<string | Scalar, YAMLMap>();
  const byName = new Map<string, YAMLMap>(); // a YAMLMap looks for its keys one by one
  const typesOf = (name: Name) => {
    const owner = spell(name, zone.name);
    const key = isOdd(owner) ? new Scalar(owner) : owner; // a node that looks like the merge key << would be one
    const types = byName.get(name.toLowerCase()) ?? new YAMLMap();
    if (types.items.length === 0) owners.items.push(new Pair(key, types));
    byName.set(name.toLowerCase(), types);
    return types;
  };
  for (const set of inOrder(zone.records)) typesOf(ownerOf(set)).set(set.type, setValue(document, set, zone.name));
  for (const [owner, rules] of excusesByOwner(zone))
    typesOf(owner).items.unshift(new Pair("lenient", document.createNode(rules, { flow: true })));
  return owners;
}

function setValue(document: Document, { records }: RRset, origin: Name): unknown {
  const values = records.map((record) => value(record, origin));
  const ttl = records[0]?.ttl;
  const isSimple = values.length === 1 && typeof values[0] === "string";
  const shown = isSimple ? values[0] : values;
  return document.createNode(ttl === undefined ? shown : { ttl_sec: timeValue(ttl), values: shown });
}

/** A text as itself, its strings only where they are not the ones that splitting gives, octets only where they are no text. */
export function value(record: ZoneRecord, origin: Name): Value {
  const rdata = rdataText(record, (name) => spell(name, origin));
  if (record.type !== "TXT") return rdata;
  const strings = record.data.target as readonly string[];
  const text = strings.join("");
  if (isUtf8(text) && sameStrings(strings, splitText(text))) return fromOctets(text);
  return strings.every(isUtf8) ? strings.map(fromOctets) : { rdata };
}

function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((string, index) => string === b[index]);
}

export function timeValue(seconds: number): string | number {
  const text = formatDuration(seconds);
  return /^\d+$/.test(text) ? seconds : text;
}

function spell(name: Name, origin: Name): string {
  return isInside(name, origin) ? relativeTo(name, origin) : name;
}
