// @suite postgres

import { expect, test } from "vitest";
import { addNotice, removeNotice } from "../../src/server/areas/account/notices-operator.ts";
import { receivePayment } from "../../src/server/areas/account/payments-operator.ts";
import { addUser, setAccess, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { closeAnyTicket, openTicket, replyToTicket } from "../../src/server/areas/support/handlers/tickets-operator.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { owe } from "./bills.ts";
import { start } from "./start.ts";

const outage = {
  ...embeddedCatalog,
  regions: embeddedCatalog.regions.map((region) =>
    region.id === "us-east" ? { ...region, status: "outage" as const } : region,
  ),
};
const account = { label: "admin", type: "account", url: "/v4/account" };
const page = (...data: object[]) => ({
  status: 200,
  body: { data, page: 1, pages: 1, results: data.length },
});

const ofPayment = {
  label: "Payment due",
  message: "The account has a balance of $1234.50. Set a credit card to pay it.",
  body: null,
  type: "payment_due",
  severity: "critical",
  when: null,
  until: null,
  entity: account,
};
const ofOutage = {
  label: "Outage",
  message: "The region us-east (Newark, NJ) has an outage.",
  body: null,
  type: "outage",
  severity: "major",
  when: null,
  until: null,
  entity: { label: "Newark, NJ", id: "us-east", type: "region", url: "/v4/regions/us-east" },
};
const notice = (label: string, until: string | null = null) => ({
  label,
  message: "ns3.example.net answers from Monday.",
  body: null,
  type: "notice",
  severity: "minor",
  when: null,
  until,
  entity: account,
});
const added = (label: string) => ({ label, message: "ns3.example.net answers from Monday." });

test("all causes at once, most severe first, none of them stored for the account", async () => {
  const { call, store, clock } = await start({ catalog: outage });
  await owe(store, 123_450);
  const id = await addNotice(store, added("New name server"));
  expect(await call("GET", "/account/notifications")).toEqual(page(ofPayment, ofOutage, notice("New name server")));
  await removeNotice(store, id);
  expect(await call("GET", "/account/notifications")).toEqual(page(ofPayment, ofOutage));
  await receivePayment(store, "admin", { amount: 12_345_000, now: clock.now });
  const other = await start({ store });
  expect(await other.call("GET", "/account/notifications")).toEqual(page());
});

test("a notice is for all accounts or for one, until its expiry", async () => {
  const { call, store, clock, mint } = await start();
  const as = await mint({ username: "stranger" });
  await addNotice(store, added("for all"));
  await addNotice(store, { ...added("for one"), account: "stranger" });
  await addNotice(store, { ...added("for a day"), until: new Date("2026-03-05T12:00:00Z") });
  const labels = async (headers = {}) =>
    (await call("GET", "/account/notifications", undefined, headers)).body.data.map(
      ({ label, until, entity }: { label: string; until: string | null; entity: { label: string } }) =>
        [label, until, entity.label].join(" "),
    );
  expect(await labels()).toEqual(["for all  admin", "for a day 2026-03-05T12:00:00 admin"]);
  expect(await labels({ as })).toEqual([
    "for all  stranger",
    "for one  stranger",
    "for a day 2026-03-05T12:00:00 stranger",
  ]);
  clock.now = new Date("2026-03-05T12:00:00Z");
  expect(await labels()).toEqual(["for all  admin"]);
});

test("a restricted user sees a payment due only with access to the account", async () => {
  const { call, store, clock, mint } = await start({ catalog: outage });
  await owe(store, 123_450);
  await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now });
  const as = await mint({ username: "ci" });
  expect(await call("GET", "/account/notifications", undefined, { as })).toEqual(page(ofOutage));
  await setAccess(store, "ci", { accountAccess: "read_only" }, clock.now);
  expect(await call("GET", "/account/notifications", undefined, { as })).toEqual(page(ofPayment, ofOutage));
});

test("a ticket of the operator is important to all who may answer it, until a user replies or it is closed", async () => {
  const { call, store, clock, mint, domain } = await start();
  await domain("example.com");
  await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now });
  const as = await mint({ username: "ci" });
  await mint({ username: "stranger" });
  const open = (summary: string, more: { account?: string; about?: { domain: string } } = {}) =>
    openTicket(store, { account: "admin", summary, description: "…", now: clock.now, ...more });
  await open("of the account");
  await open("of a domain", { about: { domain: "example.com" } });
  await closeAnyTicket(store, await open("closed"), clock.now);
  await open("of another account", { account: "stranger" });
  await call("POST", "/support/tickets", { summary: "of a user", description: "…", domain_id: 1 });
  const important = (id: number, label: string) => ({
    label: "Important ticket",
    message: `Ticket ${id} awaits your reply: ${label}`,
    body: null,
    type: "ticket_important",
    severity: "major",
    when: null,
    until: null,
    entity: { label, id, type: "ticket", url: `/v4/support/tickets/${id}` },
  });
  const seen = (headers = {}) => call("GET", "/account/notifications", undefined, headers);
  expect(await seen()).toEqual(page(important(1, "of the account"), important(2, "of a domain")));
  expect(await seen({ as })).toEqual(page());
  const reply = { description: "We look into it." };
  await setGrant(store, "ci", "example.com", "read_only", clock.now);
  expect(await seen({ as })).toEqual(page());
  expect((await call("POST", "/support/tickets/2/replies", reply, { as })).status).toBe(403);
  await setGrant(store, "ci", "example.com", "read_write", clock.now);
  expect(await seen({ as })).toEqual(page(important(2, "of a domain")));
  await call("POST", "/support/tickets/1/replies", reply);
  expect(await seen()).toEqual(page(important(2, "of a domain")));
  await replyToTicket(store, 1, "Have you found the cause?", clock.now);
  expect(await seen()).toEqual(page(important(1, "of the account"), important(2, "of a domain")));
});

test("pages of notifications", async () => {
  const { call, store } = await start();
  for (let n = 1; n <= 26; n++) await addNotice(store, added(`notice ${n}`));
  const { body } = await call("GET", "/account/notifications?page=2&page_size=25");
  expect(body).toEqual({ data: [notice("notice 26")], page: 2, pages: 2, results: 26 });
});
