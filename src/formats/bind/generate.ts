import { Fault } from "../../dns/name/fault.ts";
import { isInternational } from "../../dns/name/idn.ts";
import { type Name, readName } from "../../dns/name/name.ts";
import { displayTypeOf, parseRdata, type Rdata, type RecordType } from "../../dns/rdata/record-type.ts";
import type { TokenTable } from "../../dns/rdata/token-table.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import { findLooseText, type LooseText, lostRestSummary } from "../kit/loose-text.ts";
import { ScanFault, Scanner } from "../kit/scan.ts";
import { readRecordHead } from "./head.ts";
import type { Reading } from "./reading.ts";

/** The numbers of `start-stop/step`. */
interface Iterations {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** Zones are read into memory, so the records of a zone's $GENERATE lines are limited. */
const mostGenerated = 1_000_000;
/** The same limit for the octets of their RDATA as text. */
const mostGeneratedOctets = 64 * 1024 * 1024;

/**
 * Adds the records of a `$GENERATE`, each with the place of that line.
 * @throws {Fault}
 */
export function generateRecords(reading: Reading, table: TokenTable): void {
  const range = readRange(table.unquoted("a range"));
  if (reading.generated + countOf(range) > mostGenerated) {
    const summary = `$GENERATE lines of the zone make more than ${mostGenerated} records`;
    throw new Fault("generate-count", summary, "Write a smaller range.");
  }
  if (table.count - table.next < 3) {
    const fix = 'Write a line such as "$GENERATE 1-10 host-$ A 192.0.2.$".';
    throw new Fault("directive-missing", "$GENERATE has no owner, type or RDATA", fix);
  }
  const start = table.startOf(0);
  const end = table.endOf(table.count - 1);
  const ownerAt = table.next;
  const owner = table.unquoted("an owner name");
  const behindOwner = table.next;
  const { ttl, type } = readRecordHead(table);
  reading.entry = { type: displayTypeOf(type) };
  if (type.type === "SOA")
    throw new Fault("generate-type", "$GENERATE cannot make SOA records", "Write the SOA record itself.");
  const template = table.raw();
  if (!table.isAtEnd) {
    table.next++;
    throw new Fault("rdata-extra", "$GENERATE has RDATA of several words", "Put the RDATA in quotes.");
  }
  const { source, surroundings } = reading.open;
  const counting = reading.ttls.of(ttl, undefined);
  reading.generated += countOf(range);
  for (let iterator = range.start; iterator <= range.stop; iterator += range.step) {
    table.next = behindOwner;
    const spelled = fillTemplate(owner, iterator);
    const name = readName(spelled, surroundings.origin);
    reading.noteOwner(name);
    if (iterator === range.start && isInternational(spelled)) reading.noteConversion(ownerAt, name);
    table.next = table.count;
    reading.entry = { owner: name, type: displayTypeOf(type) };
    const text = fillTemplate(template.replaceAll('\\"', '"'), iterator);
    reading.generatedOctets += text.length;
    if (reading.generatedOctets > mostGeneratedOctets) {
      const summary = `$GENERATE lines of the zone make more than ${mostGeneratedOctets} octets of RDATA`;
      throw new Fault("generate-count", summary, "Write a smaller range, or shorter RDATA.");
    }
    const { data, loose } = readGeneratedData({ owner: name, type }, text, surroundings.origin);
    if (iterator === range.start) reportLooseText(reading, table, { owner: name, type: type.type }, loose);
    reading.records.add({ owner: name, type: type.type, ttl: counting, data, source, start, end });
  }
  const record = reading.records.at(-countOf(range));
  if (record) reading.addEntry({ kind: "generate", record, ownTtl: ttl }, countOf(range));
}

/**
 * The RDATA is the last part of the line. A literal fix would apply to the first record only, so it is described
 * instead.
 */
function reportLooseText(
  reading: Reading,
  table: TokenTable,
  owned: Pick<ZoneRecord, "owner" | "type">,
  loose: LooseText | undefined,
): void {
  const data = table.count - 1;
  const isCut = table.text[table.ends[data] ?? 0] === ";";
  if (!loose && !(isCut && owned.type === "TXT")) return;
  const summary = loose?.summary ?? lostRestSummary;
  const fix = 'Put the text in quotes inside the quotes of the RDATA: "\\"v=spf1 mx -all\\"".';
  reading.addSlip({ rule: "text-unquoted", summary, fix, first: data, last: data }, owned);
}

/**
 * The range of a `$GENERATE`: `1-100`, `0-254/2`.
 * @throws {Fault} `generate-range`
 */
function readRange(text: string): Iterations {
  const [, start, stop, step = "1"] = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  if (range.start <= range.stop && range.step > 0 && range.stop < 2 ** 31) return range;
  throw new Fault(
    "generate-range",
    "the range is not start-stop or start-stop/step",
    'Write a range such as "1-100" or "0-254/2".',
  );
}

function countOf({ start, stop, step }: Iterations): number {
  return Math.floor((stop - start) / step) + 1;
}

/**
 * Expands a template: `$`, `${offset,width,base}` with base d, o, x, X, n or N; `$$` and `\$` are a dollar sign (BIND 9
 * manual, $GENERATE). As in BIND, an offset also applies to the plain `$` that follow it.
 * @throws {Fault} `generate-format`
 */
function fillTemplate(template: string, iterator: number): string {
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
        "a modifier is not ${offset,width,base} with base d, o, x, X, n or N",
        'Write a modifier such as "${0,3,d}" for three digits.',
      );
    }
    offset = Number(delta);
    return formatNumber(iterator + offset, Number(width), base);
  });
}

/**
 * Reads the RDATA of one generated record. @throws {Fault} without a place, because the file contains only the
 * template.
 */
function readGeneratedData(
  { owner, type }: { readonly owner: Name; readonly type: RecordType },
  text: string,
  origin: Name,
): { data: Rdata; loose: LooseText | undefined } {
  const scanner = new Scanner(text);
  try {
    scanner.next();
    scanner.table.origin = origin;
    const data = parseRdata(type, scanner.table);
    const loose = findLooseText({ owner, type }, scanner.table, 0);
    if (!scanner.next()) return { data, loose };
  } catch (error) {
    throw error instanceof ScanFault ? new Fault(error.problem.id, error.message, error.problem.fix) : error;
  }
  throw new Fault(
    "rdata-extra",
    "the RDATA continues after the end of its line",
    "Write one $GENERATE for each record.",
  );
}

function formatNumber(value: number, width: number, base: string): string {
  if (base === "n" || base === "N") return formatNibbles(value >>> 0, width, base === "N");
  const radix = { d: 10, o: 8 }[base] ?? 16;
  const digits = (radix === 10 ? value : value >>> 0).toString(radix);
  const cased = base === "X" ? digits.toUpperCase() : digits;
  return cased.startsWith("-") ? `-${cased.slice(1).padStart(width - 1, "0")}` : cased.padStart(width, "0");
}

/** Hexadecimal digits, lowest first, one label each; the width includes the dots. */
function formatNibbles(value: number, width: number, isUpper: boolean): string {
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
