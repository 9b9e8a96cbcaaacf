import { toLookupZone } from "../../dns/lookup/lookup.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import {
  type Deletion,
  type Gap,
  isServed,
  isServedAtOnce,
  type PlanCapabilities,
  type Step,
  subject,
  type TooLargeChange,
  type ZoneOverLimit,
  type ZonePlan,
} from "../changes/change.ts";
import { sortByNeeds, ways } from "../changes/in-order.ts";
import { contractSteps } from "./change-sets.ts";
import { check, constrainOrder, type DarkState, Needs, type OrderCheck } from "./check.ts";
import {
  addNeed,
  buildNameChange,
  gapsOfAlias,
  type NameChange,
  needInSets,
  type PlannedStep,
  unchangedDraft,
  type ZoneDraft,
} from "./draft.ts";
import { Order } from "./order.ts";
import { Milestones, OverlayZone } from "./overlay.ts";
import { type ChangedZone, hasPointer, Pointers, WildcardCover } from "./pointers.ts";
import { type FittedOrder, fitRecords, zonesOverLimit } from "./record-limit.ts";
import { findBetterOrders, orderCost, type Preferences, violationCosts } from "./repair.ts";
import { orderSwaps } from "./swap-order.ts";
import { eachOf, finish, type Work } from "./work.ts";

/**
 * Schedules the steps of zones, which are sorted by name, so that no name becomes unresolvable and no pointer dangles,
 * however the steps run concurrently. The dependencies between steps:
 *
 * | step | depends on |
 * |---|---|
 * | creation of a pointer (CNAME, MX, NS, SRV) | the records at its target, also in another zone; above all glue |
 * | deletion at a name | the deletion of pointers to it, and the creation of its replacement |
 * | change of who answers for a name: itself, a wildcard or a delegation | one of the two that answers all the time |
 * | deletion at a name that a new zone hides | the activation of that zone, so that no wildcard answers in between |
 * | deletion of surplus records of a set | changes in place in that set |
 * | deactivation of a zone | the deletion of pointers into it, and the creation of its replacement |
 * | changes in a deactivated zone | its deactivation |
 *
 * Records that cannot coexist, a CNAME and other records or a null MX and others, are exchanged in one step, a swap.
 *
 * Independent steps are sorted by zone, and then: new records, new pointers, changes in place, swaps, deleted pointers,
 * other deleted records, each by name. If dependencies form a cycle, `sortByNeeds` decides which are dropped: a pointer
 * is then briefly created before its target, or deleted after it.
 *
 * `check` then proves the result: it finds the states in which a name has no answer that has one before and after.
 * Orders are compared by these states, dependencies are added that keep a name answered however the steps run
 * concurrently, and the states that no order avoids are declared as gaps.
 *
 * `zones` are all zones of the plan, including unchanged ones. Returns those with steps, and the zones to delete.
 */
export function* schedule(zones: readonly ZoneDraft[], others: OtherZones = {}): Work<Schedule> {
  const nodes = new Map<NameKey, ChangedZone>(
    yield* eachOf(["sorting changes", "zone"], zones, (zone) => [nameKey(zone.zone.name), zoneNodeOf(zone)] as const),
  );
  const drafts = yield* draftsOf(nodes);
  const deleted = (others.deletions ?? []).map(toDeleted);
  const account = { nodes, others, deleted };
  const { order, gapsOf, going, over } =
    others.capabilities?.changeSets === "zone"
      ? yield* orderChangeSets(account, drafts)
      : yield* orderSteps(account, drafts);
  const deletions = going.map(({ live, activation }): Deletion => {
    const gaps = gapsOf.get(activation);
    return gaps ? { ...live, gaps } : live;
  });
  return { zones: numberSteps(zones, order.drafts, gapsOf), deletions, overLimit: over, tooLarge: tooLarge(order) };
}

/** All zones of the account, as far as they are known. */
interface Account {
  readonly nodes: ReadonlyMap<NameKey, ChangedZone>;
  readonly others: OtherZones;
  readonly deleted: readonly Deleted[];
}

/** An order of steps, which has been checked. */
interface CheckedOrder {
  readonly order: Order;
  readonly gapsOf: Map<PlannedStep, Gap[]>;
  readonly going: readonly Deleted[];
  readonly over: readonly ZoneOverLimit[];
}

