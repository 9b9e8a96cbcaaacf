// @suite nightly-postgres

import { expect, test } from "vitest";
import { addUser } from "../../src/server/areas/account/users-operator.ts";
import type { Access } from "../../src/server/http/access-log.ts";
import { owe, pricedCatalog } from "./bills.ts";
import { noon, start } from "./start.ts";

/** Those of all regions of the embedded catalogue. */
const capabilities = ["Nodes", "Backups", "Block Storage", "Cloud Firewall", "Vlans"];

/**
 * The 19 fields of an account (decisions/account#account-data) in the order of replies: what is unset is empty, and a
 * card that is none has nulls.
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
  ["capabilities", capabilities],
  ["active_promotions", []],
  ["euuid", expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)],
];

test.each(["documented", "live"] as const)("an account has every field, profile %s", async (profile) => {
  const { call } = await start({ profile });
  const { status, body } = await call("GET", "/account");
  expect(status).toBe(200);
  const expected =
    profile === "live" ? { email: "owner@account.invalid", capabilities: ["Linodes", ...capabilities.slice(1)] } : {};
  expect(Object.entries(body)).toEqual(Object.entries({ ...Object.fromEntries(account), ...expected }));
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

/** The contact data of the document's example. */
const contact = {
  company: "Example Inc.",
  email: "john.doe@example.com",
  first_name: "John",
  last_name: "Doe",
  address_1: "123 Main Street",
  address_2: "Suite 1",
  city: "Philadelphia",
  state: "PA",
  zip: "19102-1234",
  country: "US",
  phone: "215-555-1212",
  tax_id: "ATU99999999",
};
const card = { card_number: "4111222233330042", cvv: "987", expiry_month: 3, expiry_year: 2031 };

test("all contact data at once, then a card: the whole account, and its events", async () => {
  const { call } = await start();
  const { euuid } = (await call("GET", "/account")).body;
  const whole = {
    ...contact,
    balance: 0,
    credit_card: { last_four: null, expiry: null },
    balance_uninvoiced: 0,
    active_since: noon,
    capabilities,
    active_promotions: [],
    euuid,
  };
  expect(await call("PUT", "/account", contact)).toEqual({ status: 200, body: whole });
  expect(await call("POST", "/account/credit-card", card)).toEqual({ status: 200, body: {} });
  const credit_card = { last_four: 42, expiry: "03/2031" };
  expect(await call("GET", "/account")).toEqual({ status: 200, body: { ...whole, credit_card } });
  const { body } = await call("GET", "/account/events");
  const entity = { label: "Example Inc.", type: "account", url: "/v4/account" };
  expect(body.data).toMatchObject([
    { action: "credit_card_updated", entity },
    { action: "account_update", entity },
  ]);
});

/** Access of a restricted user to the account, by account_access (decisions/account#access). */
test.each([
  [undefined, { get: "", put: 403, card: 403 }],
  ["read_only", { get: "Philadelphia", put: 403, card: 403 }],
  ["read_write", { get: "Philadelphia", put: 200, card: 200 }],
] as const)("a restricted user with account_access %s", async (accountAccess, expected) => {
  const { call, store, clock, mint } = await start();
  await call("PUT", "/account", contact);
  await addUser(store, { username: "ci", account: "admin", restricted: true, accountAccess, now: clock.now });
  const as = await mint({ username: "ci" });
  const get = (await call("GET", "/account", undefined, { as })).body.city;
  const put = (await call("PUT", "/account", { phone: "1" }, { as })).status;
  const setCard = (await call("POST", "/account/credit-card", card, { as })).status;
  expect({ get, put, card: setCard }).toEqual(expected);
  expect((await call("POST", "/account/cancel", {}, { as })).status).toBe(403);
});

test("number and cvv of a card are neither stored, logged nor repeated by an error", async () => {
  const accesses: Access[] = [];
  const { call, store } = await start({ onAccess: (access) => accesses.push(access) });
  const replies = [
    await call("POST", "/account/credit-card", card),
    await call("POST", "/account/credit-card", { ...card, expiry_year: 2025 }),
    await call("POST", "/account/credit-card", { ...card, card_number: `${card.card_number}x`, cvv: "98765" }),
    await call("POST", "/account/credit-card", `${JSON.stringify(card)}}`),
    await call("GET", "/account"),
    await call("GET", "/account/events"),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 400, 400, 400, 200, 200]);
  const rows = await store.read(async (db) => [
    await db.selectFrom("accounts").selectAll().execute(),
    await db.selectFrom("events").selectAll().execute(),
  ]);
  const text = JSON.stringify([replies, accesses, rows]);
  expect(text).toContain('"card_last_four":"0042"');
  expect(text).not.toMatch(/33330042|987/);
});

test("a balance is shown in the account and paid by a new card", async () => {
  const { call, store } = await start({ catalog: pricedCatalog });
  await call("POST", "/volumes", { label: "data", region: "us-east", size: 1000 });
  await owe(store, 1000);
  const balances = async () => {
    const { balance, balance_uninvoiced } = (await call("GET", "/account")).body;
    return { balance, balance_uninvoiced };
  };
  expect(await balances()).toEqual({ balance: 10, balance_uninvoiced: 0.2 });
  await call("POST", "/account/credit-card", card);
  expect(await balances()).toEqual({ balance: 0, balance_uninvoiced: 0.2 });
  const [paid, set] = (await call("GET", "/account/events")).body.data;
  expect([paid.action, paid.message, paid.username, set.action]).toEqual([
    "payment_submitted",
    "$10.00",
    "admin",
    "credit_card_updated",
  ]);
});

test("an account that owes without a valid card cannot be cancelled: 409, a reason, no field, nothing changes", async () => {
  const { call, clock, store, domain } = await start({ catalog: pricedCatalog });
  await domain("example.com");
  await call("POST", "/volumes", { label: "data", region: "us-east", size: 1000 });
  const cancel = () => call("POST", "/account/cancel", { comments: "moving" });
  const refusal = {
    status: 409,
    body: { errors: [{ reason: "The account has a balance that could not be charged to a credit card." }] },
  };
  const state = async () =>
    Promise.all(["/account", "/domains", "/volumes", "/account/invoices"].map((path) => call("GET", path)));
  const before = await state();
  expect(await cancel()).toEqual(refusal);
  expect(await state()).toEqual(before);
  await call("POST", "/account/credit-card", { ...card, expiry_month: 3, expiry_year: 2026 });
  await owe(store, 1000);
  clock.now = new Date("2026-04-01T00:00:00Z");
  expect(await cancel()).toEqual(refusal);
  await call("POST", "/account/credit-card", { ...card, expiry_month: 4, expiry_year: 2026 });
  await owe(store, 1000);
  expect(await cancel()).toEqual({ status: 200, body: { survey_link: "" } });
});

test("the survey link of the service", async () => {
  const { call } = await start({ surveyLink: "https://survey.example/zonewright" });
  expect(await call("POST", "/account/cancel", {})).toEqual({
    status: 200,
    body: { survey_link: "https://survey.example/zonewright" },
  });
});
