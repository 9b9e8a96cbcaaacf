// @suite postgres

import { describe, expect, test } from "vitest";
import { start } from "./start.ts";

const a = { type: "A", name: "www", target: "192.0.2.1" };

async function begin(options: Parameters<typeof start>[0] = {}) {
  const api = await start(options);
  const zoneFile = async (id = 1) => (await api.call("GET", `/domains/${id}/zone-file`)).body.zone_file as string[];
  const serial = async (id = 1) => Number((await zoneFile(id))[2]?.split(" ").at(-5));
  const at = (time: string) => {
    api.clock.now = new Date(`2026-03-04T${time}Z`);
  };
  return { ...api, zoneFile, serial, at };
}

test("a zone with every type is rendered (decisions/service#zone-file)", async () => {
  const api = await begin({ nameservers: ["ns1.example.net", "ns2.example.net."] });
  await api.domain("example.com", [
    { type: "A", target: "192.0.2.1" },
    { ...a, name: "WWW", ttl_sec: 300 },
    { type: "AAAA", name: "www", target: "2001:db8::1" },
    { type: "CNAME", name: "*.dev", target: "host.example.org" },
    { type: "MX", priority: 10, target: "mail.example.com", ttl_sec: 3600 },
    { type: "NS", name: "sub", target: "ns.example.org" },
    { type: "PTR", name: "1", target: "10.27.9.39" },
    { type: "SRV", service: "sip", protocol: "tcp.sub", priority: 1, weight: 2, port: 5060, target: "sip" },
    { type: "SRV", service: "_imap", protocol: "_tcp", priority: 0, weight: 0, port: 0, target: "." },
    { type: "CAA", tag: "issue", target: ";" },
    { type: "CAA", tag: "iodef", target: "mailto:security@example.com" },
    { type: "A", name: "#civilmediation", target: "192.0.2.1" },
    { type: "A", name: "a(b);c$d", target: "192.0.2.1" },
  ]);
  expect(await api.zoneFile()).toEqual([
    "; example.com [1]",
    "$TTL 86400",
    "@  IN  SOA  ns1.example.net. hostmaster.example.com. 2026000001 14400 14400 1209600 86400",
    "@ NS ns1.example.net.",
    "@ NS ns2.example.net.",
    "@ A 192.0.2.1",
    "WWW 300 A 192.0.2.1",
    "www AAAA 2001:db8::1",
    "*.dev CNAME host.example.org.",
    "@ 3600 MX 10 mail.example.com.",
    "sub NS ns.example.org.",
    "1 PTR 10.27.9.39.",
    "_sip._tcp.sub SRV 1 2 5060 sip.example.com.",
    "_imap._tcp SRV 0 0 0 .",
    '@ CAA 0 issue ";"',
    '@ CAA 0 iodef "mailto:security@example.com"',
    "#civilmediation A 192.0.2.1",
    "a\\(b\\)\\;c\\$d A 192.0.2.1",
  ]);
});

test("the domain's times and mailbox are rendered", async () => {
  const api = await begin();
  const times = { ttl_sec: 300, refresh_sec: 3600, retry_sec: 7200, expire_sec: 604800 };
  await api.call("POST", "/domains", {
    domain: "Example.com",
    type: "master",
    soa_email: "john.doe@example.org",
    ...times,
  });
  expect(await api.zoneFile()).toEqual([
    "; Example.com [1]",
    "$TTL 300",
    "@  IN  SOA  ns1.example.net. john\\.doe.example.org. 2026000001 3600 7200 604800 300",
    "@ NS ns1.example.net.",
  ]);
});

describe("a text is quoted and split only when rendered", () => {
  test.each<[string, string, string]>([
    ["plain", "v=spf1 -all", '"v=spf1 -all"'],
    ["empty", "", '""'],
    ["a quote and a backslash", 'a"b\\c', '"a\\"b\\\\c"'],
    ["a semicolon", "v=DKIM1; k=rsa", '"v=DKIM1; k=rsa"'],
    ["beyond ASCII, by octets of UTF-8", "ü€", '"\\195\\188\\226\\130\\172"'],
    ["control characters", "a\tb\nc", '"a\\009b\\010c"'],
    ["255 octets", "x".repeat(255), `"${"x".repeat(255)}"`],
    ["256 octets", "x".repeat(256), `"${"x".repeat(255)}" "x"`],
    ["256 octets in 255 characters", `${"x".repeat(254)}ü`, `"${"x".repeat(254)}\\195" "\\188"`],
  ])("%s", async (_, target, rdata) => {
    const api = await begin();
    await api.domain("example.com", [{ type: "TXT", target }]);
    expect((await api.zoneFile()).at(-1)).toBe(`@ TXT ${rdata}`);
  });
});

test("the null MX", async () => {
  const api = await begin();
  await api.domain("example.com", [{ type: "MX", target: "" }]);
  expect((await api.zoneFile()).at(-1)).toBe("@ MX 0 .");
});

