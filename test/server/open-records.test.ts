// @suite postgres

import { describe, expect, test } from "vitest";
import { answerOctets } from "../../src/dns/zone/record-octets.ts";
import { boundSets, insertRecordRows } from "../../src/server/areas/zones/records-rows.ts";
import type { Remote } from "../../src/server/kit/remote.ts";
import type { ServerOptions } from "../../src/server/server.ts";
import { dig } from "../dns/transfer/dig.ts";
import { apex, goodData, readZone } from "../dns/transfer/zones.ts";
import { isMissing } from "../judges.ts";
import { beginAliases } from "./alias-desk.ts";
import { noon, refused, start } from "./start.ts";
import { emptyStore } from "./stores.ts";

const open = (options: Partial<ServerOptions> = {}) => start({ records: "open", ...options });

/** A server with a domain, and `create` for its records. */
async function withDomain(options: Partial<ServerOptions> = {}) {
  const api = await open(options);
  await api.domain("example.com");
  const create = (record: object) => api.call("POST", "/domains/1/records", record);
  return { ...api, create };
}

/** A new record without the values of its request. */
const fresh = {
  id: 1,
  name: "",
  priority: 0,
  weight: 0,
  port: 0,
  service: null,
  protocol: null,
  ttl_sec: 0,
  tag: null,
  created: noon,
  updated: noon,
  flags: 0,
};

test("all valid data of every type is stored, listed and rendered as it was sent", async () => {
  const api = await open();
  await api.domain("records.example");
  const data = goodData(["soa", "alias"]);
  for (const { owner, type, canonical } of data) {
    const { status, body } = await api.call("POST", "/domains/1/records", { type, name: owner, rdata: canonical });
    expect({ owner, type: body.type, rdata: body.rdata, status }).toEqual({
      owner,
      type,
      rdata: canonical,
      status: 200,
    });
  }
  const listed = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await api.call("GET", `/domains/1/records?page=${page}&page_size=500`);
    pages = body.pages;
    listed.push(...body.data);
  }
  expect(listed.map(({ name, type, rdata }) => [name, type, rdata])).toEqual(
    data.map(({ owner, type, canonical }) => [owner, type, canonical]),
  );
  const { body } = await api.call("GET", "/domains/1/zone-file");
  expect(body.zone_file.slice(4)).toEqual(data.map(({ owner, type, canonical }) => `${owner} ${type} ${canonical}`));
});

