import { expect, onTestFinished, test } from "vitest";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import { listenDns } from "../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../src/server/server.ts";
import { startNameServer } from "../dns/transfer/nameservers.ts";
import { serveZones } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { waitForCurrent } from "../server/nameserver/wait-for-current.ts";
import { apiDesk, Desk, lines, noon } from "./run.ts";

const old = lines`
  @ 3600 IN SOA ns1.old.example. hostmaster 7 7200 3600 1209600 600
  @ 3600 IN NS ns1.old.example.
  @ 300 IN MX 10 mail
  www 300 IN A 192.0.2.1
  mail 86400 IN A 192.0.2.25
  alias 300 IN CNAME www
  chain 300 IN CNAME alias
  *.wild 300 IN TXT "any"
  deep.under.ent 300 IN A 192.0.2.9
  sub 300 IN NS ns.sub
  ns.sub 300 IN A 192.0.2.53
  gone 300 IN A 192.0.2.7
  tree 300 IN DNAME www.example.net.
  a\.dot 300 IN TXT "escaped"
`;

const changed = old
  .replace("ns1.old.example. hostmaster 7", "ns1.new.example. hostmaster 1")
  .replace("NS ns1.old.example.", "NS ns1.new.example.")
  .replace("www 300 IN A 192.0.2.1", "www 3600 IN A 192.0.2.1")
  .replace("MX 10 mail", "MX 20 mail")
  .replace("gone 300 IN A 192.0.2.7\n", "")
  .replace('*.wild 300 IN TXT "any"', '*.wild 300 IN TXT "some"')
  .replace("deep.under.ent", "deep.under.other")
  .replace("NS ns.sub\n", "NS ns2.sub\n");

const records = `\
  RDATA      @ MX 300
             - 10 mail.example.com.
             + 20 mail.example.com.
  only in A  deep.under.ent A 300 192.0.2.9
  only in A  gone A 300 192.0.2.7
  only in B  deep.under.other A 300 192.0.2.9
  RDATA      sub NS 300
             - ns.sub.example.com.
             + ns2.sub.example.com.
  RDATA      *.wild TXT 300
             - "any"
             + "some"
  TTL        www A 300 → 3600
  ignored: @ NS, @ SOA (every service sets its own)
`;

test.skipIf(isMissing("named"))("two name servers: records, answers and the times of the cut-over", async () => {
  const [a, b] = [await serveZones({ "example.com.": old }), await serveZones({ "example.com.": changed })];
  const desk = new Desk();
  desk.width = 80;
  desk.shown.push([a, "OLD"], [b, "NEW"]);
  const { code, out, talk } = await desk.run(`compare @${a} @${b} example.com --ttl`);
  expect([code, talk, out]).toEqual([
    2,
    "",
    `\
A @OLD
B @NEW
example.com: differs
${records}\
  45 questions asked: 20 answers differ, 20 of them because of the records above
  resolvers keep
    old answer for deep.under.other A  600 s (10 minutes), that there is none
    old answer for @ MX                300 s (5 minutes)
    old answer for deep.under.ent A    300 s (5 minutes)
    old answer for gone A              300 s (5 minutes)
    old answer for sub NS              300 s (5 minutes)
    old answer for *.wild TXT          300 s (5 minutes)
    old answer for www A               300 s (5 minutes)
    absent names and records           600 s (10 minutes)
    NS set at the parent               not asked
    NS set in the old zone             3600 s (1 hour)
    longest TTL, mail A                86400 s (1 day)
  Do not change the delegation yet: fix the differences above first.
  Keep the old name servers for at least 86400 s (1 day) after the change,
    longer if the NS set at the parent has a longer TTL; --parent asks for it.
1 zone: 0 equal, 1 different, 0 incomplete
`,
  ]);
});

