import { expect, test } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { refused, start } from "./start.ts";

const node = { region: "us-east", type: "g6-nanode-1" };
const debian = { ...node, image: "node/debian12", root_pass: "correct Horse 7", booted: false };
const backups = "/node/instances/1/backups";

/** Seconds of jobs as at the hosted service. */
const begin = async (options: Parameters<typeof start>[0] = {}) => {
  const api = await start({ jobDriver: simulatedDriver(1), ...options });
  const passTime = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const automatic = async (): Promise<string[]> =>
    (await api.call("GET", backups)).body.automatic.map(({ created }: { created: string }) => created);
  const dueOf = async () => (await api.store.read((db) => db.selectFrom("accounts").select("due").execute()))[0]?.due;
  return { ...api, passTime, automatic, dueOf };
};

const hour = 3600;
const day = 24 * hour;

test("automatic backups: a schedule an hour after enabling, then daily in the window, without job or event", async () => {
  const { call, passTime, automatic, dueOf } = await begin();
  await call("POST", "/node/instances", node);
  await call("POST", `${backups}/enable`);
  const scheduleOf = async () => (await call("GET", "/node/instances/1")).body.backups;
  const off = { enabled: true, schedule: { day: "Scheduling", window: "Scheduling" }, last_successful: null };
  const seen = [];
  for (const seconds of [0, hour - 1, 1, 13 * hour - 1, 1]) {
    passTime(seconds);
    seen.push([await scheduleOf(), await automatic(), await dueOf()]);
  }
  const on = { enabled: true, schedule: { day: "Monday", window: "W2" }, last_successful: null };
  expect(seen).toEqual([
    [off, [], "2026-03-04T13:00:00.000"],
    [off, [], "2026-03-04T13:00:00.000"],
    [on, [], "2026-03-05T02:00:00.000"],
    [on, [], "2026-03-05T02:00:00.000"],
    [{ ...on, last_successful: "2026-03-05T02:00:00" }, ["2026-03-05T02:00:00"], "2026-03-06T02:00:00.000"],
  ]);
  const { data } = (await call("GET", "/account/events")).body;
  expect(data.map(({ action }: { action: string }) => action)).toEqual(["backups_enable", "node_create"]);
});

test("automatic backups: the newest is kept, and for two weeks those of the weekly day, Monday", async () => {
  const { call, passTime, automatic } = await begin();
  await call("POST", "/node/instances", { ...node, backups_enabled: true });
  const seen = [];
  for (const days of [1, 1, 3, 1, 26, 1]) {
    passTime(days * day);
    seen.push((await automatic()).map((created) => created.slice(0, 10)));
  }
  expect(seen).toEqual([
    ["2026-03-05"],
    ["2026-03-06"],
    ["2026-03-09"],
    ["2026-03-10", "2026-03-09"],
    ["2026-04-05", "2026-03-30", "2026-03-23"],
    ["2026-04-06", "2026-03-30", "2026-03-23"],
  ]);
});

test("automatic backups: a schedule of the user counts at once", async () => {
  const { call, passTime, automatic, dueOf } = await begin();
  await call("POST", "/node/instances", { ...node, backups_enabled: true });
  await call("PUT", "/node/instances/1", { backups: { schedule: { day: "Friday", window: "W14" } } });
  expect(await dueOf()).toBe("2026-03-04T13:00:00.000"); // earlier than needed: nothing is made then
  passTime(2 * hour - 1);
  expect(await automatic()).toEqual([]);
  passTime(1);
  expect(await automatic()).toEqual(["2026-03-04T14:00:00"]);
});

test("automatic backups: they and jobs are settled in the order of their moments, in slices", async () => {
  const { call, passTime, automatic } = await begin();
  await call("POST", "/node/instances", { ...debian, backups_enabled: true });
  passTime(120 * day);
  const newest = (await automatic())[0];
  expect(newest).toBe("2026-07-02T02:00:00");
  const [first] = (await call("GET", backups)).body.automatic;
  expect(first.disks).toEqual([
    { label: "Debian 12 Disk", size: 25088, filesystem: "ext4" },
    { label: "512 MB Swap Image", size: 512, filesystem: "swap" },
  ]);
});

