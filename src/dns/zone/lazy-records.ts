import type { RecordList, ZoneRecord } from "./zone.ts";

/** Records whose objects are made on first use. */
export abstract class LazyRecords<R extends ZoneRecord> implements RecordList<R> {
  abstract readonly length: number;

  /** The record of an existing row. */
  abstract get(row: number): R;

  at(index: number): R | undefined {
    const whole = Math.trunc(index) || 0;
    const row = whole < 0 ? this.length + whole : whole;
    return row >= 0 && row < this.length ? this.get(row) : undefined;
  }

  *[Symbol.iterator](): Generator<R> {
    for (let row = 0; row < this.length; row++) yield this.get(row);
  }

  find<S extends R>(accepts: (record: R) => record is S): S | undefined;
  find(accepts: (record: R) => boolean): R | undefined;
  find(accepts: (record: R) => boolean): R | undefined {
    for (const record of this) if (accepts(record)) return record;
    return undefined;
  }

  some(accepts: (record: R) => boolean): boolean {
    return this.find(accepts) !== undefined;
  }

  filter<S extends R>(accepts: (record: R) => record is S): S[];
  filter(accepts: (record: R) => boolean): R[];
  filter(accepts: (record: R) => boolean): R[] {
    return [...this].filter(accepts);
  }

  map<T>(change: (record: R, index: number) => T): T[] {
    return Array.from(this, change);
  }

  flatMap<T>(change: (record: R, index: number) => T | readonly T[]): T[] {
    return [...this].flatMap(change);
  }

  toJSON(): R[] {
    return [...this];
  }
}
