import type { Invoice, InvoiceItem } from "../../../contract/resources/invoice.ts";
import { findAccount } from "../../entities/account.ts";
import type { Handler, Profile } from "../../entities/context.ts";
import { accountEntity } from "../../entities/entities.ts";
import { resource } from "../../entities/resource.ts";
import { envelope } from "../../kit/envelope.ts";
import { findRow } from "../../store/rows.ts";
import type { InvoiceItemRow, InvoiceRow } from "../../store/tables.ts";
import { amountText, dollarsOf } from "./amounts.ts";
import { listInvoiceItemRows, listInvoiceRows } from "./invoices-rows.ts";

const resourceOfInvoices = resource({
  parent: findAccount,
  rows: {
    list: ({ db, parent }, wanted) => listInvoiceRows(db, parent.id, wanted),
    find: ({ db, parent }, { invoiceId }: { invoiceId: number }) =>
      findRow(db, "invoices", { id: invoiceId, account_id: parent.id }),
  },
  replies: (rows) => rows.map(invoiceReply),
  details: (_, account) => ({ entity: accountEntity(account) }),
});

export const listInvoices: Handler<"listInvoices"> = resourceOfInvoices.list;
export const getInvoice: Handler<"getInvoice"> = resourceOfInvoices.get;

export const listInvoiceItems: Handler<"listInvoiceItems"> = ({ query, filter, ...path }, context) =>
  context.store.read(async (db) => {
    const { id } = await resourceOfInvoices.find(db, path, context, "read_only");
    const { rows, results } = await listInvoiceItemRows(db, id, { filter, ...query });
    return envelope(
      rows.map((row) => itemReply(row, context.profile)),
      results,
      query,
    );
  });

/** A stored invoice as a reply shows it (decisions/account#invoices, decisions/service#order-of-keys). */
function invoiceReply({ id, date, label, subtotal, tax, total }: InvoiceRow): Invoice {
  return { id, date, label, subtotal: dollarsOf(subtotal), tax: dollarsOf(tax), total: dollarsOf(total) };
}

/** An item of an invoice as a reply shows it (decisions/account#invoices, decisions/service#order-of-keys). */
function itemReply(row: InvoiceItemRow, profile: Profile): InvoiceItem {
  return {
    label: row.label,
    type: row.type,
    from: row.from,
    to: row.to,
    quantity: row.quantity,
    unit_price: profile === "live" ? amountText(row.unit_price) : dollarsOf(row.unit_price),
    amount: dollarsOf(row.amount),
    tax: dollarsOf(row.tax),
    total: dollarsOf(row.total),
  };
}
