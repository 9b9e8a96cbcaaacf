import { expressionBuilder } from "kysely";
import { type Attributes, number, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, ManagedContactRow, NewManagedContactRow, Tables } from "../../store/tables.ts";

export function listContactRows(db: Database, account_id: number, wanted: Slice): Promise<Rows<ManagedContactRow>> {
  return slice(
    db,
    { rows: db.selectFrom("managed_contacts").where("account_id", "=", account_id) },
    attributes,
    wanted,
  );
}

/** The account's contact of this id. Writes lock its account before. */
export function findContactRow(db: Database, account_id: number, id: number): Promise<ManagedContactRow | undefined> {
  return db
    .selectFrom("managed_contacts")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .executeTakeFirst();
}

export async function countContacts(db: Database, account_id: number): Promise<number> {
  const { contacts } = await db
    .selectFrom("managed_contacts")
    .select(({ fn }) => fn.countAll<number>().as("contacts"))
    .where("account_id", "=", account_id)
    .executeTakeFirstOrThrow();
  return Number(contacts);
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

export function insertContactRow(db: Database, row: NewManagedContactRow): Promise<ManagedContactRow> {
  return db.insertInto("managed_contacts").values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateContactRow(
  db: Database,
  id: number,
  changes: Partial<NewManagedContactRow>,
): Promise<ManagedContactRow> {
  return db.updateTable("managed_contacts").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function removeContactRow(db: Database, id: number): Promise<void> {
  await db.deleteFrom("managed_contacts").where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "managed_contacts">();

const attributes: Attributes = {
  id: number(eb.ref("managed_contacts.id")),
  name: textAttribute(eb.ref("managed_contacts.name")),
  email: textAttribute(eb.ref("managed_contacts.email")),
  group: textAttribute(eb.ref("managed_contacts.group")),
  updated: textAttribute(eb.ref("managed_contacts.updated")),
};
