import type { Style } from "../report/palette.ts";
import type { RunContext } from "../workflow/run-context.ts";

/** A run in a terminal or a pipe. Everything that a command needs of the process comes through here. */
export interface Context extends RunContext {
  /** Data: what other programs read. */
  readonly out: (text: string) => void;
  /** Messages for people. */
  readonly talk: (text: string) => void;
  readonly outStyle: Style;
  readonly talkStyle: Style;
  /** Asks a question on the terminal; undefined where nobody can answer. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** How many columns the terminal has that messages go to; undefined where it is none. */
  readonly width: number | undefined;
}
