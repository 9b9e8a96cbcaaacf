import type { Place } from "./problem.ts";
import type { SourceText } from "./source-text.ts";

/** A node of a plain YAML file, from offset `start` to `end`. */
export type PlainNode = PlainMap | PlainList | PlainText;

interface Range {
  readonly at: Place;
  readonly start: number;
  readonly end: number;
}

export interface PlainMap extends Range {
  readonly kind: "map";
  readonly entries: readonly PlainEntry[];
}

/** A key, written from offset `keyStart` to `keyEnd`, and its value. */
export interface PlainEntry {
  readonly key: string;
  readonly keyAt: Place;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: PlainNode;
}

export interface PlainList extends Range {
  readonly kind: "list";
  readonly items: readonly PlainNode[];
}

/** A scalar. Without quotes, a number is its text as written, and `isEmpty` is true for `~` and `null`. */
export interface PlainText extends Range {
  readonly kind: "text";
  readonly text: string;
  readonly isEmpty: boolean;
  /** The offset of the text if the file contains it verbatim. */
  readonly verbatimAt: number | undefined;
}

/** From the `#` to the end of the line. */
interface CommentRange {
  readonly start: number;
  readonly end: number;
}

/** A file in the plain subset of YAML, and its comments. */
export interface PlainYaml {
  readonly root: PlainMap | PlainList;
  readonly comments: readonly CommentRange[];
}

/**
 * Reads the subset of YAML that most people write: block maps and lists, scalars without quotes, scalars in quotes and
 * collections in brackets on one line, comments. Undefined for every other file, valid or not: only the YAML library
 * reads it. The library reads files of the subset in the same way, but many times slower.
 */
export function readPlainYaml(source: SourceText): PlainYaml | undefined {
  if (source.encoding !== "utf16" || unusual.test(source.text)) return undefined;
  const reader = new PlainReader(source);
  try {
    return { root: reader.root(), comments: reader.comments };
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}

/** Control characters, byte order marks, line separators, halves of surrogate pairs, carriage returns within a line. */
const unusual = /[\0-\x08\x0b\x0c\x0e-\x1f\u2028\u2029\ufeff\p{Cs}]|\r(?!\n)/u;

/** Thrown at the first thing that is not in the subset. */
const notPlain = new Error("not in the plain subset of YAML");

/** The library reads more levels. */
const deepest = 32;

/** Limit on nodes and keys, which take about 250 octets each: more than a zone of a million names has. */
const mostNodes = 10_000_000;

/** Limit on the items of a list: more than a set has. */
const mostItems = 100_000;

/** The library rejects keys over 1024 characters. */
const longestKey = 1000;

/** Characters that start no scalar without quotes. */
const indicators = new Set([..."\t\"'#%&*,>@[]`{|}!"].map((character) => character.charCodeAt(0)));

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const doubleQuote = 0x22;
const hash = 0x23;
const singleQuote = 0x27;
const comma = 0x2c;
const dash = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const question = 0x3f;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openMap = 0x7b;
const closeMap = 0x7d;

/** Whether a line ends here; the code after the last character is NaN. */
function isLineEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn || Number.isNaN(code);
}

function isBlank(code: number): boolean {
  return code === space || code === tab || isLineEnd(code);
}

function isFlowIndicator(code: number): boolean {
  return code === comma || code === openList || code === closeList || code === openMap || code === closeMap;
}

/** Reads from left to right. `#at` is the next character, and between the nodes of a block the next token. */
class PlainReader {
  readonly comments: CommentRange[] = [];
  readonly #file: string;
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;
  /** The column of the next token of a block, from 0; -1 at the end of the text. */
  #column = 0;
  /** The offset after the last node, with the end of its line and the comments that belong to it. */
  #nodeEnd = 0;
  /** The column of the most indented comment since the last node that does not belong to it; -1 for none. */
  #commentColumn = -1;
  #depth = 0;
  #nodes = 0;
  #hasBegun = false;

  constructor({ file, text }: SourceText) {
    this.#file = file;
    this.#text = text;
  }

