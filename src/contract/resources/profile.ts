import * as z from "zod";
import { annotate, openEnum } from "../meta.ts";

/** The user of the token, with the field names of the hosted service. */
export const profile = z.object({
  uid: z.int().describe("Id of the user"),
  username: z.string().describe("Name of the user"),
  email: z.string().describe("E-mail address of the user; empty if unset"),
  timezone: z.string().describe("Always UTC"),
  email_notifications: z.boolean().describe("Always false"),
  restricted: z.boolean().describe("Whether the user is limited to grants"),
  two_factor_auth: z.boolean().describe("Always false: users sign in with a password alone"),
  ip_whitelist_enabled: z.boolean().describe("Always false"),
  authorized_keys: z.array(z.string()).describe("Public SSH keys of the user"),
});

const permissionWords = ["read_only", "read_write"] as const;
const permissions = annotate(openEnum(permissionWords), { enum: permissionWords });

function grantsOn(what: string) {
  return z.array(
    z.object({
      id: z.int().describe(`Id of the ${what}`),
      label: z.string().describe(`Name of the ${what}`),
      permissions: permissions.describe("Extent of the grant; read_write includes read_only"),
    }),
  );
}

/** Permissions of a restricted user. */
export const grants = z.object({
  global: z.object({
    account_access: permissions.nullable().describe("Access to the account's own data; null for none"),
    add_domains: z.boolean().describe("Whether the user may create domains"),
    add_nodes: z.boolean().describe("Whether the user may create nodes"),
    cancel_account: z.boolean().describe("Always false"),
  }),
  domain: grantsOn("domain").describe("The domains that the user has a grant on"),
  node: grantsOn("node").describe("The nodes that the user has a grant on"),
  volume: grantsOn("volume").describe("The volumes that the user has a grant on"),
  firewall: grantsOn("firewall").describe("The firewalls that the user has a grant on"),
});

export type UserProfile = z.output<typeof profile>;
export type Grants = z.output<typeof grants>;
