// @suite postgres

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judge, ReplyJudge } from "../fuzz/judge-requests.ts";
import { profiles, requestsTo } from "../fuzz/requests.ts";
import { samples } from "../properties.ts";
import { withEmptyStore } from "./stores.ts";

test.each(profiles)("the reply to any request conforms to the OpenAPI document, profile %s", async (profile) => {
  const rules = new ReplyJudge(profile);
  const begun = await withEmptyStore((store) => judge(store, rules, []));
  let successes = 0;
  const sequences = fc.array(requestsTo(rules.document), { minLength: 30, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      successes += (await withEmptyStore((store) => judge(store, rules, sequence))) - begun;
    }),
    samples(15),
  );
  // A run whose requests are all refused would show nothing.
  expect(successes).toBeGreaterThan(10);
});
