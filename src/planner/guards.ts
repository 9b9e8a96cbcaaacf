import { isPrivate } from "../zone/address.ts";
import type { LiveZone } from "../zone/desired-live.ts";
import { type Name, parent, sortKey } from "../zone/name.ts";
import { byOwner, targets, type ZoneRecord } from "../zone/zone.ts";
import { Answerers } from "./answerer.ts";
import type { Plan } from "./change.ts";
import { deletionEffect, type Effect, effectDigest } from "./effects.ts";
import {
  changing,
  countAll,
  effectsAt,
  type Finding,
  type Guard,
  type Owners,
  recordsAt,
  type Thresholds,
  type World,
} from "./guard.ts";
import { mail } from "./guard-mail.ts";

/** What a guard holds in one zone, or with the zone `*` in the run as a whole. */
export interface Held {
  readonly guard: Guard["guard"];
  readonly zone: Name;
  readonly findings: readonly Finding[];
  /** SHA-256 over the effects that it holds: an acknowledgement dies with it. */
  readonly effectDigest: string;
}

/** What is held until somebody says that it is meant. There is no switch for all of them. */
export const guards: readonly Guard[] = [
  {
    guard: "G01",
    about: "many deletes in one zone",
    *check({ before, lost, losses }, { thresholds }) {
      const { zone_deletes_least: least, zone_deletes_percent: percent, zone_deletes_most: most } = thresholds;
      const all = countAll(before);
      const allowed = Math.max(least, Math.min(Math.floor((all * percent) / 100), most));
      if (lost > allowed) yield wide(`${lost} of ${all} records go, more than ${allowed}`, losses);
    },
  },
  {
    guard: "G02",
    about: "many deletes in one run, or many zones that lose records",
    *checkRun({ zones, thresholds: { run_deletes, run_zones } }) {
      const losing = zones.filter(({ lost }) => lost > 0);
      const lost = losing.reduce((sum, zone) => sum + zone.lost, 0);
      const losses = losing.flatMap((zone) => zone.losses);
      if (lost > run_deletes) yield wide(`${lost} records go in one run, more than ${run_deletes}`, losses);
      if (losing.length > run_zones) yield wide(`${losing.length} zones lose records, more than ${run_zones}`, losses);
    },
  },
  {
    guard: "G03",
    about: "a zone is emptied, or its apex or www loses its last address",
    *check(zone) {
      if (countAll(zone.before) > 0 && countAll(zone.after) === 0) {
        yield wide("the zone is emptied", zone.losses);
        return;
      }
      for (const name of [zone.zone, `www.${zone.zone}`]) {
        if (!hasAddress(zone.before, name) || hasAddress(zone.after, name)) continue;
        yield { text: "the last address goes", effects: effectsAt(zone, name, "A", "AAAA", "CNAME") };
      }
    },
  },
  {
    guard: "G04",
    about: "a delegation is made, changed or taken away (NS, DS)",
    *check({ before, after, effects }) {
      for (const effect of effects.filter(({ type, kind }) => /^(?:NS|DS)$/.test(type) && kind !== "setting")) {
        const [was, is] = [before, after].map((owners) => recordsAt(owners, effect.name, effect.type).length > 0);
        const what = was && is ? "changes" : is ? "is made" : "is taken away";
        yield { text: `the delegation ${what}`, effects: [effect] };
      }
    },
  },
  mail,
  {
    guard: "G06",
    about: "a domain is deleted, disabled, or handed to other masters",
    *check({ effects }) {
      for (const effect of effects.filter(({ kind }) => kind === "setting")) {
        if (effect.type === "status" && effect.after === '"disabled"')
          yield { text: "the zone is disabled", effects: [effect] };
        if (effect.type === "type" && effect.after === '"slave"')
          yield { text: "its records become those of its masters", effects: [effect] };
      }
    },
    *checkDeletion(zone) {
      const { length } = zone.records;
      const what = length === 1 ? "its record" : `its ${length} records`;
      yield {
        text: length === 0 ? "the domain goes" : `the domain goes with ${what}`,
        effects: [deletionEffect(zone)],
      };
    },
  },
  {
    guard: "G08",
    about: "a name goes that records still point to",
    *check(zone, { pointersTo, isHeld }) {
      const answerers = new Answerers(zone.zone, zone.after);
      for (const name of zone.before.keys()) {
        if (answerers.of(name).length > 0 || isHeld(name)) continue;
        const from = pointersTo(name);
        if (from.length === 0) continue;
        const more = from.length > 3 ? ` and ${from.length - 3} more` : "";
        const [names, verb] = [from.slice(0, 3).map(bare).join(", "), from.length === 1 ? "points" : "point"];
        yield { text: `${names}${more} ${verb} here`, effects: effectsAt(zone, name) };
      }
    },
    *checkDeletion(zone, { pointersTo, isHeld }) {
      for (const name of new Set(
        [zone.name, ...zone.records.map(({ owner }) => owner)].map((name) => name.toLowerCase()),
      )) {
        const [first, ...more] = isHeld(name) ? [] : pointersTo(name);
        if (first === undefined) continue;
        const from = more.length === 0 ? `${bare(first)} points` : `${bare(first)} and ${more.length} more point`;
        yield { text: `${from} to ${bare(name)}`, effects: [deletionEffect(zone)] };
      }
    },
  },
  {
    guard: "G09",
    about: "a wildcard is added or removed",
    *check(zone) {
      const names = [...zone.before.keys(), ...zone.after.keys()].filter((name) => name.startsWith("*."));
      for (const name of new Set(names)) {
        const isThere = (owners: Owners, type: string) => recordsAt(owners, name, type).length > 0;
        const types = new Set(effectsAt(zone, name).map((effect) => effect.type));
        const turned = [...types].filter((type) => isThere(zone.before, type) !== isThere(zone.after, type));
        if (turned.length === 0) continue;
        const was = zone.before.has(name);
        const text = was && zone.after.has(name) ? "names that are not there get another answer" : was ? "names that are not there get no answer" : "answers for every name that is not there"; // biome-ignore format: one thought
        yield { text, effects: effectsAt(zone, name, ...turned) };
      }
    },
  },
  {
    guard: "G10",
    about: "the order of the writes could not be proved safe",
    *checkRun({ zones, unproved }) {
      if (unproved.length === 0) return;
      const more = unproved.length > 3 ? `; and ${unproved.length - 3} more` : "";
      const text = `the order of the writes could not be proved safe: ${unproved.slice(0, 3).join("; ")}${more}`;
      yield wide(text, zones.flatMap(({ effects }) => effects)); // biome-ignore format: one thought
    },
  },
  {
    guard: "G12",
    about: "a private address is published at a name that does not excuse private-address",
    ofNew: true,
    *check(zone) {
      const excused = new Set(
        (zone.plan.zone.excused ?? []).flatMap(({ owner, rule }) =>
          rule === "private-address" ? [owner.toLowerCase()] : [],
        ),
      );
      for (const effect of zone.effects) {
        if (!/^A(?:AAA)?$/.test(effect.type) || effect.after === null || excused.has(effect.name)) continue;
        const address = effect.after.slice(effect.after.indexOf(" ") + 1);
        const stood = recordsAt(zone.before, effect.name, effect.type).some(({ data }) => data.target === address);
        if (isPrivate(address) && !stood) yield { text: "a private address is published", effects: [effect] };
      }
    },
  },
];