describe("a record in a request", () => {
  const tlsa = "3 1 1 0B9FA5A59EED715C26C1020C711B4F6EC42D58B0015E14337A39DAD301C5AFC3";
  test.each<[what: string, sent: object, stored: object]>([
    ["a type of its own in target", { type: "TLSA", target: tlsa }, { type: "TLSA", target: tlsa, rdata: tlsa }],
    ["the same in rdata", { type: "TLSA", rdata: tlsa }, { type: "TLSA", target: tlsa, rdata: tlsa }],
    ["a type in small letters", { type: "tlsa", target: tlsa }, { type: "TLSA", target: tlsa, rdata: tlsa }],
    ["a type by its number", { type: "TYPE52", target: tlsa }, { type: "TLSA", target: tlsa, rdata: tlsa }],
    [
      "an unknown type",
      { type: "TYPE65280", target: "\\# 4 0a000001" },
      { type: "TYPE65280", target: "\\# 4 0A000001", rdata: "\\# 4 0A000001" },
    ],
    [
      "a documented one",
      { type: "MX", name: "www", target: "mail.example.net", priority: 10 },
      { type: "MX", name: "www", target: "mail.example.net", priority: 10, rdata: "10 mail.example.net." },
    ],
    [
      "a preference above 255",
      { type: "MX", target: "mail.example.net", priority: 65535 },
      { type: "MX", target: "mail.example.net", priority: 65535, rdata: "65535 mail.example.net." },
    ],
    [
      "data of MX in rdata",
      { type: "MX", rdata: "1000 mail.example.net" },
      { type: "MX", target: "mail.example.net", priority: 1000, rdata: "1000 mail.example.net." },
    ],
    [
      "names in another script",
      { type: "MX", name: "bücher", target: "bücher.example", priority: 10 },
      {
        type: "MX",
        name: "xn--bcher-kva",
        target: "xn--bcher-kva.example",
        priority: 10,
        rdata: "10 xn--bcher-kva.example.",
      },
    ],
    [
      "the same in rdata",
      { type: "MX", name: "bücher", rdata: "10 bücher.example" },
      {
        type: "MX",
        name: "xn--bcher-kva",
        target: "xn--bcher-kva.example",
        priority: 10,
        rdata: "10 xn--bcher-kva.example.",
      },
    ],
    [
      "flags of CAA",
      { type: "CAA", tag: "issue", target: "ca.example.net", flags: 128 },
      { type: "CAA", tag: "issue", target: "ca.example.net", flags: 128, rdata: '128 issue "ca.example.net"' },
    ],
    [
      "another tag of CAA",
      { type: "CAA", tag: "contactemail", target: "a@example.com" },
      { type: "CAA", tag: "contactemail", target: "a@example.com", rdata: '0 contactemail "a@example.com"' },
    ],
    ["a text", { type: "TXT", target: 'say "hi"' }, { type: "TXT", target: 'say "hi"', rdata: '"say \\"hi\\""' }],
    ["a text of two strings", { type: "TXT", rdata: '"a" "b"' }, { type: "TXT", target: "ab", rdata: '"a" "b"' }],
    [
      "octets that are not UTF-8",
      { type: "TXT", rdata: '"\\200"' },
      { type: "TXT", target: "\uFFFD", rdata: '"\\200"' },
    ],
    [
      "a server at the apex",
      { type: "NS", target: "ns.example.net" },
      { type: "NS", target: "ns.example.net", rdata: "ns.example.net." },
    ],
    [
      "a name with escapes",
      { type: "A", name: "a\\.b", target: "192.0.2.1" },
      { type: "A", name: "a\\.b", target: "192.0.2.1", rdata: "192.0.2.1" },
    ],
    [
      "a name that ends in the domain",
      { type: "A", name: "www.example.com", target: "192.0.2.1" },
      { type: "A", name: "www", target: "192.0.2.1", rdata: "192.0.2.1" },
    ],
    [
      "a service",
      { type: "SRV", service: "sip", protocol: "tcp", priority: 1, weight: 2, port: 3, target: "sip" },
      {
        ...{ type: "SRV", name: "_sip._tcp", service: "sip", protocol: "tcp", priority: 1, weight: 2, port: 3 },
        ...{ target: "sip.example.com", rdata: "1 2 3 sip.example.com." },
      },
    ],
    [
      "a service by its name",
      { type: "SRV", name: "_sip._tcp.a", rdata: "1 2 3 sip.example.com" },
      {
        ...{ type: "SRV", name: "_sip._tcp.a", priority: 1, weight: 2, port: 3 },
        ...{ target: "sip.example.com", rdata: "1 2 3 sip.example.com." },
      },
    ],
    [
      "a TTL of a second",
      { type: "A", target: "192.0.2.1", ttl_sec: 1 },
      { type: "A", target: "192.0.2.1", ttl_sec: 1, rdata: "192.0.2.1" },
    ],
    [
      "the longest TTL",
      { type: "A", target: "192.0.2.1", ttl_sec: 2147483647 },
      { type: "A", target: "192.0.2.1", ttl_sec: 2147483647, rdata: "192.0.2.1" },
    ],
  ])("%s", async (_, sent, stored) => {
    const { create, call } = await withDomain();
    const wanted = { status: 200, body: { ...fresh, ...stored } };
    expect(await create(sent)).toEqual(wanted);
    expect(await call("GET", "/domains/1/records/1")).toEqual(wanted);
    expect((await call("GET", "/domains/1/records")).body.data).toEqual([wanted.body]);
    // Sent back as it was read, it stays.
    expect(await call("PUT", "/domains/1/records/1", wanted.body)).toEqual(wanted);
  });
});

