import { count, plain } from "../diagnostics/plain.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { ApplyEvent } from "../executor/event.ts";
import type { About } from "../executor/runs.ts";
import { isEmpty } from "../planner/change.ts";
import { ambiguousText, applyText } from "../report/apply-text.ts";
import { eventJson } from "../report/events-jsonl.ts";
import { planText } from "../report/plan-text.ts";
import { Progress } from "../report/progress.ts";
import type { Target } from "../targets/target.ts";
import { refuseHeld } from "../workflow/load-plan.ts";
import type { PlanReport } from "../workflow/plan.ts";
import type { Project } from "../workflow/project.ts";
import { type RunResult, runPlan } from "../workflow/run-plan.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { exitCodeOf, printError } from "./print-error.ts";
import type { Terminal } from "./terminal.ts";

export interface ConfirmOptions {
  readonly yes?: boolean;
  readonly verbose?: boolean;
  readonly jsonl?: boolean;
}

/** How a plan is applied, and what the journal keeps of where it comes from. */
export interface Applying {
  readonly project: Project;
  readonly options: ConfirmOptions;
  readonly about?: About;
}

/** Says which writes of the last run got no reply, and for how long their outcome is waited for. */
export function sayUnanswered({ log }: Pick<Terminal, "log">): (ms: number, writes: readonly string[]) => void {
  return (ms, writes) => log(unansweredText(ms, writes));
}

export function unansweredText(ms: number, writes: readonly string[]): string {
  const more = writes.length > 3 ? ` and ${writes.length - 3} more` : "";
  const named = `${writes.slice(0, 3).join(", ")}${more}`;
  const they = writes.length === 1 ? "it" : "they";
  return `the last run got no reply to ${count(writes.length, "write")}: ${named}; waiting for up to ${Math.ceil(ms / 1000)} s until it is known whether ${they} took effect\n`;
}

/** Shows a plan, asks, applies it, and says how it ended. */
export async function confirmAndRun(
  terminal: Terminal,
  target: Target,
  report: PlanReport,
  { project, options, about = {} }: Applying,
): Promise<ExitCode> {
  const { plan, writes } = report;
  (options.jsonl ? terminal.log : terminal.print)(planText(report, terminal.printStyle));
  refuseHeld(report);
  if (isEmpty(plan)) return exitCode.done;
  if (!options.yes && !(await isWanted(terminal, writes))) {
    terminal.log("nothing was written\n");
    return terminal.signal.aborted ? exitCode.interrupted : exitCode.failed;
  }
  const display = new Display(terminal, report, options);
  try {
    const result = await runPlan(terminal, target, { plan, project, about }, (event) => display.show(event));
    display.close();
    const code = concludeRun(terminal, result, options, againOf(about));
    if (result.journalFailure) printError(terminal, result.journalFailure);
    return code;
  } finally {
    display.close();
  }
}

/** Reports how a run ended. Returns the exit code; `again` is the command that continues the run. */
function concludeRun(
  { log, print }: Terminal,
  { zones, done, written, differing, errors, isInterrupted }: RunResult,
  { jsonl }: ConfirmOptions,
  again: string,
): ExitCode {
  if (isInterrupted) {
    log(`interrupted: ${done} of ${count(zones, "zone")} done; run ${again} again for the rest\n`);
    return exitCode.interrupted;
  }
  if (errors.length > 0) {
    const codes = errors.map(exitCodeOf);
    log(
      `${errors.length} of ${zones} zones failed. Fix the ${errors.length === 1 ? "error" : "errors"} above, then run ${again} again.\n`,
    );
    if (codes.every((code) => code === exitCode.tryLater)) return exitCode.tryLater;
    return done === 0 && written === 0 ? (codes[0] ?? exitCode.failed) : exitCode.partly;
  }
  if (differing.length > 0) {
    const names = differing.map((zone) => plain(zone.slice(0, -1))).join(", ");
    const differ = differing.length === 1 ? "differs" : "differ";
    log(
      `applied, but ${names} ${differ} from the plan when read back: somebody else may be writing. Run zonewright plan to see what differs.\n`,
    );
    return exitCode.notVerified;
  }
  if (!jsonl) print(`applied and verified: ${count(zones, "zone")} ${zones === 1 ? "is" : "are"} as planned\n`);
  return exitCode.done;
}

/** The command that continues an unfinished run. A plan file continues as that file, so nothing unreviewed is applied. */
function againOf({ undoes, nonce }: About): string {
  if (undoes !== undefined) return `undo ${undoes}`;
  return nonce === undefined ? "apply" : "apply with the same plan file";
}

async function isWanted(terminal: Terminal, writes: number): Promise<boolean> {
  if (!terminal.ask)
    throw new ProblemError(
      problem("usage", "No terminal to confirm on: review the plan, then run the same command with --yes."),
    );
  const answer = await terminal.ask(`Apply ${count(writes, "write")}? [y/N] `).catch(() => "");
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Shows events as they happen. */
class Display {
  readonly #terminal: Terminal;
  readonly #options: ConfirmOptions;
  readonly #progress: Progress;
  #isBarShown = false;
  #isLooking = false;
  readonly #sayInterrupted = () => this.#say("finishing the writes under way; Ctrl-C again stops at once\n");

  constructor(terminal: Terminal, { plan, writes }: PlanReport, options: ConfirmOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.#progress = new Progress(writes, plan.zones.length + plan.deletions.length);
    terminal.signal.addEventListener("abort", this.#sayInterrupted);
  }

  show(event: ApplyEvent): void {
    this.#progress.add(event);
    if (event.kind === "ambiguous" && !this.#isLooking) {
      this.#isLooking = true;
      this.#say(
        `lost the reply to a write (${ambiguousText(event)}); checking for up to a minute whether it took effect, and so for each that follows\n`,
      );
    }
    if (this.#options.jsonl) this.#terminal.print(eventJson(event));
    else this.#say(applyText(event, this.#terminal.logStyle, this.#options.verbose ?? false));
  }

  /** A line above the bar, which a terminal shows in place; in a pipe there is none. */
  #say(text: string): void {
    const { width, logStyle, log } = this.#terminal;
    if (width === undefined || this.#options.jsonl) {
      log(text);
      return;
    }
    log(`${this.#isBarShown ? "\r\u001b[K" : ""}${text}${this.#progress.line(logStyle, width)}`);
    this.#isBarShown = true;
  }

  close(): void {
    this.#terminal.signal.removeEventListener("abort", this.#sayInterrupted);
    if (this.#isBarShown) this.#terminal.log("\r\u001b[K");
    this.#isBarShown = false;
  }
}
