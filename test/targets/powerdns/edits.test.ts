// @suite long
import { describe, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { isNightly } from "../../properties.ts";
import { trialApiEdits } from "./edits.ts";
import { configurations } from "./servers.ts";

/** Edits of a zone; `npm run fuzz -- updates` makes 5,000. */
const count = isNightly ? 200 : 12;

describe.skipIf(isMissing("pdns_server", "venv"))("random edits by the API", () => {
  test.concurrent.each(configurations)(
    `%s: the zone is as wanted after each of ${count}, and no name is empty in between that has records before and after`,
    async (configuration) => {
      const { faults, messages, states, records } = await trialApiEdits(configuration, count, 1);
      expect(faults).toEqual([]);
      expect(messages).toBeGreaterThan(count / 2);
      expect(records).toBeGreaterThan(4_000);
      expect(states).toBeGreaterThan(count / 2);
    },
    600_000,
  );
});
