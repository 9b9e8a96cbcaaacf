import { createHash } from "node:crypto";
import { escapeControl } from "../../diagnostics/escape.ts";
import { shorten } from "../text/columns.ts";

/** Runs of backticks. The renderer of GitHub does not find longer ones. */
const fences = Array.from({ length: 79 }, (_, index) => "`".repeat(index + 1));

/**
 * Untrusted text as a code span: Markdown shows it as it is, and code hosts look for neither links nor mentions in it.
 */
export function codeSpan(text: string): string {
  const shown = escapeControl(text);
  if (shown === "") return "";
  const runs = new Set(shown.match(/`+/g));
  const fence = fences.find((run) => !runs.has(run));
  if (fence === undefined) return codeSpan(shown.replaceAll("`", "\\x60"));
  // One space at each end is removed if there is one at both; text of spaces alone keeps all of them.
  const isPadded = /^`|`$/.test(shown) || (/^ .* $/.test(shown) && shown.trim() !== "");
  return isPadded ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

/** A command in backticks between spaces, with its punctuation; or a word and the quoted values in it. */
const partsOfSentence = /(?<!\S)(\(?)`([^`]+)`(\)?[.,;:]?)(?!\S)|(?:"[^"]*"|\S)+/g;

/**
 * A sentence that contains untrusted text: words that Markdown or a code host could read as more than text, values in
 * quotes, and commands in backticks become code spans.
 */
export function prose(text: string): string {
  const shown = escapeControl(text);
  const parts: string[] = [];
  let at = 0;
  // A quoted value and what adjoins it are one part: fences of two code spans side by side would merge.
  for (const { 0: part, 1: before = "", 2: code, 3: after = "", index } of shown.matchAll(partsOfSentence)) {
    const isCode = code !== undefined;
    const text = isCode ? before + codeSpan(code) + after : isWord(part, at > 0) ? part : codeAndPunctuation(part);
    parts.push(shown.slice(at, index), text);
    at = index + part.length;
  }
  return (parts.join("") + shown.slice(at)).trim();
}

/** A value wider than `width` columns: beginning, length, end, and a hash that tells equal ends apart. */
export function shortenValue(text: string, width = Number.POSITIVE_INFINITY): string {
  const short = shorten(text, { width, ellipsis: "…" });
  if (short === text) return text;
  return `${short} (sha256 ${createHash("sha256").update(text).digest("hex").slice(0, 8)})`;
}

/** A link to an `http` or `https` address; `text` is Markdown. No part of the address can end it. */
export function link(text: string, address: string): string {
  const { href } = new URL(address);
  return `[${text}](<${escapeControl(href).replaceAll("\\", "%5C").replaceAll("&", "&amp;")}>)`;
}

/** A row of a table; the cells are Markdown without line breaks. */
export function tableRow(cells: readonly string[]): string {
  // A backslash before a pipe cannot be written in a cell.
  return `| ${cells.map((cell) => cell.replaceAll("\\|", "\\x7c").replaceAll("|", "\\|")).join(" | ")} |\n`;
}

/** A plain word or number. Hexadecimal words may be ids of commits, `GH-1` is an issue, and `1.` begins a list. */
function isWord(part: string, isInside: boolean): boolean {
  return (
    (isInside || !/^\d+[.)]$/.test(part)) &&
    /^\(?(?:[A-Za-z]+(?:['-][a-z]+)*|IPv[46]|\d+(?:\.\d+)?)\)?[,.;:?]?$/.test(part) &&
    !/^GH-|^\W*[0-9a-f]{7,}\W*$/i.test(part)
  );
}

/** Punctuation after a value is part of the sentence. */
function codeAndPunctuation(part: string): string {
  // A name may end with a dot, a port does not.
  const [, value = "", end = ""] = /^(.*?)([,;:]?|(?<="|:\d+)[.)])$/s.exec(part) ?? [];
  return codeSpan(value) + end;
}