/** The best order of steps, or of change sets of steps by `setOf`; adds the dependencies that keep it. */
function* orderSteps(
  { nodes, others, deleted }: Account,
  drafts: readonly PlannedStep[],
  setOf?: ReadonlyMap<PlannedStep, PlannedStep>,
): Work<CheckedOrder> {
  const milestones = new Milestones(setOf);
  const overlay = () => overlayOf(nodes, others, deleted, milestones);
  const first = overlay();
  const found = yield* check(orderSwaps(first, milestones) ? overlay() : first, milestones);
  const rank = new Order([...drafts, ...deleted.map(({ activation }) => activation)]);
  const preferences = snapshot(drafts);
  for (const state of found.darkStates) addForcedNeed(state, rank);
  if (!drafts.some(({ parts }) => parts)) needInAllSets(nodes);
  const best = bestOrder(drafts, found, { deleted, preferences });
  const fitted = fitOrder(best, found, preferences, others.capabilities?.recordsPerZone);
  const { order, going } = orderOfDeletions(fitted.order, deleted, found.darkStates);
  const gapsOf = constrainOrder(found, order, new Needs(order));
  declareEarlyPointers(nodes, order, gapsOf);
  for (const one of order.drafts) declareGaps(gapsOf, one, gapsOfAlias(one));
  return { order, gapsOf, going, over: fitted.over };
}

/**
 * The best order of change sets. They are contracted from the dependencies of the steps; if a gap is left between them,
 * also from those of the best order of single steps, in which no other gap can occur, and the better result is taken.
 */
function* orderChangeSets(account: Account, drafts: readonly PlannedStep[]): Work<CheckedOrder> {
  const { capabilities } = account.others;
  const contracted = function* (): Work<CheckedOrder> {
    const { sets, setOf } = contractSteps(drafts, { ...capabilities, most: capabilities?.maxChangeOctets });
    return yield* orderSteps(account, sets, setOf);
  };
  const needs = snapshot(drafts);
  const together = new Map(drafts.flatMap((draft) => (draft.writes.length > 0 ? [[draft, draft] as const] : [])));
  const milestones = new Milestones(together);
  const found = yield* check(overlayOf(account.nodes, account.others, account.deleted, milestones), milestones);
  const rank = new Order([...drafts, ...account.deleted.map(({ activation }) => activation)]);
  for (const state of found.darkStates) addForcedNeed(state, rank);
  needInAllSets(account.nodes);
  const direct = yield* contracted();
  if (direct.gapsOf.size === 0) return direct;
  const ofDirect = snapshot(direct.order.drafts);
  restoreNeeds(drafts, needs);
  yield* orderSteps(account, drafts, together);
  const careful = yield* contracted();
  if (countGaps(careful) < countGaps(direct)) return careful;
  restoreNeeds(direct.order.drafts, ofDirect);
  return direct;
}

/** The number of names and types in gaps. */
function countGaps({ gapsOf }: CheckedOrder): number {
  return [...gapsOf.values()].flat().reduce((sum, { types }) => sum + types.length, 0);
}

/** The order with deletions before creations where a zone needs their room, unless that costs more than before. */
function fitOrder(
  { order, cost }: Ordered,
  { darkStates, entangled }: OrderCheck,
  preferences: Preferences,
  limit: number | undefined,
): Pick<FittedOrder, "order" | "over"> {
  const fitted = fitRecords(order, limit);
  if (limit === undefined || fitted === undefined) return { order, over: [] };
  const fittedCost = orderCost(darkStates, fitted.order) + violationCost(preferences, fitted.order);
  if (entangled.length > 0 || fittedCost >= cost + preferenceUnit) return { order, over: zonesOverLimit(order, limit) };
  fitted.addNeeds();
  return fitted;
}

/** Declares the pointers between new zones that point to each other: one of these zones is served first. */
function declareEarlyPointers(
  nodes: ReadonlyMap<NameKey, ChangedZone>,
  order: Order,
  gapsOf: Map<PlannedStep, Gap[]>,
): void {
  const pointers = new Pointers(nodes);
  for (const node of nodes.values()) {
    const { activation } = node;
    if (activation) declareGaps(gapsOf, activation, pointers.findEarly(node, order));
  }
}

/** Adds gaps that begin at a step. */
function declareGaps(gapsOf: Map<PlannedStep, Gap[]>, step: PlannedStep, more: Iterable<Gap>): void {
  for (const { owner, types, seconds } of more) {
    const gaps = gapsOf.get(step) ?? [];
    const known = gaps.find((gap) => gap.owner === owner);
    const gap = {
      owner,
      types: [...new Set([...(known?.types ?? []), ...types])].sort(),
      seconds: Math.max(known?.seconds ?? 0, seconds),
    };
    gapsOf.set(step, [...gaps.filter((one) => one !== known), gap]);
  }
}

