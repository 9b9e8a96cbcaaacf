// @suite postgres

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isType } from "../../src/dns/zone/zone.ts";
import { ask } from "../../src/dns-client/ask.ts";
import { type Behaviour, startResolver } from "../dns-client/fake-resolver.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { addresses, beginAliases } from "./alias-desk.ts";
import { withEmptyStore, withTwoStores } from "./stores.ts";

const target = "www.example.net.";
const apex = { type: "ALIAS", target };

/** A zone with an ALIAS record at its apex, whose target has these addresses. */
async function withAlias(list: readonly string[] = ["192.0.2.1", "2001:db8::1"]) {
  const desk = await beginAliases();
  desk.set(target, list);
  await desk.domain("example.com", [apex]);
  await desk.look();
  return desk;
}

describe("a new ALIAS record", () => {
  test("has no address until its target is resolved, at once", async () => {
    const desk = await beginAliases();
    desk.set(target, ["192.0.2.10", "192.0.2.9", "2001:db8::1"]);
    await desk.domain("example.com", [
      { ...apex, name: "www" },
      { type: "A", name: "*", target: "192.0.2.99" },
    ]);
    const question = { name: domainName("www.example.com."), type: "A", class: 1 };
    const before = await ask(desk.at, { question });
    // As on secondaries, which do not know the ALIAS record.
    expect(before.answers.map(({ data }) => data)).toEqual([{ address: "192.0.2.99" }]);
    const serial = await desk.serial();
    await desk.look();
    expect(await desk.served()).toEqual([
      "*.example.com. 86400 A 192.0.2.99",
      "www.example.com. 300 A 192.0.2.9",
      "www.example.com. 300 A 192.0.2.10",
      "www.example.com. 300 AAAA 2001:db8::1",
    ]);
    expect(await desk.serial()).toBe((serial ?? 0) + 1);
    expect(desk.errors).toEqual([]);
  });

  test("is the record of the API and of the zone file, not its addresses", async () => {
    const { call } = await withAlias();
    const { body } = await call("GET", "/domains/1/records");
    expect(body).toMatchObject({ results: 1, pages: 1, data: [{ id: 1, type: "ALIAS", target, rdata: target }] });
    expect((await call("GET", "/domains/1/records", undefined, { "X-Filter": '{"type":"A"}' })).body.results).toBe(0);
    expect((await call("GET", "/domains/1/records/2")).status).toBe(404);
    expect((await call("PUT", "/domains/1/records/2", { ttl_sec: 60 })).status).toBe(404);
    expect((await call("DELETE", "/domains/1/records/2")).status).toBe(404);
    expect((await call("GET", "/domains/1/zone-file")).body.zone_file.slice(4)).toEqual([`@ ALIAS ${target}`]);
    expect(await call("POST", "/domains/1/records", { type: "CNAME", target })).toMatchObject({ status: 400 });
    const events = (await call("GET", "/account/events")).body.data.map(({ action }: { action: string }) => action);
    expect(events.toSorted()).toEqual(["dns_record_create", "dns_zone_create"]);
  });

  test("counts as one record, however many addresses it has", async () => {
    const { call, store } = await withAlias();
    await call("POST", "/domains/1/records", { type: "A", name: "a", target: "192.0.2.1" });
    expect((await call("GET", "/domains/1/records")).body.results).toBe(2);
    await call("DELETE", "/domains/1/records/1");
    expect((await call("GET", "/domains/1/records")).body.results).toBe(1);
    const rows = await store.read((db) => db.selectFrom("records").select(["type", "name"]).execute());
    expect(rows).toEqual([{ type: "A", name: "a" }]);
  });
});

const good = ["example.com. 300 A 192.0.2.1", "example.com. 300 AAAA 2001:db8::1"];
const resolver = /127\.0\.0\.1:\d+/g;

