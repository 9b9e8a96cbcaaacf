// @suite postgres

import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { TransferError } from "../../../src/dns/transfer/transfer-error.ts";
import type { Key } from "../../../src/dns/transfer/tsig.ts";
import { askSoa, notify } from "../../../src/dns-client/ask.ts";
import { transferZone } from "../../../src/dns-client/transfer-zone.ts";
import { allowAddresses } from "../../../src/server/kit/allowed-networks.ts";
import { createRemote, keyFor, slaveLimits } from "../../../src/server/kit/remote.ts";
import { openStore, type Store } from "../../../src/server/store/store.ts";
import { binaries, freePort, programs } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { everyType, linesOf, masterFile, readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { emptyPlace, emptyStore } from "../stores.ts";
import { beginSlaves, host, slave, zoneOf } from "./masters.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const isAllowed = allowAddresses([{ address: host, prefix: 32 }]);
const nearby = createRemote({ isAllowed });
const key: Key = { name: domainName("key."), algorithm: "hmac-sha256", secret: Buffer.from("secret") };
const servfail = 2;
const refused = 5;

test("a slave is transferred from its first master, checked at its refresh interval, and transferred again after a change", async () => {
  const { masters, call, lookAfter, www, errors } = await beginSlaves();
  masters.answers.set("192.0.2.1", zoneOf(7));
  await call("POST", "/domains", slave);
  expect(await www()).toBe(servfail);
  expect(await lookAfter(0)).toEqual(["192.0.2.1 SOA", "192.0.2.1 AXFR"]);
  expect(await www()).toBe("aa 192.0.2.10");
  expect(await lookAfter(3599)).toEqual([]);
  expect(await lookAfter(1)).toEqual(["192.0.2.1 SOA"]);
  masters.answers.set("192.0.2.1", zoneOf(8, "192.0.2.11"));
  expect(await lookAfter(3600)).toEqual(["192.0.2.1 SOA", "192.0.2.1 AXFR"]);
  expect(await www()).toBe("aa 192.0.2.11");
  expect(errors).toEqual([]);
});

test("the zone file shows the records of the master, the list of records does not", async () => {
  const { masters, call, lookAfter } = await beginSlaves();
  masters.answers.set("192.0.2.1", zoneOf(7));
  await call("POST", "/domains", slave);
  await lookAfter(0);
  expect((await call("GET", "/domains/1/zone-file")).body.zone_file).toEqual([
    "; example.com [1]",
    "@ 300 SOA ns.example.net. h.example.com. 7 3600 600 86400 60",
    "@ 300 NS ns.example.net.",
    "www 300 A 192.0.2.10",
  ]);
  expect((await call("GET", "/domains/1/records")).body.results).toBe(0);
  await call("PUT", "/domains/1", { status: "disabled" });
  expect((await call("GET", "/domains/1/zone-file")).body.zone_file).toEqual([]);
});

test("a failing master is followed by the next one, then by retries, and by SERVFAIL once the zone has expired", async () => {
  const { masters, call, lookAfter, www, errors } = await beginSlaves();
  masters.answers.set("192.0.2.2", zoneOf(7));
  await call("POST", "/domains", slave);
  expect(await lookAfter(0)).toEqual(["192.0.2.1 SOA", "192.0.2.2 SOA", "192.0.2.2 AXFR"]);
  masters.answers.set("192.0.2.2", new TransferError("transfer/refused", "the server refused the request (REFUSED)"));
  expect(await lookAfter(3600)).toEqual(["192.0.2.1 SOA", "192.0.2.2 SOA"]);
  expect(await lookAfter(599)).toEqual([]);
  expect(await lookAfter(1)).toEqual(["192.0.2.1 SOA", "192.0.2.2 SOA"]);
  const failed =
    "cannot refresh the slave zone example.com: 192.0.2.1: no answer; 192.0.2.2: the server refused the request (REFUSED)";
  expect(errors.splice(0)).toEqual(Array(2).fill(`${failed}; the zone is served until 2026-03-05T12:00:00 UTC`));
  await lookAfter(86_400 - 4200 - 1);
  expect(await www()).toBe("aa 192.0.2.10");
  await lookAfter(1);
  expect(await www()).toBe(servfail);
  expect((await call("GET", "/domains/1/zone-file")).body.zone_file).toEqual([]);
  await lookAfter(600);
  expect(errors.at(-1)).toBe(`${failed}; the zone is answered with SERVFAIL`);
  masters.answers.set("192.0.2.1", zoneOf(7));
  expect(await lookAfter(600)).toEqual(["192.0.2.1 SOA"]);
  expect(await www()).toBe("aa 192.0.2.10");
});

test("a decreased serial and a zone without a first transfer are reported", async () => {
  const { masters, call, lookAfter, errors } = await beginSlaves();
  await call("POST", "/domains", { ...slave, master_ips: ["192.0.2.1"] });
  expect(await lookAfter(0)).toEqual(["192.0.2.1 SOA"]);
  expect(await lookAfter(299)).toEqual([]);
  masters.answers.set("192.0.2.1", zoneOf(7));
  expect(await lookAfter(1)).toEqual(["192.0.2.1 SOA", "192.0.2.1 AXFR"]);
  masters.answers.set("192.0.2.1", zoneOf(6));
  expect(await lookAfter(3600)).toEqual(["192.0.2.1 SOA"]);
  expect(errors).toEqual([
    "cannot refresh the slave zone example.com: 192.0.2.1: no answer; the zone is answered with SERVFAIL",
    "cannot refresh the slave zone example.com: 192.0.2.1: its serial 6 is older than the stored 7; the zone is served until 2026-03-05T12:05:00 UTC",
  ]);
});

test("changed masters are queried at once; a renamed domain loads another zone, a disabled one none", async () => {
  const { masters, call, lookAfter, www } = await beginSlaves();
  masters.answers.set("192.0.2.1", zoneOf(7));
  masters.answers.set("192.0.2.9", zoneOf(8, "192.0.2.99"));
  await call("POST", "/domains", slave);
  await lookAfter(0);
  await call("PUT", "/domains/1", { master_ips: ["192.0.2.9"] });
  expect(await lookAfter(0)).toEqual(["192.0.2.9 SOA", "192.0.2.9 AXFR"]);
  expect(await www()).toBe("aa 192.0.2.99");
  await call("PUT", "/domains/1", { domain: "other.example" });
  expect(await www()).toBe(refused);
  await call("PUT", "/domains/1", { domain: "example.com", status: "disabled" });
  expect(await lookAfter(7200)).toEqual([]);
  expect(await www()).toBe(refused);
});

test("while loading a new version takes long, its previous one is answered, except to questions for the SOA record", async () => {
  let isSlow = false;
  const waitForZone = (ms: number) => (isSlow && ms < 1000 ? Promise.resolve() : waitForCurrent());
  const { masters, call, lookAfter, www, at } = await beginSlaves({ waitForZone });
  masters.answers.set("192.0.2.1", zoneOf(7));
  await call("POST", "/domains", slave);
  await lookAfter(0);
  expect(await www()).toBe("aa 192.0.2.10");
  masters.answers.set("192.0.2.1", zoneOf(8, "192.0.2.11"));
  await lookAfter(3600);
  isSlow = true;
  expect(await www()).toBe("aa 192.0.2.10");
  expect((await askSoa(at, domainName("example.com."))).data.serial).toBe(8);
  expect(await www()).toBe("aa 192.0.2.11");
});

type Begun = Awaited<ReturnType<typeof beginSlaves>>;

test.each<[string, (begun: Begun) => Promise<() => Promise<unknown>>]>([
  [
    "its time as a master",
    async ({ call, domain }) => {
      await domain("example.com", [{ type: "A", name: "www", target: "192.0.2.99" }]);
      return () => call("PUT", "/domains/1", { type: "slave", master_ips: slave.master_ips });
    },
  ],
  [
    "an expired transfer",
    async ({ call, masters, lookAfter }) => {
      masters.answers.set("192.0.2.1", zoneOf(6, "192.0.2.99"));
      await call("POST", "/domains", slave);
      await lookAfter(0);
      masters.answers.delete("192.0.2.1");
      return () => lookAfter(86_400);
    },
  ],
])("a slave zone that takes long to load is not answered from %s", async (_, prepare) => {
  let isSlow = false;
  const waitForZone = (ms: number) => (isSlow && ms < 1000 ? Promise.resolve() : waitForCurrent());
  const begun = await beginSlaves({ waitForZone });
  const { masters, lookAfter, www } = begun;
  const end = await prepare(begun);
  expect(await www()).toBe("aa 192.0.2.99");
  await end();
  expect(await www()).toBe(servfail);
  masters.answers.set("192.0.2.1", zoneOf(7));
  await lookAfter(600);
  isSlow = true;
  expect(await www()).toBe("aa 192.0.2.10");
});

test("questions for a zone that was never transferred or has expired cost no reads", async () => {
  const store = await emptyStore();
  let reads = 0;
  const read: Store["read"] = (...args) => {
    reads++;
    return store.read(...args);
  };
  // That of a shared PostgreSQL server changes with the transactions of other tests, too.
  const version = () => store.committed();
  const { call, masters, lookAfter, www } = await beginSlaves({ store: { ...store, read, version } });
  const readsOfSecondQuestion = async () => {
    expect(await www()).toBe(servfail);
    reads = 0;
    expect(await www()).toBe(servfail);
    return reads;
  };
  await call("POST", "/domains", slave);
  expect(await readsOfSecondQuestion()).toBe(0);
  masters.answers.set("192.0.2.1", zoneOf(7));
  await lookAfter(0);
  expect(await www()).toBe("aa 192.0.2.10");
  masters.answers.delete("192.0.2.1");
  await lookAfter(86_400);
  expect(await readsOfSecondQuestion()).toBe(0);
});

test("a zone that was refreshed while the clock was ahead is refreshed at once when it is right again", async () => {
  const { masters, call, lookAfter, www, clock } = await beginSlaves();
  masters.answers.set("192.0.2.1", zoneOf(7));
  await call("POST", "/domains", slave);
  expect(await lookAfter(36_000)).toEqual(["192.0.2.1 SOA", "192.0.2.1 AXFR"]);
  masters.answers.delete("192.0.2.1");
  expect(await lookAfter(-36_000)).toEqual(["192.0.2.1 SOA", "192.0.2.2 SOA"]);
  expect(await lookAfter(599)).toEqual([]); // the retry of its SOA record
  expect(await lookAfter(1)).toEqual(["192.0.2.1 SOA", "192.0.2.2 SOA"]);
  clock.now = new Date(clock.now.getTime() + 86_400_000 - 601_000);
  expect(await www()).toBe("aa 192.0.2.10");
  clock.now = new Date(clock.now.getTime() + 1000);
  expect(await www()).toBe(servfail); // a day after the clock was set, not ten hours later
});

test("a NOTIFY from a master makes the domain due, one from others does not", async () => {
  const { masters, call, lookAfter, slaves, at } = await beginSlaves();
  masters.answers.set(host, zoneOf(7));
  const [soa = expect.fail()] = readZone(zoneOf(8)).records;
  const notice = () =>
    notify(at, soa).then(
      () => "taken",
      (error: TransferError) => error.problem.id,
    );
  expect(await notice()).toBe("transfer/notauth");
  await call("POST", "/domains", slave);
  expect(await notice()).toBe("transfer/refused");
  await call("PUT", "/domains/1", { master_ips: [host] });
  await lookAfter(0);
  masters.answers.set(host, zoneOf(8));
  expect(await lookAfter(1)).toEqual([]);
  expect(await notice()).toBe("taken");
  expect(await lookAfter(0)).toEqual([`${host} SOA`, `${host} AXFR`]);
  expect(await slaves.handleNotify(domainName("example.com."), "192.0.2.77")).toBe(refused);
});

test("a NOTIFY during a transfer is handled after it", async () => {
  const { masters, call, lookAfter, slaves } = await beginSlaves();
  masters.answers.set("192.0.2.1", zoneOf(7));
  const transfer = masters.transfer.bind(masters);
  masters.transfer = async (...args) => {
    await slaves.handleNotify(domainName("example.com."), "192.0.2.1");
    masters.transfer = transfer;
    return transfer(...args);
  };
  await call("POST", "/domains", slave);
  expect(await lookAfter(0)).toEqual(["192.0.2.1 SOA", "192.0.2.1 AXFR", "192.0.2.1 SOA"]);
});

test("two servers on one database query the masters once", async () => {
  const one = await beginSlaves();
  const two = await beginSlaves({ store: one.store });
  one.masters.answers.set("192.0.2.1", zoneOf(7));
  await one.call("POST", "/domains", slave);
  expect(await one.lookAfter(0)).toEqual(["192.0.2.1 SOA", "192.0.2.1 AXFR"]);
  expect(await two.lookAfter(0)).toEqual([]);
  expect(await two.www()).toBe("aa 192.0.2.10");
});

test("a restart keeps the zone and its expiry", async () => {
  const place = await emptyPlace();
  const first = await openStore(place);
  const one = await beginSlaves({ store: first });
  one.masters.answers.set("192.0.2.1", zoneOf(7));
  await one.call("POST", "/domains", slave);
  await one.lookAfter(0);
  await first.close();
  const second = await openStore(place);
  onTestFinished(() => second.close());
  const two = await beginSlaves({ store: second });
  expect(await two.lookAfter(0)).toEqual([]);
  expect(await two.www()).toBe("aa 192.0.2.10");
  await two.lookAfter(86_399);
  expect(await two.www()).toBe("aa 192.0.2.10");
  await two.lookAfter(1);
  expect(await two.www()).toBe(servfail);
});

test.skipIf(isMissing("named"))("every type is transferred from BIND and served unchanged", async () => {
  const zone = everyType();
  // A signature of a name with one more label would be wrong.
  const records = zone.records.filter(({ type }) => type !== "RRSIG");
  // The target of an HTTPS record is not in RFC 4034 §6.2: two spellings of it are two records.
  const spellings = ["a", "A"].map((a) => `case 300 IN HTTPS 1 ${a}.test.\ncase 300 IN MX 1 ${a}.test.\n`).join("");
  const file = `${masterFile({ ...zone, records }).replaceAll("example.", "types.example.")}${spellings}`;
  const bind = await useNameServer("bind", { zones: { "types.example.": file } });
  const { call, slaves, at, errors } = await beginSlaves({ remote: nearby, port: bind.port });
  await call("POST", "/domains", { domain: "types.example", type: "slave", master_ips: [host], axfr_ips: [host] });
  await slaves.runDue();
  expect(errors).toEqual([]);
  const [theirs, ours] = await Promise.all(
    [bind, at].map((server) => transferZone({ zone: domainName("types.example."), server })),
  );
  expect(linesOf(ours?.records ?? [])).toEqual(linesOf(theirs?.records ?? []));
  const typesOf = (zone: typeof ours) =>
    zone?.records.filter(({ owner }) => owner === "case.types.example.").map(({ type }) => type);
  expect(typesOf(ours)?.sort()).toEqual(["HTTPS", "HTTPS", "MX"]);
});

for (const program of programs)
  test.skipIf(isMissing(binaries[program]))(
    `${program} sends a NOTIFY, and the slave transfers the change, signed`,
    async () => {
      const port = await freePort();
      const remote = createRemote({ isAllowed, keyFor: keyFor([[host, key]]) });
      const { call, slaves, at } = await beginSlaves({ remote, port });
      const master = await useNameServer(program, {
        port,
        notify: at,
        keys: [key],
        zones: { "example.com.": zoneOf(7) },
      });
      await call("POST", "/domains", { ...slave, master_ips: [host] });
      const loop = slaves.start((signal) => wait(10, undefined, { signal }));
      onTestFinished(() => loop.close());
      const until = async (serial: number) => {
        while ((await askSoa(at, domainName("example.com.")).catch(() => undefined))?.data.serial !== serial)
          await wait(10);
      };
      await until(7);
      master.rewrite("example.com.", zoneOf(8));
      await until(8);
    },
  );

test.each([
  [1000, { records: 1000, octets: 33_554_432, totalMs: 170_000 }, 16],
  [60_000, { records: 60_000, octets: 33_554_432, totalMs: 170_000 }, 16],
  [120_000, { records: 120_000, octets: 67_108_864, totalMs: 170_000 }, 8],
  [1_000_000, { records: 1_000_000, octets: 559_240_534, totalMs: 170_000 }, 1],
])(
  "with slave zones of up to %i records, all transfers together take the memory of the usual ones",
  (records, bounds, atOnce) => {
    expect(slaveLimits(records)).toEqual({ bounds, atOnce });
  },
);
