import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judge, requests } from "../fuzz/requests.ts";
import { samples } from "../properties.ts";
import { withEmptyStore } from "./stores.ts";

test("the reply to any request conforms to the contract", async () => {
  let stored = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 30, maxLength: 30 }), async (sequence) => {
      stored += await withEmptyStore((store) => judge(store, sequence));
    }),
    samples(25),
  );
  // A run that stores nothing would show nothing.
  expect(stored).toBeGreaterThan(50);
});
