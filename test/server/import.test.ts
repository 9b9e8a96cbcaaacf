// @suite postgres

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { abortedError, TransferError } from "../../src/dns/transfer/transfer-error.ts";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { type AddressFilter, allowAddresses, type Network } from "../../src/server/kit/allowed-networks.ts";
import { createRemote, type Remote } from "../../src/server/kit/remote.ts";
import { proxy } from "../dns/transfer/fake-server.ts";
import { binaries, programs, type Running, startNameServer } from "../dns/transfer/nameservers.ts";
import { readBind, recordsText } from "../formats/api.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { noon, refused, start } from "./start.ts";

const soa = "@ 3600 IN SOA ns.example.net. john\\.doe.example.com. 7 7200 3600 1209600 300";

/** Records of all types that the API supports, and of some others. */
const good = `${soa}
@ 3600 IN NS ns.example.net.
@ 3600 IN NS ns2.example.net.
@ 300 IN A 192.0.2.1
@ 300 IN MX 10 mail.example.com.
@ 300 IN TXT "v=spf1 " "-all"
@ 300 IN CAA 0 issue "ca.example.net"
www 300 IN CNAME example.com.
WWW.sub 500 IN AAAA 2001:db8::1
deep.example.com 300 IN A 192.0.2.2
_sip._tcp 300 IN SRV 1 2 5060 sip.example.com.
sip 300 IN A 192.0.2.3
mail 300 IN A 192.0.2.4
1 300 IN PTR host.example.net.
cut 300 IN NS ns.example.net.
* 300 IN TXT "any"
loc 300 IN LOC 51 30 12.748 N 0 7 39.612 W 0.00m 1m 10000m 10m
ssh 300 IN SSHFP 1 1 123456789abcdef67890123456789abcdef67890
ssh 300 IN SSHFP 2 1 123456789abcdef67890123456789abcdef67890
`;

const local = allowAddresses([{ address: "127.0.0.0", prefix: 8 }]);

async function begin(isAllowed: AddressFilter = local, profile: "documented" | "live" = "documented") {
  return start({ profile, remote: createRemote({ isAllowed }) });
}

/** A name server whose zone is `text`, without a network. */
function remoteWith(text: string): Remote {
  const { zone } = readBind({ file: "zone", bytes: Buffer.from(text), origin: domainName("example.com.") });
  return {
    transfer: async () => ({ records: [...zone.records], unread: [] }),
    soa: () => expect.fail("nobody asks for the SOA record"),
  };
}

type Api = Awaited<ReturnType<typeof start>>;

const importFrom = (api: Api, { host, port }: ServerAddress, domain = "example.com") =>
  api.call("POST", "/domains/import", { domain, remote_nameserver: `${host}:${port}` });

async function expectNothingStored(api: Api): Promise<void> {
  expect((await api.call("GET", "/domains")).body.results).toBe(0);
  expect((await api.call("GET", "/account/events")).body.results).toBe(0);
}

