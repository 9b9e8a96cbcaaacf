// @suite postgres

import { expect, inject, onTestFinished, test } from "vitest";
import { readStatement, receivePayment } from "../../src/server/areas/account/payments-operator.ts";
import { chargeNode } from "../../src/server/areas/billing/charges.ts";
import { measuresBy } from "../../src/server/areas/billing/node-samples-rows.ts";
import { recordSamples } from "../../src/server/areas/nodes/operator/nodes.ts";
import { applyPrices } from "../../src/server/areas/nodes/operator/prices.ts";
import { updateNodeRow as updateNode } from "../../src/server/areas/nodes/rows/nodes.ts";
import { reopenAccount } from "../../src/server/areas/users/accounts-operator.ts";
import type { Catalog } from "../../src/server/catalog/schema.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { readServerSettings } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { freeCatalog, pricedCatalog } from "./bills.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const nanode = { region: "us-east", type: "g6-nanode-1" };
const nodes = "/node/instances";
const card = { card_number: "4111111111111111", cvv: "123", expiry_month: 12, expiry_year: 2030 };

/** A server whose jobs end at once, at `moment`. */
async function begin(moment: string, options: Parameters<typeof start>[0] = {}) {
  const api = await start({ catalog: pricedCatalog, jobDriver: simulatedDriver(0), ...options });
  const at = (text: string) => {
    api.clock.now = new Date(`${text}Z`);
  };
  at(moment);
  const send = async (method: string, path: string, body?: object) => {
    const answer = await api.call(method, path, body);
    expect([method, path, answer.status, answer.body]).toEqual([method, path, 200, expect.anything()]);
    return answer.body;
  };
  /** The invoices in short: number, date and total, then each item. */
  const invoices = async (): Promise<string[]> => {
    const lines: string[] = [];
    for (const { id, date, total } of (await send("GET", "/account/invoices")).data) {
      lines.push(`${id} ${date} ${total}`);
      for (const item of (await send("GET", `/account/invoices/${id}/items`)).data)
        lines.push(
          `  ${item.label}: ${item.from} ${item.to} ${item.quantity} x ${item.unit_price} = ${item.amount} (${item.type})`,
        );
    }
    return lines;
  };
  return { ...api, at, send, invoices };
}

test("all that costs: opened and closed with its cause, invoiced at the month's turn", async () => {
  const { at, send, invoices } = await begin("2026-01-10T10:00:00");
  await send("POST", nodes, { ...nanode, label: "web" });
  at("2026-01-10T12:30:00");
  await send("POST", `${nodes}/1/backups/enable`);
  await send("POST", `${nodes}/1/ips`, { type: "ipv4", public: true });
  await send("POST", "/volumes", { label: "data", region: "us-east", size: 100 });
  at("2026-01-11T10:00:00");
  await send("POST", "/volumes/1/resize", { size: 200 });
  await send("POST", `${nodes}/1/resize`, { type: "g6-standard-1" });
  at("2026-01-11T10:30:00");
  await send("POST", `${nodes}/1/backups/cancel`);
  await send("DELETE", `${nodes}/1/ips/198.18.0.2`);
  at("2026-01-12T10:00:00");
  await send("POST", `${nodes}/1/clone`, { ...nanode, label: "copy" });
  await send("DELETE", `${nodes}/1`);
  await send("DELETE", "/volumes/1");
  at("2026-02-03T00:00:00");
  expect(await invoices()).toEqual([
    "1 2026-02-01T00:00:00 5.68",
    "  Nanode 1GB - web (1): 2026-01-10T10:00:00 2026-01-11T10:00:00 24 x 0.0075 = 0.18 (hourly)",
    "  Backups - web (1): 2026-01-10T12:30:00 2026-01-11T10:00:00 22 x 0.003 = 0.07 (hourly)",
    "  Public IPv4 address 198.18.0.3 - web (1): 2026-01-10T12:30:00 2026-01-11T10:30:00 22 x 0.003 = 0.07 (hourly)",
    "  Volume of 100 GB - data (1): 2026-01-10T12:30:00 2026-01-11T10:00:00 22 x 0.02 = 0.44 (hourly)",
    "  Volume of 200 GB - data (1): 2026-01-11T10:00:00 2026-01-12T10:00:00 24 x 0.04 = 0.96 (hourly)",
    "  Node 2GB - web (1): 2026-01-11T10:00:00 2026-01-12T10:00:00 24 x 0.018 = 0.43 (hourly)",
    "  Backups - web (1): 2026-01-11T10:00:00 2026-01-11T10:30:00 1 x 0.004 = 0 (hourly)",
    "  Nanode 1GB - copy (2): 2026-01-12T10:00:00 2026-02-01T00:00:00 470 x 0.0075 = 3.53 (hourly)",
  ]);
});

