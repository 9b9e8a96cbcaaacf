// @suite postgres

import { beforeEach, describe, expect, test } from "vitest";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import { startJob, tellJob } from "../../src/server/entities/jobs.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import type { JobKinds } from "../../src/server/kit/job-kinds.ts";
import { createServer } from "../../src/server/server.ts";
import { findRow } from "../../src/server/store/rows.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { noon, start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;
let other: ReturnType<typeof createServer>;
/** The ends that were applied, as kept in the database: a rolled back one leaves no trace. */
const applied = async () =>
  (await api.store.read((db) => db.selectFrom("domains").select("description").where("id", "=", 1).execute()))[0]
    ?.description;

/** Each job writes its data and its moment behind those before; one called `fail` fails, one called `break` throws. */
const jobKinds: JobKinds = {
  note: async (db, { data, entity_id }, ended) => {
    const text = JSON.parse(data);
    const row = db.selectFrom("domains").select("description").where("id", "=", entity_id);
    const { description } = await row.executeTakeFirstOrThrow();
    const seconds = (ended.getTime() - Date.parse(`${noon}Z`)) / 1000;
    await db
      .updateTable("domains")
      .set({ description: `${description} ${text}@${seconds}` })
      .where("id", "=", entity_id)
      .execute();
    if (text === "break") throw new Error("broken");
    return text === "fail" ? { message: "no room" } : undefined;
  },
};

beforeEach(async () => {
  api = await start({ jobKinds, jobDriver: simulatedDriver(10) });
  other = createServer({ store: api.store, clock: () => api.clock.now, nameservers: ["ns1.example.net"], jobKinds });
  await api.domain("example.com");
});

const caller = { accountId: 1, userId: 1, username: "admin" };
const entity = { id: 1, type: "domain", label: "example.com", url: "/v4/domains/1" };
const beginIn = (db: Database, seconds: number, data: string) =>
  startJob(
    db,
    { caller, now: api.clock.now },
    { kind: "note", action: "host_reboot", of: entity, entity, seconds, data },
  );
const begin = (seconds: number, data: string) => api.store.write((db) => beginIn(db, seconds, data));
const passTime = (seconds: number) => {
  api.clock.now = new Date(Date.parse(`${noon}Z`) + seconds * 1000);
};
const newestEvent = async () => {
  const { status, percent_complete, duration, message } = (await api.call("GET", "/account/events")).body.data[0];
  return { status, percent_complete, duration, message };
};

test("an event shows the progress of its job on reading", async () => {
  await begin(40, "a");
  const seen = [];
  for (const seconds of [0, 0.9, 1, 10.5, 39.9, 40, 1000]) {
    passTime(seconds);
    seen.push({ seconds, ...(await newestEvent()) });
  }
  expect(seen).toEqual([
    { seconds: 0, status: "scheduled", percent_complete: 0, duration: null, message: "" },
    { seconds: 0.9, status: "scheduled", percent_complete: 0, duration: null, message: "" },
    { seconds: 1, status: "started", percent_complete: 2, duration: 1, message: "" },
    { seconds: 10.5, status: "started", percent_complete: 26, duration: 10, message: "" },
    { seconds: 39.9, status: "started", percent_complete: 99, duration: 39, message: "" },
    { seconds: 40, status: "finished", percent_complete: 100, duration: 40, message: "" },
    { seconds: 1000, status: "finished", percent_complete: 100, duration: 40, message: "" },
  ]);
});

test("due jobs are applied by the next request of the account, in the order of their ends and with their moments", async () => {
  await begin(30, "c");
  await begin(10, "a");
  await begin(20, "b");
  await begin(60, "d");
  passTime(45);
  expect(await applied()).toBe("");
  await api.call("GET", "/account");
  expect(await applied()).toBe(" a@10 b@20 c@30");
  passTime(60);
  await api.call("GET", "/account");
  expect(await applied()).toBe(" a@10 b@20 c@30 d@60");
});

test.each([
  [0, 0.52],
  [0.9, 0.52],
  [0.9, 1],
  [0.999, 40.001],
])("a job that begins %d s into a second and takes %d s ends neither earlier nor later", async (start, seconds) => {
  passTime(start);
  await begin(seconds, "a");
  const statuses = [];
  for (const at of [start + seconds - 0.002, start + seconds]) {
    passTime(at);
    statuses.push((await newestEvent()).status);
  }
  expect(statuses).toEqual([seconds > 1 ? "started" : "scheduled", "finished"]);
});

