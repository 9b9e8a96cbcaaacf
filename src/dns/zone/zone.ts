import type { Place } from "../../diagnostics/problem.ts";
import type { RuleId } from "../../diagnostics/registry.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { type Name, type NameKey, nameKey, readName } from "../name/name.ts";
import { formatRdata, readField, targetsOf } from "../rdata/record-type.ts";
import { type KnownType, type RdataByType, type RdataOf, typeOf } from "../types/index.ts";
import type { Scope } from "./scope.ts";
import type { ZoneSettings } from "./zone-settings.ts";

/**
 * A record of a zone. `ttl` in seconds; undefined means the zone's default. A record from a file has its place there.
 */
export interface ZoneRecord<T extends string = string> {
  readonly owner: Name;
  readonly type: T;
  readonly ttl: number | undefined;
  readonly data: RdataOf<T>;
  readonly source?: SourceText;
  readonly start?: number;
  readonly end?: number;
  /** The place of the owner, in files that write it once for several records. */
  readonly ownerAt?: Place;
  /** The TTL that the file gives it, if its RRset has another one, in seconds. */
  readonly ownTtl?: number | undefined;
  /** The node whose address it has, if the file names one in its place. */
  readonly node?: NodeReference | undefined;
}

/** A node of the service, by its label, whose address an A or AAAA record has. */
export interface NodeReference {
  /** As written; labels are compared without regard to letter case. */
  readonly label: string;
  /** Whether it is the private IPv4 address of the node. */
  readonly isPrivate: boolean;
  /** The place of the label. */
  readonly at: Place;
}

/**
 * The name servers of a service where none are configured. Names under `.invalid` never resolve (RFC
 * 6761 §6.4).
 */
export const unsetNameservers: readonly Name[] = ["ns1.zonewright.invalid.", "ns2.zonewright.invalid."].map((name) =>
  readName(name),
);

/** A relative target that contains a dot, and the absolute name it was completed to. */
export interface DotlessTarget {
  readonly name: Name;
  readonly written: string;
  readonly at: Place;
  /** The file that contains it. */
  readonly source?: SourceText;
  /** Owner and type of the record that points there. */
  readonly owner: Name;
  readonly type: string;
}

/** A readable part of a file that is probably a mistake; `rule` reports it. */
export interface Slip {
  readonly rule: RuleId;
  /** The problem, as a continuation of owner and type. */
  readonly summary: string;
  readonly fix: string;
  readonly at: Place;
  readonly source?: SourceText;
  readonly owner: Name;
  readonly type: string;
}

/** Parts of a file that could not be read. Names that may be there are not reported as missing. */
export interface Unread {
  /** Owners of records with errors. */
  readonly owners: ReadonlySet<NameKey>;
  /** Whether the owner of some error is unknown, so that any record may be missing. */
  readonly isAny: boolean;
}

/** A rule whose severity a zone file lowers at a name. */
export interface Excuse {
  readonly owner: Name;
  readonly rule: string;
  /** The targets of the project for which it is lowered; all if absent. */
  readonly targets?: readonly TargetOfZone[];
  readonly at?: Place;
}

/** A template that a zone file uses, and the parameters that it gives. */
export interface TemplateUse {
  readonly name: string;
  readonly at?: Place;
  readonly parameters: readonly TemplateArgument[];
}

/** A parameter as a zone file gives it. */
export interface TemplateArgument {
  readonly name: string;
  /** One, unless it is a list; undefined after an error. */
  readonly texts: readonly string[] | undefined;
  readonly isList: boolean;
  readonly at?: Place;
}

/**
 * A target of the project that a zone file names: the zone is applied there, and not to the others of its folder; or a
 * rule is lowered there.
 */
export interface TargetOfZone {
  readonly name: string;
  readonly at?: Place;
}

/** An RRset of a zone file that replaces that of a template. */
export interface Override {
  readonly owner: Name;
  readonly type: string;
  readonly at?: Place;
}

/** Records in the order of their source: an array, or the records of a file, whose objects are made on first use. */
export interface RecordList<R extends ZoneRecord = ZoneRecord> extends Iterable<R> {
  readonly length: number;
  /** The record at an index; from the end if it is negative. */
  at(index: number): R | undefined;
  find<S extends R>(accepts: (record: R) => record is S): S | undefined;
  find(accepts: (record: R) => boolean): R | undefined;
  some(accepts: (record: R) => boolean): boolean;
  filter<S extends R>(accepts: (record: R) => record is S): S[];
  filter(accepts: (record: R) => boolean): R[];
  map<T>(change: (record: R, index: number) => T): T[];
  flatMap<T>(change: (record: R, index: number) => T | readonly T[]): T[];
}

