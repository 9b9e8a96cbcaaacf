import type { Kysely } from "kysely";
import type { CreateTrigger, Trigger } from "./journal-triggers.ts";
import type { Tables } from "./tables.ts";

/**
 * Creates the triggers that keep lookups and addresses of ALIAS records, so that no write of a record is missing: a new
 * or changed one is looked up at once, and so is one whose addresses come from a name of a domain that changes. With
 * the record, its addresses get another name, or are deleted.
 */
export async function createAliasTriggers(db: Kysely<Tables>, createTrigger: CreateTrigger): Promise<void> {
  const trigger = (name: string, event: Trigger["event"], when: string, statements: readonly string[]) =>
    createTrigger(db, { name, table: "records", event, when, run: statements.join("; ") });
  const isSource = (row: "new" | "old") => `exists (${sourcesAt(row)})`;
  const lookAgain = (row: "new" | "old") => `update alias_lookups set next = '' where record_id in (${sourcesAt(row)})`;
  const differs = ["type", "name_key", "ttl_sec", "target"]
    .map((column) => `new.${column} is distinct from old.${column}`)
    .join(" or ");
  await trigger("look_up_new_alias", "insert", "new.type = 'ALIAS'", [
    "insert into alias_lookups (record_id, domain_id, next) values (new.id, new.domain_id, '')",
  ]);
  await trigger("look_up_changed_alias", "update", `new.type = 'ALIAS' and (${differs})`, [
    "update alias_lookups set next = '' where record_id = new.id",
    `update alias_lookups set is_replaced = 1, failures = 0, missing_since = null
      where record_id = new.id and new.target <> old.target`,
    `update records set name = new.name, name_key = new.name_key
      where alias_id = new.id and (name <> new.name or name_key <> new.name_key)`,
  ]);
  await trigger("forget_alias", "delete", "old.type = 'ALIAS'", [
    "delete from alias_lookups where record_id = old.id",
    "delete from alias_sources where record_id = old.id",
    "delete from records where alias_id = old.id",
  ]);
  await trigger("look_again_after_insert", "insert", isSource("new"), [lookAgain("new")]);
  await trigger("look_again_after_update", "update", `(${differs}) and (${isSource("old")} or ${isSource("new")})`, [
    lookAgain("old"),
    lookAgain("new"),
  ]);
  await trigger("look_again_after_delete", "delete", isSource("old"), [lookAgain("old")]);
}

/** The records whose addresses come from the name of a row. */
function sourcesAt(row: "new" | "old"): string {
  return `select record_id from alias_sources where domain_id = ${row}.domain_id and name_key = ${row}.name_key`;
}