describe("the addresses after another answer, which begins five minutes after the first", () => {
  const nowhere = { answer: [], authority: ["example.net. 300 SOA ns.example.net. h.example.net. 1 2 3 4 60"] };
  const line = (type: string, data: string, ttl = 300) => `${target} ${ttl} ${type} ${data}`;
  const v4 = line("A", "192.0.2.1");
  type Case = {
    A?: Behaviour;
    AAAA?: Behaviour;
    /** After the first look, and after one more, if that differs. */
    now: readonly string[];
    later?: readonly string[];
    told?: string;
    /** Versions of the zone since. */
    versions?: number;
  };
  test.each<[what: string, change: Case]>([
    ["the same", { now: good }],
    [
      "in another order",
      {
        A: { answer: [line("A", "192.0.2.2"), v4] },
        now: [...good.slice(0, 1), "example.com. 300 A 192.0.2.2", ...good.slice(1)],
        versions: 1,
      },
    ],
    [
      "one of them in another one's place",
      { A: addresses(target, ["192.0.2.7"]), now: ["example.com. 300 A 192.0.2.7", ...good.slice(1)], versions: 1 },
    ],
    ["with less time left", { A: addresses(target, ["192.0.2.1"], 20), now: good }],
    ["no AAAA records", { AAAA: nowhere, now: good.slice(0, 1), versions: 1 }],
    [
      "no A records, by a server that says that the name does not exist",
      { A: { rcode: "NXDOMAIN" }, now: good.slice(1), versions: 1 },
    ],
    [
      "no records of either type",
      {
        A: nowhere,
        AAAA: nowhere,
        now: good,
        later: [],
        versions: 1,
        told: "the target has neither A nor AAAA records",
      },
    ],
    [
      "no such name",
      {
        A: { rcode: "NXDOMAIN" },
        AAAA: { rcode: "NXDOMAIN" },
        now: good,
        later: [],
        versions: 1,
        told: "the target does not exist (NXDOMAIN)",
      },
    ],
    [
      "a failure",
      { A: { rcode: "SERVFAIL" }, AAAA: { rcode: "SERVFAIL" }, now: good, told: "R: the resolver replied SERVFAIL" },
    ],
    ["silence for one type", { A: "silent", now: good, told: "A: R: no response over UDP to 1 queries" }],
    [
      "silence for one type, and a new address of the other",
      {
        A: "silent",
        AAAA: addresses(target, ["2001:db8::2"]),
        now: [...good.slice(0, 1), "example.com. 300 AAAA 2001:db8::2"],
        versions: 1,
        told: "A: R: no response over UDP to 1 queries",
      },
    ],
    [
      "a lie about the question",
      {
        A: { answer: [v4], lie: { questions: [{ name: domainName("bank.example."), type: "A", class: 1 }] } },
        now: good,
        told: "A: R: the response is to another question",
      },
    ],
    ["records of another name", { A: { answer: ["bank.example. 300 A 192.0.2.66"] }, now: good.slice(1), versions: 1 }],
    [
      "a loop of CNAME records",
      {
        A: { answer: [`${target} 300 CNAME a.example.net.`, `a.example.net. 300 CNAME ${target}`] },
        now: good,
        told: "A: R: the CNAME records of the answer form a loop",
      },
    ],
    [
      "13 CNAME records",
      {
        A: {
          answer: Array.from(
            { length: 13 },
            (_, at) => `${at === 0 ? target : `c${at}.example.net.`} 300 CNAME c${at + 1}.example.net.`,
          ),
        },
        now: good,
        told: "A: R: the answer has more than 12 CNAME records in a row",
      },
    ],
    [
      "private addresses",
      {
        A: addresses(target, ["10.0.0.1", "127.0.0.1"]),
        AAAA: addresses(target, ["::1", "fd00::1", "::ffff:10.0.0.1"]),
        now: good,
        told: "A: its addresses, such as 10.0.0.1, are in networks that are not allowed; AAAA: its addresses, such as ::1, are in networks that are not allowed",
      },
    ],
    [
      "a private address beside a public one",
      {
        A: addresses(target, ["10.0.0.1", "192.0.2.5"]),
        now: ["example.com. 300 A 192.0.2.5", ...good.slice(1)],
        versions: 1,
      },
    ],
    [
      "33 addresses",
      {
        A: addresses(
          target,
          Array.from({ length: 33 }, (_, at) => `192.0.2.${at}`),
        ),
        now: good,
        told: "A: R: the target has 33 addresses; the limit is 32",
      },
    ],
    [
      "truncated, and whole over TCP",
      {
        A: { truncates: true, answer: [line("A", "192.0.2.8")] },
        now: ["example.com. 300 A 192.0.2.8", ...good.slice(1)],
        versions: 1,
      },
    ],
    [
      "a CNAME record to an address",
      {
        AAAA: { answer: [`${target} 300 CNAME a.example.net.`, "a.example.net. 300 AAAA 2001:db8::9"] },
        A: { answer: [`${target} 300 CNAME a.example.net.`, "a.example.net. 300 A 192.0.2.9"] },
        now: ["example.com. 300 A 192.0.2.9", "example.com. 300 AAAA 2001:db8::9"],
        versions: 1,
      },
    ],
  ])("%s", async (_, { A, AAAA, now, later = now, told, versions = 0 }) => {
    const desk = await withAlias();
    const before = (await desk.serial()) ?? 0;
    expect(await desk.served()).toEqual(good);
    if (A) desk.world.set(`${target} A`, A);
    if (AAAA) desk.world.set(`${target} AAAA`, AAAA);
    desk.advance(301);
    await desk.look();
    const messages = desk.takeErrors();
    expect(await desk.served()).toEqual(now);
    desk.advance(901);
    await desk.look();
    desk.advance(901);
    await desk.look();
    expect(await desk.served()).toEqual(later);
    expect(await desk.serial()).toBe(before + versions);
    const wanted = told === undefined ? [] : [`ALIAS records could not be resolved: example.com (${told})`];
    expect(messages.map((message) => message.replaceAll(resolver, "R"))).toEqual(wanted);
    expect(desk.errors).toEqual([]); // a problem is told once
    expect(await desk.countUnresolved()).toBe(wanted.length);
    // With the first answer again, nothing is left of it.
    desk.set(target, ["192.0.2.1", "2001:db8::1"]);
    desk.advance(1000);
    await desk.look();
    expect(await desk.served()).toEqual(good);
    expect(await desk.countUnresolved()).toBe(0);
  });
});