for (const program of programs)
  describe.skipIf(isMissing(binaries[program]))(`from ${program}`, () => {
    let open: Running;
    let closed: Running;
    beforeAll(async () => {
      const hosts = Array.from(
        { length: 99_998 },
        (_, n) => `h${n} 300 IN A 10.${n >> 16}.${(n >> 8) & 255}.${n & 255}\n`,
      );
      const large = `${soa}\n@ 300 IN NS ns.example.net.\n${hosts.join("")}`;
      open = await startNameServer(program, { zones: { "example.com.": good, "large.example.": large } });
      closed = await startNameServer(program, { zones: { "example.com.": good }, transfer: "nobody" });
    });
    afterAll(() => Promise.all([open, closed].map((server) => server?.stop())));

    test("a zone is imported, and its event lists the differences", async () => {
      const api = await begin();
      const { status, body } = await importFrom(api, open);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          id: 1,
          type: "master",
          domain: "example.com",
          status: "active",
          description: "",
          group: "",
          soa_email: "john.doe@example.com",
          ttl_sec: 300,
          refresh_sec: 7200,
          retry_sec: 3600,
          expire_sec: 1209600,
          master_ips: [],
          axfr_ips: [],
          tags: [],
          created: noon,
          updated: noon,
        },
      });
      const { zone_file } = (await api.call("GET", "/domains/1/zone-file")).body;
      const rendered = readBind({
        file: "rendered",
        bytes: Buffer.from(zone_file.join("\n")),
        origin: domainName("example.com."),
      });
      const expected = good
        .replace("WWW.sub 500", "WWW.sub 300")
        .replace('"v=spf1 " "-all"', '"v=spf1 -all"')
        .split("\n")
        .filter((line) => !/^@ 3600| LOC | SSHFP /.test(line));
      const wanted = readBind({
        file: "wanted",
        bytes: Buffer.from(expected.join("\n")),
        origin: domainName("example.com."),
      });
      const lines = (zone: typeof wanted.zone) =>
        recordsText([zone])
          .split("\n")
          .filter((line) => !/ SOA |^example.com. 300 IN NS /.test(line));
      expect(lines(rendered.zone)).toEqual(lines(wanted.zone));
      const { data } = (await api.call("GET", "/account/events")).body;
      expect(data).toMatchObject([
        {
          action: "dns_zone_import",
          entity: { label: "example.com", id: 1, type: "domain", url: "/v4/domains/1" },
          message: expect.stringMatching(
            /^13 records from 127\.0\.0\.1:\d+; the NS set at the apex is replaced by the service's own; left out: (LOC \(1\), SSHFP \(2\)|SSHFP \(2\), LOC \(1\)); 1 TTLs rounded$/,
          ),
        },
      ]);
    });

    test("a refused transfer is reported", async () => {
      const api = await begin();
      const { status, body } = await importFrom(api, closed);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ field: "remote_nameserver" }]);
      expect(body.errors[0].reason).toMatch(/^The zone transfer failed: the server (refused|is not authoritative)/);
      await expectNothingStored(api);
      const live = await begin(local, "live");
      expect(await importFrom(live, closed)).toEqual(
        refused(["An unknown error occured. Please open a ticket for further assistance."]),
      );
      await expectNothingStored(live);
    });

    test("a truncated stream is reported", async () => {
      const api = await begin();
      expect(await importFrom(api, await proxy(open, 300))).toEqual(
        refused([
          "The zone transfer failed: the connection ended before a whole DNS message. Try again, or use another server of the zone.",
          "remote_nameserver",
        ]),
      );
      await expectNothingStored(api);
    });

    test("reading stops before 100,000 records", async () => {
      const api = await begin();
      expect(await importFrom(api, open, "large.example")).toEqual(
        refused([
          "The zone transfer failed: the zone has more than 60000 records. This service imports no larger zone.",
          "remote_nameserver",
        ]),
      );
      await expectNothingStored(api);
    });
  });

