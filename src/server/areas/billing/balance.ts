import type { Actor } from "../../entities/context.ts";
import { accountEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { insertRow } from "../../store/rows.ts";
import type { AccountRow, Database, PaymentRow } from "../../store/tables.ts";
import { amountText, dollarsOf } from "./amounts.ts";
import { sumBalance } from "./payments-rows.ts";

/** The cause of a payment, and its moment. */
interface PaymentCause {
  readonly caller: Actor;
  readonly now: Date;
}

/** Invoices of an account less its payments, in dollars: negative for a credit. */
export async function readBalance(db: Database, { id }: Pick<AccountRow, "id">): Promise<number> {
  return dollarsOf(await sumBalance(db, id));
}

/** Pays what the account owes with its card; a missing or expired one pays nothing. */
export async function payBalance(db: Database, account: AccountRow, cause: PaymentCause): Promise<void> {
  const amount = await sumBalance(db, account.id);
  if (amount > 0 && hasValidCard(account, cause.now))
    await recordPayment(db, account, { method: "credit_card", amount }, cause);
}

/** Stores a payment with its event; no money moves. */
export async function recordPayment(
  db: Database,
  account: AccountRow,
  { method, amount }: Pick<PaymentRow, "method" | "amount">,
  { caller, now }: PaymentCause,
): Promise<void> {
  await insertRow(db, "payments", { account_id: account.id, date: timestamp(now), method, amount });
  const details = { entity: accountEntity(account), message: `$${amountText(amount)}` };
  await addEvent(db, { caller, now }, "payment_submitted", details);
}

/** Whether the account has a card, in or before the month of its expiry. */
function hasValidCard({ card_expiry }: AccountRow, now: Date): boolean {
  const [month, year] = card_expiry?.split("/") ?? [];
  return month !== undefined && `${year}-${month}` >= timestamp(now).slice(0, "YYYY-MM".length);
}
