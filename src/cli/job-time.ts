import { escapeControl } from "../diagnostics/escape.ts";
import { usageError } from "../diagnostics/problem.ts";
import { defaultJobTime, type JobDriver, simulatedDriver } from "../server/kit/job-driver.ts";
import { text } from "./command.ts";

/** The flag of the commands that begin jobs of nodes. */
export const jobTimeFlag = text(
  "<factor>",
  "duration of the jobs of nodes, as a factor of that at the hosted service; 0 ends them at the next request",
  String(defaultJobTime),
);

/** The driver that `--job-time` describes. @throws {ProblemError} `usage` */
export function readJobTime(factor: string): JobDriver {
  if (/^\d{1,4}(?:\.\d{1,6})?$/.test(factor)) return simulatedDriver(Number(factor));
  throw usageError(`--job-time must be a number such as 0, 0.1 or 1, not "${escapeControl(factor)}".`);
}
