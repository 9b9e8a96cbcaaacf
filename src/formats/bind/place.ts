import { type Name, type NameKey, nameKey, sortKey } from "../../dns/name.ts";
import type { ZoneRecord } from "../../dns/zone.ts";
import type { Entry, Layout } from "./layout.ts";

/**
 * Behind which entry a new record goes, by index; -1 for before the first. Behind the last one of its owner, else where
 * canonical order has it when the neighbours keep that order, else behind the last record. A record with the zone's
 * default TTL goes where `$TTL` says so, if there is such a place.
 */
export class Places {
  readonly #layout: Layout;
  readonly #last = new Map<NameKey, number>();
  readonly #keys: readonly { readonly key: string; readonly owner: NameKey }[];

  constructor(layout: Layout) {
    this.#layout = layout;
    layout.entries.forEach(({ record, kind }, index) => {
      if (kind === "record" && record?.role !== "repeat" && record) this.#last.set(nameKey(record.owner), index);
    });
    const keys = [...this.#last.keys()].map((owner) => ({ key: sortKey(owner), owner }));
    this.#keys = keys.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  of(record: ZoneRecord): number {
    const wished = this.#last.get(nameKey(record.owner)) ?? this.#canonical(record.owner) ?? this.#end();
    const { entries } = this.#layout;
    if (record.ttl !== undefined || isDefault(entries[wished])) return wished;
    const fitting = entries.findLastIndex((entry, index) => index <= this.#end() && isDefault(entry));
    return fitting === -1 ? wished : fitting;
  }

  #canonical(owner: Name): number | undefined {
    const key = sortKey(owner);
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle]?.key ?? "") < key) low = middle + 1;
      else high = middle;
    }
    const previous = this.#keys[low - 1];
    const before = previous && this.#last.get(previous.owner);
    if (before === undefined) return undefined;
    const { entries } = this.#layout;
    let at = before + 1;
    while (at < entries.length && entries[at]?.kind !== "record" && entries[at]?.kind !== "origin") at++;
    const next = entries[at];
    if (!next) return before;
    return next.record && sortKey(next.record.owner) > key ? before : undefined;
  }

  /** Behind the last entry that holds records, but before the SOA record that a transfer repeats at its end. */
  #end(): number {
    return this.#layout.entries.findLastIndex(
      ({ kind, record }) => kind !== "origin" && kind !== "ttl" && record?.role !== "repeat",
    );
  }
}

function isDefault(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.ttlBehind === undefined;
}
