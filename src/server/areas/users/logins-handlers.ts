import type { Login } from "../../../contract/resources/login.ts";
import type { Handler, Profile } from "../../entities/context.ts";
import { oldestShown } from "../../entities/events.ts";
import { notFound } from "../../kit/api-error.ts";
import { envelope } from "../../kit/envelope.ts";
import type { LoginRow } from "../../store/tables.ts";
import { findLoginRow, listLoginRows } from "./logins-rows.ts";

export const listLogins: Handler<"listLogins"> = ({ query, filter }, { store, caller, now, profile }) =>
  store.read(async (db) => {
    const { rows, results } = await listLoginRows(db, caller.accountId, oldestShown(now), { filter, ...query });
    return envelope(
      rows.map((row) => loginReply(row, profile)),
      results,
      query,
    );
  });

export const getLogin: Handler<"getLogin"> = ({ loginId }, { store, caller, now, profile }) =>
  store.read(async (db) => {
    const row = await findLoginRow(db, caller.accountId, oldestShown(now), loginId);
    if (row === undefined) throw notFound();
    return loginReply(row, profile);
  });

/** A stored sign-in as a reply shows it (decisions/account#sign-ins, decisions/service#order-of-keys). */
function loginReply({ id, created, ip, username, restricted }: LoginRow, profile: Profile): Login {
  return {
    id,
    datetime: created,
    ip,
    username,
    ...(profile === "live" && { status: "successful" }),
    restricted: restricted === 1,
  };
}
