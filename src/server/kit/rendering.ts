import * as domains from "../store/domains.ts";
import { nextTurn, Pace } from "../store/event-loop.ts";
import * as records from "../store/records.ts";
import * as slaves from "../store/slaves.ts";
import type { Database } from "../store/store.ts";
import type { DomainRow } from "../store/tables.ts";
import * as zones from "../store/zones.ts";
import type { Context, PublicContext } from "./context.ts";
import { ownDomain } from "./own-domain.ts";
import { renderZone } from "./render.ts";
import { nextSerial } from "./serial.ts";
import { moment, timestamp } from "./timestamp.ts";

/**
 * To be called in the transaction of every change to a domain or its records, before the change. A zone is rendered
 * `renderDelay` seconds after the first change that is not in it yet. No timer does that: whoever reads the zone or
 * changes it again renders first what is due, so what a reader sees does not depend on who looked when.
 */
export async function zoneWillChange(db: Database, domain: DomainRow, context: Context): Promise<void> {
  const isWaiting = domain.changed !== null;
  // Without a delay nobody can have seen the zone between two changes: one rendering serves both.
  const renders = context.renderDelay > 0 && isOverdue(domain, context);
  if (renders) await render(db, domain, context);
  if (renders || !isWaiting) await domains.update(db, domain.id, { changed: timestamp(context.now) });
}

/**
 * The lines of the domain's zone as it was last rendered; none for a domain that was not rendered yet, or is
 * disabled (service: Zone file). Those of a slave are of its last transfer, as long as that counts. @throws {ApiError} 404
 */
export function renderedZone(domainId: number, context: Context): Promise<string[]> {
  return linesNow((db) => ownDomain(db, domainId, context), context);
}

/** The same of the domain that `find` finds; none where it finds none. */
export async function linesNow(
  find: (db: Database) => Promise<DomainRow | undefined>,
  context: PublicContext,
): Promise<string[]> {
  const lines = await context.store.read(async (db) => {
    const domain = await find(db);
    if (domain === undefined) return [];
    if (domain.type === "slave")
      return domain.status === "active" ? slaves.linesOf(db, domain, timestamp(context.now)) : [];
    const zone = await zones.find(db, domain.id);
    return isDue(domain, zone, context) ? undefined : zones.linesOf(db, domain.id);
  });
  if (lines !== undefined) return lines;
  return context.store.write(async (db) => {
    const domain = await find(db);
    if (domain === undefined) return [];
    // Somebody else may have rendered it since.
    const zone = await zones.find(db, domain.id);
    return isDue(domain, zone, context) ? render(db, domain, context) : zones.linesOf(db, domain.id);
  });
}

/** Is the zone that was rendered last not the one to be read now? */
export function isDue(
  domain: Pick<DomainRow, "changed">,
  zone: { readonly name_servers: string } | undefined,
  context: PublicContext,
): boolean {
  return isOverdue(domain, context) || (zone !== undefined && zone.name_servers !== nameServers(context));
}

function isOverdue({ changed }: Pick<DomainRow, "changed">, { now, renderDelay }: PublicContext): boolean {
  return changed !== null && moment(changed).getTime() + renderDelay * 1000 <= now.getTime();
}

/** Renders the domain as it is now. The serial moves when that is another zone than before, or there was none. */
async function render(db: Database, domain: DomainRow, context: PublicContext): Promise<string[]> {
  await domains.update(db, domain.id, { changed: null });
  if (domain.type !== "master" || domain.status !== "active") {
    await zones.remove(db, domain.id);
    return [];
  }
  const zone = await renderZone(domain, records.inParts(db, domain.id), context.nameservers);
  const serial = await zones.serialOf(db, domain.domain_key);
  const before = await zones.linesOf(db, domain.id);
  if (serial !== undefined && (await isSame(zone(serial), before))) return before;
  const next = nextSerial(serial, context.now);
  const lines = zone(next);
  await zones.save(db, { domain_id: domain.id, name_servers: nameServers(context) }, lines);
  await zones.saveSerial(db, domain.domain_key, next);
  return lines;
}

/** Cost of comparing a line, and one of its characters, in nanoseconds. */
const cost = { line: 50, character: 5 };

async function isSame(lines: readonly string[], before: readonly string[]): Promise<boolean> {
  if (lines.length !== before.length) return false;
  const pace = new Pace();
  for (const [index, line] of lines.entries()) {
    if (line !== before[index]) return false;
    if (pace.isSpent(cost.line + line.length * cost.character)) await nextTurn();
  }
  return true;
}

function nameServers({ nameservers }: PublicContext): string {
  return nameservers.join(" ");
}
