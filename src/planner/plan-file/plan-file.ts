import type { z } from "zod";
import { type AdvisedStep, advise } from "../../diagnostics/advice.ts";
import { type Problem, type ProblemError, problemError } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { Id, LiveZone } from "../../dns/zone/desired-live.ts";
import { placeOf } from "../../dns/zone/zone.ts";
import type { JudgedBlock } from "../blocks/acks.ts";
import { type Plan, type Step, subject, unsupportedSets, type ZonePlan } from "../changes/change.ts";
import { digestJson, digestLive } from "../changes/digests.ts";
import { deletionEffect, digestEffects, type Effect, recordEffect, zoneEffects } from "../changes/effects.ts";
import { type PlanChange, type PlanFile, planFormat, planSchema } from "./plan-schema.ts";
import { checkSignature, type SignatureRules } from "./plan-signature.ts";
import { parseStrictJson } from "./strict-json.ts";

/** Content of a plan file apart from the plan. Times and nonce are passed in, so that the rest is reproducible. */
export interface PlanFileInput {
  readonly version: string;
  readonly source: PlanFile["source"];
  readonly target: PlanFile["target"];
  /** The zones of the plan with their live state; undefined if they do not exist yet. */
  readonly live: readonly (readonly [zone: NameKey, stored: LiveZone | undefined])[];
  readonly plan: Plan;
  /** Zones that the plan leaves out, and why. */
  readonly skipped?: readonly { readonly name: NameKey; readonly file: string; readonly reason: string }[];
  readonly notes: readonly Problem[];
  readonly guards: readonly JudgedBlock[];
  readonly reads: number;
  readonly writes: number;
  /** The times when the live zones were read and the plan was made. */
  readonly seen: Date;
  /** The id of the newest event of the account directly before; undefined if the token may not read events. */
  readonly lastEvent?: Id | undefined;
  readonly now: Date;
  readonly lifeSeconds: number;
  readonly nonce: string;
}

export function planFile(input: PlanFileInput): PlanFile {
  const { version, source, target, plan, skipped = [], reads, writes, now, nonce } = input;
  const changes = [
    ...plan.zones.flatMap(changesOf),
    ...plan.deletions.map((zone) => ({ ...deletionEffect(zone), ...(zone.gaps && { gaps: zone.gaps }) }) as PlanChange),
  ];
  const rest: Omit<PlanFile, "planDigest"> = {
    format: planFormat,
    tool: { name: "zonewright", version },
    source,
    target,
    observed: {
      time: timeText(input.seen),
      ...(input.lastEvent !== undefined && { lastEvent: input.lastEvent }),
      zones: input.live.map(([zone, stored]) => digestObserved(zone, stored)),
    },
    changes,
    inSync: plan.inSync,
    ignored: plan.ignored,
    unsupported: unsupportedSets(plan),
    unmanaged: [...plan.unmanaged],
    ...(skipped.length > 0 && {
      skipped: skipped.map(({ name, file, reason }) => ({ zone: name, file, reason })),
    }),
    reads,
    writes,
    notes: input.notes.map(noteOf),
    guards: input.guards.map(({ guard, zone, state, reason, findings, effectDigest }) => ({
      guard,
      zone,
      state,
      ...(reason !== undefined && { reason }),
      texts: findings.map(({ text }) => text),
      ...factsOf(findings),
      effects: effectDigest,
    })),
    effectDigest: digestEffects(changes.map(effectOf)),
    expires: timeText(new Date(now.getTime() + input.lifeSeconds * 1000)),
    nonce,
  };
  return { ...rest, planDigest: digestJson(rest) };
}

/** A problem in a plan file. */
export function noteOf({ severity, id, summary, place }: Problem): PlanFile["notes"][number] {
  return { severity, rule: id, summary, ...(place && { at: place }) };
}

function factsOf(findings: JudgedBlock["findings"]): { facts?: string[] } {
  const facts = findings.flatMap((finding) => finding.facts ?? []);
  return facts.length > 0 ? { facts } : {};
}

/** The domains that a plan file deletes, by name. */
export function deletionsOf({ changes }: PlanFile): NameKey[] {
  return changes.flatMap(({ kind, zone, after }) => (kind === "domain" && after === null ? [zone] : []));
}

/** The effect of a change in a plan file. */
export function effectOf({ zone, kind, name, type, before, after }: PlanChange): Effect {
  return { zone, kind, name, type, before: textOf(before), after: textOf(after) };
}

/** A plan file that was read, and the id of the key that signed it, if the signature was checked. */
export interface ReadPlan {
  readonly plan: PlanFile;
  readonly signedBy?: string;
}

/**
 * Reads a plan file and checks that it is complete and unmodified, and its signature.
 * @throws {ProblemError} `plan-syntax`, `plan-format`, `plan-shape`, `plan-digest`, `plan-signature`
 */
export function readPlanFile(file: string, text: string, rules: SignatureRules = noKeys): ReadPlan {
  return checkPlan(file, parsePlan(file, text), rules);
}

/**
 * Checks a plan, given the JSON value of its file.
 * @throws {ProblemError} `plan-format`, `plan-shape`, `plan-digest`, `plan-signature`
 */
