import { typesWithAddress } from "../dns/lookup/find-address.ts";
import { findNode, nearestZone, toLookupZone } from "../dns/lookup/lookup.ts";
import { isInside, type Name, type NameKey, nameKey, relativeTo, shownName, withoutDot } from "../dns/name/name.ts";
import { meantText } from "../dns/policies/kind.ts";
import { spfOf } from "../dns/policies/spf.ts";
import type { LiveZone } from "../dns/zone/desired-live.ts";
import { byOwner, type Owners, ownersOf } from "../dns/zone/owners.ts";
import { isType, targets, type ZoneRecord } from "../dns/zone/zone.ts";
import { isServed, subject, writesOf, type ZonePlan } from "./changes/change.ts";
import { isInSync } from "./plan.ts";
import { policiesIn } from "./risk/spf-senders.ts";

/** A zone whose changes would leave a pointer without its target unless another zone changes as well. */
export interface Dependent {
  readonly zone: NameKey;
  /** The zone that has to change as well. */
  readonly on: NameKey;
  /** A sentence without its full stop. */
  readonly reason: string;
  /** The pointing or changed record. */
  readonly record: ZoneRecord;
}

/**
 * The zones that cannot be planned without the zones in `leftOut`, which stay as they are. A zone is found if a new
 * pointer of it leads to nothing in one of these, if one of these still points to a name that it deletes, or if it
 * changes a name inside one of these; then also the zones that depend on it in the same way.
 */
export function findDependents(
  plans: readonly ZonePlan[],
  live: ReadonlyMap<NameKey, LiveZone>,
  leftOut: Iterable<NameKey>,
): Dependent[] {
  const fixed = new Set(leftOut);
  let left = plans.filter((plan) => !isInSync(plan) && !plan.zone.isCatalog);
  const found: Dependent[] = [];
  for (;;) {
    const zones = new ChangingZones(left, live, fixed);
    const more = left.flatMap((plan) => zones.findNeed(plan) ?? []);
    if (more.length === 0) return found;
    found.push(...more);
    for (const { zone } of more) fixed.add(zone);
    left = left.filter(({ zone }) => !fixed.has(nameKey(zone.name)));
  }
}

/** The zones of a plan, and those that stay as they are. */
class ChangingZones {
  readonly #plans: ReadonlyMap<NameKey, ZonePlan>;
  readonly #live: ReadonlyMap<NameKey, LiveZone>;
  readonly #fixed: ReadonlySet<NameKey>;

  constructor(plans: readonly ZonePlan[], live: ReadonlyMap<NameKey, LiveZone>, fixed: ReadonlySet<NameKey>) {
    this.#plans = new Map(plans.map((plan) => [nameKey(plan.zone.name), plan]));
    this.#live = live;
    this.#fixed = fixed;
  }

  findNeed(plan: ZonePlan): Dependent | undefined {
    return this.#findTarget(plan) ?? this.#findPointer(plan) ?? this.#findInside(plan);
  }

  /** A new pointer into a fixed zone, where it finds nothing. */
  #findTarget(plan: ZonePlan): Dependent | undefined {
    const { zone } = plan;
    for (const write of writesOf(plan)) {
      if (write.kind === "delete") continue;
      const record = write.after;
      const known = write.kind === "update" ? pointersOf(write.before).map(nameKey) : [];
      for (const target of pointersOf(record)) {
        const on = this.#zoneOf(target);
        if (on === undefined || !this.#fixed.has(on) || known.includes(nameKey(target))) continue;
        const stored = this.#live.get(on);
        if (stored && (stored.settings.type === "slave" || answers(liveState(stored), record, target))) continue;
        const reason = `${showRecord(record, zone.name)} needs "${target}", which ${withoutDot(on)} does not have yet`;
        return { zone: nameKey(zone.name), on, reason, record };
      }
    }
    return undefined;
  }

