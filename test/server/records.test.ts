// @suite nightly-postgres

import { beforeEach, describe, expect, test } from "vitest";
import { noon, refused, start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  api = await start();
  await api.domain("example.com");
});

/** A new record without the values of its request (decisions/service#records). */
const fresh = {
  id: 1,
  type: "A",
  name: "",
  target: "",
  priority: 0,
  weight: 0,
  port: 0,
  service: null,
  protocol: null,
  ttl_sec: 0,
  tag: null,
  created: noon,
  updated: noon,
};

const a = { type: "A", target: "192.0.2.1" };
const srv = {
  type: "SRV",
  service: "sip",
  protocol: "tcp",
  port: 5060,
  priority: 10,
  weight: 20,
  target: "sip.example.org",
};
const create = (record: object) => api.call("POST", "/domains/1/records", record);
const conflict = refused(["Record conflict - CNAMES must be unique", "name"]);
const notAnAddress: [string, string] = ["Invalid IPv4 or IPv6 address", "target"];
const notAHostname: [string, string] = ["Must be a hostname", "target"];
const invalidName: [string, string] = ["Name contains invalid characters", "name"];

test("POST returns the whole record, its keys in order", async () => {
  const { status, body } = await create({ ...a, name: "www" });
  expect({ status, body }).toEqual({ status: 200, body: { ...fresh, name: "www", target: "192.0.2.1" } });
  expect(Object.keys(body)).toEqual(Object.keys(fresh));
});

describe("name", () => {
  test.each<[string, unknown, string]>([
    // the apex
    ["none", undefined, ""],
    ["null", null, ""],
    ["empty", "", ""],
    ["the zone's own name", "example.com", ""],
    ["the same in other letter case", "EXAMPLE.Com", ""],
    // below it
    ["a label", "www", "www"],
    ["letter case kept", "WWW", "WWW"],
    ["several labels", "a.b.c", "a.b.c"],
    ["a full name loses the zone", "www.example.com", "www"],
    ["a full name in other letter case", "www.EXAMPLE.com", "www"],
    ["a name that ends in the same letters", "wwwexample.com", "wwwexample.com"],
    ["a wildcard", "*", "*"],
    ["a wildcard below a label", "*._domainkey", "*._domainkey"],
    ["a wildcard as a full name", "*.example.com", "*"],
    ["underscores", "_dmarc", "_dmarc"],
    ["common names", "#civilmediation", "#civilmediation"],
    ["a label of 63", "a".repeat(63), "a".repeat(63)],
    ["100 characters", `${"a.".repeat(49)}aa`, `${"a.".repeat(49)}aa`],
    ["100 characters before the zone", `${"a.".repeat(49)}aa.example.com`, `${"a.".repeat(49)}aa`],
  ])("%s", async (_, name, stored) => {
    expect(await create({ ...a, name })).toEqual({
      status: 200,
      body: { ...fresh, name: stored, target: "192.0.2.1" },
    });
  });

  test.each<[string, unknown, Parameters<typeof refused>]>([
    ["the at sign", "@", [invalidName, ["Invalid hostname", "name"]]],
    ["a trailing dot", "www.", [invalidName]],
    ["a full name with a trailing dot", "www.example.com.", [invalidName]],
    ["a wildcard below another label", "a.*", [invalidName]],
    ["a wildcard within a label", "a*", [invalidName]],
    ["white space", "a b", [invalidName]],
    ["a control character", "a\tb", [invalidName]],
    ["a quote", 'a"b', [invalidName]],
    ["an apostrophe", "a'b", [invalidName]],
    ["a backslash", "a\\b", [invalidName]],
    ["letters beyond ASCII", "bücher", [invalidName]],
    ["an empty label", "a..b", [["Labels must be 1-63 characters", "name"]]],
    ["a leading dot", ".a", [["Labels must be 1-63 characters", "name"]]],
    ["a label of 64", "a".repeat(64), [["Labels must be 1-63 characters", "name"]]],
    ["101 characters", `${"a.".repeat(50)}a`, [["Length must be 1-100 characters", "name"]]],
    [
      "101 characters before the zone",
      `${"a.".repeat(50)}a.example.com`,
      [["Length must be 1-100 characters", "name"]],
    ],
    ["254 characters", "a.".repeat(127), [["Length must be 1-100 characters", "name"]]],
    ["a number", 5, [["Must be of type String", "name"]]],
  ])("refuses %s", async (_, name, entries) => {
    expect(await create({ ...a, name })).toEqual(refused(...entries));
  });

  test("name and domain together have at most 253 characters", async () => {
    const id = await api.domain(`${"b.".repeat(80)}example`);
    const post = (name: string) => api.call("POST", `/domains/${id}/records`, { ...a, name });
    expect((await post(`${"a.".repeat(42)}a`)).status).toBe(200);
    expect(await post(`${"a.".repeat(43)}a`)).toEqual(
      refused(["Name with its domain must be at most 253 characters", "name"]),
    );
  });
});

