import { type LookupZone, nearestZone } from "../../dns/lookup/lookup.ts";
import { ancestors, isInside, isWildcard, type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { OwnerSets } from "../../dns/zone/owners.ts";
import { type RRset, targets, type ZoneRecord } from "../../dns/zone/zone.ts";
import { addToList } from "../../group-by.ts";
import { type Gap, isServedAtOnce, subject } from "../changes/change.ts";
import type { Strength } from "../changes/in-order.ts";
import { answeringOwners, partBelowWildcard } from "./answers.ts";
import {
  addNeed,
  afterOf,
  beforeOf,
  gapOf,
  isAddressType,
  isAnsweredByAddress,
  type NameChange,
  type PlannedStep,
  type ZoneDraft,
} from "./draft.ts";
import type { Order } from "./order.ts";

/** A zone of the plan, with its changed names. */
export interface ChangedZone {
  readonly zone: ZoneDraft;
  readonly nameChanges: ReadonlyMap<NameKey, NameChange>;
  readonly before: LookupZone<RRset, OwnerSets>;
  readonly after: LookupZone<RRset, OwnerSets>;
  /** Names that stop or start being matched by wildcards. */
  readonly leaving: WildcardCover;
  readonly entering: WildcardCover;
  readonly isServed: Readonly<Record<"before" | "after", boolean>>;
  /** Done when the zone starts being served. */
  readonly activation: PlannedStep | undefined;
  /** Done when the zone stops being served. */
  readonly deactivation: PlannedStep | undefined;
}

/** A pointer that leads nowhere until another zone is served; shaped like a gap. */
type EarlyPointer = Pick<Gap, "owner" | "types" | "seconds">;

/** Adds dependencies between pointers and their targets, across zones. */
export class Pointers {
  /** The zones of the plan by name. */
  readonly #nodes: ReadonlyMap<NameKey, ChangedZone>;

  constructor(nodes: ReadonlyMap<NameKey, ChangedZone>) {
    this.#nodes = nodes;
  }

  /**
   * The pointers of a new zone that is served earlier, in this order, than the new zones that they lead to: those point
   * back to it, or a longer circle does.
   */
  *findEarly(node: ChangedZone, order: Order): Generator<EarlyPointer> {
    const { activation } = node;
    if (!activation || isServedAtOnce(node.zone)) return;
    for (const { owner, drafts } of node.nameChanges.values())
      for (const pointer of drafts.flatMap((draft) => [...pointersOf(draft, afterOf).values()])) {
        const target = this.#zoneOf(pointer.target, "after");
        if (!target?.activation || target === node || order.at(target.activation) < order.at(activation)) continue;
        const names = answeringNames(target.after, pointer);
        const types =
          pointer.record.type === "CNAME"
            ? names.flatMap((name) => target.zone.after.get(name)?.keys() ?? [])
            : names.length > 0
              ? [pointer.record.type]
              : [];
        if (types.length > 0) yield { owner, types, seconds: gapOf(target.zone) };
      }
  }

  needAt(node: ChangedZone, nameChange: NameChange): void {
    for (const draft of nameChange.drafts.filter(hasPointer)) {
      const before = pointersOf(draft, beforeOf);
      const after = pointersOf(draft, afterOf);
      if (node.isServed.after)
        for (const [key, pointer] of after) if (!before.has(key)) this.#createAfterTarget(node, draft, pointer);
      for (const [key, pointer] of before)
        if (!after.has(key)) this.#deleteBeforeTarget(node, node.deactivation ?? draft, pointer);
    }
    this.#deleteCoverLast(node, nameChange);
    this.#createCoverFirst(node, nameChange);
    this.#delegateToServed(node, nameChange);
  }

  /** The first name server of a delegation removes the names below from this zone, the last one returns them. */
  #delegateToServed(node: ChangedZone, { owner, drafts, createByType, deleteByType }: NameChange): void {
    const child = owner === nameKey(node.zone.zone.name) ? undefined : this.#nodes.get(owner);
    for (const draft of child ? drafts.filter(delegates) : []) {
      if (createByType.has("NS")) addNeed(draft, child?.activation, "preferred");
      if (deleteByType.has("NS")) addNeed(child?.deactivation, draft, "preferred");
    }
  }

  /**
   * The records at the target are created before the pointer; if possible, also those that an unchanged alias leads to,
   * and for a wildcard's alias any alias: as long as a further name does not exist, it leads back to the wildcard.
   */
  #createAfterTarget(from: ChangedZone, draft: PlannedStep, pointer: Pointer, aliases = 0): void {
    const node = this.#zoneOf(pointer.target, "after");
    const earlier = this.#zoneOf(pointer.target, "before");
    if (!node) return;
    // The answers of a removed zone hide those of its parent zone.
    if (earlier !== from) addNeed(draft, earlier?.deactivation, weakenBehind(aliases, "preferred"));
    const names = answeringNames(node.after, pointer);
    if (node !== from && node.activation) {
      const isAnswered = names.length > 0 || pointer.target === nameKey(node.zone.zone.name);
      addNeed(draft, isAnswered ? node.activation : undefined, weakenBehind(aliases, "preferred"));
      if (!isServedAtOnce(node.zone)) return;
    }
    this.#createAfterNames(from, draft, pointer, { node, names, aliases });
  }

  /** The pointer is created after the records of the names that answer for its target. */
  #createAfterNames(
    from: ChangedZone,
    draft: PlannedStep,
    pointer: Pointer,
    {
      node,
      names,
      aliases,
    }: { readonly node: ChangedZone; readonly names: readonly NameKey[]; readonly aliases: number },
  ): void {
    for (const name of names) {
      for (const [one, strength, isNeeded] of this.#targetCreates(node.nameChanges.get(name), pointer))
        addNeed(draft, one, isNeeded ? "preferred" : weakenBehind(aliases, strength));
      const alias = aliases < mostAliases ? aliasIn(node.zone.after.get(name)) : undefined;
      this.#createBehindAlias(from, draft, pointer, { targets: alias?.records.flatMap(targets) ?? [], aliases });
    }
    // A deleted alias without a replacement may lead back to the pointer as long as it exists.
    if (names.length === 0)
      addNeed(draft, node.nameChanges.get(pointer.target)?.deleteByType.get("CNAME"), "weak-hint");
    // A wildcard itself is ignored: it is created before, and deleted after, the records that it replaces.
    const entering = names.includes(pointingOwnerOf(pointer)) ? [] : node.entering.group(pointer.target);
    const others = [...entering].filter((one) => !isTarget(one, pointer, one.deleteByType));
    for (const gone of others.flatMap(({ drafts }) => drafts)) addNeed(draft, gone, weakenBehind(aliases, "preferred"));
  }

  #createBehindAlias(
    from: ChangedZone,
    draft: PlannedStep,
    pointer: Pointer,
    { targets, aliases }: { readonly targets: readonly Name[]; readonly aliases: number },
  ): void {
    for (const target of targets)
      this.#createAfterTarget(from, draft, { ...pointer, target: nameKey(target) }, aliases + 1);
  }

  /** The steps that create the records at a target, and whether mail or a service has no address before. */
  *#targetCreates(nameChange: NameChange | undefined, pointer: Pointer): Generator<[PlannedStep, Strength, boolean]> {
    if (!nameChange) return;
    // Mail and services have no address as long as the aliases lead to none.
    const isNeeded = pointer.record.type !== "CNAME" && (nameChange.before === undefined || this.#isLost(pointer));
    for (const [one, strength] of createsFor(nameChange, pointer))
      yield [one, strength, isNeeded && (strength === "preferred" || isRetargeting(one))];
  }

  /** Whether the target has no address before the plan, because its aliases lead to none or form a loop. */
  #isLost({ record, target: first }: Pointer): boolean {
    for (let target = first, aliases = 0; aliases <= mostAliases; aliases++) {
      const node = this.#zoneOf(target, "before");
      if (!node || node.zone.zone.settings.type === "slave") return false;
      const sets = answeringNames(node.before, { record, target }).flatMap((name) => node.zone.before.get(name) ?? []);
      if (sets.some((types) => types.has("A") || types.has("AAAA") || types.has("NS"))) return false;
      const [next] = sets.flatMap((types) => aliasIn(types)?.records.flatMap(targets) ?? []);
      if (next === undefined) return true;
      target = nameKey(next);
    }
    return true;
  }

  /** A pointer is deleted before the records at its target. */
  #deleteBeforeTarget(from: ChangedZone, draft: PlannedStep, pointer: Pointer): void {
    const node = this.#zoneOf(pointer.target, "before");
    const later = this.#zoneOf(pointer.target, "after");
    // A new zone takes over names of its parent zone. A pointer into it is preferably created after it.
    if (later !== from && later?.activation) addNeed(later.activation, draft, "hint");
    if (node !== from) addNeed(node?.deactivation, draft, "preferred");
    if (!node || (node !== from && node.activation)) return;
    const names = answeringNames(node.before, pointer);
    for (const name of names) {
      const nameChange = node.nameChanges.get(name);
      if (nameChange) for (const one of deletesFor(nameChange, pointer)) addNeed(one, draft, "preferred");
    }
    if (names.includes(pointingOwnerOf(pointer))) return;
    for (const nameChange of node.leaving.group(pointer.target))
      if (!isTarget(nameChange, pointer, nameChange.createByType))
        for (const one of nameChange.drafts) addNeed(one, draft, "preferred");
  }

  /** A wildcard, delegation or zone that answered for new records is deleted after they are created. */
  #deleteCoverLast(node: ChangedZone, nameChange: NameChange): void {
    const earlier = this.#zoneOf(nameChange.owner, "before");
    if (earlier !== node)
      for (const one of nameChange.createByType.values()) addNeed(earlier?.deactivation, one, "preferred");
    node.leaving.needAt(nameChange);
    if (nameChange.createByType.size === 0) return;
    for (const name of answeringOwners(node.before, nameChange.owner)) {
      const cover = name === nameChange.owner ? undefined : node.nameChanges.get(name);
      for (const [type, gone] of cover?.deleteByType ?? [])
        for (const [coming, one] of nameChange.createByType)
          if (cover?.after === undefined || isSameAnswer(type, coming)) addNeed(gone, one, "preferred");
    }
  }

  /** A wildcard, delegation or new zone that will answer for deleted records is created before they are deleted. */
  #createCoverFirst(from: ChangedZone, nameChange: NameChange): void {
    from.entering.needAt(nameChange);
    if (nameChange.deleteByType.size === 0) return;
    const node = this.#zoneOf(nameChange.owner, "after");
    if (!node) return;
    const names = answeringOwners(node.after, nameChange.owner);
    const isNew = node !== from && isServedAtOnce(node.zone);
    const covers = names.filter((name) => isNew || name !== nameChange.owner);
    const creates = covers.flatMap((name) => [...(node.nameChanges.get(name)?.createByType.values() ?? [])]);
    for (const gone of nameChange.deleteByType.values()) {
      // Records that a new zone hides are deleted once they are hidden, so that no wildcard of this zone answers in
      // between.
      if (node !== from && node.activation) addNeed(gone, node.activation, names.length > 0 ? "preferred" : "hint");
      if (isNew || node === from || !node.activation) for (const one of creates) addNeed(gone, one, "preferred");
    }
  }

  /** The nearest zone of a name that is served on this side. */
  #zoneOf(name: NameKey, side: "before" | "after"): ChangedZone | undefined {
    return nearestZone(name, (apex) => {
      const node = this.#nodes.get(apex);
      return node?.isServed[side] ? node : undefined;
    });
  }
}

