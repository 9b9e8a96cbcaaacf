import type { Place } from "./diagnostic.ts";

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

  /** The place of the characters from offset `start` up to `end`; it ends with its first line. */
  place(start: number, end: number = start + 1): Place {
    const line = this.#lineAt(start);
    const lineStart = this.#starts()[line - 1] ?? 0;
    const lineEnd = lineStart + this.#rawLine(line).length;
    const length = this.#characters(start, Math.max(start + 1, Math.min(end, lineEnd)));
    return { file: this.file, line, column: this.#characters(lineStart, start) + 1, length: Math.max(1, length) };
  }

  /** The text of a line, counted from 1, without its end. */
  line(line: number): string {
    return this.#shown(this.#rawLine(line));
  }

  #rawLine(line: number): string {
    const starts = this.#starts();
    const text = this.text.slice(starts[line - 1] ?? this.text.length, starts[line] ?? this.text.length);
    return text.replace(/\r?\n$|\r$/, "");
  }

  #characters(start: number, end: number): number {
    return this.#shown(this.text.slice(start, end)).length;
  }

  #shown(text: string): string {
    return this.encoding === "latin1" ? Buffer.from(text, "latin1").toString("utf8") : text;
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
      this.#lineStarts = [0];
      for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1))
        this.#lineStarts.push(at + 1);
    }
    return this.#lineStarts;
  }
}