describe("one record that cannot be stored refuses the whole zone", () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, n) => `h${n} 300 A 192.0.2.1`).join("\n");
  test.each<[string, string[]]>([
    ['@ 300 CAA 128 issue "ca.example.net"', ["@ CAA has flags 128 instead of 0"]],
    ["@ 300 MX 300 mail", ["@ MX has priority 300; the limit is 255"]],
    [
      `${"a".repeat(60)}.${"b".repeat(60)} 300 A 192.0.2.1`,
      [`${"a".repeat(60)}.${"b".repeat(60)} is 121 characters long; the limit is 100`],
    ],
    ["www 300 CNAME a\nwww 300 A 192.0.2.1", ["www.example.com. A: Record conflict - CNAMES must be unique"]],
    ["@ 300 CNAME a", ["example.com. CNAME: A CNAME needs a name below the domain"]],
    ["*.x 300 NS ns.example.net.", ["*.x.example.com. NS: A wildcard cannot be delegated"]],
    [String.raw`@ 300 TXT "\255"`, ["the text of @ TXT is not valid UTF-8"]],
    [`@ 300 TXT ${`"${"x".repeat(100)}" `.repeat(638)}`, ["@ TXT has 64,051 octets of RDATA; the limit is 64,000"]],
    [hosts(12_001), ["it has 12001 records. A domain holds at most 12,000 records."]],
  ])("%.60s", async (text, reasons) => {
    const api = await start({ remote: remoteWith(`${soa}\n${text}\n`) });
    const said = reasons.map(
      (reason) => [`The zone cannot be imported: ${reason}`, "remote_nameserver"] as [string, string],
    );
    expect(await importFrom(api, { host: "ns.example.net", port: 53 })).toEqual(refused(...said));
    await expectNothingStored(api);
  });

  test("text over the limit is refused", async () => {
    const long = `@ 300 TXT ${`"${"x".repeat(250)}" `.repeat(2)}\n`;
    const api = await start({ remote: remoteWith(`${soa}\n${long}a${long.slice(1)}`), textRoom: 999 });
    const reason =
      "The zone cannot be imported: The targets of 256 octets and more in a domain may have at most 999 octets in total.";
    expect(await importFrom(api, { host: "ns.example.net", port: 53 })).toEqual(refused([reason, "remote_nameserver"]));
    await expectNothingStored(api);
  });

  test("12,000 records are accepted", async () => {
    const api = await start({ remote: remoteWith(`${soa}\n${hosts(12_000)}\n`) });
    expect((await importFrom(api, { host: "ns.example.net", port: 53 })).status).toBe(200);
    expect((await api.call("GET", "/domains/1/records")).body.results).toBe(12_000);
  });

  test("a SOA record without a mailbox", async () => {
    const api = await start({ remote: remoteWith(soa.replace("john\\.doe.example.com.", ".")) });
    expect(await importFrom(api, { host: "ns.example.net", port: 53 })).toEqual(
      refused([
        "The zone cannot be imported: its SOA record gives soa_email: soa_email required when type=master",
        "remote_nameserver",
      ]),
    );
  });
});

test("eight transfers run at once, four of one account; a further one gets 429 until one succeeds or fails", async () => {
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const { transfer, soa: none } = remoteWith(soa);
  const remote: Remote = {
    soa: none,
    transfer: async (zone, server) => {
      await new Promise<void>((resolve, reject) => waiting.set(zone, { resolve, reject }));
      return transfer(zone, server);
    },
  };
  const api = await start({ remote });
  const [one, other, third] = [api.token, await api.mint({ username: "other" }), await api.mint({ username: "third" })];
  const ask = (index: number, as: string) => {
    const body = { domain: `zone${index}.example`, remote_nameserver: "ns.example.net" };
    return api.ask("POST", "/v4/domains/import", body, { as });
  };
  const until = async (count: number) => {
    while (waiting.size < count) await new Promise(setImmediate);
  };
  const underWay = [0, 1, 2, 3].map((index) => ask(index, one));
  await until(4);
  expect((await ask(8, one)).status).toBe(429);
  underWay.push(...[4, 5, 6, 7].map((index) => ask(index, other)));
  await until(8);
  const refusal = await ask(8, third);
  expect({ status: refusal.status, body: await refusal.json() }).toEqual({
    status: 429,
    body: { errors: [{ reason: "Too many requests" }] },
  });
  expect(Number(refusal.headers.get("Retry-After"))).toBeGreaterThan(0);
  waiting.get("zone0.example.")?.resolve();
  waiting.get("zone1.example.")?.reject(new TransferError("transfer/timeout", "no answer"));
  const ended = [await underWay[0], await underWay[1]];
  expect(ended.map((response) => response?.status)).toEqual([200, 400]);
  const others = [ask(9, one), ask(10, third)];
  await until(10);
  expect((await ask(11, third)).status).toBe(429);
  for (const { resolve } of waiting.values()) resolve();
  const all = await Promise.all([...underWay, ...others]);
  expect(all.map(({ status }) => status)).toEqual([200, 400, ...Array(8).fill(200)]);
});

test("a client that leaves ends its transfer", async () => {
  let asked: AbortSignal | undefined;
  const remote: Remote = {
    soa: () => expect.fail("imports need no SOA record"),
    transfer: (_, __, signal) => {
      asked = signal;
      return new Promise((___, reject) => signal?.addEventListener("abort", () => reject(abortedError())));
    },
  };
  const api = await start({ remote });
  const client = new AbortController();
  const body = JSON.stringify({ domain: "example.com", remote_nameserver: "ns.example.net" });
  const headers = { Authorization: `Bearer ${api.token}` };
  const request = new Request("http://api/v4/domains/import", { method: "POST", body, headers, signal: client.signal });
  const reply = api.server(request);
  while (asked === undefined) await new Promise(setImmediate);
  client.abort();
  expect((await reply).status).toBe(400);
  await expectNothingStored(api);
});

