import { count } from "../diagnostics/plain.ts";
import { verifyText } from "../report/verify-text.ts";
import type { Verified } from "../workflow/verify.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";

/** Shows what name servers answer, and gives the exit code. */
export function showVerified(
  { talk, out, outStyle, signal }: Context,
  { checks, left }: Verified,
  jsonl = false,
): ExitCode {
  (jsonl ? talk : out)(verifyText(checks, outStyle));
  if (left > 0) talk(`${count(left, "zone")} left out: disabled, or a slave\n`);
  if (signal.aborted) return exitCode.interrupted;
  if (checks.some(({ verdict }) => verdict === "fail")) return exitCode.notVerified;
  return checks.some(({ verdict }) => verdict === "inconclusive") ? exitCode.inconclusive : exitCode.done;
}
