import { type CompiledZone, type as types } from "./compiled-zone.ts";
import { isSpelledAlike } from "./stored-record.ts";

/** Two versions of a zone, or of its changed names, which share their memory. */
export interface ZoneVersions {
  readonly before: CompiledZone;
  readonly after: CompiledZone;
}

/** A record of a zone, with its owner as an entry of the names. */
export interface PlacedRecord {
  readonly name: number;
  readonly type: number;
  /** Its offset. */
  readonly record: number;
}

export function soaRecord(zone: CompiledZone): PlacedRecord {
  return { name: zone.spelling(0), type: types.SOA, record: zone.firstRecord(zone.set(0, types.SOA)) };
}

/** The records at a node, without the SOA record. */
export function* recordsAtNode(zone: CompiledZone, node: number): Generator<PlacedRecord> {
  const sets = zone.setCount(node);
  if (sets === 0) return;
  const name = zone.spelling(node);
  let set = zone.firstSet(node);
  for (let left = sets; left > 0; left--, set = zone.nextSet(set)) {
    const type = zone.typeOf(set);
    if (type === types.SOA) continue;
    let record = zone.firstRecord(set);
    for (let left = zone.recordCount(set); left > 0; left--, record = zone.nextRecord(record))
      yield { name, type, record };
  }
}

/**
 * The records of an incremental transfer (RFC 1995 §4) as one sequence of differences: the new SOA record; the old one
 * and the deleted records; the new one and the added records; the new one again. A set with a new TTL is deleted and
 * added. Undefined if secondaries would not agree on the result: a set has two records that differ in the letter case
 * of names alone, which are two for BIND and Knot, and one for NSD (HTTPS, IPSECKEY, LP, NSEC, SVCB).
 */
export function listDifferences({ before, after }: ZoneVersions): PlacedRecord[] | undefined {
  const deleted: PlacedRecord[] = [];
  const added: PlacedRecord[] = [];
  for (let node = 0; node < after.nodes; node++) {
    if (before.block(node) === after.block(node)) continue;
    if (hasSpellings(before, node) || hasSpellings(after, node)) return undefined;
    const old = new Map([...recordsAtNode(before, node)].map((record) => [fragmentOf(before, record), record]));
    for (const record of recordsAtNode(after, node)) if (!old.delete(fragmentOf(after, record))) added.push(record);
    deleted.push(...old.values());
  }
  const soa = soaRecord(after);
  return [soa, soaRecord(before), ...deleted, soa, ...added, soa];
}

/** Whether a set at a node has two records that differ in the letter case of names alone. */
function hasSpellings(zone: CompiledZone, node: number): boolean {
  const known = new Map<string, PlacedRecord>();
  const { space } = zone;
  for (const record of recordsAtNode(zone, node)) {
    const key = fragmentOf(zone, record).toLowerCase();
    const other = known.get(key);
    if (other && isSpelledAlike(space, record.type, [other.record, record.record])) return true;
    known.set(key, record);
  }
  return false;
}

/** Type, TTL and data of a record: equal for records that are written alike. */
function fragmentOf(zone: CompiledZone, { type, record }: PlacedRecord): string {
  return `${type} ${zone.space.blocks.octets.toString("latin1", record, zone.nextRecord(record))}`;
}
