import { expressionBuilder } from "kysely";
import { type Attributes, number, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, ManagedContactRow, Tables } from "../../store/tables.ts";

export function listContactRows(db: Database, account_id: number, wanted: Slice): Promise<Rows<ManagedContactRow>> {
  return slice(
    db,
    { rows: db.selectFrom("managed_contacts").where("account_id", "=", account_id) },
    attributes,
    wanted,
  );
}

/** Limit on the contacts of a group that a ticket names and that get its mail. */
const mostNamed = 20;

/** The first contacts of a group. */
export function listContactsOfGroup(db: Database, account_id: number, group: string): Promise<ManagedContactRow[]> {
  return db
    .selectFrom("managed_contacts")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("group", "=", group)
    .orderBy("id")
    .limit(mostNamed)
    .execute();
}

const eb = expressionBuilder<Tables, "managed_contacts">();

const attributes: Attributes = {
  id: number(eb.ref("managed_contacts.id")),
  name: textAttribute(eb.ref("managed_contacts.name")),
  email: textAttribute(eb.ref("managed_contacts.email")),
  group: textAttribute(eb.ref("managed_contacts.group")),
  updated: textAttribute(eb.ref("managed_contacts.updated")),
};
