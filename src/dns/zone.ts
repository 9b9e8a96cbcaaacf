import type { Place } from "../diagnostics/problem.ts";
import type { RuleId } from "../diagnostics/registry.ts";
import type { SourceText } from "../diagnostics/source-text.ts";
import { asName, type Name, type NameKey, nameKey, root } from "./name.ts";
import { formatRdata, targetsOf } from "./rdata/record-type.ts";
import type { Scope } from "./scope.ts";
import { type KnownType, type RdataByType, type RdataOf, typeOf } from "./types/index.ts";
import type { SettingName, ZoneSettings } from "./zone-settings.ts";

/**
 * A record of a zone, of one type where that is known. `ttl` in seconds; undefined is the zone's default. A record from
 * a file knows where it stands there.
 */
export interface ZoneRecord<T extends string = string> {
  readonly owner: Name;
  readonly type: T;
  readonly ttl: number | undefined;
  readonly data: RdataOf<T>;
  readonly source?: SourceText;
  readonly start?: number;
  readonly end?: number;
  /** Where the owner stands, in files that write it once for several records. */
  readonly ownerAt?: Place;
}

/**
 * Name servers of a service that was not told their names. Under `.invalid` nothing ever resolves (RFC 6761 §6.4), so
 * they are not taken for real ones.
 */
export const unsetNameservers: readonly Name[] = ["ns1.zonewright.invalid.", "ns2.zonewright.invalid."].map(asName);

/** A relative target that has a dot but no final one, and the absolute name it was completed to. */
export interface DotlessTarget {
  readonly name: Name;
  readonly written: string;
  readonly at: Place;
  /** The file that it stands in. */
  readonly source?: SourceText;
  /** The owner of the record that points there. */
  readonly owner?: Name | undefined;
}

/** A part of a file that can be read but seldom means what it says; the rule that it names reports it. */
export interface Slip {
  readonly rule: RuleId;
  /** The fault, to continue the name of the owner and the type. */
  readonly summary: string;
  readonly fix: string;
  readonly at: Place;
  readonly source?: SourceText;
  readonly owner: Name;
  readonly type: string;
}

/** Content of a file that could not be read; names that seem to be missing there are not reported. */
export interface Unread {
  /** Owners of records with errors. */
  readonly owners: ReadonlySet<NameKey>;
  /** Are there errors of which no owner is known, so that any record may be missing? */
  readonly isAny: boolean;
}

/** A rule that a zone file excuses at a name: what it says there counts for less. */
export interface Excuse {
  readonly owner: Name;
  readonly rule: string;
  readonly at?: Place;
}

/** A zone: the same whether it came from a file, the API or a transfer. `records` keep the order of their source. */
export interface Zone {
  readonly name: Name;
  readonly settings: ZoneSettings;
  readonly records: readonly ZoneRecord[];
  /** Where the zone and its settings are written. */
  readonly places: Readonly<Partial<Record<SettingName | "zone", Place>>>;
  readonly dotlessTargets: readonly DotlessTarget[];
  readonly slips?: readonly Slip[];
  readonly excused?: readonly Excuse[];
  readonly scope?: Scope;
  readonly unread?: Unread;
  /** The file that the zone was read from. */
  readonly file?: string;
}

/** Narrows a record to one of the types, so that the compiler knows its data. */
export function isType<R extends Pick<ZoneRecord, "type">, T extends KnownType>(
  record: R,
  ...types: readonly T[]
): record is R & TypedRecord<T> {
  return (types as readonly string[]).includes(record.type);
}

/** Type and data of a record, which belong together. */
export type TypedRecord<T extends KnownType> = { [K in T]: { readonly type: K; readonly data: RdataByType[K] } }[T];

/** The place of a record, where it has one. */
export function placeOf({ source, start, end }: ZoneRecord): Place | undefined {
  return source && start !== undefined ? source.place(start, end) : undefined;
}

