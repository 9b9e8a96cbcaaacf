import type { Name } from "../zone/name.ts";
import { Answerers } from "./answerer.ts";
import { isServed, type Step, type ZonePlan } from "./change.ts";
import { Covers } from "./cover.ts";
import { type Draft, need, needInSets, type Site, siteOf, type ZoneDraft } from "./draft.ts";
import { inOrder, type Way } from "./in-order.ts";
import { points } from "./pointer.ts";
import { type Field, Pointers } from "./pointers.ts";

/**
 * The steps of zones, which come by name, so that no name goes dark and no pointer dangles, whatever of it runs side by
 * side. A step needs others where one of these asks for it:
 *
 * | what | needs |
 * |---|---|
 * | a pointer (CNAME, MX, NS, SRV) that comes | what stands at its target, also in another zone; glue above all |
 * | what goes from a name | that nothing points there any more, and that what takes its place has come |
 * | a name that comes out of, or goes under, a wildcard or a delegation | that one of the two answers all the time |
 * | the surplus of a set that goes | what changes in place |
 * | a zone that is not to be served any more | that what points into it is gone, and that what takes its place has come; its own changes come after |
 *
 * What cannot stand together, a CNAME and other records or a null MX and others, is one step, a swap.
 *
 * What needs nothing stands in the order of the zones, and there: new records, new pointers, changes in place, swaps,
 * pointers that go, other records that go; in each the names in order. Where needs go in a circle, `inOrder` says which is
 * given up: a pointer then comes for a moment before its target, or goes after it.
 *
 * `names` are every zone of the plan, also those in which nothing changes. Gives the zones as they came with their steps.
 */
export function schedule(zones: readonly ZoneDraft[], names: Iterable<Name>, way?: Way): Scheduled[] {
  const fields = new Map<Name, Field | undefined>([...names].map((name) => [name.toLowerCase(), undefined]));
  for (const zone of zones) fields.set(zone.zone.name.toLowerCase(), fieldOf(zone));
  const pointers = new Pointers(fields);
  const scheduled = new Map(zones.map((zone) => [zone, { steps: [] as Step[] } as { steps: Step[]; turn?: Turn }]));
  const all = zones.flatMap((zone) => fields.get(zone.zone.name.toLowerCase()) ?? []);
  for (const field of all) for (const site of field.sites.values()) pointers.needAt(field, site);
  const needed = new Set<Draft>();
  for (const { sites } of all)
    for (const { drafts } of sites.values())
      for (const { needs } of drafts) for (const one of needs.keys()) needed.add(one);
  const drafts = all.flatMap((field) => {
    for (const site of field.sites.values()) needInSets(site, needed);
    const inPhases = byPhase(field.sites.values());
    for (const draft of inPhases) {
      need(field.served, draft, "firm");
      need(draft, field.ceased, "firm");
    }
    return [field.ceased ?? [], inPhases, field.served ?? []].flat();
  });
  const ids = new Map<Draft, number>();
  for (const draft of inOrder(drafts, way)) {
    const of = scheduled.get(draft.zone);
    if (of === undefined) continue;
    if (draft.writes.length === 0) {
      const turn = needsOf(draft, ids, true);
      if (turn.needs.length > 0 || turn.needsZones) of.turn = turn;
      continue;
    }
    const { kind, writes, gapSeconds } = draft;
    const id = ids.size + 1;
    ids.set(draft, id);
    of.steps.push({ id, kind, writes, ...needsOf(draft, ids), ...(gapSeconds !== undefined && { gapSeconds }) });
  }
  return [...scheduled.values()];
}

/** What becomes of a zone. */
export interface Scheduled {
  readonly steps: readonly Step[];
  readonly turn?: Turn;
}

type Turn = NonNullable<ZonePlan["turn"]>;

/** What a draft needs; of its own zone only the steps, and where it is a turn nothing. */
function needsOf(draft: Draft, ids: ReadonlyMap<Draft, number>, isTurn = false): Turn {
  const needed = [...draft.needs.keys()].filter(
    ({ zone, writes }) => zone !== draft.zone || (!isTurn && writes.length > 0),
  );
  const needs = needed.flatMap((one) => ids.get(one) ?? []).sort((a, b) => a - b);
  const zones = needed.filter(({ writes }) => writes.length === 0).map(({ zone }) => zone.zone.name);
  return { needs, ...(zones.length > 0 && { needsZones: zones }) };
}

function fieldOf(zone: ZoneDraft): Field {
  const origin = zone.zone.name.toLowerCase();
  const sites = new Map(zone.changes.map((changes) => [changes.owner, siteOf(zone, changes)]));
  const [before, after] = [new Answerers(origin, zone.before), new Answerers(origin, zone.after)];
  const served = isServed(zone);
  const turn = (): Draft => ({ zone, kind: "write", writes: [], needs: new Map() });
  return {
    zone,
    sites,
    before,
    after,
    leaving: new Covers(origin, sites.values(), "before", before),
    entering: new Covers(origin, sites.values(), "after", after),
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
  if (draft.kind === "swap") return 3;
  switch (draft.writes[0]?.kind) {
    case "create":
      return points(draft) ? 1 : 0;
    case "update":
      return 2;
    default:
      return points(draft) ? 4 : 5;
  }
}
