// @suite long
import { expect, onTestFinished, test } from "vitest";
import { createSend } from "../../../src/client/send.ts";
import { canonical, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { isLeftAlone } from "../../../src/targets/powerdns/left-alone.ts";
import { powerDnsTarget } from "../../../src/targets/powerdns/target.ts";
import { isServerType } from "../../../src/targets/server-types.ts";
import { goodData, readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { apiKey, startPowerDns } from "./servers.ts";

const zone = domainName("example.");
const apex = "@ 300 IN SOA ns.example.net. hostmaster 1 14400 3600 1209600 300\n@ 300 IN NS ns.example.net.\n";

test.skipIf(isMissing("pdns_server"))(
  "RDATA of every type is stored as it is, or rejected by PowerDNS 4.7",
  async () => {
    const server = await startPowerDns();
    const send = createSend();
    onTestFinished(async () => {
      await send.close();
      await server.stop();
    });
    const { target } = powerDnsTarget({ url: server.url, serverId: "localhost", key: apiKey, send });
    const { read, writes } = target;
    const ref = { id: await writes.createZone({ name: zone, settings: {} }), name: zone };
    const line = ({ type, ...record }: ZoneRecord) => `${type} ${canonical({ type, ...record })}`;
    for (const after of readZone(apex).records) await writes.createRecord(ref, { ...after, ttl: 300 });
    const rejected: string[] = [];
    const wanted = new Map<string, string>();
    for (const { owner, type, canonical: text } of goodData(["soa", "cla", "ipn"])) {
      if (isServerType(type) || isLeftAlone(type)) continue;
      const record = [...readZone(`${apex}${owner} 300 IN ${type} ${text}\n`).records].at(-1);
      if (!record) throw new Error(`${owner} is not read`);
      try {
        wanted.set(await writes.createRecord(ref, record).then(String), line(record));
      } catch (error) {
        if (writes.failureOf(error) !== "invalid") throw error;
        rejected.push(line(record));
      }
    }
    const stored = new Map((await read.readRecords(ref)).map((record) => [String(record.id), line(record)]));
    const lost = [...wanted].filter(([id, text]) => stored.get(id) !== text).map(([, text]) => text);
    expect(lost).toEqual([]);
    expect(wanted.size).toBeGreaterThan(400);
    expect(rejected.join("\n")).toMatchInlineSnapshot(`
      "AAAA ::ffff:192.0.2.1
      AAAA ::192.0.2.1
      APL 1:192.168.32.1/21
      APL \\# 4 00000000
      APL \\# 6 00030882AABB
      APL \\# 13 00011803C0000200000802AABB
      CNAME \\(\\)\\;\\"\\\\\\$\\032.example.
      HTTPS 1 . ech
      HTTPS 1 . key667
      HTTPS 1 . key667
      HTTPS 1 . key667="a \\"b\\" c;d"
      HTTPS 0 svc.example. alpn="h2"
      HTTPS 1 . ech
      HTTPS 1 . key65535
      HTTPS 0 . alpn="h2"
      HTTPS 1 . key8="x" key9
      HTTPS 1 . mandatory=key65535 key65535
      HTTPS 1 . ech
      HTTPS 1 . mandatory=ech ech
      HTTPS 1 . alpn="h2" key7="/q{;dns}"
      IPSECKEY 10 0 2 . AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
      IPSECKEY 10 0 0 . AQID
      IPSECKEY 10 0 2 . qg==
      KEY 49152 3 3
      KEY 49152 3 5
      KEY 49152 3 3
      KEY 49408 3 5
      LOC 0 0 0.000 N 0 0 0.000 E 42849672.95m 1m 10000m 10m
      LOC 0 0 0.000 N 0 0 0.000 E 0.00m 90000000m 90000000m 90000000m
      LOC 52 0 0.000 N 4 0 0.000 E 10.00m 90000000m 10000m 10m
      NS .
      NS first\\.last.example.
      NS .
      SVCB 1 . ech
      SVCB 1 . key667
      SVCB 1 . key667
      SVCB 1 . key667="a \\"b\\" c;d"
      SVCB 0 svc.example. alpn="h2"
      SVCB 1 . ech
      SVCB 1 . key65535
      SVCB 0 . alpn="h2"
      SVCB 1 . key8="x" key9
      SVCB 1 . mandatory=key65535 key65535
      SVCB 1 . ech
      SVCB 1 . mandatory=ech ech
      SVCB 1 . alpn="h2" key7="/q{;dns}""
    `);
  },
  120_000,
);
