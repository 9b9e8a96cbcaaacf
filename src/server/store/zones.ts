import type { Selectable } from "kysely";
import type { Database } from "./store.ts";
import type { Tables } from "./tables.ts";
import * as zoneLines from "./zone-lines.ts";

export type ZoneRow = Selectable<Tables["zones"]>;

/** What the domain's zone was rendered with. */
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
}

export async function remove(db: Database, domain_id: number): Promise<void> {
  await zoneLines.remove(db, domain_id, "rendered");
  await db.deleteFrom("zones").where("domain_id", "=", domain_id).execute();
}

/** The last serial that a zone of this name had, here or where it came from; undefined when there was none. */
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
