// @suite long
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startConsumer, untilServes } from "../../dns/transfer/catalog-consumers.ts";
import { binaries, freePort, type Program, programs } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { startFileServer } from "./file-servers.ts";
import { Fleet, master } from "./fleet.ts";

const forms: Readonly<Record<Program, string>> = { bind: "named.conf", knot: "knot.conf", nsd: "nsd.conf" };

for (const program of programs)
  test.skipIf(isMissing(binaries[program], "named"))(
    `${program} loads a folder by the exported list, and its secondary follows by the catalog`,
    async () => {
      const fleet = new Fleet({
        "example.com.zone": master(),
        "example.net.zone": master().replaceAll("example.com", "example.net"),
      });
      const port = await freePort();
      fleet.configure("catalog: catalog.example");
      const words = `export --to ${forms[program]} --role primary --secondary 127.0.0.1:${port} --out lists`;
      const { code, talk } = await fleet.run(words);
      expect([code, talk]).toEqual([0, `3 zones in lists/${forms[program]}\n`]);
      const primary = await startFileServer(program, {}, fleet.read(`lists/${forms[program]}`));
      onTestFinished(() => primary.stop());
      const consumer = startConsumer("BIND", { port, primary: primary.port, catalog: "catalog.example" });
      const loading = `check: ${JSON.stringify(primary.check)}, reload: ${JSON.stringify(primary.reload)}`;
      fleet.configure(`${loading}, verify_at: "127.0.0.1:${primary.port}", catalog: catalog.example`);
      const names = ["example.com", "example.net"];
      const check = async () => {
        await fleet.applyInTime();
        const serials = Object.fromEntries(names.map((name) => [name, fleet.serial(`srv/${name}.zone`)]));
        await untilServes(consumer, names, serials);
        return serials;
      };
      const before = await check();
      fleet.write("zones/example.com.zone", master("192.0.2.9"));
      const after = await check();
      expect(after["example.com"]).toBeGreaterThan(before["example.com"] ?? 0);
    },
    60_000,
  );

test("a zone whose deletion was undone is listed for a server that has read a list without it", async () => {
  const net = master().replaceAll("example.com", "example.net");
  const fleet = new Fleet({ "example.com.zone": master(), "example.net.zone": net }, 'reload: [./load, "{zone}"]');
  fleet.env.PATH = `${fleet.folder}:${process.env.PATH}`;
  fleet.script("rndc", 'grep -q "\\"$2\\"" named.conf || { echo "rndc: \'reload\' failed: not found" >&2; exit 1; }');
  fleet.configure('reload: [rndc, reload, "{zone}"]');
  const list = async () => fleet.write("named.conf", (await fleet.run("export --to named.conf --role primary")).out);
  await list();
  await fleet.apply();
  rmSync(join(fleet.folder, "zones/example.net.zone"));
  expect((await fleet.run("apply --yes --delete-zone example.net --allow G06")).code).toBe(0);
  await list();
  const { code, talk, out } = await fleet.run("undo last --yes");
  expect([code, `${out}${talk}`.replaceAll(/\s+/g, " ")]).toEqual([
    5,
    expect.stringContaining(
      "Have the server read the list of zones that `zonewright export --to named.conf --role primary` writes.",
    ),
  ]);
  await list();
  expect(fleet.read("named.conf")).toContain('zone "example.net"');
  expect((await fleet.run("undo last --yes")).code).toBe(0);
  expect((await fleet.run("plan")).out).toContain("in sync: 1 zone");
});

test("a file that NSD would take for another one is left out of its list", async () => {
  const name = "0/25.2.0.192.in-addr.arpa";
  const fleet = new Fleet({
    "0%2f25.2.0.192.in-addr.arpa.zone": master().replaceAll("example.com", name),
    "example.com.zone": master(),
  });
  expect(await fleet.run("export --to nsd.conf --role primary")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^(?:#.*\n)*zone:\n {2}name: "example.com"\n {2}zonefile: ".*example.com.zone"\n$/),
    talk: `skipped /desk/srv/0%2f25.2.0.192.in-addr.arpa.zone: nsd.conf cannot name this file. List its zone by hand, through a link with another name.\n`,
  });
  const { out, talk } = await fleet.run("export --to named.conf --role primary");
  expect([talk, out]).toEqual(["", expect.stringContaining(`zone "${name}" {`)]);
});
