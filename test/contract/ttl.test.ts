import { expect, test } from "vitest";
import { roundTtl } from "../../src/contract/ttl.ts";

// Written from decisions/documents#records and decisions/service#times.
test.each([
  [0, 0, 0],
  [1, 300, 30],
  [30, 300, 30],
  [31, 300, 120],
  [120, 300, 120],
  [121, 300, 300],
  [300, 300, 300],
  [301, 300, 3600],
  [600, 300, 3600],
  [1949, 300, 3600],
  [1950, 3600, 3600], // a tie goes up
  [3601, 3600, 7200],
  [5400, 7200, 7200], // a tie
  [10800, 14400, 14400], // a tie
  [86400, 86400, 86400],
  [129599, 86400, 172800],
  [129600, 172800, 172800], // a tie
  [2419200, 2419200, 2419200],
  [2419201, 2419200, 2419200],
  [2147483647, 2419200, 2419200],
])("%i seconds are stored as %i (documented) and %i (live)", (seconds, documented, live) => {
  expect([roundTtl(seconds, "documented"), roundTtl(seconds, "live")]).toEqual([documented, live]);
});
