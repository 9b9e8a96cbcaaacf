import { expect, test } from "vitest";
import { abortedError } from "../../../src/dns/transfer/transfer-error.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { countDeadSlaves } from "../../../src/server/areas/zones/slaves-rows.ts";
import type { Remote } from "../../../src/server/kit/remote.ts";
import { timestamp } from "../../../src/server/kit/timestamp.ts";
import { longestPull } from "../../../src/server/nameserver/zones/slaves.ts";
import { readZone, soaOf } from "../../dns/transfer/zones.ts";
import { domainName } from "../../names.ts";
import { beginSlaves, never, slave, zoneOf } from "./masters.ts";

/** Masters of whom some say nothing until they are given up. */
class SlowMasters implements Remote {
  readonly asked: string[] = [];
  readonly silent = new Set<string>();
  /** Transfers that wait until they are let go. */
  readonly transfers: (() => void)[] = [];
  isTransferSlow = false;

  async soa(zone: string, { host }: ServerAddress, signal?: AbortSignal) {
    this.asked.push(`${zone} ${host}`);
    if (this.silent.has(host)) await silence(signal);
    return soaOf(readZone(zoneOf(7)).records);
  }

  async transfer(_: string, __: ServerAddress, signal?: AbortSignal) {
    if (this.isTransferSlow)
      await Promise.race([new Promise<void>((resolve) => this.transfers.push(resolve)), silence(signal)]);
    return { records: readZone(zoneOf(7)).records, unread: [] };
  }

  takeQuestions(): string[] {
    return this.asked.splice(0);
  }
}

function silence(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(abortedError())));
}

test("silent masters of one domain do not delay other domains", async () => {
  const remote = new SlowMasters();
  remote.silent.add("192.0.2.1");
  const { call, slaves, close } = await begin(remote);
  await call("POST", "/domains", { ...slave, domain: "silent.example" });
  const first = slaves.runDue();
  await until(() => remote.asked.length === 1);
  await call("POST", "/domains", { ...slave, domain: "good.example", master_ips: ["192.0.2.9"] });
  await slaves.runDue();
  expect(remote.takeQuestions()).toEqual(["silent.example. 192.0.2.1", "good.example. 192.0.2.9"]);
  await close();
  await first;
});

test("at most 64 domains are refreshed at once, and each end starts the next", async () => {
  const remote = new SlowMasters();
  remote.silent.add("192.0.2.1");
  const { call, callAsOther, slaves, close } = await begin(remote);
  for (let index = 0; index < 63; index++)
    await (index < 32 ? call : callAsOther)("POST", "/domains", { ...slave, domain: `silent${index}.example` });
  for (let index = 0; index < 5; index++)
    await callAsOther("POST", "/domains", { ...slave, domain: `good${index}.example`, master_ips: ["192.0.2.9"] });
  await callAsOther("POST", "/domains", { ...slave, domain: "silent63.example" });
  await callAsOther("POST", "/domains", { ...slave, domain: "waiting.example" });
  const looked = slaves.runDue();
  await until(() => remote.asked.length === 69);
  await slaves.runDue();
  expect(remote.takeQuestions().slice(63)).toEqual([
    ...Array.from({ length: 5 }, (_, index) => `good${index}.example. 192.0.2.9`),
    "silent63.example. 192.0.2.1",
  ]);
  await close();
  await looked;
});

test("the silent masters of one account leave half of the room to others", async () => {
  const remote = new SlowMasters();
  remote.silent.add("192.0.2.1");
  const { call, callAsOther, slaves, close } = await begin(remote);
  for (let index = 0; index < 70; index++)
    await call("POST", "/domains", { ...slave, domain: `silent${index}.example` });
  await callAsOther("POST", "/domains", { ...slave, domain: "good.example", master_ips: ["192.0.2.9"] });
  const looked = slaves.runDue();
  await until(() => remote.asked.length === 32);
  await slaves.runDue();
  expect(remote.takeQuestions().slice(32)).toEqual(["good.example. 192.0.2.9"]);
  await close();
  await looked;
});

