import { expect, test } from "vitest";
import { advise } from "../../../src/diagnostics/advice.ts";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import type { ApiSnapshot as Snapshot } from "../../../src/targets/api/snapshot.ts";
import { apiSnapshotTarget as snapshotTarget } from "../../../src/targets/api/snapshot-target.ts";
import { readLive } from "../../../src/targets/read-live.ts";

const times = { created: "2026-03-04T12:00:00", updated: "2026-03-04T12:00:00" };

const record = (id: number, name: string, type = "A") => ({
  ...{ id, type, name, target: "192.0.2.1", ttl_sec: 300, priority: 0, weight: 0, port: 0 },
  ...{ service: null, protocol: null, tag: null, ...times },
});

const domain = (id: number, name: string, records: readonly object[]) => ({
  ...{ id, domain: name, type: "master", status: "active", soa_email: "ops@example.net", description: "", group: "" },
  ...{ tags: [], axfr_ips: [], master_ips: [], ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0, ...times },
  records,
});

async function readSnapshot(...domains: readonly object[]): Promise<unknown> {
  const target = { api: "https://api.example.net", account: null };
  const snapshot = { format: "zonewright.snapshot/1", time: "2026-03-04T12:00:00Z", target, domains } as Snapshot;
  try {
    const { zones } = await readLive(snapshotTarget(snapshot).read, () => true);
    return [...zones].map(([name, { records }]) => [
      name,
      records.map(({ id, owner, ttl, type }) => `${id} ${owner} ${ttl} ${type}`),
    ]);
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

test("zones of a snapshot: records by id, without unknown types", async () => {
  const records = [record(3, "b"), record(1, ""), record(2, "x", "FUTURE")];
  expect(await readSnapshot(domain(1, "example.com", records), domain(2, "example.net", []))).toEqual([
    ["example.com.", ["1 example.com. 300 A", "3 b.example.com. 300 A"]],
    ["example.net.", []],
  ]);
});

test.each([
  [
    "a record",
    [domain(1, "example.com", [record(1, "a"), record(2, "b"), record(1, "c")])],
    "the record 1 of example.com",
  ],
  ["a domain", [domain(1, "example.com", []), domain(1, "example.net", [])], "a domain"],
])("%s with the id of another one is refused", async (_, domains, what) => {
  expect(await readSnapshot(...domains)).toEqual([
    {
      id: "snapshot-read",
      kind: "input",
      severity: "error",
      summary: `the snapshot contains ${what} twice`,
      fix: advise`Create a new one with ${{ run: "snapshot" }}.`,
    },
  ]);
});
