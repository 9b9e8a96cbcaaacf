import type { Mnemonic } from "../dns/rdata/type-codes.ts";
import type { KnownType } from "../dns/types/index.ts";
import { LazyRecords } from "../dns/zone/lazy-records.ts";
import type { IndexedRecords } from "../dns/zone/owners.ts";
import type { RecordList, Zone, ZoneRecord } from "../dns/zone/zone.ts";

/** A record that was read, of one type. */
export interface ReadRecordOf<T extends string> extends Omit<ZoneRecord<T>, "ttl" | "ownTtl"> {
  /** The TTL in effect, in seconds: that of the RRset, or the zone's default. */
  readonly ttl: number;
  /** The TTL that the source gives the record itself, in seconds; undefined for the zone's default. */
  readonly statedTtl: number | undefined;
}

/** A record that was read: a comparison of its `type` narrows its `data`. */
export type ReadRecord<T extends string = KnownType | Mnemonic | `TYPE${number}`> = T extends string
  ? ReadRecordOf<T>
  : never;

/** A zone that was read. */
export interface ReadZone extends Zone {
  readonly records: RecordList<ReadRecord>;
}

/** The default of the service, in seconds. */
const serviceTtl = 86_400;

export function defaultTtlOf({ settings }: Pick<Zone, "settings">): number {
  return Number(settings.ttl_sec) || serviceTtl;
}

/** A record of the model as the library shows it. */
export function toReadRecord({ ownTtl, ...record }: ZoneRecord, defaultTtl: number): ReadRecord {
  const { ttl = defaultTtl } = record;
  return { ...record, ttl, statedTtl: ownTtl ?? record.ttl } as ReadRecord; // a reader gives each type its data
}

/** The records of a table as the library shows them. Lookups use the table's index. */
export class ReadRecords extends LazyRecords<ReadRecord> implements IndexedRecords {
  readonly #table: IndexedRecords & RecordList;
  readonly #defaultTtl: number;
  readonly #records: (ReadRecord | undefined)[] = [];

  constructor(table: IndexedRecords & RecordList, defaultTtl: number) {
    super();
    this.#table = table;
    this.#defaultTtl = defaultTtl;
  }

  get length(): number {
    return this.#table.length;
  }

  get owners(): IndexedRecords["owners"] {
    return this.#table.owners;
  }

  firstOf(key: number): number {
    return this.#table.firstOf(key);
  }

  nextOf(row: number): number {
    return this.#table.nextOf(row);
  }

  get(row: number): ReadRecord {
    const record = this.#records[row] ?? toReadRecord(this.#table.get(row), this.#defaultTtl);
    this.#records[row] = record;
    return record;
  }
}
