import type { Handler } from "../kit/context.ts";
import { listDomainGrants, listNodeGrants } from "../store/grants.ts";
import { readEmail } from "../store/users.ts";

export const getProfile: Handler<"getProfile"> = async (_, { store, caller }) => ({
  uid: caller.userId,
  username: caller.username,
  email: await store.read((db) => readEmail(db, caller.userId)),
  timezone: "UTC",
  email_notifications: false,
  restricted: caller.isRestricted,
  two_factor_auth: false,
  ip_whitelist_enabled: false,
  authorized_keys: [],
});

/** Only restricted users have grants; for others the status is 204, by which clients recognise them. */
export const getGrants: Handler<"getGrants"> = async (_, { store, caller }) => {
  if (!caller.isRestricted) return undefined;
  return store.read(async (db) => ({
    global: {
      account_access: caller.accountAccess,
      add_domains: caller.addsDomains,
      add_nodes: caller.addsNodes,
      cancel_account: false,
    },
    domain: await listDomainGrants(db, caller.userId),
    node: await listNodeGrants(db, caller.userId),
  }));
};
