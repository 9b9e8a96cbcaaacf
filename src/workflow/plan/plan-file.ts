import type { KeyObject } from "node:crypto";
import { resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { nameKey } from "../../dns/name/name.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import { statIfPresent } from "../../file-system.ts";
import { digestJson } from "../../planner/changes/digests.ts";
import { newPlanFix, type PlanFileInput, planFile } from "../../planner/plan-file/plan-file.ts";
import type { PlanFile, PlanSet } from "../../planner/plan-file/plan-schema.ts";
import { withPlans } from "../../planner/plan-file/plan-set.ts";
import { signPlan } from "../../planner/plan-file/plan-signature.ts";
import { readFix, readText } from "../project/files.ts";
import type { RunContext } from "../project/run-context.ts";
import { version } from "../project/version.ts";
import type { ObservedPlan, PlanReport } from "./plan-report.ts";

/** The largest plan file that is read, in octets; a plan of 100,000 changes has about 60 MiB. */
const largest = 256 * 1024 * 1024;

/**
 * Reads the text of a plan file, relative to the working folder.
 * @throws {ProblemError} `file-read`, `plan-format`
 */
export function readPlanText(cwd: string, file: string): string {
  const size = statIfPresent(resolve(cwd, file))?.size ?? 0;
  const missing = advise`Make the plan file with ${{ run: "plan", with: { out: file } }}, or check its path.`;
  if (size <= largest) return readText(cwd, file, (error) => readFix(error, missing));
  const summary = `${file} is not a plan file: it has ${Math.ceil(size / 2 ** 20)} MiB, more than ${largest / 2 ** 20} MiB`;
  throw problemError("plan-format", summary, { fix: newPlanFix });
}

/** The plan of a target, or those of several, as a file. */
export type SavedPlan = PlanFile | PlanSet;

interface PlanFileContext extends Pick<PlanFileInput, "lifeSeconds"> {
  /** The digests of the files and the config. */
  readonly inputs: Pick<PlanFile["source"], "config" | "zones">;
  readonly planned: ObservedPlan & Pick<PlanReport, "commit">;
  /** The target, with the time at which it was read. */
  readonly target: PlanFile["target"] & { readonly time: Date; readonly lastEvent?: Id | undefined };
  readonly signingKey?: KeyObject | undefined;
}

export function fileOfPlan(
  context: RunContext,
  { inputs, planned, target: { time, lastEvent, ...target }, lifeSeconds, signingKey }: PlanFileContext,
): PlanFile {
  const file = planFile({
    ...planned,
    version: version(),
    source: {
      ...(planned.commit !== undefined && { commit: planned.commit }),
      ...inputs,
    },
    target,
    skipped: planned.skipped,
    live: [...planned.desired, ...planned.deletions].map(({ name }) => [
      nameKey(name),
      planned.live.get(nameKey(name)),
    ]),
    seen: time,
    lastEvent,
    now: context.now(),
    lifeSeconds,
    nonce: context.nonce(),
  });
  return signingKey ? signPlan(file, signingKey) : file;
}

/** The plan file with the digest of the comment that shows it, with a new signature. */
export function withComment(
  { planDigest, signature, ...file }: PlanFile,
  comment: string,
  signingKey?: KeyObject,
): PlanFile {
  const made = { ...file, comment };
  const whole = { ...made, planDigest: digestJson(made) };
  return signingKey ? signPlan(whole, signingKey) : whole;
}

/** As `withComment`, for the plan files of several targets. */
export function setWithComment(set: PlanSet, comment: string, signingKey?: KeyObject): PlanSet {
  return withPlans(set, (plan) => withComment(plan, comment, signingKey));
}