/** The strength of a dependency on the records that a chain of aliases leads to. */
function weakenBehind(aliases: number, strength: Strength): Strength {
  return aliases > 0 ? "weak-hint" : strength;
}

/** The maximum length of a chain of aliases. */
const mostAliases = 8;

/** The CNAME record of a name, or its ALIAS record, which leads to addresses. */
function aliasIn(types: OwnerSets | undefined): RRset | undefined {
  return types?.get("CNAME") ?? types?.get("ALIAS");
}

/** Whether one type can replace the other for clients. */
function isSameAnswer(type: string, other: string): boolean {
  const isFollowed = (type: string) => isAnsweredByAddress(type) || type === "CNAME" || type === "NS";
  return type === "NS" || type === other || (isFollowed(type) && isFollowed(other));
}

function delegates({ writes }: PlannedStep): boolean {
  return writes.some((change) => subject(change).type === "NS");
}

/** A record that points from one name to another. */
interface Pointer {
  readonly record: ZoneRecord;
  readonly target: NameKey;
}

const pointing: ReadonlySet<string> = new Set(["ALIAS", "CNAME", "MX", "NS", "SRV"]);

function pointingOwnerOf({ record }: Pointer): NameKey {
  return nameKey(record.owner);
}

export function hasPointer({ writes }: PlannedStep): boolean {
  return writes.some((change) => pointing.has(subject(change).type));
}

