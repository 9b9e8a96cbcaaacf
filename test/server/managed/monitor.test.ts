// @suite nightly-postgres

import { expect, test } from "vitest";
import { setManaged } from "../../../src/server/areas/managed/managed-operator.ts";
import { Monitor } from "../../../src/server/areas/managed/monitor.ts";
import {
  closeAnyTicket,
  listAllTickets,
  showTicket,
} from "../../../src/server/areas/support/handlers/tickets-operator.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { refused } from "../start.ts";
import { emptyPlace } from "../stores.ts";
import { beginMonitor, endless } from "./probes.ts";

const shop = "https://shop.example.com/";
const api = "https://shop.example.com/api";
const mail = "mail.example.com:25";
const refusal = "it refuses the connection";

test("a target goes down and up: statuses, issue, ticket, recovery", async () => {
  const { add, get, down, lookAfter, statusOf, errors } = await beginMonitor();
  await add({ address: shop });
  expect(await statusOf()).toBe("pending");
  expect(await lookAfter(0)).toEqual([shop]);
  expect(await statusOf()).toBe("ok");
  expect(await lookAfter(59)).toEqual([]);

  down.set(shop, "the server answers with status 503");
  expect(await lookAfter(1)).toEqual([shop]);
  expect(await statusOf()).toBe("ok"); // a single failure says little
  expect((await get("/managed/issues")).results).toBe(0);
  expect(await lookAfter(9)).toEqual([]);
  expect(await lookAfter(1)).toEqual([shop]);
  expect(await statusOf()).toBe("problem");
  const issue = {
    id: 1,
    created: "2026-03-04T12:01:10",
    services: [1],
    entity: { id: 1, type: "ticket", label: "Web shop is down", url: "/support/tickets/1" },
  };
  expect(await get("/managed/issues")).toEqual({ data: [issue], page: 1, pages: 1, results: 1 });
  expect(await get("/managed/issues/1")).toEqual(issue);
  const ticket = {
    id: 1,
    attachments: [],
    closed: null,
    closable: false,
    description:
      'The service "Web shop" (id 1) at https://shop.example.com/ is down.\n\n' +
      "2026-03-04T12:01:10 UTC: the server answers with status 503.\n\n" +
      "This ticket is closed when all services of shop.example.com are up again.",
    entity: null,
    gravatar_id: "d41d8cd98f00b204e9800998ecf8427e",
    opened: "2026-03-04T12:01:10",
    opened_by: "operator",
    status: "open",
    summary: "Web shop is down",
    updated: "2026-03-04T12:01:10",
    updated_by: null,
  };
  expect(await get("/support/tickets/1")).toEqual(ticket);
  expect((await get("/account/notifications")).data).toMatchObject([
    { type: "ticket_important", message: "Ticket 1 awaits your reply: Web shop is down" },
  ]);

  // While it is down, it is probed as often as before, and nothing is added.
  expect(await lookAfter(59)).toEqual([]);
  expect(await lookAfter(1)).toEqual([shop]);
  expect(await lookAfter(60)).toEqual([shop]);
  expect(await get("/support/tickets/1")).toEqual(ticket);
  expect((await get("/managed/issues")).results).toBe(1);

  down.clear();
  expect(await lookAfter(60)).toEqual([shop]);
  expect(await statusOf()).toBe("ok");
  const recovered = "2026-03-04T12:04:10";
  expect(await get("/support/tickets/1")).toEqual({
    ...ticket,
    status: "closed",
    closed: recovered,
    updated: recovered,
    updated_by: "operator",
  });
  expect((await get("/support/tickets/1/replies")).data).toEqual([
    {
      id: 1,
      created: recovered,
      created_by: "operator",
      description: "All services of shop.example.com in this issue are up again, disabled or deleted.",
      from_operator: true,
      gravatar_id: "d41d8cd98f00b204e9800998ecf8427e",
    },
  ]);
  expect((await get("/account/notifications")).results).toBe(0);
  const events = (await get("/account/events")).data.map(
    ({ action, username }: { action: string; username: string }) => [action, username],
  );
  expect(events.slice(0, 3)).toEqual([
    ["ticket_update", ""],
    ["ticket_create", ""],
    ["managed_service_create", "admin"],
  ]);

  // The issue is listed for 90 days more.
  expect(await get("/managed/issues/1")).toEqual(issue);
  await lookAfter(90 * 86_400);
  expect((await get("/managed/issues")).results).toBe(1);
  await lookAfter(1);
  expect((await get("/managed/issues")).results).toBe(0);
  expect((await get("/managed/issues/1")).errors).toEqual([{ reason: "Not found" }]);
  expect(errors).toEqual([]);
});

