import { expect, test } from "vitest";
import { buildGraph, type WorkNode } from "../../src/executor/write/graph.ts";
import type { Plan } from "../../src/planner/changes/change.ts";
import { readLive } from "../../src/targets/read-live.ts";
import { plan } from "../planner/plan-now.ts";
import { FakeApi } from "./fake-api.ts";
import { planned } from "./run.ts";

function nameOf({ kind, group }: WorkNode): string {
  return `${kind} ${("zone" in group ? group.zone.name : group.name).slice(0, -1)}`;
}

/** A line for each node, with its steps by their writes and the nodes that it needs by their numbers. */
function linesOf(made: Plan): string[] {
  const nodes = buildGraph(made);
  return nodes.map((node, index) => {
    const needs = [...node.needs].map((need) => nodes.indexOf(need)).sort((a, b) => a - b);
    const writes =
      node.kind === "step" ? ` (${node.steps.flatMap(({ writes }) => writes.map(({ kind }) => kind)).join(", ")})` : "";
    const words = [
      ...(needs.length > 0 ? [`needs ${needs.join(" ")}`] : []),
      ...(node.follows ? [`follows ${nodes.indexOf(node.follows)}`] : []),
      ...(node.isLazy ? ["lazy"] : []),
      ...(node.isReading ? ["reading"] : []),
    ];
    return `${index}: ${nameOf(node)}${writes}${words.map((word) => `, ${word}`).join("")}`;
  });
}

async function stored(zones: Record<string, string[]>): Promise<FakeApi> {
  const api = new FakeApi();
  for (const [name, records] of Object.entries(zones)) api.add(name, records, { ttl_sec: 3600 });
  return api;
}

test.each<[string, Record<string, string[]>, Record<string, string>, string[]]>([
  [
    "a stored zone",
    { "a.example": ["A old 192.0.2.1", "CNAME swap b.example"] },
    { "a.example": "new A 192.0.2.1\nswap A 192.0.2.1" },
    [
      "0: open a.example, lazy",
      "1: step a.example (create), needs 0",
      "2: step a.example (delete, create), needs 0",
      "3: step a.example (delete), needs 0",
      "4: close a.example, needs 0 1 2 3, reading",
    ],
  ],
  [
    "a new zone is activated once its records exist",
    {},
    { "a.example": "www A 192.0.2.1" },
    [
      "0: open a.example, lazy",
      "1: step a.example (create), needs 0",
      "2: activate a.example, needs 0 1",
      "3: close a.example, needs 0 1 2, reading",
    ],
  ],
  [
    "a new zone that stays disabled",
    {},
    { "a.example": ";@ status: disabled\nwww A 192.0.2.1" },
    ["0: open a.example, lazy", "1: step a.example (create), needs 0", "2: close a.example, needs 0 1, reading"],
  ],
  [
    "settings alone",
    { "a.example": [] },
    { "a.example": ";@ description: new" },
    ["0: open a.example", "1: activate a.example, needs 0", "2: close a.example, needs 0 1, reading"],
  ],
  [
    "a pointer waits for its target in another zone",
    { "a.example": [], "b.example": [] },
    { "a.example": "www CNAME host.b.example.", "b.example": "host A 192.0.2.1" },
    [
      "0: open a.example, lazy",
      "1: step a.example (create), needs 0 4",
      "2: close a.example, needs 0 1, reading",
      "3: open b.example, lazy",
      "4: step b.example (create), needs 3",
      "5: close b.example, needs 3 4, reading",
    ],
  ],
  [
    "a zone to be disabled opens once no record points into it; then its records change",
    { "a.example": ["A host 192.0.2.1"], "b.example": ["CNAME www host.a.example"] },
    { "a.example": ";@ status: disabled\nhost A 192.0.2.2", "b.example": "www CNAME host.example.net." },
    [
      "0: open a.example, needs 4",
      "1: step a.example (update), needs 0",
      "2: close a.example, needs 0 1, reading",
      "3: open b.example, lazy",
      "4: step b.example (update), needs 3",
      "5: close b.example, needs 3 4, reading",
    ],
  ],
])("%s", async (_, zones, desired, lines) => {
  expect(linesOf(await planned(await stored(zones), desired))).toEqual(lines);
});

test("deletes domains last, one after the other", async () => {
  const api = await stored({ "a.example": ["A www 192.0.2.1"], "b.example": [], "c.example": [] });
  const { zones } = await planned(api, { "a.example": "www A 192.0.2.2" });
  const live = await readLive(api.target.read, (name) => name !== "a.example.");
  expect(linesOf({ ...plan([], live.zones, { deletions: [...live.zones.values()] }), zones })).toEqual([
    "0: open a.example, lazy",
    "1: step a.example (update), needs 0",
    "2: close a.example, needs 0 1, reading",
    "3: delete b.example, needs 2",
    "4: delete c.example, follows 3",
  ]);
});
