import { type Name, relativeTo } from "../../../dns/name/name.ts";
import { emailToName } from "../../../dns/types/soa.ts";
import { rdataText } from "../../../dns/zone/zone.ts";
import { fromApi } from "../../../targets/api/mapping.ts";
import type { PublicContext, Settings } from "../../entities/context.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { TimeSlice, yieldToEventLoop } from "../../store/event-loop.ts";
import { isShort, longestShort, requireLong } from "../../store/long-work.ts";
import { findRow } from "../../store/rows.ts";
import type { Database, DomainRow } from "../../store/tables.ts";
import { listRecordsAt, sumLongTargets } from "../zones/records-rows.ts";
import { serialsOfReverseZones } from "../zones/reverse-zones-rows.ts";
import { nextSerial, reverseSerial } from "../zones/serial.ts";
import type { ZoneRecordRow } from "../zones/zone-changes-rows.ts";
import * as zoneChanges from "../zones/zone-changes-rows.ts";
import {
  changedNamesOf,
  findRendered,
  mostChangedNames,
  ownApexServers,
  type ZoneVersionRecords,
  zoneSettings,
} from "../zones/zone-version.ts";
import { removeZoneRow, saveZoneRow, saveZoneSerial, serialOfZone } from "../zones/zones-rows.ts";
import { updateDomainRow } from "./domains-rows.ts";
import { toStoredName } from "./lookups.ts";

/**
 * Call it in the transaction of every change to a domain or its records, before the change. A zone is rendered
 * `renderDelay` seconds after its first unrendered change. No timer does that: whoever reads the zone or changes it
 * again first renders what is due, so the result does not depend on who reads it when.
 */
export async function prepareChange(db: Database, domain: DomainRow, context: PublicContext): Promise<void> {
  const isWaiting = domain.changed !== null;
  // Without a delay the zone cannot be read between two changes: one rendering serves both.
  const renders = context.renderDelay > 0 && context.waits.isOver(domain, () => context.now);
  if (renders) await render(db, domain, context);
  if (isWaiting && !renders) return;
  const changed = timestamp(context.now);
  await updateDomainRow(db, domain.id, { changed });
  context.waits.begin(domain.id, changed);
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
    if (isShort(db) && (await isLarge(db, domain))) requireLong(db);
    return (await isStale(db, domain, context)) ? { isLong: !isShort(db) } : { zone: await read(db, domain) };
  });
  if ("zone" in found) return found.zone;
  const renderAndRead = async (db: Database) => {
    const domain = await find(db);
    // Another process may have rendered it meanwhile.
    if (domain && (await isStale(db, domain, context))) await render(db, domain, context);
    // PostgreSQL rereads only the locked row after waiting for the lock, not what was joined to it.
    const rendered = domain && (await find(db));
    return rendered && read(db, rendered);
  };
  return context.store.write(renderAndRead, { isLong: found.isLong });
}

/** Whether the lines of a zone take longer than short work may. */
async function isLarge(db: Database, { id, type, records: count }: DomainRow): Promise<boolean> {
  if (type === "slave" || count * lineCost.record > longestShort) return true;
  const octets = await sumLongTargets(db, id, 0);
  return count * lineCost.record + octets * lineCost.character > longestShort;
}

async function isStale(db: Database, domain: DomainRow, context: PublicContext): Promise<boolean> {
  if (domain.type !== "master") return false;
  const zone = await findRow(db, "zones", { domain_id: domain.id });
  if (isRenderingDue(domain, zone?.name_servers ?? null, context, () => context.now)) return true;
  // More has changed than the journal holds: the version before cannot be read any more.
  return domain.changed !== null && zone !== undefined && (await findRendered(db, zone)) === undefined;
}

/** Whether a zone has to be rendered before it is read; `rendered` are the name servers of its rendered version. */
export function isRenderingDue(
  domain: Pick<DomainRow, "id" | "changed">,
  rendered: string | null,
  settings: Settings,
  clock: () => Date,
): boolean {
  return (rendered !== null && rendered !== nameServers(settings)) || settings.waits.isOver(domain, clock);
}

