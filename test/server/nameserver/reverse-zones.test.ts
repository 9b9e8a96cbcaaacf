import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { transferZones } from "../../dns/transfer/dig.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { begin, defaults, nodes, plain, zone4, zone6 } from "./reverse.ts";

const run = promisify(execFile);
const slaac = `1.0.0.0.0.0.e.f.f.f.1.9.c.3.0.f.${zone6}`;
const soa = (zone: string, serial: number) =>
  `${zone} 3600 IN SOA ns1.example.net. hostmaster.nodes.invalid. ${serial} 14400 14400 1209600 3600`;

/** The status, the flag AA, the answers and the authorities, as dig reads them. */
async function ask({ host, port }: ServerAddress, name: string, type: string): Promise<string[]> {
  const shown = ["+noall", "+comments", "+answer", "+authority", "+norecurse", "+nosplit"];
  const { stdout: text } = await run("dig", ["-r", `@${host}`, "-p", `${port}`, name, type, ...shown]);
  const status = /status: (\w+)/.exec(text)?.[1];
  const isAuthoritative = /flags:[^;]* aa\b/.test(text);
  const records = text.split("\n").filter((line) => /^[^;\s]/.test(line));
  return [`${status}${isAuthoritative ? " aa" : ""}`, ...records.map((line) => line.replace(/\s+/g, " "))];
}

test.skipIf(isMissing("dig"))("dig: names of addresses, and what has none", async () => {
  const { call, at, rename } = await begin();
  await call("POST", nodes, { ...plain, private_ip: true });
  await call("POST", nodes, plain);
  await rename("198.18.0.2", "mail.example.net");
  await rename("2001:db8::f03c:91ff:fe00:1", "Mail6.example.net");
  const [empty4, empty6] = ["1.18.198.in-addr.arpa.", zone6.replace("0.", "1.")];
  const questions = [
    [`198-18-0-2.${defaults}`, "A"],
    [`198-18-0-3.IP.Nodes.Invalid.`, "A"],
    [`198-18-0-2.${defaults}`, "AAAA"],
    [`198-18-0-4.${defaults}`, "A"],
    [`198-018-0-3.${defaults}`, "A"],
    [`x.198-18-0-2.${defaults}`, "A"],
    [`192-168-128-2.${defaults}`, "A"],
    [defaults, "SOA"],
    [defaults, "NS"],
    ["nodes.invalid.", "SOA"],
    [`2.${zone4}`, "PTR"],
    [`3.${zone4}`, "PTR"],
    [`2.${zone4}`, "TXT"],
    [`4.${zone4}`, "PTR"],
    [`1.2.${zone4}`, "PTR"],
    [zone4, "SOA"],
    [zone4, "NS"],
    [zone4, "PTR"],
    [slaac, "PTR"],
    [slaac.replace("1.", "2."), "PTR"],
    [zone6, "NS"],
    [`0.f.${zone6}`, "PTR"],
    [`1.f.${zone6}`, "PTR"],
    [`9.${empty4}`, "PTR"],
    [empty6, "PTR"],
    ["18.198.in-addr.arpa.", "PTR"],
    ["1.0.20.198.in-addr.arpa.", "PTR"],
    ["1.128.168.192.in-addr.arpa.", "PTR"],
    ["x.18.198.in-addr.arpa.", "PTR"],
    ["8.b.d.0.1.0.0.2.ip6.arpa.", "PTR"],
  ];
  const answers: Record<string, string[]> = {};
  for (const [name = "", type = ""] of questions) answers[`${name} ${type}`] = await ask(at, name, type);
  expect(answers).toEqual({
    [`198-18-0-2.${defaults} A`]: ["NOERROR aa", `198-18-0-2.${defaults} 3600 IN A 198.18.0.2`],
    "198-18-0-3.IP.Nodes.Invalid. A": ["NOERROR aa", "198-18-0-3.IP.Nodes.Invalid. 3600 IN A 198.18.0.3"],
    [`198-18-0-2.${defaults} AAAA`]: ["NOERROR aa", soa(defaults, 2026000002)],
    [`198-18-0-4.${defaults} A`]: ["NXDOMAIN aa", soa(defaults, 2026000002)],
    [`198-018-0-3.${defaults} A`]: ["NXDOMAIN aa", soa(defaults, 2026000002)],
    [`x.198-18-0-2.${defaults} A`]: ["NXDOMAIN aa", soa(defaults, 2026000002)],
    [`192-168-128-2.${defaults} A`]: ["NXDOMAIN aa", soa(defaults, 2026000002)],
    [`${defaults} SOA`]: ["NOERROR aa", soa(defaults, 2026000002)],
    [`${defaults} NS`]: ["NOERROR aa", `${defaults} 3600 IN NS ns1.example.net.`],
    "nodes.invalid. SOA": ["REFUSED"],
    [`2.${zone4} PTR`]: ["NOERROR aa", `2.${zone4} 3600 IN PTR mail.example.net.`],
    [`3.${zone4} PTR`]: ["NOERROR aa", `3.${zone4} 3600 IN PTR 198-18-0-3.ip.nodes.invalid.`],
    [`2.${zone4} TXT`]: ["NOERROR aa", soa(zone4, 2026000003)],
    [`4.${zone4} PTR`]: ["NXDOMAIN aa", soa(zone4, 2026000003)],
    [`1.2.${zone4} PTR`]: ["NXDOMAIN aa", soa(zone4, 2026000003)],
    [`${zone4} SOA`]: ["NOERROR aa", soa(zone4, 2026000003)],
    [`${zone4} NS`]: ["NOERROR aa", `${zone4} 3600 IN NS ns1.example.net.`],
    [`${zone4} PTR`]: ["NOERROR aa", soa(zone4, 2026000003)],
    [`${slaac} PTR`]: ["NOERROR aa", `${slaac} 3600 IN PTR Mail6.example.net.`],
    [`${slaac.replace("1.", "2.")} PTR`]: ["NXDOMAIN aa", soa(zone6, 2026000001)],
    [`${zone6} NS`]: ["NOERROR aa", `${zone6} 3600 IN NS ns1.example.net.`],
    [`0.f.${zone6} PTR`]: ["NOERROR aa", soa(zone6, 2026000001)],
    [`1.f.${zone6} PTR`]: ["NXDOMAIN aa", soa(zone6, 2026000001)],
    [`9.${empty4} PTR`]: ["NXDOMAIN aa", soa(empty4, 1)],
    [`${empty6} PTR`]: ["NOERROR aa", soa(empty6, 1)],
    "18.198.in-addr.arpa. PTR": ["REFUSED"],
    "1.0.20.198.in-addr.arpa. PTR": ["REFUSED"],
    "1.128.168.192.in-addr.arpa. PTR": ["REFUSED"],
    "x.18.198.in-addr.arpa. PTR": ["REFUSED"],
    "8.b.d.0.1.0.0.2.ip6.arpa. PTR": ["REFUSED"],
  });
});

