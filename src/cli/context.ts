import type { Style } from "../report/palette.ts";

/** The world around one run of the program. Everything that a command needs of the process comes through here. */
export interface Context {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Data: what other programs read. */
  readonly out: (text: string) => void;
  /** Talk: what a person reads. */
  readonly talk: (text: string) => void;
  readonly outStyle: Style;
  readonly talkStyle: Style;
  /** Asks a question on the terminal; undefined where nobody can answer. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Aborts when the user wants to stop. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** 32 hexadecimal digits that nobody has had before. */
  readonly nonce: () => string;
  /** Waits, in milliseconds; ends early when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** How many columns the terminal has that talk goes to; undefined where it is none. */
  readonly width: number | undefined;
  /** This process, and whether another one of this machine still runs. */
  readonly pid: number;
  readonly isAlive: (pid: number) => boolean;
}
