import { count } from "../../diagnostics/quantities.ts";
import { verifyMarkdown } from "../../report/apply/verify-markdown.ts";
import { verifyText } from "../../report/apply/verify-text.ts";
import { exitCodeOfVerified } from "../../workflow/apply/outcome.ts";
import { type Verified, type VerifyingOptions, verifyZones, zonesToVerify } from "../../workflow/apply/verify.ts";
import { connectToRead } from "../../workflow/connect/connect.ts";
import { type ExitCode, exitCode } from "../../workflow/project/exit-code.ts";
import { inputsOfService, refuseSharedInputs, stepOnTargets } from "../each-target.ts";
import { readServers, readTime } from "../inputs.ts";
import { type ActionResult, apiOptions, type Job, logStyle } from "../job.ts";
import type { Result } from "../outputs.ts";

/** Checks that stored data, zone files and name servers are as the files say, as far as the inputs ask. */
export async function verifyStep(job: Job): Promise<ActionResult> {
  verifyingOptions(job); // wrong ones are reported before any target is asked
  refuseSharedInputs(job, [...inputsOfService, "nameservers"]);
  return stepOnTargets(job, verifyOn);
}

/** Verifies the only target. */
async function verifyOn(job: Job): Promise<ActionResult> {
  const { context, inputs, project } = job;
  const options = verifyingOptions(job);
  const { zones, verified } = await connectToRead(context, project, apiOptions(job), async ({ target }) => {
    const zones = await zonesToVerify(project, inputs.zones, target);
    return { zones, verified: await verifyZones(context, target, zones, options) };
  });
  logVerified(job, verified);
  const code = exitCodeOfVerified(verified, context.signal.aborted);
  return {
    result: resultOfVerified(code, "in-sync"),
    code,
    outputs: { zones: `${zones.size - verified.left}` },
    summary: (budget) => verifyMarkdown(verified.checks, budget, "action"),
  };
}

/** The options of a verification; wrong inputs are reported before any write. */
export function verifyingOptions({ inputs, project }: Job): VerifyingOptions {
  const { verify, nameservers, wait } = inputs;
  readServers(nameservers);
  readTime("wait", wait);
  return { nameserver: nameservers, wait, project, ...(verify !== "off" && { depth: verify }) };
}

export function logVerified({ runner }: Job, { checks, left }: Verified): void {
  runner.log(verifyText(checks, logStyle));
  if (left > 0) runner.log(`${count(left, "zone")} skipped: disabled, or a slave\n`);
}

export function resultOfVerified(code: ExitCode, passed: Result): Result {
  const results: Partial<Record<ExitCode, Result>> = {
    [exitCode.done]: passed,
    [exitCode.notVerified]: "verify-failed",
    [exitCode.interrupted]: "interrupted",
  };
  return results[code] ?? "inconclusive";
}
