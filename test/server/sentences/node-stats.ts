import { expect } from "vitest";
import { refused } from "../start.ts";
import { ok, type Sections, type Sentence } from "./kit.ts";

const create: Sentence[1][number] = ["POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" }];
const deploy: Sentence[1][number] = [
  "POST",
  "/node/instances",
  { region: "us-east", type: "g6-nanode-1", image: "node/debian12", root_pass: "correct Horse 7" },
];
const get = (path: string): Sentence[1][number] => ["GET", `/node/instances/1/${path}`];

const traffic = (series: unknown) => ({ in: series, out: series, private_in: series, private_out: series });
const stats = (series: unknown) => ({
  cpu: series,
  io: { io: series, swap: series },
  netv4: traffic(series),
  netv6: traffic(series),
});
const noTraffic = { bytes_in: 0, bytes_out: 0, bytes_total: 0 };

/** The milliseconds of a time of 4 March 2026, when the node runs since 12:01:14. */
const at = (time: string) => Date.parse(`2026-03-04T${time}:00Z`);

const statistics: Sentence[] = [
  [
    "GET N/stats: cpu, io, netv4, netv6, title; empty if it never ran",
    [create, get("stats")],
    ok({ title: "node1", ...stats([]) }),
  ],
  [
    "GET N/stats: zeros while it runs, in means of 5 minutes",
    [deploy, { seconds: 17 * 60 }, get("stats")],
    ok({
      title: "node1",
      ...stats([
        [at("12:05"), 0],
        [at("12:10"), 0],
      ]),
    }),
  ],
  [
    "GET N/stats: of the past 24 hours",
    [deploy, { seconds: 48 * 3600 }, get("stats")],
    ok({ title: "node1", ...stats(expect.toSatisfy((pairs) => pairs.length === 288)) }),
  ],
  [
    "GET N/stats: none after a shutdown",
    [deploy, { seconds: 600 }, ["POST", "/node/instances/1/shutdown"], { seconds: 600 }, get("stats")],
    ok({ title: "node1", ...stats([[at("12:05"), 0]]) }),
  ],
  [
    "GET N/stats/{year}/{month}: of the current month the past 30 days, in means of two hours",
    [deploy, { seconds: 5 * 3600 }, get("stats/2026/3")],
    ok({
      title: "node1",
      ...stats([
        [at("12:00"), 0],
        [at("14:00"), 0],
      ]),
    }),
  ],
  [
    "GET N/stats/{year}/{month}: a past month",
    [deploy, { seconds: 3600 }, get("stats/2026/2")],
    ok({ title: "node1", ...stats([]) }),
  ],
  [
    "GET N/stats/{year}/{month}: not a future month",
    [create, get("stats/2026/4")],
    refused(["Must not be in the future", "month"]),
  ],
  ["GET N/stats/{year}/{month}: month from 1", [create, get("stats/2026/0")], refused(["Must be 1-12", "month"])],
  ["GET N/stats/{year}/{month}: month to 12", [create, get("stats/2026/13")], refused(["Must be 1-12", "month"])],
  [
    "live: GET N/stats: unavailable if it never ran",
    [
      ["POST", "/linode/instances", { region: "us-east", type: "g6-nanode-1" }],
      ["GET", "/linode/instances/1/stats"],
    ],
    refused(["Stats are unavailable at this time."]),
    "live",
  ],
];

const transfer: Sentence[] = [
  [
    // 4 March, 12:00 to the end: 27.5 days of 31.
    "GET N/transfer: billable, quota added to the pool for the current month, used",
    [create, get("transfer")],
    ok({ used: 0, quota: 887, billable: 0 }),
  ],
  [
    "GET N/transfer: the whole quota in a whole month",
    [create, { seconds: 31 * 86_400 }, get("transfer")],
    ok({ used: 0, quota: 1000, billable: 0 }),
  ],
  ["GET N/transfer/{year}/{month}: bytes_in, bytes_out, bytes_total", [create, get("transfer/2026/3")], ok(noTraffic)],
  [
    "GET N/transfer/{year}/{month}: year from 2000",
    [create, get("transfer/1999/1")],
    refused(["Must be 2000-2037", "year"]),
  ],
  ["GET N/transfer/{year}/{month}: 2000", [create, get("transfer/2000/1")], ok(noTraffic)],
  [
    "GET N/transfer/{year}/{month}: year to 2037",
    [create, get("transfer/2038/1")],
    refused(["Must be 2000-2037", "year"]),
  ],
  [
    "GET N/transfer/{year}/{month}: not a future year",
    [create, get("transfer/2027/1")],
    refused(["Must not be in the future", "year"]),
  ],
  ["GET N/transfer/{year}/{month}: month to 12", [create, get("transfer/2026/13")], refused(["Must be 1-12", "month"])],
  [
    "GET N/transfer/{year}/{month}: numbers",
    [create, get("transfer/x/y")],
    refused(["Must be 2000-2037", "year"], ["Must be 1-12", "month"]),
  ],
];

export const nodeStatsSections: Sections = {
  "decisions/documents#statistics-and-transfer: statistics": statistics,
  "decisions/documents#statistics-and-transfer: transfer": transfer,
};