/** A zone from a file, the API or a transfer. */
export interface Zone {
  readonly name: Name;
  readonly settings: ZoneSettings;
  readonly records: RecordList;
  /** The places of the zone (`zone`) and its settings. */
  readonly places: Readonly<Partial<Record<string, Place>>>;
  readonly dotlessTargets: readonly DotlessTarget[];
  readonly slips?: readonly Slip[];
  readonly excused?: readonly Excuse[];
  readonly scope?: Scope;
  /** Absent if the zone is applied to all targets of its folder. */
  readonly targets?: readonly TargetOfZone[];
  /** Templates of the file whose records are not among those of the zone. */
  readonly templates?: readonly TemplateUse[];
  readonly overrides?: readonly Override[];
  readonly unread?: Unread;
  /** The file that the zone was read from. */
  readonly file?: string;
  /** The format of that file, unless it is zonewright's YAML: advice has the syntax of the file. */
  readonly fileFormat?: "bind" | "octodns";
}

/** Narrows a record to one of the types, and thus the type of its data. */
export function isType<R extends Pick<ZoneRecord, "type">, T extends KnownType>(
  record: R,
  ...types: readonly T[]
): record is R & TypedRecord<T> {
  return (types as readonly string[]).includes(record.type);
}

/** Type and matching data of a record. */
export type TypedRecord<T extends KnownType> = { [K in T]: { readonly type: K; readonly data: RdataByType[K] } }[T];

/** The place of a record, if it has one. */
export function placeOf({ source, start, end }: ZoneRecord): Place | undefined {
  return source && start !== undefined ? source.place(start, end) : undefined;
}

/** A copy of the record with some fields replaced, and without those that only other kinds of records have: an id. */
export function copyRecord<T extends object>(
  { owner, type, ttl, data, source, start, end, ownerAt, node }: ZoneRecord,
  changes: T,
): ZoneRecord & T {
  const place =
    source && start !== undefined && end !== undefined ? { source, start, end, ...(ownerAt && { ownerAt }) } : {};
  return { owner, type, ttl, data, ...place, ...(node && { node }), ...changes };
}

/** RDATA in canonical form, to compare it: names in lower case, addresses and texts in one spelling. */
export function canonical({ type, data }: Pick<ZoneRecord, "type" | "data">): string {
  return formatRdata(typeOf(type), data, nameKey, ["compared"]);
}

/** RDATA in canonical form, to show it: words that comparisons ignore the case of keep their letters. */
export function canonicalText({ type, data }: Pick<ZoneRecord, "type" | "data">): string {
  return formatRdata(typeOf(type), data, nameKey, ["compared", "shown"]);
}

/** Owner, type and data: identical for equal records, whatever their TTLs. */
export function recordKeyOf(record: ZoneRecord): string {
  return `${setKeyOf(record)} ${canonical(record)}`;
}

/** Owner and type: identical for the records of a set. */
export function setKeyOf({ owner, type }: Pick<ZoneRecord, "owner" | "type">): string {
  return `${nameKey(owner)} ${type}`;
}

/** Whether two records of one type have the same RDATA in canonical form. */
export function isSameRdata(one: Pick<ZoneRecord, "type" | "data">, other: Pick<ZoneRecord, "data">): boolean {
  const { fields } = typeOf(one.type);
  const isIdentical = fields.every((field) => isSameField(readField(one.data, field), readField(other.data, field)));
  return isIdentical || canonical(one) === canonical({ type: one.type, data: other.data });
}

function isSameField(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

/** RDATA in zone file syntax, with its case kept. */
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
 * Type of the RRset that a record belongs to: signatures are grouped by the covered type, `RRSIG A` (RFC 4034 §3, RFC
 * 2181 §5.1).
 */
export function setType(record: Pick<ZoneRecord, "type" | "data">): string {
  return isType(record, "RRSIG", "SIG") ? `${record.type} ${record.data.type_covered}` : record.type;
}

/** Records with the same owner, class and type; signatures also with the same covered type (RFC 2181 §5). */
export interface RRset<T extends string = string> {
  readonly owner: NameKey;
  readonly type: T;
  readonly records: ZoneRecord<T>[];
}

/** The records of a set without duplicates, which `textOf` gives the same text. */
export function distinct<T extends Pick<ZoneRecord, "type" | "data">>(
  records: readonly T[],
  textOf: (record: T) => string = canonical,
): T[] {
  if (records.length < 2) return [...records];
  const seen = new Set<string>();
  return records.filter((record) => seen.size < seen.add(textOf(record)).size);
}

/** The shortest TTL of records, in seconds: that of their RRset for resolvers (RFC 2181 §5.2). */
export function shortestTtl(records: readonly Pick<ZoneRecord, "ttl">[]): number {
  return records.reduce((least, { ttl = 0 }) => Math.min(least, ttl), Number.POSITIVE_INFINITY);
}
