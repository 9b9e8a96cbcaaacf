import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Client } from "../client/client.ts";
import type { Clock } from "../client/rate.ts";
import { plain } from "../diagnostics/plain.ts";
import { apply } from "../executor/apply.ts";
import type { ApplyEvent } from "../executor/event.ts";
import { checkLock, type LockWorld, takeLock } from "../executor/lock.ts";
import { settle } from "../executor/resume.ts";
import { type About, beginRun, cutOff, lastRun, readRun, runId } from "../executor/runs.ts";
import { formats } from "../formats/formats.ts";
import { zoneFromLive } from "../importer/from-api.ts";
import { isEmpty } from "../planner/change.ts";
import { ambiguousText, applyText } from "../report/apply-text.ts";
import { eventJson } from "../report/events-jsonl.ts";
import { count } from "../report/findings.ts";
import { type PlanReport, planText } from "../report/plan-text.ts";
import { Progress } from "../report/progress.ts";
import { apiWrites } from "../targets/api/writes.ts";
import { refuseHeld } from "./admission.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCode, UsageError } from "./exit-code.ts";
import { fileName } from "./files.ts";
import { type Project, stateFolder } from "./project.ts";
import { codeOf, tell } from "./tell.ts";

export interface CarryOutOptions {
  readonly yes?: boolean;
  readonly verbose?: boolean;
  readonly jsonl?: boolean;
}

/** How a plan is carried out, and what the journal keeps of where it comes from. */
export interface Carrying {
  readonly project: Project;
  readonly options: CarryOutOptions;
  readonly about?: About;
}

/**
 * What comes before the plan of an apply: nobody else applies, and nothing of the last run is on its way. Gives the runs
 * that were cut off.
 */
export async function beforePlan(context: Context, client: Client, project: Project): Promise<readonly string[]> {
  const folder = stateFolder(project);
  checkLock(folder, lockWorld(context));
  // Each run waits for the one before it, so only what the last one sent can still be on its way, however it ended.
  const entries = readRun(folder, lastRun(folder) ?? "");
  const waiting = (ms: number, writes: readonly string[]) => context.talk(unansweredText(ms, writes));
  await settle([entries], client, clockOf(context), waiting, { signal: context.signal });
  return cutOff(folder);
}

/** Writes of the last run without a reply, and how long their outcome is waited for, in milliseconds. */
export function unansweredText(ms: number, writes: readonly string[]): string {
  const more = writes.length > 3 ? ` and ${writes.length - 3} more` : "";
  const named = `${writes.slice(0, 3).join(", ")}${more}`;
  const they = writes.length === 1 ? "it" : "they";
  return `the last run got no reply to ${count(writes.length, "write")}: ${named}; waiting for up to ${Math.ceil(ms / 1000)} s until it is known whether ${they} took effect\n`;
}

/** Shows a plan, asks, applies it as a run with a journal, and says how it ended. */
export async function carryOut(
  context: Context,
  client: Client,
  report: PlanReport,
  { project, options, about = {} }: Carrying,
): Promise<ExitCode> {
  const { plan, writes } = report;
  (options.jsonl ? context.talk : context.out)(planText(report, context.outStyle));
  refuseHeld(report);
  if (isEmpty(plan)) return exitCode.done;
  if (!options.yes && !(await isWanted(context, writes))) {
    context.talk("nothing was written\n");
    return context.signal.aborted ? exitCode.interrupted : exitCode.failed;
  }
  const folder = stateFolder(project);
  const unlock = takeLock(folder, lockWorld(context));
  try {
    const id = runId(context.now(), randomUUID().slice(0, 6));
    const run = await beginRun(folder, id, plan, about, context.now);
    const listener = new Listener(context, report, options, againOf(about));
    const backup = (zone: Parameters<typeof zoneFromLive>[0]) =>
      run.write("backup", `${fileName(zone.name)}.zone`, formats.bind.write(zoneFromLive(zone)));
    const { signal } = context;
    const { journal } = run;
    for await (const event of apply(plan, apiWrites(client), { signal, journal, backup, clock: clockOf(context) }))
      listener.hear(event);
    const code = listener.end();
    await run.end(code === exitCode.done ? "done" : "partly");
    if (journal.failure) tell(context, journal.failure);
    return code;
  } finally {
    unlock();
  }
}