test.skipIf(isMissing("dig") || isMissing("named-compilezone"))(
  "a transferred zone is whole, and named-checkzone loads it",
  async () => {
    const { call, at, rename } = await begin({ nameservers: ["ns1.example.net", "ns2.example.net"] });
    for (let count = 0; count < 3; count++) await call("POST", nodes, plain);
    await call("DELETE", `${nodes}/2`);
    await rename("198.18.0.2", "mail.example.net");
    await rename("2001:db8::f03c:91ff:fe00:1", "mail.example.net");
    const zones = await transferZones(at, [zone4, zone6, defaults]);
    const lines = (zone: string) =>
      (zones.get(zone) ?? "")
        .trim()
        .split("\n")
        .map((line) => line.replace(/\s+/g, " "));
    expect(lines(zone4)).toEqual([
      soa(zone4, 2026000005),
      `${zone4} 3600 IN NS ns1.example.net.`,
      `${zone4} 3600 IN NS ns2.example.net.`,
      `2.${zone4} 3600 IN PTR mail.example.net.`,
      `4.${zone4} 3600 IN PTR 198-18-0-4.ip.nodes.invalid.`,
    ]);
    expect(lines(zone6)).toEqual([
      soa(zone6, 2026000001),
      `${zone6} 3600 IN NS ns1.example.net.`,
      `${zone6} 3600 IN NS ns2.example.net.`,
      `${slaac} 3600 IN PTR mail.example.net.`,
    ]);
    expect(lines(defaults)).toEqual([
      soa(defaults, 2026000004),
      `${defaults} 3600 IN NS ns1.example.net.`,
      `${defaults} 3600 IN NS ns2.example.net.`,
      `198-18-0-2.${defaults} 3600 IN A 198.18.0.2`,
      `198-18-0-4.${defaults} 3600 IN A 198.18.0.4`,
    ]);
    const folder = mkdtempSync(join(tmpdir(), "zonewright-reverse-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [zone, serial] of [
      [zone4, 2026000005],
      [zone6, 2026000001],
      [defaults, 2026000004],
    ] as const) {
      writeFileSync(join(folder, "zone"), zones.get(zone) ?? "");
      const { stdout: said } = await run("named-checkzone", ["-i", "none", zone, join(folder, "zone")]);
      expect(said).toBe(`zone ${zone.slice(0, -1)}/IN: loaded serial ${serial}\nOK\n`);
    }
  },
);

test("a zone without a name cannot be transferred", async () => {
  const { call, zones } = await begin();
  const find = (name: string) => zones.findTransferable(domainName(name));
  expect(await find(zone4)).toBeUndefined();
  await call("POST", nodes, plain);
  expect(await find(zone4)).toMatchObject({ axfrIps: [] });
  expect(await find(`2.${zone4}`)).toBeUndefined();
  expect(await find(zone6)).toBeUndefined();
  expect(await zones.listTransferred()).toEqual([
    { name: zone4, serial: 2026000001 },
    { name: defaults, serial: 2026000001 },
  ]);
});
