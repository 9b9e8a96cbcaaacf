import { operatorId, operatorName } from "../../entities/operator-rows.ts";
import { listRows } from "../../store/rows.ts";
import type { Store } from "../../store/store.ts";
import { dollarsOf } from "../billing/amounts.ts";
import { readBalance, recordPayment } from "../billing/balance.ts";

import { requireAccount } from "../users/accounts-operator.ts";

/** An invoice or a payment, with the balance of the account after it; amounts in dollars. */
export interface StatementLine {
  readonly date: string;
  readonly description: string;
  /** Negative for a payment. */
  readonly amount: number;
  readonly balance: number;
}

/** The invoices and payments of an account, the oldest first. @throws {ProblemError} `account-unknown` */
export function readStatement(store: Store, name: string): Promise<StatementLine[]> {
  return store.read(async (db) => {
    const { id } = await requireAccount(db, name);
    const billed = (await listRows(db, "invoices", { account_id: id })).map((invoice) => ({
      date: invoice.date,
      description: `invoice ${invoice.id}`,
      amount: invoice.total,
    }));
    const paid = (await listRows(db, "payments", { account_id: id })).map(({ date, method, amount }) => ({
      date,
      description: method === "credit_card" ? "payment by credit card" : "payment received",
      amount: -amount,
    }));
    let balance = 0;
    return [...billed, ...paid]
      .sort((a, b) => (a.date === b.date ? 0 : a.date < b.date ? -1 : 1))
      .map(({ amount, ...line }) => {
        balance += amount;
        return { ...line, amount: dollarsOf(amount), balance: dollarsOf(balance) };
      });
  });
}

/**
 * Records a payment that the operator received, in 10⁻⁴ dollars. Returns the balance after it, in dollars.
 * @throws {ProblemError} `account-unknown`
 */
export function receivePayment(
  store: Store,
  name: string,
  { amount, now }: { readonly amount: number; readonly now: Date },
): Promise<number> {
  return store.write(async (db) => {
    const account = await requireAccount(db, name);
    const caller = { accountId: account.id, userId: operatorId, username: operatorName };
    await recordPayment(db, account, { method: "operator", amount }, { caller, now });
    return readBalance(db, account);
  });
}
