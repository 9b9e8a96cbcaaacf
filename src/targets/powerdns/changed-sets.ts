import type { Name } from "../../dns/name/name.ts";
import { serialAfter } from "../../dns/name/serial.ts";
import type { Id, RecordChange } from "../../dns/zone/desired-live.ts";
import { isType, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { groupBy } from "../../group-by.ts";
import { soaOf } from "../accept-apex.ts";
import { contentId } from "../content-id.ts";
import type { ExpectedSet } from "../target.ts";
import { withoutSerial } from "../without-serial.ts";
import type { RrsetChange } from "./api.ts";
import { noZoneError } from "./failure.ts";
import type { Rrset } from "./replies.ts";
import type { RdataSpelling } from "./spelling.ts";
import { StoredZone } from "./stored-zone.ts";

/**
 * The RRsets of a zone that changes write, deletions first. Disabled records and those that cannot be read stay.
 * PowerDNS increases the serial by SOA-EDIT-API; without it, the SOA record is sent with the next serial.
 * @throws {PowerDnsError} `powerdns/gone` if a record to replace or delete does not exist
 */
export function changedSets(
  zone: StoredZone,
  changes: readonly RecordChange[],
  spelling: RdataSpelling,
): RrsetChange[] {
  const groups = groupBy(changes, (change) => setKeyOf(writtenBy(change)));
  const sets = [...groups.values()].flatMap((own): RrsetChange[] => {
    const changed = changedSet(zone, own, spelling);
    return changed ? [changed] : [];
  });
  const { soa } = zone;
  if (soa && !zone.increasesSerial && !sets.some(({ type }) => type === "SOA"))
    sets.push(replaced(zone, { ...soa, records: [soa] }, spelling));
  return [...sets.filter(isDeletion), ...sets.filter((set) => !isDeletion(set))];
}

/** How the RRsets of a new zone are written. */
interface NewZone {
  readonly spelling: RdataSpelling;
  /** The serial of the zone before it was deleted. */
  readonly formerSerial: number | undefined;
}

/** The RRsets of a new zone, with an SOA record even if the changes have none. */
export function newSets(name: Name, changes: readonly RecordChange[], { spelling, formerSerial }: NewZone): Rrset[] {
  const zone = new StoredZone(name, { name, kind: "Native", rrsets: [] }, { formerSerial });
  const records = changes.flatMap((change) => (change.kind === "delete" ? [] : [change.after]));
  const hasSoa = records.some(({ type }) => type === "SOA");
  const soa = { kind: "create", after: soaOf({ name, settings: {}, records }) } as const;
  return changedSets(zone, hasSoa ? changes : [soa, ...changes], spelling).flatMap((set) => {
    if (isDeletion(set)) return [];
    const { changetype, ...rrset } = set;
    return [rrset];
  });
}

/** Undefined if nothing is to be done. */
function changedSet(
  zone: StoredZone,
  changes: readonly RecordChange[],
  spelling: RdataSpelling,
): RrsetChange | undefined {
  const [first] = changes.map(writtenBy);
  if (first === undefined) return undefined;
  const { owner, type } = first;
  const { records, others, type: stored } = zone.set(owner, type);
  const after = new Map(records.map((record) => [idOf(record), record]));
  for (const change of changes)
    if (change.kind !== "create" && !after.delete(change.before.id)) throw noZoneError(zone.name, change.before.id);
  for (const change of changes) if (change.kind !== "delete") after.set(idOf(change.after), change.after);
  if (after.size > 0 || others.length > 0)
    return replaced(zone, { owner, type, records: [...after.values()] }, spelling);
  // A zone always has an SOA record.
  return type === "SOA" ? undefined : { name: owner, type: spelling.typeOf(type, stored), changetype: "DELETE" };
}

/** The set with its records, the last of which has its TTL, and with the stored ones that are not served. */
function replaced(zone: StoredZone, { owner, type, records }: ExpectedSet, spelling: RdataSpelling): RrsetChange {
  const { others, ttl, type: stored } = zone.set(owner, type);
  const spelledType = spelling.typeOf(type, stored);
  const contents = records.map((record) => spelling.contentOf(withSerial(zone, record)));
  const left = others.filter(({ content }) => !contents.includes(content));
  return {
    name: owner,
    type: spelledType,
    ttl: records.at(-1)?.ttl ?? ttl,
    changetype: "REPLACE",
    records: [...contents.map((content) => ({ content, disabled: false })), ...left],
  };
}

/** An SOA record with the serial that PowerDNS increases, or has to store. */
function withSerial(zone: StoredZone, record: ZoneRecord): ZoneRecord {
  if (!isType(record, "SOA")) return record;
  const stored = zone.serial;
  const serial = stored === undefined ? 1 : zone.increasesSerial ? stored : serialAfter(stored);
  return { ...record, data: { ...record.data, serial } };
}

function idOf(record: ZoneRecord): Id {
  return contentId(withoutSerial(record));
}

/** The record that a change is about. */
export function writtenBy(change: RecordChange): ZoneRecord {
  return change.kind === "delete" ? change.before : change.after;
}

function isDeletion(set: RrsetChange): set is RrsetChange & { readonly changetype: "DELETE" } {
  return set.changetype === "DELETE";
}
