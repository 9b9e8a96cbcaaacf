import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, readName } from "../../dns/name/name.ts";
import { Scanner } from "./scan.ts";

/** The words of RDATA in its canonical spelling. */
export function splitRdata(rdata: string): string[] {
  const scanner = new Scanner(rdata);
  scanner.next();
  const { table } = scanner;
  const words: string[] = [];
  for (let token = 0; token < table.count; token++) {
    const start = table.startOf(token);
    const text = rdata.slice(start, table.endOf(token));
    if (token > 0 && isContinued(rdata, table.endOf(token - 1), start)) words[words.length - 1] += text;
    else words.push(text);
  }
  return words;
}

/**
 * Whether the token of RDATA that starts at `start` belongs to the word that ends at `end`: a key of a service and its
 * value in quotes, `alpn="h2"`, are one (RFC 9460 §2.1).
 */
export function isContinued(text: string, end: number, start: number): boolean {
  return end === start && text[start - 1] === "=";
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
