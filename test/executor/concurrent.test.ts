// @suite long

import { expect, test } from "vitest";
import { reasons } from "../../src/contract/errors.ts";
import type { ApiRecord } from "../../src/contract/resources/record.ts";
import { apply } from "../../src/executor/apply.ts";
import type { Plan } from "../../src/planner/changes/change.ts";
import { apiTarget } from "../../src/targets/api/target.ts";
import { FakeApi, refused, type Trouble } from "./fake-api.ts";
import { type Actor, type Chooser, interleave, playInterleavings } from "./interleaving.ts";
import { Random } from "./random.ts";
import { eventLine, planned } from "./run.ts";

/** Several applies at once, each with its own files, from plans that were made at the same moment. */
interface Row {
  readonly what: string;
  readonly stored: readonly string[];
  readonly desired: readonly string[];
  readonly trouble?: () => Trouble;
  /** The final live zones of all interleavings, sorted. */
  readonly ends: readonly (readonly string[])[];
  /** The outcomes of the runs in all interleavings, sorted. */
  readonly says: readonly (readonly string[])[];
}

const done = "example.com done";

const rows: Row[] = [
  {
    what: "the same files create a record",
    stored: [],
    desired: ["www A 192.0.2.1", "www A 192.0.2.1"],
    ends: [["A www 192.0.2.1"]],
    says: [[done, done]],
  },
  {
    what: "the same files create two values",
    stored: [],
    desired: ["www A 192.0.2.1\nwww A 192.0.2.2", "www A 192.0.2.1\nwww A 192.0.2.2"],
    ends: [["A www 192.0.2.1", "A www 192.0.2.2"]],
    says: [[done, done]],
  },
  {
    what: "a record with another value existed before",
    stored: ["A www 192.0.2.9"],
    desired: ["www A 192.0.2.9\nwww A 192.0.2.1", "www A 192.0.2.9\nwww A 192.0.2.1"],
    ends: [["A www 192.0.2.1", "A www 192.0.2.9"]],
    says: [[done, done]],
  },
  {
    what: "the same files change one record and delete another",
    stored: ["A www 192.0.2.1", "A old 192.0.2.2"],
    desired: ["www A 192.0.2.9", "www A 192.0.2.9"],
    ends: [["A www 192.0.2.9"]],
    says: [[done, done]],
  },
  {
    what: "a CNAME, which the service stores once",
    stored: [],
    desired: ["www CNAME a.example.net.", "www CNAME a.example.net."],
    ends: [["CNAME www a.example.net"]],
    says: [[done, done]],
  },
  {
    what: "an address replaces a CNAME",
    stored: ["CNAME www a.example.net"],
    desired: ["www A 192.0.2.1", "www A 192.0.2.1"],
    ends: [["A www 192.0.2.1"]],
    says: [[done, done]],
  },
  {
    what: "a CNAME replaces an address",
    stored: ["A www 192.0.2.1"],
    desired: ["www CNAME a.example.net.", "www CNAME a.example.net."],
    ends: [["CNAME www a.example.net"]],
    says: [[done, done]],
  },
  {
    what: "files that disagree: a record of only one of them stays, as neither plan deletes it",
    stored: [],
    desired: ["www A 192.0.2.1\na A 192.0.2.5", "www A 192.0.2.1\nb A 192.0.2.6"],
    ends: [["A a 192.0.2.5", "A b 192.0.2.6", "A www 192.0.2.1"]],
    says: [
      ["example.com done, left: - a A 192.0.2.5", "example.com done, left: - b A 192.0.2.6"],
      ["example.com done", "example.com done, left: - a A 192.0.2.5"],
      ["example.com done", "example.com done, left: - b A 192.0.2.6"],
    ],
  },
  {
    what: "files that disagree on the TTL: one record, with the TTL of the run that came first",
    stored: [],
    desired: ["www 300 A 192.0.2.1", "www 3600 A 192.0.2.1"],
    ends: [["A www 192.0.2.1"]],
    says: [
      [done, "example.com done, left: ~ www 300 A 192.0.2.1 -> www 3600 A 192.0.2.1"],
      [done, "example.com done, left: ~ www 3600 A 192.0.2.1 -> www 300 A 192.0.2.1"],
    ],
  },
  {
    what: "each reply to a create is lost",
    stored: [],
    desired: ["www A 192.0.2.1", "www A 192.0.2.1"],
    trouble: () => (line) => (/^POST/.test(line) ? { status: 500, body: {}, afterwards: true } : undefined),
    ends: [["A www 192.0.2.1"]],
    says: [[done, done]],
  },
  {
    what: "the runs stop at an error",
    stored: [],
    desired: ["www A 192.0.2.1\nx A 192.0.2.66", "www A 192.0.2.1\nx A 192.0.2.66"],
    trouble: () => (line) => (/^POST.*192\.0\.2\.66/.test(line) ? refused("No") : undefined),
    ends: [["A www 192.0.2.1"]],
    says: [Array.from({ length: 2 }, () => "example.com failed at 1 of 2: POST /v4/domains/1/records: 400 No")],
  },
];

/** A run that ends with the last line of its events in `ends`. */
function applying(plan: Plan, ends: string[]): Actor {
  return async (client, clock) => {
    let last = "";
    for await (const event of apply(plan, apiTarget(client), { clock, atOnce: 1 })) last = eventLine(event);
    ends.push(last);
  };
}