/** The record with something else in it. A record of a file may make its data when asked, so it is not spread. */
export function changed<T extends object>(
  { owner, type, ttl, data, source, start, end, ownerAt }: ZoneRecord,
  changes: T,
): ZoneRecord & T {
  const place =
    source && start !== undefined && end !== undefined ? { source, start, end, ...(ownerAt && { ownerAt }) } : {};
  return { owner, type, ttl, data, ...place, ...changes };
}

/** RDATA in one spelling for equal data: names in lower case (RFC 4034 §6.2), addresses and texts in one form. */
export function canonical(record: Pick<ZoneRecord, "type" | "data">): string {
  return rdataText(record, nameKey);
}

/** RDATA as a master file writes it, letter case kept. */
export function rdataText(
  { type, data }: Pick<ZoneRecord, "type" | "data">,
  spell = (name: Name): string => name,
): string {
  return formatRdata(typeOf(type), data, spell);
}

/** The names that a record points to. */
export function targets({ type, data }: Pick<ZoneRecord, "type" | "data">): Name[] {
  return targetsOf(typeOf(type), data);
}

/**
 * Type of the RRset that a record belongs to: signatures are grouped by the type that they cover, `RRSIG A`
 * (RFC 4034 §3, RFC 2181 §5.1).
 */
export function setType(record: Pick<ZoneRecord, "type" | "data">): string {
  return isType(record, "RRSIG", "SIG") ? `${record.type} ${record.data.type_covered}` : record.type;
}

/** Records that share owner, class and type, signatures also the type covered (RFC 2181 §5). */
export interface RRset<T extends string = string> {
  readonly owner: NameKey;
  readonly type: T;
  readonly records: ZoneRecord<T>[];
}

/** The records of a set without those that say again what one before said. */
export function distinct<T extends Pick<ZoneRecord, "type" | "data">>(records: readonly T[]): T[] {
  const seen = new Set<string>();
  return records.filter((record) => seen.size < seen.add(canonical(record)).size);
}

/** Above this a list is slower than a Map, and a hostile file can give a name every type there is. */
const shortList = 16;

/**
 * The sets at one owner, by type, in the order that they came. Few stand at most names: a Map for each would be most of
 * a zone's memory.
 */
export class OwnerSets {
  #list: RRset[] = [];
  #byType: Map<string, RRset> | undefined = undefined;

  /** Set of a type; of signatures, which make several sets, the first. */
  get<T extends string>(type: T): RRset<T> | undefined;
  get(type: string): RRset | undefined {
    if (this.#byType) return this.#byType.get(type);
    for (const set of this.#list) if (set.type === type) return set;
    return undefined;
  }

  /** The set that a record belongs to. */
  of(record: ZoneRecord): RRset | undefined {
    const wanted = setType(record);
    if (wanted === record.type) return this.get(wanted);
    if (this.#byType) return this.#byType.get(wanted);
    return this.#list.find(({ records: [first] }) => first !== undefined && setType(first) === wanted);
  }

  has(type: string): boolean {
    return this.get(type) !== undefined;
  }

  /** Types at the owner, each once. */
  keys(): string[] {
    return [...new Set(this.#list.map(({ type }) => type))];
  }

  values(): readonly RRset[] {
    return this.#list;
  }

  add(set: RRset): void {
    // A list that grows by pushing has room for seventeen at once.
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

/** The RRsets of a zone by owner, and there by type. */
export type Owners = ReadonlyMap<NameKey, OwnerSets>;

/** The records by owner, and there by type. */
export function byOwner(records: Iterable<ZoneRecord>): Map<NameKey, OwnerSets> {
  const owners = new Map<NameKey, OwnerSets>();
  let spelled: Name | undefined;
  let owner = root;
  let sets = new OwnerSets();
  for (const record of records) {
    // Most records stand behind one of the same owner.
    if (record.owner !== spelled) {
      spelled = record.owner;
      owner = nameKey(spelled);
      sets = owners.get(owner) ?? new OwnerSets();
      if (sets.values().length === 0) owners.set(owner, sets);
    }
    const set = sets.of(record);
    if (set) set.records.push(record);
    else sets.add({ owner, type: record.type, records: [record] });
  }
  return owners;
}
