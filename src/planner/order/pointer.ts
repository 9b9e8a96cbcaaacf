import type { LookupZone } from "../../dns/lookup/lookup.ts";
import { isInside, isWildcard, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { OwnerSets } from "../../dns/zone/owners.ts";
import { type RRset, targets, type ZoneRecord } from "../../dns/zone/zone.ts";
import { subject } from "../changes/change.ts";
import type { Strength } from "../changes/in-order.ts";
import { answeringOwners } from "./answerer.ts";
import { type beforeOf, isAddressType, type NameChange, type PlannedStep } from "./draft.ts";

/** A record that points from one name to another. */
export interface Pointer {
  readonly record: ZoneRecord;
  readonly target: NameKey;
}

const pointing: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "SRV"]);

export function pointingOwnerOf({ record }: Pointer): NameKey {
  return nameKey(record.owner);
}

export function hasPointer({ writes }: PlannedStep): boolean {
  return writes.some((change) => pointing.has(subject(change).type));
}

export function pointersOf({ writes }: PlannedStep, side: typeof beforeOf): Map<string, Pointer> {
  const found = new Map<string, Pointer>();
  for (const change of writes) {
    const record = side(change);
    if (!record || !pointing.has(record.type)) continue;
    for (const name of targets(record)) {
      const target = nameKey(name);
      found.set(`${record.type} ${target}`, { record, target });
    }
  }
  return found;
}

/**
 * The steps that create the records a pointer needs at its target: any for an alias, an address for the others. Further
 * ones are preferred.
 */
export function* createsFor(nameChange: NameChange, pointer: Pointer): Generator<[PlannedStep, Strength]> {
  if (isDelegation(nameChange, pointer)) {
    const server = nameChange.createByType.get("NS");
    if (server && nameChange.owner !== pointingOwnerOf(pointer)) yield [server, "preferred"];
    return;
  }
  const others = [...nameChange.createByType].filter(([type]) => isAddressType(type) || !isGlue(pointer));
  const needed = needsAddress(pointer)
    ? others.filter(([type]) => isReached(type, pointer) && !has(nameChange.before, pointer))
    : [];
  for (const [, one] of needed) yield [one, "preferred"];
  const [first] = others.filter(([, draft]) => !hasPointer(draft)).concat(others);
  if (first && nameChange.before === undefined && needed.length === 0) yield [first[1], "preferred"];
  for (const [, one] of others) yield [one, "hint"];
  for (const draft of nameChange.drafts) if (isRetargeting(draft)) yield [draft, "hint"];
}

/** The last steps that delete the records a pointer needs at its target. */
export function deletesFor(nameChange: NameChange, pointer: Pointer): PlannedStep[] {
  if (isDelegation(nameChange, pointer)) {
    const server = nameChange.owner === pointingOwnerOf(pointer) ? undefined : nameChange.deleteByType.get("NS");
    return server ? [server] : [];
  }
  if (nameChange.after === undefined) return [...nameChange.deleteByType.values()];
  if (!needsAddress(pointer) || !has(nameChange.before, pointer) || has(nameChange.after, pointer)) return [];
  return [...nameChange.deleteByType].flatMap(([type, one]) => (isReached(type, pointer) ? [one] : []));
}

/** Whether the name answers for the target with a referral. The addresses of a cut's own servers are no referral. */
function isDelegation({ owner, before, after }: NameChange, { target }: Pointer): boolean {
  return owner !== target && !isWildcard(owner) && (before?.has("NS") || after?.has("NS")) === true;
}

/** The owners that answer for the target. Records below a delegation are only used for name servers. */
export function answeringNames(zone: LookupZone<RRset, OwnerSets>, { record, target }: Pointer): NameKey[] {
  const names = answeringOwners(zone, target);
  return names.length > 1 && record.type !== "NS" ? names.filter((name) => name !== target) : names;
}

/**
 * Whether the target itself has the records that the pointer needs, independent of wildcards. An alias does not count,
 * because it may lead back to the pointer.
 */
export function isTarget({ owner }: NameChange, pointer: Pointer, types: ReadonlyMap<string, PlannedStep>): boolean {
  if (owner !== pointer.target || types.has("CNAME")) return false;
  return needsAddress(pointer) ? [...types.keys()].some(isAddressType) : types.size > 0;
}

function needsAddress({ record }: Pointer): boolean {
  return record.type !== "CNAME";
}

function has(sets: NameChange["before"], pointer: Pointer): boolean {
  return sets !== undefined && [...sets.keys()].some((type) => isReached(type, pointer));
}

/** Whether a set of this type leads to an address. */
function isReached(type: string, pointer: Pointer): boolean {
  return isAddressType(type) || (!isGlue(pointer) && (type === "CNAME" || type === "NS"));
}

/** Whether it is a server inside its own delegation, of which only the addresses are used (RFC 1034 §4.2.1). */
function isGlue({ record, target }: Pointer): boolean {
  return record.type === "NS" && isInside(target, record.owner);
}

/** Whether an alias gets another target. */
export function isRetargeting({ writes: [change] }: PlannedStep): boolean {
  return change?.kind === "update" && change.before.type === "CNAME";
}
