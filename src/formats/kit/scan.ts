import type { Fix } from "../../diagnostics/advice.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { Fault } from "../../dns/name/fault.ts";
import { controlFault, isControl } from "../../dns/name/name.ts";
import { bare, quoted, TokenTable, withEscape } from "../../dns/rdata/token-table.ts";

const tab = 9;
const newline = 10;
const carriageReturn = 13;
const space = 32;
const quote = 34;
const openParenthesis = 40;
const closeParenthesis = 41;
const semicolon = 59;
const backslash = 92;

/** A syntax error of the text at an offset. */
export class ScanFault extends Fault {
  readonly start: number;
  readonly end: number;

  constructor(id: ProblemId, start: number, end: number, summary: string, fix: Fix) {
    super(id, summary, fix);
    this.start = start;
    this.end = end;
  }
}

/**
 * Splits the octets of a zone file into entries and tokens (RFC 1035 §5.1) in one pass, without interpreting them. An
 * entry ends with its line, or with the line that closes its last parenthesis. As in BIND, a carriage return ends a
 * line but not a comment, and a quoted string continues over an escaped line end.
 */
export class Scanner {
  readonly table: TokenTable;
  /** Whether the line of the entry starts with white space, so that it inherits the previous owner. */
  startsBlank = false;
  /** Whether a parenthesis precedes the first token of the entry. */
  opensFirst = false;
  /** The offset of the first line of the entry. */
  start = 0;
  /** Called with the offsets of each comment, from its semicolon to the end of its line. */
  onComment: (start: number, end: number) => void = () => {};
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.table = new TokenTable(text);
    if (text.startsWith("\u00ef\u00bb\u00bf")) this.#at = 3;
  }

  /** The offset of the line of the next entry, or of text between entries. */
  get at(): number {
    return this.#at;
  }

  /** Moves to the first token of an entry, which must not follow a parenthesis. */
  moveTo(at: number): void {
    this.#at = at;
  }

  /**
   * Reads the next entry that has a token into `table`. False at the end of the text.
   * @throws {ScanFault}; the scanner can continue after the invalid entry.
   */
  next(): boolean {
    const text = this.#text;
    const table = this.table;
    const length = text.length;
    let at = this.#at;
    let depth = 0;
    let opened = at;
    let start = at;
    table.clear();
    this.opensFirst = false;
    this.startsBlank = isBlank(text.charCodeAt(at));
    while (at < length) {
      const code = text.charCodeAt(at);
      if (code === space || code === tab) at++;
      else if (code === newline || code === carriageReturn) {
        at += code === carriageReturn && text.charCodeAt(at + 1) === newline ? 2 : 1;
        if (depth > 0) continue;
        if (table.count > 0) break;
        this.startsBlank = isBlank(text.charCodeAt(at));
        if (!this.opensFirst) start = at;
      } else if (code === semicolon) {
        const end = endOfLine(text, at);
        this.onComment(at, end);
        at = end;
      } else if (code === openParenthesis) {
        if (depth++ === 0) opened = at;
        if (table.count === 0) this.opensFirst = true;
        at++;
      } else if (code === closeParenthesis) {
        if (depth-- === 0)
          this.#fail(
            "parenthesis",
            at,
            endOfLine(text, at),
            'a ")" has no matching "("',
            'Remove it, or add the "(" before it.',
          );
        at++;
      } else if (code === quote) at = this.#quoted(at, depth);
      else at = this.#bare(at, depth);
    }
    if (depth > 0)
      this.#fail(
        "parenthesis",
        opened,
        endOfLine(text, opened),
        'this "(" has no matching ")"',
        'Add the ")" at the end of the record.',
      );
    this.#at = at;
    this.start = start;
    return table.count > 0;
  }

  #quoted(start: number, depth: number): number {
    const text = this.#text;
    let kind = quoted;
    let at = start + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code === backslash) {
        kind = quoted | withEscape;
        at++;
      }
      if (at >= text.length || code === newline) {
        this.#fail(
          "quote",
          start,
          endOfLine(text, start),
          "this quote is not closed",
          "Add the quote at the end of the string.",
          depth,
        );
      }
      at++;
    }
    this.table.add(start + 1, at, kind);
    return at + 1;
  }

  #bare(start: number, depth: number): number {
    const text = this.#text;
    let kind = bare;
    let at = start;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === backslash) {
        kind = withEscape;
        if (!endsLine(text.charCodeAt(at + 1))) at++;
        if (isControl(text.charCodeAt(at))) this.#control(at, at - 1, depth);
      } else if (code <= semicolon && ends(code)) break;
      else if (isControl(code)) this.#control(at, at, depth);
    }
    at = Math.min(at, text.length);
    this.table.add(start, at, kind);
    return at;
  }

  /** Throws for an unescaped control octet; `start` is before its backslash, if any. */
  #control(at: number, start: number, depth: number): never {
    const { summary, fix = "" } = controlFault(this.#text.charCodeAt(at)).problem;
    this.#fail("control-octet", start, endOfLine(this.#text, at), summary, fix, depth);
  }

  /** Throws; the scanner continues at the next line after `resume` that starts an entry. */
  #fail(id: ProblemId, start: number, resume: number, summary: string, fix: Fix, depth = 1): never {
    let at = resume + 1;
    while (depth > 0 && at < this.#text.length && !startsEntry(this.#text.charCodeAt(at)))
      at = endOfLine(this.#text, at) + 1;
    this.#at = Math.min(at, this.#text.length);
    throw new ScanFault(id, start, start + 1, summary, fix);
  }
}

function ends(code: number): boolean {
  return (
    code === space ||
    code === newline ||
    code === tab ||
    code === carriageReturn ||
    code === semicolon ||
    code === quote ||
    code === openParenthesis ||
    code === closeParenthesis
  );
}

function endsLine(code: number): boolean {
  return code === newline || code === carriageReturn;
}

export function isBlank(code: number): boolean {
  return code === space || code === tab;
}

function startsEntry(code: number): boolean {
  return !ends(code);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
