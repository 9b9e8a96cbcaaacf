import type { Problem } from "../diagnostics/problem.ts";
import type { PlanView } from "../report/plan/text.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** A flag as the help shows it. `T` is the type of its value; with `undefined` the flag is optional. */
export interface Flag<T> {
  readonly summary: string;
  /** The value's name in the help, such as `<file>`; absent for switches. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Values that the shell completes, although others are allowed. */
  readonly suggestions?: readonly string[];
  readonly initial?: T;
  readonly isRepeatable?: true;
  readonly isRequired?: true;
  /** Accepted or refused with a sentence for one more version; not in the help. */
  readonly isFormer?: true;
}

/** `--yes` */
export function flag(summary: string): Flag<boolean | undefined> {
  return { summary };
}

/** `--out <file>` */
export function text(value: string, summary: string): Flag<string | undefined>;
export function text(value: string, summary: string, initial: string): Flag<string>;
export function text(value: string, summary: string, initial?: string): Flag<string | undefined> {
  return { value, summary, ...(initial !== undefined && { initial }) };
}

/** A repeatable flag. */
export function list(value: string, summary: string): Flag<string[] | undefined> {
  return { value, summary, isRepeatable: true };
}

/** `--report <format>`, with a fixed list of values. */
export function choice<const T extends string>(
  value: string,
  choices: readonly T[],
  summary: string,
): Flag<T | undefined>;
export function choice<const T extends string>(
  value: string,
  choices: readonly T[],
  summary: string,
  initial: NoInfer<T>,
): Flag<T>;
export function choice(value: string, choices: readonly string[], summary: string, initial?: string): Flag<unknown> {
  return { value, summary, choices, ...(initial !== undefined && { initial }) };
}

/** A required flag. */
export function requireFlag<T>(optional: Flag<T | undefined>): Flag<T> {
  return { ...optional, isRequired: true } as Flag<T>;
}

/** A flag of the last version, which only old command lines have. */
export function former<T>(flag: Flag<T>): Flag<T> {
  return { ...flag, isFormer: true };
}

/** The flags that the help lists, by the names they are declared with. */
export function listFlags({ flags = {} }: Command): [name: string, flag: Flag<unknown>][] {
  return Object.entries(flags).filter(([, { isFormer }]) => !isFormer);
}

type ValueOf<F> = F extends Flag<infer T> ? T : never;

/** The values of flags, by the names they are declared with: `dnsRateLimit` is `--dns-rate-limit`. */
export type Options<F> = {
  readonly [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: Exclude<ValueOf<F[K]>, undefined>;
};

type NameOf<K> = K extends `[${infer N}...]` | `<${infer N}...>`
  ? N
  : K extends `[${infer N}]` | `<${infer N}>`
    ? N
    : never;

/** The values of arguments: `<file>` is a string, `[run]` may be undefined, `[zones...]` and `<words...>` are lists. */
export type Arguments<A> = {
  readonly [K in keyof A as NameOf<K>]: K extends `[${string}...]` | `<${string}...>`
    ? readonly string[]
    : K extends `<${string}>`
      ? string
      : string | undefined;
};

/** The interface of the program for its commands. */
export interface Program {
  /** Runs another command. */
  run(terminal: Terminal, argv: readonly string[]): Promise<ExitCode>;
  /** Loads every command, including those of groups, which follow the command of the group itself. */
  describe(): Promise<readonly DescribedCommand[]>;
  /** The words of this command, without the program. */
  readonly argv: readonly string[];
}

/** A command with its full name, such as `server token create`. */
export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly command: Command;
}

/** A command: its help, arguments, flags and implementation. */
export interface Command<
  A extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
  F extends Readonly<Record<string, Flag<unknown>>> = Readonly<Record<string, Flag<unknown>>>,
