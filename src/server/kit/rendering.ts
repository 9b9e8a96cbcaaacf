import { relativeTo } from "../../dns/name.ts";
import { emailToName } from "../../dns/types/soa.ts";
import { rdataText } from "../../dns/zone.ts";
import { fromApi } from "../../targets/api/mapping.ts";
import { type ApiTime, apiTimes } from "../../targets/api/settings.ts";
import * as domains from "../store/domains.ts";
import { StepBudget, yieldToEventLoop } from "../store/event-loop.ts";
import * as records from "../store/records.ts";
import { serialsOf } from "../store/reverse-zones.ts";
import type { Database, DomainRow } from "../store/tables.ts";
import * as zones from "../store/zones.ts";
import type { Context, PublicContext, Settings } from "./context.ts";
import { storedName } from "./domains.ts";
import { nextSerial, reverseSerial } from "./serial.ts";
import { moment, timestamp } from "./timestamp.ts";

/**
 * Call it in the transaction of every change to a domain or its records, before the change. A zone is rendered
 * `renderDelay` seconds after its first unrendered change. No timer does that: whoever reads the zone or changes it
 * again first renders what is due, so the result does not depend on who reads it when.
 */
export async function prepareChange(db: Database, domain: DomainRow, context: Context): Promise<void> {
  const isWaiting = domain.changed !== null;
  // Without a delay the zone cannot be read between two changes: one rendering serves both.
  const renders = context.renderDelay > 0 && isOverdue(domain, context);
  if (renders) await render(db, domain, context);
  if (isWaiting && !renders) return;
  if (context.renderDelay > 0) await zones.keepRows(db, domain);
  await domains.update(db, domain.id, { changed: timestamp(context.now) });
}

/**
 * Finds a domain and reads its zone in the same transaction, after rendering it where that is due. Undefined where
 * `find` finds none.
 */
export async function readRendered<D extends DomainRow, T>(
  find: (db: Database) => Promise<D | undefined>,
  context: PublicContext,
  read: (db: Database, domain: D) => Promise<T>,
): Promise<T | undefined> {
  const found = await context.store.read(async (db) => {
    const domain = await find(db);
    if (domain === undefined) return { zone: undefined };
    return (await isStale(db, domain, context)) ? undefined : { zone: await read(db, domain) };
  });
  if (found) return found.zone;
  return context.store.write(async (db) => {
    const domain = await find(db);
    // Another process may have rendered it meanwhile.
    if (domain && (await isStale(db, domain, context))) await render(db, domain, context);
    // PostgreSQL rereads only the locked row after waiting for the lock, not what was joined to it.
    const rendered = domain && (await find(db));
    return rendered && read(db, rendered);
  });
}

async function isStale(db: Database, domain: DomainRow, context: PublicContext): Promise<boolean> {
  return domain.type === "master" && dueAt(domain, await zones.find(db, domain.id), context) <= context.now.getTime();
}

/** The time from which on the zone has to be rendered before it is read, in milliseconds since 1970. */
export function dueAt(
  { changed }: Pick<DomainRow, "changed">,
  zone: { readonly name_servers: string } | undefined,
  settings: Settings,
): number {
  if (zone !== undefined && zone.name_servers !== nameServers(settings)) return Number.NEGATIVE_INFINITY;
  return changed === null ? Number.POSITIVE_INFINITY : moment(changed).getTime() + settings.renderDelay * 1000;
}

function isOverdue(domain: Pick<DomainRow, "changed">, context: PublicContext): boolean {
  return dueAt(domain, undefined, context) <= context.now.getTime();
}

/** Renders the domain as it is now. The serial changes if the zone does, or if there was none. */
async function render(db: Database, domain: DomainRow, context: PublicContext): Promise<void> {
  await domains.update(db, domain.id, { changed: null });
  if (domain.type !== "master" || domain.status !== "active") return zones.remove(db, domain.id);
  const zone = await renderLines(db, domain, context.nameservers);
  const serial = await zones.serialOf(db, domain.domain_key);
  const isUnchanged = serial !== undefined && (await isSame(zone(serial), await zones.linesOf(db, domain.id)));
  if (isUnchanged) return zones.dropRows(db, domain.id);
  const reverse = await serialsOf(db, domain.domain_key);
  const next = nextSerial(reverse.own === undefined ? serial : reverseSerial(reverse), context.now);
  await zones.save(db, { domain_id: domain.id, name_servers: nameServers(context) }, zone(next));
  await zones.saveSerial(db, domain.domain_key, next);
}

/** SOA times and TTL of a domain's zone in seconds; 0 is the service's default (service: Zone file). */
export function zoneTimes(domain: Pick<DomainRow, ApiTime>) {
  const time = (field: ApiTime) => domain[field] || apiTimes[field];
  return {
    ttl: time("ttl_sec"),
    refresh: time("refresh_sec"),
    retry: time("retry_sec"),
    expire: time("expire_sec"),
  };
}

/** Cost of reading a record and writing its line, and of a character of its target, in nanoseconds. */
const renderCost = { record: 10_000, character: 150 };

/**
 * The lines of a zone for a given serial (service: Zone file): a comment with the domain and its id, `$TTL`, SOA, the
 * service's NS set, and one line for each record, oldest first. The SOA's minimum, the time for negative caching (RFC
 * 2308 §4), is the zone's TTL.
 */
async function renderLines(
  db: Database,
  domain: DomainRow,
  nameservers: readonly string[],
): Promise<(serial: number) => string[]> {
  const origin = storedName(domain.domain);
  const { ttl, refresh, retry, expire } = zoneTimes(domain);
  const lines: string[] = [];
  const budget = new StepBudget();
  for await (const part of records.readInParts(db, domain.id)) {
    for (const row of part) {
      const record = fromApi(row, origin);
      const fields = [relativeTo(record.owner, origin), record.ttl, record.type, rdataText(record)];
      lines.push(fields.filter((field) => field !== undefined).join(" "));
      if (budget.isSpent(renderCost.record + row.target.length * renderCost.character)) await yieldToEventLoop();
    }
  }
  return (serial) => [
    `; ${domain.domain} [${domain.id}]`,
    `$TTL ${ttl}`,
    `@  IN  SOA  ${nameservers[0]}. ${emailToName(domain.soa_email)} ${serial} ${refresh} ${retry} ${expire} ${ttl}`,
    ...nameservers.map((name) => `@ NS ${name}.`),
    ...lines,
  ];
}

/** Cost of comparing a line, and one of its characters, in nanoseconds. */
const comparisonCost = { line: 50, character: 5 };

async function isSame(lines: readonly string[], before: readonly string[]): Promise<boolean> {
  if (lines.length !== before.length) return false;
  const budget = new StepBudget();
  for (const [index, line] of lines.entries()) {
    if (line !== before[index]) return false;
    if (budget.isSpent(comparisonCost.line + line.length * comparisonCost.character)) await yieldToEventLoop();
  }
  return true;
}

function nameServers({ nameservers }: Settings): string {
  return nameservers.join(" ");
}
