import { createRedactor } from "../client/secret.ts";
import { plain } from "../diagnostics/plain.ts";
import { ProblemError } from "../diagnostics/problem.ts";
import { problemsText } from "../report/findings.ts";
import type { Context } from "./context.ts";
import { codesOfKinds, type ExitCode, exitCode } from "./exit-code.ts";
import { lineOfFile } from "./source-lines.ts";

/** Says how a run failed: known errors are sentences, unknown ones keep their stack. Gives the exit code. */
export function tell(context: Context, error: unknown): ExitCode {
  if (!(error instanceof ProblemError)) context.talk(`${unknownText(context, error)}\n`);
  else if (isUsage(error)) context.talk(`${error.message}\n`);
  else context.talk(problemsText(error.problems, lineOfFile(context.cwd), context.talkStyle));
  return codeOf(error);
}

/** Is the command line at fault? Then one sentence is enough. */
export function isUsage({ problem }: ProblemError): boolean {
  return problem.kind === "usage";
}

/** An error that nobody foresaw: its stack, with nothing in it that a terminal obeys and without the token. */
export function unknownText({ env }: Pick<Context, "env">, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = createRedactor(env.ZONEWRIGHT_TOKEN?.trim()).text(stack).split("\n").map(plain).join("\n");
  return `internal error in zonewright; please report it with this text:\n${text}`;
}

/** The exit code of a run that ended with an error: that of its problems' kinds, the first in the order of `codesOfKinds`. */
export function codeOf(error: unknown): ExitCode {
  if (!(error instanceof ProblemError)) return exitCode.failed;
  const kinds = new Set(error.problems.map(({ kind }) => kind));
  return codesOfKinds.find(([kind]) => kinds.has(kind))?.[1] ?? exitCode.failed;
}