describe("time until the target is looked at again, and the TTL of its addresses", () => {
  test.each<[what: string, ttl: number, record: object, seconds: number, served: number]>([
    ["a TTL of an hour", 3600, {}, 3600, 300],
    ["a TTL of a day", 86400, {}, 3600, 300],
    ["a TTL of five minutes", 300, {}, 300, 300],
    ["what is left of it", 299, {}, 299, 120],
    ["a TTL of two minutes", 120, {}, 120, 120],
    ["a TTL of a second", 1, {}, 60, 60],
    ["a TTL of zero", 0, {}, 60, 60],
    ["a record with a shorter TTL", 3600, { ttl_sec: 30 }, 3600, 30],
    ["a record with a TTL between", 3600, { ttl_sec: 200 }, 3600, 200],
    ["a record with a longer TTL", 3600, { ttl_sec: 7200 }, 3600, 300],
  ])("%s", async (_, ttl, record, seconds, served) => {
    const desk = await beginAliases();
    desk.set(target, ["192.0.2.1", "2001:db8::1"], ttl);
    await desk.domain("example.com", [{ ...apex, ...record }]);
    await desk.look();
    expect(await desk.served()).toEqual([
      `example.com. ${served} A 192.0.2.1`,
      `example.com. ${served} AAAA 2001:db8::1`,
    ]);
    const questions = [`${target} A UDP`, `${target} AAAA UDP`];
    expect(desk.resolver.take().toSorted()).toEqual(questions);
    desk.advance(seconds - 1);
    await desk.look();
    expect(desk.resolver.take()).toEqual([]);
    desk.advance(2);
    await desk.look();
    expect(desk.resolver.take().toSorted()).toEqual(questions);
  });

  test("looks are spread by a tenth of it", async () => {
    const desk = await beginAliases({ jitter: () => 0.5 });
    desk.set(target, ["192.0.2.1", "2001:db8::1"], 600);
    await desk.domain("example.com", [apex]);
    await desk.look();
    desk.resolver.take();
    desk.advance(600 + 29);
    await desk.look();
    expect(desk.resolver.take()).toEqual([]);
    desk.advance(2);
    await desk.look();
    expect(desk.resolver.take()).toHaveLength(2);
  });

  test("failures double it up to 15 minutes", async () => {
    const desk = await beginAliases();
    for (const type of ["A", "AAAA"]) desk.world.set(`${target} ${type}`, { rcode: "SERVFAIL" });
    await desk.domain("example.com", [apex]);
    const waits: number[] = [];
    let waited = 0;
    for (; waits.length < 7; waited += 30) {
      await desk.look();
      if (desk.resolver.take().length > 0) {
        waits.push(waited);
        waited = 0;
      }
      desk.advance(30);
    }
    expect(waits).toEqual([0, 60, 120, 240, 480, 900, 900]);
  });

  test("a TTL of the same addresses rises once and is not lowered again, so that secondaries have nothing to transfer", async () => {
    const desk = await beginAliases();
    await desk.domain("example.com", [apex]);
    const versions = [];
    for (const left of [90, 250, 300, 45, 299, 300]) {
      desk.set(target, ["192.0.2.1", "2001:db8::1"], left);
      await desk.look();
      versions.push([left, (await desk.served())[0], await desk.serial()]);
      desk.advance(301);
    }
    expect(versions).toEqual([
      [90, "example.com. 60 A 192.0.2.1", 2026000001],
      [250, "example.com. 120 A 192.0.2.1", 2026000002],
      [300, "example.com. 300 A 192.0.2.1", 2026000003],
      [45, "example.com. 300 A 192.0.2.1", 2026000003],
      [299, "example.com. 300 A 192.0.2.1", 2026000003],
      [300, "example.com. 300 A 192.0.2.1", 2026000003],
    ]);
  });
});

