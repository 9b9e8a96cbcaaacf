import { createRedactor } from "../client/secret.ts";
import { plain } from "../diagnostics/plain.ts";
import { ProblemError } from "../diagnostics/problem.ts";
import { UsageError } from "../diagnostics/usage-error.ts";
import { diagnosticsText } from "../report/findings.ts";
import type { Context } from "./context.ts";
import { codesOfKinds, type ExitCode, exitCode } from "./exit-code.ts";
import { lineOfFile } from "./source-lines.ts";

/** Says how a run failed: known errors are sentences, unknown ones keep their stack. Gives the exit code. */
export function tell(context: Context, error: unknown): ExitCode {
  if (error instanceof ProblemError)
    context.talk(diagnosticsText(error.problems, lineOfFile(context.cwd), context.talkStyle));
  else if (error instanceof UsageError) context.talk(`${error.message}\n`);
  else context.talk(`${unknownText(context, error)}\n`);
  return codeOf(error);
}

/** An error that nobody foresaw: its stack, with nothing in it that a terminal obeys and without the token. */
export function unknownText({ env }: Pick<Context, "env">, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = createRedactor(env.ZONEWRIGHT_TOKEN?.trim()).text(stack).split("\n").map(plain).join("\n");
  return `internal error in zonewright; please report it with this text:\n${text}`;
}

/** The exit code of a run that ended with an error: that of its problems' kinds, the first in the order of `codesOfKinds`. */
export function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCode.usage;
  if (!(error instanceof ProblemError)) return exitCode.failed;
  const kinds = new Set(error.problems.map(({ kind }) => kind));
  return codesOfKinds.find(([kind]) => kinds.has(kind))?.[1] ?? exitCode.failed;
}
