import { escapeControl } from "../../diagnostics/escape.ts";
import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { besideCname } from "../../dns/lookup/lookup.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { Fault } from "../../dns/name/fault.ts";
import {
  isInside,
  type Name,
  type NameKey,
  nameKey,
  readExactName,
  relativeTo,
  withoutDot,
} from "../../dns/name/name.ts";
import type { DesiredRecord, DesiredZone, LiveZone, UnknownRecord } from "../../dns/zone/desired-live.ts";
import { ownersOf } from "../../dns/zone/owners.ts";
import { addToList } from "../../group-by.ts";
import { ttlAfter } from "../../planner/plan.ts";
import { type SkippedZone, skipZones } from "./skip-invalid.ts";

/**
 * The zones of files with records that the service would refuse beside those that are left alone, or that would change
 * them.
 * @throws {ProblemError} `zone-records-conflict` unless they are left out
 */
export function withoutConflicts(
  desired: readonly DesiredZone[],
  live: ReadonlyMap<NameKey, LiveZone>,
  { skipInvalid }: { readonly skipInvalid?: boolean },
): SkippedZone[] {
  const found = desired.flatMap((zone) => {
    const stored = live.get(nameKey(zone.name));
    const errors = stored ? conflictsOf(zone, stored) : [];
    return errors.length > 0 ? [{ zone, errors }] : [];
  });
  return skipZones(found, skipInvalid, () => "a record of it conflicts with records that are left alone");
}

/** Whether a record is one that nothing is done with, and that the service answers with. */
export function isKept({ isOfService, hasUpperCase }: UnknownRecord): boolean {
  return !isOfService && !hasUpperCase;
}

function conflictsOf(zone: DesiredZone, live: LiveZone): Problem[] {
  const { name, records } = zone;
  const kept = new Map<NameKey, UnknownRecord[]>();
  for (const other of live.unknownRecords ?? []) {
    const owner = isKept(other) && !other.isDisabled ? ownerOf(other, name) : undefined;
    if (owner !== undefined) addToList(kept, owner, other);
  }
  if (kept.size === 0) return [];
  const existing = new Set(live.records.flatMap(({ type, owner }) => (type === "CNAME" ? [nameKey(owner)] : [])));
  const findLowered = createTtlTest(zone, live);
  const findHidden = createHiddenTest(zone, live, kept);
  const ofRecords = records.flatMap((record) => {
    const { owner, type } = record;
    const others = kept.get(nameKey(owner)) ?? [];
    const hidden = findHidden(record);
    if (hidden !== undefined)
      return [problem("zone-records-conflict", hidden, { owner, ...placeWithIncludes(record), fix: hiddenFix })];
    const isStored = type === "CNAME" && existing.has(nameKey(owner));
    const beside = isStored ? undefined : others.find((other) => isRefusedBeside(record, other));
    const about = { owner, ...placeWithIncludes(record) };
    if (beside)
      return [
        problem("zone-records-conflict", besideText(name, record, beside), { ...about, ...fixOf(record, beside) }),
      ];
    const lowered = findLowered(record, others);
    if (lowered === undefined) return [];
    const summary = `${relativeTo(owner, name)} ${type}: its TTL is also that of another ${escapeControl(type)} record at this name, which zonewright leaves alone, and would be lowered from ${lowered}`;
    const fix = `The records of a name and type have one TTL (RFC 2181 §5.2). Write one of at least ${lowered}, or change the other record at the service first.`;
    return [problem("zone-records-conflict", summary, { ...about, fix })];
  });
  return [...lowersDefault(zone, live, [...kept.values()].flat()), ...ofRecords];
}

/** The error of a new TTL of the zone that records which are left alone would get. */
function lowersDefault(zone: DesiredZone, live: LiveZone, kept: readonly UnknownRecord[]): Problem[] {
  const { name, places } = zone;
  const before = defaultTtl(live);
  const withIt = kept.filter(({ ttl }) => ttl === 0);
  if (withIt.length === 0 || ttlAfter(zone, live) >= before) return [];
  const summary = `${withoutDot(name)}: ttl_sec is also the TTL of ${count(withIt.length, "record")} that zonewright leaves alone, and would be lowered from ${before}: ${listLeftAlone(withIt)}`;
  const fix = `Write at least ${before}, or give them TTLs of their own at the service first.`;
  return [problem("zone-records-conflict", summary, { place: places?.ttl_sec ?? placeOfZone(zone), fix, owner: name })];
}