test.skipIf(isMissing("named"))("without the right to transfer, only answers are compared", async () => {
  const b = await serveZones({ "example.com.": changed }, { transfer: "nobody" });
  const desk = new Desk({ "old/example.com.zone": old });
  desk.shown.push([b, "NEW"]);
  const { code, out, talk } = await desk.run(`compare old/example.com.zone @${b}`);
  expect([code, talk]).toEqual([2, ""]);
  expect(out).toMatchInlineSnapshot(`
    "A old/example.com.zone
    B @NEW
    example.com: differs
      records not compared: NEW: the server refused the request
        (REFUSED)
      only answers are compared: a name that only B has is not found
      ignored: @ SOA, @ NS (every service sets its own)
      answer     @ MX
                 - 300 MX 10 mail.example.com.
                 + 300 MX 20 mail.example.com.
      answer     www A
                 - 300 A 192.0.2.1
                 + 3600 A 192.0.2.1
      answer     *.wild TXT
                 - 300 TXT "any"
                 + 300 TXT "some"
      answer     zw-0000000000000001.wild TXT (wildcard)
                 - 300 TXT "any"
                 + 300 TXT "some"
      answer     deep.under.ent A
                 - 300 A 192.0.2.9
                 + NXDOMAIN
      answer     deep.under.ent TXT (absent type)
                 - NODATA
                 + NXDOMAIN
      answer     sub NS
                 - referral to ns.sub.example.com., TTL 300
                 + referral to ns2.sub.example.com., TTL 300
      answer     sub TXT (absent type)
                 - referral to ns.sub.example.com., TTL 300
                 + referral to ns2.sub.example.com., TTL 300
      answer     zw-0000000000000001.sub A (absent name)
                 - referral to ns.sub.example.com., TTL 300
                 + referral to ns2.sub.example.com., TTL 300
      answer     ns.sub A
                 - referral to ns.sub.example.com., TTL 300
                 + referral to ns2.sub.example.com., TTL 300
      answer     ns.sub TXT (absent type)
                 - referral to ns.sub.example.com., TTL 300
                 + referral to ns2.sub.example.com., TTL 300
      answer     gone A
                 - 300 A 192.0.2.7
                 + NXDOMAIN
      answer     gone TXT (absent type)
                 - NODATA
                 + NXDOMAIN
      answer     under.ent A (empty non-terminal)
                 - NODATA
                 + NXDOMAIN
      answer     ent A (empty non-terminal)
                 - NODATA
                 + NXDOMAIN
      answer     alias A (alias target)
                 - 300 CNAME www.example.com.; www.example.com. 300 A 192.0.2.1
                 + 300 CNAME www.example.com.; www.example.com. 3600 A 192.0.2.1
      39 questions asked: 16 answers differ
    1 zone: 0 equal, 1 different, 0 incomplete
    "
  `);
});

test.skipIf(isMissing("named"))("files and the server that serves them are equal", async () => {
  const server = await serveZones({ "example.com.": old });
  const desk = new Desk({ "old/example.com.zone": old });
  desk.shown.push([server, "SERVER"]);
  const command = `compare old @${server} --ttl --parent ${server}`;
  expect(await desk.run(command)).toMatchInlineSnapshot(`
    {
      "code": 0,
      "out": "A old
    B @SERVER
    example.com: equal
      39 questions asked: no answer differs
      resolvers keep
        absent names and records  600 s (10 minutes)
        NS set at the parent      unknown: the server does not answer for the parent zone
        NS set in the old zone    3600 s (1 hour)
        longest TTL, mail A       86400 s (1 day)
      The delegation can be changed now: both sides answer alike.
      Keep the old name servers for at least 86400 s (1 day) after the change,
        longer if the NS set at the parent has a longer TTL; --parent asks for it.
        If the delegation changes now, that is until 2026-03-05T12:00:00Z at least.
    1 zone: 1 equal, 0 different, 0 incomplete
    ",
      "talk": "",
    }
  `);
  expect(await desk.run(`compare old @${server} example.com --report markdown`)).toMatchInlineSnapshot(`
    {
      "code": 0,
      "out": "A: \`old\`, B: \`@SERVER\`

    | zone | difference | name | A | B |
    |---|---|---|---|---|
    | \`example.com\` | equal | 39 questions |  |  |

    1 zone compared
    ",
      "talk": "",
    }
  `);
});

const signed = lines`
  @ 3600 IN SOA ns hostmaster 1 7200 3600 1209600 600
  @ 3600 IN NS ns1.old.example.
  @ 3600 IN DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==
`;

