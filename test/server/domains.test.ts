// @suite postgres

import { beforeEach, describe, expect, test } from "vitest";
import { noon, refused, start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  api = await start();
});

const master = { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" };

/** A new domain without the values of its request (decisions/service#domains). */
const fresh = {
  id: 1,
  type: "master",
  domain: "example.com",
  status: "active",
  description: "",
  group: "",
  soa_email: "hostmaster@example.com",
  ttl_sec: 0,
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
  master_ips: [],
  axfr_ips: [],
  tags: [],
  created: noon,
  updated: noon,
};

describe("POST /domains", () => {
  test("returns the whole domain, its keys in order", async () => {
    const answer = await api.call("POST", "/domains", master);
    expect(answer).toEqual({ status: 200, body: fresh });
    expect(Object.keys(answer.body)).toEqual(Object.keys(fresh));
  });

  test("accepts every field", async () => {
    const full = {
      domain: "example.com",
      type: "slave",
      status: "disabled",
      description: "of the house",
      group: "web",
      soa_email: "john.doe@example.com",
      ttl_sec: 300,
      refresh_sec: 3600,
      retry_sec: 7200,
      expire_sec: 1209600,
      master_ips: ["192.0.2.1", "2001:db8::1"],
      axfr_ips: ["192.0.2.2"],
      tags: ["prod", "web"],
    };
    expect((await api.call("POST", "/domains", full)).body).toEqual({ id: 1, ...full, created: noon, updated: noon });
  });

  test("ignores null", async () => {
    const nulls = Object.fromEntries(Object.keys(fresh).map((key) => [key, null]));
    expect((await api.call("POST", "/domains", { ...nulls, ...master })).body).toEqual(fresh);
  });

  test("adds errors as the last key in profile live", async () => {
    api = await start({ profile: "live" });
    const { body } = await api.call("POST", "/domains", master);
    expect(body).toEqual({ ...fresh, errors: "" });
    expect(Object.keys(body)).toEqual([...Object.keys(fresh), "errors"]);
  });

  test.each<[string, object, Parameters<typeof refused>]>([
    [
      "nothing",
      {},
      [
        ["Domain is required.", "domain"],
        ["type is required", "type"],
      ],
    ],
    [
      "null in required fields",
      { domain: null, type: null },
      [
        ["Domain is required.", "domain"],
        ["type is required", "type"],
      ],
    ],
    ["an empty domain", { ...master, domain: "" }, [["Domain is required.", "domain"]]],
    [
      "a master without soa_email",
      { domain: "example.com", type: "master" },
      [["soa_email required when type=master", "soa_email"]],
    ],
    [
      "a slave without a master",
      { domain: "example.com", type: "slave" },
      [["You need at least one master DNS server IP address for this zone.", "master_ips"]],
    ],
    ["an unknown type", { ...master, type: "primary" }, [["Must be one of master, slave", "type"]]],
    ["an unknown status", { ...master, status: "paused" }, [["Must be one of disabled, active", "status"]]],
    ["a mailbox without a host", { ...master, soa_email: "hostmaster" }, [["Must be an e-mail address", "soa_email"]]],
    [
      "invalid addresses",
      { ...master, axfr_ips: ["192.0.2.1", "ns1.example.net", "fe80::1%eth0"] },
      [
        ["Invalid IPv4 or IPv6 address", "axfr_ips[1]"],
        ["Invalid IPv4 or IPv6 address", "axfr_ips[2]"],
      ],
    ],
    [
      "short and long tags",
      { ...master, tags: ["ab", "x".repeat(51)] },
      [
        ["Length must be 3-50 characters", "tags[0]"],
        ["Length must be 3-50 characters", "tags[1]"],
      ],
    ],
    [
      "long lists",
      {
        ...master,
        axfr_ips: Array.from({ length: 101 }, (_, n) => `192.0.2.${n}`),
        tags: Array.from({ length: 101 }, (_, n) => `shop-${n}`),
      },
      [
        ["Must have at most 100 entries", "axfr_ips"],
        ["Must have at most 100 entries", "tags"],
      ],
    ],
    [
      "long texts",
      { ...master, description: "x".repeat(256), group: "x".repeat(51) },
      [
        ["Length must be 1-255 characters", "description"],
        ["Length must be 1-50 characters", "group"],
      ],
    ],
    [
      "a time beyond safe integers",
      { ...master, ttl_sec: 1e20 },
      [
        ["Too large", "ttl_sec"],
        ["Must be 0-2147483647", "ttl_sec"],
      ],
    ],
    ["a negative time", { ...master, ttl_sec: -1 }, [["Must be 0 or greater", "ttl_sec"]]],
    [
      "wrong JSON types",
      { domain: 5, type: 5, group: 5, ttl_sec: "300", refresh_sec: 1.5, tags: "prod", axfr_ips: [5] },
      [
        ["Domain is required.", "domain"],
        ["Must be one of master, slave", "type"],
        ["Must be of type String", "group"],
        ["Must be an integer", "ttl_sec"],
        ["Must be an integer", "refresh_sec"],
        ["Must be of type String", "axfr_ips[0]"],
        ["Must be of type Array", "tags"],
      ],
    ],
    [
      "lists and a negative fraction where single values belong",
      { ...master, tags: [[], 5], description: Array(256).fill("x"), ttl_sec: -1.5 },
      [
        ["Must be of type String", "description"],
        ["Must be an integer", "ttl_sec"],
        ["Must be of type String", "tags[0]"],
        ["Must be of type String", "tags[1]"],
      ],
    ],
    [
      "text that no database stores",
      { ...master, description: "a\0b", tags: ["ok-tag", "\ud800abc"] },
      [
        ["Contains a character that cannot be stored", "description"],
        ["Contains a character that cannot be stored", "tags[1]"],
      ],
    ],
    [
      "text that no database stores, beside other faults",
      { ...master, domain: "\0", ttl_sec: -1, unknown: "\0" },
      [
        ["Must be 0 or greater", "ttl_sec"],
        ["Contains a character that cannot be stored", "domain"],
      ],
    ],
  ])("refuses %s with all errors at once", async (_, sent, entries) => {
    expect(await api.call("POST", "/domains", sent)).toEqual(refused(...entries));
    expect((await api.call("GET", "/domains")).body.results).toBe(0);
  });

  test.each<[string, unknown[]]>([
    ["200,000 tags, each too short", Array(200_000).fill("ab")],
    ["400,000 that are no tags", Array(400_000).fill(1)],
    ["100,000 that no database keeps", Array(100_000).fill("\0")],
    ["100,000 in one that is none", [Array(100_000).fill("\0")]],
  ])("%s: a reply about the first of them", async (_, tags) => {
    const { status, body } = await api.call("POST", "/domains", { ...master, tags });
    expect(status).toBe(400);
    expect(body.errors.length).toBeLessThan(110);
  });

  test.each([
    ["example.com"],
    ["Example.COM"],
    ["xn--bcher-kva.example"],
    ["0/25.2.0.192.in-addr.arpa"],
    ["*.example.com"],
    ["10.in-addr.arpa"],
    ["_tcp.example.com"],
    [`${"a".repeat(63)}.example`],
    [`${"a.".repeat(125)}com`],
  ])("accepts the domain %s and keeps its letter case", async (domain) => {
    expect((await api.call("POST", "/domains", { ...master, domain })).body.domain).toBe(domain);
  });

  test.each([
    ["localhost"],
    ["exa mple.com"],
    ["example..com"],
    [".example.com"],
    ["example.com."],
    ["-example.com"],
    ["example-.com"],
    ["bücher.example"],
    ["a.*.example.com"],
    ["192.0.2.1"],
    [`${"a".repeat(64)}.example`],
    [`${"a.".repeat(126)}com`],
  ])("refuses the domain %s", async (domain) => {
    expect(await api.call("POST", "/domains", { ...master, domain })).toEqual(
      refused(["Domain is not valid.", "domain"]),
    );
  });

  test("a domain is unique on the platform, without regard to letter case", async () => {
    await api.call("POST", "/domains", master);
    const stranger = await api.mint({ username: "stranger" });
    const taken = refused(["DNS zone already exists.", "domain"]);
    expect(await api.call("POST", "/domains", { ...master, domain: "EXAMPLE.com" })).toEqual(taken);
    expect(await api.call("POST", "/domains", master, { as: stranger })).toEqual(taken);
  });

  test("one of many concurrent requests creates it", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.call("POST", "/domains", master)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    expect((await api.call("GET", "/domains")).body.results).toBe(1);
  });
});