  /** A record of a fixed zone that loses its target. */
  #findPointer(plan: ZonePlan): Dependent | undefined {
    const served = isServed(plan);
    if (served.before === served.after && writesOf(plan).every(({ kind }) => kind === "create")) return undefined;
    const zone = nameKey(plan.zone.name);
    const states = this.#statesOf(plan);
    for (const on of this.#fixed) {
      for (const record of this.#live.get(on)?.records ?? []) {
        for (const target of pointersOf(record)) {
          if (this.#zoneOf(target) !== zone) continue;
          if (!answers(states.before, record, target) || answers(states.after, record, target)) continue;
          const reason = `${record.owner} ${record.type} in ${withoutDot(on)} needs "${target}", which would be deleted`;
          return { zone, on, reason, record };
        }
      }
    }
    return undefined;
  }

  /** A change at a name inside a fixed zone. */
  #findInside(plan: ZonePlan): Dependent | undefined {
    const zone = nameKey(plan.zone.name);
    for (const write of writesOf(plan)) {
      const record = subject(write);
      const on = this.#zoneOf(record.owner);
      if (on === undefined || on === zone || !this.#fixed.has(on)) continue;
      const reason = `${showRecord(record, plan.zone.name)} changes inside ${withoutDot(on)}`;
      return { zone, on, reason, record };
    }
    return undefined;
  }

  /** The nearest zone of a name, changing, fixed or in sync. */
  #zoneOf(name: Name): NameKey | undefined {
    const isZone = (apex: NameKey) => this.#plans.has(apex) || this.#fixed.has(apex) || this.#live.has(apex);
    return nearestZone(nameKey(name), (apex) => (isZone(apex) ? apex : undefined));
  }

  #statesOf(plan: ZonePlan): { readonly before: ZoneState; readonly after: ZoneState } {
    const apex = nameKey(plan.zone.name);
    const stored = this.#live.get(apex)?.records ?? [];
    const writes = writesOf(plan);
    const gone = new Set<ZoneRecord>(writes.flatMap((write) => (write.kind === "create" ? [] : write.before)));
    const fresh = writes.flatMap((write) => (write.kind === "delete" ? [] : write.after));
    const served = isServed(plan);
    const after = [...stored.filter((record) => !gone.has(record)), ...fresh];
    return {
      before: { apex, isServed: served.before, owners: ownersOf(stored) },
      after: { apex, isServed: served.after, owners: byOwner(after) },
    };
  }
}

interface ZoneState {
  readonly apex: NameKey;
  readonly isServed: boolean;
  readonly owners: Owners;
}

function liveState({ name, settings, records }: LiveZone): ZoneState {
  return { apex: nameKey(name), isServed: settings.status !== "disabled", owners: ownersOf(records) };
}

/** The names that a record points to; those in an SPF policy are the policies that it includes or redirects to. */
function pointersOf(record: ZoneRecord): readonly Name[] {
  return isType(record, "TXT") ? policiesIn(meantText(record)) : targets(record);
}

/**
 * Whether a zone answers for the target of a pointer: any record for an alias, a policy for a policy, an address or
 * alias for the others.
 */
function answers({ apex, isServed, owners }: ZoneState, pointer: ZoneRecord, target: Name): boolean {
  if (!isServed || !isInside(target, apex)) return false;
  const node = findNode(toLookupZone(apex, owners), nameKey(target), "A");
  if (node.kind !== "node") return node.kind !== "nxdomain";
  if (pointer.type === "TXT" && !node.sets.has("CNAME"))
    return (node.sets.get("TXT")?.records ?? []).some((record) => isType(record, "TXT") && spfOf(record));
  const types = node.sets.keys();
  return pointer.type === "CNAME" ? types.length > 0 : typesWithAddress.some((type) => node.sets.has(type));
}

function showRecord({ owner, type }: ZoneRecord, zone: Name): string {
  return `${shownName(relativeTo(owner, zone))} ${type}`;
}
