import type { Selectable } from "kysely";
import * as records from "./records.ts";
import type { Database, DomainRow, RecordRow, Tables } from "./tables.ts";
import * as zoneLines from "./zone-lines.ts";

export type ZoneRow = Selectable<Tables["zones"]>;

/** The name servers that the domain's zone was rendered with. */
export function find(db: Database, domain_id: number): Promise<ZoneRow | undefined> {
  return db.selectFrom("zones").selectAll().where("domain_id", "=", domain_id).executeTakeFirst();
}

/** The lines of the domain's rendered zone. */
export function linesOf(db: Database, domain_id: number): Promise<string[]> {
  return zoneLines.read(db, domain_id, "rendered");
}

export async function save(db: Database, row: ZoneRow, lines: readonly string[]): Promise<void> {
  await db
    .insertInto("zones")
    .values(row)
    .onConflict((conflict) => conflict.column("domain_id").doUpdateSet({ name_servers: row.name_servers }))
    .execute();
  await zoneLines.write(db, row.domain_id, "rendered", lines);
  await dropRows(db, row.domain_id);
}

export async function remove(db: Database, domain_id: number): Promise<void> {
  await zoneLines.remove(db, domain_id, "rendered");
  await dropRows(db, domain_id);
  await db.deleteFrom("zones").where("domain_id", "=", domain_id).execute();
}

const soaColumns = ["soa_email", "ttl_sec", "refresh_sec", "retry_sec", "expire_sec"] as const;
const recordColumns = ["type", "name", "target", "priority", "weight", "port", "ttl_sec", "tag"] as const;

/** The rows that a version of a zone was rendered from. */
export interface ZoneRows {
  readonly serial: number;
  readonly domain: Pick<DomainRow, (typeof soaColumns)[number]>;
  readonly records: readonly Pick<RecordRow, (typeof recordColumns)[number]>[];
}

/** Keeps a copy of the rows of a rendered zone before they change, to serve until the change is rendered. */
export async function keepRows(db: Database, domain: DomainRow): Promise<void> {
  if ((await find(db, domain.id)) === undefined) return;
  const serial = await serialOf(db, domain.domain_key);
  const lines = [JSON.stringify({ ...domain, serial }, [...soaColumns, "serial"])];
  for await (const part of records.readInParts(db, domain.id))
    for (const record of part) lines.push(JSON.stringify(record, [...recordColumns]));
  await zoneLines.write(db, domain.id, "kept", lines);
}

export function dropRows(db: Database, domain_id: number): Promise<void> {
  return zoneLines.remove(db, domain_id, "kept");
}

/**
 * The rows of the rendered version, undefined if there is none: those kept where a change waits, else the current ones.
 */
export async function rowsOf(
  db: Database,
  { serial, ...domain }: DomainRow & { readonly serial: number | null },
): Promise<ZoneRows | undefined> {
  const kept = domain.changed === null ? [] : await zoneLines.read(db, domain.id, "kept");
  const [first, ...rest] = kept;
  if (first !== undefined) {
    const { serial, ...domain } = JSON.parse(first);
    return { serial, domain, records: rest.map((line) => JSON.parse(line)) };
  }
  if (serial === null) return undefined;
  const rows: RecordRow[] = [];
  for await (const part of records.readInParts(db, domain.id)) for (const row of part) rows.push(row);
  return { serial, domain, records: rows };
}

/** The last serial that a zone of this name had, here or where it came from; undefined if there was none. */
export async function serialOf(db: Database, domain_key: string): Promise<number | undefined> {
  const row = await db.selectFrom("serials").select("serial").where("domain_key", "=", domain_key).executeTakeFirst();
  return row?.serial;
}

export async function saveSerial(db: Database, domain_key: string, serial: number): Promise<void> {
  await db
    .insertInto("serials")
    .values({ domain_key, serial })
    .onConflict((conflict) => conflict.column("domain_key").doUpdateSet({ serial }))
    .execute();
}
