import { expect, test } from "vitest";
import { tellJob } from "../../src/server/entities/jobs.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { findRow } from "../../src/server/store/rows.ts";
import { type Answer, start } from "./start.ts";

/**
 * Every action on a backup in every state: the reply (`{}`, or the reason of the refusal), the unfinished jobs that
 * there are then, the events that the action wrote or changed, and the backups of node 1 once all jobs have ended.
 * Backup 1 is of node 1, beside node 2 in its region. `none` has the service but no backup; `off` has no service;
 * `automatic` is a successful automatic backup; during `restoring`, backup 1 is restored to node 1. The statuses
 * `paused` and `userAborted` never occur.
 */
const table = `
  state               | action   | reply                                      | jobs       | events                                                  | kept
  off                 | snapshot | Backups are not enabled                    | -          | -                                                       | -
  off                 | enable   | {}                                         | -          | backups_enable notification                             | -
  off                 | cancel   | Backups are not enabled                    | -          | -                                                       | -
  off                 | restore  | Not found                                  | -          | -                                                       | -
  off                 | move     | Not found                                  | -          | -                                                       | -
  off                 | create   | backup_id is not valid                     | -          | -                                                       | -
  off                 | delete   | {}                                         | delete 1   | node_delete finished                                    | -
  none                | snapshot | pending                                    | snapshot 1 | node_snapshot finished                                  | 1 successful
  none                | enable   | {}                                         | -          | -                                                       | -
  none                | cancel   | {}                                         | -          | backups_cancel notification                             | -
  none                | restore  | Not found                                  | -          | -                                                       | -
  none                | move     | Not found                                  | -          | -                                                       | -
  none                | create   | backup_id is not valid                     | -          | -                                                       | -
  none                | delete   | {}                                         | delete 1   | node_delete finished                                    | -
  pending             | snapshot | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  pending             | enable   | {}                                         | snapshot 1 | node_snapshot finished                                  | 1 successful
  pending             | cancel   | {}                                         | -          | node_snapshot failed, backups_cancel notification       | -
  pending             | restore  | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  pending             | move     | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  pending             | create   | Only a successful backup can be restored   | snapshot 1 | node_snapshot finished                                  | 1 successful
  pending             | delete   | {}                                         | delete 1   | node_snapshot failed, node_delete finished              | -
  running             | snapshot | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  running             | enable   | {}                                         | snapshot 1 | node_snapshot finished                                  | 1 successful
  running             | cancel   | {}                                         | -          | node_snapshot failed, backups_cancel notification       | -
  running             | restore  | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  running             | move     | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  running             | create   | Only a successful backup can be restored   | snapshot 1 | node_snapshot finished                                  | 1 successful
  running             | delete   | {}                                         | delete 1   | node_snapshot failed, node_delete finished              | -
  needsPostProcessing | snapshot | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  needsPostProcessing | enable   | {}                                         | snapshot 1 | node_snapshot finished                                  | 1 successful
  needsPostProcessing | cancel   | {}                                         | -          | node_snapshot failed, backups_cancel notification       | -
  needsPostProcessing | restore  | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  needsPostProcessing | move     | Node busy.                                 | snapshot 1 | node_snapshot finished                                  | 1 successful
  needsPostProcessing | create   | Only a successful backup can be restored   | snapshot 1 | node_snapshot finished                                  | 1 successful
  needsPostProcessing | delete   | {}                                         | delete 1   | node_snapshot failed, node_delete finished              | -
  failed              | snapshot | pending                                    | snapshot 1 | node_snapshot finished                                  | 2 successful
  failed              | enable   | {}                                         | -          | -                                                       | 1 failed
  failed              | cancel   | {}                                         | -          | backups_cancel notification                             | -
  failed              | restore  | Only a successful backup can be restored   | -          | -                                                       | 1 failed
  failed              | move     | Only a successful backup can be restored   | -          | -                                                       | 1 failed
  failed              | create   | Only a successful backup can be restored   | -          | -                                                       | 1 failed
  failed              | delete   | {}                                         | delete 1   | node_delete finished                                    | -
  successful          | snapshot | pending                                    | snapshot 1 | node_snapshot finished                                  | 2 successful
  successful          | enable   | {}                                         | -          | -                                                       | 1 successful
  successful          | cancel   | {}                                         | -          | backups_cancel notification                             | -
  successful          | restore  | {}                                         | restore 1  | backups_restore finished                                | 1 successful
  successful          | move     | {}                                         | restore 2  | backups_restore finished                                | 1 successful
  successful          | create   | provisioning                               | create 3   | node_create finished                                    | 1 successful
  successful          | delete   | {}                                         | delete 1   | node_delete finished                                    | -
  automatic           | snapshot | pending                                    | snapshot 1 | node_snapshot finished                                  | 1 successful, 2 successful
  automatic           | enable   | {}                                         | -          | -                                                       | 1 successful
  automatic           | cancel   | {}                                         | -          | backups_cancel notification                             | -
  automatic           | restore  | {}                                         | restore 1  | backups_restore finished                                | 1 successful
  automatic           | move     | {}                                         | restore 2  | backups_restore finished                                | 1 successful
  automatic           | create   | provisioning                               | create 3   | node_create finished                                    | 1 successful
  automatic           | delete   | {}                                         | delete 1   | node_delete finished                                    | -
  restoring           | snapshot | Node busy.                                 | restore 1  | backups_restore finished                                | 1 successful
  restoring           | enable   | {}                                         | restore 1  | backups_restore finished                                | 1 successful
  restoring           | cancel   | {}                                         | restore 1  | backups_restore finished, backups_cancel notification   | -
  restoring           | restore  | Node busy.                                 | restore 1  | backups_restore finished                                | 1 successful
  restoring           | move     | Node busy.                                 | restore 1  | backups_restore finished                                | 1 successful
  restoring           | create   | provisioning                               | restore 1, create 3 | backups_restore finished, node_create finished | 1 successful
  restoring           | delete   | {}                                         | delete 1   | backups_restore failed, node_delete finished            | -
`;

