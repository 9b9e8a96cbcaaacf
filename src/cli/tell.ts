import { ApiError } from "../client/api-error.ts";
import { ClientError } from "../client/client-error.ts";
import { Refusal } from "../diagnostics/diagnostic.ts";
import { diagnosticsText } from "../report/findings.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCode, UsageError } from "./exit-code.ts";
import { lineOfFile } from "./source-lines.ts";

/** Says how a run failed: known errors are sentences, unknown ones keep their stack. Gives the exit code. */
export function tell(context: Context, error: unknown): ExitCode {
  if (error instanceof Refusal)
    context.talk(diagnosticsText(error.diagnostics, lineOfFile(context.cwd), context.talkStyle));
  else if (error instanceof UsageError) context.talk(`${error.message}\n`);
  else {
    const stack = error instanceof Error ? error.stack : String(error);
    context.talk(`zonewright met an error that it does not know. Please report it with this text:\n${stack}\n`);
  }
  return codeOf(error);
}

/** The code of a run that ended with an error: what the user gave cannot be used, or what was asked for did not happen. */
export function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCode.usage;
  if (error instanceof ApiError && (error.kind === "rate" || error.kind === "maintenance")) return exitCode.tryLater;
  if (error instanceof ClientError || !(error instanceof Refusal)) return exitCode.failed;
  return exitCode.invalid;
}
