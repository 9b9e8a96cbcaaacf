import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { NameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { placeOf } from "../../dns/zone/zone.ts";
import { type Plan, subject, writesOf } from "../changes/change.ts";
import { type Effect, effectJson, recordEffect } from "../changes/effects.ts";
import { effectOf, type ReadPlan } from "../plan-file/plan-file.ts";
import type { PlanFile } from "../plan-file/plan-schema.ts";
import type { Finding } from "../risk/guard.ts";
import { changedDomains, otherDomains, rdataOfSide } from "./admit.ts";
import { createPlaceTest, type LiveRecords } from "./in-place.ts";
import { isOfNewZone } from "./remainder.ts";

/** A plan file that was approved, and its name in messages. */
export interface ApprovedPlan extends ReadPlan {
  readonly name: string;
  /** The name of the file, if it has the plans of several targets. */
  readonly partOf?: string;
}

/** An approved plan, and the effects of a new plan that it approves. */
export interface Approval extends ApprovedPlan {
  readonly effects: readonly Effect[];
}

/** The approvals of a plan's effects, and the effects without one. */
export interface Approvals {
  readonly approvals: readonly Approval[];
  readonly unapproved: readonly Effect[];
  /** Why a plan that includes an unapproved effect does not approve it, by the keys of these effects. */
  readonly halves: ReadonlyMap<string, Half>;
}

/** Part of a swap or move, whose other part is neither planned nor in place. */
interface Half {
  /** The name of the approved plan. */
  readonly file: string;
  readonly missing: Effect;
}

/**
 * Finds the approvals of effects. Each effect is approved by the newest plan that includes it; an effect that occurs
 * twice needs one plan that includes it twice, so several approvals never add up. Order, ids and times are irrelevant.
 * Half of a swap or a move is not approved by the whole (`findParts`).
 */
export function findApprovals(
  effects: readonly Effect[],
  approved: readonly ApprovedPlan[],
  live: LiveRecords = new Map(),
): Approvals {
  const present = new Set(effects.map(effectJson));
  const isStored = createPlaceTest(live);
  // Of a zone without a file nothing is known, not even that a record is gone.
  const isInPlace = (effect: Effect) => live.has(effect.zone) && isStored(effect);
  const plans = sortNewest(approved).map((one) => {
    const own = one.plan.changes.map(effectOf);
    return { ...one, own, counts: countByKey(own), partsOf: findParts(own), effects: [] as Effect[] };
  });
  const missingOf = new Map<readonly Effect[], Effect | undefined>();
  const findMissing = (parts: readonly Effect[]) => {
    if (!missingOf.has(parts))
      missingOf.set(
        parts,
        parts.find((part) => !present.has(effectJson(part)) && !isInPlace(part)),
      );
    return missingOf.get(parts);
  };
  const found = new Map<string, number>();
  const halves = new Map<string, Half>();
  const unapproved = effects.filter((effect) => {
    const key = effectJson(effect);
    const number = (found.get(key) ?? 0) + 1;
    found.set(key, number);
    const plan =
      plans.find(({ name, counts, partsOf }) => {
        if ((counts.get(key) ?? 0) < number) return false;
        const missing = findMissing(partsOf(key));
        if (missing !== undefined && !halves.has(key)) halves.set(key, { file: name, missing });
        return missing === undefined;
      }) ?? plans.find(({ own }) => effect.kind === "setting" && isOfNewZone(effect, own.filter(isIn(effect.zone))));
    plan?.effects.push(effect);
    return plan === undefined;
  });
  const approvals = plans.filter(({ effects }) => effects.length > 0);
  return {
    approvals: approvals.map(({ own, counts, partsOf, ...approval }) => approval),
    unapproved,
    halves,
  };
}

/**
 * The other parts of the swap or move that an effect belongs to, by its key. A swap is deletes and creates at one name,
 * in any zone, with the changes of the same RRset; a move is some RDATA that leaves one place and arrives at another
 * one, in any zone, by a delete, a create or a change.
 */
function findParts(effects: readonly Effect[]): (key: string) => readonly Effect[] {
  /** Effects by their topic, with whether something leaves and whether something arrives there. */
  const groups = new Map<string, { leaving: Effect[]; others: Effect[] }>();
  const add = (topic: string, part: "leaving" | "others", effect: Effect) => {
    const group = groups.get(topic) ?? { leaving: [], others: [] };
    group[part].push(effect);
    groups.set(topic, group);
  };
  for (const effect of effects) {
    const { kind, name, type, before, after } = effect;
    if (kind === "setting" || kind === "domain") continue;
    const part = kind === "delete" ? "leaving" : "others";
    add(`set ${name} ${type}`, part, effect);
    if (kind !== "change") add(`name ${name}`, part, effect);
    const [old, now] = [before, after].map((side) => (side === null ? undefined : `data ${type} ${rdataOfSide(side)}`));
    if (old === now) continue; // only the TTL changes
    if (old !== undefined) add(old, "leaving", effect);
    if (now !== undefined) add(now, "others", effect);
  }
  const joined = new Groups<Effect>();
  for (const { leaving, others } of groups.values())
    if (leaving.length > 0 && others.length > 0) joined.join([...leaving, ...others]);
  const byKey = new Map(effects.map((effect) => [effectJson(effect), effect]));
  return (key) => {
    const effect = byKey.get(key);
    return effect === undefined ? none : joined.groupOf(effect);
  };
}

const none: readonly never[] = [];

/** Disjoint groups; the smaller one is merged into the larger one. */
class Groups<T> {
  readonly #groups = new Map<T, T[]>();

  groupOf(item: T): readonly T[] {
    return this.#groups.get(item) ?? none;
  }

  join(items: readonly T[]): void {
    const [first, ...others] = items;
    if (first === undefined) return;
    let group = this.#ownGroup(first);
    for (const item of others) {
      let other = this.#ownGroup(item);
      if (other === group) continue;
      if (other.length > group.length) [group, other] = [other, group];
      for (const one of other) {
        group.push(one);
        this.#groups.set(one, group);
      }
    }
  }

  #ownGroup(item: T): T[] {
    const group = this.#groups.get(item) ?? [item];
    this.#groups.set(item, group);
    return group;
  }
}