  /** The document, after `---` or without it. */
  root(): PlainMap | PlainList {
    this.#nextToken();
    if (this.#column === 0 && this.#isMarker() && this.#code() === dash) {
      this.#at += 3;
      this.#endLine();
    }
    if (this.#column !== 0 || this.#isMarker()) throw notPlain;
    this.#hasBegun = true;
    const root = this.#block(0);
    if (root.kind === "text" || this.#at < this.#text.length) throw notPlain;
    return root;
  }

  /** A list, a map or the value of one line in a collection at a column. */
  #block(column: number): PlainNode {
    if (this.#isDash()) return this.#list();
    if (this.#isFlow()) return this.#lastOnLine(this.#flow(), column);
    const scalar = this.#scalar(false);
    this.#skipSpaces();
    return this.#isColon() ? this.#map(scalar) : this.#lastOnLine(scalar, column);
  }

  /** A map whose first key has been read. */
  #map(first: PlainText): PlainMap {
    const { start } = first;
    const column = this.#column;
    const at = this.#placeOfLine(start);
    const keys = new Keys();
    const entries: PlainEntry[] = [];
    this.#enter();
    for (let key = first; ; key = this.#scalar(false)) {
      this.#skipSpaces();
      if (!this.#isColon()) throw notPlain;
      this.#checkKey(key, keys);
      this.#at++;
      const value = this.#value(column);
      entries.push({ key: key.text, keyAt: key.at, keyStart: key.start, keyEnd: key.end, value });
      if (this.#column < column) break;
      if (this.#column > column) throw notPlain;
    }
    this.#depth--;
    return { kind: "map", entries, at, start, end: this.#close(column) };
  }

  /** The value of a key at a column: behind the colon, or on the lines below it. */
  #value(column: number): PlainNode {
    this.#skipSpaces();
    const code = this.#code();
    if (isLineEnd(code) || code === hash) {
      this.#endLine();
      if (this.#column > column || (this.#column === column && this.#isDash())) return this.#block(column);
      throw notPlain;
    }
    return this.#lastOnLine(this.#isFlow() ? this.#flow() : this.#scalar(false), column);
  }

  #list(): PlainList {
    const start = this.#at;
    const column = this.#column;
    const at = this.#placeOfLine(start);
    const items: PlainNode[] = [];
    this.#enter();
    do {
      this.#at++;
      this.#skipSpaces();
      this.#column = this.#at - this.#lineStart;
      if (items.push(this.#block(column)) > mostItems) throw notPlain;
    } while (this.#column === column && this.#isDash());
    this.#depth--;
    return { kind: "list", items, at, start, end: this.#close(column) };
  }

  /** The end of a collection. A comment behind it that is indented like its items belongs to it. */
  #close(column: number): number {
    const end = this.#nodeEnd;
    if (column > 0 && this.#commentColumn >= column) this.#nodeEnd = this.#at;
    return end;
  }

  /** Ends the line of a value in a collection at a column. Text without quotes goes on in lines that are indented. */
  #lastOnLine(node: PlainNode, column: number): PlainNode {
    const { length } = this.comments;
    this.#endLine(column);
    if (this.#column <= column) return node;
    if (node.kind !== "text" || node.verbatimAt !== node.start || this.comments.length > length) throw notPlain;
    return this.#longText(node, column);
  }

  /** Text of several lines, the first of which has been read. Spaces join them, or line feeds for blank lines. */
  #longText({ text: first, at: place, start }: PlainText, column: number): PlainText {
    const { length } = this.comments;
    let text = first;
    let end = start + first.length;
    while (this.#text.charCodeAt(end) === space) end++;
    const at = { ...place, length: end - start };
    for (let { line } = at; this.#column > column && this.comments.length === length; ) {
      const begin = this.#at;
      text += "\n".repeat(this.#line - line - 1) || " ";
      line = this.#line;
      end = this.#endOfUnquoted(false);
      text += this.#text.slice(begin, end);
      this.#at = end;
      this.#endLine(column);
    }
    return { kind: "text", text, isEmpty: false, at, start, end, verbatimAt: undefined };
  }

  /** A list or map in brackets. */
  #flow(): PlainNode {
    this.#enter();
    const start = this.#at++;
    const node = this.#text.charCodeAt(start) === openMap ? this.#flowMap(start) : this.#flowList(start);
    this.#depth--;
    return node;
  }

  #flowMap(start: number): PlainMap {
    const keys = new Keys();
    const entries: PlainEntry[] = [];
    for (this.#skipSpaces(); this.#code() !== closeMap; this.#endItem(closeMap)) {
      const key = this.#scalar(true);
      this.#skipSpaces();
      if (this.#code() !== colon) throw notPlain;
      this.#checkKey(key, keys);
      this.#at++;
      const value = this.#flowValue();
      entries.push({ key: key.text, keyAt: key.at, keyStart: key.start, keyEnd: key.end, value });
    }
    const end = ++this.#at;
    return { kind: "map", entries, at: this.#place(start, end), start, end };
  }

  #flowList(start: number): PlainList {
    const items: PlainNode[] = [];
    for (this.#skipSpaces(); this.#code() !== closeList; this.#endItem(closeList))
      if (items.push(this.#flowValue()) > mostItems) throw notPlain;
    const end = ++this.#at;
    return { kind: "list", items, at: this.#place(start, end), start, end };
  }

  #flowValue(): PlainNode {
    this.#skipSpaces();
    return this.#isFlow() ? this.#flow() : this.#scalar(true);
  }

  #endItem(close: number): void {
    this.#skipSpaces();
    if (this.#code() === comma) {
      this.#at++;
      this.#skipSpaces();
    } else if (this.#code() !== close) throw notPlain;
  }

  #scalar(inFlow: boolean): PlainText {
    const code = this.#code();
    if (code === doubleQuote) return this.#doubleQuoted();
    if (code === singleQuote) return this.#singleQuoted();
    if (indicators.has(code) || isBlank(code)) throw notPlain;
    const start = this.#at;
    if (code === dash || code === question || code === colon) {
      const next = this.#text.charCodeAt(start + 1);
      if (isBlank(next) || (inFlow && isFlowIndicator(next))) throw notPlain;
    }
    const end = this.#endOfUnquoted(inFlow);
    this.#at = end;
    const text = this.#text.slice(start, end);
    return { kind: "text", text, isEmpty: isNull(text), at: this.#place(start, end), start, end, verbatimAt: start };
  }

  /** The offset after the part of a scalar without quotes on this line, which ends before a colon or comment. */
  #endOfUnquoted(inFlow: boolean): number {
    const text = this.#text;
    let end = this.#at;
    for (let at = end; ; at++) {
      const code = text.charCodeAt(at);
      if (code === space) {
        if (text.charCodeAt(at + 1) === hash) return end;
        continue;
      }
      if (code === colon) {
        const next = text.charCodeAt(at + 1);
        if (isBlank(next) || (inFlow && isFlowIndicator(next))) return end;
      } else if (isLineEnd(code) || (inFlow && isFlowIndicator(code))) return end;
      else if (code === tab) throw notPlain;
      end = at + 1;
    }
  }

  #singleQuoted(): PlainText {
    const start = this.#at;
    let hasEscapes = false;
    let close = this.#text.indexOf("'", start + 1);
    while (close !== -1 && this.#text.charCodeAt(close + 1) === singleQuote) {
      hasEscapes = true;
      close = this.#text.indexOf("'", close + 2);
    }
    const written = this.#text.slice(start + 1, close);
    if (close === -1 || written.includes("\n")) throw notPlain;
    return this.#quoted(start, close, hasEscapes ? written.replaceAll("''", "'") : written);
  }

  #doubleQuoted(): PlainText {
    const start = this.#at;
    let hasEscapes = false;
    let close = start + 1;
    for (; ; close++) {
      if (this.#text.charCodeAt(close) === backslash) {
        hasEscapes = true;
        close++;
      } else if (this.#text.charCodeAt(close) === doubleQuote) break;
      if (isLineEnd(this.#text.charCodeAt(close))) throw notPlain;
    }
    const written = this.#text.slice(start + 1, close);
    return this.#quoted(start, close, hasEscapes ? withoutEscapes(written) : written);
  }

  #quoted(start: number, close: number, text: string): PlainText {
    const end = close + 1;
    this.#at = end;
    const verbatimAt = this.#text.startsWith(text, start + 1) ? start + 1 : undefined;
    return { kind: "text", text, isEmpty: false, at: this.#place(start, end), start, end, verbatimAt };
  }

  /** Rejects duplicate keys, merges and long keys. */
  #checkKey({ text, start, verbatimAt }: PlainText, keys: Keys): void {
    if (!keys.add(text) || (text === "<<" && verbatimAt === start) || this.#at - start > longestKey) throw notPlain;
  }

  #enter(): void {
    if (++this.#depth > deepest) throw notPlain;
  }

  /**
   * Reads up to the next token after the end of the line, which may have a comment. Further comments belong to the last
   * node if they are indented more than its collection, which is at a column.
   */
  #endLine(column = Number.POSITIVE_INFINITY): void {
    this.#skipSpaces();
    if (this.#code() === hash && this.#text.charCodeAt(this.#at - 1) === space) this.#comment();
    if (!isLineEnd(this.#code())) throw notPlain;
    this.#newLine();
    this.#nodeEnd = this.#at;
    this.#nextToken(column);
  }

  /** Reads from the start of a line up to the next token. */
  #nextToken(collection = Number.POSITIVE_INFINITY): void {
    this.#commentColumn = -1;
    let hasNext = true;
    while (hasNext) {
      this.#skipSpaces();
      this.#column = this.#at - this.#lineStart;
      const isComment = this.#code() === hash;
      if (isComment) this.#comment();
      if (!isLineEnd(this.#code())) {
        if (this.#column === 0 && this.#hasBegun && this.#isMarker()) throw notPlain;
        return;
      }
      hasNext = this.#newLine();
      if (isComment && this.#column > collection && this.#commentColumn === -1) this.#nodeEnd = this.#at;
      else if (isComment) this.#commentColumn = Math.max(this.#commentColumn, this.#column);
    }
    this.#column = -1;
  }

  /** Goes to the next line; false at the end of the text. */
  #newLine(): boolean {
    if (this.#at === this.#text.length) return false;
    this.#at += this.#code() === carriageReturn ? 2 : 1;
    this.#line++;
    this.#lineStart = this.#at;
    return true;
  }

  #comment(): void {
    const start = this.#at;
    while (!isLineEnd(this.#code())) this.#at++;
    this.comments.push({ start, end: this.#at });
  }

  #skipSpaces(): void {
    while (this.#code() === space) this.#at++;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  /** Whether a list item starts here. */
  #isDash(): boolean {
    return this.#code() === dash && isBlank(this.#text.charCodeAt(this.#at + 1));
  }

  /** Whether a colon ends a key here. */
  #isColon(): boolean {
    return this.#code() === colon && isBlank(this.#text.charCodeAt(this.#at + 1));
  }

  #isFlow(): boolean {
    const code = this.#code();
    return code === openList || code === openMap;
  }

  /** Whether a document starts or ends here: `---` or `...` at the start of a line. */
  #isMarker(): boolean {
    const code = this.#code();
    if (code !== dash && code !== dot) return false;
    const [second, third, next] = [1, 2, 3].map((offset) => this.#text.charCodeAt(this.#at + offset));
    return second === code && third === code && isBlank(next ?? Number.NaN);
  }

  #place(start: number, end: number): Place {
    if (++this.#nodes > mostNodes) throw notPlain;
    const length = Math.max(1, end - start);
    return { file: this.#file, line: this.#line, column: start - this.#lineStart + 1, length };
  }

  /** The place of a node of several lines, which is limited to the first one. */
  #placeOfLine(start: number): Place {
    let end = this.#at;
    while (!isLineEnd(this.#text.charCodeAt(end))) end++;
    return this.#place(start, end);
  }
}

/** The keys of a map: most maps have few, for which a list is faster than a set. */
class Keys {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** False if the key is known. */
  add(key: string): boolean {
    if (this.#many) return this.#many.size < this.#many.add(key).size;
    if (this.#few.includes(key)) return false;
    if (this.#few.push(key) > 8) this.#many = new Set(this.#few);
    return true;
  }
}

function isNull(text: string): boolean {
  return text === "~" || text === "null" || text === "Null" || text === "NULL";
}

/** Replaces the escapes of characters by themselves; the subset has no others. */
function withoutEscapes(written: string): string {
  return written.replaceAll(/\\(.)/g, (_, character: string) => {
    if (character === '"' || character === "\\" || character === "/") return character;
    throw notPlain;
  });
}
