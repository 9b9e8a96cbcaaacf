// @suite long postgres

import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, inject, test } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { timestamp } from "../../src/server/kit/timestamp.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { apiOf, Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { isNightly } from "../properties.ts";
import { start } from "./start.ts";
import { emptyPlace, withEmptyStore } from "./stores.ts";

/** Jobs take as long as at the hosted service. */
const jobDriver = simulatedDriver(1);

/** Nodes of each kind. */
const each = 2;

/** Kills, each at another moment. */
const kills = isNightly ? 40 : 1;

const hour = 60 * 60 * 1000;

/** All jobs have ended by now, and one window of automatic backups has begun, two to four hours ago. */
const now = new Date();
const opening = new Date((Math.floor(now.getTime() / (2 * hour)) - 1) * 2 * hour);

type Request = [method: string, path: string, body?: object];

/** A node before its job: offline, with a disk of 2000 MB in its configuration profile, and with a snapshot. */
interface Prepared {
  readonly path: string;
  readonly disk: number;
  readonly backup: number;
}

const ofType = { region: "us-east", type: "g6-standard-1" };
const debian = { image: "node/debian12", root_pass: "correct Horse 7" };
const nodes = "/node/instances";

/** Requests that start jobs of each kind. */
const kinds = {
  boot: ({ path }) => ["POST", `${path}/boot`, {}],
  reboot: ({ path }) => ["POST", `${path}/reboot`, {}],
  rescue: ({ path, disk }) => ["POST", `${path}/rescue`, { devices: { sda: { disk_id: disk } } }],
  rebuild: ({ path }) => ["POST", `${path}/rebuild`, debian],
  delete: ({ path }) => ["DELETE", path],
  resize: ({ path }) => ["POST", `${path}/resize`, { type: "g6-standard-2" }],
  migrate: ({ path }) => ["POST", `${path}/migrate`, { region: "us-west" }],
  password: ({ path }) => ["POST", `${path}/password`, { root_pass: "correct Horse 8" }],
  snapshot: ({ path }) => ["POST", `${path}/backups`, { label: "new" }],
  restore: ({ path, backup }) => [
    "POST",
    `${path}/backups/${backup}/restore`,
    { node_id: idIn(path), overwrite: true },
  ],
  "add disk": ({ path }) => ["POST", `${path}/disks`, { label: "more", size: 300 }],
  "clone disk": ({ path, disk }) => ["POST", `${path}/disks/${disk}/clone`],
  "delete disk": ({ path, disk }) => ["DELETE", `${path}/disks/${disk}`],
  "grow disk": ({ path, disk }) => ["POST", `${path}/disks/${disk}/resize`, { size: 2100 }],
  "shrink disk": ({ path, disk }) => ["POST", `${path}/disks/${disk}/resize`, { size: 100 }],
  clone: ({ path }) => ["POST", `${path}/clone`, ofType],
  create: () => ["POST", nodes, { ...ofType, ...debian }],
} satisfies Record<string, (node: Prepared) => Request>;

/**
 * What becomes of a node by each kind: its status, type, region and the sizes of its disks; its backups, of which the
 * automatic one is made last; the ends of all its events. What clones and creates make, is in rows of their own.
 */