describe("a record that is refused", () => {
  test.each<[what: string, sent: object, answer: object]>([
    ["no type", { target: "a" }, refused(["type is required", "type"])],
    [
      "a type of queries",
      { type: "ANY", target: "a" },
      refused([expect.stringMatching(/^Must be a type that records can have/) as never, "type"]),
    ],
    [
      "SOA",
      { type: "SOA", target: "a" },
      refused([expect.stringMatching(/^Must be a type that records can have/) as never, "type"]),
    ],
    ["no data", { type: "TLSA" }, refused(["target is required", "target"])],
    [
      "a digest that BIND does not load",
      { type: "DS", name: "a", rdata: "1 8 2 aabb" },
      refused(["The digest has 2 octets instead of 32, so BIND refuses the zone", "rdata"]),
    ],
    [
      "such a fingerprint",
      { type: "SSHFP", rdata: "1 1 aa" },
      refused(["The fingerprint has 1 octet instead of 20, so BIND refuses the zone", "rdata"]),
    ],
    ["no data of MX", { type: "MX", priority: 1 }, refused(["target is required", "target"])],
    [
      "data of another type",
      { type: "TLSA", target: "192.0.2.1" },
      refused([expect.stringContaining("Usage") as never, "target"]),
    ],
    [
      "an address",
      { type: "A", target: "192.0.2.256" },
      refused([expect.stringContaining("Not an IPv4 address") as never, "target"]),
    ],
    [
      "an alias at the apex",
      { type: "CNAME", target: "a.example.net" },
      refused(["A CNAME needs a name below the domain", "name"]),
    ],
    [
      "a delegated wildcard",
      { type: "NS", name: "*", target: "a.example.net" },
      refused(["A wildcard cannot be delegated", "name"]),
    ],
    [
      "a label that is too long",
      { type: "A", name: "a".repeat(64), target: "192.0.2.1" },
      refused([expect.stringContaining("63") as never, "name"]),
    ],
    [
      "a TTL that is too long",
      { type: "A", target: "192.0.2.1", ttl_sec: 2 ** 31 },
      refused(["Must be 0-2147483647", "ttl_sec"]),
    ],
    ["flags above 255", { type: "CAA", tag: "issue", target: ";", flags: 256 }, refused(["Must be 0-255", "flags"])],
    [
      "data that no message holds",
      { type: "TYPE65280", rdata: `\\# 64001 ${"00".repeat(64001)}` },
      refused(["The record data would have 64001 octets; at most 64000 fit into a DNS message", "target"]),
    ],
  ])("%s", async (_, sent, answer) => {
    const { create, call } = await withDomain();
    expect(await create(sent)).toEqual(answer);
    expect((await call("GET", "/domains/1/records")).body.results).toBe(0);
  });

  test.each<[first: object, second: object, reason: string]>([
    [
      { type: "CNAME", target: "a.example.net" },
      { type: "TLSA", rdata: "3 1 1 00" },
      "Record conflict - CNAMES must be unique",
    ],
    [
      { type: "TLSA", rdata: "3 1 1 00" },
      { type: "CNAME", target: "a.example.net" },
      "Record conflict - CNAMES must be unique",
    ],
    [
      { type: "DNAME", rdata: "a.example.net." },
      { type: "DNAME", rdata: "b.example.net." },
      "A name has at most one DNAME record (RFC 6672)",
    ],
    [
      { type: "ALIAS", target: "a.example.net." },
      { type: "ALIAS", target: "b.example.net." },
      "A name has at most one ALIAS record",
    ],
    [
      { type: "A", target: "192.0.2.1" },
      { type: "ALIAS", target: "b.example.net." },
      "An ALIAS record answers for A and AAAA, of which the name has records",
    ],
  ])("%o and %o at a name", async (first, second, reason) => {
    const { create } = await withDomain();
    expect((await create({ name: "www", ...first })).status).toBe(200);
    expect(await create({ name: "www", ...second })).toEqual(refused([reason, "name"]));
  });
});

