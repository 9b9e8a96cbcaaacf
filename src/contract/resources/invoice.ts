import * as z from "zod";
import { moment, openEnum } from "../meta.ts";

const itemTypes = ["hourly", "misc"] as const;
export type InvoiceItemType = (typeof itemTypes)[number];

/** A bill of a month (decisions/documents#invoices). */
export const invoice = z.object({
  id: z.int().describe("Number of the invoice"),
  date: moment("When it was made"),
  label: z.string().describe("Always Invoice"),
  subtotal: z.number().describe("US dollars before tax"),
  tax: z.number().describe("US dollars of tax; always 0"),
  total: z.number().describe("US dollars after tax"),
});

/** A line of an invoice (decisions/documents#invoices). */
export const invoiceItem = z.object({
  label: z.string().describe("Node, backups, address, volume or transfer that is billed"),
  type: openEnum(itemTypes),
  from: moment("When the use began"),
  to: moment("When the use ended"),
  quantity: z.int().describe("Hours begun, 1 for the price of a month, or GB"),
  unit_price: z.union([z.number(), z.string()]).describe("US dollars each; a text in profile live"),
  amount: z.number().describe("US dollars before tax, rounded to cents"),
  tax: z.number().describe("US dollars of tax; always 0"),
  total: z.number().describe("US dollars after tax"),
});

export type Invoice = z.output<typeof invoice>;
export type InvoiceItem = z.output<typeof invoiceItem>;

/** Attributes of an invoice that `X-Filter` supports. */
export const invoiceFilterable = ["date", "label"] as const;

/** The columns that tables begin with. */
export const invoiceColumns = ["id", "date", "total"] as const;
export const invoiceItemColumns = ["label", "quantity", "unit_price", "total", "from", "to"] as const;