const table = `
  boot        | running g6-standard-1 us-east 2000      | snapshot auto | node_boot finished
  reboot      | running g6-standard-1 us-east 2000      | snapshot auto | node_reboot finished
  rescue      | running g6-standard-1 us-east 2000      | snapshot auto | node_reboot finished
  rebuild     | running g6-standard-1 us-east 50688 512 | snapshot auto | node_rebuild finished, node_boot finished
  delete      | gone                                    |               | node_delete finished
  resize      | offline g6-standard-2 us-east 81920     | snapshot auto | node_resize finished
  migrate     | offline g6-standard-1 us-west 2000      | snapshot auto | node_migrate_datacenter finished
  password    | offline g6-standard-1 us-east 2000      | snapshot auto | password_reset finished
  snapshot    | offline g6-standard-1 us-east 2000      | snapshot auto | node_snapshot finished
  restore     | offline g6-standard-1 us-east 2000      | snapshot auto | backups_restore finished
  add disk    | offline g6-standard-1 us-east 2000 300  | snapshot auto | disk_create finished
  clone disk  | offline g6-standard-1 us-east 2000 2000 | snapshot auto | disk_duplicate finished
  delete disk | offline g6-standard-1 us-east           | snapshot auto | disk_delete finished
  grow disk   | offline g6-standard-1 us-east 2100      | snapshot auto | disk_resize finished
  shrink disk | offline g6-standard-1 us-east 2000      | snapshot auto | disk_resize failed
  clone       | offline g6-standard-1 us-east 2000      | snapshot auto | node_clone finished
  create      | offline g6-standard-1 us-east 2000      | snapshot auto |
  new clone   | offline g6-standard-1 us-east 2000      |               |
  new create  | running g6-standard-1 us-east 50688 512 |               | node_create finished, node_boot finished
`;

const expected = new Set(
  table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .join(" | "),
    ),
);

function idIn(path: string): number {
  return Number(path.slice(nodes.length + 1));
}

/** Prepares nodes for every kind and starts their jobs; returns the ids of the nodes of each row of the table. */
async function startJobs(store: Store) {
  const api = await start({ store, jobDriver });
  api.clock.now = new Date(opening.getTime() - hour);
  const send = async (...request: Request) => {
    const { status, body } = await api.call(...request);
    expect([request, status, body]).toEqual([request, 200, expect.anything()]);
    return body;
  };
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const rows = Object.entries(kinds).flatMap(([row, request]) =>
    Array.from({ length: each }, () => ({ row, request })),
  );
  const paths: string[] = [];
  for (const _ of rows) {
    const { id } = await send("POST", nodes, { ...ofType, backups_enabled: true });
    const schedule = { day: "Sunday", window: `W${opening.getUTCHours()}` };
    await send("PUT", `${nodes}/${id}`, { backups: { schedule } });
    paths.push(`${nodes}/${id}`);
  }
  pass(8);
  const disks: { id: number }[] = [];
  for (const path of paths) disks.push(await send("POST", `${path}/disks`, { ...debian, size: 2000 }));
  pass(17);
  const prepared: Prepared[] = [];
  for (const [n, path] of paths.entries()) {
    const disk = disks[n]?.id ?? 0;
    await send("POST", `${path}/configs`, { label: "boot", devices: { sda: { disk_id: disk } } });
    prepared.push({ path, disk, backup: (await send("POST", `${path}/backups`, { label: "old" })).id });
  }
  pass(260);
  await send("GET", "/profile");
  const ids = new Map<string, number[]>();
  const note = (row: string, id: number) => ids.set(row, [...(ids.get(row) ?? []), id]);
  for (const [n, { row, request }] of rows.entries()) {
    const node = prepared[n] ?? expect.fail();
    const [method, path, body] = request(node);
    const { id } = await send(method, path, body);
    note(row, idIn(node.path));
    if (row === "clone" || row === "create") note(`new ${row}`, id);
  }
  return { api, ids, started: api.clock.now };
}

/** All that the ends of jobs and automatic backups change. */
function readState(store: Store) {
  return store.read(async (db) => ({
    nodes: await db.selectFrom("nodes").selectAll().orderBy("id").execute(),
    disks: await db.selectFrom("disks").selectAll().orderBy("id").execute(),
    configs: await db.selectFrom("node_configs").selectAll().orderBy("id").execute(),
    backups: await db.selectFrom("backups").selectAll().orderBy("id").execute(),
    addresses: await db.selectFrom("addresses").selectAll().orderBy("id").execute(),
    runs: await db.selectFrom("node_runs").selectAll().orderBy("node_id").orderBy("started").execute(),
    events: await db.selectFrom("events").selectAll().orderBy("id").execute(),
    jobs: await db.selectFrom("jobs").selectAll().orderBy("id").execute(),
    due: await db.selectFrom("accounts").select("due").execute(),
  }));
}

