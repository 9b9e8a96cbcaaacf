import { cutOf, nearestZone } from "../../dns/lookup/lookup.ts";
import type { FreedAddress } from "../../dns/name/freed-address.ts";
import { isInside, type Name, type NameKey, nameKey, sortKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { type Owners, ownersOf } from "../../dns/zone/owners.ts";
import { targets, type Zone } from "../../dns/zone/zone.ts";
import type { Setting, ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { addToList } from "../../group-by.ts";
import type { Plan } from "../changes/change.ts";
import { addressesIn } from "../risk/addresses.ts";
import type { GuardContext, PointerTo, Thresholds, ZoneChange } from "../risk/guard.ts";
import { type ServedZones, ZoneAnswers } from "../risk/lookup.ts";
import { spfIncludersIn } from "../risk/mail.ts";

/** A zone outside the plan. */
export interface ZoneElsewhere extends Pick<Zone, "name" | "records"> {
  /** Whether the zone has no other records than these. */
  readonly isWhole: boolean;
}

/** Input of the guards in addition to the plan. */
export interface GuardOptions {
  /** The settings that the target has. */
  readonly settings: readonly Setting[];
  /** The zones outside the plan, which may point to a deleted name; read only if a guard needs them. */
  readonly elsewhere?: () => Iterable<ZoneElsewhere>;
  /** Other zones of the account. They answer for their names, but their answers are unknown. */
  readonly unseen?: readonly Name[];
  /** Addresses that a node of the account had and none has now, as far as they are known. */
  readonly freed?: readonly FreedAddress[];
  /** The name servers of the service. */
  readonly nameservers?: readonly Name[];
  /** Why resolvers may still ask for zones that are deleted on one of their targets. */
  readonly inUse?: ReadonlyMap<NameKey, readonly string[]>;
  /** Why resolvers get no addresses for the ALIAS records of zones. */
  readonly unanswered?: ReadonlyMap<NameKey, string>;
}

/** A plan, its zones and their live state. */
interface JudgedPlan {
  readonly plan: Plan;
  readonly zones: readonly ZoneChange[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  readonly thresholds: Thresholds;
}

/** Input of the guards: the zones around a change. Costly parts are made once, when a guard needs them. */
export class GuardContexts {
  readonly #judged: JudgedPlan;
  readonly #options: GuardOptions;
  /** The zones of the account after the run. */
  readonly #all: Map<NameKey, Owners>;
  readonly #before: ReadonlyMap<NameKey, Side>;
  readonly #after: Map<NameKey, Side>;
  readonly #freed: ReadonlyMap<string, FreedAddress>;
  readonly #sorted = new Map<NameKey, readonly PointerTo[]>();
  readonly #pointers = lazy(() => pointersIn([...this.#all.values(), ...this.#ownersElsewhere(false).values()]));
  readonly #delegations = lazy(() => delegationsIn(this.#all.values()));
  readonly #secondaries = lazy(() => this.#findSecondaries());
  /** For the run as a whole, and for zones that are served before and after it. */
  readonly ofRun: GuardContext;

  constructor(judged: JudgedPlan, options: GuardOptions) {
    const { plan, zones, live } = judged;
    [this.#judged, this.#options] = [judged, options];
    this.#all = new Map([...live].map(([name, { records }]) => [name, ownersOf(records)]));
    const before = new Map((options.unseen ?? []).map((name) => [nameKey(name), unseenSide]));
    for (const [name, { settings }] of live) before.set(name, { ...sideOf(settings), owners: this.#all.get(name) });
    this.#before = before;
    this.#after = new Map(before);
    for (const { zone, plan, after: owners } of zones) {
      this.#all.set(zone, owners);
      this.#after.set(zone, { ...sideOf(plan.zone.settings), owners });
    }
    for (const { name } of plan.deletions) {
      this.#all.delete(nameKey(name));
      this.#after.delete(nameKey(name));
    }
    this.#freed = new Map((options.freed ?? []).map((one) => [one.address, one]));
    this.ofRun = this.#build();
  }

  of(zone: NameKey): GuardContext {
    const isServed = [this.#before, this.#after].every((sides) => sides.get(zone)?.isServed !== false);
    return isServed ? this.ofRun : this.#build(zone);
  }

  /** `own` is a zone that is treated as always served. */
  #build(own?: NameKey): GuardContext {
    const { plan, zones, thresholds } = this.#judged;
    const { settings, nameservers = [] } = this.#options;
    const answersAfter = new ZoneAnswers(zonesThatAnswer(this.#after, own));
    const includers = lazy(() => spfIncludersIn(answersAfter));
    return {
      zones,
      pointersTo: (name) => this.#pointersTo(name),
      pointedNames: () => this.#pointers().keys(),
      delegationsTo: (server) => this.#delegations().get(server) ?? [],
      serversOf: ({ name, apexServers = [] }) =>
        new Set([...apexServers, ...nameservers].map(nameKey).filter((server) => isInside(server, name))),
      hasRecords: (name) => hasOwnRecords(this.#all, name),
      answersBefore: new ZoneAnswers(zonesThatAnswer(this.#before, own)),
      answersAfter,
      answersElsewhere: () => new ZoneAnswers(this.#ownersElsewhere(true)),
      spfIncluders: (name) => includers()(name),
      secondaries: this.#secondaries,
      freed: this.#freed,
      inUse: this.#options.inUse ?? new Map(),
      unanswered: this.#options.unanswered ?? new Map(),
      thresholds,
      settings,
      unproved: plan.unproved,
    };
  }

  #ownersElsewhere(isWhole: boolean): Map<NameKey, Owners> {
    const zones = [...(this.#options.elsewhere?.() ?? [])].filter((zone) => zone.isWhole || !isWhole);
    return new Map(zones.map(({ name, records }) => [nameKey(name), ownersOf([...records])]));
  }

  #pointersTo(name: NameKey): readonly PointerTo[] {
    const known = this.#sorted.get(name) ?? sortPointers(this.#pointers().get(name) ?? []);
    this.#sorted.set(name, known);
    return known;
  }

  #findSecondaries(): ReadonlySet<string> {
    const transfersTo = this.#options.settings.filter(({ transfers }) => transfers === "to");
    const zones = [...this.#judged.live.values()];
    return new Set(zones.flatMap(({ settings }) => transfersTo.flatMap(({ name }) => addressesIn(settings[name]))));
  }
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A zone before or after a run; its owners are undefined if unknown. */
interface Side {
  readonly isServed: boolean;
  readonly isKnown: boolean;
  readonly owners: Owners | undefined;
}

const unseenSide: Side = { isServed: true, isKnown: false, owners: undefined };

/** A slave's records are those of its master, so they are unknown. */
function sideOf({ status, type }: ZoneSettings): Pick<Side, "isServed" | "isKnown"> {
  return { isServed: status !== "disabled", isKnown: type !== "slave" };
}

/**
 * The zones that answer. `own` is treated as always served: otherwise a policy that is weakened while its zone is
 * disabled would be blocked neither then nor when the zone is activated.
 */
function zonesThatAnswer(sides: ReadonlyMap<NameKey, Side>, own: NameKey | undefined): ServedZones {
  const served = [...sides].filter(([name, { isServed }]) => isServed || name === own);
  return new Map(served.map(([name, { isKnown, owners }]) => [name, isKnown ? owners : undefined]));
}

/** Whether the nearest zone of a name has records there, without a delegation at or above the name. */
function hasOwnRecords(zones: ReadonlyMap<NameKey, Owners>, name: NameKey): boolean {
  const zone = nearestZone(name, (apex) => {
    const owners = zones.get(apex);
    return owners && { apex, owners };
  });
  if (zone?.owners.has(name) !== true) return false;
  return cutOf(zone.apex, name, (at) => zone.owners.get(at)?.has("NS") === true) === undefined;
}

/** The records that point to each name, in no particular order. */
function pointersIn(zones: Iterable<Owners>): Map<NameKey, PointerTo[]> {
  const found = new Map<NameKey, PointerTo[]>();
  for (const owners of zones)
    for (const [owner, sets] of owners)
      for (const { type, records } of sets.values())
        for (const target of records.flatMap(targets)) addToList(found, nameKey(target), { owner, type });
  return found;
}

/** The delegations by the names of their servers. */
function delegationsIn(zones: Iterable<Owners>): Map<NameKey, NameKey[]> {
  const found = new Map<NameKey, NameKey[]>();
  for (const owners of zones)
    for (const [owner, sets] of owners)
      for (const server of sets.get("NS")?.records.flatMap(targets) ?? []) addToList(found, nameKey(server), owner);
  return found;
}

/** Distinct pointers by owner. */
function sortPointers(pointers: readonly PointerTo[]): PointerTo[] {
  return [...new Map(pointers.map((pointer) => [`${pointer.owner} ${pointer.type}`, pointer])).values()]
    .map((pointer) => ({ pointer, key: sortKey(pointer.owner) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ pointer }) => pointer);
}
