import type { CompiledZone } from "../../../dns/compiled/compiled-zone.ts";
import { ZoneCompiler } from "../../../dns/compiled/zone-compiler.ts";
import type { ZoneVersions } from "../../../dns/compiled/zone-difference.ts";
import { readExactName } from "../../../dns/name/name.ts";
import { toOctets } from "../../../dns/name/text.ts";
import { encodeRdata } from "../../../dns/rdata/record-type.ts";
import { WireWriter } from "../../../dns/rdata/wire-writer.ts";
import { typeOf } from "../../../dns/types/index.ts";
import { emailToName } from "../../../dns/types/soa.ts";
import { isType, type ZoneRecord } from "../../../dns/zone/zone.ts";
import { readBind } from "../../../formats/bind/read.ts";
import { fromApi } from "../../../targets/api/mapping.ts";
import { toStoredName } from "../../areas/domains/lookups.ts";
import type { ZoneRecordRow } from "../../areas/zones/zone-changes-rows.ts";
import {
  ownApexServers,
  type RenderedSettings,
  type VersionDifference,
  type ZoneVersionRecords,
} from "../../areas/zones/zone-version.ts";
import { TimeSlice, yieldToEventLoop } from "../../store/event-loop.ts";

/** A zone as it is served, or the error of the first record that cannot be served. */
export type LoadedZone = { readonly zone: CompiledZone } | { readonly error: string };

/** Cost of compiling a record from its row, and of a character of its target, in nanoseconds. */
const rowCost = { record: 7000, character: 100 };
/** From this many characters on, the size of a record's data is checked. */
const longTarget = 2 ** 14;
const longestData = 65_535;

/** Loads a master zone from its rows. */
export async function loadRows(zone: ZoneVersionRecords): Promise<LoadedZone> {
  const { settings, records } = zone;
  const compiler = new ZoneCompiler(soaOf(zone), settings.ttl);
  const error = await addRecords(compiler, settings, records);
  return error === undefined ? { zone: await compile(compiler) } : { error };
}

/**
 * Loads a version of a zone from an earlier one, which it shares its memory with. It costs time for the changed names
 * only.
 */
export async function loadChanged(base: CompiledZone, { names, after }: VersionDifference): Promise<LoadedZone> {
  const { settings, records } = after;
  const compiler = new ZoneCompiler(soaOf(after), settings.ttl, base);
  const origin = toStoredName(settings.domain);
  for (const name of names) if (name !== "") compiler.replace(readExactName(toOctets(name), origin));
  const error = await addRecords(compiler, settings, records);
  return error === undefined ? { zone: await compile(compiler) } : { error };
}

/** The changed names of two versions of a zone; undefined if a record cannot be served. */
export async function loadVersions(change: VersionDifference): Promise<ZoneVersions | undefined> {
  const before = await loadRows(change.before);
  const after = "zone" in before ? await loadChanged(before.zone, change) : before;
  return "zone" in before && "zone" in after ? { before: before.zone, after: after.zone } : undefined;
}

function soaOf({ serial, settings }: ZoneVersionRecords): ZoneRecord<"SOA"> {
  const { domain, soa_email, ttl: minimum, refresh, retry, expire, nameservers } = settings;
  const owner = toStoredName(domain);
  const [mname = owner] = nameservers.map((name) => toStoredName(name));
  const data = { mname, rname: emailToName(soa_email), serial, refresh, retry, expire, minimum };
  return { owner, type: "SOA", ttl: undefined, data };
}

/** Adds records, and the NS records of the service; returns the error of the first that cannot be served. */
async function addRecords(
  compiler: ZoneCompiler,
  settings: RenderedSettings,
  rows: readonly ZoneRecordRow[],
): Promise<string | undefined> {
  const origin = toStoredName(settings.domain);
  for (const name of ownApexServers(settings, rows))
    compiler.add({ owner: origin, type: "NS", ttl: undefined, data: { nsdname: toStoredName(name) } });
  const budget = new TimeSlice();
  for (const row of rows) {
    if (row.type === "ALIAS") continue; // its addresses are rows of their own
    const record = fromApi(row, origin);
    const error = row.target.length < longTarget ? undefined : sizeError(record);
    if (error !== undefined) return error;
    compiler.add(record);
    if (budget.isSpent(rowCost.record + row.target.length * rowCost.character)) await yieldToEventLoop();
  }
  return undefined;
}

function sizeError({ owner, type, data }: ZoneRecord): string | undefined {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  if (wire.length <= longestData) return undefined;
  return `${owner} ${type} takes ${wire.length} octets, at most ${longestData} fit into a record`;
}

/** Cost of compiling a line, and one of its octets, in nanoseconds; the octets of texts outside of ASCII cost most. */
const lineCost = { line: 17_000, octet: 200 };

/**
 * Loads a slave zone from its lines, as received from its masters. The lines up to the SOA record are repeated before
 * each piece of the others, each of which names its owner, so that a zone of any size is read in steps.
 */
export async function loadLines(domain: string, lines: readonly string[]): Promise<LoadedZone> {
  const head = lines.slice(0, lines.findIndex((line) => !/^[;$]/.test(line)) + 1);
  const budget = new TimeSlice();
  let compiler: ZoneCompiler | undefined;
  for (let from = head.length, to = from; compiler === undefined || from < lines.length; from = to) {
    if (compiler) await yieldToEventLoop();
    while (to < lines.length && !budget.isSpent(lineCost.line + (lines[to++]?.length ?? 0) * lineCost.octet));
    const bytes = Buffer.from(`${[...head, ...lines.slice(from, to)].join("\n")}\n`);
    const { zone, problems } = readBind({ file: domain, bytes, origin: toStoredName(domain), settings: [] });
    const [soa, ...others] = zone.records;
    const error = problems.find(({ severity }) => severity === "error")?.summary;
    if (!soa || !isType(soa, "SOA")) throw new Error(`the stored zone ${domain} cannot be read: ${error}`);
    if (error !== undefined) return { error };
    compiler ??= new ZoneCompiler(soa, zone.settings.ttl_sec ?? 0);
    for (const record of others) compiler.add(record);
  }
  return { zone: await compile(compiler) };
}

/** Compiles a zone in steps, between which other work has its turn. */
export async function compile(compiler: ZoneCompiler): Promise<CompiledZone> {
  const steps = compiler.compile();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToEventLoop();
  }
}
