import { expect, onTestFinished, test } from "vitest";
import { powerDnsKind } from "../../../src/targets/powerdns/kind.ts";
import { readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { rrset, startPowerDns } from "./servers.ts";

const names = [
  "ns1.example.net.",
  "1.2.example.net.",
  "a--b.example.net.",
  ".",
  "ns/1.example.net.",
  "ns_1.example.net.",
  "*.example.net.",
  "-a.example.net.",
  "a-.example.net.",
  "a\\.b.example.net.",
  "a\\032b.example.net.",
  "a\\200.example.net.",
];
const types = { NS: "", MX: "10 ", SRV: "1 2 3 ", CNAME: "", PTR: "", DNAME: "", AFSDB: "1 ", KX: "1 ", SVCB: "1 " };

test.skipIf(isMissing("pdns_server"))("targets that PowerDNS rejects are those that validate names", async () => {
  const server = await startPowerDns();
  onTestFinished(() => server.stop());
  const apex = [rrset("example.", "SOA", "ns1.example.net. hostmaster.example. 1 3600 600 86400 60")];
  await server.call("POST", "/zones", { name: "example.", kind: "Native", nameservers: [], rrsets: apex });
  const [rejected, named]: [string[], string[]] = [[], []];
  for (const [type, start] of Object.entries(types)) {
    for (const name of names) {
      const content = `${start}${name}`;
      const owner = `${type.toLowerCase()}.example.`;
      const sent = server.call("PATCH", "/zones/example.", { rrsets: [rrset(owner, type, content)] });
      if (
        await sent.then(
          () => false,
          () => true,
        )
      )
        rejected.push(`${type} ${content}`);
      const zone = readZone(
        `@ 300 SOA ns1.example.net. hostmaster 1 3600 600 86400 60\n${owner} 300 ${type} ${content}\n`,
      );
      if (powerDnsKind.accept(zone).problems.some(({ id }) => id === "powerdns/value"))
        named.push(`${type} ${content}`);
    }
  }
  expect(named).toEqual(rejected);
  expect(named.length).toBe(25);
});
