import { createRedactor, tokenSecrets } from "../client/secret.ts";
import { plainLines } from "../diagnostics/plain.ts";
import type { RunContext } from "./run-context.ts";

/** The stack of an unexpected error, without the token and without control characters. */
export function internalErrorText({ env }: Pick<RunContext, "env">, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = plainLines(createRedactor(tokenSecrets(env.ZONEWRIGHT_TOKEN?.trim())).text(stack));
  return `internal error in zonewright; please report it with this text:\n${text}`;
}