type Api = Awaited<ReturnType<typeof start>>;

const node = { region: "us-east", type: "g6-nanode-1" };
const backups = "/node/instances/1/backups";
const restore = (api: Api, node_id: number) => api.call("POST", `${backups}/1/restore`, { node_id, overwrite: true });

const actions: Readonly<Record<string, (api: Api) => ReturnType<Api["call"]>>> = {
  snapshot: ({ call }) => call("POST", backups, { label: "state" }),
  enable: ({ call }) => call("POST", `${backups}/enable`),
  cancel: ({ call }) => call("POST", `${backups}/cancel`),
  restore: (api) => restore(api, 1),
  move: (api) => restore(api, 2),
  create: ({ call }) => call("POST", "/node/instances", { ...node, backup_id: 1 }),
  delete: ({ call }) => call("DELETE", "/node/instances/1"),
};

/** Makes a state, in which the service is on already. */
const states: Readonly<Record<string, (api: Api) => Promise<unknown>>> = {
  off: ({ call }) => call("POST", `${backups}/cancel`),
  none: async () => {},
  pending: (api) => snapshot(api, 0),
  running: (api) => snapshot(api, 1),
  needsPostProcessing: (api) => snapshot(api, 234),
  failed: async (api) => {
    await snapshot(api, 100);
    await api.store.write(async (db) => {
      const job = (await findRow(db, "jobs", { entity_type: "node", entity_id: 1 })) ?? expect.fail();
      await tellJob(db, job, api.clock.now, { message: "no room" });
    });
  },
  successful: (api) => snapshot(api, 260),
  automatic: async (api) => passTime(api, 14 * 3600),
  async restoring(api) {
    await snapshot(api, 260);
    await restore(api, 1);
  },
};

/** The status that backup 1 has in each state that has it. */
const statusIn: Readonly<Record<string, string>> = { automatic: "successful", restoring: "successful" };

async function snapshot(api: Api, seconds: number): Promise<void> {
  await api.call("POST", backups, { label: "before" });
  passTime(api, seconds);
}

function passTime({ clock }: Api, seconds: number): void {
  clock.now = new Date(clock.now.getTime() + seconds * 1000);
}

const rows = table
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("every action in every state has its row", () => {
  const cells = Object.keys(states).flatMap((state) => Object.keys(actions).map((action) => `${state} ${action}`));
  expect(rows.map(([state, action]) => `${state} ${action}`)).toEqual(cells);
});

test.each(rows)("%s: %s", async (state = "", action = "", reply, unfinished, events, kept) => {
  const api = await start({ jobDriver: simulatedDriver(1) });
  const { call } = api;
  for (const backups_enabled of [true, false]) await call("POST", "/node/instances", { ...node, backups_enabled });
  await states[state]?.(api);
  if (state !== "off" && state !== "none")
    expect((await call("GET", `${backups}/1`)).body.status).toBe(statusIn[state] ?? state);
  const before = new Set(await eventsOf(api));
  const answer = await actions[action]?.(api);
  const begun = await api.store.read((db) =>
    db.selectFrom("jobs").select(["kind", "entity_id"]).orderBy("id").execute(),
  );
  passTime(api, 400);
  expect({
    reply: answer && shown(answer),
    jobs: begun.map(({ kind, entity_id }) => `${kind} ${entity_id}`).join(", ") || "-",
    events:
      (await eventsOf(api))
        .filter((event) => !before.has(event))
        .map((event) => event.replace(/^\d+ /, ""))
        .join(", ") || "-",
    kept: (await backupsOf(api)) || "-",
  }).toEqual({ reply, jobs: unfinished, events, kept });
});

/** The reason of a refusal, the status of a success, or an empty reply. */
function shown({ status, body }: Answer): string {
  if (status !== 200) return body.errors[0].reason;
  return body.status ?? JSON.stringify(body);
}

/** Id, action and status of all events, the oldest first. */
async function eventsOf({ call }: Api): Promise<string[]> {
  const { data } = (await call("GET", "/account/events")).body;
  return data.map(({ id, action, status }: Record<string, unknown>) => `${id} ${action} ${status}`).reverse();
}

/** Id and status of the backups of node 1. */
async function backupsOf({ call }: Api): Promise<string> {
  const found = [];
  for (const id of [1, 2]) {
    const { status, body } = await call("GET", `${backups}/${id}`);
    if (status === 200) found.push(`${id} ${body.status}`);
  }
  return found.join(", ");
}