test("at most 16 zones are transferred at once, 8 of one account, while masters of others are queried", async () => {
  const remote = new SlowMasters();
  remote.isTransferSlow = true;
  const { call, callAsOther, slaves } = await begin(remote);
  for (let index = 0; index < 20; index++) await call("POST", "/domains", { ...slave, domain: `zone${index}.example` });
  const first = slaves.runDue();
  await until(() => remote.asked.length === 20 && remote.transfers.length >= 8);
  await new Promise(setImmediate);
  expect(remote.transfers.length).toBe(8);
  for (let index = 0; index < 10; index++)
    await callAsOther("POST", "/domains", { ...slave, domain: `other${index}.example` });
  const second = slaves.runDue();
  await until(() => remote.asked.length === 30 && remote.transfers.length >= 16);
  await new Promise(setImmediate);
  expect(remote.transfers.length).toBe(16);
  remote.transfers[0]?.();
  await until(() => remote.transfers.length === 17);
  remote.isTransferSlow = false;
  for (const letGo of remote.transfers) letGo();
  await Promise.all([first, second]);
});

test("the time for all masters of a domain is shorter than its lease", async () => {
  const remote = new SlowMasters();
  for (const host of slave.master_ips) remote.silent.add(host);
  const slept: { ms: number; pass: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((pass) => slept.push({ ms, pass }));
  const { call, slaves, errors } = await begin(remote, sleep);
  await call("POST", "/domains", slave);
  const looked = slaves.runDue();
  await until(() => slept.length === 1 && remote.asked.length === 1);
  expect(slept[0]?.ms).toBe(longestPull * 1000);
  slept[0]?.pass();
  await looked;
  expect(longestPull).toBeLessThan(600);
  expect(remote.takeQuestions()).toEqual(["example.com. 192.0.2.1"]);
  expect(errors).toEqual([
    "cannot refresh the slave zone example.com: 192.0.2.1: the query was aborted; no time was left for the other masters; the zone is answered with SERVFAIL",
  ]);
});

test("a transfer for which others leave no room in time is no failure of its master, and one that has begun goes on", async () => {
  const remote = new SlowMasters();
  remote.isTransferSlow = true;
  const passes: (() => void)[] = [];
  const sleep = () => new Promise<void>((pass) => passes.push(pass));
  const { call, clock, store, slaves, errors } = await begin(remote, sleep);
  for (let index = 0; index < 10; index++) await call("POST", "/domains", { ...slave, domain: `zone${index}.example` });
  const looked = slaves.runDue();
  await until(() => remote.asked.length === 10 && remote.transfers.length === 8);
  for (const pass of passes) pass();
  await until(() => errors.length === 2);
  const why = "other transfers left no room for it in time; the zone is answered with SERVFAIL";
  expect(errors).toEqual([8, 9].map((index) => `cannot refresh the slave zone zone${index}.example: ${why}`));
  for (const letGo of remote.transfers) letGo();
  await looked;
  expect(errors.length).toBe(2);
  expect(await store.read((db) => countDeadSlaves(db, timestamp(clock.now)))).toBe(0);
  remote.isTransferSlow = false;
  remote.takeQuestions();
  clock.now = new Date(clock.now.getTime() + 300_000);
  await slaves.runDue();
  expect(remote.takeQuestions()).toEqual(["zone8.example. 192.0.2.1", "zone9.example. 192.0.2.1"]);
});

test("a NOTIFY during a refresh does not start a second one", async () => {
  const remote = new SlowMasters();
  remote.silent.add("192.0.2.1");
  const { call, slaves, close } = await begin(remote);
  await call("POST", "/domains", slave);
  const looked = slaves.runDue();
  await until(() => remote.asked.length === 1);
  await slaves.handleNotify(domainName("example.com."), "192.0.2.1");
  await slaves.runDue();
  expect(remote.takeQuestions()).toEqual(["example.com. 192.0.2.1"]);
  await close();
  await looked;
});

async function begin(remote: Remote, sleep = never) {
  const begun = await beginSlaves({ remote, sleep });
  const as = await begun.mint({ username: "other" });
  const callAsOther = (method: string, path: string, body: object) => begun.call(method, path, body, { as });
  return { ...begun, callAsOther, close: () => begun.slaves.start(never.bind(undefined, 0)).close() };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
