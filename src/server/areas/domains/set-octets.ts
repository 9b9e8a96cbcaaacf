import { mostOfSet } from "../../../contract/bounds.ts";
import type { ApiErrorEntry } from "../../../contract/errors.ts";
import { answerOctets } from "../../../dns/zone/record-octets.ts";
import type { ZoneRecord } from "../../../dns/zone/zone.ts";
import { fromApi } from "../../../targets/api/mapping.ts";
import { errorEntry } from "../../kit/api-error.ts";
import type { Database, DomainRow } from "../../store/tables.ts";
import { boundSets, listLongSets, listSetRows, type SetPlace } from "../zones/records-rows.ts";
import type { RecordFields } from "./domain-rules.ts";
import { toStoredName } from "./lookups.ts";

/** A record as it will be stored, whose fields have no error. */
export interface RecordOfSet {
  readonly domain: Pick<DomainRow, "id" | "domain">;
  readonly type: string;
  readonly fields: RecordFields;
}

/** The sizes of RRsets in messages, in octets, of which the first are upper bounds. */
export type SetSizes = Map<string, number>;

/** Upper bounds on the sizes of the sets that these records will be in. */
export async function readSetSizes(db: Database, wanted: readonly RecordOfSet[]): Promise<SetSizes> {
  const places = new Map(wanted.map((one) => [setKey(placeOfSet(one)), placeOfSet(one)]));
  return new Map((await boundSets(db, [...places.values()])).map((one) => [setKey(one), one.octets]));
}

/**
 * Errors of a record with which its set would not fit into a message: then no server can answer for it. `added` are the
 * octets of records that are not stored yet, `except` is the record that it replaces.
 */
export async function setErrors(
  db: Database,
  record: RecordOfSet,
  stored: SetSizes,
  { added = 0, except }: { readonly added?: number; readonly except?: number } = {},
): Promise<ApiErrorEntry[]> {
  const place = placeOfSet(record);
  const own = octetsInAnswer(record);
  const bound = stored.get(setKey(place)) ?? 0;
  if (own + added + bound <= mostOfSet) return [];
  const origin = toStoredName(record.domain.domain);
  const rows = await listSetRows(db, place, except);
  const octets = rows.reduce((sum, row) => sum + answerOctets(fromApi(row, origin)), own + added);
  return octets > mostOfSet ? [tooLong(record.type, octets)] : [];
}

/** The errors of the sets of a domain that are too long, as those are that were stored with documented records. */
export async function longSetErrors(db: Database, domain: RecordOfSet["domain"]): Promise<ApiErrorEntry[]> {
  const origin = toStoredName(domain.domain);
  const errors: ApiErrorEntry[] = [];
  for (const place of await listLongSets(db, domain.id, mostOfSet)) {
    const rows = await listSetRows(db, place);
    const octets = rows.reduce((sum, row) => sum + answerOctets(fromApi(row, origin)), 0);
    if (octets > mostOfSet) errors.push(tooLong(place.type, octets, place.name_key || "@"));
  }
  return errors;
}

/** The size of a record in the answer that has its set. */
export function octetsInAnswer({ domain, type, fields }: RecordOfSet): number {
  return answerOctets(fromApi({ ...fields, type, ttl_sec: 0 }, toStoredName(domain.domain)));
}

export function keyOfSet(record: RecordOfSet): string {
  return setKey(placeOfSet(record));
}

/** The errors of records of a domain that are added one after the other. */
export class AddedSets {
  readonly #sizes: SetSizes = new Map();

  /** The name is that of the record in its domain. Each set that is too long has one error. */
  add(name: string, record: Pick<ZoneRecord, "type" | "data">): ApiErrorEntry[] {
    const key = `${record.type} ${name.toLowerCase()}`;
    const before = this.#sizes.get(key) ?? 0;
    const octets = before + answerOctets(record);
    this.#sizes.set(key, octets);
    return octets > mostOfSet && before <= mostOfSet ? [tooLong(record.type, octets)] : [];
  }
}

/** `name`: of a set that no field of the request names. */
function tooLong(type: string, octets: number, name?: string): ApiErrorEntry {
  const reason = `The ${type} records of ${name ?? "this name"} would have ${octets} octets; at most ${mostOfSet} fit into a DNS message`;
  return errorEntry(name === undefined ? "target" : "domain", reason);
}

function placeOfSet({ domain, type, fields }: RecordOfSet): SetPlace {
  return { domain_id: domain.id, name_key: fields.name.toLowerCase(), type };
}

function setKey({ domain_id, name_key, type }: SetPlace): string {
  return `${domain_id} ${type} ${name_key}`;
}
