// @suite only-postgres

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ask } from "../../../src/dns-client/ask.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { ReverseZones } from "../../../src/server/nameserver/zones/reverse-zones.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { openStore, type Store } from "../../../src/server/store/store.ts";
import type { Database } from "../../../src/server/store/tables.ts";
import { domainName } from "../../names.ts";
import { type State, startRoad } from "../road.ts";
import { start } from "../start.ts";
import { emptyPlace } from "../stores.ts";
import { defaults, nodes, plain, zone4 } from "./reverse.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const host = "127.0.0.1";

/** Serves the zones of a store. Asks for the rcode, and the data of the answers, of a name and type. */
async function serveStored(store: Store, clock: () => Date, waitForCurrent: () => Promise<void>) {
  const settings = readServerSettings({ store, clock, nameservers: ["ns1.example.net"] });
  const zones = new ReverseZones(new StoredZones(settings, clock, { waitForCurrent }), settings, clock);
  const service = await listenDns({ host, port: 0, zones, onError: (error) => expect.fail(String(error)) });
  onTestFinished(service.close);
  return async (name: string, type = "A") => {
    const question = { name: domainName(name), type, class: 1 };
    const { rcode, answers } = await ask({ host, port: service.port }, { question });
    return [rcode, ...answers.map(({ data }) => Object.values(data)[0])];
  };
}

async function begin() {
  const place = await emptyPlace();
  const store = await openStore(place);
  const api = await start({ store });
  const id = await api.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  await api.domain("example.net");
  const road = await startRoad(place);
  const far = await openStore(road.url);
  onTestFinished(() => Promise.all([store.close(), far.close()]).then(() => {}));
  let isWaitOver = false;
  const waitForCurrent = () => (isWaitOver ? new Promise<void>(setImmediate) : new Promise<void>(() => {}));
  const look = await serveStored(far, () => api.clock.now, waitForCurrent);
  const change = (target: string) => api.call("POST", `/domains/${id}/records`, { type: "A", name: "www", target });
  const set = (state: State) => {
    isWaitOver = state !== "up";
    road.set(state);
  };
  return { ...api, look, change, set, far };
}

test.each<State>(["hangs", "down"])(
  "loaded zones are served while the database %s, and its changes afterwards",
  async (outage) => {
    const { look, change, set, far } = await begin();
    expect(await look("www.example.com.")).toEqual([0, "192.0.2.1"]);
    set(outage);
    for (const [name, type, answer] of [
      ["www.example.com.", "A", [0, "192.0.2.1"]],
      ["www.example.com.", "AAAA", [0]],
      ["missing.example.com.", "A", [3]], // never asked before
      ["example.com.", "SOA", [0, "ns1.example.net."]],
      ["example.net.", "SOA", [2]], // not loaded
      ["example.org.", "SOA", [2]], // may be a zone
    ] as const)
      expect([name, type, await look(name, type)]).toEqual([name, type, answer]);
    await change("192.0.2.2");
    expect(await look("www.example.com.")).toEqual([0, "192.0.2.1"]);
    set("up");
    await far.version();
    expect(await look("www.example.com.")).toEqual([0, "192.0.2.1", "192.0.2.2"]);
    await change("192.0.2.3");
    expect(await look("www.example.com.")).toEqual([0, "192.0.2.1", "192.0.2.2", "192.0.2.3"]);
    expect(await look("example.org.", "SOA")).toEqual([5]);
  },
);

test("loaded reverse zones are served while the database is down: a customer's own, and those of addresses", async () => {
  const { look, call, domain, set } = await begin();
  const [wide4, wide6] = ["2.192.in-addr.arpa", "9.b.d.0.1.0.0.2.ip6.arpa"];
  const below6 = `${"0.".repeat(24)}${wide6}.`;
  const answer = { type: "A", target: "192.0.2.1" };
  await domain(wide4, [{ ...answer, name: "10.7" }]);
  await domain(wide6, [{ ...answer, name: "*" }]);
  await domain("0-63.8.3.192.in-addr.arpa", [{ ...answer, name: "1" }]); // RFC 2317
  await call("POST", nodes, plain);
  const cases: [name: string, type: string, answer: unknown[]][] = [
    [`10.7.${wide4}.`, "A", [0, "192.0.2.1"]],
    [below6, "A", [0, "192.0.2.1"]],
    ["1.0-63.8.3.192.in-addr.arpa.", "A", [0, "192.0.2.1"]],
    [`2.${zone4}`, "PTR", [0, `198-18-0-2.${defaults}`]],
    [`198-18-0-2.${defaults}`, "A", [0, "198.18.0.2"]],
  ];
  const lookAtAll = () => Promise.all(cases.map(async ([name, type]) => [name, type, await look(name, type)]));
  expect(await lookAtAll()).toEqual(cases);
  set("down");
  cases.push(
    [`11.7.${wide4}.`, "A", [3]], // never asked before
    [`${wide4}.`, "SOA", [0, "ns1.example.net."]],
    [`1.8.${wide4}.`, "A", [2]], // its /24 may have been a pool
    [`3.${zone4}`, "PTR", [2]],
    ["1.9.3.192.in-addr.arpa.", "PTR", [2]],
  );
  expect(await lookAtAll()).toEqual(cases);
});

