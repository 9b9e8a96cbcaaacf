import { insertInvoiceRow } from "../../src/server/areas/billing/invoices-rows.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import type { Catalog } from "../../src/server/catalog/schema.ts";
import type { Store } from "../../src/server/store/store.ts";
import { noon } from "./start.ts";

/** Prices of types in dollars: hourly and monthly of a node, then of its backups. */
const prices: Readonly<Record<string, readonly [number, number, number, number]>> = {
  "g6-nanode-1": [0.0075, 5, 0.003, 2],
  "g6-standard-1": [0.018, 12, 0.004, 2.5],
  "g6-standard-2": [0.036, 24, 0.008, 5],
};

const free = { hourly: 0, monthly: 0 };

/** The embedded catalogue without its prices. */
export const freeCatalog: Catalog = {
  ...embeddedCatalog,
  types: embeddedCatalog.types.map((type) => ({ ...type, price: free, backups: free })),
  prices: { public_ipv4: free, volume_gb: free, transfer_gb: 0 },
};

/** A catalogue in which three types, their backups, two further addresses, volumes and transfer cost. */
export const pricedCatalog: Catalog = {
  ...embeddedCatalog,
  types: embeddedCatalog.types.map((type) => {
    const [hourly = 0, monthly = 0, ...backups] = prices[type.id] ?? [];
    return { ...type, price: { hourly, monthly }, backups: { hourly: backups[0] ?? 0, monthly: backups[1] ?? 0 } };
  }),
  extra_public_ipv4: 2,
  prices: {
    public_ipv4: { hourly: 0.003, monthly: 2 },
    volume_gb: { hourly: 0.0002, monthly: 0.1 },
    transfer_gb: 0.005,
  },
};

/** Gives the account 1 an unpaid invoice of this many cents. */
export async function owe(store: Store, cents: number, date = noon): Promise<void> {
  const amount = cents * 100;
  const item = { label: "Debt", type: "misc", from: date, to: date, quantity: 1, unit_price: amount } as const;
  const sums = { tax: 0, total: amount };
  const invoice = { account_id: 1, date, label: "Invoice", subtotal: amount, ...sums };
  await store.write((db) => insertInvoiceRow(db, invoice, [{ ...item, amount, ...sums }]));
}
