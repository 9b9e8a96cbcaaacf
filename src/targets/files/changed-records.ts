import { type Name, nameKey } from "../../dns/name/name.ts";
import type { LiveRecord, RecordChange } from "../../dns/zone/desired-live.ts";
import { copyRecord, setType } from "../../dns/zone/zone.ts";
import { groupBy } from "../../group-by.ts";
import { soaOf } from "../accept-apex.ts";
import { contentId } from "../content-id.ts";
import { withoutSerial } from "../without-serial.ts";
import { crowdedNameError, missingZoneError } from "./failure.ts";

/** The records of a zone after changes, with an SOA record. @throws {FilesError} */
export function changedRecords(
  zone: Name,
  records: readonly LiveRecord[],
  changes: readonly RecordChange[],
): readonly LiveRecord[] {
  const wanted = new Map(records.map((record) => [record.id, record]));
  for (const change of changes)
    if (change.kind !== "create" && !wanted.delete(change.before.id)) throw missingZoneError(zone, change.before.id);
  const add = (after: LiveRecord | Exclude<RecordChange, { kind: "delete" }>["after"]) => {
    const plain = withoutSerial(after);
    const id = contentId(plain);
    wanted.set(id, copyRecord(plain, { id }));
  };
  for (const change of changes) if (change.kind !== "delete") add(change.after);
  const soa = [...wanted.values()].find(({ type }) => type === "SOA");
  if (soa) wanted.delete(soa.id);
  add(soa ?? soaOf({ name: zone, settings: {}, records: [...wanted.values()] }));
  const all = [...wanted.values()];
  const crowded = crowdedName(all);
  if (crowded !== undefined) throw crowdedNameError(zone, crowded);
  return all;
}

/** A name with a CNAME and other records; signatures and NSEC records do not count (RFC 4035 §2.5). */
function crowdedName(records: readonly LiveRecord[]): Name | undefined {
  const aliases = records.filter(({ type }) => type === "CNAME");
  const ofAliases = new Set(aliases.map(({ owner }) => nameKey(owner)));
  const isCounted = (record: LiveRecord) =>
    ofAliases.has(nameKey(record.owner)) && !/^(?:RRSIG|NSEC|KEY)/.test(setType(record));
  const names = groupBy(records.filter(isCounted), ({ owner }) => nameKey(owner));
  return aliases.find(({ owner }) => (names.get(nameKey(owner))?.length ?? 0) > 1)?.owner;
}