test.skipIf(isMissing("named"))("the DS records of a signed zone have to go first, unless there are none", async () => {
  const parent =
    "@ 86400 IN SOA ns h 1 1800 900 604800 900\n@ 86400 IN NS ns.example.\nexample 172800 IN NS ns1.old.example.\n";
  const ds = `example 7200 IN DS 12345 13 2 ${"ab".repeat(32)}\n`;
  const servers = [parent, parent + ds].map((text) => startNameServer("bind", { zones: { "com.": text } }));
  const desk = new Desk({
    "old/example.com.zone": signed,
    "new/example.com.zone": signed.replace(/^@ 3600 IN DNSKEY.*\n/m, ""),
  });
  const sentences: (string | undefined)[] = [];
  for (const server of await Promise.all(servers)) {
    onTestFinished(() => server.stop());
    const { out } = await desk.run(`compare old new --ttl --parent 127.0.0.1:${server.port}`);
    sentences.push(out.match(/^ {2}The (?:old|delegation)(?:.*\n {2})*.*$/m)?.[0]);
  }
  const { out } = await desk.run("compare old new --ttl");
  sentences.push(out.match(/^ {2}The (?:old|delegation)(?:.*\n {2})*.*$/m)?.[0]);
  expect(sentences).toMatchInlineSnapshot(`
    [
      "  The delegation can be changed now: apart from the keys, both sides answer
        alike.
      Keep the old name servers for 172800 s (2 days) after the change. If the
        delegation changes now, they can be switched off at 2026-03-06T12:00:00Z.",
      "  The old zone is signed, and the new one does not have its keys. Remove the DS
        records at the parent and wait 7200 s (2 hours), their TTL, before the
        delegation changes.
      Then the delegation can be changed: apart from the keys, both sides answer
        alike.
      Keep the old name servers for 172800 s (2 days) after the change.",
      "  The old zone is signed, and the new one does not have its keys. If the parent
        has DS records for the zone, remove the DS records at the parent and wait
        until their TTL has passed, before the delegation changes.
      Then the delegation can be changed: apart from the keys, both sides answer
        alike.
      Keep the old name servers for at least 3600 s (1 hour) after the change,
        longer if the NS set at the parent has a longer TTL; --parent asks for it.",
    ]
  `);
});

test.skipIf(isMissing("named"))("one of two servers may know the key", async () => {
  const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared by two") };
  const [a, b] = [
    await serveZones({ "example.com.": old }, { keys: [key] }),
    await serveZones({ "example.com.": old }),
  ];
  const env = { ZONEWRIGHT_TSIG_KEY: `transfer:hmac-sha256:${Buffer.from(key.secret).toString("base64")}` };
  const desk = new Desk();
  desk.shown.push([a, "A"], [b, "B"]);
  const { out } = await desk.run(`compare @${a} @${b} example.com`, { env });
  expect(out).not.toContain("records not compared");
  expect((await desk.run(`compare @${a} @${b} example.com`)).out).toMatchInlineSnapshot(`
    "A @A
    B @B
    example.com: equal
      records not compared: A: the server refused the request
        (REFUSED)
      only answers are compared: a name that only A has is not found
      39 questions asked: no answer differs
    1 zone: 1 equal, 0 different, 0 incomplete
    "
  `);
});

test.skipIf(isMissing("named"))(
  "a server that rejects the key is named with that reason, although it is asked without the key as well",
  async () => {
    const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared by two") };
    const a = await serveZones({ "example.com.": old }, { keys: [key] });
    const desk = new Desk({ "old/example.com.zone": old });
    desk.shown.push([a, "A"]);
    const env = { ZONEWRIGHT_TSIG_KEY: `transfer:hmac-sha256:${Buffer.from("of another").toString("base64")}` };
    const { code, out } = await desk.run(`compare @${a} old`, { env });
    expect(out).toContain("records not compared: A: the server rejected the TSIG (BADSIG)");
    // The key was given to compare the records, so equal answers are not enough.
    expect([code, out.split("\n").at(-2)]).toEqual([5, "1 zone: 0 equal, 0 different, 1 incomplete"]);
  },
);

test.skipIf(isMissing("named"))("two servers that refuse transfers are never equal: no names are known", async () => {
  const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared by two") };
  const [a, b] = [
    await serveZones({ "example.com.": old }, { keys: [key] }),
    await serveZones({ "example.com.": old }, { keys: [key] }),
  ];
  const desk = new Desk();
  desk.shown.push([a, "A"], [b, "B"]);
  const { code, out } = await desk.run(`compare @${a} @${b} example.com --ttl`);
  expect([code, out.split("\n").at(-2)]).toEqual([5, "1 zone: 0 equal, 0 different, 1 incomplete"]);
  expect(out).toContain("Do not change the delegation yet");
});

test("names and texts of a zone cannot give commands to a terminal or a CI", async () => {
  const zone = "@ 3600 IN SOA ns hostmaster 1 7200 3600 1209600 600\n@ 3600 IN NS ns.example.org.\n";
  const desk = new Desk({
    "old/example.com.zone": zone,
    "new/example.com.zone": `${zone}::error::x 300 IN TXT "\\027[31m ::add-mask::x ##[error] \\226\\128\\174" "${"a ::b ".repeat(30)}"\n`,
  });
  for (const report of ["text", "json", "markdown"])
    for (const width of [undefined, 40]) {
      desk.width = width;
      expect((await desk.run(`compare old new --ttl --report ${report}`)).code).toBe(2);
    }
});

