import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { invoice, invoiceColumns, invoiceFilterable, invoiceItem, invoiceItemColumns } from "../resources/invoice.ts";

const ofInvoice = z.object({ invoiceId: z.int().min(1).describe("Number of the invoice") });
const shared = { scope: "account:read_only", who: "account", tag: "Invoices", method: "GET" } as const;

/** Invoices and their items (decisions/documents#invoices). */
export const invoiceEndpoints = {
  listInvoices: {
    ...shared,
    path: "/account/invoices",
    summary: "List invoices",
    query: pageQuery,
    filterable: invoiceFilterable,
    columns: invoiceColumns,
    reply: pageOf(invoice),
  },
  getInvoice: {
    ...shared,
    path: "/account/invoices/{invoiceId}",
    summary: "View an invoice",
    params: ofInvoice,
    reply: invoice,
  },
  listInvoiceItems: {
    ...shared,
    path: "/account/invoices/{invoiceId}/items",
    summary: "List the items of an invoice",
    params: ofInvoice,
    query: pageQuery,
    columns: invoiceItemColumns,
    reply: pageOf(invoiceItem),
  },
} as const satisfies Endpoints;
