import type { Selectable } from "kysely";
import type { Database, Tables } from "../../store/tables.ts";
import { removeZoneVersions } from "./zone-changes-rows.ts";

export type ZoneRow = Selectable<Tables["zones"]>;

/** Stores the number of the version that a domain is rendered as. */
export async function saveZoneRow(db: Database, { domain_id, ...columns }: ZoneRow): Promise<void> {
  await db
    .insertInto("zones")
    .values({ domain_id, ...columns })
    .onConflict((conflict) => conflict.column("domain_id").doUpdateSet(columns))
    .execute();
}

/** Removes the rendered zone and its journal. */
export async function removeZoneRow(db: Database, domain_id: number): Promise<void> {
  await db.deleteFrom("zones").where("domain_id", "=", domain_id).execute();
  await removeZoneVersions(db, domain_id);
}

/** The last serial that a zone of this name had, here or where it came from; undefined if there was none. */
export async function serialOfZone(db: Database, domain_key: string): Promise<number | undefined> {
  const row = await db.selectFrom("serials").select("serial").where("domain_key", "=", domain_key).executeTakeFirst();
  return row?.serial;
}

export async function saveZoneSerial(db: Database, domain_key: string, serial: number): Promise<void> {
  await db
    .insertInto("serials")
    .values({ domain_key, serial })
    .onConflict((conflict) => conflict.column("domain_key").doUpdateSet({ serial }))
    .execute();
}
