import { Fault } from "../../dns/fault.ts";
import type { Name } from "../../dns/name.ts";
import { parseRdata, type Rdata, type RecordType } from "../../dns/rdata/record-type.ts";
import { findLooseText, type LooseText } from "../kit/loose-text.ts";
import { ScanFault, Scanner } from "../kit/scan.ts";

/** The numbers of `start-stop/step`. */
export interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** Zones are read into memory; what one line can make of itself has a bound. */
export const mostGenerated = 1_000_000;
/** The same for the octets of all their data, as it is written. */
export const mostGeneratedOctets = 64 * 1024 * 1024;

/**
 * The range of a `$GENERATE`: `1-100`, `0-254/2`.
 * @throws {Fault} `generate-range`
 */
export function readRange(text: string): Range {
  const [, start, stop, step = "1"] = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  if (range.start <= range.stop && range.step > 0 && range.stop < 2 ** 31) return range;
  throw new Fault(
    "generate-range",
    "a range is start-stop or start-stop/step, the start first",
    "Write 1-100 or 0-254/2.",
  );
}

export function countOf({ start, stop, step }: Range): number {
  return Math.floor((stop - start) / step) + 1;
}

/**
 * A text with the iterator in its places: `$`, `${offset,width,base}` with base d, o, x, X, n or N; `$$` and `\$` are a
 * dollar sign (BIND 9 manual, $GENERATE). As in BIND an offset goes on counting for the plain `$` that follow it.
 * @throws {Fault} `generate-format`
 */
export function fill(template: string, iterator: number): string {
  let offset = 0;
  return template.replace(/\\.|\$(?:\$|\{([^}]*)\}?)?/gs, (written, format: string | undefined) => {
    if (written.startsWith("\\")) return written === "\\$" ? "\\036" : written;
    if (written === "$$") return "\\036";
    if (written === "$") return String(iterator + offset);
    const [, delta, width = "0", base = "d"] =
      /^([-+]?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/.exec(written.endsWith("}") ? (format ?? "") : "") ?? [];
    if (delta === undefined || Number(width) > 255) {
      throw new Fault(
        "generate-format",
        "a format is ${offset,width,base} with base d, o, x, X, n or N",
        "Write ${0,3,d} for three digits.",
      );
    }
    offset = Number(delta);
    return spell(iterator + offset, Number(width), base);
  });
}

/**
 * The data of one generated record from its text.
 * @throws {Fault} that has no place in this text, of which the file holds only the template.
 */
export function generatedData(
  type: RecordType,
  text: string,
  origin: Name,
): { data: Rdata; loose: LooseText | undefined } {
  const scanner = new Scanner(text);
  try {
    scanner.next();
    scanner.table.origin = origin;
    const data = parseRdata(type, scanner.table);
    const loose = findLooseText(type, scanner.table, 0);
    if (!scanner.next()) return { data, loose };
  } catch (error) {
    throw error instanceof ScanFault ? new Fault(error.problem.id, error.message, error.problem.fix) : error;
  }
  throw new Fault("rdata-extra", "the data goes on behind the end of its line", "Write one $GENERATE for each record.");
}

function spell(value: number, width: number, base: string): string {
  if (base === "n" || base === "N") return nibbles(value >>> 0, width, base === "N");
  const radix = { d: 10, o: 8 }[base] ?? 16;
  const digits = (radix === 10 ? value : value >>> 0).toString(radix);
  const cased = base === "X" ? digits.toUpperCase() : digits;
  return cased.startsWith("-") ? `-${cased.slice(1).padStart(width - 1, "0")}` : cased.padStart(width, "0");
}

/** Hexadecimal digits from the lowest, a label each; the width counts the dots. */
function nibbles(value: number, width: number, isUpper: boolean): string {
  let text = "";
  let left = width;
  let rest = value;
  do {
    text += (rest & 15).toString(16);
    rest >>>= 4;
    left--;
    if (left > 0 || rest !== 0) {
      text += ".";
      left--;
    }
  } while (left > 0 || rest !== 0);
  return isUpper ? text.toUpperCase() : text;
}
