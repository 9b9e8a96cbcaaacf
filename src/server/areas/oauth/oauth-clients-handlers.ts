import { randomBytes } from "node:crypto";
import type * as z from "zod";
import { type ApiErrorEntry, reasons } from "../../../contract/errors.ts";
import { redactedSecret } from "../../../contract/meta.ts";
import {
  clientIdLength,
  type newOAuthClient,
  type OAuthClient,
  type oauthClientUpdate,
} from "../../../contract/resources/oauth-client.ts";
import { findAccount } from "../../entities/account.ts";
import type { Handler } from "../../entities/context.ts";
import { oauthClientEntity } from "../../entities/entities.ts";
import { resource } from "../../entities/resource.ts";
import { errorEntry, refuseIfAny } from "../../kit/api-error.ts";
import { findRow, makeWrites } from "../../store/rows.ts";
import type { OAuthClientRow } from "../../store/tables.ts";
import { createSecret, hashSecret } from "../users/tokens-rows.ts";
import * as clients from "./oauth-clients-rows.ts";
import { isRedirectUri } from "./redirect-uri.ts";

const resourceOfClients = resource({
  parent: findAccount,
  rows: {
    list: ({ db, parent }, wanted) => clients.listOAuthClientRows(db, parent.id, wanted),
    find: ({ db, parent }, { clientId }: { clientId: string }) =>
      findRow(db, "oauth_clients", { client_id: clientId, account_id: parent.id }),
    ...makeWrites("oauth_clients"),
  },
  replies: (rows) => rows.map(clientReply),
  details: (row) => ({ entity: oauthClientEntity(row) }),
});

export const listOAuthClients: Handler<"listOAuthClients"> = resourceOfClients.list;
export const getOAuthClient: Handler<"getOAuthClient"> = resourceOfClients.get;

export const createOAuthClient: Handler<"createOAuthClient"> = async (input, context) => {
  const secret = createSecret();
  const create = resourceOfClients.create({
    event: "oauth_client_create",
    columns(body: z.output<typeof newOAuthClient>, { parent }) {
      refuseIfAny(redirectUriErrors(body.redirect_uri));
      return {
        account_id: parent.id,
        client_id: randomBytes(clientIdLength / 2).toString("hex"),
        label: body.label,
        redirect_uri: body.redirect_uri,
        public: Number(body.public ?? false),
        status: "active",
        secret_hash: hashSecret(secret),
      };
    },
  });
  return { ...(await create(input, context)), secret };
};

export const updateOAuthClient: Handler<"updateOAuthClient"> = resourceOfClients.update({
  event: "oauth_client_update",
  changes(body: z.output<typeof oauthClientUpdate>, client) {
    const redirect_uri = body.redirect_uri ?? client.redirect_uri;
    refuseIfAny(redirectUriErrors(redirect_uri));
    return { redirect_uri, label: body.label ?? client.label, public: Number(body.public ?? client.public) };
  },
});

/** Also deletes all tokens of the client (decisions/documents#oauth-clients). */
export const deleteOAuthClient: Handler<"deleteOAuthClient"> = resourceOfClients.remove({
  event: "oauth_client_delete",
});

/** The tokens of the client stay valid; only its own requests need the new secret. */
export const resetOAuthClientSecret: Handler<"resetOAuthClientSecret"> = async (input, context) => {
  const secret = createSecret();
  const reset = resourceOfClients.update({
    event: "oauth_client_secret_reset",
    changes: () => ({ secret_hash: hashSecret(secret) }),
  });
  return { ...(await reset({ ...input, body: {} }, context)), secret };
};

function redirectUriErrors(uri: string): ApiErrorEntry[] {
  return isRedirectUri(uri) ? [] : [errorEntry("redirect_uri", reasons.redirectUriNotValid)];
}

/** A stored client as a reply shows it (decisions/account#oauth-clients, decisions/service#order-of-keys). */
function clientReply(row: OAuthClientRow): OAuthClient {
  return {
    id: row.client_id,
    redirect_uri: row.redirect_uri,
    label: row.label,
    status: row.status,
    secret: redactedSecret,
    thumbnail_url: null,
    public: row.public === 1,
  };
}
