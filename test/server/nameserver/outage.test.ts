import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { ask } from "../../../src/dns-client/ask.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../../src/server/nameserver/stored-zones.ts";
import { readSettings } from "../../../src/server/server.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { emptyPlace } from "../stores.ts";

const host = "127.0.0.1";

type State = "up" | "hangs" | "down";

/**
 * A way to PostgreSQL that can stop: it keeps what is sent, or refuses connections. `abandon` makes the connections of
 * this moment hang for ever, without a word, as a firewall does that has forgotten them.
 */
async function startRoad(place: string) {
  const socket = `${new URL(place).searchParams.get("host")}/.s.PGSQL.5432`;
  const open = new Set<Socket>();
  let state: State = "up";
  const road = createServer({ pauseOnConnect: true }, (near) => {
    if (state === "down") return void near.destroy();
    const far = connect(socket);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on("error", () => {})
        .on("close", () => {
          open.delete(one);
          other.destroy();
        });
      one.on("data", (octets) => other.write(octets));
      if (state === "hangs") one.pause();
      else one.resume();
    }
  });
  await once(road.listen(0, host), "listening");
  onTestFinished(() => {
    for (const one of open) one.destroy();
    road.close();
  });
  const url = new URL(place);
  url.searchParams.set("host", host);
  url.searchParams.set("port", String((road.address() as AddressInfo).port));
  return {
    url: url.href,
    abandon() {
      for (const one of open) one.pause().removeAllListeners("data");
      open.clear();
    },
    set(next: State) {
      state = next;
      for (const one of open) {
        if (next === "down") one.destroy();
        else if (next === "hangs") one.pause();
        else one.resume();
      }
    },
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
  const settings = readSettings({ store: far, clock: () => api.clock.now, nameservers: ["ns1.example.net"] });
  let isWaitOver = false;
  const waitForCurrent = () => (isWaitOver ? new Promise<void>(setImmediate) : new Promise<void>(() => {}));
  const zones = new StoredZones(settings, () => api.clock.now, { waitForCurrent });
  const service = await listenDns({ host, port: 0, zones, onError: (error) => expect.fail(String(error)) });
  onTestFinished(service.close);
  /** The rcode and the data of the answers for a name and type. */
  const look = async (name: string, type = "A") => {
    const question = { name: domainName(name), type, class: 1 };
    const { rcode, answers } = await ask({ host, port: service.port }, { question });
    return [rcode, ...answers.map(({ data }) => Object.values(data)[0])];
  };
  const change = (target: string) => api.call("POST", `/domains/${id}/records`, { type: "A", name: "www", target });
  const set = (state: State) => {
    isWaitOver = state !== "up";
    road.set(state);
  };
  return { look, change, set, far };
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
