// @suite long
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { delv } from "./delv.ts";
import { allowed, openDesk } from "./desk.ts";
import { type PowerDnsServer, rrset, signZone, startPowerDns } from "./servers.ts";

const zone = "gone.example.";
const path = `/zones/${zone}`;
const file = `$ORIGIN ${zone}
$TTL 300
@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60
@ NS ns1.example.net.
@ NS ns2.example.net.
www A 192.0.2.1
deep.ent A 192.0.2.2
`;

let server: PowerDnsServer;
beforeAll(async () => {
  server = await startPowerDns();
}, 60_000);
afterAll(() => server.stop());

interface Reply {
  readonly serial: number;
  readonly dnssec: boolean;
}

const reply = () => server.call("GET", path) as Promise<Reply>;
const patch = (...rrsets: readonly object[]) => server.call("PATCH", path, { rrsets });

/** The metadata that the zone states. */
async function metadata(): Promise<readonly string[]> {
  const list = (await server.call("GET", `${path}/metadata`)) as { kind: string; metadata: string[] }[];
  return list.map((one) => `${one.kind} ${one.metadata.join(" ")}`);
}

const lua = "A \"ifportup(443, {'192.0.2.1'})\"";

test.skipIf(isMissing("pdns_server", "delv"))(
  "a deletion tells what no undo restores, saves all the rest, and is undone to a zone that can be signed",
  async () => {
    const desk = openDesk(server.url, { [`zones/${zone}zone`]: file });
    desk.now = new Date();
    expect((await desk.run("apply --yes")).code).toBe(0);
    await signZone(server, zone);
    await patch(
      { ...rrset(`off.${zone}`, "A"), records: [{ content: "192.0.2.66", disabled: true }] },
      { ...rrset(`shop.${zone}`, "LUA", lua), comments: [{ content: "asked by sales", account: "" }] },
    );
    for (let serial = 0; serial < 5; serial++) await patch(rrset(`count.${zone}`, "TXT", `"${serial}"`));
    await patch({ name: `count.${zone}`, type: "TXT", changetype: "DELETE" });
    const before = { ...(await reply()), metadata: await metadata() };

    desk.write("zones/other.example.zone", file.replaceAll(zone, "other.example."));
    expect((await desk.run("apply --yes other.example")).code).toBe(0);
    rmSync(join(desk.folder, `zones/${zone}zone`));
    const refused = await desk.run(`apply --yes --delete-zone ${zone}`);
    expect(refused.out).toContain(
      "blocked by G06 (domain): gone.example: deletes the domain and its 5 records, and beyond undo 1 disabled record, 1 record of other types and the DNSSEC keys\n",
    );
    expect((await desk.run(`apply --yes --delete-zone ${zone} --allow ${allowed}`)).code).toBe(0);
    const runs = join(desk.folder, ".zonewright/targets/cluster/runs");
    const saved = join(runs, readdirSync(runs).sort().at(-1) ?? "", "backup");
    const all = JSON.parse(readFileSync(join(saved, "gone.example.json"), "utf8"));
    expect(all).toMatchObject({
      dnssec: true,
      serial: before.serial,
      rrsets: expect.arrayContaining([
        expect.objectContaining({ name: `off.${zone}`, records: [{ content: "192.0.2.66", disabled: true }] }),
        expect.objectContaining({
          name: `shop.${zone}`,
          records: [{ content: lua, disabled: false }],
          comments: [expect.objectContaining({ content: "asked by sales" })],
        }),
      ]),
    });

    const undone = await desk.run(`undo last --yes --allow ${allowed}`);
    expect(undone.out.split("\n").filter((line) => line.includes("it was deleted"))).toEqual([
      "note  gone.example: it was deleted; it is created again from the journal of the run, without 1 disabled record, 1 record of other types and the DNSSEC keys: sign it again and replace its DS records at the parent, or remove them, because resolvers reject it",
    ]);
    const after = { ...(await reply()), metadata: await metadata() };
    expect([before.dnssec, after.dnssec]).toEqual([true, false]);
    expect(after.metadata).toEqual(["SOA-EDIT-API DEFAULT"]);
    expect(before.metadata).toEqual(expect.arrayContaining([...after.metadata]));
    expect(after.serial).toBeGreaterThan(before.serial);

    await signZone(server, zone);
    await patch(rrset(`more.ent.${zone}`, "A", "192.0.2.3"));
    const answers = [`more.ent.${zone}`, `deep.ent.${zone}`, `ent.${zone}`, `www.${zone}`];
    const told = await Promise.all(answers.map((name) => delv(server, zone, name, "A")));
    expect(told.map((text) => text.split("\n")[0])).toEqual([
      "; fully validated",
      "; fully validated",
      "; negative response, fully validated",
      "; fully validated",
    ]);
  },
  120_000,
);

test.skipIf(isMissing("pdns_server"))(
  "a setting that PowerDNS does not state is not stated, and one that it states is",
  async () => {
    const stated = { "unset.example.": undefined, "no.example.": false, "yes.example.": true };
    for (const [name, rectify] of Object.entries(stated))
      await server.call("POST", "/zones", {
        name,
        kind: "Native",
        nameservers: [],
        ...(rectify !== undefined && { api_rectify: rectify }),
        rrsets: [
          rrset(name, "SOA", `ns1.${name} ops.${name} 1 3600 600 86400 60`),
          rrset(name, "NS", "ns1.example.net."),
        ],
      });
    const desk = openDesk(server.url, {});
    const { code } = await desk.run("import api unset.example no.example yes.example");
    expect(code).toBe(0);
    const lines = Object.keys(stated).map((name) =>
      desk
        .read(`zones/${name}yaml`)
        .split("\n")
        .filter((line) => line.includes("api_rectify")),
    );
    expect(lines).toEqual([[], ['api_rectify: "false"'], []]);
  },
);

test.skipIf(isMissing("pdns_server"))("plans show the kind of a zone in the words of PowerDNS", async () => {
  const desk = openDesk(server.url, {
    "zones/native.example.zone": file.replaceAll(zone, "native.example."),
    "zones/primary.example.yaml": `kind: Primary
soa_email: ops@example.net
ttl_sec: 300
records:
  "@": { NS: [ns1.example.net., ns2.example.net.] }
`,
  });
  const shown = async (command: string) => {
    const { out } = await desk.run(command);
    return [...out.matchAll(/(?:create|delete) {2}\(zone\) +(.*?)(?: {2}.*)?$/gm)].map(([, text]) => text);
  };
  expect(await shown("apply --yes")).toEqual(["Native", "Primary"]);
  rmSync(join(desk.folder, "zones/primary.example.yaml"));
  expect(await shown("plan --delete-zone primary.example")).toEqual(["Primary with 3 records"]);
  expect(await shown("apply --yes")).toEqual([]);
});