test("after an outage the first question gets the current answer, although nothing was asked meanwhile", async () => {
  const { look, change, set } = await begin();
  await look("www.example.com.");
  set("down");
  expect(await look("www.example.com.")).toEqual([0, "192.0.2.1"]);
  await change("192.0.2.2");
  set("up");
  expect(await look("www.example.com.")).toEqual([0, "192.0.2.1", "192.0.2.2"]);
});

test("work whose connection has died without a word gets another one, or fails, after 35 seconds", async () => {
  const place = await emptyPlace();
  const road = await startRoad(place);
  const store = await openStore(road.url);
  onTestFinished(store.close);
  const read = () => store.read((db) => db.selectFrom("accounts").select("id").execute());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let failed: Promise<void> | undefined;
  let begin = () => {};
  const begun = new Promise<void>((isBegun) => {
    const held = store.read(async (db) => {
      isBegun();
      await new Promise<void>((resolve) => {
        begin = resolve;
      });
      return db.selectFrom("accounts").select("id").execute();
    });
    failed = expect(held).rejects.toThrow("The service cannot read its database: the connection to it broke");
  });
  await begun;
  await read();
  road.abandon();
  begin();
  const next = read(); // on a connection that was idle
  await new Promise(setImmediate);
  vi.advanceTimersByTime(35_000);
  await failed;
  expect(await next).toEqual([]);
});

test("the version is read on another connection if the one before has died without a word", async () => {
  const place = await emptyPlace();
  const road = await startRoad(place);
  const store = await openStore(road.url);
  onTestFinished(store.close);
  expect(await store.version()).toEqual(expect.any(String));
  road.abandon();
  expect(await store.version()).toEqual(expect.any(String));
});

test("a store that is closed while it reads the version opens no further connection", async () => {
  const road = await startRoad(await emptyPlace());
  const store = await openStore(road.url);
  const before = road.accepted();
  road.set("hangs");
  const reading = store.version();
  await store.close();
  road.set("up");
  expect([await reading, await store.version(), road.accepted()]).toEqual([undefined, undefined, before]);
});

test("a store is closed although the database does not answer what is under way", async () => {
  const road = await startRoad(await emptyPlace());
  const store = await openStore(road.url);
  let isReading = false;
  const read = store.read(async (db) => {
    await db.selectFrom("accounts").select("id").execute();
    isReading = true;
    for (;;) await db.selectFrom("accounts").select("id").execute();
  });
  const failure = expect(read).rejects.toThrow("The service cannot read its database: the connection to it broke");
  while (!isReading) await new Promise(setImmediate);
  road.set("hangs");
  await store.close();
  await failure;
});

describe("without a connection to read the version, no answer is older than a change that was acknowledged", () => {
  /** A server whose connection for the version the operator ends, and clients that change a zone and ask for it. */
  async function begin(place: string, operator: pg.Client) {
    const store = await openStore(place);
    onTestFinished(store.close);
    const api = await start({ store });
    const id = await api.domain("example.com");
    const look = await serveStored(store, () => api.clock.now, waitForCurrent);
    expect(await look("www.example.com.")).toEqual([3]);
    const changeAndLook = async (target: string) => {
      const { status } = await api.call("POST", `/domains/${id}/records`, { type: "A", name: "www", target });
      expect(status).toBe(200);
      expect(await look("www.example.com.")).toContain(target);
    };
    const client = async (client: number) => {
      for (let changes = 0; changes < 5; changes++) await changeAndLook(`192.0.2.${10 * client + changes}`);
    };
    const endVersion = `select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and application_name = 'zonewright state'`;
    await operator.query(endVersion);
    return { store, clients: () => Promise.all([1, 2, 3, 4, 5].map(client)) };
  }

  /** Takes this many connections at once. They stay open. */
  async function takeConnections(store: Store, most: number) {
    let [held, release] = [0, () => {}];
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hold = async (db: Database) => {
      await sql`select 1`.execute(db);
      if (++held === most) release();
      await released;
    };
    const paces = Array.from({ length: most }, (_, index): "long" | "patient" => (index < 10 ? "long" : "patient"));
    await Promise.all(paces.map((pace) => store.read(hold, { pace })));
  }

  async function beginOperator() {
    const place = new URL(await emptyPlace());
    const operator = new pg.Client(place.href);
    await operator.connect();
    onTestFinished(() => operator.end());
    return { place, operator };
  }

  test.each([1, 2, 12])("the role may have %i", async (most) => {
    const { place, operator } = await beginOperator();
    const role = `limited_${randomUUID().replaceAll("-", "")}`;
    await operator.query(`create role ${role} login connection limit ${most}`);
    await operator.query(`alter database ${place.pathname.slice(1)} owner to ${role}`);
    place.username = role;
    const { store, clients } = await begin(place.href, operator);
    await takeConnections(store, most);
    await clients();
  });

  test("new ones are silent", async () => {
    const { place, operator } = await beginOperator();
    const road = await startRoad(place.href);
    const { store, clients } = await begin(road.url, operator);
    await takeConnections(store, 10);
    road.set("full");
    await clients();
  });
});
