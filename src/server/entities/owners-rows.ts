import type { AccountRow, UserRow } from "../store/tables.ts";

/** The owner of a token or a session, and when their account is due or was closed. */
export type Owner = Pick<
  UserRow,
  "id" | "account_id" | "username" | "restricted" | "add_domains" | "add_nodes" | "account_access"
> &
  Pick<AccountRow, "due" | "closed">;

/** The columns of an owner, for a query that joins the user and the account. */
export const ownerColumns = [
  "users.id",
  "users.account_id",
  "users.username",
  "users.restricted",
  "users.add_domains",
  "users.add_nodes",
  "users.account_access",
  "accounts.due",
  "accounts.closed",
] as const;