async function play({ stored, desired, trouble }: Row, choose: Chooser) {
  const api = new FakeApi();
  api.add("example.com", stored, { ttl_sec: 3600 });
  const ends: string[] = [];
  const runs = [];
  for (const text of desired) runs.push(applying(await planned(api, { "example.com": text }), ends));
  if (trouble) api.trouble = trouble();
  await interleave(api, runs, choose);
  return { stored: api.show(1).sort(), ends: ends.sort() };
}

const texts = (values: Iterable<readonly string[]>) =>
  [...new Set([...values].map((value) => value.join("\n")))].sort();

test.each(rows)(
  "interleavings of two runs: $what",
  async (row) => {
    const ends: string[][] = [];
    const says: string[][] = [];
    const count = await playInterleavings(async (choose) => {
      const result = await play(row, choose);
      ends.push(result.stored);
      says.push(result.ends);
    });
    expect(count).toBeGreaterThan(25);
    expect(texts(ends)).toEqual(texts(row.ends));
    expect(texts(says)).toEqual(texts(row.says));
  },
  120_000,
);

test.each(rows)(
  "20 interleavings of four runs: $what",
  async (row) => {
    const random = new Random(1);
    const [first = "", second = ""] = row.desired;
    const found = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const { stored } = await play({ ...row, desired: [first, second, first, second] }, (options) =>
        random.below(options),
      );
      found.add(stored.join("\n"));
    }
    expect([...found].sort()).toEqual(texts(row.ends));
  },
  120_000,
);

test("new zone: the service refuses the second creation, and that run writes nothing into the zone", async () => {
  const ends = new Set<string>();
  const stored = new Set<string>();
  await playInterleavings(async (choose) => {
    const api = new FakeApi();
    const text = "www A 192.0.2.1\na A 192.0.2.2";
    const lasts: string[] = [];
    const plans = [await planned(api, { "example.com": text }), await planned(api, { "example.com": text })];
    await interleave(
      api,
      plans.map((plan) => applying(plan, lasts)),
      choose,
    );
    ends.add(lasts.sort().join("\n"));
    stored.add([...api.domains.values()].map(({ id, status }) => `${status}: ${api.show(id).sort()}`).join("\n"));
  });
  expect([...ends]).toEqual([
    `${done}\nexample.com failed at 0 of 4: example.com was created by someone else after the plan was made, as domain 1`,
  ]);
  expect([...stored]).toEqual(["active: A a 192.0.2.2,A www 192.0.2.1"]);
});

test("zone of another account: keeps the service's reason", async () => {
  const api = new FakeApi();
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  api.trouble = (line) => (line.startsWith("POST") ? refused(reasons.zoneExists, "domain") : undefined);
  const lasts: string[] = [];
  await applying(plan, lasts)(api.client, api.clock);
  expect(lasts).toEqual([
    "example.com failed at 0 of 3: POST /v4/domains: 400 domain: DNS zone already exists. If `client.listDomains()` does not show it, it belongs to another user or account: use a token of its owner, or have it released there.",
  ]);
});

/** A run that creates `www A 192.0.2.1`, and the changes of another client when it sends a request. */
async function edited(edit: (line: string, records: Map<number, ApiRecord>) => void) {
  const api = new FakeApi();
  const id = api.add("example.com", [], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  api.trouble = (line) => {
    edit(line, api.records.get(id) ?? new Map());
    return undefined;
  };
  const ends: string[] = [];
  await applying(plan, ends)(api.client, api.clock);
  return { ends, stored: [...(api.records.get(id)?.values() ?? [])].map(({ id, target }) => `${id} ${target}`) };
}

const moment = "2026-01-01T00:00:00";
const blank = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };

function rival(id: number): ApiRecord {
  return { id, type: "A", name: "www", target: "192.0.2.1", ...blank, created: moment, updated: moment };
}

test("keeps a duplicate that another client creates and keeps, and reports it", async () => {
  const end = await edited((line, records) => {
    if (line === "GET /domains/1" && records.size === 1) records.set(9, rival(9));
  });
  expect(end).toEqual({
    ends: ["example.com done, left: - www A 192.0.2.1"],
    stored: ["2 192.0.2.1", "9 192.0.2.1"],
  });
});

test("creates the value again if the kept duplicate is deleted at the same moment", async () => {
  let isOver = false;
  const end = await edited((line, records) => {
    if (line.startsWith("POST") && !isOver) records.set(1, rival(1));
    if (line.startsWith("POST")) isOver = true;
    if (line.startsWith("DELETE")) records.delete(1);
  });
  expect(end).toEqual({ ends: [done], stored: ["3 192.0.2.1"] });
});

test("keeps its own duplicate if that was edited before its deletion", async () => {
  const end = await edited((line, records) => {
    if (line.startsWith("POST")) records.set(1, rival(1));
    const own = records.get(2);
    if (line === "GET /domains/1/records/2" && own) own.target = "192.0.2.99";
  });
  expect(end).toEqual({
    ends: ["example.com done, left: - www A 192.0.2.99"],
    stored: ["1 192.0.2.1", "2 192.0.2.99"],
  });
});
