import type { Handler } from "../handlers.ts";

/** An account is an owner of domains: what the specification says of billing has no place here. */
export const getAccount: Handler<"getAccount"> = async (_, { store, caller }) => {
  const { name, created, euuid } = await store.read((db) =>
    db.selectFrom("accounts").selectAll().where("id", "=", caller.accountId).executeTakeFirstOrThrow(),
  );
  return { active_since: created, company: name, euuid };
};