describe("a record as sent and as stored", () => {
  test.each<[string, object, object]>([
    ["A", { ...a }, { target: "192.0.2.1" }],
    ["A of the caller", { type: "A", target: "[remote_addr]" }, { target: "192.0.2.99" }],
    ["AAAA", { type: "AAAA", target: "2001:DB8::1" }, { target: "2001:DB8::1" }],
    ["AAAA with a dotted end", { type: "AAAA", target: "::ffff:192.0.2.1" }, { target: "::ffff:192.0.2.1" }],
    ["CNAME", { type: "CNAME", name: "www", target: "example.org" }, { name: "www", target: "example.org" }],
    [
      "CNAME, dot stripped",
      { type: "CNAME", name: "www", target: "example.org." },
      { name: "www", target: "example.org" },
    ],
    [
      "CNAME, underscores",
      { type: "CNAME", name: "k._domainkey", target: "k._domainkey.example.org" },
      { name: "k._domainkey", target: "k._domainkey.example.org" },
    ],
    [
      "CNAME of a classless reverse zone",
      { type: "CNAME", name: "1", target: "1.0/25.2.0.192.in-addr.arpa." },
      { name: "1", target: "1.0/25.2.0.192.in-addr.arpa" },
    ],
    ["CNAME at a wildcard", { type: "CNAME", name: "*", target: "example.org" }, { name: "*", target: "example.org" }],
    ["MX, priority 0 unless given", { type: "MX", target: "mail.example.org." }, { target: "mail.example.org" }],
    [
      "MX",
      { type: "MX", name: "sub", priority: 255, target: "mail.example.org" },
      { name: "sub", priority: 255, target: "mail.example.org" },
    ],
    ["null MX", { type: "MX", target: "" }, { target: "" }],
    ["null MX below the apex", { type: "MX", name: "sub", target: "" }, { name: "sub", target: "" }],
    ["null MX as a dot", { type: "MX", target: "." }, { target: "" }],
    ["TXT, verbatim", { type: "TXT", target: ' "v=spf1" \\ ü \n ' }, { target: ' "v=spf1" \\ ü \n ' }],
    ["TXT, dot kept", { type: "TXT", target: "end." }, { target: "end." }],
    ["TXT, empty", { type: "TXT", target: "" }, { target: "" }],
    ["TXT of 63,750 octets", { type: "TXT", target: "ü".repeat(31875) }, { target: "ü".repeat(31875) }],
    [
      "CAA of 64,000 octets",
      { type: "CAA", tag: "issue", target: `;${"x".repeat(63992)}` },
      { tag: "issue", target: `;${"x".repeat(63992)}` },
    ],
    [
      "SRV",
      srv,
      {
        name: "_sip._tcp",
        service: "sip",
        protocol: "tcp",
        port: 5060,
        priority: 10,
        weight: 20,
        target: "sip.example.org",
      },
    ],
    [
      "SRV, fields as sent",
      { ...srv, service: "_sip", protocol: "_tcp", name: "ignored" },
      {
        name: "_sip._tcp",
        service: "_sip",
        protocol: "_tcp",
        port: 5060,
        priority: 10,
        weight: 20,
        target: "sip.example.org",
      },
    ],
    [
      "SRV below a label",
      { ...srv, protocol: "tcp.sub" },
      {
        name: "_sip._tcp.sub",
        service: "sip",
        protocol: "tcp.sub",
        port: 5060,
        priority: 10,
        weight: 20,
        target: "sip.example.org",
      },
    ],
    [
      "SRV to a host of the zone",
      { ...srv, target: "sip" },
      {
        name: "_sip._tcp",
        service: "sip",
        protocol: "tcp",
        port: 5060,
        priority: 10,
        weight: 20,
        target: "sip.example.com",
      },
    ],
    [
      "SRV to a host of the zone, dot or no dot",
      { ...srv, target: "sip." },
      { ...srv, name: "_sip._tcp", target: "sip.example.com" },
    ],
    [
      "SRV, dot stripped",
      { ...srv, target: "sip.example.org." },
      {
        name: "_sip._tcp",
        service: "sip",
        protocol: "tcp",
        port: 5060,
        priority: 10,
        weight: 20,
        target: "sip.example.org",
      },
    ],
    [
      "SRV, no such service",
      { ...srv, port: 0, priority: 0, weight: 0, target: "." },
      { name: "_sip._tcp", service: "sip", protocol: "tcp", target: "" },
    ],
    ["CAA", { type: "CAA", tag: "issue", target: "letsencrypt.org" }, { tag: "issue", target: "letsencrypt.org" }],
    [
      "CAA, parameters",
      { type: "CAA", tag: "issue", target: "ca.example; validationmethods=dns-01" },
      { tag: "issue", target: "ca.example; validationmethods=dns-01" },
    ],
    ["CAA, nobody", { type: "CAA", tag: "issuewild", target: ";" }, { tag: "issuewild", target: ";" }],
    [
      "CAA, mail",
      { type: "CAA", tag: "iodef", target: "mailto:security@example.com" },
      { tag: "iodef", target: "mailto:security@example.com" },
    ],
    [
      "CAA, report",
      { type: "CAA", tag: "iodef", target: "https://example.com/caa?x=1" },
      { tag: "iodef", target: "https://example.com/caa?x=1" },
    ],
    ["NS", { type: "NS", name: "sub", target: "ns1.example.org." }, { name: "sub", target: "ns1.example.org" }],
    ["PTR", { type: "PTR", name: "1", target: "host.example.org." }, { name: "1", target: "host.example.org" }],
    [
      "PTR to a name that looks like an address",
      { type: "PTR", name: "1", target: "10.27.9.39" },
      { name: "1", target: "10.27.9.39" },
    ],
    [
      "weight, port and priority on other types",
      { ...a, weight: 1, port: 2, priority: 3 },
      { target: "192.0.2.1", weight: 1, port: 2, priority: 3 },
    ],
    [
      "service, protocol and tag on other types",
      { ...a, service: "sip", protocol: "tcp", tag: "issue" },
      { target: "192.0.2.1" },
    ],
    [
      "null in all other fields",
      {
        ...a,
        name: null,
        priority: null,
        weight: null,
        port: null,
        service: null,
        protocol: null,
        tag: null,
        ttl_sec: null,
      },
      { target: "192.0.2.1" },
    ],
  ])("%s", async (_, sent, stored) => {
    const expected = { ...fresh, type: (sent as { type: string }).type, ...stored };
    expect(await create(sent)).toEqual({ status: 200, body: expected });
    expect((await api.call("GET", "/domains/1/records/1")).body).toEqual(expected);
  });
});

