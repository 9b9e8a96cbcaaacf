import type { User } from "../../../contract/resources/user.ts";
import type { Handler } from "../../entities/context.ts";
import { notFound } from "../../kit/api-error.ts";
import { envelope } from "../../kit/envelope.ts";
import { findRow } from "../../store/rows.ts";
import type { Database, UserRow } from "../../store/tables.ts";
import { listSshKeysOfUser } from "./ssh-keys-rows.ts";
import { listUserRows } from "./users-rows.ts";

export const listUsers: Handler<"listUsers"> = ({ query, filter }, { store, caller }) =>
  store.read(async (db) => {
    const { rows, results } = await listUserRows(db, caller.accountId, { filter, ...query });
    return envelope(await userReplies(db, rows), results, query);
  });

export const getUser: Handler<"getUser"> = ({ username }, { store, caller }) =>
  store.read(async (db) => {
    const row = await findRow(db, "users", { username, account_id: caller.accountId });
    if (row === undefined) throw notFound();
    const [reply] = await userReplies(db, [row]);
    if (reply === undefined) throw new Error("a user without a reply");
    return reply;
  });

async function userReplies(db: Database, rows: readonly UserRow[]): Promise<User[]> {
  const keys = await listSshKeysOfUser(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, username, email, restricted }) => ({
    username,
    email,
    restricted: restricted === 1,
    ssh_keys: (keys.get(id) ?? []).map(({ label }) => label),
    tfa_enabled: false,
  }));
}