test("automatic backups: none after the cancellation, nor of a node that is being deleted", async () => {
  const { call, passTime, automatic, dueOf } = await begin();
  for (const _ of [1, 2]) await call("POST", "/node/instances", { ...node, backups_enabled: true });
  passTime(20 * day);
  expect((await automatic()).length).toBe(3);
  await call("POST", `${backups}/cancel`);
  await call("DELETE", "/node/instances/2");
  passTime(day);
  expect(await automatic()).toEqual([]);
  expect((await call("GET", "/node/instances/1")).body.backups).toEqual({
    enabled: false,
    schedule: { day: null, window: null },
    last_successful: null,
  });
  // The month's invoice alone.
  expect(await dueOf()).toBe("2026-04-01T00:00:00.000");
});

const contentsOf = async ({ call, passTime }: Awaited<ReturnType<typeof begin>>, id: number) => {
  await call("POST", `/node/instances/${id}/backups/enable`);
  const backup = await call("POST", `/node/instances/${id}/backups`, { label: "contents" });
  passTime(260);
  const { configs, disks } = (await call("GET", `/node/instances/${id}/backups/${backup.body.id}`)).body;
  return { configs, disks: disks.map(({ label, size }: Record<string, unknown>) => `${label} ${size}`) };
};

const deployed = { configs: ["My Debian 12 Disk Profile"], disks: ["Debian 12 Disk 25088", "512 MB Swap Image 512"] };

test("restore: with overwrite, a node has what the backup holds and nothing else; without, it needs room", async () => {
  const api = await begin();
  const { call, passTime } = api;
  await call("POST", "/node/instances", { ...debian, backups_enabled: true });
  passTime(50);
  await call("POST", backups, { label: "before" });
  passTime(260);
  const restore = (fields: object) => call("POST", `${backups}/1/restore`, fields);
  expect(await restore({ node_id: 1 })).toEqual(refused(["Insufficient space"]));
  expect(await restore({ node_id: 1, overwrite: true })).toEqual({ status: 200, body: {} });
  expect((await call("GET", "/node/instances/1")).body.status).toBe("restoring");
  passTime(19);
  expect((await call("GET", "/node/instances/1")).body.status).toBe("offline");
  expect(await contentsOf(api, 1)).toEqual(deployed);
});

test("restore: into an empty node, whose configuration profile boots the new disks", async () => {
  const api = await begin();
  const { call, passTime } = api;
  await call("POST", "/node/instances", { ...debian, backups_enabled: true });
  await call("POST", "/node/instances", node);
  await call("POST", "/node/instances", { ...node, region: "us-west" });
  passTime(50);
  await call("POST", backups, { label: "before" });
  passTime(260);
  const restore = (node_id: number) => call("POST", `${backups}/1/restore`, { node_id });
  expect(await restore(3)).toEqual(refused(["The node must be in the region of the backup", "node_id"]));
  expect(await restore(9)).toEqual(refused(["node_id is not valid", "node_id"]));
  expect(await restore(2)).toEqual({ status: 200, body: {} });
  passTime(19);
  expect(await call("POST", "/node/instances/2/boot", {})).toEqual({ status: 200, body: {} });
  passTime(24);
  expect(await contentsOf(api, 2)).toEqual(deployed);
  const devices = await api.store.read((db) =>
    db
      .selectFrom("node_configs")
      .innerJoin("disks", "disks.node_id", "node_configs.node_id")
      .select(["node_configs.devices", "disks.id"])
      .where("node_configs.node_id", "=", 2)
      .orderBy("disks.id")
      .execute(),
  );
  expect(JSON.parse(devices[0]?.devices ?? "")).toEqual({
    sda: { disk_id: devices[0]?.id, volume_id: null },
    sdb: { disk_id: devices[1]?.id, volume_id: null },
  });
});

test("create from a backup: provisioning, then a boot job, with its disks, configuration profile and image", async () => {
  const api = await begin();
  const { call, passTime } = api;
  await call("POST", "/node/instances", { ...debian, backups_enabled: true });
  passTime(50);
  await call("POST", backups, { label: "before" });
  passTime(260);
  const create = (fields: object) => call("POST", "/node/instances", { ...node, backup_id: 1, ...fields });
  expect(await create({ backup_id: 9 })).toEqual(refused(["backup_id is not valid", "backup_id"]));
  expect(await create({ region: "us-west" })).toEqual(refused(["The region must be that of the backup", "region"]));
  const { status, body } = await create({});
  expect([status, body.status, body.image]).toEqual([200, "provisioning", "node/debian12"]);
  passTime(74);
  expect((await call("GET", "/node/instances/2")).body.status).toBe("running");
  expect(await contentsOf(api, 2)).toEqual(deployed);
});
