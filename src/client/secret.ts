import { inspect } from "node:util";
import { plain } from "../diagnostics/plain.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";

/**
 * The `Authorization` header for a token (first document, Authentication).
 * @throws {ProblemError} if the token is not valid in a header; it is not quoted.
 */
export function bearer(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ProblemError(
      problem("client/token", "the token is empty, or contains a space, a line break or a character outside ASCII", {
        fix: "Set ZONEWRIGHT_TOKEN to the token only.",
      }),
    );
  }
  return `Bearer ${token}`;
}

/** Removes the secret from untrusted text in errors. */
export interface Redactor {
  text(text: string): string;
  /** A short excerpt of a text: one line, escaped, truncated. */
  quote(text: string, longest?: number): string;
  /** The error itself if it does not contain the secret, else a copy without it: name, code, message, stack, causes. */
  error(error: unknown): unknown;
}

/** Shorter tokens occur in tests only, and removing them would break words. */
const shortest = 8;
const deepest = 8;

export function createRedactor(secret: string | undefined): Redactor {
  const hidden = secret !== undefined && secret.length >= shortest ? secret : undefined;
  const redact = (text: string) => (hidden === undefined ? text : text.replaceAll(hidden, "[token]"));

  const copy = (error: unknown, depth = 0): unknown => {
    if (error === undefined || depth > deepest) return undefined;
    if (!(error instanceof Error)) return redact(String(error));
    const clean = new Error(redact(error.message), { cause: copy(error.cause, depth + 1) });
    clean.name = redact(error.name);
    clean.stack = redact(error.stack ?? "");
    return "code" in error ? Object.assign(clean, { code: redact(String(error.code)) }) : clean;
  };

  return {
    text: redact,
    quote: (text, longest = 80) => {
      const characters = [...redact(text).replace(/\s+/g, " ").trim()];
      return plain(characters.length <= longest ? characters.join("") : `${characters.slice(0, longest).join("")}…`);
    },
    error: (error) => (hidden !== undefined && inspect(error, whole).includes(hidden) ? copy(error) : error),
  };
}

const whole = { depth: deepest, showHidden: true, maxArrayLength: null, maxStringLength: null };
