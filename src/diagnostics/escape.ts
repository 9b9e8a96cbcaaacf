/**
 * Untrusted text, safe to show on a terminal or in a log. Control characters, ANSI sequences, line breaks and invisible
 * characters, such as bidirectional overrides, become visible escapes (`\x1b`, `\u202e`), and so does the start of a
 * command that a CI obeys anywhere in a line (`##[…]`, `##vso[…]`).
 */
export function escapeControl(text: string): string {
  return text.replace(hostile, escapeCharacter).replace(/##(?=(?:vso)?\[)/gi, "#\\x23");
}

/**
 * Untrusted text for a page in a browser. Control characters, line ends and bidirectional controls become visible
 * escapes; all else remains as written, such as the joiners of Persian and of emoji.
 */
export function escapeOnPage(text: string): string {
  return text.replace(hostileOnPage, escapeCharacter);
}

/** JSON, or YAML in double quotes, with the same characters escaped, such as `\u202e`. */
export function escapeQuoted(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|#(?=#(?:vso)?\[)/gi,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A line that starts with untrusted text: GitHub Actions runners obey lines that begin with `::`, even after spaces.
 */
export function escapeLine(text: string): string {
  return escapeControl(text).replace(/^(\s*):(?=:)/, "$1\\x3a");
}

/** Escapes each line of a text, such as a message with untrusted text in it. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeLine).join("\n");
}

/** Control characters, line ends, surrogates, and characters that are invisible (Unicode: default ignorable). */
const hostile = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\ufff9-\uffff\ud800-\udfff\p{Default_Ignorable_Code_Point}]/gu;

/** Control characters, line ends, and the controls of bidirectional text. */
const hostileOnPage = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 256) return `\\x${digits.padStart(2, "0")}`;
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
}
