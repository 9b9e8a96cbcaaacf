// @suite long
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isLater } from "../../../src/dns/name/serial.ts";
import { Program } from "../../cli/process.ts";
import { sampled } from "../../properties.ts";
import { Fleet, master, serialIn } from "./fleet.ts";

const dying = fileURLToPath(new URL("dying.mjs", import.meta.url));

const settings = 'check: [grep, -q, SOA, "{file}"], reload: [./load, "{file}", "{zone}"]';

const names = ["example.com", "example.net"] as const;

/** The zones of a project: one that changes, and a new one. */
const wanted = {
  "example.com": master("192.0.2.4"),
  "example.net": master("192.0.2.5").replaceAll("example.com", "example.net"),
};

async function fleetWithChanges(): Promise<Fleet> {
  const fleet = new Fleet({ "example.com.zone": master() }, settings);
  // A server loads a file as a whole, also one whose reload outlives the program.
  fleet.script("load", 'cp "$1" "loading.$2" && mv "loading.$2" "served/$2.zone"');
  fleet.at("2026-03-04T12:00:00Z");
  expect((await fleet.apply()).code).toBe(0);
  for (const name of names) fleet.write(`zones/${name}.zone`, wanted[name]);
  return fleet;
}

/** The zones that are served: those that a reload has copied. */
function served(fleet: Fleet): Record<string, string> {
  const folder = join(fleet.folder, "served");
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file.replace(/\.zone$/, ""), fleet.read(`served/${file}`)]),
  );
}

const withSerial = (text: string, serial: number) => text.replace("( 7 ;", `( ${serial} ;`);

/** The operations are shared out among the tests; outside of nightly runs, a part of them is tried. */
const step = 6;
const firsts = sampled(
  Array.from({ length: step }, (_, index) => index + 1),
  4,
);

test.each(firsts)(
  "killed before operation %i and each sixth after it, apply leaves whole files, and the next one finishes",
  async (first) => {
    let at: number = first;
    for (; ; at += step) {
      const fleet = await fleetWithChanges();
      const earlier = served(fleet)["example.com"] ?? "";
      const env = { NODE_OPTIONS: `--import ${dying}`, ZONEWRIGHT_DIES_AT: String(at) };
      const { code } = await new Program(fleet.folder, "apply --yes", env).end();
      const between = served(fleet);
      const states = [earlier, withSerial(wanted["example.com"], serialIn(between["example.com"] ?? ""))];
      expect(states, `killed at ${at}`).toContain(between["example.com"]);
      if (code === 0) break;
      expect(code).toBe("SIGKILL");
      fleet.at(new Date(Date.now() + 10_000).toISOString());
      // Files of a killed process are removed once they are old.
      const folder = join(fleet.folder, "srv");
      for (const file of readdirSync(folder)) if (file.endsWith(".part")) utimesSync(join(folder, file), 0, 0);
      const { code: next, talk } = await fleet.apply();
      expect([at, next, talk]).toEqual([at, 0, expect.anything()]);
      const after = served(fleet);
      for (const name of names) {
        expect(fleet.read(`srv/${name}.zone`), `killed at ${at}`).toBe(after[name]);
        expect(after[name]).toBe(withSerial(wanted[name], serialIn(after[name] ?? "")));
      }
      const [before, now] = [between["example.com"] ?? "", after["example.com"] ?? ""].map(serialIn) as [
        number,
        number,
      ];
      expect(now === before || isLater(now, before), `killed at ${at}`).toBe(true);
      expect((await fleet.run("plan")).out).toBe("in sync: 2 zones, nothing to do\n");
      const files = [...names.map((name) => `.${name}.zone.written`), ...names.map((name) => `${name}.zone`)];
      expect([at, readdirSync(folder)]).toEqual([at, files]);
    }
    expect(at).toBeGreaterThan(25);
  },
);