describe("the serial", () => {
  test("increases with every rendered change, not by reading", async () => {
    const api = await begin();
    await api.domain("example.com", [a]);
    expect(await api.serial()).toBe(2026000001);
    expect(await api.serial()).toBe(2026000001);
    for (const [method, path, body] of [
      ["POST", "/records", { ...a, name: "mail" }],
      ["PUT", "/records/1", { target: "192.0.2.2" }],
      ["PUT", "/records/1", { ttl_sec: 300 }],
      ["DELETE", "/records/1"],
      ["PUT", "", { ttl_sec: 300 }],
      ["PUT", "", { soa_email: "keeper@example.com" }],
      ["PUT", "", { domain: "EXAMPLE.com" }],
    ] as const) {
      const before = await api.serial();
      expect((await api.call(method, `/domains/1${path}`, body)).status).toBe(200);
      expect(await api.serial(), `${method} ${path} ${JSON.stringify(body)}`).toBe(before + 1);
    }
  });

  test("stays after a change that is not part of the zone", async () => {
    const api = await begin();
    await api.domain("example.com", [a]);
    const before = await api.zoneFile();
    await api.call("PUT", "/domains/1", { description: "mine", tags: ["prod"], group: "web", axfr_ips: ["192.0.2.9"] });
    await api.call("PUT", "/domains/1/records/1", { target: a.target, weight: 5 });
    await api.call("POST", "/domains/1/records", { ...a, name: "gone" });
    await api.call("DELETE", "/domains/1/records/2");
    expect(await api.zoneFile()).toEqual(before);
  });

  test("starts with the year and never decreases", async () => {
    const api = await begin();
    await api.domain("example.com");
    const change = () => api.call("POST", "/domains/1/records", a);
    expect(await api.serial()).toBe(2026000001);
    api.clock.now = new Date("2027-01-01T00:00:00Z");
    await change();
    expect(await api.serial()).toBe(2027000001);
    api.clock.now = new Date("2026-12-31T00:00:00Z");
    await change();
    expect(await api.serial()).toBe(2027000002);
  });

  test("continues for a domain that is deleted and recreated", async () => {
    const api = await begin();
    await api.domain("example.com");
    expect(await api.serial()).toBe(2026000001);
    await api.call("DELETE", "/domains/1");
    await api.domain("Example.com");
    expect(await api.serial(2)).toBe(2026000002);
  });

  test("increases when the service's name servers change", async () => {
    const before = await begin();
    await before.domain("example.com");
    expect(await before.serial()).toBe(2026000001);
    const after = await begin({ store: before.store, nameservers: ["ns9.example.net"] });
    expect((await after.zoneFile()).slice(2)).toEqual([
      "@  IN  SOA  ns9.example.net. hostmaster.example.com. 2026000002 14400 14400 1209600 86400",
      "@ NS ns9.example.net.",
    ]);
    expect(await after.serial()).toBe(2026000002);
  });
});

test.each([
  [[], "no name server is given"],
  [["ns1.example.net", "ns 2"], 'invalid name server "ns 2"'],
  [["192.0.2.1"], 'invalid name server "192.0.2.1"'],
])("name servers %j are refused at the start", async (nameservers, sentence) => {
  await expect(start({ nameservers })).rejects.toThrow(sentence);
});

describe("domains that are not rendered", () => {
  test("a disabled domain, which later gets a new serial", async () => {
    const api = await begin();
    await api.domain("example.com", [a]);
    expect(await api.serial()).toBe(2026000001);
    await api.call("PUT", "/domains/1", { status: "disabled" });
    expect(await api.zoneFile()).toEqual([]);
    await api.call("PUT", "/domains/1", { status: "active" });
    expect(await api.serial()).toBe(2026000002);
  });

  test("a slave", async () => {
    const api = await begin();
    await api.call("POST", "/domains", { domain: "example.com", type: "slave", master_ips: ["192.0.2.1"] });
    expect(await api.zoneFile()).toEqual([]);
  });
});

describe("with a delay of 60 seconds", () => {
  test("a new domain has no zone file until it is rendered", async () => {
    const api = await begin({ renderDelay: 60 });
    api.at("12:00:00");
    await api.domain("example.com", [a]);
    api.at("12:00:59");
    expect(await api.zoneFile()).toEqual([]);
    api.at("12:01:00");
    expect((await api.zoneFile()).at(-1)).toBe("www A 192.0.2.1");
  });

  test("the last rendered zone stays until the next rendering", async () => {
    const api = await begin({ renderDelay: 60 });
    await api.domain("example.com", [a]);
    api.at("12:02:00");
    const first = await api.zoneFile();
    await api.call("PUT", "/domains/1/records/1", { target: "192.0.2.2" });
    api.at("12:02:30");
    await api.call("PUT", "/domains/1/records/1", { target: "192.0.2.3" });
    api.at("12:02:59");
    expect(await api.zoneFile()).toEqual(first);
    api.at("12:03:00");
    expect((await api.zoneFile()).at(-1)).toBe("www A 192.0.2.3");
    expect(await api.serial()).toBe(2026000002);
  });

  test("the result does not depend on earlier reads", async () => {
    const api = await begin({ renderDelay: 60 });
    await api.domain("example.com", [a]);
    api.at("12:05:00");
    await api.call("PUT", "/domains/1/records/1", { target: "192.0.2.2" });
    expect((await api.zoneFile()).at(-1)).toBe("www A 192.0.2.1");
    api.at("12:06:00");
    expect((await api.zoneFile()).at(-1)).toBe("www A 192.0.2.2");
  });

  test("a disabled domain keeps its zone file until then", async () => {
    const api = await begin({ renderDelay: 60 });
    await api.domain("example.com", [a]);
    api.at("12:02:00");
    const first = await api.zoneFile();
    await api.call("PUT", "/domains/1", { status: "disabled" });
    expect(await api.zoneFile()).toEqual(first);
    api.at("12:03:00");
    expect(await api.zoneFile()).toEqual([]);
  });
});