/** The steps of one zone for display only: their order is not checked. */
export function scheduleUnproved(zone: ZoneDraft): Scheduled {
  const nodes = new Map<NameKey, ChangedZone>([[nameKey(zone.zone.name), zoneNodeOf(zone)]]);
  const drafts = finish(draftsOf(nodes));
  needInAllSets(nodes);
  return numberSteps([zone], sortByNeeds(drafts), new Map()).get(zone) ?? { steps: [] };
}

/** Zones of the account that are not in the plan. */
export interface OtherZones {
  /** Zones to delete after all other steps, in this order. */
  readonly deletions?: readonly LiveZone[];
  /** Names of unmanaged zones, whose records are unknown. */
  readonly unmanaged?: readonly Name[];
  readonly capabilities?: PlanCapabilities | undefined;
}

interface Schedule {
  readonly zones: ReadonlyMap<ZoneDraft, Scheduled>;
  /** Sorted by the order of their deletion. */
  readonly deletions: readonly Deletion[];
  readonly overLimit: readonly ZoneOverLimit[];
  readonly tooLarge: readonly TooLargeChange[];
}

function tooLarge({ drafts }: Order): TooLargeChange[] {
  const large = drafts.filter(({ isTooLarge }) => isTooLarge);
  return large.map(({ zone, writes }) => ({ zone: zone.zone.name, writes }));
}

/** The steps of a zone, and its activation or deactivation. */
export interface Scheduled {
  readonly steps: readonly Step[];
  readonly activation?: Activation;
}

type Activation = NonNullable<ZonePlan["activation"]>;

/** The steps of all zones with their dependencies, by zone and phase. */
function* draftsOf(nodes: ReadonlyMap<NameKey, ChangedZone>): Work<PlannedStep[]> {
  const pointers = new Pointers(nodes);
  yield* eachOf(["ordering writes", "zone"], [...nodes.values()], (node) => {
    for (const nameChange of node.nameChanges.values()) pointers.needAt(node, nameChange);
  });
  return [...nodes.values()].flatMap((node) => {
    const sorted = sortByKind(node.nameChanges.values());
    for (const draft of sorted) {
      if (isServedAtOnce(node.zone)) addNeed(draft, node.activation, "required");
      else addNeed(node.activation, draft, "required");
      addNeed(draft, node.deactivation, "required");
    }
    const [first, last] = isServedAtOnce(node.zone)
      ? [node.activation, undefined]
      : [node.deactivation, node.activation];
    return [first ?? [], sorted, last ?? []].flat();
  });
}

function needInAllSets(nodes: ReadonlyMap<NameKey, ChangedZone>): void {
  const needed = new Set<PlannedStep>();
  for (const { nameChanges } of nodes.values())
    for (const { drafts } of nameChanges.values())
      for (const { needs } of drafts) for (const one of needs.keys()) needed.add(one);
  for (const { nameChanges } of nodes.values())
    for (const nameChange of nameChanges.values()) needInSets(nameChange, needed);
}

function overlayOf(
  nodes: ReadonlyMap<NameKey, ChangedZone>,
  { unmanaged = [], capabilities: { apex } = {} }: OtherZones,
  deleted: readonly Deleted[],
  milestones: Milestones,
): Map<NameKey, OverlayZone> {
  const zones = new Map<NameKey, OverlayZone>();
  for (const name of unmanaged) zones.set(nameKey(name), new OverlayZone(nameKey(name), milestones));
  for (const [name, { zone, nameChanges, activation, deactivation }] of nodes)
    zones.set(
      name,
      new OverlayZone(name, milestones, { draft: zone, nameChanges, activation: activation ?? deactivation, apex }),
    );
  for (const { name, draft, activation } of deleted)
    zones.set(
      name,
      new OverlayZone(name, milestones, { draft, nameChanges: new Map(), activation, isDeleted: true, apex }),
    );
  return zones;
}

interface Deleted {
  readonly live: LiveZone;
  readonly name: NameKey;
  readonly draft: ZoneDraft;
  readonly activation: PlannedStep;
}

/** A zone to delete: it stops being served after all other steps. */
function toDeleted(live: LiveZone): Deleted {
  const draft = { ...unchangedDraft(live), after: new Map() };
  return {
    live,
    name: nameKey(live.name),
    draft,
    activation: { zone: draft, kind: "write", writes: [], needs: new Map() },
  };
}

/** The maximum number of zones for which all orders of deletion are compared. */
const mostDeletions = 4;

