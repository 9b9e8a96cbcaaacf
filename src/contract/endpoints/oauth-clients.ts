import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { nothing } from "../resources/nothing.ts";
import {
  clientIdLength,
  newOAuthClient,
  oauthClient,
  oauthClientColumns,
  oauthClientFilterable,
  oauthClientUpdate,
} from "../resources/oauth-client.ts";

const clientId = z
  .string()
  .regex(new RegExp(`^[0-9a-f]{${clientIdLength}}$`))
  .describe("Id of the OAuth client");
const ofClient = z.object({ clientId });

const read = { scope: "account:read_only", who: "account", tag: "OAuth clients" } as const;
const write = { scope: "account:read_write", who: "account", tag: "OAuth clients" } as const;

/** OAuth clients (decisions/documents#oauth-clients). */
export const oauthClientEndpoints = {
  listOAuthClients: {
    ...read,
    method: "GET",
    path: "/account/oauth-clients",
    summary: "List the OAuth clients of the account",
    query: pageQuery,
    filterable: oauthClientFilterable,
    columns: oauthClientColumns,
    reply: pageOf(oauthClient),
  },
  createOAuthClient: {
    ...write,
    method: "POST",
    path: "/account/oauth-clients",
    summary: "Create an OAuth client; its secret is shown only in this reply",
    body: newOAuthClient,
    reply: oauthClient,
  },
  getOAuthClient: {
    ...read,
    method: "GET",
    path: "/account/oauth-clients/{clientId}",
    summary: "View an OAuth client",
    params: ofClient,
    reply: oauthClient,
  },
  updateOAuthClient: {
    ...write,
    method: "PUT",
    path: "/account/oauth-clients/{clientId}",
    summary: "Update an OAuth client",
    params: ofClient,
    body: oauthClientUpdate,
    reply: oauthClient,
  },
  deleteOAuthClient: {
    ...write,
    method: "DELETE",
    path: "/account/oauth-clients/{clientId}",
    summary: "Delete an OAuth client and all tokens issued to it",
    params: ofClient,
    reply: nothing,
    done: "OAuth client {clientId} and its tokens deleted",
  },
  resetOAuthClientSecret: {
    ...write,
    method: "POST",
    path: "/account/oauth-clients/{clientId}/reset-secret",
    summary: "Replace the secret of an OAuth client; it is shown only in this reply",
    beyond: true,
    destructive: "Its present secret becomes invalid",
    params: ofClient,
    reply: oauthClient,
  },
} as const satisfies Endpoints;
