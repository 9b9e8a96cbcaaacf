import type { Problem } from "../../src/diagnostics/problem.ts";
import { checkZone } from "../../src/dns/check.ts";
import { canonical, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { ScanFault, Scanner } from "../../src/formats/kit/scan.ts";
import type { ReadResult } from "../../src/formats/kit/source.ts";
import { readBind, readOctodns, readYaml } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { checkValues } from "./judge-yaml.ts";

export const readers = { bind: readBind, yaml: readYaml, octodns: readOctodns };
export type Format = keyof typeof readers;

/**
 * Limits on the expansion of a file: a million records from `$GENERATE`, a hundred thousand nodes from aliases.
 */
const mostGenerated = 1_000_000;
const mostExpanded = 100_000;
const mostFaults = 201;
/** Characters of records that are written and read again; more would only be slow. */
const mostSpelled = 4_000_000;

/**
 * Reads a file and looks at what must hold for every file: nothing is thrown, not even later when a record is looked
 * at; each record that was read can be written and read again; what comes out is bounded by what went in; each found
 * has a place inside the file; no entry is dropped in silence.
 * @throws {Error} that says what does not hold.
 */
export function judge(format: Format, bytes: Uint8Array): ReadResult {
  const result = readers[format]({ file: "fuzz", bytes, origin: domainName("example.") });
  const { zone, problems } = result;
  checkSpelling(zone.records);
  const found = checkZone(zone);
  const most = bytes.length + (format === "bind" ? mostGenerated : mostExpanded);
  if (zone.records.length > most) throw new Error(`${zone.records.length} records of ${bytes.length} octets`);
  if (problems.length > mostFaults) throw new Error(`${problems.length} problems`);
  const lines = linesOf(format, bytes);
  for (const each of [...problems, ...found]) checkPlace(each, lines);
  if (format === "bind") checkEntries(Buffer.from(bytes).toString("latin1"), result);
  else {
    const text = Buffer.from(bytes)
      .toString("utf8")
      .replace(/^\ufeff/, "");
    checkValues(format, text, result, lineFinder(text));
  }
  return result;
}

/** Each record in its canonical spelling is read as the same record. */
function checkSpelling(records: Iterable<ZoneRecord>): void {
  const lines: string[] = [];
  let left = mostSpelled;
  for (const record of records) {
    const line = `${record.owner} 300 IN ${record.type} ${canonical(record)}`;
    left -= line.length;
    if (left < 0) break;
    if (record.type !== "SOA") lines.push(line);
  }
  if (lines.length === 0) return;
  const bytes = Buffer.from(`${lines.join("\n")}\n`, "latin1");
  const again = readBind({ file: "again", bytes, origin: domainName(".") });
  const [problem] = again.problems;
  if (problem)
    throw new Error(`${problem.id} when reading the written text again: ${lines[(problem.place?.line ?? 0) - 1]}`);
  const index = lines.findIndex((line, index) => {
    const record = again.zone.records.at(index);
    return !record || line !== `${record.owner} 300 IN ${record.type} ${canonical(record)}`;
  });
  if (index !== -1) throw new Error(`reading the written text again differs: ${lines[index]}`);
}

/** The length of each line in the characters that places count. */
function linesOf(format: Format, bytes: Uint8Array): number[] {
  const octets = Buffer.from(bytes);
  if (format !== "bind")
    return octets
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .split("\n")
      .map(({ length }) => length);
  const lines = octets
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .split("\n");
  return lines.map((line) => Buffer.from(line, "latin1").toString("utf8").length);
}

function checkPlace({ id: rule, place: at, summary }: Problem, lines: readonly number[]): void {
  if (!at) throw new Error(`${rule} gives no place: ${summary}`);
  const length = lines[at.line - 1];
  // A place behind the last character of a line is where something is missing.
  const isInside = length !== undefined && at.column >= 1 && at.length >= 1 && at.column - 1 <= length;
  if (!isInside || at.column - 1 + at.length > length + 1)
    throw new Error(`${rule} at ${JSON.stringify(at)}, outside of its line (length ${length}, ${lines.length} lines)`);
}

/**
 * Checks that each entry has a record, or a problem at one of its lines. Entries are found by our own scanner and, if
 * no entry of the file can span lines, also as lines.
 */
function checkEntries(text: string, { zone, problems }: ReadResult): void {
  // One error is about the whole file, or the fault limit ends the reading; what a comment calls implicit is left out.
  const ofFile = ["too-many-errors", "file-format", "encoding"];
  if (problems.some(({ id }) => ofFile.includes(id)) || text.includes(";@")) return;
  // One error is about all lines with such comments.
  const isComment = (words: readonly string[]) => hasHashes && words.some((word) => /^#|^\/\//.test(word));
  const hasHashes = problems.some(({ id }) => id === "hash-comment");
  const reportedLines = new Set(problems.flatMap(({ place: at }) => (at ? [at.line] : [])));
  const starts = new Set(zone.records.map(({ start }) => start));
  const lineOf = lineFinder(text);
  const scanner = new Scanner(text);
  let isOwnerLost = false;
  /** An entry without a problem; it may belong to an unmatched closing parenthesis. */
  let silent: string | undefined;
  const check = () => {
    if (silent !== undefined) throw new Error(silent);
  };
  for (;;) {
    try {
      if (!scanner.next()) break;
    } catch (error) {
      // Said, at where it opened; what it swallows ends with the next entry.
      if (error instanceof ScanFault && text[error.start] === ")") silent = undefined;
      continue;
    }
    const { table, startsBlank } = scanner;
    const [first, last] = [lineOf(table.startOf(0)), lineOf(table.endOf(table.count - 1))];
    const isReported = Array.from({ length: last - first + 1 }, (_, index) => first + index).some((line) =>
      reportedLines.has(line),
    );
    const isControl = !startsBlank && text[table.startOf(0)] === "$";
    if (!startsBlank && !isControl) isOwnerLost = isReported;
    const words = Array.from({ length: table.count }, (_, token) => text.slice(table.starts[token], table.ends[token]));
    // Words without a type may be a part of it, also in column one.
    if (!startsBlank && words.slice(1).some((word) => !/^(?:\d.*|in)$/i.test(word))) check();
    if (isReported || isControl || starts.has(table.startOf(0)) || (startsBlank && isOwnerLost)) continue;
    if (words.some((word) => /^(?:soa|type0*6)$/i.test(word))) continue; // a transfer ends with its SOA again
    if (!isComment(words))
      silent ??= `line ${first} gives neither a record nor a word about it: ${JSON.stringify(words)}`;
  }
  check();
  const withoutHashes = hasHashes ? text.replace(/^[ \t]*(?:#|\/\/).*$/gm, "") : text;
  if (!/[()"\\\r]/.test(text)) checkLines(withoutHashes, starts, reportedLines, lineOf);
}

function checkLines(
  text: string,
  starts: ReadonlySet<number | undefined>,
  reportedLines: ReadonlySet<number>,
  lineOf: (offset: number) => number,
): void {
  const held = new Set([...starts].map((start) => lineOf(start ?? 0)));
  let isOwnerLost = false;
  for (const [index, line] of text.split("\n").entries()) {
    const content = line.replace(/^\u00ef\u00bb\u00bf/, "").replace(/;.*/s, "");
    if (/^[ \t]*$|^\$/.test(content)) continue;
    const isBlank = /^[ \t]/.test(content);
    const isReported = reportedLines.has(index + 1);
    if (!isBlank) isOwnerLost = isReported;
    if (/\b(?:soa|type0*6)\b/i.test(content)) continue; // a transfer ends with its SOA again
    if (!held.has(index + 1) && !isReported && !(isBlank && isOwnerLost))
      throw new Error(`line ${index + 1} is lost, without a problem: ${JSON.stringify(line)}`);
  }
}

/** Gives the line of an offset, counted from 1. */
function lineFinder(text: string): (offset: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at);
  return (offset) => {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