/** The order of the deletions, after the steps, whose dark states have the lowest cost; the first one of equals. */
function orderOfDeletions(
  order: Order,
  deleted: readonly Deleted[],
  darkStates: readonly DarkState[],
): { order: Order; going: readonly Deleted[] } {
  if (deleted.length < 2 || deleted.length > mostDeletions) return { order, going: deleted };
  const activations = new Set(deleted.map(({ activation }) => activation));
  const steps = order.drafts.filter((draft) => !activations.has(draft));
  let best = { order, going: deleted, cost: orderCost(darkStates, order) };
  for (const going of permutations(deleted)) {
    const other = new Order([...steps, ...going.map(({ activation }) => activation)]);
    const cost = orderCost(darkStates, other);
    if (cost < best.cost) best = { order: other, going, cost };
  }
  return best;
}

function* permutations<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) yield [];
  for (const [index, first] of list.entries())
    for (const others of permutations(list.toSpliced(index, 1))) yield [first, ...others];
}

/** Adds a dependency if only one order of two steps keeps a name resolvable. */
function addForcedNeed({ reached, pending, underWay }: DarkState, rank: Order): void {
  const [done, ...moreDone] = reached;
  const [left, ...moreLeft] = pending;
  const [swap, ...moreSwaps] = underWay;
  if (moreDone.length > 0 || moreLeft.length > 0 || moreSwaps.length > 0) return;
  if ([done, left, swap].filter((one) => one !== undefined).length !== 2) return;
  const early = left ? (left.kind === "some" ? [rank.gate(left)] : [...left.drafts]) : swap ? [swap] : [];
  const late = done ? (done.kind === "some" ? [...done.drafts] : [rank.gate(done)]) : swap ? [swap] : [];
  if (early.length * late.length > mostForced) return;
  for (const one of late) for (const other of early) addNeed(one, other, "strong");
}

/** With more forced dependencies, the names of the steps are the better criterion for their order. */
const mostForced = 100;

interface Ordered {
  readonly order: Order;
  readonly cost: number;
}

/** The order whose dark states have the lowest cost; the drafts keep its dependencies. */
function bestOrder(
  drafts: readonly PlannedStep[],
  { darkStates }: OrderCheck,
  { deleted, preferences }: { deleted: readonly Deleted[]; preferences: Preferences },
): Ordered {
  const needs = snapshot(drafts);
  const restore = (from: Preferences) => restoreNeeds(drafts, from);
  let best: (Ordered & { needs: Preferences }) | undefined;
  const attempt = (inOrder: PlannedStep[]) => {
    const order = new Order([...inOrder, ...deleted.map(({ activation }) => activation)]);
    const cost = orderCost(darkStates, order) + violationCost(preferences, order);
    const isBetter = !best || cost < best.cost;
    if (isBetter) best = { order, cost, needs: snapshot(drafts) };
    return isBetter;
  };
  for (const way of ways) {
    if (best) restore(needs);
    attempt(sortByNeeds(drafts, way));
    if (best && (best.cost < preferenceUnit || !hadCycle(drafts, needs))) break;
  }
  for (let round = 0; best && best.cost >= leastGapCost && round < mostRounds; round++) {
    const chains = findBetterOrders(darkStates, best.order, preferences);
    if (chains.length === 0) break;
    restore(needs);
    for (const chain of chains) needChain(chain);
    if (!attempt(sortByNeeds(drafts))) break;
  }
  if (!best) throw new Error("no order of the steps was found");
  restore(best.needs);
  return best;
}

/** Makes the steps of a chain wait for each other in its order. */
function needChain(chain: readonly PlannedStep[]): void {
  for (const [index, draft] of chain.entries()) {
    for (const later of chain.slice(index + 1)) if (draft.needs.get(later) !== "required") draft.needs.delete(later);
    addNeed(draft, chain[index - 1], "strong");
  }
}

/** Whether the dependencies had a cycle before `sortByNeeds`: the first item of a cycle loses a dependency there. */
function hadCycle(drafts: readonly PlannedStep[], before: Preferences): boolean {
  return drafts.some((draft) => draft.needs.size !== (before.get(draft)?.size ?? 0));
}

/** The lowest cost of an unresolvable name. */
const leastGapCost = 1;
/** The lowest cost of a pointer to a missing name. */
const preferenceUnit = 0.001;

function snapshot(drafts: readonly PlannedStep[]): Preferences {
  const needs = new Map<PlannedStep, PlannedStep["needs"]>();
  for (const draft of drafts) if (draft.needs.size > 0) needs.set(draft, new Map(draft.needs));
  return needs;
}

function restoreNeeds(drafts: readonly PlannedStep[], needs: Preferences): void {
  for (const draft of drafts) {
    draft.needs.clear();
    for (const [one, strength] of needs.get(draft) ?? []) draft.needs.set(one, strength);
  }
}

