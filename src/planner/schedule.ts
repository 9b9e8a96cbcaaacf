import type { LiveZone } from "../dns/desired-live.ts";
import { indexedZone } from "../dns/lookup.ts";
import { type Name, type NameKey, nameKey } from "../dns/name.ts";
import { type Deletion, type Gap, isServed, type Step, type ZonePlan } from "./change.ts";
import { type Check, check, type DarkState, Needs, settle } from "./check.ts";
import { Covers } from "./cover.ts";
import { type Draft, need, needInSets, type Site, siteOf, unchangedDraft, type ZoneDraft } from "./draft.ts";
import { inOrder, ways } from "./in-order.ts";
import { Order } from "./order.ts";
import { Happenings, OverlayZone } from "./overlay.ts";
import { points } from "./pointer.ts";
import { type Field, Pointers } from "./pointers.ts";
import { costs, painIn, repairs, type Wishes } from "./repair.ts";
import { orderSwaps } from "./swap-order.ts";

/**
 * The steps of zones, which come by name, so that no name goes dark and no pointer dangles, whatever of it runs side by
 * side. A step needs others where one of these asks for it:
 *
 * | what | needs |
 * |---|---|
 * | a pointer (CNAME, MX, NS, SRV) that comes | what stands at its target, also in another zone; glue above all |
 * | what goes from a name | that nothing points there any more, and that what takes its place has come |
 * | a name that comes out of, or goes under, a wildcard or a delegation | that one of the two answers all the time |
 * | a name that goes and that a new zone hides | that the zone is served, so that no wildcard answers in between |
 * | the surplus of a set that goes | what changes in place |
 * | a zone that is not to be served any more | that what points into it is gone, and that what takes its place has come; its own changes come after |
 *
 * What cannot stand together, a CNAME and other records or a null MX and others, is one step, a swap.
 *
 * What needs nothing stands in the order of the zones, and there: new records, new pointers, changes in place, swaps,
 * pointers that go, other records that go; in each the names in order. Where needs go in a circle, `inOrder` says which is
 * given up: a pointer then comes for a moment before its target, or goes after it.
 *
 * What it makes is then proved, by `check`: the states in which a name has no answer that has one before and after. Orders
 * are compared by these; steps wait for each other where that keeps a name answered whatever runs side by side; and what no
 * order avoids is declared as a gap.
 *
 * `zones` are all zones of the plan, also those in which nothing changes. Gives those that have work, with their steps,
 * and the zones that are deleted.
 */
export function schedule(zones: readonly ZoneDraft[], others: OtherZones = {}): Schedule {
  const fields = new Map<NameKey, Field>(zones.map((zone) => [nameKey(zone.zone.name), fieldOf(zone)]));
  const drafts = draftsOf(fields);
  const deleted = (others.deletions ?? []).map(deletedOf);
  const happenings = new Happenings();
  const overlay = () => overlayOf(fields, others, deleted, happenings);
  const first = overlay();
  const found = check(orderSwaps(first, happenings) ? overlay() : first, happenings);
  const rank = new Order([...drafts, ...deleted.map(({ turn }) => turn)]);
  const wishes = snapshot(drafts);
  for (const state of found.darkStates) needForced(state, rank);
  needInAllSets(fields);
  const best = bestOrder(drafts, found, { deleted, wishes });
  const { order, going } = orderOfDeletions(best.order, deleted, found.darkStates);
  const gapsOf = settle(found, order, new Needs(order));
  const deletions = going.map(({ live, turn }): Deletion => {
    const gaps = gapsOf.get(turn);
    return gaps ? { ...live, gaps } : live;
  });
  return { zones: numbered(zones, order.drafts, gapsOf), deletions };
}

/** The steps of one zone as they come, to be told and not to be carried out: nothing is proved of their order. */
export function scheduleUnproved(zone: ZoneDraft): Scheduled {
  const fields = new Map<NameKey, Field>([[nameKey(zone.zone.name), fieldOf(zone)]]);
  const drafts = draftsOf(fields);
  needInAllSets(fields);
  return numbered([zone], inOrder(drafts), new Map()).get(zone) ?? { steps: [] };
}

/** Zones of the account beside those of the plan. */
export interface OtherZones {
  /** Zones that are deleted when all else is done, in this order. */
  readonly deletions?: readonly LiveZone[];
  /** Zones that are left alone, by name: what they say is not known. */
  readonly unmanaged?: readonly Name[];
}

interface Schedule {
  readonly zones: ReadonlyMap<ZoneDraft, Scheduled>;
  /** In the order in which they are deleted. */
  readonly deletions: readonly Deletion[];
}

/** The steps of a zone, and the moment at which it is activated or disabled. */
export interface Scheduled {
  readonly steps: readonly Step[];
  readonly turn?: Turn;
}

type Turn = NonNullable<ZonePlan["turn"]>;