/**
 * What the guards hold of a plan; `live` are the zones that it was made of. `elsewhere` gives the records of zones that it
 * is not about, and is asked only when a name goes: they may point there.
 */
export function heldBy(
  plan: Plan,
  live: ReadonlyMap<Name, LiveZone>,
  thresholds: Thresholds,
  elsewhere: () => Iterable<readonly ZoneRecord[]> = () => [],
): Held[] {
  const zones = plan.zones.map((zone) => changing(zone, live.get(zone.zone.name.toLowerCase())));
  const all = new Map<Name, Owners>([...live].map(([name, { records }]) => [name, byOwner(records)]));
  for (const { zone, after } of zones) all.set(zone, after);
  for (const { name } of plan.deletions) all.delete(name.toLowerCase());
  let pointers: ReadonlyMap<Name, Name[]> | undefined;
  const pointersTo = (name: Name) => {
    pointers ??= pointersIn([...all.values(), ...[...elsewhere()].map(byOwner)]); // many plans ask for none
    return pointers.get(name) ?? [];
  };
  const world: World = { zones, pointersTo, isHeld: (name) => holds(all, name), thresholds, unproved: plan.unproved };
  return [
    ...guards.flatMap(({ guard, checkRun }) => held(guard, "*", checkRun?.(world))),
    ...zones.flatMap((zone) =>
      guards
        .filter(({ ofNew }) => ofNew || zone.plan.domainId !== undefined)
        .flatMap(({ guard, check }) => held(guard, zone.zone, check?.(zone, world))),
    ),
    ...plan.deletions.flatMap((zone) =>
      guards.flatMap(({ guard, checkDeletion }) => held(guard, zone.name.toLowerCase(), checkDeletion?.(zone, world))),
    ),
  ];
}

function held(guard: Guard["guard"], zone: Name, found: Iterable<Finding> | undefined): Held[] {
  const findings = [...(found ?? [])];
  if (findings.length === 0) return [];
  const effects = new Set(findings.flatMap((finding) => finding.effects));
  return [{ guard, zone, findings, effectDigest: effectDigest([...effects]) }];
}

function wide(text: string, effects: readonly Effect[]): Finding {
  return { text, effects, isWide: true };
}

function hasAddress(owners: Owners, name: Name): boolean {
  return ["A", "AAAA", "CNAME"].some((type) => recordsAt(owners, name, type).length > 0);
}

/** Does the nearest zone that a name is in have records there, with no delegation at it or above? */
function holds(zones: ReadonlyMap<Name, Owners>, name: Name): boolean {
  let zone = name;
  while (zone !== "." && !zones.has(zone)) zone = parent(zone);
  const owners = zones.get(zone);
  if (owners?.has(name) !== true) return false;
  for (let at = name; at !== zone; at = parent(at)) if (owners.get(at)?.has("NS")) return false;
  return true;
}

function pointersIn(zones: Iterable<Owners>): Map<Name, Name[]> {
  const found = new Map<Name, Set<Name>>();
  for (const owners of zones) {
    for (const [owner, types] of owners) {
      for (const target of [...types.values()].flatMap(({ records }) => records.flatMap(targets))) {
        const name = target.toLowerCase();
        found.set(name, (found.get(name) ?? new Set()).add(owner));
      }
    }
  }
  const sorted = (names: Iterable<Name>) => [...names].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return new Map([...found].map(([name, owners]) => [name, sorted(owners)]));
}

function bare(name: Name): string {
  return name.slice(0, -1);
}
