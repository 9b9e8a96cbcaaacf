// @suite long
import { describe, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { isNightly } from "../../properties.ts";
import { type Configuration, configurations } from "../../updates/servers.ts";
import { trialEdits } from "./edits.ts";

/** Edits of a zone on each server; `npm run fuzz -- updates` makes 5,000. */
const count = isNightly ? 200 : 100;

describe.skipIf(isMissing("named", "knotd", "pdns_server", "venv"))("random edits", () => {
  // Side by side: servers and the judge are processes of their own.
  test.concurrent.each(Object.keys(configurations) as Configuration[])(
    `%s: the zone is as wanted after each of ${count}, and no name is empty in between that has records before and after`,
    async (configuration) => {
      const { faults, messages, states, records } = await trialEdits(configuration, count, 1);
      expect(faults).toEqual([]);
      expect(messages).toBeGreaterThan(count / 2);
      expect(records).toBeGreaterThan(20 * count);
      expect(states).toBeGreaterThan(count / 2);
    },
    600_000,
  );
});
