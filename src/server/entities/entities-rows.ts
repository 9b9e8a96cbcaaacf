import type { Database } from "../store/tables.ts";

/** Deletes what refers to an entity by its type and id, and would otherwise remain after it: grants, tags and files. */
export async function removeReferences(db: Database, entity_type: string, entity_id: number): Promise<void> {
  for (const table of ["grants", "tagged", "files"] as const)
    await db
      .deleteFrom(table)
      .where((eb) => eb.and([eb(eb.ref("entity_type"), "=", entity_type), eb(eb.ref("entity_id"), "=", entity_id)]))
      .execute();
}