describe("POST refuses", () => {
  test.each<[string, object, Parameters<typeof refused>]>([
    ["no type", { target: "192.0.2.1" }, [["type is required", "type"]]],
    ["an unknown type", { type: "LOC" }, [["Must be one of A, AAAA, NS, MX, CNAME, TXT, SRV, PTR, CAA", "type"]]],
    ["A without a target", { type: "A" }, [["target is required", "target"]]],
    ["A with null for a target", { type: "A", target: null }, [["target is required", "target"]]],
    ["A to an IPv6 address", { type: "A", target: "2001:db8::1" }, [notAnAddress]],
    ["A to a name", { type: "A", target: "example.org" }, [notAnAddress]],
    ["A with a trailing dot", { type: "A", target: "192.0.2.1." }, [notAnAddress]],
    ["A with leading zeros", { type: "A", target: "192.0.2.01" }, [notAnAddress]],
    ["AAAA to an IPv4 address", { type: "AAAA", target: "192.0.2.1" }, [notAnAddress]],
    ["AAAA with a zone", { type: "AAAA", target: "fe80::1%eth0" }, [notAnAddress]],
    ["AAAA from a caller with an IPv4 address", { type: "AAAA", target: "[remote_addr]" }, [notAnAddress]],
    [
      "CNAME at the apex",
      { type: "CNAME", target: "example.org" },
      [["A CNAME needs a name below the domain", "name"]],
    ],
    [
      "CNAME at the apex by its full name",
      { type: "CNAME", name: "example.com", target: "example.org" },
      [["A CNAME needs a name below the domain", "name"]],
    ],
    ["CNAME to nothing", { type: "CNAME", name: "www", target: "" }, [notAHostname]],
    ["CNAME to the root", { type: "CNAME", name: "www", target: "." }, [notAHostname]],
    ["a target with a space", { type: "CNAME", name: "www", target: "a b" }, [notAHostname]],
    ["a target with an empty label", { type: "CNAME", name: "www", target: "a..b" }, [notAHostname]],
    ["a target with two dots at its end", { type: "CNAME", name: "www", target: "a.b.." }, [notAHostname]],
    ["a target with a long label", { type: "CNAME", name: "www", target: `${"a".repeat(64)}.example` }, [notAHostname]],
    ["a target of 254 characters", { type: "CNAME", name: "www", target: `${"a.".repeat(125)}abcd` }, [notAHostname]],
    [
      "MX with priority 256",
      { type: "MX", target: "mail.example.org", priority: 256 },
      [["Must be 0-255", "priority"]],
    ],
    [
      "TXT of 65,536 characters",
      { type: "TXT", target: "x".repeat(65536) },
      [["Length must be 0-65535 characters", "target"]],
    ],
    [
      "TXT of 63,751 octets",
      { type: "TXT", target: `${"ü".repeat(31875)}x` },
      [["The record data would have 64002 octets; at most 64000 fit into a DNS message", "target"]],
    ],
    [
      "CAA of 64,001 octets",
      { type: "CAA", tag: "issue", target: `;${"x".repeat(63993)}` },
      [["The record data would have 64001 octets; at most 64000 fit into a DNS message", "target"]],
    ],
    ["TXT without a target", { type: "TXT" }, [["target is required", "target"]]],
    [
      "SRV with nothing",
      { type: "SRV" },
      [
        ["port is required", "port"],
        ["priority is required", "priority"],
        ["weight is required", "weight"],
        ["target is required", "target"],
      ],
    ],
    [
      "SRV with empty words",
      { ...srv, service: "", protocol: "_" },
      [
        ["service is required", "service"],
        ["protocol is required", "protocol"],
      ],
    ],
    ["SRV with two labels for a service", { ...srv, service: "a.b" }, [["Must be one label", "service"]]],
    [
      "SRV with bad characters",
      { ...srv, service: "a b", protocol: "t@p" },
      [
        ["Name contains invalid characters", "service"],
        ["Name contains invalid characters", "protocol"],
        ["Invalid hostname", "protocol"],
      ],
    ],
    [
      "SRV with numbers out of range",
      { ...srv, port: 65536, weight: -1, priority: 256 },
      [
        ["Must be 0-255", "priority"],
        ["Must be 0-65535", "weight"],
        ["Must be 0-65535", "port"],
      ],
    ],
    ["CAA without a tag", { type: "CAA", target: "ca.example" }, [["tag is required", "tag"]]],
    [
      "CAA with an unknown tag",
      { type: "CAA", tag: "contactemail", target: "a@b.example" },
      [["Must be one of issue, issuewild, iodef", "tag"]],
    ],
    [
      "CAA with a trailing dot",
      { type: "CAA", tag: "issue", target: "ca.example." },
      [["Must be a domain, with parameters after a semicolon, or a semicolon alone", "target"]],
    ],
    [
      "CAA with a flag",
      { type: "CAA", tag: "issue", target: "0 issue ca.example" },
      [["Must be a domain, with parameters after a semicolon, or a semicolon alone", "target"]],
    ],
    [
      "CAA with nothing",
      { type: "CAA", tag: "issue", target: "" },
      [["Must be a domain, with parameters after a semicolon, or a semicolon alone", "target"]],
    ],
    [
      "CAA iodef without a scheme",
      { type: "CAA", tag: "iodef", target: "security@example.com" },
      [["Must be a mailto: or http(s) URL", "target"]],
    ],
    [
      "CAA iodef by FTP",
      { type: "CAA", tag: "iodef", target: "ftp://example.com/" },
      [["Must be a mailto: or http(s) URL", "target"]],
    ],
    [
      "NS at the apex",
      { type: "NS", target: "ns1.example.org" },
      [["The name servers of the domain itself are the service's own; name a subdomain to delegate", "name"]],
    ],
    [
      "NS at a wildcard",
      { type: "NS", name: "*.sub", target: "ns1.example.org" },
      [["A wildcard cannot be delegated", "name"]],
    ],
    ["NS to nothing", { type: "NS", name: "sub", target: "" }, [notAHostname]],
    ["PTR to nothing", { type: "PTR", name: "1", target: "" }, [notAHostname]],
    [
      "every problem at once",
      { type: "AAAA", name: "@", target: "no" },
      [invalidName, ["Invalid hostname", "name"], notAnAddress],
    ],
    [
      "wrong JSON types",
      { type: "MX", name: 1, target: 2, priority: "10", ttl_sec: "300" },
      [
        ["Must be of type String", "name"],
        ["Must be of type String", "target"],
        ["Must be an integer", "priority"],
        ["Must be an integer", "ttl_sec"],
      ],
    ],
    [
      "text that no database stores",
      { type: "TXT", target: "a\0b" },
      [["Contains a character that cannot be stored", "target"]],
    ],
  ])("%s", async (_, sent, entries) => {
    expect(await create(sent)).toEqual(refused(...entries));
    expect((await api.call("GET", "/domains/1/records")).body.results).toBe(0);
  });
});