function defaultTtl({ settings, defaultTimes }: LiveZone): number {
  return settings.ttl_sec || defaultTimes.ttl_sec;
}

/** Whether a service refuses a record because of another one at its name. */
function isRefusedBeside({ type }: DesiredRecord, { type: other }: UnknownRecord): boolean {
  if (type === "CNAME" || other === "CNAME") return !besideCname.has(type) && !besideCname.has(other);
  return other === "ALIAS" && (type === "A" || type === "AAAA");
}

function besideText(zone: Name, { owner, type }: DesiredRecord, beside: UnknownRecord): string {
  return `${relativeTo(owner, zone)} ${type}: the service has a record of the type ${escapeControl(beside.type)} at this name, which zonewright leaves alone`;
}

function fixOf({ type }: DesiredRecord, beside: UnknownRecord): { readonly fix: string } {
  const other = escapeControl(beside.type);
  const why =
    type === "CNAME" || beside.type === "CNAME"
      ? "A CNAME record cannot stand beside others (RFC 1034 §3.6.2)."
      : "An ALIAS record answers for A and AAAA.";
  return { fix: `${why} Delete the ${other} record at the service first, or remove the ${type} record.` };
}

/** A test for the TTL that a record takes from others of its set, which are left alone; undefined if it takes none. */
function createTtlTest(
  zone: DesiredZone,
  live: LiveZone,
): (record: DesiredRecord, others: readonly UnknownRecord[]) => number | undefined {
  const before = defaultTtl(live);
  const after = ttlAfter(zone, live);
  const stored = ownersOf(live.records);
  return (record, others) => {
    const kept = others.flatMap(({ type, ttl }) => (type === record.type && ttl !== undefined ? [ttl] : []));
    if (kept.length === 0) return undefined;
    const known = stored.get(nameKey(record.owner))?.get(record.type)?.records ?? [];
    const lowest = Math.min(...[...known.map(({ ttl = 0 }) => ttl), ...kept].map((ttl) => ttl || before));
    const wanted = record.ttl ?? after;
    return wanted < lowest && record.fileTtl !== lowest ? lowest : undefined;
  };
}

const hiddenFix = "Delete that record at the service first, or remove this one.";

/**
 * A test for a new record that no lookup would get, below a DNAME record that is left alone (RFC 6672 §2.4), or a new
 * delegation below which such a record would not be answered (RFC 1034 §4.2.1). It returns the summary of the error.
 */
function createHiddenTest(
  { name }: DesiredZone,
  live: LiveZone,
  kept: ReadonlyMap<NameKey, readonly UnknownRecord[]>,
): (record: DesiredRecord) => string | undefined {
  const stored = ownersOf(live.records);
  const all = [...kept].flatMap(([owner, records]) => records.map(({ type }) => ({ owner, type })));
  const dnames = all.filter(({ type }) => type === "DNAME");
  return ({ owner, type }) => {
    const key = nameKey(owner);
    if (stored.get(key)?.has(type)) return undefined;
    const about = `${relativeTo(owner, name)} ${type}`;
    const above = dnames.find((one) => one.owner !== key && isInside(key, one.owner));
    if (above) return `${about}: a DNAME record above this name, which zonewright leaves alone, hides it`;
    if (type !== "NS" || key === nameKey(name)) return undefined;
    const below = all.find((one) => isInside(one.owner, key) && !atCut.has(one.type));
    return (
      below &&
      `${about}: the service has a record of the type ${escapeControl(below.type)} at or below this name, which zonewright leaves alone, and which would no longer be answered`
    );
  };
}

/** Types that stand beside a delegation (RFC 4035 §2.2). */
const atCut: ReadonlySet<string> = new Set(["DS", "NS", "NSEC", "RRSIG"]);

/** The owner of a record, whose name services state absolute or inside the zone; undefined if it cannot be read. */
function ownerOf({ name }: UnknownRecord, zone: Name): NameKey | undefined {
  try {
    return nameKey(readExactName(name || "@", zone));
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** The line of a file that names the zone, or its first one. */
export function placeOfZone({ places, file }: DesiredZone): Place | undefined {
  return places?.zone ?? (file === undefined ? undefined : { file, line: 1, column: 1, length: 1 });
}

const mostListed = 5;

/** The first records by name and type, and the number of the others. */
export function listLeftAlone(records: readonly UnknownRecord[]): string {
  const texts = records.slice(0, mostListed).map(({ name, type }) => escapeControl(`${name || "@"} ${type}`));
  const more = records.length - texts.length;
  return `${texts.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