test("the hours never exceed the price of a month; a price by the hour or by the month alone counts as it is", async () => {
  const prices: Record<string, Catalog["types"][number]["price"]> = {
    "g6-nanode-1": { hourly: 0.01, monthly: 5 },
    "g6-standard-1": { hourly: 0.01, monthly: 0 },
    "g6-standard-2": { hourly: 0, monthly: 5 },
  };
  const types = freeCatalog.types.map((type) => ({ ...type, price: prices[type.id] ?? type.price }));
  const { at, send, invoices } = await begin("2024-02-01T00:00:00", { catalog: { ...freeCatalog, types } });
  for (const type of Object.keys(prices)) await send("POST", nodes, { ...nanode, type, label: type });
  at("2024-02-20T20:00:00"); // after 476 hours
  await send("POST", nodes, { ...nanode, label: "free", type: "g6-standard-4" });
  expect((await send("GET", "/account")).balance_uninvoiced).toBe(4.76 + 4.76 + 5);
  at("2024-03-01T00:00:00");
  expect(await invoices()).toEqual([
    "1 2024-03-01T00:00:00 16.96", // February 2024 has 696 hours
    "  Nanode 1GB - g6-nanode-1 (1): 2024-02-01T00:00:00 2024-03-01T00:00:00 1 x 5 = 5 (hourly)",
    "  Node 2GB - g6-standard-1 (2): 2024-02-01T00:00:00 2024-03-01T00:00:00 696 x 0.01 = 6.96 (hourly)",
    "  Node 4GB - g6-standard-2 (3): 2024-02-01T00:00:00 2024-03-01T00:00:00 1 x 5 = 5 (hourly)",
  ]);
});

test("several months at once each have their invoice, with the date of its turn; a valid card pays each then", async () => {
  const { at, send, invoices, store } = await begin("2023-12-31T23:59:59");
  await send("POST", nodes, { ...nanode, label: "web" });
  await send("POST", "/account/credit-card", { ...card, expiry_month: 2, expiry_year: 2024 });
  at("2024-04-01T00:00:00");
  expect((await invoices()).filter((line) => !line.startsWith(" "))).toEqual([
    "1 2024-01-01T00:00:00 0.01",
    "2 2024-02-01T00:00:00 5",
    "3 2024-03-01T00:00:00 5", // 696 hours cost 5.22
    "4 2024-04-01T00:00:00 5",
  ]);
  expect(await readStatement(store, "admin")).toEqual([
    { date: "2024-01-01T00:00:00", description: "invoice 1", amount: 0.01, balance: 0.01 },
    { date: "2024-01-01T00:00:00", description: "payment by credit card", amount: -0.01, balance: 0 },
    { date: "2024-02-01T00:00:00", description: "invoice 2", amount: 5, balance: 5 },
    { date: "2024-02-01T00:00:00", description: "payment by credit card", amount: -5, balance: 0 },
    { date: "2024-03-01T00:00:00", description: "invoice 3", amount: 5, balance: 5 }, // the card has expired
    { date: "2024-04-01T00:00:00", description: "invoice 4", amount: 5, balance: 10 },
  ]);
  expect((await send("GET", "/account")).balance).toBe(10);
  const [paid] = (await send("GET", "/account/events")).data; // the first payment is more than 90 days ago
  expect(paid).toMatchObject({ action: "payment_submitted", created: "2024-02-01T00:00:00" });
  expect(paid).toMatchObject({ message: "$5.00", username: "", entity: { label: "admin", type: "account" } });
  await receivePayment(store, "admin", { amount: 120_000, now: new Date("2024-04-02T00:00:00Z") });
  at("2024-05-01T00:00:00");
  expect((await send("GET", "/account")).balance).toBe(3); // 2 of the payment were left
});