describe("a CNAME is the only record at its name", () => {
  const cname = { type: "CNAME", name: "www", target: "example.org" };
  test.each<[string, object, object]>([
    ["a CNAME, then another type", cname, { ...a, name: "www" }],
    ["another type, then a CNAME", { ...a, name: "www" }, cname],
    ["two CNAMEs, even equal ones", cname, cname],
    ["in other letter case", cname, { ...a, name: "WWW" }],
    ["by a full name", cname, { ...a, name: "www.example.com" }],
    ["the built name of an SRV", { ...cname, name: "_SIP._tcp" }, srv],
    ["a CNAME at the built name of an SRV", srv, { ...cname, name: "_sip._tcp" }],
  ])("%s", async (_, first, second) => {
    expect((await create(first)).status).toBe(200);
    expect(await create(second)).toEqual(conflict);
  });

  test("an update cannot move another record there", async () => {
    await create(cname);
    await create({ ...a, name: "other" });
    await create({ ...srv, protocol: "tcp.x" });
    await create({ ...cname, name: "_sip._udp" });
    expect(await api.call("PUT", "/domains/1/records/2", { name: "Www" })).toEqual(conflict);
    expect(await api.call("PUT", "/domains/1/records/1", { name: "other" })).toEqual(conflict);
    expect(await api.call("PUT", "/domains/1/records/3", { protocol: "udp" })).toEqual(conflict);
    expect((await api.call("PUT", "/domains/1/records/1", { target: "example.net", name: "www" })).status).toBe(200);
  });

  test("other types may be duplicated, even with equal data", async () => {
    expect((await create({ ...a, name: "www" })).body.id).toBe(1);
    expect((await create({ ...a, name: "www" })).body.id).toBe(2);
  });
});