/** Renders the domain as it is now: it becomes a version with a serial of its own if the zone differs from the last. */
async function render(db: Database, domain: DomainRow, context: PublicContext): Promise<void> {
  await updateDomainRow(db, domain.id, { changed: null });
  if (domain.type !== "master" || domain.status !== "active") return removeZoneRow(db, domain.id);
  const settings = JSON.stringify(zoneSettings(domain, context.nameservers));
  const serial = await serialOfZone(db, domain.domain_key);
  if (serial !== undefined && (await isUnchanged(db, domain, { serial, settings }))) return;
  const reverse = await serialsOfReverseZones(db, domain.domain_key);
  const next = nextSerial(reverse.own === undefined ? serial : reverseSerial(reverse), context.now);
  const number = await zoneChanges.addZoneVersion(db, domain.id, { serial: next, settings });
  await saveZoneRow(db, { domain_id: domain.id, name_servers: nameServers(context), number });
  await saveZoneSerial(db, domain.domain_key, next);
}

/** Whether the zone is as it was rendered last. Without that version in the journal, it counts as changed. */
async function isUnchanged(
  db: Database,
  domain: DomainRow,
  { serial, settings }: Pick<zoneChanges.ZoneVersionMark, "serial" | "settings">,
): Promise<boolean> {
  const version = await findRendered(db, await findRow(db, "zones", { domain_id: domain.id }));
  if (version?.serial !== serial || version.settings !== settings) return false;
  const changes = await zoneChanges.listZoneChanges(db, domain.id, version.number);
  const names = changedNamesOf(changes);
  if (names.length > mostChangedNames) return false;
  const now = await listRecordsAt(db, domain.id, names);
  const origin = toStoredName(domain.domain);
  const before = await recordLines(zoneChanges.undoChanges(now, changes), origin);
  if (before.join("\n") !== (await recordLines(now, origin)).join("\n")) return false;
  await zoneChanges.removeVersionsAfter(db, domain.id, version.number);
  return true;
}

/** Cost of writing the line of a record, and of a character of its target, in nanoseconds. */
const lineCost = { record: 5000, character: 150 };

async function recordLines(rows: readonly ZoneRecordRow[], origin: Name): Promise<string[]> {
  const lines: string[] = [];
  const budget = new TimeSlice();
  for (const row of rows) {
    const record = fromApi(row, origin);
    const fields = [relativeTo(record.owner, origin), record.ttl, record.type, rdataText(record)];
    lines.push(fields.filter((field) => field !== undefined).join(" "));
    if (budget.isSpent(lineCost.record + row.target.length * lineCost.character)) await yieldToEventLoop();
  }
  return lines;
}

/**
 * The lines of a zone (decisions/service#zone-file): a comment with the domain and its id, `$TTL`, SOA, the service's
 * NS set, and one line for each record, oldest first; none for a domain without a zone. An ALIAS record is shown as
 * such, without its addresses. The SOA's minimum, the time for negative caching (RFC 2308 §4), is the zone's TTL.
 */
export async function renderLines({ id }: DomainRow, zone: ZoneVersionRecords | undefined): Promise<string[]> {
  if (zone === undefined) return [];
  const { serial, settings, records } = zone;
  const { domain, soa_email, ttl, refresh, retry, expire, nameservers } = settings;
  return [
    `; ${domain} [${id}]`,
    `$TTL ${ttl}`,
    `@  IN  SOA  ${nameservers[0]}. ${emailToName(soa_email)} ${serial} ${refresh} ${retry} ${expire} ${ttl}`,
    ...ownApexServers(settings, records).map((name) => `@ NS ${name}.`),
    ...(await recordLines(
      records.filter(({ alias_id }) => alias_id === null),
      toStoredName(domain),
    )),
  ];
}

function nameServers({ nameservers }: Settings): string {
  return nameservers.join(" ");
}
