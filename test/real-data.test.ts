// @suite long

import { readFileSync } from "node:fs";
import { join } from "node:path";
import pMap from "p-map";
import { describe, expect, test } from "vitest";
import { apiDesk } from "./cli/run.ts";
import { compileZone } from "./formats/named.ts";
import { isMissing } from "./judges.ts";
import { allRealZones, type RealZones, realZones, sampleOfRealZones } from "./real-zones.ts";
import { storedTtl } from "./stored-ttl.ts";

const expectedFindings = new Map([
  [
    sampleOfRealZones,
    {
      zones: 21,
      records: 1263,
      byRule: {
        "warning below-delegation": 12,
        "warning dkim-syntax": 11,
        "warning dmarc-syntax": 1,
        "warning spf-syntax": 1,
        "note hosted-target": 1,
        "warning policy-unread": 3,
        "warning hash-owner": 1,
        "warning private-address": 12,
        // Hosts that are aliases of an apex without an address.
        "warning target-without-address": 3,
        "warning ptr-is-address": 3,
        "warning underscore-host": 2,
        "note apex-ns": 21,
        "note ttl-rounded": 26,
      },
    },
  ],
  [
    allRealZones,
    {
      zones: 405,
      records: 6750,
      byRule: {
        "warning below-delegation": 36,
        // Keys with quotes inside, or with the name of a key in the place of one; "nv=DMARC1"; "nclude:".
        "warning dkim-syntax": 14,
        "warning dmarc-syntax": 1,
        "warning spf-syntax": 1,
        // Eleven more names have the proof of ownership of their service beside them.
        "note hosted-target": 14,
        // DKIM keys at the apex, without a selector, and at a host; a DMARC record at the domain itself.
        "warning policy-unread": 4,
        // A name that starts with "#" in the source, and PTR records that point to addresses.
        "warning hash-owner": 1,
        "warning private-address": 16,
        "warning target-without-address": 27,
        "warning ptr-is-address": 3,
        "warning underscore-host": 2,
        "note apex-ns": 405,
        "note ttl-rounded": 78,
      },
    },
  ],
]);

/** Keys with quotes inside, or with the name of a key in the place of one, and "nclude:" are in use. */
const config = { "zonewright.yaml": "rules: { dkim-syntax: warning, dmarc-syntax: warning, spf-syntax: warning }\n" };

describe(realZones.name, () => {
  const real = realZones;

  test("findings are correct: records hidden by a delegation, private addresses, hosts with an underscore, values that the API rounds", async () => {
    const desk = await apiDesk(config);
    const { code, out, talk } = await desk.run(`validate --zones ${real.bind} --report json`);
    expect({ code, talk }).toEqual({ code: 0, talk: "" });
    const { zones, records, findings } = JSON.parse(out);
    const byRule: Record<string, number> = {};
    for (const { severity, rule } of findings) byRule[`${severity} ${rule}`] = (byRule[`${severity} ${rule}`] ?? 0) + 1;
    expect({ zones, records, byRule }).toEqual(expectedFindings.get(real));
  });

  /** The zones as the server has them after apply. */
  let live: unknown;

  test("zones applied to a fresh server are in sync", { timeout: 240_000 }, async () => {
    const desk = await apiDesk(config);
    const { code, out, talk } = await desk.run(`apply --yes --allow G09,G12,G19,G21 --zones ${real.bind}`);
    expect([code, out.split("\n").at(-2)]).toEqual([0, `applied and verified: ${real.count} zones are as planned`]);
    const kinds = talk.split("\n").map((line) => line.replace(/\S+\.\S+/, "ZONE").replace(/\d+ writes/, "N writes"));
    expect(
      Object.fromEntries(
        ["ZONE N writes", "ZONE done", ""].map((kind) => [kind, kinds.filter((line) => line === kind).length]),
      ),
    ).toEqual({
      "ZONE N writes": real.count,
      "ZONE done": real.count,
      "": 1,
    });
    expect(await desk.run(`plan --zones ${real.bind}`)).toEqual({
      code: 0,
      out: `in sync: ${real.count} zones, nothing to do\n`,
      talk: "",
    });
    live = await desk.run("export --live --to records");
  });

  test.skipIf(isMissing("named-compilezone"))(
    "BIND reads them as the server has them",
    { timeout: 240_000 },
    async () => {
      expect(live).toEqual({ code: 0, out: await asBindReadsThem(real), talk: "" });
    },
  );
});

/** BIND's reading of the files without the service's own data: SOA, the NS set at the apex, other times. */
async function asBindReadsThem({ bind, bindFiles }: RealZones): Promise<string> {
  const zones = await pMap(
    bindFiles,
    async (file) => {
      const zone = file.replace(/zone$/, "");
      const { records = "" } = await compileZone(zone, readFileSync(join(bind, file)));
      return records
        .split("\n")
        .filter((line) => line !== "" && !line.includes(" IN SOA ") && !isApexNs(line, zone))
        .map((line) => line.replace(/(?<= )\d+/, (ttl) => String(storedTtl(Number(ttl)))));
    },
    { concurrency: 4 },
  );
  const lines = [...new Set(zones.flat())].sort();
  return `${lines.join("\n")}\n`;
}

function isApexNs(line: string, zone: string): boolean {
  return line.startsWith(`${zone} `) && line.includes(" IN NS ");
}