describe("a null MX is the only MX", () => {
  const mx = { type: "MX", target: "mail.example.org" };
  const nullMx = { type: "MX", target: "" };
  const advertised = refused([
    "Cannot add a new MX record for a domain that already advertises a null MX record.",
    "type",
  ]);
  const others = refused(["Cannot add a null MX record for a domain that has other MX records.", "type"]);

  test("another MX is refused beside it", async () => {
    await create(nullMx);
    expect(await create(mx)).toEqual(advertised);
    expect(await create(nullMx)).toEqual(advertised);
    expect((await create({ ...mx, name: "sub" })).status).toBe(200);
  });

  test("it is refused beside another MX", async () => {
    await create(mx);
    expect(await create(nullMx)).toEqual(others);
    await create({ ...mx, target: "mail2.example.org" });
    expect(await api.call("PUT", "/domains/1/records/1", { target: "" })).toEqual(others);
  });

  test("the only MX may become a null MX, and the reverse", async () => {
    await create(mx);
    expect((await api.call("PUT", "/domains/1/records/1", { target: "" })).body.target).toBe("");
    expect((await api.call("PUT", "/domains/1/records/1", mx)).body.target).toBe("mail.example.org");
  });
});

describe("PUT is partial", () => {
  const stored = { ...fresh, ...srv, name: "_sip._tcp", ttl_sec: 300 };
  beforeEach(async () => {
    await create({ ...srv, ttl_sec: 300 });
    api.clock.now = new Date("2026-03-05T00:00:00Z");
  });

  test.each<[string, object, object]>([
    ["nothing changes nothing", {}, {}],
    ["null changes nothing", Object.fromEntries(Object.keys(stored).map((key) => [key, null])), {}],
    ["the record as read changes nothing", stored, {}],
    ["one field", { port: 5061 }, { port: 5061 }],
    ["0 is a value", { port: 0, ttl_sec: 0 }, { port: 0, ttl_sec: 0 }],
    ["a time is rounded", { ttl_sec: 4000 }, { ttl_sec: 3600 }],
    ["the name follows service and protocol", { protocol: "udp.sub" }, { protocol: "udp.sub", name: "_sip._udp.sub" }],
    ["the name of an SRV is not set by itself", { name: "other" }, {}],
  ])("%s", async (_, sent, changes) => {
    const expected = { ...stored, ...changes, updated: "2026-03-05T00:00:00" };
    expect(await api.call("PUT", "/domains/1/records/1", sent)).toEqual({ status: 200, body: expected });
    expect((await api.call("GET", "/domains/1/records/1")).body).toEqual(expected);
  });

  test.each<[string, object, Parameters<typeof refused>]>([
    ["another type", { type: "A", target: "192.0.2.1" }, [["The type of a record cannot be changed", "type"]]],
    ["an empty service", { service: "" }, [["service is required", "service"]]],
    ["a field that its type does not have", { target: "a b" }, [notAHostname]],
  ])("refuses %s", async (_, sent, entries) => {
    expect(await api.call("PUT", "/domains/1/records/1", sent)).toEqual(refused(...entries));
    expect((await api.call("GET", "/domains/1/records/1")).body).toEqual(stored);
  });

  test("a name that ends in the domain is unchanged when sent back", async () => {
    const name = "example.com";
    await create({ ...a, name: `${name}.example.com` });
    expect((await api.call("PUT", "/domains/1/records/2", { name, target: "192.0.2.2" })).body.name).toBe(name);
  });

  test("an empty name moves a record to the apex", async () => {
    await create({ ...a, name: "www" });
    expect((await api.call("PUT", "/domains/1/records/2", { name: "" })).body.name).toBe("");
  });
});

