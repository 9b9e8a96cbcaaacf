import { resizeColumn } from "../../dns/name/owner-table.ts";
import type { TokenTable } from "../../dns/rdata/token-table.ts";
import { isContinued } from "../kit/rdata-words.ts";

/** Part of a text, from one offset up to another. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The tokens of all entries of a file, as numbers: for each entry their count, then the start and end of each. */
export class TokenColumns {
  #numbers = new Int32Array(1024);
  #length = 0;

  /** Adds the tokens of an entry, from the token `data` on as words, and returns their place. */
  add(table: TokenTable, data: number): number {
    const place = this.#length;
    const most = place + 1 + 2 * table.count;
    if (most > this.#numbers.length)
      this.#numbers = resizeColumn(this.#numbers, Math.max(most, 2 * this.#numbers.length));
    const numbers = this.#numbers;
    let at = place + 1;
    for (let token = 0; token < table.count; token++) {
      const start = table.startOf(token);
      if (token <= data || !isContinued(table.text, numbers[at - 1] ?? 0, start)) {
        numbers[at] = start;
        at += 2;
      }
      numbers[at - 1] = table.endOf(token);
    }
    numbers[place] = (at - place - 1) / 2;
    this.#length = at;
    return place;
  }

  get(place: number): Range[] {
    const numbers = this.#numbers;
    const tokens: Range[] = [];
    const end = place + 2 * (numbers[place] ?? 0);
    for (let at = place + 1; at < end; at += 2) tokens.push({ start: numbers[at] ?? 0, end: numbers[at + 1] ?? 0 });
    return tokens;
  }
}
