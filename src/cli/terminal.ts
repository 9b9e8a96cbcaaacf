import type { Key } from "node:readline";
import type { Readable } from "node:stream";
import { fitLines } from "../report/text/columns.ts";
import type { Style } from "../report/text/palette.ts";
import type { RunContext } from "../workflow/project/run-context.ts";

/** The interface of a command to its process, in a terminal or a pipe. */
export interface Terminal extends RunContext {
  /** Writes data to standard output, where other programs read it. */
  readonly print: (text: string) => void;
  /** Writes messages for people to standard error, in lines that fit a terminal unless they are exact. */
  readonly log: (text: string, form?: "exact") => void;
  readonly printStyle: Style;
  readonly logStyle: Style;
  /** Asks a question; undefined without a terminal. */
  readonly ask: Ask | undefined;
  /** Reads standard input to its end, as UTF-8; @throws the reason of the signal, when it aborts. */
  readonly readInput: () => Promise<string>;
  /** Current columns of standard output; undefined if it is not a terminal. */
  readonly printWidth: () => number | undefined;
  /** Current columns of standard error; undefined if it is not a terminal. */
  readonly logWidth: () => number | undefined;
}

/** Asks a question; a secret answer is not shown. The answer is undefined when the input has ended. */
export type Ask = (question: string, kind?: "secret") => Promise<string | undefined>;

/** The terminal of a process, with lines of messages that fit its width. */
export function fitMessages(given: Terminal): Terminal {
  const { log, logWidth } = given;
  return { ...given, log: (text, form) => log(form === "exact" ? text : fitLines(text, logWidth()), form) };
}

/** Writes text for people to standard output, in lines that fit a terminal. Data is printed as it is. */
export function printText({ print, printWidth }: Pick<Terminal, "print" | "printWidth">, text: string): void {
  print(fitLines(text, printWidth()));
}

/** A stream of the process that may lead to a terminal. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly _refreshSize?: () => void;
}

/**
 * Columns of a stream's terminal; 80 if they are unknown. Node learns of a new size only from the event loop, which
 * waits while files are read, so the size is queried.
 */
export function widthOf(stream: Output): number | undefined {
  if (!stream.isTTY) return undefined;
  stream._refreshSize?.();
  return stream.columns || 80;
}

/** The style of a stream, from the conventional variables (no-color.org, force-color.org, POSIX locales). */
export function styleOf({ isTTY }: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): Style {
  const { NO_COLOR, FORCE_COLOR, TERM, LC_ALL, LC_CTYPE, LANG } = env;
  const wanted = FORCE_COLOR ? FORCE_COLOR !== "0" : isTTY === true && TERM !== "dumb";
  const locale = LC_ALL || LC_CTYPE || LANG;
  return { color: wanted && !NO_COLOR, unicode: locale !== "C" && locale !== "POSIX" && TERM !== "linux" };
}

/** The most octets that are read from standard input, as from a file. */
const largestInput = 256 * 1024 * 1024;

/**
 * Reads a stream to its end. @throws {ProblemError} `file-read` if it is not UTF-8, or has more octets than `largest`;
 * and the reason of the signal
 */
export async function readAll(input: Readable, signal: AbortSignal, largest = largestInput): Promise<string> {
  const { isUtf8 } = await import("node:buffer");
  const { addAbortSignal } = await import("node:stream");
  const { problemError } = await import("../diagnostics/problem.ts");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of addAbortSignal(signal, input)) {
    const octets = Buffer.from(chunk);
    length += octets.length;
    chunks.push(octets);
    if (length <= largest) continue;
    const fix = "Name a smaller input, or the file that has it.";
    throw problemError("file-read", `standard input has more than ${largest} bytes, the limit`, { fix });
  }
  const octets = Buffer.concat(chunks);
  if (isUtf8(octets)) return octets.toString();
  throw problemError("file-read", "standard input is not UTF-8", { fix: "Convert it to UTF-8." });
}

/**
 * Asks a question on a terminal; the end of the input (Ctrl-D) is no answer. Ctrl-C there reaches no signal handler, so
 * it calls `interrupt`.
 */
export function createAsk(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, interrupt: () => void): Ask {
  return async (question, kind) => {
    const { createInterface } = await import("node:readline");
    const { Writable } = await import("node:stream");
    return new Promise((resolve) => {
      const echo = kind === "secret" ? new Writable({ write: (_, __, done) => done() }) : output;
      const terminal = createInterface({ input, output: echo, terminal: true });
      // An end of the input from before the question: the terminal's driver turns it into NUL.
      const onKey = (_: unknown, { sequence }: Key) => {
        if (sequence === "\0") terminal.close();
      };
      input.on("keypress", onKey);
      terminal.once("SIGINT", () => {
        interrupt();
        terminal.close();
      });
      terminal.once("close", () => {
        input.removeListener("keypress", onKey);
        output.write("\n"); // the cursor is still after the question
        resolve(undefined);
      });
      if (kind === "secret") output.write(question);
      terminal.question(question, (answer) => {
        input.removeListener("keypress", onKey);
        terminal.removeAllListeners("close");
        terminal.close();
        if (kind === "secret") output.write("\n");
        resolve(answer);
      });
    });
  };
}