describe("ttl_sec", () => {
  test.each([
    // sent, documented, live (decisions/service#times)
    [0, 0, 0],
    [60, 300, 120],
    [1950, 3600, 3600],
    [99999999, 2419200, 2419200],
  ])("%i is stored as %i, in profile live as %i", async (ttl_sec, documented, live) => {
    for (const [profile, stored] of [
      ["documented", documented],
      ["live", live],
    ] as const) {
      const { call, domain } = await start({ profile });
      await domain("example.com");
      expect((await call("POST", "/domains/1/records", { ...a, ttl_sec })).body.ttl_sec).toBe(stored);
    }
  });
});

test("DELETE", async () => {
  await create(a);
  expect(await api.call("DELETE", "/domains/1/records/1")).toEqual({ status: 200, body: {} });
  expect(await api.call("DELETE", "/domains/1/records/1")).toEqual({
    status: 404,
    body: { errors: [{ reason: "Not found" }] },
  });
});

test("a record is found only in its own domain", async () => {
  const other = await api.domain("example.net", [a]);
  for (const [method, body] of [["GET"], ["PUT", {}], ["DELETE"]] as const) {
    expect((await api.call(method, "/domains/1/records/1", body)).status).toBe(404);
    expect((await api.call(method, `/domains/${other}/records/1`, body)).status).toBe(200);
  }
});