test("one failure alone is no problem, and a pending service that fails stays pending until the second", async () => {
  const { add, down, lookAfter, statusOf } = await beginMonitor();
  down.set(shop, refusal);
  await add({ address: shop });
  await lookAfter(0);
  expect(await statusOf()).toBe("pending");
  down.clear();
  await lookAfter(10);
  expect(await statusOf()).toBe("ok");
  down.set(shop, refusal);
  await lookAfter(60);
  down.clear();
  await lookAfter(10);
  down.set(shop, refusal);
  await lookAfter(60); // not two in a row
  expect(await statusOf()).toBe("ok");
});

test("services of one host share an issue and a ticket; the ticket is closed after the last recovered", async () => {
  const { add, get, down, lookAfter, statusOf } = await beginMonitor();
  for (const address of [shop, api]) await add({ address, label: address === api ? "Shop API" : "Web shop" });
  await add({ address: mail, service_type: "tcp", label: "Mail" });
  await lookAfter(0);
  down.set(shop, refusal);
  await lookAfter(60);
  await lookAfter(10);
  down.set(api, "the server answers with status 500");
  down.set(mail, refusal);
  await lookAfter(50);
  await lookAfter(10);
  expect([await statusOf(1), await statusOf(2), await statusOf(3)]).toEqual(["problem", "problem", "problem"]);
  expect((await get("/managed/issues")).data.map(({ services }: { services: number[] }) => services)).toEqual([
    [3],
    [1, 2],
  ]);
  expect((await get("/support/tickets")).results).toBe(2);
  expect((await get("/support/tickets/1/replies")).data).toMatchObject([
    {
      created: "2026-03-04T12:02:10",
      description:
        'The service "Shop API" (id 2) at https://shop.example.com/api is down.\n\n2026-03-04T12:02:10 UTC: the server answers with status 500.',
    },
  ]);
  down.delete(shop);
  await lookAfter(60);
  expect([await statusOf(1), await statusOf(2)]).toEqual(["ok", "problem"]);
  expect((await get("/support/tickets/1")).status).toBe("open");
  // Down again while the issue is open: the same issue, and a reply.
  down.set(shop, refusal);
  await lookAfter(60);
  await lookAfter(10);
  expect((await get("/managed/issues/1")).services).toEqual([1, 2]);
  expect((await get("/support/tickets/1/replies")).results).toBe(2);
  down.clear();
  await lookAfter(60);
  expect((await get("/support/tickets/1")).status).toBe("closed");
  expect((await get("/support/tickets/2")).status).toBe("closed");
  // A new problem opens a new issue, an hour after the last one.
  await lookAfter(3600);
  down.set(shop, refusal);
  await lookAfter(60);
  await lookAfter(10);
  expect((await get("/managed/issues")).data[0]).toMatchObject({ id: 3, services: [1], entity: { id: 3 } });
});

test.each<[change: string, method: string, path: string, body?: object]>([
  ["disabled", "POST", "/managed/services/1/disable"],
  ["deleted", "DELETE", "/managed/services/1"],
  ["moved to another host", "PUT", "/managed/services/1", { address: "https://other.example.com/" }],
])("an issue ends when the last service that is down is %s", async (_, method, path, body) => {
  const { add, get, call, down, lookAfter } = await beginMonitor();
  down.set(shop, refusal);
  await add({ address: shop });
  await lookAfter(0);
  await lookAfter(10);
  expect((await get("/support/tickets/1")).status).toBe("open");
  expect((await call(method, path, body)).status).toBe(200);
  expect((await get("/support/tickets/1")).status).toBe("closed");
  expect((await get("/managed/issues/1")).services).toEqual([1]);
});

