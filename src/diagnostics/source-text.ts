import { isUtf8 } from "node:buffer";
import { type Place, type Problem, problem } from "./problem.ts";

const byteOrderMark = { latin1: "\u00ef\u00bb\u00bf", utf16: "\ufeff" };

/**
 * The text of one file, which turns offsets into places and lines for problems. Text decoded as `latin1` (one character
 * per octet) is shown as UTF-8, and its columns count characters, not octets.
 */
export class SourceText {
  readonly file: string;
  readonly text: string;
  readonly encoding: "latin1" | "utf16";
  /** The places that include the file, the nearest first. */
  readonly via: readonly Place[];
  readonly #lineStarts: number[];
  #hasAllLines = false;

  constructor(file: string, text: string, encoding: "latin1" | "utf16" = "utf16", via: readonly Place[] = []) {
    this.file = file;
    this.text = text;
    this.encoding = encoding;
    this.via = via;
    this.#lineStarts = [text.startsWith(byteOrderMark[encoding]) ? byteOrderMark[encoding].length : 0];
  }

  /** The file name: the JSON of a record names its file, and does not contain it. */
  toJSON(): string {
    return this.file;
  }

  /** The place of the characters from offset `start` up to `end`; limited to its first line and to the text. */
  place(start: number, end: number = start + 1): Place {
    const line = this.#lineAt(Math.min(start, this.text.length - 1));
    const lineStart = this.#start(line);
    const lineEnd = this.#end(line);
    const first = Math.max(lineStart, Math.min(start, lineEnd));
    const length = this.#characters(first, Math.min(end, lineEnd));
    return { file: this.file, line, column: this.#characters(lineStart, first) + 1, length: Math.max(1, length) };
  }

  isLineStart(offset: number): boolean {
    return offset === this.#lineStarts[0] || this.text.charCodeAt(offset - 1) === 10;
  }

  /** The text of a line, counted from 1, without its end and without a byte order mark. */
  line(line: number): string {
    return this.#shown(this.#start(line), this.#end(line));
  }

  textAt({ line, column, length }: Place): string {
    return this.line(line).slice(column - 1, column - 1 + length);
  }

  #characters(start: number, end: number): number {
    return this.encoding === "utf16" ? end - start : this.#shown(start, end).length;
  }

  #shown(start: number, end: number): string {
    const text = this.text.slice(start, end);
    return this.encoding === "latin1" ? Buffer.from(text, "latin1").toString("utf8") : text;
  }

  #start(line: number): number {
    while (this.#lineStarts.length < line && this.#findNextLine());
    return this.#lineStarts[line - 1] ?? this.text.length;
  }

  #end(line: number): number {
    const next = this.#start(line + 1);
    const end = this.#lineStarts.length > line ? next - 1 : this.text.length;
    return this.text[end - 1] === "\r" && end > this.#start(line) ? end - 1 : end;
  }

  #lineAt(offset: number): number {
    while ((this.#lineStarts.at(-1) ?? 0) <= offset && this.#findNextLine());
    const starts = this.#lineStarts;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Finds line starts on demand: most texts have no problem. */
  #findNextLine(): boolean {
    // The last line may be long: do not search it for its end repeatedly.
    const end = this.#hasAllLines ? -1 : this.text.indexOf("\n", this.#lineStarts.at(-1));
    if (end === -1) this.#hasAllLines = true;
    else this.#lineStarts.push(end + 1);
    return end !== -1;
  }
}

/** The text of a YAML file, and the offset of the first octet that is not valid UTF-8. */
interface DecodedText {
  readonly text: string;
  readonly undecodable?: number | undefined;
}

/** Decodes the octets of a file, without its byte order mark; invalid UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = octets.toString("utf8").replace(/^\ufeff/, "");
  return { text, undecodable: isUtf8(octets) ? undefined : undecodableAt(octets, text) };
}

/** The first U+FFFD that is not in the file itself: the first octet at which text and file differ. */
function undecodableAt(octets: Buffer, text: string): number {
  let behind = octets[0] === 0xef && octets[1] === 0xbb && octets[2] === 0xbf ? 3 : 0;
  for (let at = text.indexOf("\ufffd"), before = 0; at !== -1; at = text.indexOf("\ufffd", at + 1)) {
    behind += Buffer.byteLength(text.slice(before, at));
    if (octets.toString("latin1", behind, behind + 3) !== "\u00ef\u00bf\u00bd") return at;
    before = at;
  }
  return 0;
}

/** The one error for a file with a marker of a merge, which may be the only one that is left. */
export function findConflict(source: SourceText): Problem | undefined {
  const marker = /^(?:(?:<{7}|\|{7}|>{7})(?: [^\r\n]*)?|={7})\r?$/m.exec(source.text);
  if (!marker) return undefined;
  const fix = "Keep one of the two sides, and remove the lines that start with <<<<<<<, ======= and >>>>>>>.";
  const place = source.place(marker.index, marker.index + marker[0].trimEnd().length);
  return problem("merge-conflict", "the file has an unresolved merge conflict", { place, fix });
}