/** What goes on with a run that did not get done. A plan file goes on as that file: nobody has reviewed another plan. */
function againOf({ undoes, nonce }: About): string {
  if (undoes !== undefined) return `undo ${undoes}`;
  return nonce === undefined ? "apply" : "apply with the same plan file";
}

async function isWanted(context: Context, writes: number): Promise<boolean> {
  if (!context.ask)
    throw new UsageError("Nobody can be asked here: review the plan, then run the same command with --yes.");
  const answer = await context.ask(`Apply ${count(writes, "write")}? [y/N] `).catch(() => "");
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Shows what happens as it does, and keeps no more of it than the verdict needs. */
class Listener {
  readonly #context: Context;
  readonly #options: CarryOutOptions;
  /** The command that goes on with the rest. */
  readonly #again: string;
  readonly #zones: number;
  readonly #progress: Progress;
  readonly #differing: string[] = [];
  readonly #errors: unknown[] = [];
  #done = 0;
  #written = 0;
  #isBarShown = false;
  #isLooking = false;
  readonly #saySo = () => this.#say("finishing the writes under way; Ctrl-C again stops at once\n");

  constructor(context: Context, { plan, writes }: PlanReport, options: CarryOutOptions, again: string) {
    this.#context = context;
    this.#options = options;
    this.#again = again;
    this.#zones = plan.zones.length + plan.deletions.length;
    this.#progress = new Progress(writes, this.#zones);
    context.signal.addEventListener("abort", this.#saySo);
  }

  hear(event: ApplyEvent): void {
    this.#progress.add(event);
    if (event.kind === "zone-failed") this.#errors.push(event.error);
    if (event.kind === "zone-failed" || event.kind === "zone-stopped") this.#written += event.written;
    if (event.kind === "zone-done") {
      this.#done++;
      if (event.left) this.#differing.push(plain(event.zone.slice(0, -1)));
    }
    if (event.kind === "ambiguous" && !this.#isLooking) {
      this.#isLooking = true;
      this.#say(
        `lost the reply to a write (${ambiguousText(event)}); checking for up to a minute whether it took effect, and so for each that follows\n`,
      );
    }
    if (this.#options.jsonl) this.#context.out(eventJson(event));
    else this.#say(applyText(event, this.#context.talkStyle, this.#options.verbose ?? false));
  }

  /** A line above the bar, which a terminal shows in place; in a pipe there is none. */
  #say(text: string): void {
    const { width, talkStyle, talk } = this.#context;
    if (width === undefined || this.#options.jsonl) {
      talk(text);
      return;
    }
    talk(`${this.#isBarShown ? "\r\u001b[K" : ""}${text}${this.#progress.line(talkStyle, width)}`);
    this.#isBarShown = true;
  }

  end(): ExitCode {
    const { signal, talk, out } = this.#context;
    signal.removeEventListener("abort", this.#saySo);
    if (this.#isBarShown) talk("\r\u001b[K");
    const zones = this.#zones;
    if (signal.aborted && this.#done < zones) {
      talk(`interrupted: ${this.#done} of ${count(zones, "zone")} done; run ${this.#again} again for the rest\n`);
      return exitCode.interrupted;
    }
    if (this.#errors.length > 0) {
      const codes = this.#errors.map(codeOf);
      talk(
        `${count(this.#errors.length, "zone")} of ${zones} stopped at an error; run ${this.#again} again for the rest\n`,
      );
      if (codes.includes(exitCode.tryLater) && this.#errors.length === 1) return exitCode.tryLater;
      if (codes.every((code) => code === exitCode.tryLater)) return exitCode.tryLater;
      return this.#done === 0 && this.#written === 0 ? (codes[0] ?? exitCode.failed) : exitCode.partly;
    }
    if (this.#differing.length > 0) {
      const are = this.#differing.length === 1 ? "is" : "are";
      talk(
        `read back: ${this.#differing.join(", ")} ${are} not as it was applied: somebody else may be writing; zonewright plan shows what differs\n`,
      );
      return exitCode.notVerified;
    }
    if (!this.#options.jsonl) out(`applied: ${count(zones, "zone")} read back and as desired\n`);
    return exitCode.done;
  }
}

function lockWorld({ pid, isAlive }: Context): LockWorld {
  return { pid, host: hostname(), isAlive };
}

function clockOf({ now, sleep }: Context): Clock {
  return { now: () => now().getTime(), sleep };
}
