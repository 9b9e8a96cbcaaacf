// @suite long
import { expect, onTestFinished, test } from "vitest";
import { createSend } from "../../../src/client/send.ts";
import { canonical, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { powerDnsKind } from "../../../src/targets/powerdns/kind.ts";
import { powerDnsTarget } from "../../../src/targets/powerdns/target.ts";
import { isServerType } from "../../../src/targets/server-types.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { goodData, linesOf, readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { apiKey, startPowerDns } from "./servers.ts";

const zone = domainName("example.");
const apex = "@ 300 IN SOA ns.example.net. hostmaster 1 14400 3600 1209600 300\n@ 300 IN NS ns.example.net.\n";

/** Values beside those of the case files. */
const more = [
  { owner: "more-1", type: "AAAA", canonical: "64:ff9b::192.0.2.1" },
  { owner: "more-2", type: "RP", canonical: "a\\@b.example. c\\$d.example." },
  { owner: "more-3", type: "MX", canonical: "10 ." },
  { owner: "more-4", type: "MX", canonical: "10 a_b.example." },
  { owner: "more-5", type: "SRV", canonical: "1 2 3 a/b.example." },
  { owner: "more-6", type: "PTR", canonical: "a\\(b.example." },
  { owner: "more-7", type: "HTTPS", canonical: '1 . alpn="h2,h3" port=443 ipv6hint=::ffff:192.0.2.1 key700="a b"' },
  { owner: "more-8", type: "SVCB", canonical: '1 . alpn="h2" no-default-alpn ech="AEj+DQBE" key700' },
];

/** ALIAS as `dig` shows it: the code of PowerDNS, and the name on the wire (RFC 3597 §5). */
function asPrivateType(text: string): string {
  const [, head = "", target = ""] = /^(\S+ \d+ IN )ALIAS (\S+)$/.exec(text) ?? [];
  if (head === "") return text;
  const wire = Buffer.concat(target.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])));
  return `${head}TYPE65401 \\# ${wire.length} ${wire.toString("hex").toUpperCase()}`;
}

const line = ({ type, ...record }: ZoneRecord) => `${type} ${canonical({ type, ...record })}`;

test.skipIf(isMissing("pdns_server", "dig"))(
  "RDATA of every type is served as it is written; PowerDNS 4.7 rejects what the check of a zone refuses, and nothing else",
  async () => {
    const server = await startPowerDns();
    const send = createSend();
    onTestFinished(async () => {
      await send.close();
      await server.stop();
    });
    /** Errors that told a spelling, except for types that PowerDNS does not know. */
    const lessons: string[] = [];
    const { target } = powerDnsTarget({
      url: server.url,
      serverId: "localhost",
      key: apiKey,
      async send(request) {
        const reply = await send(request);
        const text = reply.status === 422 ? await reply.clone().text() : "";
        if (text !== "" && !/unknown type given|Unknown record was stored|_rehearsal/.test(text)) lessons.push(text);
        return reply;
      },
    });
    const { writes } = target;
    const ref = { id: await writes.createZone({ name: zone, settings: {} }), name: zone };
    const storable: ZoneRecord[] = [];
    const others: [ZoneRecord, string][] = [];
    for (const { owner, type, canonical: text } of [...goodData(["soa", "cla", "ipn"]), ...more]) {
      if (isServerType(type)) continue;
      const one = readZone(`${apex}${owner} 300 IN ${type} ${text}\n`);
      const record = one.records.at(-1);
      if (!record) throw new Error(`${owner} is not read`);
      const [refused] = powerDnsKind.accept(one).problems.filter(({ id }) => id === "powerdns/value");
      if (refused) others.push([record, refused.summary.replace(`${owner} ${type}: the API of PowerDNS `, "")]);
      else storable.push(record);
    }
    const all = [...readZone(apex).records, ...storable];
    await writes.changeRecords?.(
      ref,
      all.map((after) => ({ kind: "create", after }) as const),
    );
    expect(lessons).toEqual([]);
    expect(storable.length).toBeGreaterThan(400);
    const served = await dig({ host: "127.0.0.1", port: server.port }, zone, "AXFR");
    const isOther = (text: string) => !text.includes(" IN SOA ");
    expect(served.filter(isOther)).toEqual(linesOf(all).filter(isOther).map(asPrivateType));

    const stored: string[] = [];
    for (const [record] of others)
      await writes.createRecord(ref, record).then(
        () => stored.push(line(record)),
        (error) => expect(writes.failureOf(error)).toBe("invalid"),
      );
    expect(stored).toEqual([]);
    expect(others.map(([record, why]) => `${line(record)}: ${why}`).join("\n")).toMatchInlineSnapshot(`
      "APL 1:192.168.32.1/21: does not accept bits of 192.168.32.1 after the prefix of 21
      APL \\# 4 00000000: does not accept the address family 0
      APL \\# 6 00030882AABB: does not accept the address family 3
      APL \\# 13 00011803C0000200000802AABB: does not accept the address family 0
      CNAME \\(\\)\\;\\"\\\\\\$\\032.example.: does not accept the character ( in a name
      HTTPS 1 . key667="a \\"b\\" c;d": does not accept a semicolon
      HTTPS 0 svc.example. alpn="h2": does not accept parameters in AliasMode (priority 0)
      HTTPS 0 . alpn="h2": does not accept parameters in AliasMode (priority 0)
      HTTPS 1 . alpn="h2" key7="/q{;dns}": does not accept a semicolon
      IPSECKEY 10 0 0 . AQID: does not accept a key without an algorithm
      KEY 49152 3 3: does not accept a KEY record without a key
      KEY 49152 3 5: does not accept a KEY record without a key
      KEY 49152 3 3: does not accept a KEY record without a key
      KEY 49408 3 5: does not accept a KEY record without a key
      LOC 0 0 0.000 N 0 0 0.000 E 42849672.95m 1m 10000m 10m: does not accept an altitude of 42849672.95 m
      LOC 0 0 0.000 N 0 0 0.000 E 0.00m 90000000m 90000000m 90000000m: does not accept a size of 90000000 m
      LOC 52 0 0.000 N 4 0 0.000 E 10.00m 90000000m 10000m 10m: does not accept a size of 90000000 m
      NS .: does not accept ".", which is no host name
      NS first\\.last.example.: does not accept "first\\.last.example.", which is no host name
      NS .: does not accept ".", which is no host name
      SVCB 1 . key667="a \\"b\\" c;d": does not accept a semicolon
      SVCB 0 svc.example. alpn="h2": does not accept parameters in AliasMode (priority 0)
      SVCB 0 . alpn="h2": does not accept parameters in AliasMode (priority 0)
      SVCB 1 . alpn="h2" key7="/q{;dns}": does not accept a semicolon
      MX 10 a_b.example.: does not accept "a_b.example.", which is no host name
      SRV 1 2 3 a/b.example.: does not accept "a/b.example.", which is no host name
      PTR a\\(b.example.: does not accept the character ( in a name"
    `);
  },
  120_000,
);
