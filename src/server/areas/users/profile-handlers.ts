import type { Handler } from "../../entities/context.ts";
import { listGrants } from "../../entities/grants-rows.ts";
import type { GrantedType } from "../../store/tables.ts";
import { listSshKeysOfUser } from "./ssh-keys-rows.ts";
import { readUserEmail } from "./users-rows.ts";

export const getProfile: Handler<"getProfile"> = (_, { store, caller }) =>
  store.read(async (db) => ({
    uid: caller.userId,
    username: caller.username,
    email: await readUserEmail(db, caller.userId),
    timezone: "UTC",
    email_notifications: false,
    restricted: caller.isRestricted,
    two_factor_auth: false,
    ip_whitelist_enabled: false,
    authorized_keys: ((await listSshKeysOfUser(db, [caller.userId])).get(caller.userId) ?? []).map(
      ({ ssh_key }) => ssh_key,
    ),
  }));

/** Only restricted users have grants; for others the status is 204, by which clients recognise them. */
export const getGrants: Handler<"getGrants"> = async (_, { store, caller }) => {
  if (!caller.isRestricted) return undefined;
  return store.read(async (db) => {
    const grantsOn = async (type: GrantedType) =>
      (await listGrants(db, type, caller.userId)).map(({ id, label, permissions }) => ({ id, label, permissions }));
    return {
      global: {
        account_access: caller.accountAccess,
        add_domains: caller.addsDomains,
        add_nodes: caller.addsNodes,
        cancel_account: false,
      },
      domain: await grantsOn("domain"),
      node: await grantsOn("node"),
      volume: await grantsOn("volume"),
      firewall: await grantsOn("firewall"),
    };
  });
};