test("transfer over the pool of the month: all nodes together, those resized and deleted included", async () => {
  const { at, send, invoices, store } = await begin("2026-04-16T00:00:00");
  await send("POST", nodes, { ...nanode, label: "one" });
  await send("POST", nodes, { ...nanode, label: "two" });
  /** Octets that a node sends in five minutes, in GB. */
  const sample = (node: number, time: string, gigabytes: number) =>
    recordSamples(
      store,
      node,
      [
        {
          at: time,
          ...measuresBy((key) => (key === "netv4_out" || key === "netv6_out" ? (gigabytes * 8e9) / 300 / 2 : 0)),
        },
      ],
      new Date(`${time}Z`),
    );
  await sample(1, "2026-04-19T00:00:00", 700);
  await sample(2, "2026-04-19T00:00:00", 400.9);
  at("2026-04-19T00:00:00");
  await send("POST", `${nodes}/1/resize`, { type: "g6-standard-1" });
  at("2026-04-22T00:00:00");
  await sample(1, "2026-04-16T00:00:00", 900); // measured before the resize, and recorded after it
  await send("DELETE", `${nodes}/2`);
  at("2026-05-01T00:00:00");
  await sample(1, "2026-05-01T00:00:00", 5000);
  // 2000.9 GB, and a pool of 1000 × 3/30 + 2000 × 12/30 + 1000 × 6/30 = 1100 GB
  expect((await invoices()).at(-1)).toBe(
    "  Transfer over the pool: 2026-04-16T00:00:00 2026-05-01T00:00:00 900 x 0.005 = 4.5 (misc)",
  );
  at("2026-05-01T00:00:01");
  expect((await send("GET", "/account")).balance_uninvoiced).toBe(0.02); // without transfer
});

test("an account without anything that costs has no invoice and nothing to settle", async () => {
  const { at, send, store } = await begin("2026-01-10T10:00:00", { catalog: freeCatalog });
  await send("POST", nodes, { ...nanode, label: "web" });
  await send("POST", "/volumes", { label: "data", region: "us-east" });
  at("2026-03-10T10:00:00");
  expect((await send("GET", "/account/invoices")).results).toBe(0);
  expect(await store.read((db) => db.selectFrom("accounts").select("due").execute())).toEqual([{ due: null }]);
});

test("cancelling invoices the running month and charges the card; nothing is invoiced afterwards", async () => {
  const { at, send, invoices, call, store } = await begin("2026-01-30T10:00:00");
  await send("POST", nodes, { ...nanode, label: "web" });
  await send("POST", "/volumes", { label: "data", region: "us-east", size: 100 });
  await send("POST", "/account/credit-card", card);
  at("2026-02-01T10:00:00");
  await send("POST", "/account/cancel", {});
  at("2026-05-01T00:00:00");
  expect((await call("GET", "/account")).status).toBe(401);
  await reopenAccount(store, "admin");
  expect((await invoices()).filter((line) => !line.startsWith(" "))).toEqual([
    "1 2026-02-01T00:00:00 1.05", // 38 × 0.0075 = 0.285, 38 × 0.02 = 0.76
    "2 2026-02-01T10:00:00 0.28", // 10 × 0.0075 = 0.075, 10 × 0.02 = 0.2
  ]);
  expect((await send("GET", "/account")).balance).toBe(0);
  expect(await store.read((db) => db.selectFrom("charges").selectAll().execute())).toEqual([]);
});

