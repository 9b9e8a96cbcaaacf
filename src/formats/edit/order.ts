import { type Name, type NameKey, nameKey, sortKey } from "../../dns/name/name.ts";
import { byOwner } from "../../dns/zone/owners.ts";
import { canonical, type RecordList, type RRset, setType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { formatExcuse } from "../kit/setting.ts";

/** The sets of a zone in canonical order: the apex, then names (RFC 4034 §6.1); there SOA, NS, then types by letter. */
export function sortSets(records: RecordList): RRset[] {
  const owners = [...byOwner(records)].map(([owner, types]) => ({ key: sortKey(owner), types }));
  owners.sort((a, b) => compare(a.key, b.key));
  return owners.flatMap(({ types }) =>
    [...types.values()]
      .sort((a, b) => compare(typeKey(a), typeKey(b)))
      .map((set) => ({ ...set, records: sortRecords(set.records) })),
  );
}

/** The distinct entries of `lenient` by name (`formatExcuse`), in the order of names. */
export function excusesByOwner({ excused = [] }: Pick<Zone, "excused">): [owner: Name, entries: string[]][] {
  const byName = new Map<NameKey, [owner: Name, entries: Set<string>]>();
  for (const excuse of excused) {
    const { owner } = excuse;
    const [, entries] = byName.get(nameKey(owner)) ?? [];
    if (entries) entries.add(formatExcuse(excuse));
    else byName.set(nameKey(owner), [owner, new Set([formatExcuse(excuse)])]);
  }
  const sortRecords = [...byName.values()].sort(([a], [b]) => compare(sortKey(a), sortKey(b)));
  return sortRecords.map(([owner, entries]) => [owner, [...entries].sort()]);
}

/** The owner as the file first spells it. */
export function ownerOf(set: RRset): Name {
  return set.records[0]?.owner ?? set.owner;
}

function sortRecords(records: ZoneRecord[]): ZoneRecord[] {
  if (records.length === 1) return records;
  numeric ??= new Intl.Collator("en", { numeric: true });
  const { compare: compareNumbers } = numeric;
  return records
    .map((record) => ({ record, key: canonical(record) }))
    .sort((a, b) => compareNumbers(a.key, b.key) || compare(a.key, b.key))
    .map(({ record }) => record);
}

let numeric: Intl.Collator | undefined; // only few sets need it, and it is slow to load

function typeKey({ type, records: [first] }: RRset): string {
  return type === "SOA" ? "0" : type === "NS" ? "1" : first ? setType(first) : type;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
