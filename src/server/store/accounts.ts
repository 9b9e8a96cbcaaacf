import type { Updateable } from "kysely";
import type { AccountRow, Database, Tables } from "./tables.ts";

export function update(db: Database, id: number, changes: Updateable<Tables["accounts"]>): Promise<AccountRow> {
  return db.updateTable("accounts").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}
