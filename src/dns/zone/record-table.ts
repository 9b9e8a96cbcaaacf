import type { SourceText } from "../../diagnostics/source-text.ts";
import { OwnerTable, resizeColumn } from "../name/owner-table.ts";
import { typeOf } from "../types/index.ts";
import { LazyRecords } from "./lazy-records.ts";
import type { ZoneRecord } from "./zone.ts";

/** Reads the records that stand in one text and share an origin. */
export interface RecordReader {
  readonly source: SourceText;
  /** The record whose first token is at the offset. */
  read(start: number): Pick<ZoneRecord, "type" | "data"> & { readonly end: number };
}

/** The TTL column has no other number for the zone's default. */
const defaultTtl = -1;

/**
 * Records in columns: owner, type, TTL and place. The object of a record is made on first use and kept: objects and
 * RDATA would be most of the time and memory of reading a large file.
 */
export class RecordTable extends LazyRecords<ZoneRecord> {
  readonly owners = new OwnerTable();
  #length = 0;
  #owners = new Int32Array(64);
  /** Codes. */
  #types = new Uint16Array(64);
  #ttls = new Int32Array(64);
  #starts = new Int32Array(64);
  /** The readers of rows, from the row `first` of each on. */
  readonly #readers: { readonly first: number; readonly reader: RecordReader }[] = [];
  readonly #records: (ZoneRecord | undefined)[] = [];
  /** TTLs that the file gives records whose set has another one, by row. */
  readonly #ownTtls = new Map<number, number | undefined>();
  /** The first row of each name, by the number of its first spelling, and the next one of each row; plus one. */
  #first: Int32Array | undefined;
  #next = new Int32Array(0);

  get length(): number {
    return this.#length;
  }

  /** Makes room for a number of records. */
  reserve(length: number): void {
    if (length <= this.#owners.length) return;
    this.#owners = resizeColumn(this.#owners, length);
    this.#ttls = resizeColumn(this.#ttls, length);
    this.#starts = resizeColumn(this.#starts, length);
    const types = new Uint16Array(length);
    types.set(this.#types);
    this.#types = types;
  }

  /** Adds a record by its columns. `owner` is a number of `owners`. */
  addRow(owner: number, type: number, ttl: number | undefined, start: number, reader: RecordReader): void {
    if (this.#readers.at(-1)?.reader !== reader) this.#readers.push({ first: this.#length, reader });
    this.#add(owner, type, ttl, start);
  }

  add(record: ZoneRecord): void {
    this.#records[this.#length] = record;
    this.#add(this.owners.add(record.owner), typeOf(record.type).code, record.ttl, record.start ?? 0);
  }

  #add(owner: number, type: number, ttl: number | undefined, start: number): void {
    const row = this.#length++;
    if (row === this.#owners.length) this.reserve(row * 2);
    this.#owners[row] = owner;
    this.#types[row] = type;
    this.#ttls[row] = ttl ?? defaultTtl;
    this.#starts[row] = start;
  }

  /** The record of an existing row. */
  get(row: number): ZoneRecord {
    const known = this.#records[row];
    if (known) return known;
    const reader = this.#readerOf(row);
    const start = this.#starts[row] ?? 0;
    const { type, data, end } = reader.read(start);
    const owner = this.owners.name(this.ownerAt(row));
    const record = { owner, type, ttl: this.ttlAt(row), data, source: reader.source, start, end };
    const made = this.#ownTtls.has(row) ? { ...record, ownTtl: this.#ownTtls.get(row) } : record;
    this.#records[row] = made;
    return made;
  }

  #readerOf(row: number): RecordReader {
    let low = 0;
    let high = this.#readers.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#readers[middle]?.first ?? 0) <= row) low = middle;
      else high = middle;
    }
    const found = this.#readers[low]?.reader;
    if (!found) throw new Error(`row ${row} has no reader`);
    return found;
  }

  ownerAt(row: number): number {
    return this.#owners[row] ?? 0;
  }

  /** The code of the type. */
  typeAt(row: number): number {
    return this.#types[row] ?? 0;
  }

  ttlAt(row: number): number | undefined {
    const ttl = this.#ttls[row] ?? defaultTtl;
    return ttl === defaultTtl ? undefined : ttl;
  }

  /** Gives a record the TTL of its set; its own is kept as `ownTtl`. */
  replaceTtl(row: number, ttl: number | undefined, ownTtl: number | undefined): void {
    this.#ttls[row] = ttl ?? defaultTtl;
    const known = this.#records[row];
    if (known) this.#records[row] = { ...known, ttl, ownTtl };
    else this.#ownTtls.set(row, ownTtl);
  }

  /** The first row of a name, given by its first spelling; -1 for none. No record may be added afterwards. */
  firstOf(key: number): number {
    this.#first ??= this.#link();
    return (this.#first[key] ?? 0) - 1;
  }

  /** The next row of the same name; -1 for none. */
  nextOf(row: number): number {
    return (this.#next[row] ?? 0) - 1;
  }

  #link(): Int32Array {
    const first = new Int32Array(this.owners.count);
    this.#next = new Int32Array(this.#length);
    for (let row = this.#length - 1; row >= 0; row--) {
      const key = this.owners.keyOf(this.ownerAt(row));
      this.#next[row] = first[key] ?? 0;
      first[key] = row + 1;
    }
    return first;
  }
}
