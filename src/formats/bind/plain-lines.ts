import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { wordNumber } from "../../dns/rdata/octet-line.ts";
import { type RecordType, takeRdata } from "../../dns/rdata/record-type.ts";
import { typeOfWord } from "../../dns/types/index.ts";
import { SOA } from "../../dns/types/soa.ts";
import type { OpenFile } from "./open-file.ts";
import type { Reading } from "./reading.ts";

const dot = 46;
const semicolon = 59;
const atSign = 64;
const internet = wordNumber("IN");

/**
 * Reads the ordinary lines that follow: records in one line without escapes and parentheses, comments, empty lines.
 * Most of a zone file consists of them, and they need neither tokens nor objects. Stops at any other line, which is
 * read as an entry.
 */
export function readPlainLines(reading: Reading): void {
  const { scanner, line, plainEnd, surroundings } = reading.open;
  line.originLength = surroundings.origin.length;
  let { at } = scanner;
  while (at < plainEnd) {
    line.at = at;
    if (!readLine(reading, reading.open)) break;
    at = line.at;
  }
  scanner.moveTo(at);
}

/** Reads one line, and moves to the next one. False if that is impossible; then nothing has changed. */
function readLine(reading: Reading, open: OpenFile): boolean {
  const { line, surroundings } = open;
  const { octets, at: lineStart } = line;
  line.hasText = false;
  if (!line.toWord()) {
    const isDirective = line.at === lineStart && octets[lineStart] === semicolon && octets[lineStart + 1] === atSign;
    return !isDirective && line.takeEnd();
  }
  const start = line.at;
  const isNewOwner = start === lineStart && !(open.ownerId >= 0 && line.takeSame(open.ownerStart, open.ownerEnd));
  if (isNewOwner ? !line.takeOwner() : open.ownerId < 0) return false;
  const ownerEnd = line.at;
  let ttl: number | undefined;
  let hasClass = false;
  let type: RecordType | undefined;
  while (type === undefined) {
    if (!line.toWord()) return false;
    if (line.isAtDigit) {
      if (ttl !== undefined) return false;
      ttl = line.takeTtl();
      if (ttl < 0) return false;
    } else {
      const word = line.takeWord();
      type = typeOfWord(word);
      if (type === undefined && (word !== internet || hasClass)) return false;
      hasClass = true;
    }
  }
  if (type === SOA || (reading.implicit.length > 0 && reading.implicit.includes(type.type))) return false;
  if (!takeRdata(type, line) || !line.takeEnd()) return false;
  if (ttl === undefined && Number.isNaN(reading.ttls.after)) return false;
  if (isNewOwner) setOwner(reading, open, start, ownerEnd);
  reading.records.addRow(open.ownerId, type.code, reading.ttls.of(ttl, undefined), start, surroundings);
  reading.isEmpty = false;
  // Setting the length costs as much as the rest of the line.
  if (reading.failures.length > 0) reading.failures.length = 0;
  return true;
}

function setOwner(reading: Reading, open: OpenFile, start: number, end: number): void {
  const { octets } = open.line;
  const { absolute, relative } = open.surroundings;
  const isAbsolute = octets[end - 1] === dot;
  open.setOwner(reading.records.owners.addPlain(octets, start, end, isAbsolute ? absolute : relative), start, end);
  if (isAbsolute && !endsInName(octets, start, end, nameKey(reading.name))) reading.mayBeOutside = true;
}

/** Whether the plain absolute name from `start` up to `end` is a name or below it. */
function endsInName(octets: Uint8Array, start: number, end: number, name: NameKey): boolean {
  const first = end - name.length;
  if (first < start || (first > start && octets[first - 1] !== dot)) return false;
  for (let at = first; at < end; at++) {
    const code = octets[at] ?? 0;
    const lower = code >= 65 && code <= 90 ? code + 32 : code;
    if (lower !== name.charCodeAt(at - first)) return false;
  }
  return true;
}
