import type { Selectable } from "kysely";
import type { Database } from "./store.ts";
import type { Tables } from "./tables.ts";

export type ZoneRow = Selectable<Tables["zones"]>;

/** The domain's rendered zone. */
export function find(db: Database, domain_id: number): Promise<ZoneRow | undefined> {
  return db.selectFrom("zones").selectAll().where("domain_id", "=", domain_id).executeTakeFirst();
}

export async function save(db: Database, row: ZoneRow): Promise<void> {
  // The lines may be megabytes, so the statement takes them once.
  await db
    .insertInto("zones")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("domain_id").doUpdateSet(({ ref }) => ({
        name_servers: ref("excluded.name_servers"),
        lines: ref("excluded.lines"),
      })),
    )
    .execute();
}

export async function remove(db: Database, domain_id: number): Promise<void> {
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