test("another path of the same host keeps the issue until it is up", async () => {
  const { add, get, call, down, lookAfter, statusOf } = await beginMonitor();
  down.set(shop, refusal);
  await add({ address: shop });
  await lookAfter(0);
  await lookAfter(10);
  await call("PUT", "/managed/services/1", { address: api });
  expect(await statusOf()).toBe("pending");
  expect((await get("/support/tickets/1")).status).toBe("open");
  expect(await lookAfter(0)).toEqual([api]);
  expect(await statusOf()).toBe("ok");
  expect((await get("/support/tickets/1")).status).toBe("closed");
});

test("a disabled service is not probed; one that is enabled, or expects another text, is probed at once", async () => {
  const { add, call, lookAfter, statusOf } = await beginMonitor();
  await add({ address: shop });
  await lookAfter(0);
  await call("POST", "/managed/services/1/disable");
  expect(await lookAfter(600)).toEqual([]);
  await call("POST", "/managed/services/1/enable");
  expect(await statusOf()).toBe("pending");
  expect(await lookAfter(0)).toEqual([shop]);
  await call("PUT", "/managed/services/1", { label: "Shop", timeout: 5 });
  expect(await lookAfter(0)).toEqual([]);
  await call("PUT", "/managed/services/1", { body: "welcome" });
  expect(await statusOf()).toBe("pending");
  expect(await lookAfter(0)).toEqual([shop]);
  await call("POST", "/managed/services/1/enable");
  expect(await statusOf()).toBe("ok"); // it was enabled
});

test.each<[change: object, status: string]>([
  [{}, "ok"],
  [{ label: "Shop", timeout: 5, notes: "x", consultation_group: "ops" }, "ok"],
  [{ address: shop, service_type: "url", body: null }, "ok"],
  [{ address: api }, "pending"],
  [{ body: "welcome" }, "pending"],
  [{ address: mail, service_type: "tcp" }, "pending"],
])("a service that is up and gets %j is %s", async (change, status) => {
  const { add, call, lookAfter, statusOf } = await beginMonitor();
  await add({ address: shop });
  await lookAfter(0);
  expect(await statusOf()).toBe("ok");
  expect((await call("PUT", "/managed/services/1", change)).status).toBe(200);
  expect(await statusOf()).toBe(status);
  expect(await lookAfter(0)).toHaveLength(status === "ok" ? 0 : 1);
});

test("a deleted service is probed no more", async () => {
  const { add, call, lookAfter } = await beginMonitor();
  await add({ address: shop });
  await call("DELETE", "/managed/services/1");
  expect(await lookAfter(0)).toEqual([]);
});

test("a clock that jumps: each service is probed once at most, and again after ten minutes at the latest", async () => {
  const { add, down, get, lookAfter, statusOf } = await beginMonitor();
  await add({ address: shop });
  expect(await lookAfter(0)).toEqual([shop]);
  const year = 365 * 86_400;
  expect(await lookAfter(year)).toEqual([shop]);
  expect(await lookAfter(0)).toEqual([]);
  expect(await lookAfter(-600)).toEqual([shop]); // set back, further than the next probe
  expect(await lookAfter(0)).toEqual([]);
  down.set(shop, refusal);
  expect(await lookAfter(-year)).toEqual([shop]);
  expect(await lookAfter(9)).toEqual([]);
  expect(await lookAfter(1)).toEqual([shop]);
  expect(await statusOf()).toBe("problem");
  expect(await lookAfter(-60)).toEqual([]); // set back a little: the next probe keeps its moment
  expect(await lookAfter(119)).toEqual([]);
  expect(await lookAfter(1)).toEqual([shop]);
  down.clear();
  expect(await lookAfter(-86_400)).toEqual([shop]);
  expect(await statusOf()).toBe("ok");
  expect((await get("/support/tickets/1")).status).toBe("closed");
});

test("nothing is probed while managed is off or the account is closed, and then at once", async () => {
  const { add, call, store, clock, lookAfter } = await beginMonitor();
  await add({ address: shop });
  await setManaged(store, "admin", false, clock.now);
  expect(await lookAfter(60)).toEqual([]);
  await setManaged(store, "admin", true, clock.now);
  expect(await lookAfter(0)).toEqual([shop]);
  await call("POST", "/account/cancel");
  expect(await lookAfter(60)).toEqual([]);
});

