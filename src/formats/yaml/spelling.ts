import { type Document, Scalar } from "yaml";
import { plain, plainQuoted } from "../../diagnostics/plain.ts";

/**
 * Line breaks, what cannot be seen and what a CI takes for a command are written as escapes or in quotes, so that a zone
 * file looks like what it says.
 */
export function quoteOdd(scalar: Scalar): void {
  if (typeof scalar.value === "string" && isOdd(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
}

export function isOdd(text: string): boolean {
  return /[\p{C}\p{Zl}\p{Zp}]|^::/u.test(text) || plain(text) !== text;
}

/** The document as text, each scalar on one line. */
export function spelled(document: Document): string {
  return plainQuoted(document.toString(options));
}

const options = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  flowCollectionPadding: false,
} as const;