test("files of two folders are compared without a connection", async () => {
  const desk = new Desk({ "old/example.com.zone": old, "new/example.com.zone": changed, "new/b.example.zone": old });
  const { code, out } = await desk.run("compare old new");
  expect([code, out]).toEqual([
    2,
    `A old
B new
b.example: differs
  not in A (old): it does not contain the zone
example.com: differs
${records}2 zones: 0 equal, 2 different, 0 incomplete
`,
  ]);
  const { out: json } = await desk.run("compare old new example.com --report json");
  const report = JSON.parse(json);
  expect(report).toMatchObject({
    a: "old",
    b: "new",
    skipped: [],
    zones: [{ zone: "example.com.", verdict: "differs" }],
  });
  expect(report.zones[0].records[0]).toEqual({
    owner: "example.com.",
    type: "MX",
    kind: "rdata",
    a: { ttl: 300, rdata: ["10 mail.example.com."] },
    b: { ttl: 300, rdata: ["20 mail.example.com."] },
    isExpected: false,
  });
});

test("files, the account, its rendered zone files and a snapshot are equal after apply", async () => {
  const desk = await apiDesk({
    "zones/example.com.yaml": lines`
      soa_email: hostmaster@example.com
      ttl_sec: 1h
      records:
        "@": { A: 192.0.2.10, MX: 10 mail }
        mail: { A: { ttl_sec: 5m, values: [192.0.2.25] } }
    `,
    "zones/slave.example.yaml": lines`
      type: slave
      master_ips: [192.0.2.1]
    `,
  });
  expect(await desk.run("apply --yes --allow G09")).toMatchObject({ code: 0 });
  expect((await desk.run("snapshot --out live.json")).code).toBe(0);
  for (const other of ["live", "rendered", "live.json"])
    expect(await desk.run(`compare zones ${other}`)).toEqual({
      code: 0,
      out: lines`
        A zones
        B ${other}
        example.com: equal${other === "rendered" ? "\n          ignored: @ NS, @ SOA (every service sets its own)" : ""}
        1 zone: 1 equal, 0 different, 0 incomplete; 1 slave zone skipped
      `,
      talk: "",
    });
  const settings = readServerSettings({ store: desk.store, clock: () => noon });
  const zones = new StoredZones(settings, () => noon, { waitForCurrent });
  const service = await listenDns({
    host: "127.0.0.1",
    port: 0,
    zones,
    onError: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => service.close());
  desk.shown.push([`127.0.0.1:${service.port}`, "SERVICE"]);
  expect(await desk.run(`compare zones @127.0.0.1:${service.port}`)).toMatchInlineSnapshot(`
    {
      "code": 0,
      "out": "A zones
    B @SERVICE
    example.com: equal
      records not compared: SERVICE: the server refused the request
        (REFUSED)
      only answers are compared: a name that only B has is not found
      ignored: @ SOA, @ NS (every service sets its own)
      9 questions asked: no answer differs
    1 zone: 1 equal, 0 different, 0 incomplete; 1 slave zone skipped
    ",
      "talk": "",
    }
  `);
  desk.write("new/example.com.yaml", desk.read("zones/example.com.yaml").replace("192.0.2.10", "192.0.2.11"));
  expect(await desk.run("compare live new/example.com.yaml")).toMatchInlineSnapshot(`
    {
      "code": 2,
      "out": "A live
    B new/example.com.yaml
    example.com: differs
      RDATA      @ A 3600
                 - 192.0.2.10
                 + 192.0.2.11
    1 zone: 0 equal, 1 different, 0 incomplete
    ",
      "talk": "",
    }
  `);
});

test.each([
  ["compare zones", 64, /missing required argument 'b'/],
  ["compare @192.0.2.1 @192.0.2.2", 64, /two name servers cannot list their zones. Name the zones to compare/],
  ["compare @ zones", 64, /@ needs an address or a name/],
  ["compare nothing zones", 3, /nothing does not exist\n.*Name a zone file or a folder/s],
  ["compare zones zones other.example", 3, /neither side has the zone other.example/],
  ["compare zones zones --parent 192.0.2.1", 64, /--parent needs --ttl/],
  ["compare zones zones --jobs 0", 64, /--jobs needs a whole number of at least 1, not "0"/],
  ["compare zones cut.json", 3, /cut.json is not a valid snapshot/],
])("%s is refused", async (command, code, message) => {
  const desk = new Desk({ "zones/example.com.zone": old, "cut.json": '{ "format": "zonewright.snapshot/1", "time"' });
  const result = await desk.run(command);
  expect(result).toMatchObject({ code, out: "", talk: expect.stringMatching(message) });
});
