import { count } from "../diagnostics/plain.ts";
import { type Place, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { LiveZone } from "../dns/desired-live.ts";
import type { NameKey } from "../dns/name.ts";
import { placeOf } from "../dns/zone.ts";
import { changedDomains, otherDomains, rdataOf } from "./admit.ts";
import { type Plan, subject, writesOf } from "./change.ts";
import { type Effect, effectJson, recordEffect } from "./effects.ts";
import type { Finding } from "./guard.ts";
import { effectOf, type ReadPlan } from "./plan-file.ts";
import type { PlanFile } from "./plan-schema.ts";
import { isOfNewZone } from "./remainder.ts";

/** A plan file that was approved, and its name in messages. */
export interface ApprovedPlan extends ReadPlan {
  readonly name: string;
}

/** An approved plan, and the effects of a new plan that it approves. */
export interface Approval extends ApprovedPlan {
  readonly effects: readonly Effect[];
}

/** The approvals of a plan's effects, and the effects without one. */
export interface Approvals {
  readonly approvals: readonly Approval[];
  readonly unapproved: readonly Effect[];
}

/**
 * Finds the approvals of effects. Each effect is approved by the newest plan that includes it; an effect that occurs
 * twice needs one plan that includes it twice, so several approvals never add up. Order, ids and times are irrelevant.
 */
export function findApprovals(effects: readonly Effect[], approved: readonly ApprovedPlan[]): Approvals {
  const plans = sortNewest(approved).map((one) => {
    const own = one.plan.changes.map(effectOf);
    return { ...one, own, counts: countByKey(own), effects: [] as Effect[] };
  });
  const found = new Map<string, number>();
  const unapproved = effects.filter((effect) => {
    const key = effectJson(effect);
    const number = (found.get(key) ?? 0) + 1;
    found.set(key, number);
    const plan =
      plans.find(({ counts }) => (counts.get(key) ?? 0) >= number) ??
      plans.find(({ own }) => effect.kind === "setting" && isOfNewZone(effect, own.filter(isIn(effect.zone))));
    plan?.effects.push(effect);
    return plan === undefined;
  });
  const approvals = plans.filter(({ effects }) => effects.length > 0);
  return { approvals: approvals.map(({ own, counts, ...approval }) => approval), unapproved };
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

/**
 * Checks the zones of an approval: their domains must be those of the plan, and a domain that is deleted must be
 * unchanged.
 * @throws {ProblemError} `plan-stale`
 */
export function checkDomains({ plan, effects }: Approval, live: ReadonlyMap<NameKey, LiveZone>): void {
  const zones = new Set(effects.map(({ zone }) => zone));
  const deleted = new Set(
    effects.flatMap(({ kind, zone, after }) => (kind === "domain" && after === null ? [zone] : [])),
  );
  const stale = [
    ...otherDomains(plan, live, (zone) => zones.has(zone)),
    ...changedDomains(plan, live, (zone) => deleted.has(zone)),
  ];
  if (stale.length > 0) throw new ProblemError(stale);
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
  approved: readonly ApprovedPlan[],
): Problem[] {
  const places = placesOf(plan);
  const isMany = unapproved.length > mostListed;
  const listed = unapproved.slice(0, mostListed).map((effect, index) =>
    problem("plan-effects", `${topicOf(effect)}: ${effectText(effect)} is not approved`, {
      detail: nearText(effect, approved),
      place: places.get(effectJson(effect)),
      ...(!isMany && index === unapproved.length - 1 && { fix: unapprovedFix }),
    }),
  );
  if (!isMany) return listed;
  const rest = unapproved.slice(mostListed);
  const zones = new Set(rest.map(({ zone }) => zone));
  const kinds = [...new Set(rest.map(({ kind }) => kind))].map((kind) =>
    count(rest.filter((effect) => effect.kind === kind).length, kind),
  );
  const summary = `${count(rest.length, "more change")} in ${count(zones.size, "zone")} ${rest.length === 1 ? "is" : "are"} not approved: ${kinds.join(", ")}`;
  return [...listed, problem("plan-effects", summary, { fix: unapprovedFix })];
}

const unapprovedFix =
  "Nothing was written. Plan these files with `zonewright plan --out FILE`, have that plan approved, and add `--approved FILE`.";

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
  if (rdataOf(before) === rdataOf(after)) return `changing the TTL of ${dataText(after)} (${ttl})`;
  return `changing ${dataText(before)} to ${dataText(after)} (${ttl})`;
}

function dataText(side: string | null): string {
  return short(rdataOf(side ?? ""));
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
