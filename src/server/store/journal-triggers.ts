import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A statement that the database runs after each change of a row. Its SQL names the row `new`, `old`, or both. */
export interface Trigger {
  readonly name: string;
  readonly table: string;
  readonly event: "insert" | "update" | "delete";
  readonly when: string;
  readonly run: string;
}

export type CreateTrigger = (db: Kysely<Tables>, trigger: Trigger) => Promise<void>;

/** Creates the triggers that write the journal of rendered zones, see `zone-changes-rows.ts`. */
export async function createJournal(db: Kysely<Tables>, createTrigger: CreateTrigger): Promise<void> {
  // A domain without a rendered zone has no journal; nor has one that is being deleted with its records.
  const isRendered = (row: "new" | "old") =>
    `exists (select 1 from zones join domains on domains.id = zones.domain_id where domain_id = ${row}.domain_id)`;
  const kept = ["type", "name", "priority", "weight", "port", "ttl_sec", "tag", "rdata", "alias_id", "target"];
  const next = (row: "new" | "old", octets: string, columns: readonly string[], values: readonly string[]) => `
    insert into zone_changes (domain_id, number, octets, ${columns.join(", ")})
    select ${row}.domain_id, coalesce(last.number, 0) + 1, coalesce(last.octets, 0) + ${octets}, ${values.join(", ")}
    from (select 1) as one left join
      (select number, octets from zone_changes where domain_id = ${row}.domain_id order by number desc limit 1) as last
      on true`;
  const created = next("new", "0", ["record_id", "name_key"], ["new.id", "new.name_key"]);
  const before = (name: "new" | "old") => {
    const values = ["old.id", `${name}.name_key`, ...kept.map((column) => `old.${column}`)];
    return next("old", "octet_length(old.target)", ["record_id", "name_key", ...kept], values);
  };
  const differs = kept.map((column) => `new.${column} is distinct from old.${column}`).join(" or ");
  const trigger = (name: string, event: "insert" | "update" | "delete", when: string, run: string) =>
    createTrigger(db, { name, table: "records", event, when, run });
  await trigger("note_created_record", "insert", isRendered("new"), created);
  await trigger("note_changed_record", "update", `(${differs}) and ${isRendered("old")}`, before("old"));
  const isMoved = "new.name_key <> old.name_key";
  await trigger("note_moved_record", "update", `${isMoved} and ${isRendered("old")}`, before("new"));
  await trigger("note_deleted_record", "delete", isRendered("old"), before("old"));
  // Rarely, because each time takes a millisecond; but at once after a long text.
  await createTrigger(db, {
    name: "shorten_journal",
    table: "zone_changes",
    event: "insert",
    when: "new.number % 1000 = 0 or octet_length(new.target) > 8000",
    run: `delete from zone_changes where domain_id = new.domain_id
      and (number <= new.number - 10000 or octets - coalesce(octet_length(target), 0) < new.octets - 8388608)`,
  });
}
