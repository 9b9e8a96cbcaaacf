import { plain } from "../../diagnostics/plain.ts";
import { apply as execute } from "../../executor/apply.ts";
import type { ApplyEvent } from "../../executor/event.ts";
import { applyText } from "../../report/apply-text.ts";
import { count } from "../../report/findings.ts";
import { type AdmissionOptions, toApply } from "../admission.ts";
import { withClient } from "../connect.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode, UsageError } from "../exit-code.ts";
import { codeOf } from "../tell.ts";

export interface ApplyOptions extends AdmissionOptions {
  readonly yes?: boolean;
  readonly verbose?: boolean;
}

/** `zonewright apply`: plan, ask, write, read back. */
export async function apply(context: Context, args: readonly string[], options: ApplyOptions): Promise<ExitCode> {
  return withClient(context, options, async (client) => {
    const report = await toApply(context, client, args, options);
    if (report.plan.zones.length === 0) return exitCode.done;
    if (!options.yes && !(await isWanted(context, report.writes))) {
      context.talk("nothing was written\n");
      return context.signal.aborted ? exitCode.interrupted : exitCode.failed;
    }
    const events: ApplyEvent[] = [];
    const saySo = () => context.talk("finishing the writes under way; Ctrl-C again stops at once\n");
    context.signal.addEventListener("abort", saySo);
    for await (const event of execute(report.plan, client, context.signal)) {
      if (event.kind !== "record-written" && event.kind !== "settings-written") events.push(event);
      context.talk(applyText(event, context.talkStyle, options.verbose ?? false));
    }
    context.signal.removeEventListener("abort", saySo);
    return verdict(context, events, report.plan.zones.length);
  });
}

async function isWanted(context: Context, writes: number): Promise<boolean> {
  if (!context.ask)
    throw new UsageError("Nobody can be asked here: review `zonewright plan`, then run `zonewright apply --yes`.");
  const answer = await context.ask(`Apply ${count(writes, "write")}? [y/N] `).catch(() => "");
  return /^y(?:es)?$/i.test(answer.trim());
}

function verdict(context: Context, events: readonly ApplyEvent[], zones: number): ExitCode {
  const failed = events.filter((event) => event.kind === "zone-failed");
  const done = events.filter((event) => event.kind === "zone-done");
  const differing = done.filter(({ left }) => left !== undefined);
  if (context.signal.aborted && done.length < zones) {
    context.talk(`interrupted: ${done.length} of ${count(zones, "zone")} done; run apply again for the rest\n`);
    return exitCode.interrupted;
  }
  if (failed.length > 0) {
    context.talk(`${count(failed.length, "zone")} of ${zones} stopped at an error; run apply again for the rest\n`);
    const isNothing = done.length === 0 && failed.every(({ written }) => written === 0);
    return isNothing ? codeOf(failed[0]?.error) : exitCode.partly;
  }
  if (differing.length > 0) {
    const names = differing.map(({ zone }) => plain(zone.slice(0, -1))).join(", ");
    const are = differing.length === 1 ? "is" : "are";
    context.talk(
      `read back: ${names} ${are} not as it was applied: somebody else may be writing; zonewright plan shows what differs\n`,
    );
    return exitCode.notVerified;
  }
  context.out(`applied: ${count(zones, "zone")} read back and as desired\n`);
  return exitCode.done;
}
