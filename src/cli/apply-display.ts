import { commandLine } from "../diagnostics/advice.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, usageError } from "../diagnostics/problem.ts";
import { count } from "../diagnostics/quantities.ts";
import { flagName, shellWord } from "../diagnostics/shell-word.ts";
import { hasProblem } from "../executor/journal/apply-problems.ts";
import type { ApplyEvent } from "../executor/journal/event.ts";
import { guardText, type JudgedBlock } from "../planner/blocks/acks.ts";
import { ambiguousText, applyText, runText } from "../report/apply/apply-text.ts";
import { eventJson, noteJson } from "../report/apply/events-jsonl.ts";
import { unansweredText } from "../report/apply/unanswered-text.ts";
import { planText } from "../report/plan/text.ts";
import type { ApplyHooks, ApplyReport } from "../workflow/apply/apply.ts";
import { exitCodeOfRun } from "../workflow/apply/outcome.ts";
import { isWrite, type RunResult } from "../workflow/apply/run-plan.ts";
import { continueCommand } from "../workflow/apply/runs.ts";
import type { Connection } from "../workflow/connect/connection.ts";
import { type applyFlags, type Flag, type Options, type projectFlags, viewOf } from "./command.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { printError, printSkipped } from "./print-error.ts";
import { printText, type Terminal } from "./terminal.ts";

type ApplyOptions = Options<typeof applyFlags & Pick<typeof projectFlags, "quiet">>;