test("a clock that is turned back neither invoices twice nor counts negative hours", async () => {
  const { at, send, invoices } = await begin("2026-01-10T10:00:00");
  await send("POST", "/account/credit-card", card);
  await send("POST", nodes, { ...nanode, label: "old" });
  at("2026-03-05T00:00:00"); // wrong
  await send("POST", nodes, { ...nanode, label: "ahead" });
  await send("POST", nodes, { ...nanode, label: "other" });
  expect((await send("GET", "/account/invoices")).results).toBe(2);
  at("2026-01-20T00:00:00");
  await send("POST", nodes, { ...nanode, label: "new" });
  await send("DELETE", `${nodes}/2`);
  await send("POST", `${nodes}/1/resize`, { type: "g6-standard-1" });
  await send("POST", `${nodes}/3/resize`, { type: "g6-standard-1" });
  expect((await send("GET", "/account")).balance_uninvoiced).toBe(0.01); // the first hour of "new"
  at("2026-04-01T00:00:00");
  const all = await invoices();
  expect(all).toEqual([
    "1 2026-02-01T00:00:00 3.89",
    "  Nanode 1GB - old (1): 2026-01-10T10:00:00 2026-02-01T00:00:00 518 x 0.0075 = 3.89 (hourly)",
    "2 2026-03-01T00:00:00 5",
    "  Nanode 1GB - old (1): 2026-02-01T00:00:00 2026-03-01T00:00:00 1 x 5 = 5 (hourly)",
    "3 2026-02-01T00:00:00 2.16",
    "  Nanode 1GB - new (4): 2026-01-20T00:00:00 2026-02-01T00:00:00 288 x 0.0075 = 2.16 (hourly)",
    "4 2026-03-01T00:00:00 5",
    "  Nanode 1GB - new (4): 2026-02-01T00:00:00 2026-03-01T00:00:00 1 x 5 = 5 (hourly)",
    "5 2026-04-01T00:00:00 28.68",
    "  Nanode 1GB - ahead (2): 2026-03-05T00:00:00 2026-03-05T00:00:00 1 x 0.0075 = 0.01 (hourly)",
    "  Nanode 1GB - other (3): 2026-03-05T00:00:00 2026-03-05T00:00:00 1 x 0.0075 = 0.01 (hourly)",
    "  Nanode 1GB - new (4): 2026-03-01T00:00:00 2026-04-01T00:00:00 1 x 5 = 5 (hourly)",
    "  Node 2GB - old (1): 2026-03-01T00:00:00 2026-04-01T00:00:00 1 x 12 = 12 (hourly)",
    "  Node 2GB - other (3): 2026-03-05T00:00:00 2026-04-01T00:00:00 648 x 0.018 = 11.66 (hourly)",
  ]);
  at("2026-03-31T23:00:00");
  await send("GET", "/account");
  at("2026-04-01T00:00:01");
  expect(await invoices()).toEqual(all);
});

test("other prices count from the start of a server; what had none is charged from then on", async () => {
  const { at, send, invoices, store, clock } = await begin("2026-01-10T10:00:00", { catalog: freeCatalog });
  await send("POST", nodes, { ...nanode, label: "web" });
  await send("POST", "/volumes", { label: "data", region: "us-east", size: 100 });
  const restart = (catalog: Catalog, moment: string) => {
    at(moment);
    return applyPrices(readServerSettings({ store, catalog, clock: () => clock.now }), clock.now);
  };
  const types = pricedCatalog.types.map((type) => ({ ...type, price: { hourly: 0.02, monthly: 9 } }));
  await restart(pricedCatalog, "2026-01-20T00:00:00");
  await restart(pricedCatalog, "2026-01-21T00:00:00");
  await restart({ ...pricedCatalog, types }, "2026-02-02T00:00:00");
  await restart(freeCatalog, "2026-02-03T00:00:00");
  at("2026-04-03T00:00:00");
  expect(await invoices()).toEqual([
    "1 2026-02-01T00:00:00 7.92",
    "  Nanode 1GB - web (1): 2026-01-20T00:00:00 2026-02-01T00:00:00 288 x 0.0075 = 2.16 (hourly)",
    "  Volume of 100 GB - data (1): 2026-01-20T00:00:00 2026-02-01T00:00:00 288 x 0.02 = 5.76 (hourly)",
    "2 2026-03-01T00:00:00 1.62",
    "  Nanode 1GB - web (1): 2026-02-01T00:00:00 2026-02-02T00:00:00 24 x 0.0075 = 0.18 (hourly)",
    "  Volume of 100 GB - data (1): 2026-02-01T00:00:00 2026-02-03T00:00:00 48 x 0.02 = 0.96 (hourly)",
    "  Nanode 1GB - web (1): 2026-02-02T00:00:00 2026-02-03T00:00:00 24 x 0.02 = 0.48 (hourly)",
  ]);
});

