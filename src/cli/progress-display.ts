import { progressBar, progressLog, silenceText, waitText } from "../report/apply/progress.ts";
import { columns } from "../report/text/columns.ts";
import type { ProgressEvent } from "../workflow/project/progress.ts";
import { reportOnce } from "../workflow/project/run-context.ts";
import type { Ask, Terminal } from "./terminal.ts";

/**
 * How progress is shown: in place on a terminal, as lines in the log of a CI, only the waits for a service, or not at
 * all.
 */
export type ProgressMode = "bar" | "lines" | "waits" | "none";

/** Progress goes to standard error: to a terminal, or to a log where `CI` is set; to other pipes only waits. */
export function progressMode({ env, logWidth }: Pick<Terminal, "env" | "logWidth">, isQuiet: boolean): ProgressMode {
  if (isQuiet) return "none";
  if (env.CI && env.CI !== "false" && env.CI !== "0") return "lines";
  return logWidth() !== undefined && env.TERM !== "dumb" ? "bar" : "waits";
}

/** Tasks that take longer than this are shown, in milliseconds. */
const firstMs = 2_000;
/** Intervals between updates of the bar, and between lines of a log. */
const pauseMs = { bar: 250, lines: 10_000 };
/** Interval of updates while nothing is reported, such as during a request that hangs. */
const tickMs = 1_000;

/**
 * Shows the progress of a command. All other output of the command must use `terminal`, which removes the bar first.
 * The cursor is never hidden, so that nothing has to be restored when the program is killed.
 */
export class ProgressDisplay {
  readonly terminal: Terminal;
  readonly #given: Terminal;
  readonly #mode: ProgressMode;
  #begun: number | undefined;
  /** The latest progress; undefined while the user is asked. */
  #event: ProgressEvent | undefined;
  #taskBegun = 0;
  /** When it was reported. */
  #reported = 0;
  #next = 0;
  #stopTicks: (() => void) | undefined;
  /** Columns of the bar that is shown. */
  #shown = 0;

  constructor(given: Terminal, mode: ProgressMode) {
    this.#given = given;
    this.#mode = mode;
    const { print, ask } = given;
    const clearBefore =
      <A extends unknown[], R>(write: (...args: A) => R) =>
      (...args: A) => {
        this.clear();
        return write(...args);
      };
    const log = clearBefore(given.log);
    this.terminal = {
      ...given,
      print: clearBefore(print),
      log,
      ask:
        ask &&
        clearBefore((...question: Parameters<Ask>) => {
          this.#event = undefined;
          return ask(...question);
        }),
      // Few commands have such a note, and it needs much.
      onNote: reportOnce((note) => {
        void import("./print-error.ts").then(({ printProblems }) => printProblems({ ...given, log }, [note]));
      }),
      onWait: (why, seconds) => log(`${waitText(why, seconds)}\n`),
      ...(mode !== "none" && { onSilence: (origin, seconds) => log(`${silenceText(origin, seconds)}\n`) }),
      ...((mode === "bar" || mode === "lines") && { onProgress: (event) => this.#show(event) }),
    };
  }

  #show(event: ProgressEvent): void {
    const now = this.#given.now().getTime();
    const last = this.#event;
    this.#begun ??= now;
    this.#event = event;
    if (event.task !== last?.task) {
      this.#taskBegun = now;
      if (this.#mode === "bar") this.#next = now;
    }
    this.#reported = now;
    this.#stopTicks ??= this.#given.repeat(tickMs, () => this.#draw(this.#given.now().getTime()));
    this.#draw(now);
  }

  #draw(now: number): void {
    const event = this.#event;
    if (event === undefined || this.#begun === undefined) return;
    if (now < this.#next || now < this.#begun + (this.#mode === "bar" ? firstMs : pauseMs.lines)) return;
    const seconds = (now - this.#taskBegun) / 1000;
    const idleSeconds = (now - this.#reported) / 1000;
    if (this.#mode === "lines") {
      this.#next = now + pauseMs.lines;
      this.#given.log(`${progressLog({ event, seconds, idleSeconds })}\n`);
      return;
    }
    this.#next = now + pauseMs.bar;
    const { logStyle: style, logWidth, log } = this.#given;
    const bar = progressBar({ event, seconds, idleSeconds }, { width: logWidth() ?? 80, style });
    log(this.#erasure() + bar);
    this.#shown = columns(bar);
  }

  /** Removes the bar, which no further progress brings back. */
  end(): void {
    this.#stopTicks?.();
    this.clear();
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#shown > 0) this.#given.log(this.#erasure());
    this.#shown = 0;
  }

  /** If the terminal has become narrower meanwhile, the bar is wrapped over several rows. */
  #erasure(): string {
    if (this.#shown === 0) return "";
    const rows = Math.ceil(this.#shown / (this.#given.logWidth() ?? 80));
    return rows > 1 ? `\r\u001b[${rows - 1}A\u001b[J` : "\r\u001b[K";
  }
}