/** The steps of all zones, each with what it needs, in the order of the zones and there by phases. */
function draftsOf(fields: ReadonlyMap<NameKey, Field>): Draft[] {
  const pointers = new Pointers(fields);
  for (const field of fields.values()) for (const site of field.sites.values()) pointers.needAt(field, site);
  return [...fields.values()].flatMap((field) => {
    const inPhases = byPhase(field.sites.values());
    for (const draft of inPhases) {
      need(field.served, draft, "required");
      need(draft, field.ceased, "required");
    }
    return [field.ceased ?? [], inPhases, field.served ?? []].flat();
  });
}

function needInAllSets(fields: ReadonlyMap<NameKey, Field>): void {
  const needed = new Set<Draft>();
  for (const { sites } of fields.values())
    for (const { drafts } of sites.values())
      for (const { needs } of drafts) for (const one of needs.keys()) needed.add(one);
  for (const { sites } of fields.values()) for (const site of sites.values()) needInSets(site, needed);
}

function overlayOf(
  fields: ReadonlyMap<NameKey, Field>,
  { unmanaged = [] }: OtherZones,
  deleted: readonly Deleted[],
  happenings: Happenings,
): Map<NameKey, OverlayZone> {
  const zones = new Map<NameKey, OverlayZone>();
  for (const name of unmanaged) zones.set(nameKey(name), new OverlayZone(nameKey(name), happenings));
  for (const [name, { zone, sites, served, ceased }] of fields)
    zones.set(name, new OverlayZone(name, happenings, { draft: zone, sites, turn: served ?? ceased }));
  for (const { name, draft, turn } of deleted)
    zones.set(name, new OverlayZone(name, happenings, { draft, sites: new Map(), turn, isDeleted: true }));
  return zones;
}

interface Deleted {
  readonly live: LiveZone;
  readonly name: NameKey;
  readonly draft: ZoneDraft;
  readonly turn: Draft;
}

/** A zone that is deleted: it ceases to be served when all else is done. */
function deletedOf(live: LiveZone): Deleted {
  const draft = { ...unchangedDraft(live), after: new Map() };
  return {
    live,
    name: nameKey(live.name),
    draft,
    turn: { zone: draft, kind: "write", writes: [], needs: new Map() },
  };
}

/** Of more zones than this, the deletions are not compared in all orders. */
const mostDeletions = 4;

/** The order of the deletions whose dark moments hurt least, behind the steps as they are; the first one of equals. */
function orderOfDeletions(
  order: Order,
  deleted: readonly Deleted[],
  darkStates: readonly DarkState[],
): { order: Order; going: readonly Deleted[] } {
  if (deleted.length < 2 || deleted.length > mostDeletions) return { order, going: deleted };
  const turns = new Set(deleted.map(({ turn }) => turn));
  const steps = order.drafts.filter((draft) => !turns.has(draft));
  let best = { order, going: deleted, pain: painIn(darkStates, order) };
  for (const going of permutations(deleted)) {
    const other = new Order([...steps, ...going.map(({ turn }) => turn)]);
    const pain = painIn(darkStates, other);
    if (pain < best.pain) best = { order: other, going, pain };
  }
  return best;
}

function* permutations<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) yield [];
  for (const [index, first] of list.entries())
    for (const others of permutations(list.toSpliced(index, 1))) yield [first, ...others];
}

/** Adds a need where only one order of two steps keeps a name resolvable. */
function needForced({ happened, pending, underWay }: DarkState, rank: Order): void {
  const [done, ...moreDone] = happened;
  const [left, ...moreLeft] = pending;
  const [swap, ...moreSwaps] = underWay;
  if (moreDone.length > 0 || moreLeft.length > 0 || moreSwaps.length > 0) return;
  if ([done, left, swap].filter((one) => one !== undefined).length !== 2) return;
  const early = left ? (left.kind === "some" ? [rank.gate(left)] : [...left.drafts]) : swap ? [swap] : [];
  const late = done ? (done.kind === "some" ? [...done.drafts] : [rank.gate(done)]) : swap ? [swap] : [];
  if (early.length * late.length > mostForced) return;
  for (const one of late) for (const other of early) need(one, other, "sure");
}

/** Where more steps wait for each other, the names at which they write say better which comes first. */
const mostForced = 100;

interface Ordered {
  readonly order: Order;
  readonly pain: number;
}

/** The order whose dark moments hurt least; the drafts are left with the needs that belong to it. */
function bestOrder(
  drafts: readonly Draft[],
  { darkStates }: Check,
  { deleted, wishes }: { deleted: readonly Deleted[]; wishes: Wishes },
): Ordered {
  const needs = snapshot(drafts);
  const restore = (from: Wishes) => {
    for (const draft of drafts) {
      draft.needs.clear();
      for (const [one, strength] of from.get(draft) ?? []) draft.needs.set(one, strength);
    }
  };
  let best: (Ordered & { needs: Wishes }) | undefined;
  const attempt = (inOrder: Draft[]) => {
    const order = new Order([...inOrder, ...deleted.map(({ turn }) => turn)]);
    const pain = painIn(darkStates, order) + notKept(wishes, order);
    const isBetter = !best || pain < best.pain;
    if (isBetter) best = { order, pain, needs: snapshot(drafts) };
    return isBetter;
  };
  for (const way of ways) {
    if (best) restore(needs);
    attempt(inOrder(drafts, way));
    if (best && (best.pain < leastWish || !hadCircle(drafts, needs))) break;
  }
  for (let round = 0; best && best.pain >= leastPain && round < mostRounds; round++) {
    const chains = repairs(darkStates, best.order, wishes);
    if (chains.length === 0) break;
    restore(needs);
    for (const chain of chains) {
      for (const [index, draft] of chain.entries()) {
        for (const later of chain.slice(index + 1))
          if (draft.needs.get(later) !== "required") draft.needs.delete(later);
        need(draft, chain[index - 1], "sure");
      }
    }
    if (!attempt(inOrder(drafts))) break;
  }
  if (!best) throw new Error("there is an order");
  restore(best.needs);
  return best;
}