test("a node that another account gets is charged to each for its time", async () => {
  const { at, send, invoices, call, store, mint } = await begin("2026-01-10T10:00:00");
  const as = await mint({ username: "other" });
  await send("POST", nodes, { ...nanode, label: "web", backups_enabled: true });
  await store.write(async (db) => {
    const node = await updateNode(db, 1, { account_id: 2 });
    await chargeNode(db, node, { catalog: pricedCatalog, now: new Date("2026-01-11T10:00:00Z") });
  });
  at("2026-02-01T00:00:00");
  expect(await invoices()).toEqual([
    "1 2026-02-01T00:00:00 0.25",
    "  Nanode 1GB - web (1): 2026-01-10T10:00:00 2026-01-11T10:00:00 24 x 0.0075 = 0.18 (hourly)",
    "  Backups - web (1): 2026-01-10T10:00:00 2026-01-11T10:00:00 24 x 0.003 = 0.07 (hourly)",
  ]);
  const { body } = await call("GET", "/account/invoices", undefined, { as });
  expect(body.data).toMatchObject([{ id: 2, total: 5.19 }]); // 494 × 0.0075 = 3.705, 494 × 0.003 = 1.482
});

/** With SQLite both servers share the one connection that a process has, as in concurrent.test.ts. */
test("two servers invoice each month of each account once, numbered without gaps", async () => {
  const place = await emptyPlace();
  const first = await openStore(place);
  const second = inject("postgres") === undefined ? first : await openStore(place);
  onTestFinished(async () => {
    await first.close();
    if (second !== first) await second.close();
  });
  const options = { catalog: pricedCatalog, jobDriver: simulatedDriver(0) };
  const servers = [await start({ ...options, store: first }), await start({ ...options, store: second })];
  const [one] = servers;
  const others = [];
  for (const username of ["a", "b", "c"]) others.push(await one?.mint({ username }));
  const tokens = [one?.token ?? "", ...others.map((token) => token ?? "")];
  for (const as of tokens) await one?.call("POST", nodes, nanode, { as });
  for (const { clock } of servers) clock.now = new Date("2026-06-01T00:00:00Z");
  const asked = tokens.flatMap((as) => servers.map(({ call }) => call("GET", "/account/invoices", undefined, { as })));
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  const ids: number[] = [];
  for (const as of tokens) {
    const { data } = (await one?.call("GET", "/account/invoices", undefined, { as }))?.body ?? {};
    expect(data.map(({ date }: { date: string }) => date.slice(0, 10))).toEqual([
      "2026-04-01",
      "2026-05-01",
      "2026-06-01",
    ]);
    ids.push(...data.map(({ id }: { id: number }) => id));
  }
  expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
});

test("a region has prices of its own", async () => {
  const { at, send, invoices } = await begin("2026-01-31T00:00:00");
  await send("POST", nodes, { ...nanode, label: "far", region: "br-gru", backups_enabled: true });
  await send("POST", "/volumes", { label: "data", region: "id-cgk", size: 100 });
  at("2026-02-01T00:00:00");
  expect(await invoices()).toEqual([
    "1 2026-02-01T00:00:00 0.83",
    "  Nanode 1GB - far (1): 2026-01-31T00:00:00 2026-02-01T00:00:00 24 x 0.0105 = 0.25 (hourly)",
    "  Backups - far (1): 2026-01-31T00:00:00 2026-02-01T00:00:00 24 x 0.0042 = 0.1 (hourly)",
    "  Volume of 100 GB - data (1): 2026-01-31T00:00:00 2026-02-01T00:00:00 24 x 0.02 = 0.48 (hourly)",
  ]);
});