test("a ticket that the operator closed is left alone, and the next problem opens another", async () => {
  const { add, get, down, store, clock, lookAfter } = await beginMonitor();
  for (const address of [shop, api]) await add({ address });
  await lookAfter(0);
  down.set(shop, refusal);
  await lookAfter(60);
  await lookAfter(10);
  await closeAnyTicket(store, 1, clock.now);
  down.set(api, refusal);
  await lookAfter(60);
  await lookAfter(10);
  expect((await get("/managed/issues")).data.map(({ services }: { services: number[] }) => services)).toEqual([
    [2],
    [1],
  ]);
  down.clear();
  await lookAfter(60);
  expect((await get("/support/tickets/1/replies")).results).toBe(0);
  expect((await get("/support/tickets/2")).status).toBe("closed");
});

test("the ticket names the contacts of the service's group to the operator", async () => {
  const { add, call, down, store, lookAfter } = await beginMonitor();
  const phone = { primary: "123", secondary: null };
  await call("POST", "/managed/contacts", { name: "Ada", email: "ada@example.com", group: "ops", phone });
  await call("POST", "/managed/contacts", { name: "Ben", email: "ben@example.com", group: "dev" });
  down.set(shop, refusal);
  await add({ address: shop, consultation_group: "ops", label: "x".repeat(64) });
  await lookAfter(0);
  await lookAfter(10);
  const [{ summary } = { summary: "" }] = await listAllTickets(store, { isAll: false });
  expect(summary).toBe(`${"x".repeat(55)}… is down`);
  const { ticket } = await showTicket(store, 1);
  expect(ticket.description.split("\n\n")[2]).toBe('Contacts of the group "ops":\nAda <ada@example.com>, 123');
});

test("a result is discarded if the service was changed meanwhile, and a probe that is interrupted says nothing", async () => {
  const waiting: ((reason: string | undefined) => void)[] = [];
  const { add, call, get, open, statusOf, lookAfter, pass } = await beginMonitor({
    probe: (_, signal) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => resolve("aborted"));
      }),
  });
  await add({ address: shop });
  const first = lookAfter(0);
  await expect.poll(() => waiting.length).toBe(1);
  await call("PUT", "/managed/services/1", { address: api });
  waiting[0]?.(undefined);
  await expect.poll(() => waiting.length).toBe(2); // the new address, at once
  expect(await statusOf()).toBe("pending");
  waiting[1]?.(undefined);
  await first;
  expect(await statusOf()).toBe("ok");

  pass(60);
  const other = open();
  const running = other.start((signal) => endless(0, signal));
  await expect.poll(() => waiting.length).toBe(3);
  await running.close();
  expect(await statusOf()).toBe("ok");
  const again = lookAfter(0); // at once, not after the lease
  await expect.poll(() => waiting.length).toBe(4);
  waiting[3]?.(undefined);
  await again;
  expect((await get("/managed/issues")).results).toBe(0);
});

test("the slow services of one account do not delay those of another", async () => {
  const asked: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { add, call, mint, monitor } = await beginMonitor({
    probe: async ({ address }) => {
      asked.push(address);
      if (address.startsWith("https://slow")) await ended;
      return undefined;
    },
  });
  for (let n = 0; n < 20; n++) await add({ address: `https://slow${n}.example/` });
  const as = await mint({ username: "stranger" });
  await call("POST", "/managed/services", { service_type: "url", label: "fast", address: shop, timeout: 10 }, { as });
  const look = monitor.runDue();
  await expect.poll(() => asked).toContain(shop);
  expect(asked).toHaveLength(9);
  end();
  await look;
  await monitor.runDue();
  expect(new Set(asked).size).toBe(21);
});

test.each([
  ["services", (n: number) => ({ service_type: "url", label: "shop", address: `https://${n}.example/`, timeout: 10 })],
  ["contacts", () => ({ name: "Ada", email: "ada@example.com" })],
  ["credentials", (n: number) => ({ label: `web ${n}`, password: "correct horse" })],
])("an account can have 250 %s", async (kind, body) => {
  const { call, mint } = await beginMonitor();
  for (let n = 0; n < 250; n++) expect((await call("POST", `/managed/${kind}`, body(n))).status).toBe(200);
  const more = await call("POST", `/managed/${kind}`, body(250));
  expect(more).toEqual(refused([`An account can have at most 250 ${kind}`]));
  const as = await mint({ username: "other" });
  expect((await call("POST", `/managed/${kind}`, body(0), { as })).status).toBe(200);
  await call("DELETE", `/managed/${kind}/1`);
  expect((await call("POST", `/managed/${kind}`, body(251))).status).toBe(200);
});