describe("a target in a zone of the account", () => {
  const records: Readonly<Record<string, object[]>> = {
    "example.com": [
      { type: "A", name: "a", target: "192.0.2.1", ttl_sec: 60 },
      { type: "AAAA", name: "a", target: "2001:db8::1" },
      { type: "CNAME", name: "c", target: "a.example.com" },
      { type: "CNAME", name: "far", target: "far.example.org" },
      { type: "CNAME", name: "out", target: "www.example.net" },
      { type: "A", name: "*.wild", target: "192.0.2.2" },
      { type: "DNAME", name: "moved", target: "example.org." },
      { type: "NS", name: "sub", target: "ns.example.net" },
      { type: "ALIAS", name: "alias", target: "c.example.com." },
      { type: "ALIAS", name: "one", target: "two.example.com." },
      { type: "ALIAS", name: "two", target: "one.example.com." },
      { type: "CNAME", name: "x", target: "y.example.com" },
      { type: "CNAME", name: "y", target: "x.example.com" },
      { type: "CNAME", name: "back", target: "back.example.net" },
    ],
    "example.org": [{ type: "A", name: "far", target: "192.0.2.3" }],
  };
  test.each<[target: string, served: string[], questions: string[]]>([
    ["a.example.com.", ["60 A 192.0.2.1", "60 AAAA 2001:db8::1"], []],
    ["A.Example.com.", ["60 A 192.0.2.1", "60 AAAA 2001:db8::1"], []],
    ["c.example.com.", ["60 A 192.0.2.1", "60 AAAA 2001:db8::1"], []],
    ["alias.example.com.", ["60 A 192.0.2.1", "60 AAAA 2001:db8::1"], []],
    ["far.example.com.", ["300 A 192.0.2.3"], []],
    ["far.moved.example.com.", ["300 A 192.0.2.3"], []],
    ["any.wild.example.com.", ["300 A 192.0.2.2"], []],
    ["missing.example.com.", [], []],
    ["one.example.com.", [], []],
    ["x.example.com.", [], []],
    ["loop.example.com.", [], []], // the record itself
    ["out.example.com.", ["300 A 192.0.2.9"], ["www.example.net. A", "www.example.net. AAAA"]],
    ["host.sub.example.com.", ["300 A 192.0.2.8"], ["host.sub.example.com. A", "host.sub.example.com. AAAA"]],
    ["into.example.net.", ["60 A 192.0.2.1", "60 AAAA 2001:db8::1"], ["into.example.net. A", "into.example.net. AAAA"]],
    ["back.example.com.", [], ["back.example.net. A", "back.example.net. AAAA"]],
    ["round.example.net.", [], ["round.example.net. A", "round.example.net. AAAA"]],
  ])("%s", async (target, served, questions) => {
    const desk = await beginAliases();
    desk.set("www.example.net.", ["192.0.2.9"]);
    desk.set("host.sub.example.com.", ["192.0.2.8"]);
    const lead = (from: string, to: string) => {
      for (const type of ["A", "AAAA"]) {
        const answer = [`${from} 300 CNAME ${to}`, `${to} 300 ${type} ${type === "A" ? "192.0.2.66" : "2001:db8::66"}`];
        desk.world.set(`${from} ${type}`, { answer });
      }
    };
    lead("into.example.net.", "a.example.com.");
    lead("back.example.net.", "back.example.com.");
    lead("round.example.net.", "loop.example.com.");
    for (const [name, list] of Object.entries(records)) await desk.domain(name, list);
    await desk.look();
    desk.resolver.take();
    desk.advance(301); // forgets the answer for other records
    const { body } = await desk.call("POST", "/domains/1/records", { type: "ALIAS", name: "loop", target });
    expect(body.type).toBe("ALIAS");
    await desk.look();
    const own = (await desk.served()).filter((line) => line.startsWith("loop."));
    expect(own).toEqual(served.map((line) => `loop.example.com. ${line}`));
    expect(desk.resolver.take().toSorted()).toEqual(questions.map((question) => `${question} UDP`));
  });

  const tooLong = "more than 12 aliases lead from the target to its addresses";
  test.each<[what: string, aliases: number, last: object, told: string[]]>([
    ["12 aliases to an address", 12, { type: "A", target: "192.0.2.1" }, []],
    ["13 aliases to an address", 13, { type: "A", target: "192.0.2.1" }, [tooLong]],
    ["a circle", 3, { type: "CNAME", target: "a1.example.com" }, ["the records on the way to the target form a loop"]],
    ["a circle that is longer than the limit", 13, { type: "CNAME", target: "a1.example.com" }, [tooLong]],
  ])("a target with %s", async (_, count, last, told) => {
    const desk = await beginAliases();
    const aliases = Array.from({ length: count }, (_, at) => {
      return { type: "CNAME", name: `a${at + 1}`, target: `a${at + 2}.example.com` };
    });
    await desk.domain("example.com", [...aliases, { name: `a${count + 1}`, ...last }]);
    await desk.call("POST", "/domains/1/records", { type: "ALIAS", name: "", target: "a1.example.com." });
    await desk.look();
    expect(desk.takeErrors()).toEqual(told.map((why) => `ALIAS records could not be resolved: example.com (${why})`));
  });

  test.each<[target: string, records: object[], served: string[], questions: string[]]>([
    ["a\\.b.example.com.", [{ type: "A", name: "a\\.b", target: "192.0.2.1" }], ["192.0.2.1"], []],
    ["a\\.b.example.com.", [{ type: "A", name: "a.b", target: "192.0.2.1" }], [], []],
    // Not in the zone: its last label but one is "a.example".
    [
      "a\\.example.com.",
      [{ type: "A", name: "*", target: "192.0.2.1" }],
      ["192.0.2.9"],
      ["a\\.example.com. A", "a\\.example.com. AAAA"],
    ],
    [
      "b.a\\.example.com.",
      [{ type: "A", name: "*", target: "192.0.2.1" }],
      ["192.0.2.9"],
      ["b.a\\.example.com. A", "b.a\\.example.com. AAAA"],
    ],
    // A name below "b" keeps the wildcard away from "x.b" (RFC 4592 §2.2.2), "a.b" as one label does not.
    [
      "x.b.example.com.",
      [
        { type: "A", name: "*", target: "192.0.2.1" },
        { type: "A", name: "a\\.b", target: "192.0.2.2" },
      ],
      ["192.0.2.1"],
      [],
    ],
    [
      "x.b.example.com.",
      [
        { type: "A", name: "*", target: "192.0.2.1" },
        { type: "A", name: "a\\.b", target: "192.0.2.2" },
        { type: "A", name: "c.b", target: "192.0.2.2" },
      ],
      [],
      [],
    ],
    [
      "x.b.example.com.",
      [
        { type: "A", name: "*", target: "192.0.2.1" },
        { type: "A", name: "a\\.b", target: "192.0.2.2" },
        { type: "A", name: "c\\\\.b", target: "192.0.2.2" },
      ],
      [],
      [],
    ],
  ])("%s beside %o: an escaped dot is no border of labels", async (target, records, served, questions) => {
    const desk = await beginAliases();
    for (const name of ["a\\.example.com.", "b.a\\.example.com."]) desk.set(name, ["192.0.2.9"]);
    await desk.domain("example.com", [...records, { type: "ALIAS", name: "alias", target }]);
    await desk.look();
    const own = (await desk.served()).filter((line) => line.startsWith("alias."));
    expect(own).toEqual(served.map((address) => `alias.example.com. 300 A ${address}`));
    expect(desk.resolver.take().toSorted()).toEqual(questions.map((question) => `${question} UDP`));
  });

  test.each<
    [what: string, change: (desk: Awaited<ReturnType<typeof beginAliases>>) => Promise<unknown>, served: string[]]
  >([
    ["another address", ({ call }) => call("PUT", "/domains/1/records/2", { target: "192.0.2.7" }), ["192.0.2.7"]],
    [
      "one more address",
      ({ call }) => call("POST", "/domains/1/records", { type: "A", name: "a", target: "192.0.2.7" }),
      ["192.0.2.1", "192.0.2.7"],
    ],
    ["no address", ({ call }) => call("DELETE", "/domains/1/records/2"), []],
    ["another name", ({ call }) => call("PUT", "/domains/1/records/2", { name: "b" }), []],
    [
      "another target on the way",
      ({ call }) => call("PUT", "/domains/1/records/3", { target: "b.example.com" }),
      ["192.0.2.2"],
    ],
    [
      "another record of the name",
      ({ call }) => call("POST", "/domains/1/records", { type: "TXT", name: "a", target: "t" }),
      ["192.0.2.1"],
    ],
  ])("%s is seen at the next look", async (_, change, served) => {
    const desk = await beginAliases();
    await desk.domain("example.com", [
      { ...apex, target: "c.example.com." },
      { type: "A", name: "a", target: "192.0.2.1" },
      { type: "CNAME", name: "c", target: "a.example.com" },
      { type: "A", name: "b", target: "192.0.2.2" },
    ]);
    const own = async () => (await desk.served()).filter((line) => line.startsWith("example.com."));
    await desk.look();
    expect(await own()).toEqual(["example.com. 300 A 192.0.2.1"]);
    await change(desk);
    await desk.look();
    expect(await own()).toEqual(served.map((address) => `example.com. 300 A ${address}`));
  });

  test("a change in the middle of the first look is seen, too", async () => {
    const desk = await beginAliases();
    const { store } = desk;
    await desk.domain("example.com", [
      { ...apex, target: "a.example.com." },
      { type: "A", name: "a", target: "192.0.2.1" },
    ]);
    const change = () => desk.call("PUT", "/domains/1/records/2", { target: "192.0.2.2" });
    let reads = 0;
    const read: typeof store.read = async (work, options) => {
      const result = await store.read(work, options);
      if (++reads === 2) await change(); // the first one lists what is due, the second one reads the target
      return result;
    };
    const keeper = desk.keeperOf({ ...desk.settings, store: { ...store, read } });
    await keeper.runDue();
    const own = (await desk.served()).filter((line) => line.startsWith("example.com."));
    expect(own).toEqual(["example.com. 300 A 192.0.2.2"]);
  });

  test("zones of other accounts are asked for like those of others", async () => {
    const desk = await beginAliases();
    desk.set("www.example.org.", ["192.0.2.1"]);
    const as = { as: await desk.mint({ username: "eve", account: "eve" }) };
    const body = { domain: "example.org", type: "master", soa_email: "eve@example.org" };
    expect((await desk.call("POST", "/domains", body, as)).status).toBe(200);
    const evil = { type: "A", name: "www", target: "192.0.2.66" };
    expect((await desk.call("POST", "/domains/1/records", evil, as)).status).toBe(200);
    await desk.domain("example.com", [{ ...apex, target: "www.example.org." }]);
    await desk.look();
    expect(await desk.served()).toEqual(["example.com. 300 A 192.0.2.1"]);
  });
});

