import type { Handler } from "../kit/context.ts";

/**
 * An account owns domains and has no billing, so address and card are empty and the balance is 0 (first document,
 * Account).
 */
export const getAccount: Handler<"getAccount"> = async (_, { store, caller }) => {
  const { name, created, euuid } = await store.read((db) =>
    db.selectFrom("accounts").selectAll().where("id", "=", caller.accountId).executeTakeFirstOrThrow(),
  );
  return {
    company: name,
    email: "",
    first_name: "",
    last_name: "",
    address_1: "",
    address_2: "",
    city: "",
    state: "",
    zip: "",
    country: "",
    phone: "",
    balance: 0,
    tax_id: "",
    credit_card: { last_four: null, expiry: null },
    balance_uninvoiced: 0,
    active_since: created,
    capabilities: [],
    active_promotions: [],
    euuid,
  };
};
