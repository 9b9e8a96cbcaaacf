import { expressionBuilder } from "kysely";
import { type Attributes, number, text } from "./filter.ts";
import { type Rows, type Slice, slice } from "./page.ts";
import type { Database, InvoiceItemRow, InvoiceRow, NewInvoiceItemRow, Tables } from "./tables.ts";

export function list(db: Database, account_id: number, wanted: Slice): Promise<Rows<InvoiceRow>> {
  return slice(db, { rows: db.selectFrom("invoices").where("account_id", "=", account_id) }, attributes, wanted);
}

/** All invoices of an account, the oldest first. */
export function listAll(db: Database, account_id: number): Promise<InvoiceRow[]> {
  return db.selectFrom("invoices").selectAll().where("account_id", "=", account_id).orderBy("id").execute();
}

/** The account's invoice of this id. */
export function find(db: Database, account_id: number, id: number): Promise<InvoiceRow | undefined> {
  return db
    .selectFrom("invoices")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .executeTakeFirst();
}

export function listItems(
  db: Database,
  invoice_id: number,
  wanted: Pick<Slice, "page" | "page_size">,
): Promise<Rows<InvoiceItemRow>> {
  const rows = db.selectFrom("invoice_items").where("invoice_id", "=", invoice_id);
  return slice(db, { rows }, {}, { ...wanted, filter: { where: { kind: "and", parts: [] } } });
}

/** Stores an invoice with its items, under the next number. */
export async function insert(
  db: Database,
  invoice: Omit<InvoiceRow, "id">,
  items: readonly Omit<NewInvoiceItemRow, "invoice_id">[],
): Promise<void> {
  const id = await nextNumber(db);
  await db
    .insertInto("invoices")
    .values({ ...invoice, id })
    .execute();
  for (const item of items)
    await db
      .insertInto("invoice_items")
      .values({ ...item, invoice_id: id })
      .execute();
}

/** Sequences of databases keep the numbers of transactions that are rolled back; this row does not. */
async function nextNumber(db: Database): Promise<number> {
  const { last } = await db
    .insertInto("numbers")
    .values({ series: "invoices", last: 1 })
    .onConflict((conflict) => conflict.column("series").doUpdateSet((eb) => ({ last: eb("numbers.last", "+", 1) })))
    .returning("last")
    .executeTakeFirstOrThrow();
  return last;
}

const eb = expressionBuilder<Tables, "invoices">();

const attributes: Attributes = {
  date: text(eb.ref("invoices.date")),
  id: number(eb.ref("invoices.id")),
  label: text(eb.ref("invoices.label")),
  total: number(eb.ref("invoices.total")),
};
