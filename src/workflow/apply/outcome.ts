import { ProblemError } from "../../diagnostics/problem.ts";
import type { PlanReport } from "../plan/plan-report.ts";
import { codesOfKinds, type ExitCode, exitCode } from "../project/exit-code.ts";
import type { RunResult } from "./run-plan.ts";
import type { Verified } from "./verify.ts";

/** The exit code of an error: that of the first kind of its problems, in the order of `codesOfKinds`. */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof ProblemError)) return exitCode.failed;
  const kinds = new Set(error.problems.map(({ kind }) => kind));
  return codesOfKinds.find(([kind]) => kinds.has(kind))?.[1] ?? exitCode.failed;
}

/** The exit code of a run that wrote a plan. */
export function exitCodeOfRun({ done, written, differing, errors, isInterrupted }: RunResult): ExitCode {
  if (isInterrupted) return exitCode.interrupted;
  if (errors.length > 0) {
    const codes = errors.map(exitCodeOf);
    if (codes.every((code) => code === exitCode.tryLater)) return exitCode.tryLater;
    return done === 0 && written === 0 ? (codes[0] ?? exitCode.failed) : exitCode.partly;
  }
  return differing.length > 0 ? exitCode.notVerified : exitCode.done;
}

/** The exit code of a plan that was carried out: in part, if it leaves out zones or name servers. */
export function exitCodeWithSkipped(
  code: ExitCode,
  { skipped = [], silent = [] }: Pick<PlanReport, "skipped" | "silent">,
): ExitCode {
  return code === exitCode.done && skipped.length + silent.length > 0 ? exitCode.partly : code;
}

/** The exit code of a verification; an interrupted one did not await some servers. */
export function exitCodeOfVerified({ checks }: Verified, isInterrupted: boolean): ExitCode {
  if (checks.every(({ verdict }) => verdict === "pass")) return exitCode.done;
  if (isInterrupted) return exitCode.interrupted;
  return checks.some(({ verdict }) => verdict === "fail") ? exitCode.notVerified : exitCode.inconclusive;
}
