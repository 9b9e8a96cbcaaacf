// @suite long

import { expect, test } from "vitest";
import { isNightly } from "../properties.ts";
import { play } from "./drift-history.ts";

interface Tally {
  right: number;
  wrong: string[];
}

/** The number of histories, and of their changes by what is known about the author. */
const [histories, exact, user, oneOf] = isNightly ? [40, 158, 22, 34] : [10, 41, 4, 9];

test("attributes changes of generated histories of two users; an exact author is always the right one", async () => {
  const tallies: Record<string, Tally> = {};
  for (let seed = 1; seed <= histories; seed++) {
    const { desk, last, lastSetting } = await play(seed, 3 + (seed % 10));
    const { out } = await desk.run("drift --snapshot snapshot.json --report json");
    for (const { findings } of JSON.parse(out).zones) {
      for (const { kind, class: found, type, snapshot, live, by } of findings) {
        if (found === "pending") continue;
        const truth = kind === "setting" ? lastSetting.get(type) : last.get((live ?? snapshot).rdata);
        if (truth === undefined)
          throw new Error(`the history has no write for ${JSON.stringify({ seed, type, snapshot, live })}`);
        const tally = tallies[by.kind] ?? { right: 0, wrong: [] };
        tallies[by.kind] = tally;
        const isRight =
          by.kind === "exact"
            ? by.user === truth.user && by.time === truth.time
            : by.kind === "user"
              ? by.user === truth.user
              : by.kind === "one-of" && by.users.includes(truth.user);
        if (isRight) tally.right++;
        else tally.wrong.push(JSON.stringify({ seed, kind, type, snapshot, live, by, truth }));
      }
    }
  }
  expect(tallies).toEqual({
    exact: { right: exact, wrong: [] },
    user: { right: user, wrong: [] },
    "one-of": { right: oneOf, wrong: [] },
  });
}, 120_000);