export function checkPlan(file: string, value: unknown, rules: SignatureRules = noKeys): ReadPlan {
  const plan = checkShape(file, value, { schema: planSchema, format: planFormat, what: "a complete plan" });
  const { planDigest, ...rest } = value as PlanFile; // the digest includes additions of newer minor versions
  const isWhole = digestJson(rest) === planDigest && digestEffects(plan.changes.map(effectOf)) === plan.effectDigest;
  if (!isWhole) throw editedError(file);
  const signedBy = checkSignature(file, plan, rest, rules);
  return { plan, ...(signedBy !== undefined && { signedBy }) };
}

const noKeys: SignatureRules = { keys: [], isRequired: false };

/** Parses a file of plans. @throws {ProblemError} `plan-syntax` */
export function parsePlan(file: string, text: string): unknown {
  const error = (why: string) => problemError("plan-syntax", `${file} is not valid JSON: ${why}`, { fix: newPlanFix });
  let read: ReturnType<typeof parseStrictJson>;
  try {
    read = parseStrictJson(text);
  } catch {
    throw error("it was truncated or edited");
  }
  if ("fault" in read) throw error(read.fault);
  return read.value;
}

/** The format that a JSON value names. */
export function statedFormat(value: unknown): unknown {
  return typeof value === "object" && value !== null && "format" in value ? value.format : undefined;
}

/** The error of a file that was edited. */
export function editedError(file: string): ProblemError {
  const summary = `${file} was edited after it was written: its digest does not match`;
  return problemError("plan-digest", summary, { fix: newPlanFix });
}

/**
 * Checks the format and the parts of a JSON value.
 * @throws {ProblemError} `plan-format`, `plan-shape`
 */
export function checkShape<T extends z.ZodType>(
  file: string,
  value: unknown,
  { schema, format: wanted, what }: { readonly schema: T; readonly format: string; readonly what: string },
): z.output<T> {
  const format = statedFormat(value);
  if (format !== wanted) {
    const isOther = typeof format === "string" && /^zonewright\.plans?\//.test(format);
    const other = isOther ? `a plan of another version (${format})` : "not a plan file";
    const summary = `${file} is ${other}; this zonewright reads ${wanted}`;
    throw problemError("plan-format", summary, { fix: newPlanFix });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const summary = `${file} is not ${what}: ${issue?.path.join(".")}: ${issue?.message}`;
  throw problemError("plan-shape", summary, { fix: newPlanFix });
}

const newPlan: AdvisedStep = { run: "plan", with: { out: "FILE" } };
export const newPlanFix = advise`Make a new plan with ${newPlan}.`;
/** The advice of `newPlanFix` as the end of a sentence. */
export const newPlanClause = advise`make a new plan with ${newPlan}.`;

function changesOf(zone: ZonePlan): PlanChange[] {
  const [head, ...settings] = zoneEffects(zone);
  const gaps = zone.activation?.gaps;
  const ofZone = [head, ...settings].flatMap((effect): PlanChange[] => {
    if (!effect) return [];
    const activates = effect.kind === "domain" || effect.type === "status";
    return [{ ...effect, ...(gaps && activates && { gaps }) } as PlanChange];
  });
  return [...ofZone, ...zone.steps.flatMap((step) => stepChanges(step, zone))];
}

function stepChanges({ id, needs, needsZones, writes, gaps }: Step, zone: ZonePlan): PlanChange[] {
  return writes.map((write) => {
    const effect = recordEffect(write, zone);
    const place = placeOf(subject(write));
    const { via = [] } = subject(write).source ?? {};
    const { id: recordId, updated } = write.kind === "create" ? {} : write.before;
    const stored = { id: recordId, ...(updated !== undefined && { updated }) };
    return {
      ...effect,
      before: effect.before === null ? null : { ...valueFrom(effect.before), ...stored },
      after: effect.after === null ? null : valueFrom(effect.after),
      step: id,
      requires: [...needs],
      ...(needsZones && { requiresZones: [...needsZones] }),
      ...(gaps && { gaps: gaps.map((gap) => ({ ...gap, types: [...gap.types] })) }),
      inverse: ({ create: "delete", update: "change", delete: "create" } as const)[write.kind],
      ...(place && { at: `${place.file}:${place.line}` }),
      ...(place && via.length > 0 && { via: via.map(({ file, line }) => `${file}:${line}`) }),
    } as PlanChange; // kind, before and after match as in the write
  });
}

/** Parses the text of an effect: TTL in seconds, `default(3600)` for the zone's own, then RDATA. */
function valueFrom(text: string): { ttl_sec: number; isDefault?: true; rdata: string } {
  const [, own, usual, rdata = ""] = /^(?:(\d+)|default\((\d+)\)) (.*)$/s.exec(text) ?? [];
  return { ttl_sec: Number(own ?? usual), ...(usual !== undefined && { isDefault: true }), rdata };
}

function textOf(side: PlanChange["before"] | PlanChange["after"]): string | null {
  if (side === null || typeof side === "string") return side;
  return `${side.isDefault ? `default(${side.ttl_sec})` : side.ttl_sec} ${side.rdata}`;
}

function digestObserved(zone: NameKey, stored: LiveZone | undefined): PlanFile["observed"]["zones"][number] {
  return {
    zone: nameKey(zone),
    domainId: stored?.id ?? null,
    digest: stored ? digestLive(stored) : null,
    records: stored?.records.length ?? 0,
  };
}

/** A time to the second, as in the API. */
function timeText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