test("a TTL of 0 becomes the shortest, because 0 in the API is the zone's TTL", async () => {
  const api = await start({ remote: remoteWith(`${soa}\nwww 0 A 192.0.2.1`) });
  await importFrom(api, { host: "ns.example.net", port: 53 });
  expect((await api.call("GET", "/domains/1/records/1")).body.ttl_sec).toBe(300);
});

test("an invalid request sends no query", async () => {
  const api = await start({ remote: { transfer: () => expect.fail("asked"), soa: () => expect.fail("asked") } });
  await api.domain("example.com");
  const ask = (body: object) => api.call("POST", "/domains/import", body);
  expect(await ask({ domain: "Example.com", remote_nameserver: "ns.example.net" })).toEqual(
    refused(["DNS zone already exists.", "domain"]),
  );
  expect((await ask({ domain: "example.org", remote_nameserver: 5 })).status).toBe(400);
  expect((await ask({ domain: 5, remote_nameserver: "ns.example.net" })).status).toBe(400);
  expect(await ask({ domain: "example.org", remote_nameserver: "ns\0" })).toMatchObject({ status: 400 });
});

const unreachable = refused([
  "The zone transfer failed: the name server cannot be reached. Check its name and address, and that it answers on " +
    "port 53 over TCP; the operator of this service may have to allow its network or port.",
  "remote_nameserver",
]);

test.each<[string, Network[], number, boolean]>([
  ["8.8.8.8", [], 53, true],
  ["8.8.8.8", [], 22, false],
  ["2001:4860:4860::8888", [], 5353, false],
  ["127.0.0.1", [], 53, false],
  ["127.0.0.1", [{ address: "127.0.0.0", prefix: 8 }], 5300, true],
  ["8.8.8.8", [{ address: "127.0.0.0", prefix: 8 }], 5300, false],
])("%s is allowed by %j at port %i: %s", (address, allowed, port, expected) => {
  expect(allowAddresses(allowed)(address, port)).toBe(expected);
});

describe("allowed addresses", () => {
  test.each([
    ["8.8.8.8", true],
    ["2606:4700::1111", true],
    ["127.0.0.1", false],
    ["10.1.2.3", false],
    ["172.31.255.255", false],
    ["172.32.0.1", true],
    ["192.168.1.1", false],
    ["169.254.169.254", false],
    ["100.100.0.1", false],
    ["0.0.0.0", false],
    ["255.255.255.255", false],
    ["::1", false],
    ["::", false],
    ["::ffff:10.0.0.1", false],
    ["::ffff:8.8.8.8", true],
    ["::ffff:a00:1", false],
    ["64:ff9b::a00:1", false],
    ["64:ff9b::808:808", true],
    ["2002:a00:1::1", false],
    ["2001:db8::53", false],
    ["3fff::53", false],
    ["192.0.2.53", false],
    ["198.51.100.53", false],
    ["203.0.113.53", false],
    ["198.18.0.1", false],
    ["224.0.0.1", false],
    ["fd00::1", false],
    ["fe80::1%eth0", false],
    ["ff02::1", false],
    // an IPv4 address translated without state (RFC 2765), and unassigned blocks
    ["::ffff:0:a00:1", false],
    ["100:0:0:1::1", false],
    ["4000::1", false],
    ["2620:fe::fe", true],
  ])("%s: %s", (address, expected) => {
    expect(allowAddresses()(address)).toBe(expected);
  });

  test.each(["127.0.0.1", "localhost", "2130706433", "[::1]"])(
    "%s is queried only if the operator allows it",
    async (host) => {
      const api = await begin(allowAddresses());
      const sent = { domain: "example.com", remote_nameserver: `${host}:1` };
      expect(await api.call("POST", "/domains/import", sent)).toEqual(unreachable);
      // Not even whether a name exists in the operator's network is told.
      expect(await api.call("POST", "/domains/import", { ...sent, remote_nameserver: "no-such.invalid" })).toEqual(
        unreachable,
      );
    },
  );
});