type State = Awaited<ReturnType<typeof readState>>;

/** The row of the table that describes a node. */
function describeNode(state: State, row: string, id: number, started: string): string {
  const node = state.nodes.find((node) => node.id === id);
  const of = <T extends { readonly node_id: number | null }>(rows: readonly T[]) =>
    rows.filter(({ node_id }) => node_id === id);
  const shown = node
    ? [node.status, node.type, node.region, ...of(state.disks).map(({ size }) => size)].join(" ")
    : "gone";
  const backups = of(state.backups).map(({ type, status }) => (status === "successful" ? type : status));
  const events = state.events.filter(
    (event) => event.entity_id === id && event.created >= started && event.status !== "notification",
  );
  const ends = events.map(({ action, status }) => `${action} ${status}`);
  return [row, shown, backups.join(" "), ends.join(", ")].join(" | ");
}

/** The states of an undisturbed server after each of its transactions, the first one before all. */
let states: State[];
beforeAll(async () => {
  states = await withEmptyStore(async (store) => {
    const { api } = await startJobs(store);
    api.clock.now = now;
    const reached = [await readState(store)];
    for (;;) {
      await api.call("GET", "/domains");
      const state = await readState(store);
      if (isDeepStrictEqual(state, reached.at(-1))) return reached;
      reached.push(state);
    }
  });
});

test.each(Array.from({ length: kills }, (_, n) => n + 1))(
  "after kill -9 (%d) amid the ends of many jobs, each of them has ended completely or not at all, and ends once",
  async (kill) => {
    const desk = new Desk();
    const isPostgres = inject("postgres") !== undefined;
    const place = isPostgres ? await emptyPlace() : join(desk.folder, "data", "zonewright.db");
    const before = await openStore(place);
    const { api, ids, started } = await startJobs(before);
    await before.close();
    const last = 1 + (kill % (states.length - 3)); // leaves the jobs of two transactions

    const env: Record<string, string> = isPostgres ? { DATABASE_URL: place } : {};
    const data = isPostgres ? "" : " --data data";
    const program = new Program(desk.folder, `serve --port 0 --rate-limit 0 --job-time 1${data}`, env);
    const { url } = await apiOf(program);
    let replies = 0;
    let lost = 0;
    const send = async () => {
      try {
        const reply = await fetch(`${url}/v4/domains`, { headers: { Authorization: `Bearer ${api.token}` } });
        expect(reply.status).toBe(200);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // fetch: the connection broke
        lost++;
        return;
      }
      if (++replies === last) program.kill("SIGKILL");
    };
    await Promise.all(Array.from({ length: 100 }, send));
    expect((await program.end()).code).toBe("SIGKILL");
    expect(lost).toBeGreaterThan(0);

    const after = await openStore(place);
    const found = await readState(after);
    const reached = states.find(
      ({ jobs, backups, due }) =>
        jobs.length === found.jobs.length &&
        backups.length === found.backups.length &&
        isDeepStrictEqual(due, found.due), // after midnight, the day of accounts is a transaction of its own
    );
    expect(found).toEqual(reached);
    const second = await start({ store: after, jobDriver });
    second.clock.now = now;
    await second.call("GET", "/profile");
    const state = await readState(after);
    expect(state.jobs).toEqual([]);
    expect(state.events.filter(({ status }) => status === "started")).toEqual([]);
    const overfull = state.nodes.filter(
      ({ id, disk }) => disk < sum(state.disks.filter(({ node_id }) => node_id === id).map(({ size }) => size)),
    );
    expect(overfull).toEqual([]);
    expect(new Set(state.addresses.map(({ address }) => address)).size).toBe(state.addresses.length);
    const rows = [...ids].flatMap(([row, of]) => of.map((id) => describeNode(state, row, id, timestamp(started))));
    expect(new Set(rows)).toEqual(expected);
    await after.close();
  },
);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