describe.each([
  [0.9, 0.95, 0],
  [0.95, 1.05, 0],
  [0.9, 1.9, 1],
  [0.95, 3.7, 3],
])("a job that begins %d s into a second, and fails at %d s", (start, end, duration) => {
  const fails: [cause: string, reason: string, cause: () => Promise<unknown>][] = [
    ["its node is deleted", '"node1" was deleted.', () => api.call("DELETE", "/node/instances/1")],
    [
      "the backups are cancelled",
      "The backups were cancelled.",
      () => api.call("POST", "/node/instances/1/backups/cancel"),
    ],
    [
      "it is told to",
      "no room",
      () =>
        api.store.write(async (db) => {
          const job = await findRow(db, "jobs", { entity_type: "node", entity_id: 1 });
          if (job) await tellJob(db, job, api.clock.now, { message: "no room" });
        }),
    ],
  ];

  test.each(fails)(`took ${duration} s if %s`, async (_cause, message, fail) => {
    const node = { region: "us-east", type: "g6-nanode-1", backups_enabled: true };
    await api.call("POST", "/node/instances", node);
    await api.call("POST", "/node/instances/1/disks", { label: "data", size: 500 });
    passTime(200 + start);
    await api.call("POST", "/node/instances/1/backups", { label: "now" });
    passTime(200 + end);
    await fail();
    const events: ApiEvent[] = (await api.call("GET", "/account/events")).body.data;
    const failed = events.find(({ action }) => action === "node_snapshot");
    expect(failed).toMatchObject({ status: "failed", percent_complete: 100, duration, message });
  });
});

test("a job without a duration ends with the next request", async () => {
  await begin(0, "a");
  expect(await newestEvent()).toEqual({ status: "finished", percent_complete: 100, duration: 0, message: "" });
});

test("a request of another account settles no jobs", async () => {
  const as = await api.mint({ username: "stranger" });
  await begin(1, "a");
  passTime(5);
  await api.call("GET", "/account", undefined, { as });
  expect(await applied()).toBe("");
});

test("the event of a failed job has the reason", async () => {
  await begin(5, "fail");
  passTime(5);
  expect(await newestEvent()).toEqual({ status: "failed", percent_complete: 100, duration: 5, message: "no room" });
});

test("a job that throws changes nothing, and stays due", async () => {
  await begin(5, "a");
  await begin(6, "break");
  passTime(10);
  await expect(api.call("GET", "/account")).rejects.toThrow("broken");
  expect(await applied()).toBe("");
});

test("two servers settle a job once, and more jobs than one transaction applies", async () => {
  await api.store.write(async (db) => {
    for (let index = 0; index < 250; index++) await beginIn(db, 1, "x");
  });
  passTime(2);
  const ask = (server: typeof other) =>
    server(new Request("http://api/v4/account", { headers: { Authorization: `Bearer ${api.token}` } }));
  const replies = await Promise.all([0, 1, 2, 3].map((index) => ask(index % 2 === 0 ? other : api.server)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await applied()).toBe(" x@1".repeat(250));
  const { results } = (await api.call("GET", "/account/events", undefined, { "X-Filter": '{"action":"host_reboot"}' }))
    .body;
  expect(results).toBe(250);
});

describe("settles much due work in slices", () => {
  /** 250 jobs that end before those of node 1, the last one first. */
  beforeEach(async () => {
    await api.call("POST", "/node/instances", {
      ...{ region: "us-east", type: "g6-nanode-1", image: "node/debian12", root_pass: "correct Horse 7" },
    });
    await api.store.write(async (db) => {
      for (let index = 250; index > 0; index--) await beginIn(db, index, String(index));
    });
    passTime(1000);
  });
  const jobsLeft = async () => (await api.store.read((db) => db.selectFrom("jobs").select("id").execute())).length;
  const numbers = (most: number) => Array.from({ length: most }, (_, index) => index + 1);
  const appliedNumbers = async () => (await applied())?.match(/\d+(?=@)/g)?.map(Number);

  test("a request about something else settles one slice, the earliest", async () => {
    const left = [await jobsLeft()];
    for (let count = 0; count < 26; count++) {
      await api.call("GET", "/domains/1");
      left.push(await jobsLeft());
    }
    expect(left).toEqual([
      ...numbers(26)
        .reverse()
        .map((tens) => tens * 10 - 9),
      0,
    ]);
  });

  test("a request that names a node settles this node too, to the end", async () => {
    const { body } = await api.call("GET", "/node/instances/1");
    expect(body.status).toBe("running");
    expect(await jobsLeft()).toBe(240);
    expect(await appliedNumbers()).toEqual(numbers(10));
  });

  test.each([
    ["in the path", "/node/instances/1/shutdown", undefined, 241],
    ["in the body", "/volumes", { label: "data", node_id: 1 }, 240],
  ])("a change meets the node that it names %s settled", async (_, path, body, left) => {
    expect((await api.call("POST", path, body)).status).toBe(200);
    expect(await jobsLeft()).toBe(left);
  });

  test("a list of nodes or events shows all settled", async () => {
    expect((await api.call("GET", "/node/instances")).body.data[0].status).toBe("running");
    expect(await jobsLeft()).toBe(0);
    expect(await appliedNumbers()).toEqual(numbers(250));
  });
});

test("a request pays one statement for an account with nothing due", async () => {
  await begin(50, "a");
  const queries: string[] = [];
  const read = api.store.read;
  const counting = createServer({
    store: {
      ...api.store,
      read: (work) => {
        queries.push("read");
        return read(work);
      },
      write: () => {
        throw new Error("a write");
      },
    },
    clock: () => api.clock.now,
    nameservers: ["ns1.example.net"],
    jobKinds,
  });
  await counting(new Request("http://api/v4/domains/1", { headers: { Authorization: `Bearer ${api.token}` } }));
  expect(queries).toEqual(["read", "read"]);
});