/** Shows an apply or an undo: the plan, the question, and events as they happen. */
export class ApplyDisplay {
  readonly #terminal: Terminal;
  readonly #options: ApplyOptions;
  readonly #line: CommandLine;
  #blocked: readonly JudgedBlock[] = [];
  #isLooking = false;
  /** Writes of each zone that was begun and has not ended, whose outcome is not known yet. */
  readonly #open = new Map<string, number>();
  readonly #logInterruption = () => {
    const isReading = this.#open.size > 0 && [...this.#open.values()].every((writes) => writes === 0);
    const rest = isReading ? "reading the zones back, without further writes" : "finishing the writes under way";
    this.#terminal.log(`${rest}; Ctrl-C again stops at once\n`);
  };

  constructor(terminal: Terminal, options: ApplyOptions, line: CommandLine) {
    this.#terminal = terminal;
    this.#options = options;
    this.#line = line;
  }

  readonly hooks: ApplyHooks = {
    onPlan: (report) => {
      this.#blocked = report.guards.filter(({ state }) => state === "blocked");
      const { printStyle, printWidth, logStyle, logWidth } = this.#terminal;
      const [style, width] = this.#options.jsonl ? [logStyle, logWidth] : [printStyle, printWidth];
      printSkipped(this.#terminal, report);
      this.print(planText(report, style, viewOf(this.#options, width())));
    },
    confirm: async ({ writes }) => {
      if (!this.#options.yes && !(await isWanted(this.#terminal, writes))) return false;
      this.#terminal.signal.addEventListener("abort", this.#logInterruption);
      return true;
    },
    onEvent: (event) => {
      this.#count(event);
      if (event.kind === "ambiguous" && !this.#isLooking) {
        this.#isLooking = true;
        this.#terminal.log(
          `lost the reply to a write (${ambiguousText(event)}); checking for up to a minute whether it took effect; further lost replies are checked in the same way\n`,
        );
      }
      if (this.#options.jsonl) this.#terminal.print(eventJson(event));
      else {
        const { verbose, quiet } = this.#options;
        const text = applyText(event, this.#terminal.logStyle, verbose ? "verbose" : quiet ? "quiet" : "usual");
        if (text !== "") this.#terminal.log(text);
      }
    },
    onUnanswered: (ms, writes) => this.#terminal.log(unansweredText(ms, writes)),
  };

  /** Runs an apply or undo. The plan already shows why guards block it, so the error counts and names the next step. */
  async run<T>({ notes }: Pick<Connection, "notes">, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.id !== "guard-blocked") throw error;
      throw new ProblemError(blockedProblem(this.#blocked, this.#line));
    } finally {
      this.#terminal.signal.removeEventListener("abort", this.#logInterruption);
      if (this.#options.jsonl) for (const note of notes?.() ?? []) this.#terminal.print(noteJson(note));
    }
  }

  #count(event: ApplyEvent): void {
    const { kind, zone } = event;
    if (kind === "zone-begun") this.#open.set(zone, event.writes);
    else if (isWrite(event)) this.#open.set(zone, (this.#open.get(zone) ?? 1) - 1);
    else if (kind === "zone-done" || kind === "zone-failed" || kind === "zone-stopped") this.#open.delete(zone);
  }

  /** Prints for people; to standard error if standard output is for events. */
  print(text: string): void {
    if (this.#options.jsonl) this.#terminal.log(text);
    else printText(this.#terminal, text);
  }
}

/** The command line as it was given. */
export interface CommandLine {
  /** The command and its arguments. */
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, Flag<unknown>>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The command line with approvals, without defaults and `--yes`, to be pasted into a shell. */
function withAllow({ words, flags, options }: CommandLine, guards: readonly string[]): string {
  const given = Object.entries(flags).flatMap(([name, { initial }]) => {
    const value = options[name];
    if (name === "allow" || name === "yes" || value === undefined || value === false || value === initial) return [];
    return [value].flat().flatMap((one) => (one === true ? [flagName(name)] : [flagName(name), String(one)]));
  });
  const allowed = [options.allow ?? []].flat().flatMap((value) => String(value).toUpperCase().split(","));
  const allow = ["--allow", [...new Set([...allowed, ...guards])].sort().join(",")];
  return ["zonewright", ...words, ...given, ...allow].map(shellWord).join(" ");
}

/** The error of a blocked plan: each guard with the number of its zones, and the command that approves all. */
function blockedProblem(blocked: readonly JudgedBlock[], line: CommandLine): Problem {
  const ids = [...new Set(blocked.map(({ guard }) => guard))].sort();
  const zones = [...new Set(blocked.map(({ zone }) => zone))];
  const parts = ids.map((guard) => {
    const blocks = blocked.filter((block) => block.guard === guard);
    const isCounted = zones.length > 1 && blocks.every(({ zone }) => zone !== "*");
    return `${guardText({ guard })}${isCounted ? ` in ${count(blocks.length, "zone")}` : ""}`;
  });
  const [first] = zones.filter((zone) => zone !== "*");
  const isPlannable = line.words[0] === "apply" && zones.length > 1;
  const one = isPlannable && first ? ` To see one zone: \`zonewright plan ${escapeControl(first.slice(0, -1))}\`.` : "";
  return problem("guard-blocked", `nothing is written: blocked by ${parts.join(", ")}`, {
    detail: `The plan above shows each reason, and the entry for acks.yaml that approves it.${one}`,
    fix: `To approve for this run: \`${withAllow(line, ids)}\`.`,
  });
}

/** Prints how an apply ended. `names` are the arguments of the command. */
export function printApplied(
  terminal: Terminal,
  report: ApplyReport,
  { jsonl, isVerified = false }: Pick<Options<typeof applyFlags>, "jsonl"> & { readonly isVerified?: boolean },
  names: readonly string[] = [],
): ExitCode {
  if (report.state === "empty") return exitCode.done;
  if (report.state === "declined") {
    terminal.log("nothing was written\n");
    return terminal.signal.aborted ? exitCode.interrupted : exitCode.failed;
  }
  const code = printRun(terminal, report.run, { again: retryCommand(report, names), jsonl, isVerified });
  if (report.run.journalFailure) printError(terminal, report.run.journalFailure);
  return code;
}

/** `again` is the command that continues the run; `isVerified`: name servers are asked afterwards. */
function printRun(
  terminal: Terminal,
  run: RunResult,
  {
    again,
    jsonl,
    isVerified,
  }: { readonly again: string; readonly jsonl: boolean | undefined; readonly isVerified: boolean },
): ExitCode {
  const { log, signal } = terminal;
  const { differing, errors, unanswered, isInterrupted } = run;
  const text = runText(run);
  const they = unanswered.length === 1 ? "it" : "they";
  const next = `\`${again}\`${unanswered.length === 0 ? "" : `, which first checks whether ${they} took effect`}`;
  if (isInterrupted) log(`${text}. For the rest, run ${next}.\n`);
  else if (errors.length > 0 && errors.every(isOvertaken)) log(`${text}. Review a new plan: run \`${again}\`.\n`);
  else if (errors.length > 0)
    log(`${text}. Fix the ${errors.length === 1 ? "error" : "errors"} above, then run ${next}.\n`);
  else if (differing.length > 0) log(`${text}. Run \`zonewright plan\` to see what differs.\n`);
  else {
    if (signal.aborted && !isVerified) log("interrupted after the last write: nothing is left to do\n");
    if (!jsonl) printText(terminal, `${text}\n`);
  }
  return exitCodeOfRun(run);
}

/** The command that continues an unfinished run. */
function retryCommand(
  { about, run: { errors } }: Extract<ApplyReport, { state: "run" }>,
  names: readonly string[],
): string {
  const isChanged = errors.some(isOvertaken);
  const gone = errors.filter((error) => hasProblem(error, "zone-gone")).length;
  const leaving = gone === 0 ? undefined : gone === errors.length ? "all" : "some";
  return commandLine(continueCommand({ ...about, leaving, isChanged }, names.map(escapeControl)));
}

/** Whether someone else changed what an error is about, so that a new plan has to be reviewed. */
function isOvertaken(error: unknown): boolean {
  return hasProblem(error, "live-changed");
}

async function isWanted(terminal: Terminal, writes: number): Promise<boolean> {
  if (!terminal.ask)
    throw usageError("no terminal to confirm on: review the plan, then run the same command with --yes.");
  const answer = await terminal.ask(`Apply ${count(writes, "write")}? [y/N] `).catch(() => undefined);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}