describe("times (decisions/service#times)", () => {
  test.each([
    // sent, documented: nearest, a tie goes up; live: up
    [0, 0, 0],
    [1, 300, 30],
    [30, 300, 30],
    [31, 300, 120],
    [121, 300, 300],
    [300, 300, 300],
    [301, 300, 3600],
    [1949, 300, 3600],
    [1950, 3600, 3600],
    [5400, 7200, 7200],
    [100000, 86400, 172800],
    [2419201, 2419200, 2419200],
  ])("%i is stored as %i, in profile live as %i", async (sent, documented, live) => {
    const times = { ttl_sec: sent, refresh_sec: sent, retry_sec: sent, expire_sec: sent };
    for (const [profile, stored] of [
      ["documented", documented],
      ["live", live],
    ] as const) {
      const { call } = await start({ profile });
      expect((await call("POST", "/domains", { ...master, ...times })).body).toMatchObject({
        ttl_sec: stored,
        refresh_sec: stored,
        retry_sec: stored,
        expire_sec: stored,
      });
    }
  });
});

describe("PUT /domains/{domainId}", () => {
  const before = { ...fresh, description: "mine", ttl_sec: 300, axfr_ips: ["192.0.2.2"], tags: ["prod"] };
  beforeEach(async () => {
    await api.call("POST", "/domains", {
      ...master,
      description: "mine",
      ttl_sec: 300,
      axfr_ips: ["192.0.2.2"],
      tags: ["prod"],
    });
  });

  test.each<[string, object, object]>([
    ["nothing changes nothing", {}, {}],
    ["null changes nothing", Object.fromEntries(Object.keys(before).map((key) => [key, null])), {}],
    ["the object as read changes nothing", before, {}],
    ["an empty array empties", { axfr_ips: [], tags: [] }, { axfr_ips: [], tags: [] }],
    ["0 resets a time", { ttl_sec: 0 }, { ttl_sec: 0 }],
    ["a time is rounded", { retry_sec: 400 }, { retry_sec: 300 }],
    ["it can be renamed", { domain: "Example.NET" }, { domain: "Example.NET" }],
    ["its own name in other letter case is no conflict", { domain: "EXAMPLE.com" }, { domain: "EXAMPLE.com" }],
    ["an empty text empties", { description: "" }, { description: "" }],
    [
      "a master becomes a slave when it has masters",
      { type: "slave", master_ips: ["192.0.2.1"] },
      { type: "slave", master_ips: ["192.0.2.1"] },
    ],
    ["it can be disabled", { status: "disabled" }, { status: "disabled" }],
    ["unknown fields are ignored", { id: 7, colour: "blue" }, {}],
  ])("%s", async (_, sent, changes) => {
    const answer = await api.call("PUT", "/domains/1", sent);
    expect(answer).toEqual({ status: 200, body: { ...before, ...changes } });
    expect((await api.call("GET", "/domains/1")).body).toEqual({ ...before, ...changes });
  });

  test.each<[string, object, Parameters<typeof refused>]>([
    [
      "a type that the other fields do not allow",
      { type: "slave" },
      [["You need at least one master DNS server IP address for this zone.", "master_ips"]],
    ],
    ["a master without soa_email", { soa_email: "" }, [["soa_email required when type=master", "soa_email"]]],
    ["a name that another domain has", { domain: "Taken.example" }, [["DNS zone already exists.", "domain"]]],
    ["an invalid name", { domain: "no" }, [["Domain is not valid.", "domain"]]],
  ])("refuses %s", async (_, sent, entries) => {
    await api.domain("taken.example");
    expect(await api.call("PUT", "/domains/1", sent)).toEqual(refused(...entries));
    expect((await api.call("GET", "/domains/1")).body).toEqual(before);
  });

  test("a slave becomes a master if it has a mailbox", async () => {
    const slave = { domain: "example.net", type: "slave", master_ips: ["192.0.2.1"] };
    const { id } = (await api.call("POST", "/domains", slave)).body;
    expect(await api.call("PUT", `/domains/${id}`, { type: "master" })).toEqual(
      refused(["soa_email required when type=master", "soa_email"]),
    );
    const sent = { type: "master", soa_email: "hostmaster@example.net", master_ips: [] };
    expect((await api.call("PUT", `/domains/${id}`, sent)).body).toEqual({
      ...fresh,
      id,
      domain: "example.net",
      ...sent,
    });
  });

  test("refuses a name that makes a record's name too long", async () => {
    await api.call("POST", "/domains/1/records", { type: "A", name: `${"a.".repeat(40)}a`, target: "192.0.2.1" });
    const domain = `${"b.".repeat(87)}example`;
    const tooLong = refused(["Domain is too long for the names of its records.", "domain"]);
    expect(await api.call("PUT", "/domains/1", { domain })).toEqual(tooLong);
    expect(await api.call("POST", "/domains/1/clone", { domain })).toEqual(tooLong);
  });

  test("changes updated, not created, in profile live", async () => {
    const { call, clock } = await start({ profile: "live" });
    await call("POST", "/domains", master);
    clock.now = new Date("2026-03-05T01:02:03Z");
    const { body } = await call("PUT", "/domains/1", { description: "later" });
    expect(body).toMatchObject({ created: noon, updated: "2026-03-05T01:02:03" });
  });
});