describe("a change", () => {
  test.each<[what: string, created: object, changes: object, stored: object]>([
    [
      "the data of its type",
      { type: "TLSA", rdata: "3 1 1 00" },
      { target: "3 1 1 01" },
      { target: "3 1 1 01", rdata: "3 1 1 01" },
    ],
    [
      "its flags",
      { type: "CAA", tag: "issue", target: "a.example" },
      { flags: 128 },
      { flags: 128, tag: "issue", target: "a.example", rdata: '128 issue "a.example"' },
    ],
    [
      "its value, and not its flags",
      { type: "CAA", rdata: "128 issue a.example" },
      { target: "b.example" },
      { flags: 128, tag: "issue", target: "b.example", rdata: '128 issue "b.example"' },
    ],
    ["its strings", { type: "TXT", rdata: '"a" "b"' }, { rdata: '"ab"' }, { target: "ab", rdata: '"ab"' }],
    [
      "its text, which is one string",
      { type: "TXT", rdata: '"a" "b"' },
      { target: "c" },
      { target: "c", rdata: '"c"' },
    ],
    [
      "its TTL, and not its strings",
      { type: "TXT", rdata: '"a" "b"' },
      { ttl_sec: 7 },
      { target: "ab", rdata: '"a" "b"', ttl_sec: 7 },
    ],
    [
      "its preference",
      { type: "MX", rdata: "1 a.example.net." },
      { priority: 300 },
      { target: "a.example.net", priority: 300, rdata: "300 a.example.net." },
    ],
  ])("%s", async (_, created, changes, stored) => {
    const { create, call } = await withDomain();
    const { body } = await create(created);
    expect((await call("PUT", "/domains/1/records/1", changes)).body).toEqual({ ...body, ...stored });
  });

  test("of the type is refused", async () => {
    const { create, call } = await withDomain();
    await create({ type: "TLSA", rdata: "3 1 1 00" });
    expect((await call("PUT", "/domains/1/records/1", { type: "TYPE52", ttl_sec: 5 })).status).toBe(200);
    const answer = refused(["The type of a record cannot be changed", "type"]);
    expect(await call("PUT", "/domains/1/records/1", { type: "SMIMEA" })).toEqual(answer);
  });
});

test.each([
  ["RRSIG", "CNAME 13 3 300 20300101000000 20200101000000 12345 example.com. AAAA"],
  ["NSEC", "example.com. CNAME RRSIG NSEC"],
])("a CNAME record may have %s beside it, in either order", async (type, rdata) => {
  const { create, call } = await withDomain();
  const signature = { type, rdata };
  const alias = { type: "CNAME", target: "a.example.net" };
  const all = [
    { name: "a", ...signature },
    { name: "a", ...alias },
    { name: "b", ...alias },
    { name: "b", ...signature },
  ];
  for (const one of all) expect((await create(one)).status).toBe(200);
  const refusal = refused(["Record conflict - CNAMES must be unique", "name"]);
  expect(await create({ name: "a", type: "CNAME", target: "b.example.net" })).toEqual(refusal);
  expect(await create({ name: "a", type: "TXT", target: "t" })).toEqual(refusal);
  expect((await create({ name: "c", ...alias })).status).toBe(200);
  expect((await call("PUT", "/domains/1/records/5", { name: "d" })).status).toBe(200);
  expect(await call("PUT", "/domains/1/records/5", { name: "a" })).toEqual(refusal);
  const store = await Promise.all([create({ name: "e", ...signature }), create({ name: "e", ...alias })]);
  expect(store.map(({ status }) => status)).toEqual([200, 200]);
});

test("a KEY record, which Knot does not load beside CNAME, is refused", async () => {
  const { create } = await withDomain();
  await create({ name: "a", type: "CNAME", target: "a.example.net" });
  expect(await create({ name: "a", type: "KEY", rdata: "256 3 8 AAAA" })).toEqual(
    refused(["Record conflict - CNAMES must be unique", "name"]),
  );
});