test("the records of a slave cannot be written", async () => {
  await create(a);
  await api.call("PUT", "/domains/1", { type: "slave", master_ips: ["192.0.2.1"] });
  const reason = "Zones must be set to the master type to update resource records using the API.";
  expect(await create(a)).toEqual(refused([reason]));
  expect(await api.call("PUT", "/domains/1/records/1", {})).toEqual(refused([reason]));
  expect(await api.call("DELETE", "/domains/1/records/1")).toEqual(refused([reason]));
  expect((await api.call("GET", "/domains/1/records")).body.results).toBe(1);
});

test("a domain has at most 12,000 records", async () => {
  await create(a);
  await api.store.write(async (db) => {
    const { id, ...row } = await db.selectFrom("records").selectAll().executeTakeFirstOrThrow();
    const rows = Array.from({ length: 11_998 }, () => row);
    for (let at = 0; at < rows.length; at += 1000)
      await db
        .insertInto("records")
        .values(rows.slice(at, at + 1000))
        .execute();
  });
  expect((await create(a)).status).toBe(200);
  expect(await create(a)).toEqual(refused(["A domain holds at most 12,000 records."]));
  expect((await api.call("GET", "/domains/1/records?page=24&page_size=500")).body).toMatchObject({
    page: 24,
    pages: 24,
    results: 12_000,
  });
});

test("the long targets of a domain share a limit", async () => {
  api = await start({ textRoom: 1024 });
  await api.domain("example.com");
  const full = refused([
    "The targets of 256 octets and more in a domain may have at most 1,024 octets in total.",
    "target",
  ]);
  const text = (octets: number) => ({ type: "TXT", target: "\u{1f980}".repeat(octets / 4) });
  for (const octets of [512, 256, 252, 252]) expect((await create(text(octets))).status).toBe(200);
  expect(await create(text(260))).toEqual(full);
  expect(await api.call("PUT", "/domains/1/records/1", text(772))).toEqual(full);
  expect((await api.call("PUT", "/domains/1/records/1", text(768))).status).toBe(200);
  expect(await api.call("PUT", "/domains/1/records/3", text(256))).toEqual(full);
  expect((await create(text(252))).status).toBe(200);
  await api.call("DELETE", "/domains/1/records/2");
  expect((await create(text(256))).status).toBe(200);
});