function pointersOf({ writes }: PlannedStep, side: typeof beforeOf): Map<string, Pointer> {
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
function* createsFor(nameChange: NameChange, pointer: Pointer): Generator<[PlannedStep, Strength]> {
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
function deletesFor(nameChange: NameChange, pointer: Pointer): PlannedStep[] {
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
function answeringNames(zone: LookupZone<RRset, OwnerSets>, { record, target }: Pointer): NameKey[] {
  const names = answeringOwners(zone, target);
  return names.length > 1 && record.type !== "NS" ? names.filter((name) => name !== target) : names;
}

/**
 * Whether the target itself has the records that the pointer needs, independent of wildcards. An alias does not count,
 * because it may lead back to the pointer.
 */
function isTarget({ owner }: NameChange, pointer: Pointer, types: ReadonlyMap<string, PlannedStep>): boolean {
  if (owner !== pointer.target || types.has("CNAME") || types.has("ALIAS")) return false;
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
  return isAddressType(type) || (!isGlue(pointer) && (type === "ALIAS" || type === "CNAME" || type === "NS"));
}

/** Whether it is a server inside its own delegation, of which only the addresses are used (RFC 1034 §4.2.1). */
function isGlue({ record, target }: Pointer): boolean {
  return record.type === "NS" && isInside(target, record.owner);
}

/** Whether an alias gets another target. */
function isRetargeting({ writes: [change] }: PlannedStep): boolean {
  return change?.kind === "update" && (change.before.type === "ALIAS" || change.before.type === "CNAME");
}

/**
 * Names that a wildcard matches before or after the plan, grouped by their ancestor directly below the wildcard's
 * parent. With the first record of a group, the wildcard no longer matches any of its names (RFC 4592 §3.3.1), and with
 * the removal of the last one it matches all of them again. Therefore the ancestor itself, and wildcards inside the
 * group, are created first and deleted last. The other names have no answer until they are written: a gap that no order
 * avoids.
 */
export class WildcardCover {
  readonly #nameChanges: Iterable<NameChange>;
  readonly #side: "before" | "after";
  readonly #zone: LookupZone<RRset, OwnerSets>;
  #groups: Map<NameKey, NameChange[]> | undefined;

  /** `side` is when the wildcards answer: `before` for created names, `after` for deleted ones. */
  constructor(nameChanges: Iterable<NameChange>, side: "before" | "after", zone: LookupZone<RRset, OwnerSets>) {
    this.#nameChanges = nameChanges;
    this.#side = side;
    this.#zone = zone;
  }

  /** The names that are created in, or deleted from, the group that contains the target. */
  group(target: NameKey): readonly NameChange[] {
    const under = partBelowWildcard(this.#zone, target);
    if (under === undefined) return [];
    this.#groups ??= this.#groupNames();
    return this.#groups.get(under) ?? [];
  }

  /** Adds the dependencies between the names of a group. */
  needAt(nameChange: NameChange): void {
    if (nameChange[this.#side] !== undefined) return; // a name that exists is matched by no wildcard
    const under = partBelowWildcard(this.#zone, nameChange.owner);
    if (under === undefined) return;
    const group = this.group(nameChange.owner);
    const rank = ({ owner }: NameChange) => (owner === under ? 0 : isWildcard(owner) ? 1 : 2);
    for (const leader of group.filter((other) => rank(other) < rank(nameChange))) {
      for (const one of nameChange.drafts) {
        if (this.#side === "before") addNeed(one, first(leader.createByType), "hint");
        else addNeed(first(leader.deleteByType), one, "hint");
      }
    }
    this.#addressesOutermost(nameChange);
  }

  /** Addresses, the most common type of wildcards, are created first and deleted last. */
  #addressesOutermost({ drafts, createByType, deleteByType }: NameChange): void {
    const types = this.#side === "before" ? createByType : deleteByType;
    const outer = [...types].flatMap(([type, one]) => (isAddressType(type) ? [one] : []));
    for (const one of outer) {
      for (const other of drafts) {
        if (
          outer.includes(other) ||
          other.writes.some((change) => isAddressType((change.kind === "delete" ? change.before : change.after).type))
        )
          continue;
        if (this.#side === "before") addNeed(other, one, "preferred");
        else addNeed(one, other, "preferred");
      }
    }
  }

  #groupNames(): Map<NameKey, NameChange[]> {
    const groups = new Map<NameKey, NameChange[]>();
    for (const nameChange of this.#nameChanges) {
      if (nameChange[this.#side] !== undefined) continue;
      for (const above of ancestors(nameChange.owner, this.#zone.apex)) addToList(groups, above, nameChange);
    }
    return groups;
  }
}

function first(drafts: ReadonlyMap<string, PlannedStep>): PlannedStep | undefined {
  return [...drafts].find(([type]) => isAddressType(type))?.[1] ?? [...drafts.values()][0];
}
