import type { AccountRow, Database } from "../store/tables.ts";

/** Amounts in US dollars: due, and used since the last invoice. */
export interface Balances {
  readonly balance: number;
  readonly balance_uninvoiced: number;
}

export const nothingOwed: Balances = { balance: 0, balance_uninvoiced: 0 };

/** The bills of accounts. */
export interface Billing {
  readBalances(db: Database, account: AccountRow, now: Date): Promise<Balances>;
  /** Pays the balance with the account's card; a missing or expired one pays nothing. */
  charge(db: Database, account: AccountRow, now: Date): Promise<void>;
}

/** The bills of a service that charges nothing. */
export const freeOfCharge: Billing = {
  readBalances: async () => nothingOwed,
  charge: async () => {},
};
