import type { Catalog } from "../../catalog/schema.ts";
import { accountOf } from "../../entities/account.ts";
import type { DueWork } from "../../entities/due-work.ts";
import { parseTimestamp, timestamp } from "../../kit/timestamp.ts";
import { listRows, updateRows } from "../../store/rows.ts";
import type { AccountRow, ChargeRow, Database, InvoiceItemRow } from "../../store/tables.ts";
import { amountOf, roundToCents } from "./amounts.ts";
import { payBalance } from "./balance.ts";
import type { Pricing } from "./charges.ts";
import * as charges from "./charges-rows.ts";
import { insertInvoiceRow } from "./invoices-rows.ts";
import { gigabyte, monthOf } from "./traffic.ts";
import { hoursOf, poolOf, readOutboundOctets, type Use, usesUntil } from "./usage.ts";

type Item = Omit<InvoiceItemRow, "id" | "invoice_id">;

/**
 * Monthly invoices, each dated at the turn of its month and paid at once by a valid card (decisions/account#invoices).
 */
export function monthTurns(catalog: Catalog): DueWork {
  return {
    // An invoice covers the whole account, so the jobs of all its nodes that ended before are settled first.
    next: async (db, { accountId, nodeId }) => (nodeId === undefined ? charges.firstDueCharge(db, accountId) : null),
    async apply(db, { accountId }) {
      const due = await charges.firstDueCharge(db, accountId);
      if (due === null) return;
      const account = await accountOf(db, accountId);
      const now = parseTimestamp(due);
      await invoice(db, account, await listRows(db, "charges", { account_id: accountId, due }), { catalog, now });
      await payBalance(db, account, { caller: { accountId, userId: 0, username: "" }, now });
    },
  };
}

/** Invoices the usage of an account since its last invoice. */
export async function invoiceNow(db: Database, account: AccountRow, pricing: Pricing): Promise<void> {
  await invoice(db, account, await charges.listOpenCharges(db, account.id), pricing);
}

/** Amount of the usage since the last invoice, without transfer, which is known only at the turn of the month. */
export async function readUninvoiced(db: Database, { id }: AccountRow, now: Date): Promise<number> {
  const running = await charges.listOpenCharges(db, id);
  const items = running.flatMap((charge) => usesUntil(charge, { until: timestamp(now) }).flatMap(itemsOf));
  return totalOf(items);
}

/** Stores an invoice for the usage of these charges until now, unless nothing is owed. */
async function invoice(db: Database, account: AccountRow, rows: readonly ChargeRow[], pricing: Pricing): Promise<void> {
  const date = timestamp(pricing.now);
  const uses = rows.flatMap((charge) => usesUntil(charge, { until: date }));
  const items = [...uses.flatMap(itemsOf), ...(await readTransferItems(db, uses, pricing.catalog))];
  const total = totalOf(items);
  if (total > 0)
    await insertInvoiceRow(
      db,
      { account_id: account.id, date, label: "Invoice", subtotal: total, tax: 0, total },
      items,
    );
  for (const charge of rows) {
    if (charge.closed !== null && charge.closed <= date) await endCharge(db, charge);
    else if ((charge.invoiced ?? charge.opened) <= date)
      await updateRows(
        db,
        "charges",
        { id: charge.id },
        {
          invoiced: date,
          due: timestamp(new Date(monthOf(pricing.now).until)),
        },
      );
  }
}

/** Keeps a charge that is invoiced to its end while its node or volume exists, because the next one begins after it. */
async function endCharge(db: Database, charge: ChargeRow): Promise<void> {
  const { id, closed } = charge;
  if (await charges.hasChargedEntity(db, charge))
    await updateRows(db, "charges", { id }, { invoiced: closed, due: charges.neverInvoiced });
  else await charges.removeChargeRows(db, [id]);
}

function totalOf(items: readonly Item[]): number {
  return items.reduce((sum, { total }) => sum + total, 0);
}

/** Bills the hours begun, or the month if that costs less. A price of 0 is ignored. */
function itemsOf(use: Use): Item[] {
  const { label, hourly, monthly } = use.charge;
  const hours = hoursOf(use);
  if (hourly === 0 && monthly === 0) return [];
  const isByMonth = hourly === 0 || (monthly > 0 && monthly < hours * hourly);
  const [quantity, unit_price] = isByMonth ? [1, monthly] : [hours, hourly];
  return [itemOf({ label, type: "hourly", from: use.from, to: use.to, quantity, unit_price })];
}

/** Bills the GB that the nodes of an account sent beyond the pool of the month. */
async function readTransferItems(db: Database, uses: readonly Use[], { prices }: Catalog): Promise<Item[]> {
  const unit_price = amountOf(prices.transfer_gb);
  const ofNodes = uses.filter(({ charge }) => charge.kind === "node");
  if (unit_price === 0 || ofNodes.length === 0) return [];
  let octets = 0;
  for (const use of ofNodes) octets += await readOutboundOctets(db, use);
  const pool = ofNodes.reduce((sum, use) => sum + poolOf(use), 0);
  const quantity = Math.floor(octets / gigabyte) - pool;
  if (quantity <= 0) return [];
  const from = ofNodes.map((use) => use.from).sort()[0] ?? "";
  const to =
    ofNodes
      .map((use) => use.to)
      .sort()
      .at(-1) ?? "";
  return [itemOf({ label: "Transfer over the pool", type: "misc", from, to, quantity, unit_price })];
}

function itemOf(use: Pick<Item, "label" | "type" | "from" | "to" | "quantity" | "unit_price">): Item {
  const amount = roundToCents(use.quantity * use.unit_price);
  return { ...use, amount, tax: 0, total: amount };
}
