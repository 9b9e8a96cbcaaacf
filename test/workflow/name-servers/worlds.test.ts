// @suite long
import { expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { judgeWorlds } from "./worlds.ts";

/** The nightly run has more. */
const worlds = process.env.ZONEWRIGHT_WORLDS;
const count = Number(worlds ?? 100);

test.skipIf(isMissing("named", "knotd", "pdns_server", "dig", "kdig"))(
  `in ${count} worlds no NS record names a server without the zone, and a dead target leaves the others exact`,
  async () => {
    const { faults, applies, states } = await judgeWorlds(Number(process.env.ZONEWRIGHT_SEED ?? 1), count);
    expect(faults).toEqual([]);
    expect([applies >= Math.ceil(count / 50) * 3, states >= count * 6]).toEqual([true, true]);
  },
  worlds === undefined ? 300_000 : 0,
);
