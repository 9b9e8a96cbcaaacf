import type { CompiledZone } from "../../dns/compiled/compiled-zone.ts";
import { ZoneCompiler } from "../../dns/compiled/zone-compiler.ts";
import { encodeRdata } from "../../dns/rdata/record-type.ts";
import { WireWriter } from "../../dns/rdata/wire-writer.ts";
import { typeOf } from "../../dns/types/index.ts";
import { emailToName } from "../../dns/types/soa.ts";
import { isType, type ZoneRecord } from "../../dns/zone.ts";
import { readBind } from "../../formats/bind/read.ts";
import { fromApi } from "../../targets/api/mapping.ts";
import { storedName } from "../kit/domains.ts";
import { zoneTimes } from "../kit/rendering.ts";
import { StepBudget, yieldToEventLoop } from "../store/event-loop.ts";
import type { ZoneRows } from "../store/zones.ts";

/** A zone as it is served, or the error of the first record that cannot be served. */
export type LoadedZone = { readonly zone: CompiledZone } | { readonly error: string };

/** Cost of compiling a record from its row, and of a character of its target, in nanoseconds. */
const rowCost = { record: 7000, character: 100 };
/** From this many characters on, the size of a record's data is checked. */
const longTarget = 2 ** 14;
const longestData = 65_535;

/** Loads a master zone from its rows. `nameservers` are absolute without a final dot, the primary first. */
export async function loadRows(
  domain: string,
  { serial, domain: settings, records: rows }: ZoneRows,
  nameservers: readonly string[],
): Promise<LoadedZone> {
  const origin = storedName(domain);
  const { ttl, refresh, retry, expire } = zoneTimes(settings);
  const [mname = origin] = nameservers.map((name) => storedName(name));
  const times = { serial, refresh, retry, expire, minimum: ttl };
  const soa: ZoneRecord<"SOA"> = {
    owner: origin,
    type: "SOA",
    ttl: undefined,
    data: { mname, rname: emailToName(settings.soa_email), ...times },
  };
  const compiler = new ZoneCompiler(soa, ttl);
  for (const name of nameservers)
    compiler.add({ owner: origin, type: "NS", ttl: undefined, data: { nsdname: storedName(name) } });
  const budget = new StepBudget();
  for (const row of rows) {
    const record = fromApi(row, origin);
    const error = row.target.length < longTarget ? undefined : sizeError(record);
    if (error !== undefined) return { error };
    compiler.add(record);
    if (budget.isSpent(rowCost.record + row.target.length * rowCost.character)) await yieldToEventLoop();
  }
  return { zone: await compile(compiler) };
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
  const budget = new StepBudget();
  let compiler: ZoneCompiler | undefined;
  for (let from = head.length, to = from; compiler === undefined || from < lines.length; from = to) {
    if (compiler) await yieldToEventLoop();
    while (to < lines.length && !budget.isSpent(lineCost.line + (lines[to++]?.length ?? 0) * lineCost.octet));
    const bytes = Buffer.from(`${[...head, ...lines.slice(from, to)].join("\n")}\n`);
    const { zone, problems } = readBind({ file: domain, bytes, origin: storedName(domain), settings: [] });
    const [soa, ...others] = zone.records;
    const error = problems.find(({ severity }) => severity === "error")?.summary;
    if (!soa || !isType(soa, "SOA")) throw new Error(`the stored zone ${domain} cannot be read: ${error}`);
    if (error !== undefined) return { error };
    compiler ??= new ZoneCompiler(soa, zone.settings.ttl_sec ?? 0);
    for (const record of others) compiler.add(record);
  }
  return { zone: await compile(compiler) };
}

async function compile(compiler: ZoneCompiler): Promise<CompiledZone> {
  const steps = compiler.compile();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToEventLoop();
  }
}