/** Sorts plans by the time when the live zones were read, the newest first. */
export function sortNewest(approved: readonly ApprovedPlan[]): ApprovedPlan[] {
  const timeOf = ({ plan }: ApprovedPlan) => Date.parse(plan.observed.time);
  return [...approved].sort((a, b) => timeOf(b) - timeOf(a));
}

function isIn(zone: NameKey): (effect: Effect) => boolean {
  return (effect) => effect.zone === zone;
}

function countByKey(effects: readonly Effect[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const effect of effects) {
    const key = effectJson(effect);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Problems for zones of an approval: their domains must be those of the plan, and a deleted one unchanged. */
export function checkDomains({ plan, effects }: Approval, live: ReadonlyMap<NameKey, LiveZone>): Problem[] {
  const zones = new Set(effects.map(({ zone }) => zone));
  const deleted = new Set(
    effects.flatMap(({ kind, zone, after }) => (kind === "domain" && after === null ? [zone] : [])),
  );
  return [
    ...otherDomains(plan, live, (zone) => zones.has(zone)),
    ...changedDomains(plan, live, (zone) => deleted.has(zone)),
  ];
}

/** Whether a plan file includes all effects of some findings. */
export function coversFindings({ changes }: PlanFile, findings: readonly Finding[]): boolean {
  const own = new Set(changes.map(effectOf).map(effectJson));
  return findings.every(({ effects }) => effects.every((effect) => own.has(effectJson(effect))));
}

/** Unapproved effects that are listed; the others are counted. */
const mostListed = 10;

/** Problems for the effects that no plan approves, with their places in the zone files. */
export function unapprovedProblems(
  unapproved: readonly Effect[],
  plan: Plan,
  {
    approved,
    halves,
    fix,
  }: Pick<Approvals, "halves"> & {
    readonly approved: readonly ApprovedPlan[];
    /** How to have the effects approved. */
    readonly fix: Fix;
  },
): Problem[] {
  const places = placesOf(plan);
  const isMany = unapproved.length > mostListed;
  const listed = unapproved.slice(0, mostListed).map((effect, index) =>
    problem("plan-effects", `${topicOf(effect)}: ${effectText(effect)} is not approved`, {
      detail: halfText(halves.get(effectJson(effect))) ?? nearText(effect, approved),
      place: places.get(effectJson(effect)),
      ...(!isMany && index === unapproved.length - 1 && { fix: nothingWritten(fix) }),
    }),
  );
  if (!isMany) return listed;
  const rest = unapproved.slice(mostListed);
  const zones = new Set(rest.map(({ zone }) => zone));
  const kinds = [...new Set(rest.map(({ kind }) => kind))].map((kind) =>
    count(rest.filter((effect) => effect.kind === kind).length, kind),
  );
  const summary = `${count(rest.length, "more change")} in ${count(zones.size, "zone")} ${rest.length === 1 ? "is" : "are"} not approved: ${kinds.join(", ")}`;
  return [...listed, problem("plan-effects", summary, { fix: nothingWritten(fix) })];
}

function nothingWritten(fix: Fix): Fix {
  return advise`Nothing was written. ${fix}`;
}

/** The other part of a swap or move. */
function halfText(half: Half | undefined): string | undefined {
  if (half === undefined) return undefined;
  const { file, missing } = half;
  return `${file} approves it only together with ${effectText(missing)} at ${topicOf(missing)}.`;
}

function topicOf({ kind, name, type }: Effect): string {
  const bare = name.slice(0, -1);
  return kind === "domain" ? bare : `${bare} ${type}`;
}

/** `changing 192.0.2.1 to 192.0.2.2 (TTL 300)` */
function effectText({ kind, type, before, after }: Effect): string {
  if (kind === "domain")
    return after === null ? `deleting the zone (${before})` : `creating the zone (${type}, ${after})`;
  if (kind === "setting")
    return before === null ? `setting it to ${short(after)}` : `changing it from ${short(before)} to ${short(after)}`;
  if (before === null) return `creating ${dataText(after)} (${ttlText(after)})`;
  if (after === null) return `deleting ${dataText(before)} (${ttlText(before)})`;
  const ttl = ttlText(before) === ttlText(after) ? ttlText(after) : `${ttlText(before)} to ${ttlText(after)}`;
  if (rdataOfSide(before) === rdataOfSide(after)) return `changing the TTL of ${dataText(after)} (${ttl})`;
  return `changing ${dataText(before)} to ${dataText(after)} (${ttl})`;
}

function dataText(side: string | null): string {
  return short(rdataOfSide(side ?? ""));
}

/** The longest value that is shown in full, in characters. */
const longest = 80;

function short(value: string | null): string {
  const all = [...(value ?? "")];
  if (all.length <= longest) return all.join("");
  return `${all.slice(0, longest / 2).join("")}… (${all.length} characters) …${all.slice(-longest / 8).join("")}`;
}

function ttlText(side: string | null): string {
  const [, own, usual] = /^(?:(\d+)|default\((\d+)\)) /.exec(side ?? "") ?? [];
  return own === undefined ? `the zone's TTL ${usual}` : `TTL ${own}`;
}

/** The effects that approved plans include for the same RRset or setting. */
function nearText({ zone, name, type }: Effect, approved: readonly ApprovedPlan[]): string | undefined {
  for (const { name: file, plan } of approved) {
    const near = plan.changes
      .map(effectOf)
      .filter((effect) => effect.zone === zone && effect.name === name && effect.type === type);
    const [first] = near;
    if (first === undefined) continue;
    const more = near.length > 1 ? ` and ${count(near.length - 1, "more change")} there` : "";
    return `${file} approves ${effectText(first)}${more}.`;
  }
  return undefined;
}

/** The places of the records of a plan, by the keys of their effects. */
function placesOf({ zones }: Plan): ReadonlyMap<string, Place> {
  return new Map(
    zones.flatMap((zone) =>
      writesOf(zone).flatMap((write) => {
        const place = write.kind === "delete" ? undefined : placeOf(subject(write));
        return place ? [[effectJson(recordEffect(write, zone)), place] as const] : [];
      }),
    ),
  );
}