test("tags are created on first use and compared without regard to letter case", async () => {
  const first = await api.call("POST", "/domains", { ...master, tags: ["web", "Prod", "PROD"] });
  expect(first.body.tags).toEqual(["web", "Prod"]);
  const second = await api.call("POST", "/domains", { ...master, domain: "example.net", tags: ["pROD"] });
  expect(second.body.tags).toEqual(["Prod"]);
});

describe("POST /domains/{domainId}/clone", () => {
  test("copies the domain and its records under new ids", async () => {
    const id = await api.domain("example.com", [
      { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 },
      { type: "SRV", service: "sip", protocol: "tcp", port: 5060, priority: 1, weight: 2, target: "sip.example.org" },
    ]);
    await api.call("PUT", `/domains/${id}`, { tags: ["prod"], group: "web", axfr_ips: ["192.0.2.2"] });
    api.clock.now = new Date("2026-03-05T00:00:00Z");
    const clone = await api.call("POST", `/domains/${id}/clone`, { domain: "example.net" });
    const moments = { created: "2026-03-05T00:00:00", updated: "2026-03-05T00:00:00" };
    const copied = { tags: ["prod"], group: "web", axfr_ips: ["192.0.2.2"] };
    const expected = { ...fresh, id: 2, domain: "example.net", ...copied, ...moments };
    expect(clone).toEqual({ status: 200, body: expected });
    const record = {
      priority: 0,
      weight: 0,
      port: 0,
      service: null,
      protocol: null,
      tag: null,
      ...moments,
    };
    expect((await api.call("GET", "/domains/2/records")).body.data).toEqual([
      { ...record, id: 3, type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 },
      {
        ...record,
        id: 4,
        type: "SRV",
        name: "_sip._tcp",
        target: "sip.example.org",
        priority: 1,
        weight: 2,
        port: 5060,
        service: "sip",
        protocol: "tcp",
        ttl_sec: 0,
      },
    ]);
    expect((await api.call("GET", "/domains/1/records")).body.results).toBe(2);
  });

  test("a CNAME of the clone excludes other records in any letter case", async () => {
    const id = await api.domain("example.com", [{ type: "CNAME", name: "WWW", target: "example.org" }]);
    await api.call("POST", `/domains/${id}/clone`, { domain: "example.net" });
    expect(await api.call("POST", "/domains/2/records", { type: "A", name: "www", target: "192.0.2.1" })).toEqual(
      refused(["Record conflict - CNAMES must be unique", "name"]),
    );
  });

  test.each<[object, Parameters<typeof refused>]>([
    [{}, [["Domain is required.", "domain"]]],
    [{ domain: "" }, [["Domain is required.", "domain"]]],
    [{ domain: "no" }, [["Domain is not valid.", "domain"]]],
    [{ domain: "EXAMPLE.com" }, [["DNS zone already exists.", "domain"]]],
  ])("refuses %j", async (sent, entries) => {
    const id = await api.domain("example.com");
    expect(await api.call("POST", `/domains/${id}/clone`, sent)).toEqual(refused(...entries));
    expect((await api.call("GET", "/domains")).body.results).toBe(1);
  });
});

