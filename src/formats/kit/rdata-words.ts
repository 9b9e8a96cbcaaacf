import { readDuration } from "../../dns/duration.ts";
import { Fault } from "../../dns/fault.ts";
import { type Name, readName } from "../../dns/name.ts";
import { Scanner } from "./scan.ts";

/** The words of RDATA in its canonical spelling. */
export function splitRdata(rdata: string): string[] {
  const scanner = new Scanner(rdata);
  scanner.next();
  return wordsOf(rdata, tokensOf(scanner)).map(({ start, end }) => rdata.slice(start, end));
}

/** Part of a text, from one offset up to another. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The tokens of the last entry, with their quotes. */
export function tokensOf({ table }: Scanner): Range[] {
  return Array.from({ length: table.count }, (_, token) => ({ start: table.startOf(token), end: table.endOf(token) }));
}

/** The tokens of RDATA as words: a key of a service and its value in quotes, `alpn="h2"`, are one (RFC 9460 §2.1). */
export function wordsOf(text: string, tokens: readonly Range[]): Range[] {
  const words: Range[] = [];
  for (const { start, end } of tokens) {
    const last = words.at(-1);
    if (last?.end === start && text[start - 1] === "=") words[words.length - 1] = { start: last.start, end };
    else words.push({ start, end });
  }
  return words;
}

/**
 * The author's word where it is another notation of a name or a time: `www.example.com.` for `www`, `4h` for `14400`;
 * otherwise the canonical word.
 */
export function keepNotation(written: string, canonical: string, origin: Name): string {
  if (written === canonical || canonical.startsWith('"')) return canonical;
  try {
    if (/^\d+$/.test(canonical))
      return /[a-z]/i.test(written) && readDuration(written) === Number(canonical) ? written : canonical;
    return readName(written, origin) === readName(canonical, origin) ? written : canonical;
  } catch (error) {
    if (error instanceof Fault) return canonical;
    throw error;
  }
}
