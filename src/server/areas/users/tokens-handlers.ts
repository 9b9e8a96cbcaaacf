import { redactedSecret } from "../../../contract/meta.ts";
import type { Token } from "../../../contract/resources/token.ts";
import type { Handler } from "../../entities/context.ts";
import { notFound } from "../../kit/api-error.ts";
import { envelope } from "../../kit/envelope.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { TokenRow } from "../../store/tables.ts";
import { findValidToken, listValidTokens } from "./tokens-rows.ts";

/** Only the caller's own tokens, even for unrestricted users. */
export const listTokens: Handler<"listTokens"> = ({ query, filter }, { store, caller, now }) =>
  store.read(async (db) => {
    const { rows, results } = await listValidTokens(db, caller.userId, timestamp(now), { filter, ...query });
    return envelope(rows.map(tokenReply), results, query);
  });

export const getToken: Handler<"getToken"> = ({ tokenId }, { store, caller, now }) =>
  store.read(async (db) => {
    const row = await findValidToken(db, caller.userId, timestamp(now), tokenId);
    if (row === undefined) throw notFound();
    return tokenReply(row);
  });

function tokenReply({ id, label, scopes, created, expires }: TokenRow): Token {
  return { id, label, scopes, created, expiry: expires, token: redactedSecret };
}