test("DELETE deletes the records too, and ids are never reused", async () => {
  const id = await api.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  expect(await api.call("DELETE", `/domains/${id}`)).toEqual({ status: 200, body: {} });
  expect((await api.call("GET", `/domains/${id}`)).status).toBe(404);
  expect((await api.call("GET", `/domains/${id}/records/1`)).status).toBe(404);
  expect(await api.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }])).toBe(2);
  expect((await api.call("GET", "/domains/2/records")).body.data[0].id).toBe(2);
});

describe("POST /domains/import without transfers", () => {
  const sent = { domain: "example.com", remote_nameserver: "ns1.example.org" };
  test.each<["documented" | "live", Parameters<typeof refused>]>([
    ["documented", [["Zone transfers are not configured on this server.", "remote_nameserver"]]],
    ["live", [["An unknown error occured. Please open a ticket for further assistance."]]],
  ])("reports that in profile %s and creates nothing", async (profile, entries) => {
    api = await start({ profile });
    expect(await api.call("POST", "/domains/import", sent)).toEqual(refused(...entries));
    expect((await api.call("GET", "/domains")).body.results).toBe(0);
  });

  test("requires both fields", async () => {
    expect(await api.call("POST", "/domains/import", {})).toEqual(
      refused(["Domain is required.", "domain"], ["remote_nameserver is required", "remote_nameserver"]),
    );
  });
});

test("another account's domain is not found by any endpoint", async () => {
  const id = await api.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  const as = await api.mint({ username: "stranger" });
  for (const [method, path, body] of [
    ["GET", ""],
    ["PUT", "", { description: "mine now" }],
    ["DELETE", ""],
    ["POST", "/clone", { domain: "example.net" }],
    ["GET", "/records"],
    ["POST", "/records", { type: "A", name: "www", target: "192.0.2.1" }],
    ["GET", "/records/1"],
    ["PUT", "/records/1", { target: "192.0.2.2" }],
    ["DELETE", "/records/1"],
    ["GET", "/zone-file"],
  ] as const) {
    const answer = await api.call(method, `/domains/${id}${path}`, body, { as });
    expect(answer, `${method} ${path}`).toEqual({ status: 404, body: { errors: [{ reason: "Not found" }] } });
  }
  expect((await api.call("GET", "/domains", undefined, { as })).body.results).toBe(0);
  const colleague = await api.mint({ username: "colleague", account: "admin" });
  expect((await api.call("GET", `/domains/${id}`, undefined, { as: colleague })).body).toEqual(fresh);
});
