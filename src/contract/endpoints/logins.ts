import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { login } from "../resources/login.ts";

const ofLogin = z.object({ loginId: z.int().min(1).describe("Id of the sign-in") });
const shared = { scope: "account:read_only", who: "unrestricted", tag: "Logins", method: "GET" } as const;

/** Sign-ins (decisions/documents#sign-ins). */
export const loginEndpoints = {
  listLogins: {
    ...shared,
    path: "/account/logins",
    summary: "List the successful sign-ins of the last 90 days",
    query: pageQuery,
    reply: pageOf(login),
  },
  getLogin: {
    ...shared,
    path: "/account/logins/{loginId}",
    summary: "View a sign-in",
    params: ofLogin,
    reply: login,
  },
} as const satisfies Endpoints;
