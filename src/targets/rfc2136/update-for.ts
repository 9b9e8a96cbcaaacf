import { isSameName, type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { Prerequisite, Update, UpdateStep } from "../../dns/transfer/update.ts";
import type { DesiredRecord, RecordChange } from "../../dns/zone/desired-live.ts";
import { recordKeyOf, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { addToList, groupBy } from "../../group-by.ts";
import type { ExpectedSet } from "../target.ts";
import { typesOfNames } from "./kind.ts";
import type { Quirks } from "./quirks.ts";

/** An RRset before and after an update. */
interface SetChange {
  readonly owner: Name;
  readonly type: string;
  readonly before: readonly StoredRecord[];
  readonly after: readonly StoredRecord[];
}

type StoredRecord = DesiredRecord & { readonly ttl: number };

/** The parts of an update that change one RRset or name, in the order of their sections. */
interface Part {
  readonly deletes?: readonly UpdateStep[];
  readonly adds?: readonly UpdateStep[];
  readonly lastDeletes?: readonly UpdateStep[];
}

/**
 * The update for changes to records of a zone. Its prerequisites are the whole sets of these records as they are
 * stored (`expected`): the server refuses it if someone else has changed one of them. TTLs do not count (RFC 2136
 * §2.4.2). A server ignores a CNAME beside other records, and other records beside a CNAME: the update requires that
 * there are none, but with `isShort` not that a name without records still has no CNAME. Its steps are in an order in
 * which all servers leave the sets as wanted.
 */
export function updateFor(
  zone: Name,
  changes: readonly RecordChange[],
  { expected, quirks, isShort = false }: UpdateForm,
): Update {
  const sets = setChanges(changes, expected);
  const aliases = namesOfNewCnames(zone, sets);
  const replaced = new Set<NameKey>();
  for (const [name, own] of aliases) if (quirks.losesCnameAfterSets && hadOthers(own)) replaced.add(name);
  const others = sets.filter(({ owner }) => !replaced.has(nameKey(owner)));
  const parts = [
    ...[...replaced].map((name) => replaceName(aliases.get(name) ?? [])),
    ...others.map((set) => changeSet(zone, set, quirks)),
  ];
  return {
    zone,
    prerequisites: [
      ...sets.map(asStored),
      ...[...aliases.values()].flatMap(noOthers),
      ...(isShort ? [] : noAliases(sets)),
    ],
    steps: [
      ...parts.flatMap(({ deletes = [] }) => deletes),
      ...parts.flatMap(({ adds = [] }) => adds),
      ...parts.flatMap(({ lastDeletes = [] }) => lastDeletes),
    ],
  };
}

interface UpdateForm {
  readonly expected: readonly ExpectedSet[];
  readonly quirks: Quirks;
  readonly isShort?: boolean;
}

/** Whether the update of these changes depends on the quirks of the server. */
export function dependsOnQuirks(
  zone: Name,
  changes: readonly RecordChange[],
  { expected, isSigned }: { readonly expected: readonly ExpectedSet[]; readonly isSigned: boolean },
): boolean {
  const sets = setChanges(changes, expected);
  return (
    sets.some((set) => isApexNs(zone, set) && isTtlOnly(set)) ||
    (isSigned && [...namesOfNewCnames(zone, sets).values()].some(hadOthers))
  );
}

/** The RRsets after changes. */
export function setsAfter(changes: readonly RecordChange[], expected: readonly ExpectedSet[]): ExpectedSet[] {
  return setChanges(changes, expected).map(({ owner, type, after }) => ({ owner, type, records: after }));
}

/** The stored RRsets at all names that changes write: the requirement of a write that states none. */
export function setsAtNames(records: readonly ZoneRecord[], changes: readonly RecordChange[]): ExpectedSet[] {
  const written = changes.map((change) => (change.kind === "delete" ? change.before : change.after));
  const names = new Set(written.map(({ owner }) => nameKey(owner)));
  const isThere = ({ owner, type }: ZoneRecord) => type !== "SOA" && names.has(nameKey(owner));
  const stored = groupBy(records.filter(isThere), setKeyOf);
  const sets = new Map<string, ExpectedSet>();
  for (const { owner, type } of [...written, ...[...stored.values()].flat()]) {
    const key = setKeyOf({ owner, type });
    if (!sets.has(key)) sets.set(key, { owner, type, records: stored.get(key) ?? [] });
  }
  return [...sets.values()];
}

/** The name that would have a CNAME beside other records after changes, as far as its sets are known. */
export function crowdedCname(changes: readonly RecordChange[], expected: readonly ExpectedSet[]): Name | undefined {
  const after = setsAfter(changes, expected).filter(({ records }) => records.length > 0);
  const names = groupBy(after, ({ owner }) => nameKey(owner));
  return after.find(({ owner, type }) => type === "CNAME" && (names.get(nameKey(owner))?.length ?? 0) > 1)?.owner;
}

/** Whether changes give the only name server of the zone another TTL, which a server with that quirk cannot do. */
export function isLoneNsTtl(zone: Name, changes: readonly RecordChange[], expected: readonly ExpectedSet[]): boolean {
  return setChanges(changes, expected).some(
    (set) => isApexNs(zone, set) && set.before.length === 1 && set.after.length === 1 && isTtlOnly(set),
  );
}

function setChanges(changes: readonly RecordChange[], expected: readonly ExpectedSet[]): SetChange[] {
  const gone = new Set<string>();
  const added = new Map<string, Map<string, StoredRecord>>();
  for (const change of changes) if (change.kind !== "create") gone.add(recordKeyOf(change.before));
  for (const change of changes) {
    if (change.kind === "delete") continue;
    const { after } = change;
    const set = added.get(setKeyOf(after)) ?? new Map<string, StoredRecord>();
    added.set(setKeyOf(after), set.set(recordKeyOf(after), withTtl(after)));
  }
  return expected.map(({ owner, type, records }) => {
    const before = records.map(withTtl);
    const news = added.get(setKeyOf({ owner, type })) ?? new Map<string, StoredRecord>();
    const kept = before.filter((record) => !gone.has(recordKeyOf(record)) && !news.has(recordKeyOf(record)));
    return { owner, type, before, after: [...kept, ...news.values()] };
  });
}

/** `accept` gives each record a TTL. */
function withTtl<R extends { readonly ttl: number | undefined }>(record: R): R & { readonly ttl: number } {
  if (record.ttl === undefined) throw new Error("a record of a name server has a TTL");
  return { ...record, ttl: record.ttl };
}

function asStored({ owner, type, before }: SetChange): Prerequisite {
  return before.length === 0 ? { kind: "no set", owner, type } : { kind: "set equals", records: before };
}

function changeSet(zone: Name, set: SetChange, { keepsTtlOfNs }: Quirks): Part {
  const { owner, type, before, after } = set;
  if (isApexNs(zone, set)) return keepsTtlOfNs && isTtlOnly(set) ? changeTtlInTurn(set) : changeApexServers(set);
  // It replaces the stored one (RFC 2136 §3.4.2.2). Without it, signed Knot would leave the name empty.
  if (type === "CNAME" && after.length > 0) return { adds: after.map(add) };
  if (after.length === 0) return { deletes: before.length === 0 ? [] : [{ kind: "delete set", owner, type }] };
  // Knot ignores a record that is added again with another TTL.
  if (hasOtherTtl(set)) return { deletes: [{ kind: "delete set", owner, type }], adds: after.map(add) };
  return { deletes: missingFrom(after, before).map(remove), adds: missingFrom(before, after).map(add) };
}

/**
 * Name servers that leave are deleted one by one after the others are there: a server ignores the deletion of the whole
 * set, and of the last record in it (RFC 2136 §3.4.2.4). Those that stay are added again for their TTL.
 */
function changeApexServers({ before, after }: SetChange): Part {
  return { adds: after.map(add), lastDeletes: missingFrom(after, before).map(remove) };
}

/** One after the other, because the last record of the set would stay as it is. */
function changeTtlInTurn({ before, after }: SetChange): Part {
  return {
    adds: after.flatMap((record) => [remove(record), add(record)]),
    lastDeletes: missingFrom(after, before).map(remove),
  };
}

/** The names that get a CNAME and had none, with their sets. */
function namesOfNewCnames(zone: Name, sets: readonly SetChange[]): Map<NameKey, SetChange[]> {
  const names = new Map<NameKey, SetChange[]>();
  for (const set of sets) if (!isSameName(set.owner, zone)) addToList(names, nameKey(set.owner), set);
  const isNew = ({ type, before, after }: SetChange) => type === "CNAME" && before.length === 0 && after.length > 0;
  for (const [name, own] of names) if (!own.some(isNew)) names.delete(name);
  return names;
}

function hadOthers(own: readonly SetChange[]): boolean {
  return own.some(({ before }) => before.length > 0);
}

/** The condition that a name has no records but those of these sets. */
function noOthers(own: readonly SetChange[]): Prerequisite[] {
  const [{ owner } = { owner: undefined }] = own;
  if (owner === undefined) return [];
  if (!hadOthers(own)) return [{ kind: "no name", owner }];
  const read = new Set(own.map(({ type }) => type));
  return typesOfNames.filter((type) => !read.has(type)).map((type) => ({ kind: "no set", owner, type }));
}

/** The condition that names whose first records are added have no CNAME. */
function noAliases(sets: readonly SetChange[]): Prerequisite[] {
  const names = [...groupBy(sets, ({ owner }) => nameKey(owner)).values()];
  return names.flatMap((own) => {
    const [{ owner } = { owner: undefined }] = own;
    const isNew = !hadOthers(own) && own.some(({ after }) => after.length > 0);
    if (owner === undefined || !isNew || own.some(({ type }) => type === "CNAME")) return [];
    return [{ kind: "no set" as const, owner, type: "CNAME" }];
  });
}

/** Deletes a name with all its records; the update requires that it has none that were not read. */
function replaceName(sets: readonly SetChange[]): Part {
  const [{ owner } = { owner: undefined }] = sets;
  if (owner === undefined) return {};
  return { deletes: [{ kind: "delete name", owner }], adds: sets.flatMap(({ after }) => after.map(add)) };
}

function isApexNs(zone: Name, { owner, type }: SetChange): boolean {
  return type === "NS" && isSameName(owner, zone);
}

function hasOtherTtl({ before, after }: SetChange): boolean {
  return before.length > 0 && after.some(({ ttl }) => before.some((record) => record.ttl !== ttl));
}

/** Whether no record joins a set whose TTL changes. */
function isTtlOnly(set: SetChange): boolean {
  return hasOtherTtl(set) && missingFrom(set.before, set.after).length === 0;
}

/** The records of `others` that `records` lacks. */
function missingFrom(records: readonly StoredRecord[], others: readonly StoredRecord[]): StoredRecord[] {
  const keys = new Set(records.map(recordKeyOf));
  return others.filter((record) => !keys.has(recordKeyOf(record)));
}

function add(record: StoredRecord): UpdateStep {
  return { kind: "add", record };
}

function remove(record: StoredRecord): UpdateStep {
  return { kind: "delete record", record };
}
