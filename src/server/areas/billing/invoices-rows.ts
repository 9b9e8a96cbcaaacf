import { expressionBuilder } from "kysely";
import { type Attributes, dollars, number, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, InvoiceItemRow, InvoiceRow, NewInvoiceItemRow, Tables } from "../../store/tables.ts";

export function listInvoiceRows(db: Database, account_id: number, wanted: Slice): Promise<Rows<InvoiceRow>> {
  return slice(db, { rows: db.selectFrom("invoices").where("account_id", "=", account_id) }, attributes, wanted);
}

export function listInvoiceItemRows(db: Database, invoice_id: number, wanted: Slice): Promise<Rows<InvoiceItemRow>> {
  const rows = db.selectFrom("invoice_items").where("invoice_id", "=", invoice_id);
  return slice(db, { rows }, itemAttributes, wanted);
}

/** Stores an invoice with its items, under the next number. */
export async function insertInvoiceRow(
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
  id: number(eb.ref("invoices.id")),
  date: textAttribute(eb.ref("invoices.date")),
  label: textAttribute(eb.ref("invoices.label")),
  subtotal: dollars(eb.ref("invoices.subtotal")),
  tax: dollars(eb.ref("invoices.tax")),
  total: dollars(eb.ref("invoices.total")),
};

const ofItems = expressionBuilder<Tables, "invoice_items">();

const itemAttributes: Attributes = {
  label: textAttribute(ofItems.ref("invoice_items.label")),
  type: textAttribute(ofItems.ref("invoice_items.type")),
  from: textAttribute(ofItems.ref("invoice_items.from")),
  to: textAttribute(ofItems.ref("invoice_items.to")),
  quantity: number(ofItems.ref("invoice_items.quantity")),
  unit_price: dollars(ofItems.ref("invoice_items.unit_price")),
  amount: dollars(ofItems.ref("invoice_items.amount")),
  tax: dollars(ofItems.ref("invoice_items.tax")),
  total: dollars(ofItems.ref("invoice_items.total")),
};
