import type { Database } from "../store/tables.ts";

/** Writes a row, so that the transaction fails if the database cannot be written. */
export async function writeProbe(db: Database, written: string): Promise<void> {
  await db
    .insertInto("write_probes")
    .values({ id: 1, written })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ written }))
    .execute();
}