test("a service that goes up and down has one ticket an hour, which is opened again", async () => {
  const { add, get, down, lookAfter } = await beginMonitor();
  await add({ address: shop });
  await lookAfter(0);
  const opened = [];
  for (let n = 0; n < 70; n++) {
    down.set(shop, refusal);
    await lookAfter(60);
    await lookAfter(10);
    const { data } = await get("/managed/issues");
    opened.push(data[0].entity.id);
    expect((await get(`/support/tickets/${data[0].entity.id}`)).status).toBe("open");
    down.clear();
    await lookAfter(60);
    expect((await get(`/support/tickets/${data[0].entity.id}`)).status).toBe("closed");
  }
  const { data } = await get("/managed/issues");
  expect(data.map(({ created }: { created: string }) => created)).toEqual([
    "2026-03-04T14:02:30",
    "2026-03-04T13:01:50",
    "2026-03-04T12:01:10",
  ]);
  expect(opened.toSorted((a, b) => a - b)).toEqual(opened);
});

test("in an hour, problems of an account open 30 tickets; those of further hosts wait for the next hour", async () => {
  const { add, get, down, lookAfter } = await beginMonitor();
  for (let n = 0; n < 32; n++) {
    await add({ address: `https://${n}.example/` });
    down.set(`https://${n}.example/`, refusal);
  }
  const counts = [];
  for (const seconds of [0, 10, 60, 3600]) {
    await lookAfter(seconds);
    counts.push((await get("/managed/issues")).results);
  }
  expect(counts).toEqual([0, 30, 30, 32]);
  expect(await get("/managed/services?page_size=500")).toMatchObject({ results: 32 });
});

test("two servers on one database probe each service once in its interval", async () => {
  const place = await emptyPlace();
  const [store, second] = [await openStore(place), await openStore(place)];
  try {
    const { add, asked, clock, monitor, pass } = await beginMonitor({ store });
    const addresses = Array.from({ length: 12 }, (_, n) => `https://${n}.example/`);
    for (const address of addresses) await add({ address });
    const others: string[] = [];
    const other = new Monitor({
      store: second,
      clock: () => clock.now,
      probe: async ({ address }) => void others.push(address),
      sleep: endless,
      onError: (error) => expect.fail(String(error)),
    });
    for (let minute = 0; minute < 3; minute++) {
      for (let tries = 0; tries < 3; tries++) await Promise.all([monitor.runDue(), other.runDue()]);
      expect([...asked.splice(0), ...others.splice(0)].sort()).toEqual([...addresses].sort());
      pass(60);
    }
  } finally {
    await Promise.all([store.close(), second.close()]);
  }
});

test("statistics are the sums of all nodes", async () => {
  const { call, store, get, pass } = await beginMonitor();
  for (const _ of [1, 2]) await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
  const measures = {
    cpu: 10.5,
    io: 2,
    swap: 1,
    netv4_in: 100,
    netv4_out: 50,
    netv4_private_in: 7,
    netv4_private_out: 7,
    netv6_in: 10,
    netv6_out: 5,
    netv6_private_in: 7,
    netv6_private_out: 7,
  };
  await store.write(async (db) => {
    for (const node_id of [1, 2])
      await db
        .insertInto("node_samples")
        .values({ node_id, at: "2026-03-04T12:00:00", measures: JSON.stringify(measures) })
        .execute();
    const early = { node_id: 1, at: "2026-03-03T12:05:00", measures: JSON.stringify(measures) }; // over 24 hours ago
    await db.insertInto("node_samples").values(early).execute();
    const half = JSON.stringify({ ...measures, cpu: 1 });
    await db.insertInto("node_samples").values({ node_id: 2, at: "2026-03-04T11:00:00", measures: half }).execute();
  });
  pass(600);
  const [eleven, noon] = [Date.UTC(2026, 2, 4, 11), Date.UTC(2026, 2, 4, 12)];
  const points = (first: number, sum: number) => [
    { x: eleven, y: first },
    { x: noon, y: sum },
  ];
  expect(await get("/managed/stats")).toEqual({
    data: {
      cpu: points(1, 21),
      disk: points(2, 4),
      net_in: points(110, 220),
      net_out: points(55, 110),
      swap: points(1, 2),
    },
  });
});