/**
 * Did needs go in a circle before `inOrder`? The first of a circle's items needed another one of them then, and does not
 * any more, so it has fewer needs.
 */
function hadCircle(drafts: readonly Draft[], before: Wishes): boolean {
  return drafts.some((draft) => draft.needs.size !== (before.get(draft)?.size ?? 0));
}

/** A cost below this has no name without an answer. */
const leastPain = 1;
/** A cost below this has no pointer to a missing name. */
const leastWish = 0.001;

function snapshot(drafts: readonly Draft[]): Wishes {
  const needs = new Map<Draft, Draft["needs"]>();
  for (const draft of drafts) if (draft.needs.size > 0) needs.set(draft, new Map(draft.needs));
  return needs;
}

/** Cost of the preferences that an order breaks; less than any name without an answer. */
function notKept(wishes: Wishes, order: Order): number {
  let cost = 0;
  for (const [draft, needs] of wishes)
    for (const [one, strength] of needs) if (order.at(one) > order.at(draft)) cost += costs[strength];
  return Math.min(cost * leastWish, 0.9 * leastPain);
}

/** Number of attempts to find a better order, each from the best one so far. */
const mostRounds = 4;

/** The steps with their numbers. */
function numbered(
  zones: readonly ZoneDraft[],
  order: readonly Draft[],
  gapsOf: ReadonlyMap<Draft, Gap[]>,
): Map<ZoneDraft, Scheduled> {
  const scheduled = new Map(zones.map((zone) => [zone, { steps: [] as Step[] } as { steps: Step[]; turn?: Turn }]));
  const ids = new Map<Draft, number>();
  for (const draft of order) {
    const of = scheduled.get(draft.zone);
    if (of === undefined) continue;
    const gaps = gapsOf.get(draft);
    if (draft.writes.length === 0) {
      const turn = { ...needsOf(draft, ids, true), ...(gaps && { gaps }) };
      if (turn.needs.length > 0 || turn.needsZones || gaps) of.turn = turn;
      continue;
    }
    const { kind, writes } = draft;
    const id = ids.size + 1;
    ids.set(draft, id);
    of.steps.push({ id, kind, writes, ...needsOf(draft, ids), ...(gaps && { gaps }) });
  }
  return scheduled;
}

/** Needs of a draft; within its own zone only steps, and none for an activation. */
function needsOf(draft: Draft, ids: ReadonlyMap<Draft, number>, isTurn = false): Turn {
  const needed = [...draft.needs.keys()].filter(
    ({ zone, writes }) => zone !== draft.zone || (!isTurn && writes.length > 0),
  );
  const needs = needed.flatMap((one) => ids.get(one) ?? []).sort((a, b) => a - b);
  const zones = needed.filter(({ writes }) => writes.length === 0).map(({ zone }) => zone.zone.name);
  return { needs, ...(zones.length > 0 && { needsZones: zones }) };
}

function fieldOf(zone: ZoneDraft): Field {
  const origin = nameKey(zone.zone.name);
  const sites = new Map(zone.changes.map((changes) => [changes.owner, siteOf(zone, changes)]));
  const [before, after] = [indexedZone(origin, zone.before), indexedZone(origin, zone.after)];
  const served = isServed(zone);
  const turn = (): Draft => ({ zone, kind: "write", writes: [], needs: new Map() });
  return {
    zone,
    sites,
    before,
    after,
    leaving: new Covers(sites.values(), "before", before),
    entering: new Covers(sites.values(), "after", after),
    isServed: served,
    served: !served.before && served.after ? turn() : undefined,
    ceased: served.before && !served.after ? turn() : undefined,
  };
}

/** New records, new pointers, changes in place, swaps, pointers that go, other records that go. */
function byPhase(sites: Iterable<Site>): Draft[] {
  const phases: Draft[][] = [[], [], [], [], [], []];
  for (const { drafts } of sites) for (const draft of drafts) phases[phaseOf(draft)]?.push(draft);
  return phases.flat();
}

function phaseOf(draft: Draft): number {
  if (draft.kind !== "write") return 3;
  switch (draft.writes[0]?.kind) {
    case "create":
      return points(draft) ? 1 : 0;
    case "update":
      return 2;
    default:
      return points(draft) ? 4 : 5;
  }
}
