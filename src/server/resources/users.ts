import type { User } from "../../contract/resources/user.ts";
import { notFound } from "../kit/api-error.ts";
import type { Handler } from "../kit/context.ts";
import { envelope } from "../kit/envelope.ts";
import type { UserRow } from "../store/tables.ts";
import * as users from "../store/users.ts";

export const listUsers: Handler<"listUsers"> = ({ query, filter }, { store, caller }) =>
  store.read(async (db) => {
    const { rows, results } = await users.list(db, caller.accountId, { filter, ...query });
    return envelope(rows.map(userReply), results, query);
  });

export const getUser: Handler<"getUser"> = ({ username }, { store, caller }) =>
  store.read(async (db) => {
    const row = await users.find(db, caller.accountId, username);
    if (row === undefined) throw notFound();
    return userReply(row);
  });

function userReply({ username, email, restricted }: UserRow): User {
  return { username, email, restricted: restricted === 1, ssh_keys: [], tfa_enabled: false };
}
