// @suite long
import { expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { isNightly, seed } from "../../properties.ts";
import { trialPushes } from "./pushes.ts";

const [zones, pushes] = isNightly ? [500, 50] : [40, 10];

test.skipIf(isMissing("named", "knotd", "pdns_server", "pdns-backend-sqlite3", "venv"))(
  `${zones} zones, ${pushes} pushes: three servers behind the catalog answer as the files say, and serials rise`,
  async () => {
    const { faults, serials, compared } = await trialPushes(zones, pushes, seed);
    expect(faults).toEqual([]);
    expect(serials).toBeGreaterThan(zones + (pushes * zones) / 8);
    expect(compared).toBe(3 * serials);
  },
  isNightly ? 3_600_000 : 300_000,
);
