import { type Name, type NameKey, nameKey, root } from "../name/name.ts";
import type { RecordTable } from "./record-table.ts";
import { type RecordList, type RRset, setType, type ZoneRecord } from "./zone.ts";

/** Longer lists are slower than a Map, and a hostile file can give a name every type. */
const shortList = 16;

/**
 * The sets at one owner by type, in the order of their records. Most owners have few: a Map for each would be most of a
 * zone's memory.
 */
export class OwnerSets {
  #list: RRset[] = [];
  #byType: Map<string, RRset> | undefined = undefined;

  /** The set of a type; for signatures, which form several sets, the first. */
  get<T extends string>(type: T): RRset<T> | undefined;
  get(type: string): RRset | undefined {
    if (this.#byType) return this.#byType.get(type);
    for (const set of this.#list) if (set.type === type) return set;
    return undefined;
  }

  /** All records of a type; signatures of every covered type. */
  recordsOf(type: string): readonly ZoneRecord[] {
    if (type !== "RRSIG" && type !== "SIG") return this.get(type)?.records ?? [];
    return this.#list.flatMap((set) => (set.type === type ? set.records : []));
  }

  of(record: ZoneRecord): RRset | undefined {
    const wanted = setType(record);
    if (wanted === record.type) return this.get(wanted);
    if (this.#byType) return this.#byType.get(wanted);
    return this.#list.find(({ records: [first] }) => first !== undefined && setType(first) === wanted);
  }

  has(type: string): boolean {
    return this.get(type) !== undefined;
  }

  /** The distinct types at the owner. */
  keys(): string[] {
    if (this.#list.length < 2) return this.#list.map(({ type }) => type);
    return [...new Set(this.#list.map(({ type }) => type))];
  }

  values(): readonly RRset[] {
    return this.#list;
  }

  /** Adds a record to its set. `owner` is the key of its name. */
  addRecord(owner: NameKey, record: ZoneRecord): void {
    const set = this.of(record);
    if (set) set.records.push(record);
    else this.add({ owner, type: record.type, records: [record] });
  }

  add(set: RRset): void {
    // An array that grows by `push` allocates room for seventeen at once.
    if (this.#list.length < shortList) this.#list = this.#list.concat(set);
    else {
      this.#list.push(set);
      if (this.#byType) this.#index(this.#byType, set);
      else {
        this.#byType = new Map();
        for (const each of this.#list) this.#index(this.#byType, each);
      }
    }
  }

  #index(byType: Map<string, RRset>, set: RRset): void {
    const [first] = set.records;
    if (first) byType.set(setType(first), set);
    if (!byType.has(set.type)) byType.set(set.type, set);
  }
}

/** The RRsets of a zone by owner, then by type. */
export type Owners = ReadonlyMap<NameKey, OwnerSets>;

const indexes = new WeakMap<RecordList, Owners>();

/** The index of a list of records, which is made once: checks, plans and guards of a zone share it. */
export function ownersOf(records: RecordList): Owners {
  const known = indexes.get(records);
  if (known) return known;
  const owners = byOwner(records);
  indexes.set(records, owners);
  return owners;
}

/** Indexes records by owner, then by type. */
export function byOwner(records: RecordList): Owners {
  return isIndexed(records) ? new TableOwners(records) : indexOwners(records);
}

export type IndexedRecords = Pick<RecordTable, "owners" | "firstOf" | "nextOf" | "get">;

function isIndexed(records: object): records is IndexedRecords {
  return "firstOf" in records;
}

function indexOwners(records: Iterable<ZoneRecord>): Owners {
  const owners = new Map<NameKey, OwnerSets>();
  let spelled: Name | undefined;
  let owner = root;
  let sets = new OwnerSets();
  for (const record of records) {
    // Most records follow one with the same owner.
    if (record.owner !== spelled) {
      spelled = record.owner;
      owner = nameKey(spelled);
      sets = owners.get(owner) ?? new OwnerSets();
      if (sets.values().length === 0) owners.set(owner, sets);
    }
    sets.addRecord(owner, record);
  }
  return owners;
}

/** The owners of a table. The sets of an owner are made on first use. */
class TableOwners implements Owners {
  readonly #table: IndexedRecords;
  readonly #sets: (OwnerSets | undefined)[] = [];

  constructor(table: IndexedRecords) {
    this.#table = table;
    this.#sets = new Array(table.owners.count);
  }

  get size(): number {
    let size = 0;
    for (const _ of this.#numbers()) size++;
    return size;
  }

  get(name: NameKey): OwnerSets | undefined {
    const key = this.#table.owners.find(name);
    return key < 0 || this.#table.firstOf(key) < 0 ? undefined : this.#setsOf(key);
  }

  has(name: NameKey): boolean {
    const key = this.#table.owners.find(name);
    return key >= 0 && this.#table.firstOf(key) >= 0;
  }

  *keys(): MapIterator<NameKey> {
    for (const key of this.#numbers()) yield nameKey(this.#table.owners.name(key));
  }

  *values(): MapIterator<OwnerSets> {
    for (const key of this.#numbers()) yield this.#setsOf(key);
  }

  *entries(): MapIterator<[NameKey, OwnerSets]> {
    for (const key of this.#numbers()) yield [nameKey(this.#table.owners.name(key)), this.#setsOf(key)];
  }

  [Symbol.iterator](): MapIterator<[NameKey, OwnerSets]> {
    return this.entries();
  }

  forEach(use: (sets: OwnerSets, name: NameKey, all: Owners) => void): void {
    for (const [name, sets] of this) use(sets, name, this);
  }

  /** The first spelling of each owner, by number, in the order of their first records. */
  *#numbers(): Generator<number> {
    const { owners } = this.#table;
    for (let id = 0; id < owners.count; id++) if (owners.keyOf(id) === id && this.#table.firstOf(id) >= 0) yield id;
  }

  #setsOf(key: number): OwnerSets {
    const known = this.#sets[key];
    if (known) return known;
    const table = this.#table;
    const owner = nameKey(table.owners.name(key));
    const sets = new OwnerSets();
    for (let row = table.firstOf(key); row >= 0; row = table.nextOf(row)) sets.addRecord(owner, table.get(row));
    this.#sets[key] = sets;
    return sets;
  }
}