describe("the records of a name and type fit into one message", () => {
  /** The RDATA of a record that takes up half of the limit, and of others by their octets. */
  const data = (octets: number, fill = "00") => `\\# ${octets} ${fill.repeat(octets)}`;
  const half = 31_994;
  const record = (octets: number, fill: string, name = "www") => ({
    type: "TYPE65280",
    name,
    rdata: data(octets, fill),
  });
  const tooLong = (octets: number, type = "TYPE65280") =>
    refused([
      `The ${type} records of this name would have ${octets} octets; at most 64012 fit into a DNS message`,
      "target",
    ]);

  test("a set of exactly the limit is stored, and no record more in any letter case", async () => {
    const { create } = await withDomain();
    expect((await create(record(half, "01"))).status).toBe(200);
    expect(await create(record(half + 1, "02"))).toEqual(tooLong(64_013));
    expect((await create(record(half, "02", "WWW"))).status).toBe(200);
    expect(await create(record(0, ""))).toEqual(tooLong(64_024));
    expect((await create(record(half, "01", "other"))).status).toBe(200);
    expect((await create({ ...record(half, "01"), type: "TYPE65281" })).status).toBe(200);
  });

  test("records that are sent at the same time count, too", async () => {
    const { create } = await withDomain();
    const replies = await Promise.all(["01", "02", "03"].map((fill) => create(record(half, fill))));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 400]);
  });

  test.each([
    ["A", (n: number) => `10.0.${n >> 8}.${n & 255}`, 4000, 64_016],
    ["AAAA", (n: number) => `::${n.toString(16)}`, 2286, 64_036],
  ])("addresses: %s", async (type, address, most, over) => {
    const { create, store } = await withDomain();
    const { body } = await create({ type, name: "www", target: address(0) });
    const { rdata: _, flags: __, id: ___, ...row } = body;
    const rows = Array.from({ length: most - 2 }, (_, n) => {
      return { ...row, rdata: null, domain_id: 1, name_key: "www", target: address(n + 1) };
    });
    await store.write((db) => insertRecordRows(db, rows));
    expect((await create({ type, name: "www", target: address(most) })).status).toBe(200);
    expect(await create({ type, name: "www", target: address(most + 1) })).toEqual(tooLong(over, type));
  });

  test("a change of the data or the name is refused that makes a set too long", async () => {
    const { create, call } = await withDomain();
    for (const [fill, name] of [
      ["01", "www"],
      ["02", "www"],
      ["03", "other"],
    ] as const)
      await create(record(half, fill, name));
    const change = (id: number, changes: object) => call("PUT", `/domains/1/records/${id}`, changes);
    expect(await change(1, { rdata: data(half + 1) })).toEqual(tooLong(64_013));
    expect(await change(3, { name: "www" })).toEqual(tooLong(96_018));
    expect((await change(1, { rdata: data(half), ttl_sec: 5 })).status).toBe(200);
    expect((await change(1, { rdata: data(half - 1) })).status).toBe(200);
    expect((await change(2, { rdata: data(half + 1) })).status).toBe(200);
    expect((await change(3, { name: "third" })).status).toBe(200);
  });

  test("a set that is too long already, from a server with documented records, may get shorter", async () => {
    const store = await emptyStore();
    const before = await start({ store });
    await before.domain("example.com");
    for (const letter of "abc")
      await before.call("POST", "/domains/1/records", { type: "TXT", name: "www", target: letter.repeat(30_000) });
    const { call } = await start({ store, token: before.token, records: "open" } as never);
    const as = { as: before.token };
    const change = (changes: object) => call("PUT", "/domains/1/records/1", changes, as);
    expect((await change({ ttl_sec: 5 })).status).toBe(200);
    expect((await change({ target: "a".repeat(29_000) })).status).toBe(200);
    expect(await change({ target: "a".repeat(29_002) })).toEqual(tooLong(89_388, "TXT"));
    expect((await call("DELETE", "/domains/1/records/1", undefined, as)).status).toBe(200);
  });

  test("a clone of a set that is too long already is refused, and that of one that fits is not", async () => {
    const store = await emptyStore();
    const before = await start({ store });
    await before.domain("example.com");
    for (const letter of "abc")
      await before.call("POST", "/domains/1/records", { type: "TXT", name: "www", target: letter.repeat(30_000) });
    // Not too long, as far as only bounds are known.
    for (const letter of "de")
      await before.call("POST", "/domains/1/records", { type: "TXT", name: "fits", target: letter.repeat(10_000) });
    const { call } = await start({ store, token: before.token, records: "open" } as never);
    const as = { as: before.token };
    const clone = () => call("POST", "/domains/1/clone", { domain: "example.net" }, as);
    expect(await clone()).toEqual(
      refused(["The TXT records of www would have 90390 octets; at most 64012 fit into a DNS message", "domain"]),
    );
    expect((await call("DELETE", "/domains/1/records/3", undefined, as)).status).toBe(200);
    expect((await clone()).status).toBe(200);
    expect((await call("GET", "/domains/2/records", undefined, as)).body.results).toBe(4);
  });

  test("a clone of more records, or of more text, than a domain may have by now is refused", async () => {
    const store = await emptyStore();
    const before = await open({ store });
    await before.domain("example.com");
    for (const name of ["a", "b", "c"])
      await before.call("POST", "/domains/1/records", { type: "TXT", name, target: "x".repeat(300) });
    const cloneWith = async (limits: Partial<ServerOptions>) => {
      const { call } = await start({ store, token: before.token, records: "open", ...limits } as never);
      return call("POST", "/domains/1/clone", { domain: "example.net" }, { as: before.token });
    };
    expect(await cloneWith({ mostRecords: 2 })).toEqual(refused(["A domain holds at most 2 records.", "domain"]));
    const tooMuch = "The targets of 256 octets and more in a domain may have at most 899 octets in total.";
    expect(await cloneWith({ textRoom: 899 })).toEqual(refused([tooMuch, "domain"]));
    expect((await cloneWith({ mostRecords: 3, textRoom: 900 })).status).toBe(200);
  });

  test("an import with a longer set is refused", async () => {
    const lines = ["01", "02", "03"].map((fill) => `www TYPE65280 ${data(half, fill)}\n`);
    const zone = readZone(`${apex}${lines.join("")}`, "example.com");
    const remote: Remote = { transfer: async () => ({ records: zone.records, unread: [] }), soa: () => expect.fail() };
    const { call } = await open({ remote });
    const sent = { domain: "example.com", remote_nameserver: "ns.example.net" };
    expect(await call("POST", "/domains/import", sent)).toEqual(
      refused([
        "The zone cannot be imported: www.example.com. TYPE65280: The TYPE65280 records of this name would have 96018 octets; at most 64012 fit into a DNS message",
        "remote_nameserver",
      ]),
    );
  });

  test("sizes that the database finds are not less than the real ones, of any type", async () => {
    const { create, store } = await withDomain();
    const all = goodData(["soa", "alias"]);
    for (const { owner, type, canonical } of all)
      expect((await create({ type, name: owner, rdata: canonical })).status).toBe(200);
    const places = all.map(({ owner, type }) => ({ domain_id: 1, name_key: owner, type }));
    const sizes = new Map<string, number>();
    for (let at = 0; at < places.length; at += 500)
      for (const { name_key, octets } of await store.read((db) => boundSets(db, places.slice(at, at + 500))))
        sizes.set(name_key, octets);
    const real = readZone(all.map(({ owner, type, canonical }) => `${owner} 300 ${type} ${canonical}\n`).join(""));
    const wrong = real.records.flatMap((one) => {
      const [size, found = 0] = [answerOctets(one), sizes.get(one.owner.replace(/\.example\.$/, ""))];
      const isRight = one.type === "A" || one.type === "AAAA" ? found === size : found >= size;
      return isRight ? [] : [`${one.owner} ${one.type}: ${size} octets, not ${found}`];
    });
    expect([real.records.length, wrong]).toEqual([all.length, []]);
  });

  test.skipIf(isMissing("dig"))("the longest set at the longest name is answered", async () => {
    const { domain, at } = await beginAliases();
    const name = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(49)}`;
    await domain("example.com", [record(half, "01", name), record(half, "02", name)]);
    const lines = await dig(at, `${name}.example.com`, "TYPE65280", { flags: ["+tcp"] });
    const octets = lines.filter(Boolean).map((line) => line.replaceAll(" ", "").slice(-2 * half));
    expect(octets.toSorted()).toEqual(["01".repeat(half), "02".repeat(half)]);
  });
});

test("NS records at the apex replace the service's own", async () => {
  const { create, call } = await withDomain();
  await create({ type: "NS", target: "ns1.example.org" });
  await create({ type: "NS", target: "ns2.example.org" });
  const lines = async () => (await call("GET", "/domains/1/zone-file")).body.zone_file.slice(3);
  expect(await lines()).toEqual(["@ NS ns1.example.org.", "@ NS ns2.example.org."]);
  await call("DELETE", "/domains/1/records/1");
  await call("DELETE", "/domains/1/records/2");
  expect(await lines()).toEqual(["@ NS ns1.example.net."]);
});

test("times of a domain are not rounded", async () => {
  const { call } = await open();
  const times = { ttl_sec: 77, refresh_sec: 78, retry_sec: 79, expire_sec: 80 };
  const sent = { domain: "example.com", type: "master", soa_email: "a@example.com", ...times };
  expect((await call("POST", "/domains", sent)).body).toMatchObject(times);
});

test("a limit of records is the operator's", async () => {
  const { create } = await withDomain({ mostRecords: 1 });
  await create({ type: "TLSA", rdata: "3 1 1 00" });
  expect(await create({ type: "TLSA", rdata: "3 1 1 01" })).toEqual(refused(["A domain holds at most 1 records."]));
});

test("a list is filtered by the attributes of documented records", async () => {
  const { create, call } = await withDomain();
  await create({ type: "TLSA", name: "a", rdata: "3 1 1 00" });
  await create({ type: "CAA", rdata: '128 issue "ca.example.net"' });
  const filter = async (query: object) => {
    const headers = { "X-Filter": JSON.stringify(query) };
    const { body } = await call("GET", "/domains/1/records", undefined, headers);
    return body.errors ?? body.data.map(({ type }: { type: string }) => type);
  };
  expect(await filter({ type: "TLSA" })).toEqual(["TLSA"]);
  expect(await filter({ target: "3 1 1 00" })).toEqual(["TLSA"]);
  expect(await filter({ tag: "issue" })).toEqual(["CAA"]);
  for (const attribute of ["rdata", "flags"])
    expect(await filter({ [attribute]: "128" })).toEqual([
      { reason: `Cannot filter on ${attribute}`, field: "X-Filter" },
    ]);
});

test("replies name the setting, and the document describes it", async () => {
  const api = await open();
  const reply = await api.ask("GET", "/v4/openapi.json");
  const { components, info } = (await reply.json()) as {
    info: { description: string };
    components: { schemas: Record<string, { properties?: object }> };
  };
  expect((await api.ask("GET", "/v4/domains")).headers.get("X-Records")).toBe("open");
  expect((await (await start()).ask("GET", "/v4/domains")).headers.get("X-Records")).toBe(null);
  expect(info.description).toContain("Records may have any type.");
  expect(JSON.stringify(components.schemas)).toContain('"rdata"');
});

test("with documented records, others are shown and can be deleted, and not changed", async () => {
  const store = await emptyStore();
  const before = await open({ store });
  await before.domain("example.com");
  const records = [
    { type: "TLSA", name: "a", rdata: "3 1 1 00", ttl_sec: 77 },
    { type: "TXT", name: "b", rdata: '"a" "b"' },
    { type: "MX", name: "c", rdata: "1000 a.example.net." },
    { type: "CAA", name: "d", rdata: '128 contactemail "a@example.net"' },
  ];
  for (const record of records) await before.call("POST", "/domains/1/records", record);
  const { call } = await start({ store, token: before.token } as never);
  const as = { as: before.token };
  const { body } = await call("GET", "/domains/1/records", undefined, as);
  expect(
    body.data.map(({ type, target, priority, ttl_sec, rdata }: Record<string, unknown>) => [
      type,
      target,
      priority,
      ttl_sec,
      rdata,
    ]),
  ).toEqual([
    ["TLSA", "3 1 1 00", 0, 77, undefined],
    ["TXT", "ab", 0, 0, '"a" "b"'],
    ["MX", "a.example.net", 1000, 0, undefined],
    ["CAA", "a@example.net", 0, 0, '128 contactemail "a@example.net"'],
  ]);
  const refusal = refused([
    "This record needs a server with open records: here it can be read and deleted, but not changed",
    "type",
  ]);
  expect(await call("PUT", "/domains/1/records/1", { ttl_sec: 300 }, as)).toEqual(refusal);
  expect(await call("PUT", "/domains/1/records/2", { target: "c" }, as)).toEqual(refusal);
  for (const change of [{ ttl_sec: 300 }, { target: "b.example.net" }, { name: "e" }])
    expect(await call("PUT", "/domains/1/records/3", change, as)).toEqual(refusal);
  // Sent back as it was read, here or with open records.
  for (const id of [1, 2, 4])
    for (const reader of [call, before.call]) {
      const { body } = await reader("GET", `/domains/1/records/${id}`, undefined, as);
      expect(await call("PUT", `/domains/1/records/${id}`, body, as)).toEqual(refusal);
    }
  const documented = { priority: 10, target: "b.example.net" };
  expect((await call("PUT", "/domains/1/records/3", documented, as)).body).toMatchObject(documented);
  expect((await call("DELETE", "/domains/1/records/1", undefined, as)).status).toBe(200);
  expect(
    (await call("POST", "/domains/1/records", { type: "TLSA", target: "3 1 1 00" }, as)).body.errors[0].field,
  ).toBe("type");
});
