import { describe, expect, test } from "vitest";
import { receivePayment } from "../../src/server/areas/account/payments-operator.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { owe } from "./bills.ts";
import { refused, start } from "./start.ts";

const node = { region: "us-east", type: "g6-nanode-1" };

/** Seconds of jobs as at the hosted service. */
const begin = async (options: Parameters<typeof start>[0] = {}) => {
  const api = await start({ jobDriver: simulatedDriver(1), ...options });
  const { call } = api;
  const passTime = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const resize = (type: string, fields: object = {}) => call("POST", "/node/instances/1/resize", { type, ...fields });
  const newestEvent = async () => (await call("GET", "/account/events")).body.data[0];
  return { ...api, passTime, resize, newestEvent };
};

describe("a resize grows the only ext disk beside at most one swap disk", () => {
  const larger = "g6-standard-1";
  test.each<[string, string[], Parameters<Awaited<ReturnType<typeof begin>>["resize"]>, number[]]>([
    ["one ext4 disk", ["ext4"], [larger], [51_200]],
    ["one ext3 disk and a swap disk", ["swap", "ext3"], [larger], [500, 50_700]],
    ["if it is allowed", ["ext4"], [larger, { allow_auto_disk_resize: false }], [500]],
    ["not two ext disks", ["ext4", "ext4"], [larger], [500, 500]],
    ["not beside two swap disks", ["ext4", "swap", "swap"], [larger], [500, 500, 500]],
    ["not a raw disk", ["raw"], [larger], [500]],
    ["not without a larger disk of the type", ["ext4"], ["g6-nanode-1"], [500]],
  ])("%s", async (_, filesystems, [type, fields], sizes) => {
    const { call, passTime, resize } = await begin();
    await call("POST", "/node/instances", node);
    for (const filesystem of filesystems) {
      await call("POST", "/node/instances/1/disks", { label: "disk", size: 500, filesystem });
      passTime(17);
    }
    expect(await resize(type, fields)).toEqual({ status: 200, body: {} });
    passTime(120);
    const { data } = (await call("GET", "/node/instances/1/disks")).body;
    expect(data.map(({ size }: { size: number }) => size)).toEqual(sizes);
  });
});

test("the checks of a resize: a job, the balance, the type, the disks", async () => {
  const { call, store, clock, passTime, resize } = await begin();
  await owe(store, 500);
  await call("POST", "/node/instances", { ...node, type: "g6-standard-1" });
  await call("POST", "/node/instances/1/disks", { label: "disk", size: 30_000 });
  expect(await resize("huge")).toEqual(refused(["Node busy."]));
  passTime(17);
  expect(await resize("huge")).toEqual(refused(["Account has an outstanding balance"]));
  await receivePayment(store, "admin", { amount: 50_000, now: clock.now });
  expect(await resize("huge")).toEqual(refused(["type is not valid", "type"]));
  expect(await resize("g6-nanode-1")).toEqual(refused(["Disk allocation exceeds the new type"]));
});

test("a resize is announced by a notification; while it runs, its event has a rate and the time remaining", async () => {
  const { call, passTime, resize, newestEvent } = await begin();
  await call("POST", "/node/instances", node);
  await resize("g6-standard-1");
  const seen = [];
  for (const seconds of [0, 1, 60, 58, 1]) {
    passTime(seconds);
    const { action, status, percent_complete, time_remaining, rate } = await newestEvent();
    seen.push([action, status, percent_complete, time_remaining, rate]);
  }
  expect(seen).toEqual([
    ["node_resize", "scheduled", 0, null, null],
    ["node_resize", "started", 0, "0:01:59", "464.00 MB/s"],
    ["node_resize", "started", 50, "0:00:59", "464.00 MB/s"],
    ["node_resize", "started", 99, "0:00:01", "464.00 MB/s"],
    ["node_resize", "finished", 100, null, null],
  ]);
  const { data } = (await call("GET", "/account/events")).body;
  expect(data.map(({ action, status }: Record<string, string>) => `${action} ${status}`)).toEqual([
    "node_resize finished",
    "node_resize_create notification",
    "node_create finished",
  ]);
});

test("migrations: without a notification in the region, with one to another", async () => {
  const { call, passTime } = await begin();
  await call("POST", "/node/instances", node);
  for (const region of ["us-east", "us-west"]) {
    await call("POST", "/node/instances/1/migrate", { region });
    passTime(120);
  }
  const { data } = (await call("GET", "/account/events")).body;
  expect(data.map(({ action, status }: Record<string, string>) => `${action} ${status}`)).toEqual([
    "node_migrate_datacenter finished",
    "node_migrate_datacenter_create notification",
    "node_migrate finished",
    "node_create finished",
  ]);
});

test("a migration to a region without addresses fails, and the node keeps its own", async () => {
  const network = "192.168.200.0/24";
  const regions = embeddedCatalog.regions.map((region) =>
    region.id === "us-west" ? { ...region, pools: { ...region.pools, private: network } } : region,
  );
  const { call, passTime, store, newestEvent } = await begin({ catalog: { ...embeddedCatalog, regions } });
  await store.write((db) =>
    db
      .insertInto("address_pools")
      .values({ network, next: 2 ** 32 })
      .execute(),
  );
  const before = (await call("POST", "/node/instances", { ...node, private_ip: true })).body;
  await call("POST", "/node/instances/1/migrate", { region: "us-west" });
  passTime(120);
  expect((await call("GET", "/node/instances/1")).body).toEqual(before);
  expect(await newestEvent()).toMatchObject({
    status: "failed",
    message: "The region has no private IPv4 address left.",
  });
});

test("a migration fails if its region becomes impossible meanwhile, and the node stays as it was", async () => {
  const regions = embeddedCatalog.regions.map((region) =>
    region.id === "us-west" ? { ...region, capabilities: ["Nodes"] } : region,
  );
  const { call, passTime } = await begin({ catalog: { ...embeddedCatalog, regions } });
  await call("POST", "/volumes", { label: "data", region: "us-east" });
  const before = (await call("POST", "/node/instances", node)).body;
  const migrateWith = async (config: object) => {
    await call("POST", "/node/instances/1/migrate", { region: "us-west" });
    const { body } = await call("POST", "/node/instances/1/configs", { label: "boot", devices: {}, ...config });
    passTime(120);
    expect((await call("GET", "/node/instances/1")).body).toEqual(before);
    const { status, message } = (await call("GET", "/account/events")).body.data.find(
      ({ action }: { action: string }) => action === "node_migrate_datacenter",
    );
    await call("DELETE", `/node/instances/1/configs/${body.id}`);
    return [status, message];
  };
  const vlan = { purpose: "vlan", label: "inside", ipam_address: "" };
  expect(await migrateWith({ interfaces: [vlan] })).toEqual(["failed", "region does not support VLANs"]);
  expect(await migrateWith({ devices: { sda: { volume_id: 1 } } })).toEqual([
    "failed",
    "Volumes must be detached before the region changes",
  ]);
});
