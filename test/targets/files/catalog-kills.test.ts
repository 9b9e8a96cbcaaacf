// @suite long
import { existsSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Program } from "../../cli/process.ts";
import { sampled } from "../../properties.ts";
import { Fleet, master } from "./fleet.ts";

const dying = fileURLToPath(new URL("dying.mjs", import.meta.url));

const zoneOf = (name: string, address?: string) => master(address).replaceAll("example.com", name);

/** A folder with two zones and their catalog, and a project that changes one, deletes one and adds one. */
async function fleetWithChanges(): Promise<Fleet> {
  const fleet = new Fleet(
    { "example.com.zone": zoneOf("example.com"), "example.org.zone": zoneOf("example.org") },
    'reload: [cp, "{file}", served/], catalog: catalog.example',
  );
  expect((await fleet.apply("2026-03-04T12:00:00Z")).code).toBe(0);
  fleet.write("zones/example.com.zone", zoneOf("example.com", "192.0.2.4"));
  fleet.write("zones/example.net.zone", zoneOf("example.net"));
  rmSync(join(fleet.folder, "zones/example.org.zone"));
  return fleet;
}

const membersIn = (text: string) => [...text.matchAll(/ PTR (\S+)\.$/gm)].map(([, zone]) => String(zone)).sort();

const zonesIn = (fleet: Fleet, folder: string) =>
  readdirSync(join(fleet.folder, folder))
    .filter((file) => file.endsWith(".zone"))
    .map((file) => file.slice(0, -5))
    .sort();

/** The operations are shared out among the tests; outside of nightly runs, a part of them is tried. */
const step = 8;
const firsts = sampled(
  Array.from({ length: step }, (_, index) => index + 1),
  4,
);

test.each(firsts)(
  "killed before operation %i and each eighth after it, apply leaves no member without a zone, and the next one finishes",
  async (first) => {
    let at: number = first;
    for (; ; at += step) {
      const fleet = await fleetWithChanges();
      const deleting = "--delete-zone example.org --allow G06";
      const env = { NODE_OPTIONS: `--import ${dying}`, ZONEWRIGHT_DIES_AT: String(at) };
      const { code } = await new Program(fleet.folder, `apply --yes ${deleting}`, env).end();
      for (const folder of ["srv", "served"]) {
        const members = membersIn(fleet.read(`${folder}/catalog.example.zone`));
        expect(members, `killed at ${at}`).toContain("example.com");
        for (const zone of members) expect(zonesIn(fleet, "served"), `killed at ${at}`).toContain(zone);
      }
      const isDeleted = !existsSync(join(fleet.folder, "srv/example.org.zone"));
      if (isDeleted) expect(membersIn(fleet.read("served/catalog.example.zone"))).not.toContain("example.org");
      if (code === 0) break;
      expect(code).toBe("SIGKILL");
      fleet.at(new Date(Date.now() + 10_000).toISOString());
      // Files of a killed process are removed once they are old.
      const folder = join(fleet.folder, "srv");
      for (const file of readdirSync(folder)) if (file.endsWith(".part")) utimesSync(join(folder, file), 0, 0);
      const next = await fleet.run(`apply --yes --allow G04 ${isDeleted ? "" : deleting}`);
      expect([at, next.code, next.talk]).toEqual([at, 0, expect.anything()]);
      const names = ["catalog.example", "example.com", "example.net"];
      const files = [
        ...[...names, "example.org"].map((name) => `.${name}.zone.written`),
        ...names.map((name) => `${name}.zone`),
      ];
      expect([at, readdirSync(folder)]).toEqual([at, files]);
      for (const name of names) expect(fleet.read(`served/${name}.zone`)).toBe(fleet.read(`srv/${name}.zone`));
      expect(membersIn(fleet.read("served/catalog.example.zone"))).toEqual(["example.com", "example.net"]);
      expect((await fleet.run("plan")).out).toBe("in sync: 3 zones, nothing to do\n");
    }
    expect(at).toBeGreaterThan(35);
  },
);
