import { problem } from "../../diagnostics/problem.ts";
import { isInside, shownName } from "../../dns/name/name.ts";
import { soaSettings } from "../../dns/zone/soa-settings.ts";
import { placeOf } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { unifyTtls } from "../edit/rrset-ttl.ts";
import { unreadOf } from "../kit/faults.ts";
import { findForeignContent, findOtherToolFile, findYamlInside } from "../kit/other-format.ts";
import { findSoaDifferences } from "../kit/setting.ts";
import type { ReadResult, ZoneFileBytes } from "../kit/source.ts";
import { readEntry } from "./entry.ts";
import { readPlainLines } from "./plain-lines.ts";
import { problemAt } from "./problem-list.ts";
import { Reading } from "./reading.ts";
import type { Tree } from "./tree.ts";

/**
 * Reads a zone file (RFC 1035 §5, `$TTL` of RFC 2308 §4) as BIND does. After an error it continues with the next entry,
 * so that one run reports all errors.
 */
export function readBind(file: ZoneFileBytes): ReadResult {
  return read(new Reading(file, { hasTree: false }), file);
}

export interface BindFile extends ReadResult {
  readonly tree: Tree;
}

/** Reads a zone together with the tree of its file, for `fmt` and edits. */
export function readBindFile(file: ZoneFileBytes): BindFile {
  const reading = new Reading(file, { hasTree: true });
  const result = read(reading, file);
  reading.first.tree?.addLinesTo(reading.first.source.text.length);
  const { nodes = [], entries = [], comments = [] } = reading.first.tree ?? {};
  const { text } = reading.first.source;
  const tree: Tree = {
    text,
    nodes,
    entries,
    settings: comments.flatMap(({ start, end, setting }) => (setting === undefined ? [] : { start, end, setting })),
    implicit: reading.implicit,
    zoneTtl: reading.ttls.zone,
    lineEnd: text[text.indexOf("\n") - 1] === "\r" ? "\r\n" : "\n",
  };
  return { ...result, tree };
}

function read(reading: Reading, { file }: ZoneFileBytes): ReadResult {
  const { source } = reading.first;
  const otherFormat = findForeignContent(source) ?? findOtherToolFile(source) ?? findYamlInside(source);
  if (otherFormat) reading.report(otherFormat);
  else readEntries(reading);
  reading.reportHashes();
  checkInside(reading);
  checkSoa(reading);
  checkEmpty(reading);
  unifyTtls(reading.records, reading.ttls.zone, (found) => reading.report(found));
  const zone = {
    name: reading.name,
    settings: allSettings(reading),
    records: reading.records,
    places: reading.places,
    dotlessTargets: reading.dotless,
    ...(reading.slips.length > 0 && { slips: reading.slips }),
    ...reading.scope(),
    file,
    fileFormat: "bind" as const,
  };
  const excused = reading.excused();
  const problems = reading.problems.all;
  return { zone: { ...zone, ...(excused.length > 0 && { excused }), ...unreadOf(problems) }, problems };
}

function readEntries(reading: Reading): void {
  for (;;) {
    try {
      reading.entryOwner = undefined;
      reading.entry = {};
      if (!reading.open.tree) readPlainLines(reading);
      if (reading.open.scanner.next()) {
        reading.isEmpty = false;
        readEntry(reading);
        reading.failures.length = 0;
      } else if (!reading.close()) return;
    } catch (error) {
      reading.reportFault(error);
      if (reading.problems.areTooMany && !reading.close()) return;
    }
  }
}

function checkInside(reading: Reading): void {
  const { origins, mayBeOutside, records, name } = reading;
  if (!mayBeOutside && origins.every((origin) => isInside(origin, name))) return;
  const { owners } = records;
  const areOutside = Array.from({ length: owners.count }, (_, id) => !isInside(owners.name(id), name));
  const outside: number[] = [];
  for (let row = 0; row < records.length; row++) if (areOutside[records.ownerAt(row)]) outside.push(row);
  if (reading.soa && outside.length > 1 && outside.length * 4 > records.length * 3) {
    const summary = `${outside.length} of ${records.length} records are outside the zone "${shownName(name)}" of the SOA record`;
    const fix = "Check the owner of the SOA record and $ORIGIN.";
    reading.report(problem("soa-owner", summary, { fix, place: placeOf(reading.soa) }));
    return;
  }
  const reported = new Set<string>();
  const leading = [...new Set(origins)].filter((origin) => origin !== "." && !isInside(origin, name));
  for (const row of outside) {
    // One error for all records outside the zone because of one $ORIGIN or $GENERATE.
    if (reading.problems.areTooMany) return;
    const record = records.get(row);
    const origin = leading.find((one) => isInside(record.owner, one));
    const cause = origin ?? `${record.source?.file} ${record.start}`;
    if (reported.has(cause)) continue;
    reported.add(cause);
    const summary = `${shownName(record.owner)} ${record.type} is outside the zone "${shownName(name)}"`;
    reading.report(
      problem("out-of-zone", summary, { fix: "Check $ORIGIN and the final dot.", place: placeOf(record) }),
    );
  }
}

/** Rejects empty files: a truncated file must not be read as a zone without records. */
function checkEmpty(reading: Reading): void {
  if (!reading.isEmpty || reading.problems.all.length > 0) return;
  const fix = "Add the SOA and other records of the zone, or remove the file.";
  reading.report(problem("zone-empty", "the file contains no zone", { fix, place: reading.first.source.place(0) }));
}

function checkSoa(reading: Reading): void {
  const { soa, implicit, settings, known } = reading;
  if (!soa || implicit.includes("SOA")) return;
  for (const fault of findSoaDifferences(soaSettings(soa, known), settings))
    reading.report(problemAt(fault, placeOf(soa)));
}

/** Settings of `$TTL` and the SOA record, as far as the target has them; directive comments override them. */
function allSettings({ ttls, soa, implicit, settings, known }: Reading): ZoneSettings {
  return {
    ...(ttls.zone !== undefined && !implicit.includes("TTL") && { ttl_sec: ttls.zone }),
    ...(soa && !implicit.includes("SOA") && soaSettings(soa, known)),
    ...settings,
  };
}
