import { createRedactor } from "../client/secret.ts";
import { Refusal } from "../diagnostics/diagnostic.ts";
import { plain } from "../diagnostics/plain.ts";
import { UsageError } from "../diagnostics/usage-error.ts";
import { diagnosticsText } from "../report/findings.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { lineOfFile } from "./source-lines.ts";

/** Says how a run failed: known errors are sentences, unknown ones keep their stack. Gives the exit code. */
export function tell(context: Context, error: unknown): ExitCode {
  if (error instanceof Refusal)
    context.talk(diagnosticsText(error.diagnostics, lineOfFile(context.cwd), context.talkStyle));
  else if (error instanceof UsageError) context.talk(`${error.message}\n`);
  else context.talk(`${unknownText(context, error)}\n`);
  return codeOf(error);
}

/** An error that nobody foresaw: its stack, with nothing in it that a terminal obeys and without the token. */
export function unknownText({ env }: Pick<Context, "env">, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = createRedactor(env.ZONEWRIGHT_TOKEN?.trim()).text(stack).split("\n").map(plain).join("\n");
  return `zonewright met an error that it does not know. Please report it with this text:\n${text}`;
}

/** The code of a run that ended with an error: what the user gave cannot be used, or what was asked for did not happen. */
export function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCode.usage;
  if (!(error instanceof Refusal)) return exitCode.failed;
  const rules = error.diagnostics.map(({ rule }) => rule);
  if (rules.some((rule) => later.test(rule))) return exitCode.tryLater;
  if (rules.some((rule) => rule.startsWith("plan-") || rule === "live-changed")) return exitCode.planRefused;
  return rules.some((rule) => circumstances.test(rule)) ? exitCode.failed : exitCode.invalid;
}

const later = /^(?:api\/(?:rate|maintenance)|run-locked)$/;

/** What is not about what the user gave: the service and the way to it, what it holds, the disk, the port. */
const circumstances =
  /^(?:(?:api|transport)\/.+|client\/list-changed|live-record|waits-in-vain|zone-not-served|journal-write|not-rendered|file-write|store-.+|backup-.+|listen)$/;
