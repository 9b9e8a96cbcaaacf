import { escapeControl } from "../diagnostics/escape.ts";
import { summaryText, usageError } from "../diagnostics/problem.ts";
import { count } from "../diagnostics/quantities.ts";
import type { Project } from "../workflow/project/project.ts";
import { type ReceivedZone, validateReceived } from "../workflow/snapshot/validate-received.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** A name server that has each new version of a zone checked by a program. */
interface Hook {
  /** The variable with the name of the zone; absent if the name is an argument. */
  readonly variable?: string;
  /** The variable that says whether the zone is on standard input, and the setting that puts it there. */
  readonly feed?: readonly [variable: string, setting: string];
}

const hooks = {
  nsd: { variable: "VERIFY_ZONE", feed: ["VERIFY_ZONE_ON_STDIN", "`verifier-feed-zone: yes`"] },
  knot: {},
  cascade: { variable: "CASCADE_ZONE" },
} as const satisfies Record<string, Hook>;

export type HookName = keyof typeof hooks;

export const hookNames = Object.keys(hooks) as HookName[];

/** The most errors that go into the log of the name server. */
const mostLines = 20;

/**
 * Checks the zone on standard input for a name server: silent if it is valid; otherwise a line for each error, and an
 * exit code that refuses the zone. Nothing is asked or written.
 * @throws {ProblemError} `usage`
 */
export async function validateForServer(
  terminal: Terminal,
  project: Project,
  name: HookName,
  words: readonly string[],
): Promise<ExitCode> {
  const zone: ReceivedZone = { name: zoneOf(terminal, name, words), text: await terminal.readInput() };
  const errors = validateReceived(project, zone);
  const shown = escapeControl(zone.name.replace(/(?<=.)\.$/, ""));
  for (const error of errors.slice(0, mostLines))
    terminal.log(`${shown}: error[${error.id}] ${escapeControl(summaryText(error, "cli"))}\n`);
  if (errors.length > mostLines) terminal.log(`${shown}: ${count(errors.length - mostLines, "more error")}\n`);
  return errors.length > 0 ? exitCode.invalid : exitCode.done;
}

function zoneOf({ env }: Pick<Terminal, "env">, name: HookName, words: readonly string[]): string {
  const { variable, feed }: Hook = hooks[name];
  const [word, ...more] = words;
  if (variable === undefined) {
    if (word === undefined || more.length > 0) throw usageError(`--hook ${name} needs the name of one zone.`);
    return word;
  }
  if (word !== undefined)
    throw usageError(`--hook ${name} takes the name of the zone from ${variable}: leave out ${escapeControl(word)}.`);
  const zone = env[variable];
  if (!zone) throw usageError(`--hook ${name} takes the name of the zone from ${variable}, which the server sets.`);
  if (feed && env[feed[0]] !== "yes")
    throw usageError(
      `--hook ${name} reads the zone from standard input: set ${feed[1]} in the configuration of the server.`,
    );
  return zone;
}
