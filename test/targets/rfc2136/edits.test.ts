// @suite long
import { describe, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import type { Configuration } from "../../updates/servers.ts";
import { trialEdits } from "./edits.ts";

/** Edits of a zone on each server, fewer where they take long; `npm run fuzz -- updates` makes 5,000. */
const counts: Readonly<Record<Configuration, number>> = {
  BIND: 100,
  "BIND, `dnssec-policy`": 50,
  "BIND, `inline-signing`": 50,
  Knot: 100,
  "Knot, signed": 100,
  PowerDNS: 50,
  "PowerDNS, signed": 50,
  "PowerDNS, signed, `SOA-EDIT`": 50,
};

describe.skipIf(isMissing("named", "knotd", "pdns_server", "venv"))("random edits", () => {
  test.each(Object.entries(counts) as [Configuration, number][])(
    "%s: the zone is as wanted after each of %i, and no name is empty in between that has records before and after",
    async (configuration, count) => {
      const { faults, messages, states, records } = await trialEdits(configuration, count, 1);
      expect(faults).toEqual([]);
      expect(messages).toBeGreaterThan(count / 2);
      expect(records).toBeGreaterThan(4_000);
      // PowerDNS tells the last zone only.
      if (!configuration.startsWith("PowerDNS")) expect(states).toBeGreaterThan(count / 2);
    },
    600_000,
  );
});
