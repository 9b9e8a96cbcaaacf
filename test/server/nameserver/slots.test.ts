import { describe, expect, onTestFinished, test, vi } from "vitest";
import { addFrame } from "../../../src/dns/transfer/frames.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { type Key, sign } from "../../../src/dns/transfer/tsig.ts";
import { networkOf, siteOf } from "../../../src/server/kit/network.ts";
import { longestMs } from "../../../src/server/nameserver/connection.ts";
import { slotLimits } from "../../../src/server/nameserver/connections.ts";
import { type SlotHolder, Slots } from "../../../src/server/nameserver/slots.ts";
import { ZonesByName } from "../../../src/server/nameserver/zones/served-zones.ts";
import { StoredZones, type Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { listen, question, type TcpClient, turn, until } from "./tcp-clients.ts";

const { all, ofNetwork } = slotLimits.others;
/** The number of addresses that take all slots. */
const attackers = Array.from({ length: all / ofNetwork }, (_, index) => `127.0.0.${10 + index}`);
const polite = "127.0.0.2";
const key: Key = { name: domainName("key."), algorithm: "hmac-sha256", secret: Buffer.from("secret") };

/** Zones whose answers about `slow.example.` never come. */
const zones: Zones = {
  findZones: (name) => (name === "slow.example." ? new Promise(() => {}) : Promise.resolve(new ZonesByName([]))),
  findTransferable: async () => undefined,
  listTransferred: async () => [],
};

type Server = Awaited<ReturnType<typeof listen>>;

async function openMany({ open }: Server, addresses: readonly string[], each: number): Promise<TcpClient[]> {
  const clients: TcpClient[] = [];
  for (const address of addresses) for (let count = 0; count < each; count++) clients.push(await open(address));
  return clients;
}

/** Sends a question whose answer never comes, and waits until the server knows. */
async function keepBusy({ sideOf }: Server, clients: readonly TcpClient[]): Promise<void> {
  const query = question("slow.example.");
  for (const client of clients) client.send(query);
  await until(() => clients.every((client) => client.isClosed || sideOf(client).bytesRead > query.length));
  for (let turns = 0; turns < clients.length; turns++) await turn(); // eight begin in each
}

const isAnswered = async (client: TcpClient) => (await client.answer(question("example.", "A", 7))) !== undefined;
const closedOf = (clients: readonly TcpClient[]) => clients.flatMap(({ isClosed }, index) => (isClosed ? [index] : []));

/** The numbers of the clients that the server has hung up on, when it has on so many. */
async function whenClosed(clients: readonly TcpClient[], count: number): Promise<number[]> {
  await until(() => closedOf(clients).length >= count);
  return closedOf(clients);
}

test("silent sockets of eight addresses make room for others, the idlest first", async () => {
  const server = await listen({ zones });
  const silent = await openMany(server, attackers, ofNetwork);
  expect(silent.length).toBe(all);
  expect(await isAnswered(silent[0] ?? expect.fail())).toBe(true);
  for (let closed = 1; closed <= 3; closed++) {
    expect(await isAnswered(await server.open(polite))).toBe(true);
    expect(await whenClosed(silent, closed)).toEqual([1, 2, 3].slice(0, closed));
  }
});

test("a peer at its limit displaces its own connections", async () => {
  const server = await listen({ zones });
  const other = await server.open(polite);
  const own = await openMany(server, ["127.0.0.10"], ofNetwork + 2);
  expect(await isAnswered(own.at(-1) ?? expect.fail())).toBe(true);
  expect([await whenClosed(own, 2), other.isClosed]).toEqual([[0, 1], false]);
});

test("a connection that has ended leaves its slot to others", async () => {
  const server = await listen({ zones });
  const clients = await openMany(server, ["127.0.0.10"], ofNetwork);
  const sides = clients.map(server.sideOf);
  clients.at(-1)?.socket.destroy();
  await until(() => sides.at(-1)?.destroyed === true);
  await server.open("127.0.0.10");
  expect(sides.filter(({ destroyed }) => destroyed).length).toBe(1);
  await server.open("127.0.0.10");
  expect(sides.filter(({ destroyed }) => destroyed).length).toBe(2);
});

test("a connection that is being answered is not closed for another", async () => {
  const server = await listen({ zones });
  const busy = await openMany(server, ["127.0.0.10"], ofNetwork - 1);
  await keepBusy(server, busy);
  const others = await openMany(server, ["127.0.0.10"], 2);
  expect([await whenClosed(others, 1), closedOf(busy)]).toEqual([[0], []]);
});

test("if all are being answered, a peer with most of them makes room for one with fewer", async () => {
  const server = await listen({ zones });
  const busy = await openMany(server, attackers, ofNetwork);
  await keepBusy(server, busy);
  const next = await server.open(polite);
  expect(await isAnswered(next)).toBe(true);
  expect((await whenClosed(busy, 1)).length).toBe(1);
  await keepBusy(server, [next]);
  for (const address of attackers) {
    const refused = await server.open(address);
    await until(() => refused.isClosed);
  }
  expect([closedOf(busy).length, next.isClosed]).toEqual([1, false]);
});

describe("if all slots are taken", () => {
  /** Addresses that differ in their last group, each once. */
  const many = (count: number, address: (group: string) => string) =>
    Array.from({ length: count }, (_, index) => address((index + 1).toString(16)));
  const site = (prefix: string, networks = all) => many(networks, (group) => `${prefix}:${group}::1`);
  const firstSite = site("2001:db8:1");

  /** A connection of one of these addresses displaces that number of the others; -1 if it is refused. */
  test.each<[string, readonly string[], string, number]>([
    ["all networks of a site are busy: an address", firstSite, "192.0.2.1", 0],
    ["all networks of a site are busy: another site", firstSite, "2001:db8:2::1", 0],
    ["all networks of a site are busy: another network of it", firstSite, "2001:db8:1:ffff::1", 0],
    ["all networks of a site are busy: one of them", firstSite, "2001:db8:1:1::2", -1],
    ["as many sites are busy: another site", many(all, (group) => `2001:db8:${group}::1`), "2001:db8:ffff::1", 0],
    ["as many sites are busy: one of them", many(all, (group) => `2001:db8:${group}::1`), "2001:db8:1::2", -1],
    [
      "two sites are busy: a network of one",
      [...site("2001:db8:1", all / 2), ...site("2001:db8:2", all / 2)],
      "2001:db8:2:ffff::1",
      all / 2,
    ],
    [
      "two sites are busy: the largest network of the larger one",
      [...site("2001:db8:1", all / 2 - 3), ...site("2001:db8:2", all / 2), ...Array(3).fill("2001:db8:2:2::2")],
      "192.0.2.1",
      all / 2 - 2,
    ],
  ])("%s", (_, addresses, next, expected) => {
    const slots = new Slots(slotLimits.others);
    const closed: number[] = [];
    const holder = (address: string, index: number): SlotHolder => ({
      network: networkOf(address),
      site: siteOf(address),
      activity: "busy",
      lastTaken: 0,
      close: () => closed.push(index),
    });
    expect(addresses.map(holder).every((one) => slots.add(one))).toBe(true);
    expect(slots.add(holder(next, -1)) ? closed : [-1]).toEqual([expected]);
  });
});

test.each<[string, readonly [SlotHolder["activity"], number][], readonly number[]]>([
  [
    "without a query, the idlest first",
    [
      ["busy", 0],
      ["idle", 2],
      ["idle", 1],
    ],
    [2, 1],
  ],
  [
    "whose peers take no answers, after those without a query",
    [
      ["stalled", 2],
      ["stalled", 1],
      ["busy", 0],
      ["idle", 3],
    ],
    [3, 1, 0],
  ],
])("slots are taken from connections %s", (_, holders, expected) => {
  const slots = new Slots({ all: holders.length, ofNetwork: holders.length });
  const closed: number[] = [];
  const holder = (activity: SlotHolder["activity"], lastTaken: number, index: number): SlotHolder => ({
    ...{ network: "192.0.2.1", site: "192.0.2.1", activity, lastTaken, close: () => closed.push(index) },
  });
  for (const [index, [activity, lastTaken]] of holders.entries()) slots.add(holder(activity, lastTaken, index));
  const areAdded = expected.map(() => slots.add(holder("busy", 9, -1)));
  expect([closed, areAdded]).toEqual([expected, expected.map(() => true)]);
  expect(slots.add(holder("busy", 9, -1))).toBe(false);
});

describe("slots of their own", () => {
  test.each<[string, Partial<Parameters<typeof listen>[0]>]>([
    ["secondaries", { secondaries: ["127.0.0.3"] }],
    ["addresses in axfr_ips", { zones: { ...zones, hasSecondary: (address) => address === "127.0.0.3" } }],
  ])("for %s", async (_, options) => {
    const server = await listen({ zones, ...options });
    const busy = await openMany(server, attackers, ofNetwork);
    await keepBusy(server, busy);
    const own = await server.open("127.0.0.3");
    expect([await isAnswered(own), closedOf(busy)]).toEqual([true, []]);
  });

  test("for a peer that has signed a query", async () => {
    const server = await listen({ zones, keys: [key], now: () => 1000 });
    const signer = await server.open("127.0.0.10");
    const signed = sign(question("example."), key, { time: 1000 }).message;
    expect(readMessage((await signer.answer(signed)) ?? expect.fail()).tsig?.error).toBe(0);
    const others = await openMany(server, ["127.0.0.10"], ofNetwork + 1);
    expect([await whenClosed(others, 1), signer.isClosed]).toEqual([[0], false]);
  });

  test("the addresses in axfr_ips are those of the zones as they were last listed", async () => {
    const { store, clock, domain, call } = await start({ nameservers: ["ns1.example.net"] });
    const settings = { store, clock: () => clock.now, nameservers: ["ns1.example.net"] };
    const stored = new StoredZones(readServerSettings(settings), settings.clock);
    const id = await domain("example.com");
    await call("PUT", `/domains/${id}`, { axfr_ips: ["192.0.2.1", "2001:DB8:0::1"] });
    const known = () => ["192.0.2.1", "2001:db8::1", "192.0.2.2"].map((address) => stored.hasSecondary(address));
    await stored.listTransferred();
    expect(known()).toEqual([true, true, false]);
    await call("PUT", `/domains/${id}`, { axfr_ips: ["192.0.2.2"] });
    await stored.listTransferred();
    expect(known()).toEqual([false, false, true]);
  });
});

describe("the time of a connection", () => {
  /** Lets time pass for the server; data still takes its own. */
  function pass(ms: number): Promise<void> {
    vi.advanceTimersByTime(ms);
    return turn();
  }

  async function begin() {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    return listen({ zones });
  }
  const second = 1000;

  test("without a query ends", async () => {
    const server = await begin();
    const client = await server.open();
    await pass(longestMs.idle - second);
    expect(await isAnswered(client)).toBe(true);
    await pass(longestMs.idle - second);
    expect(client.isClosed).toBe(false);
    await pass(second);
    await until(() => client.isClosed);
  });

  test("for a query that has begun ends, whatever arrives meanwhile", async () => {
    const server = await begin();
    const client = await server.open();
    const octets = addFrame(question("example."));
    let sent = 0;
    const sendOctet = async () => {
      client.socket.write(octets.subarray(sent, ++sent));
      await until(() => client.isClosed || server.sideOf(client).bytesRead === sent);
    };
    await pass(longestMs.incomplete - second);
    await sendOctet();
    for (let passed = second; passed < longestMs.incomplete; passed += second) {
      await pass(second);
      expect(client.isClosed).toBe(false);
      await sendOctet();
    }
    await pass(second);
    await until(() => client.isClosed);
  });

  test("is not over while an answer is under way", async () => {
    const server = await begin();
    const client = await server.open();
    await keepBusy(server, [client]);
    await pass(10 * longestMs.idle);
    client.send(question("example."));
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(client.isClosed).toBe(false);
  });
});
