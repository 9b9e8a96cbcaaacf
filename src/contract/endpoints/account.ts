import type { Endpoints } from "../endpoint.ts";
import { account } from "../resources/account.ts";

/** First document, Endpoints, Account. */
export const accountEndpoints = {
  getAccount: {
    method: "GET",
    path: "/account",
    summary: "View the account",
    tag: "Account",
    scope: "account:read_only",
    reply: account,
  },
} as const satisfies Endpoints;
