import { inspect } from "node:util";
import type { Endpoint } from "../contract/endpoint.ts";
import { isSecret } from "../contract/meta.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import { problemError } from "../diagnostics/problem.ts";

/**
 * The `Authorization` header for a token (decisions/documents#authentication).
 * @throws {ProblemError} if the token is not valid in a header; it is not quoted.
 */
export function bearer(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw problemError(
      "client/token",
      "the token is empty, or contains a space, a line break or a character outside ASCII",
      {
        fix: "Replace it with the token only.",
      },
    );
  }
  return `Bearer ${token}`;
}

/** A value that errors omit. */
export interface Secret {
  /** Shown in its place, such as `token`. */
  readonly name: string;
  readonly value: string;
}

/** Shorter tokens occur in tests only, and removing them would break words. */
export function tokenSecrets(token: string | undefined): Secret[] {
  return token !== undefined && token.length >= shortest ? [{ name: "token", value: token }] : [];
}

/** The values of the secret fields of a request's body. */
export function secretsOf({ body: schema }: Endpoint, body: unknown): Secret[] {
  const fields = Object.entries(schema?.shape ?? {}).filter(([, type]) => isSecret(type));
  return fields.flatMap(([name]) => {
    const value = (body as Readonly<Record<string, unknown>> | undefined)?.[name];
    return typeof value === "string" && value !== "" ? { name, value } : [];
  });
}

/** Removes secrets from untrusted text in errors. */
export interface Redactor {
  text(text: string): string;
  /** A short excerpt of a text: one line, escaped, truncated. */
  quote(text: string, longest?: number): string;
  /** The error itself if it contains no secret, else a copy without them: name, code, message, stack, causes. */
  error(error: unknown): unknown;
}

/** Shorter values of fields, such as the verification value of a card, are removed only where they are whole words. */
const shortest = 8;
const deepest = 8;

export function createRedactor(secrets: readonly Secret[]): Redactor {
  const patterns = secrets.map(({ name, value }) => {
    const spellings = [value, JSON.stringify(value).slice(1, -1)].map(escapePattern).join("|");
    const pattern = value.length < shortest ? `(?<![\\p{L}\\p{N}])(?:${spellings})(?![\\p{L}\\p{N}])` : spellings;
    return [new RegExp(pattern, "gu"), `[${name}]`] as const;
  });
  const redact = (text: string) => patterns.reduce((rest, [pattern, name]) => rest.replace(pattern, () => name), text);

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
      return escapeControl(
        characters.length <= longest ? characters.join("") : `${characters.slice(0, longest).join("")}…`,
      );
    },
    error: (error) => {
      const shown = inspect(error, whole);
      return redact(shown) === shown ? error : copy(error);
    },
  };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

const whole = { depth: deepest, showHidden: true, maxArrayLength: null, maxStringLength: null };