> {
  /** The lines under "Example:" at the head of the help. */
  readonly example: string;
  /** Lines at the end of the help. */
  readonly notes?: string;
  /** Summaries, by `<name>`, `[name]` or `[names...]`. */
  readonly arguments?: A;
  readonly flags?: F;
  run(terminal: Terminal, args: Arguments<A>, options: Options<F>, program: Program): ExitCode | Promise<ExitCode>;
  /** The end of the message after `interrupted: `; by default "no further writes are sent". */
  readonly interruption?: string;
  /**
   * Reports the problems of a failed command to programs: writes the reports that go to files, and returns the one for
   * standard output.
   */
  reportProblems?(problems: readonly Problem[], options: Options<F>, terminal: Terminal): Promise<string | undefined>;
}

/** A command whose `run` is typed by its flags and arguments. */
export function defineCommand<
  const A extends Readonly<Record<string, string>> = Record<never, string>,
  const F extends Readonly<Record<string, Flag<unknown>>> = Record<never, Flag<unknown>>,
>(command: Command<A, F>): Command {
  return command;
}

/** A group of commands, such as `token`, or of further groups. */
export interface CommandGroup {
  /** The lines under "Example:" at the head of the help; by default those of all its commands. */
  readonly example?: string;
  /** The command that runs without one of `commands`, such as `api`, which lists them. */
  readonly self?: Command;
  /** Summary and command, by name. */
  readonly commands: Readonly<Record<string, readonly [summary: string, command: Command | CommandGroup]>>;
}

/** Flags that several commands share. */
export const projectFlags = {
  config: text("<file>", "config file", "zonewright.yaml"),
  zones: list("<folder>", "folder with zone files, instead of those in the config; repeatable"),
  quiet: flag("hide progress, and lines about zones or files that are done"),
};
export const apiFlags = {
  target: list("<target>", "use only this target of the config; repeatable"),
  apiUrl: text("<url>", "scheme and host of the API, without /v4"),
  tokenFile: text("<file>", "file with the token"),
};
export const verifyFlags = {
  nameserver: list("<server>", "ask this server (HOST or HOST:PORT) instead of the zone's own; repeatable"),
  wait: text("<time>", "maximum time to wait for every server to answer", "1m"),
};
/** The former name of `--snapshot`. */
export const base = former(text("<file>", "a snapshot, now --snapshot"));
/** The snapshot that `--snapshot` names, or its former name. */
export function snapshotOf(terminal: Terminal, { snapshot, base }: { snapshot?: string; base?: string }) {
  if (base !== undefined) terminal.log("note: --base is now --snapshot; the old form ends with the next version\n");
  return snapshot ?? base;
}
export const strict = flag("make it an error when the API would round a TTL");
export const allow = list("<guards>", "approve what these guards block, for example G01,G05");
export const deleteZone = list("<name>", "delete this domain, which has no zone file; repeatable");
export const skipInvalid = flag("leave out zones with errors, and zones that need them, and exit with 5");
export const viewFlags = {
  wide: flag("show every change on one line, with its values in full, as in a pipe"),
  summary: flag("show one line per zone, the default on a terminal for more than 200 changes"),
};
export const viewNotes = `Changes are listed by zone, in the order of their writes. The number before each
is its step, counted through all zones: a step waits only for smaller numbers.
Changes with the same number are one write. On a terminal, lines fit its width
and long values are shortened in the middle. In a pipe, and with --wide, each
change is one line with its values in full. "effects" is a digest of all
changes: two plans with the same digest change the same things.
`;
/** The level of detail of a plan, by `viewFlags` and the columns of the terminal. */
export function viewOf({ wide, summary }: Options<typeof viewFlags>, width: number | undefined): PlanView {
  return { width: wide ? undefined : width, isSummary: summary };
}
export const applyFlags = {
  ...viewFlags,
  yes: flag("apply without asking for confirmation"),
  verbose: flag("print one line per write"),
  jsonl: flag("report events as lines of JSON on standard output"),
};
