import { expect, test } from "vitest";
import { noon, start } from "./start.ts";

/**
 * The 19 fields of the first document, Account, in the order of account.md: what is unset is empty, and a card that is
 * none has nulls.
 */
const account = [
  ["company", "admin"],
  ["email", ""],
  ["first_name", ""],
  ["last_name", ""],
  ["address_1", ""],
  ["address_2", ""],
  ["city", ""],
  ["state", ""],
  ["zip", ""],
  ["country", ""],
  ["phone", ""],
  ["balance", 0],
  ["tax_id", ""],
  ["credit_card", { last_four: null, expiry: null }],
  ["balance_uninvoiced", 0],
  ["active_since", noon],
  ["capabilities", []],
  ["active_promotions", []],
  ["euuid", expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)],
];

test.each(["documented", "live"] as const)("an account has every field, profile %s", async (profile) => {
  const { call } = await start({ profile });
  const { status, body } = await call("GET", "/account");
  expect(status).toBe(200);
  expect(Object.entries(body)).toEqual(account);
});

test("an account is the same for all its users and differs from others", async () => {
  const { call, mint } = await start();
  const { body } = await call("GET", "/account");
  const colleague = await mint({ username: "colleague", account: "admin" });
  expect((await call("GET", "/account", undefined, { as: colleague })).body.euuid).toBe(body.euuid);
  const other = await mint({ username: "other" });
  expect((await call("GET", "/account", undefined, { as: other })).body.euuid).not.toBe(body.euuid);
});

test("it requires a scope of its own", async () => {
  const { call, mint } = await start();
  const as = await mint({ scopes: "domains:read_write" });
  expect((await call("GET", "/account", undefined, { as })).status).toBe(401);
});
