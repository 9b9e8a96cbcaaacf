import type { Place } from "./diagnostic.ts";

const byteOrderMark = { latin1: "\u00ef\u00bb\u00bf", utf16: "\ufeff" };

/**
 * The text of one file, kept so that an offset can become a place and a line when something must be said about it.
 * A text of octets (`latin1`: one character for each) is shown as UTF-8 and its columns count characters, not octets.
 */
export class SourceText {
  readonly file: string;
  readonly text: string;
  readonly encoding: "latin1" | "utf16";
  #lineStarts: number[] | undefined;

  constructor(file: string, text: string, encoding: "latin1" | "utf16" = "utf16") {
    this.file = file;
    this.text = text;
    this.encoding = encoding;
  }

  /** The place of the characters from offset `start` up to `end`; it ends with its first line, and lies inside the text. */
  place(start: number, end: number = start + 1): Place {
    const line = this.#lineAt(Math.min(start, this.text.length - 1));
    const lineStart = this.#start(line);
    const lineEnd = this.#end(line);
    const first = Math.max(lineStart, Math.min(start, lineEnd));
    const length = this.#characters(first, Math.min(end, lineEnd));
    return { file: this.file, line, column: this.#characters(lineStart, first) + 1, length: Math.max(1, length) };
  }

  /** The text of a line, counted from 1, without its end and without a byte order mark. */
  line(line: number): string {
    return this.#shown(this.#start(line), this.#end(line));
  }

  #characters(start: number, end: number): number {
    return this.encoding === "utf16" ? end - start : this.#shown(start, end).length;
  }

  #shown(start: number, end: number): string {
    const text = this.text.slice(start, end);
    return this.encoding === "latin1" ? Buffer.from(text, "latin1").toString("utf8") : text;
  }

  #start(line: number): number {
    return this.#starts()[line - 1] ?? this.text.length;
  }

  #end(line: number): number {
    const next = this.#starts()[line];
    const end = next === undefined ? this.text.length : next - 1;
    return this.text[end - 1] === "\r" && end > this.#start(line) ? end - 1 : end;
  }

  #lineAt(offset: number): number {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  #starts(): number[] {
    if (this.#lineStarts === undefined) {
      const mark = byteOrderMark[this.encoding];
      this.#lineStarts = [this.text.startsWith(mark) ? mark.length : 0];
      for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1))
        this.#lineStarts.push(at + 1);
    }
    return this.#lineStarts;
  }
}
