import { readDuration } from "../../dns/duration.ts";
import { Fault } from "../../dns/fault.ts";
import { type Name, readName } from "../../dns/name.ts";
import { Scanner } from "./scan.ts";

/** The words of RDATA in its canonical spelling. */
export function splitRdata(rdata: string): string[] {
  const scanner = new Scanner(rdata);
  scanner.next();
  const { table } = scanner;
  return Array.from({ length: table.count }, (_, token) => rdata.slice(table.startOf(token), table.endOf(token)));
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