test("an answer without addresses that is only remembered does not confirm itself", async () => {
  const desk = await withAlias();
  for (const type of ["A", "AAAA"]) desk.world.set(`${target} ${type}`, { rcode: "NXDOMAIN" });
  desk.advance(301);
  await desk.look();
  await desk.call("PUT", "/domains/1/records/1", { ttl_sec: 7200 }); // makes the record due
  await desk.look();
  expect(await desk.served()).toEqual(good);
  desk.advance(61);
  await desk.look();
  expect(await desk.served()).toEqual([]);
});

describe("a change of the record", () => {
  test("of its target keeps the addresses until the new one was resolved", async () => {
    const desk = await withAlias();
    const { served, call, look, world } = desk;
    desk.set("other.example.net.", ["192.0.2.2"]);
    world.set("other.example.net. A", { rcode: "SERVFAIL" });
    await call("PUT", "/domains/1/records/1", { target: "other.example.net." });
    expect(await served()).toEqual(good);
    await look();
    expect(await served()).toEqual(good);
    desk.set("other.example.net.", ["192.0.2.2"]);
    desk.advance(70);
    await look();
    expect(await served()).toEqual(["example.com. 300 A 192.0.2.2"]);
  });

  test("of its target: addresses of the old one are never served beside those of the new one", async () => {
    const { served, call, look, world, ...desk } = await withAlias();
    desk.set("other.example.net.", ["192.0.2.2"]);
    world.set("other.example.net. AAAA", { rcode: "SERVFAIL" });
    await call("PUT", "/domains/1/records/1", { target: "other.example.net." });
    await look();
    expect(await served()).toEqual(["example.com. 300 A 192.0.2.2"]);
    // Those of the new one are kept as ever.
    world.set("other.example.net. A", { rcode: "SERVFAIL" });
    desk.advance(70);
    await look();
    expect(await served()).toEqual(["example.com. 300 A 192.0.2.2"]);
  });

  test("of its name moves them in the same transaction", async () => {
    const { served, call } = await withAlias();
    await call("PUT", "/domains/1/records/1", { name: "www" });
    expect(await served()).toEqual(good.map((line) => `www.${line}`));
  });

  test("of its TTL changes theirs", async () => {
    const { served, call, look, resolver } = await withAlias();
    resolver.take();
    await call("PUT", "/domains/1/records/1", { ttl_sec: 90 });
    await look();
    expect(await served()).toEqual(good.map((line) => line.replace("300", "90")));
    expect(resolver.take()).toEqual([]); // the answer is known
  });

  test("its deletion removes them in the same transaction", async () => {
    const { served, call, store } = await withAlias();
    await call("DELETE", "/domains/1/records/1");
    expect(await served()).toEqual([]);
    const left = (table: "records" | "alias_lookups" | "alias_sources") =>
      store.read((db) => db.selectFrom(table).selectAll().execute());
    expect([await left("records"), await left("alias_lookups"), await left("alias_sources")]).toEqual([[], [], []]);
  });

  test("in the middle of a look is looked at again", async () => {
    const desk = await beginAliases();
    desk.set("other.example.net.", ["192.0.2.2"]);
    await desk.domain("example.com", [apex]);
    const change = () => desk.call("PUT", "/domains/1/records/1", { target: "other.example.net." });
    desk.set(target, ["192.0.2.1"]);
    const look = desk.look();
    while (desk.resolver.questions.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await change();
    await look;
    await desk.look();
    expect(await desk.served()).toEqual(["example.com. 300 A 192.0.2.2"]);
  });

  test("a clone of its domain has addresses of its own", async () => {
    const { served, call, look } = await withAlias();
    await call("POST", "/domains/1/clone", { domain: "example.org" });
    expect((await call("GET", "/domains/2/records")).body.results).toBe(1);
    expect(await served("example.org.")).toEqual([]);
    await look();
    expect(await served("example.org.")).toEqual(good.map((line) => line.replace(".com", ".org")));
    await call("DELETE", "/domains/1");
    expect(await served("example.org.")).toHaveLength(2);
  });
});

test("a server with documented records serves the addresses, and shows and deletes the record", async () => {
  const { store, set } = await withAlias();
  const desk = await beginAliases({ store, records: "documented" });
  desk.set(target, ["192.0.2.7"]);
  set(target, []);
  desk.advance(301);
  await desk.look();
  expect(await desk.served()).toEqual(["example.com. 300 A 192.0.2.7"]);
  const shown = await desk.call("GET", "/domains/1/records");
  expect(shown.body).toMatchObject({ results: 1, data: [{ id: 1, type: "ALIAS", target }] });
  expect((await desk.call("PUT", "/domains/1/records/1", { ttl_sec: 300 })).status).toBe(400);
  expect((await desk.call("DELETE", "/domains/1/records/1")).status).toBe(200);
  expect(await desk.served()).toEqual([]);
});

describe("resolvers", () => {
  test("the next one is asked after a failure, and the one that answered first from then on", async () => {
    const broken = await startResolver(() => ({ rcode: "REFUSED" }));
    const desk = await beginAliases({ before: [broken.at] });
    desk.set(target, ["192.0.2.1", "2001:db8::1"], 60);
    await desk.domain("example.com", [apex]);
    await desk.look();
    expect(await desk.served()).toEqual(good.map((line) => line.replace("300", "60")));
    expect(broken.take()).toHaveLength(2);
    desk.advance(62);
    await desk.look();
    expect([broken.take(), desk.resolver.take().length]).toEqual([[], 4]);
  });

  test("equal targets are asked for once", async () => {
    const desk = await beginAliases();
    desk.set(target, ["192.0.2.1"]);
    const names = Array.from({ length: 150 }, (_, at) => ({ ...apex, name: `n${at}`, target }));
    await desk.domain("example.com", names);
    await desk.look();
    expect(await desk.served()).toHaveLength(150);
    expect(desk.resolver.take().toSorted()).toEqual([`${target} A UDP`, `${target} AAAA UDP`]);
  });

  test("get a bounded number of questions in one look, of which each account has a part", async () => {
    const desk = await beginAliases();
    const targets = Array.from({ length: 300 }, (_, at) => `t${at}.example.net.`);
    for (const one of targets) desk.set(one, ["192.0.2.1", "2001:db8::1"]);
    const records = targets.map((one, at) => ({ ...apex, name: `n${at}`, target: one }));
    await desk.domain("example.com", records);
    const as = { as: await desk.mint({ username: "bob", account: "bob" }) };
    await desk.call("POST", "/domains", { domain: "example.org", type: "master", soa_email: "b@example.org" }, as);
    desk.set("last.example.net.", ["192.0.2.9"]);
    await desk.call("POST", "/domains/2/records", { ...apex, target: "last.example.net." }, as);
    for (const round of ["new", "again"]) {
      const looks: string[][] = [];
      do {
        await desk.look();
        looks.push(desk.resolver.take());
      } while (looks.at(-1)?.length !== 0);
      expect(looks[0], round).toContain("last.example.net. A UDP");
      expect(Math.max(...looks.map(({ length }) => length)), round).toBeLessThan(250);
      expect(looks.flat(), round).toHaveLength(602);
      desk.advance(302);
    }
    expect(await desk.served()).toHaveLength(600);
    expect(await desk.served("example.org.")).toEqual(["example.org. 300 A 192.0.2.9"]);
  });
});

test("two servers of one database share the records", async () => {
  await withTwoStores(async (one, other) => {
    const desk = await beginAliases({ store: one });
    const second = desk.keeperOf({ ...desk.settings, store: other });
    const targets = Array.from({ length: 40 }, (_, at) => `t${at}.example.net.`);
    for (const name of targets) desk.set(name, ["192.0.2.1"]);
    await desk.domain(
      "example.com",
      targets.map((name, at) => ({ ...apex, name: `n${at}`, target: name })),
    );
    await Promise.all([desk.look(), second.runDue(), desk.look(), second.runDue()]);
    expect(desk.resolver.take()).toHaveLength(80); // no target twice
    expect(await desk.served()).toHaveLength(40);
    desk.set("t0.example.net.", ["192.0.2.2"]);
    desk.advance(301);
    await second.runDue();
    expect((await desk.served()).filter((line) => line.endsWith("192.0.2.2"))).toEqual([
      "n0.example.com. 300 A 192.0.2.2",
    ]);
    expect(desk.errors).toEqual([]);
  });
});

test("with a delay of rendering, addresses are served with the other changes", async () => {
  const desk = await beginAliases({ renderDelay: 60 });
  desk.set(target, ["192.0.2.1"]);
  await desk.domain("example.com", [apex]);
  desk.advance(61);
  expect(await desk.served()).toEqual([]);
  await desk.look();
  expect(await desk.served()).toEqual([]);
  desk.advance(61);
  expect(await desk.served()).toEqual(["example.com. 300 A 192.0.2.1"]);
});

const names = ["", "a", "b", "c", "*"];
const change = fc.record({
  verb: fc.constantFrom("create", "create", "change", "delete"),
  at: fc.nat(),
  type: fc.constantFrom("A", "CNAME", "ALIAS", "ALIAS"),
  name: fc.constantFrom(...names),
  to: fc.constantFrom("a", "b", "c", "d"),
  octet: fc.integer({ min: 1, max: 9 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Sends a change, which the API may refuse. */
async function takeStep({ call }: Awaited<ReturnType<typeof beginAliases>>, step: Change): Promise<void> {
  const { verb, at, type, name, to, octet } = step;
  const dataOf = (type: string) => ({ target: type === "A" ? `192.0.2.${octet}` : `${to}.example.com.` });
  if (verb === "create") {
    await call("POST", "/domains/1/records", { type, name, ...dataOf(type) });
    return;
  }
  const { data } = (await call("GET", "/domains/1/records?page_size=100")).body;
  const record = data[at % data.length];
  if (record === undefined) return;
  if (verb === "delete") await call("DELETE", `/domains/1/records/${record.id}`);
  else await call("PUT", `/domains/1/records/${record.id}`, { name, ...dataOf(record.type) });
}

test("after any changes, an ALIAS record has the addresses with which the name server answers for its target", async () => {
  const run = async (steps: readonly Change[]) => {
    await withEmptyStore(async (store) => {
      const desk = await beginAliases({ store });
      await desk.domain("example.com");
      const answered = async (name: string) => {
        const { answers } = await ask(desk.at, { question: { name: domainName(name), type: "A", class: 1 } });
        const own = answers.flatMap((record) => (isType(record, "A") ? [record.data.address] : []));
        return own.toSorted();
      };
      for (const step of steps) {
        await takeStep(desk, step);
        await desk.look();
        const { data } = (await desk.call("GET", "/domains/1/records?page_size=100")).body;
        for (const { type, name, target } of data)
          if (type === "ALIAS") {
            const owner = name === "" ? "example.com." : `${name}.example.com.`;
            expect(await answered(owner), `${owner} ALIAS ${target}`).toEqual(await answered(target));
          }
      }
      expect(desk.resolver.questions).toEqual([]);
    });
  };
  await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 25 }), run), samples(60));
});
