// @suite long
import { afterAll, beforeAll, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { delv } from "./delv.ts";
import { allowed, openDesk } from "./desk.ts";
import { type PowerDnsServer, startPowerDns } from "./servers.ts";

let server: PowerDnsServer;
beforeAll(async () => {
  server = await startPowerDns();
}, 60_000);
afterAll(() => server.stop());

const file = (records: string) => `$TTL 300
@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60
@ NS ns1.example.net.
@ NS ns2.example.net.
${records}`;

/** A zone with one record and settings, and the project that changes it. */
async function opened(zone: string, settings: Readonly<Record<string, unknown>>) {
  const desk = openDesk(server.url, {});
  const apply = async (records: string) => {
    desk.write(`zones/${zone}zone`, file(records));
    const { code, talk } = await desk.run(`apply --yes --allow ${allowed}`);
    expect(code, talk).toBe(0);
  };
  await apply("www A 192.0.2.1\n");
  await server.call("PUT", `/zones/${zone}`, settings);
  const serial = async () => ((await server.call("GET", `/zones/${zone}`)) as { serial: number }).serial;
  return { apply, serial };
}

test.skipIf(isMissing("pdns_server", "delv"))(
  "a signed zone that PowerDNS does not rectify itself proves new and missing names after an apply",
  async () => {
    const zone = "signed.example.";
    const { apply } = await opened(zone, { dnssec: true, api_rectify: false });
    await apply("www A 192.0.2.1\nnew TXT new\ndeep.ent A 192.0.2.2\n");
    const answers = ["www", "deep.ent", "new", "ent", "none"].map(async (name) => {
      const [validity = "", ...rest] = (await delv(server, zone, `${name}.${zone}`, "A")).split("\n");
      const [denied] = rest.flatMap((line) => /NXRRSET|NXDOMAIN/.exec(line) ?? []);
      return `${name} ${validity}${denied === undefined ? "" : ` ${denied}`}`;
    });
    expect(await Promise.all(answers)).toEqual([
      "www ; fully validated",
      "deep.ent ; fully validated",
      "new ; negative response, fully validated NXRRSET",
      "ent ; negative response, fully validated NXRRSET",
      "none ; negative response, fully validated NXDOMAIN",
    ]);
  },
  60_000,
);

test.skipIf(isMissing("pdns_server")).each([
  { edit: "OFF", steps: [0, 1, 1] },
  { edit: "INCREASE", steps: [0, 1, 1] },
])("with SOA-EDIT-API $edit, each change has the next serial", async ({ edit, steps }) => {
  const zone = `${edit.toLowerCase()}.example.`;
  const { apply, serial } = await opened(zone, { soa_edit_api: edit });
  const serials = [await serial()];
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
    await apply(`www A ${address}\n`);
    serials.push(await serial());
  }
  expect(serials.slice(1).map((one, index) => one - (serials[index] ?? 0))).toEqual(steps);
});
