import { Fault } from "../../dns/name/fault.ts";
import { isInternational } from "../../dns/name/idn.ts";
import { isSameName, type Name, readName } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { displayTypeOf, parseRdata, type RecordType } from "../../dns/rdata/record-type.ts";
import { quoted, type TokenTable } from "../../dns/rdata/token-table.ts";
import { SOA } from "../../dns/types/soa.ts";
import { canonical, isType, placeOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { findLooseText } from "../kit/loose-text.ts";
import { adviseStraightForm } from "../kit/straight-form.ts";
import { readDirective } from "./directives.ts";
import { readRecordHead } from "./head.ts";
import type { OpenFile } from "./open-file.ts";
import type { Reading } from "./reading.ts";

const hash = 35;
const dollar = 36;
const slash = 47;

/**
 * Reads the current entry of the scanner: a control entry or a record (RFC 1035 §5.1).
 * @throws {Fault}
 */
export function readEntry(reading: Reading): void {
  const { open } = reading;
  const { table, startsBlank } = open.scanner;
  if (!startsBlank && table.text.charCodeAt(table.starts[0] ?? 0) === dollar && !table.isQuoted) {
    readDirective(reading, table);
    return;
  }
  const isHash = startsComment(table, 0);
  if (isHash && !recordTypeOf(table, 1)) return reading.addHashComment(0);
  const comment = isHash ? 0 : findComment(table, startsBlank ? 0 : 1);
  if (comment > 0) {
    reading.addHashComment(comment);
    table.count = comment;
  }
  const owner = startsBlank ? ownerBefore(open) : readOwner(reading, open, table);
  if (owner === undefined) return;
  reading.entryOwner = owner;
  const { ttl, type } = readRecordHead(table);
  reading.entry = { type: displayTypeOf(type) };
  table.origin = open.surroundings.origin;
  const start = table.startOf(0);
  const dataAt = table.next;
  const soa = type.type === "SOA" ? readData(SOA, table) : undefined;
  const data = soa ?? readData(type, table);
  const counts = reading.ttls.of(ttl, soa?.minimum);
  const end = table.endOf(table.count - 1);
  const record: ZoneRecord = { owner, type: type.type, ttl: counts, data, source: open.source, start, end };
  const role =
    isType(record, "SOA") && !isNewSoa(reading, record, table)
      ? "repeat"
      : reading.implicit.includes(type.type) && owner === reading.name
        ? "implicit"
        : "record";
  const isOfZone = role === "record";
  if (isOfZone) reading.records.add(record);
  if (open.tree) {
    const inheritsOwner = startsBlank;
    reading.addEntry(
      { kind: "record", record, ownTtl: ttl, inheritsOwner, typeAt: dataAt - 1, role },
      isOfZone ? 1 : 0,
    );
  }
  if (!isOfZone) return;
  if (isHash) reading.addSlip({ ...hashSlip, first: 0, last: 0 }, record);
  const loose = findLooseText({ owner, type }, table, dataAt);
  if (loose) reading.addSlip(loose, record);
  for (const { name, token } of table.converted) reading.noteConversion(token, name);
  for (const { name, token } of table.dotless) {
    const written = fromOctets(table.text.slice(table.starts[token], table.ends[token]));
    reading.dotless.push({ name, written, at: open.place(token), owner, type: type.type, source: open.source });
  }
}

const hashSlip = {
  rule: "hash-owner" as const,
  summary: 'is a record of a name that starts with "#", not a comment',
  fix: 'To make it a comment, write ";" instead. If the name is intended, write "\\035" for the "#".',
};

/** Reads the RDATA of a record. @throws {Fault} */
function readData<Data extends object>(type: RecordType<Data>, table: TokenTable): Data {
  const start = table.startOf(table.next);
  try {
    return parseRdata(type, table);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const rdata = table.text.slice(start, table.endOf(table.count - 1));
    const { id, summary, fix } = adviseStraightForm(error.problem, type, rdata, table.origin);
    throw new Fault(id, summary, fix);
  }
}

/** Type of the record in the tokens from `head` on; undefined where they are not a record. */
function recordTypeOf(table: TokenTable, head: number): RecordType | undefined {
  const { next } = table;
  table.next = head;
  try {
    const { type } = readRecordHead(table);
    parseRdata(type, table);
    return type;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return undefined;
  } finally {
    table.next = next;
    table.dotless.length = 0;
    table.converted.length = 0;
  }
}

/** Whether the token starts with `#` or `//`, which start comments in other formats. */
function startsComment({ text, starts, kinds }: TokenTable, token: number): boolean {
  const start = starts[token] ?? 0;
  const code = text.charCodeAt(start);
  return (
    ((kinds[token] ?? 0) & quoted) === 0 && (code === hash || (code === slash && text.charCodeAt(start + 1) === slash))
  );
}

/**
 * The token after the RDATA at which such a comment starts; 0 if there is none. Tokens that are valid as RDATA are not
 * comments, except for the strings of a text, whose number is unlimited.
 */
function findComment(table: TokenTable, head: number): number {
  for (let token = head + 2; token < table.count; token++) {
    if (!startsComment(table, token)) continue;
    const type = recordTypeOf(table, head);
    return type && type.fields[0]?.kind.json !== "texts" ? 0 : token;
  }
  return 0;
}

/** Undefined if the previous owner was invalid, which was reported. */
function ownerBefore({ owner, isOwnerGiven }: OpenFile): Name | undefined {
  if (isOwnerGiven) return owner;
  throw new Fault(
    "owner-missing",
    "the first record starts with white space and has no owner",
    'Start the line with an owner name, or "@".',
  );
}

function readOwner(reading: Reading, open: OpenFile, table: TokenTable): Name {
  const [start = 0, end = 0] = [table.starts[0], table.ends[0]];
  open.setOwner(-1, start, start);
  const owner = readName(table.unquoted("an owner name"), open.surroundings.origin);
  if (isInternational(table.text.slice(start, end))) reading.noteConversion(0, owner);
  open.setOwner(reading.records.owners.add(owner), start, end);
  reading.noteOwner(owner);
  return owner;
}

/** False for the SOA record that a printed zone transfer repeats at its end. */
function isNewSoa(reading: Reading, record: ZoneRecord<"SOA">, table: TokenTable): boolean {
  const { soa } = reading;
  if (soa?.owner === record.owner && canonical(soa) === canonical(record)) return false;
  table.next = 0;
  if (soa) throw new Fault("soa-twice", "the zone has a second SOA record", "Keep one.");
  reading.soa = record;
  if (!isSameName(record.owner, reading.name)) reading.mayBeOutside = true;
  reading.name = record.owner;
  const place = placeOf(record);
  if (place) reading.places.zone = place;
  return true;
}