/** The cost of the preferences that an order violates; less than that of any unresolvable name. */
function violationCost(preferences: Preferences, order: Order): number {
  let cost = 0;
  for (const [draft, needs] of preferences)
    for (const [one, strength] of needs) if (order.at(one) > order.at(draft)) cost += violationCosts[strength];
  return Math.min(cost * preferenceUnit, 0.9 * leastGapCost);
}

/** The maximum number of attempts to find a better order, each from the best one so far. */
const mostRounds = 4;

function numberSteps(
  zones: readonly ZoneDraft[],
  order: readonly PlannedStep[],
  gapsOf: ReadonlyMap<PlannedStep, Gap[]>,
): Map<ZoneDraft, Scheduled> {
  const scheduled = new Map(
    zones.map((zone) => [zone, { steps: [] as Step[] } as { steps: Step[]; activation?: Activation }]),
  );
  const ids = new Map<PlannedStep, number>();
  let [lastId, lastSet] = [0, 0];
  for (const draft of order) {
    const of = scheduled.get(draft.zone);
    if (of === undefined) continue;
    const gaps = gapsOf.get(draft);
    if (draft.writes.length === 0) {
      const activation = { ...needsOf(draft, ids, true), ...(gaps && { gaps }) };
      if (activation.needs.length > 0 || activation.needsZones || gaps) of.activation = activation;
      continue;
    }
    const needs = needsOf(draft, ids);
    const set = draft.parts && { set: ++lastSet };
    const parts = draft.parts ?? [draft];
    for (const [index, { kind, writes }] of parts.entries()) {
      const own = gaps && gapsAt(gaps, parts, index);
      of.steps.push({ id: ++lastId, kind, writes, ...set, ...needs, ...(own && own.length > 0 && { gaps: own }) });
    }
    ids.set(draft, lastId);
  }
  return scheduled;
}

/** The gaps at the name of one of the steps that are done together; the first step has those of other names as well. */
function gapsAt(gaps: readonly Gap[], parts: readonly PlannedStep[], index: number): readonly Gap[] {
  if (parts.length === 1) return gaps;
  const ownerOf = ({ writes: [write] }: PlannedStep) => write && nameKey(subject(write).owner);
  const firstAt = (owner: NameKey) =>
    Math.max(
      0,
      parts.findIndex((part) => ownerOf(part) === owner),
    );
  return gaps.filter(({ owner }) => firstAt(owner) === index);
}

/** The dependencies of a draft: within its own zone only steps, and none for an activation. */
function needsOf(draft: PlannedStep, ids: ReadonlyMap<PlannedStep, number>, isActivation = false): Activation {
  const needed = [...draft.needs.keys()].filter(
    ({ zone, writes }) => zone !== draft.zone || (!isActivation && writes.length > 0),
  );
  const needs = needed.flatMap((one) => ids.get(one) ?? []).sort((a, b) => a - b);
  const zones = needed.filter(({ writes }) => writes.length === 0).map(({ zone }) => zone.zone.name);
  return { needs, ...(zones.length > 0 && { needsZones: zones }) };
}

function zoneNodeOf(zone: ZoneDraft): ChangedZone {
  const origin = nameKey(zone.zone.name);
  const nameChanges = new Map(zone.changes.map((changes) => [changes.owner, buildNameChange(zone, changes)]));
  const [before, after] = [toLookupZone(origin, zone.before), toLookupZone(origin, zone.after)];
  const served = isServed(zone);
  const makeDraft = (): PlannedStep => ({ zone, kind: "write", writes: [], needs: new Map() });
  return {
    zone,
    nameChanges,
    before,
    after,
    leaving: new WildcardCover(nameChanges.values(), "before", before),
    entering: new WildcardCover(nameChanges.values(), "after", after),
    isServed: served,
    activation: !served.before && served.after ? makeDraft() : undefined,
    deactivation: served.before && !served.after ? makeDraft() : undefined,
  };
}

/** Sorts steps: new records, new pointers, changes in place, swaps, deleted pointers, other deleted records. */
function sortByKind(nameChanges: Iterable<NameChange>): PlannedStep[] {
  const ranks: PlannedStep[][] = [[], [], [], [], [], []];
  for (const { drafts } of nameChanges) for (const draft of drafts) ranks[kindRank(draft)]?.push(draft);
  return ranks.flat();
}

function kindRank(draft: PlannedStep): number {
  if (draft.kind !== "write") return 3;
  switch (draft.writes[0]?.kind) {
    case "create":
      return hasPointer(draft) ? 1 : 0;
    case "update":
      return 2;
    default:
      return hasPointer(draft) ? 4 : 5;
  }
}
