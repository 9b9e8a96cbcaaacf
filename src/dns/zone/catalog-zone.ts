import { createHash } from "node:crypto";
import { Fault } from "../name/fault.ts";
import { asName, isSameName, type Name, type NameKey, nameKey, shownName, withLabel } from "../name/name.ts";
import type { RdataOf } from "../types/index.ts";
import { isType, type ZoneRecord } from "./zone.ts";

/** A zone that a catalog zone lists. */
export interface CatalogMember {
  readonly zone: Name;
  /** The owner of its PTR record: a label below `zones.<catalog>`. Another label is another member to consumers. */
  readonly owner: Name;
}

/** The records of a catalog zone without members, version 2 (RFC 9432 §4.1 and §4.2), with 0 as the serial. */
export function catalogHead(catalog: Name): ZoneRecord[] {
  const invalid = asName("invalid.");
  // As in RFC 9432, appendix A: resolvers ask for none of these records.
  const times = { serial: 0, refresh: 3600, retry: 600, expire: 2147483646, minimum: 0 };
  return [
    recordOf(catalog, "SOA", { mname: invalid, rname: invalid, ...times }),
    recordOf(catalog, "NS", { nsdname: invalid }),
    recordOf(withLabel("version", catalog), "TXT", { strings: ["2"] }),
  ];
}

/** The records of a member, with the group whose settings consumers give it (RFC 9432 §4.3.2). */
export function memberRecords({ zone, owner }: CatalogMember, group?: string): ZoneRecord[] {
  const ofGroup = group === undefined ? [] : [recordOf(withLabel("group", owner), "TXT", { strings: [group] })];
  return [recordOf(owner, "PTR", { ptrdname: zone }), ...ofGroup];
}

/** A zone as a member. Its label depends only on its name: with a new one, consumers would delete and add the zone. */
export function catalogMember(catalog: Name, zone: Name): CatalogMember {
  const label = createHash("sha256").update(nameKey(zone), "latin1").digest("hex").slice(0, 32);
  return { zone, owner: withLabel(label, withLabel("zones", catalog)) };
}

/** The members that a catalog zone lists by PTR records two labels below it, `<id>.zones.<catalog>`. */
export function membersOf(catalog: Name, records: Iterable<ZoneRecord>): CatalogMember[] {
  const suffix = `.${nameKey(withLabel("zones", catalog))}`;
  const found: CatalogMember[] = [];
  for (const record of records) {
    const key = nameKey(record.owner);
    if (!isType(record, "PTR") || !key.endsWith(suffix) || key.slice(0, -suffix.length).includes(".")) continue;
    found.push({ zone: record.data.ptrdname, owner: record.owner });
  }
  return found;
}

/**
 * Reads the zones that a catalog zone lists (RFC 9432).
 * @throws {Fault} `transfer/catalog`: such a catalog must not be processed (RFC 9432 §5.1).
 */
export function readCatalogZone(catalog: Name, records: readonly ZoneRecord[]): Name[] {
  const versionName = withLabel("version", catalog);
  const versions = records.filter((record) => isSameName(record.owner, versionName));
  const schemas = versions.flatMap((record) => (isType(record, "TXT") ? [record.data.strings.join("")] : []));
  if (schemas.length !== 1 || !/^[12]$/.test(schemas[0] ?? ""))
    throw brokenCatalog(`"${shownName(versionName)}" has no TXT record "2"`);
  const entries = new Set<NameKey>();
  const members = new Map<NameKey, Name>();
  for (const { zone, owner } of membersOf(catalog, records)) {
    if (entries.has(nameKey(owner))) throw brokenCatalog(`"${shownName(owner)}" lists several zones`);
    if (members.has(nameKey(zone))) throw brokenCatalog(`it lists "${shownName(zone)}" twice`);
    entries.add(nameKey(owner));
    members.set(nameKey(zone), zone);
  }
  return [...members.values()];
}

function brokenCatalog(reason: string): Fault {
  return new Fault(
    "transfer/catalog",
    `this is not a valid catalog zone: ${reason}`,
    "Fix the catalog zone on its server.",
  );
}

function recordOf<T extends string>(owner: Name, type: T, data: RdataOf<T>): ZoneRecord<T> {
  return { owner, type, ttl: 0, data };
}
