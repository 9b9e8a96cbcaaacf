import { describe, expect, test } from "vitest";
import { crashNode } from "../../src/server/areas/nodes/operator/nodes.ts";
import { tellJob } from "../../src/server/entities/jobs.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { findRow } from "../../src/server/store/rows.ts";
import { start } from "./start.ts";

const node = { region: "us-east", type: "g6-nanode-1" };

/** Seconds of jobs as at the hosted service. */
const begin = async () => {
  const api = await start({ jobDriver: simulatedDriver(1) });
  const { call } = api;
  const passTime = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  /** The labels of a node's disks, and those of its configuration profiles with the disks at their slots. */
  const contentsOf = async (id: number) => {
    const disks = (await call("GET", `/node/instances/${id}/disks`)).body.data;
    const configs = (await call("GET", `/node/instances/${id}/configs`)).body.data;
    const labelOf = (wanted: number) => disks.find((disk: { id: number }) => disk.id === wanted)?.label;
    const slotsOf = (devices: Record<string, { disk_id: number } | null>) =>
      Object.entries(devices).flatMap(([slot, device]) => (device ? [`${slot} ${labelOf(device.disk_id)}`] : []));
    return {
      disks: disks.map(({ label }: { label: string }) => label),
      configs: configs.map(
        ({ label, devices }: { label: string; devices: Record<string, { disk_id: number } | null> }) =>
          [label, ...slotsOf(devices)].join(" "),
      ),
    };
  };
  return { ...api, passTime, contentsOf };
};

/** A node with three disks, of which two are in its two configuration profiles, and an empty one. */
const beginWithDisks = async () => {
  const api = await begin();
  const { call, passTime } = api;
  for (const _ of [1, 2]) await call("POST", "/node/instances", node);
  for (const label of ["root", "data", "spare"]) {
    await call("POST", "/node/instances/1/disks", { label, size: 1000 });
    passTime(17);
  }
  const at = (disk_id: number) => ({ disk_id, volume_id: null });
  await call("POST", "/node/instances/1/configs", { label: "one", devices: { sda: at(1) } });
  await call("POST", "/node/instances/1/configs", { label: "two", devices: { sda: at(2), sdc: at(1) } });
  return api;
};

describe("a clone has", () => {
  test.each<[string, object, { disks: string[]; configs: string[] }]>([
    [
      "all configuration profiles with their disks",
      {},
      { disks: ["root", "data"], configs: ["one sda root", "two sda data sdc root"] },
    ],
    [
      "the wanted configuration profiles with their disks",
      { configs: [1] },
      { disks: ["root"], configs: ["one sda root"] },
    ],
    ["extra disks", { configs: [1], disks: [3] }, { disks: ["root", "spare"], configs: ["one sda root"] }],
    ["disks alone", { configs: [], disks: [2] }, { disks: ["data"], configs: [] }],
    ["nothing", { configs: [] }, { disks: [], configs: [] }],
  ])("%s, in a new node and in an existing one", async (_, wanted, expected) => {
    const { call, passTime, contentsOf } = await beginWithDisks();
    expect((await call("POST", "/node/instances/1/clone", wanted)).body.id).toBe(3);
    expect((await call("POST", "/node/instances/1/clone", { ...wanted, node_id: 2 })).body.id).toBe(2);
    passTime(110);
    expect(await contentsOf(3)).toEqual(expected);
    expect(await contentsOf(2)).toEqual(expected);
  });
});

test("a clone takes along what the source had when it began, beside what the target has", async () => {
  const { call, passTime, contentsOf } = await beginWithDisks();
  await call("POST", "/node/instances/2/disks", { label: "own", size: 100 });
  passTime(17);
  await call("POST", "/node/instances/1/clone", { node_id: 2 });
  await call("DELETE", "/node/instances/1");
  passTime(110);
  expect(await contentsOf(2)).toEqual({
    disks: ["own", "root", "data"],
    configs: ["one sda root", "two sda data sdc root"],
  });
});

test("the event of a clone is about the source, and its secondary entity is the target", async () => {
  const { call } = await beginWithDisks();
  await call("POST", "/node/instances/1/clone", { label: "copy" });
  const [{ action, status, entity, secondary_entity }] = (await call("GET", "/account/events")).body.data;
  expect({ action, status, entity, secondary_entity }).toEqual({
    action: "node_clone",
    status: "scheduled",
    entity: { label: "node1", id: 1, type: "node", url: "/v4/node/instances/1" },
    secondary_entity: { label: "copy", id: 3, type: "node", url: "/v4/node/instances/3" },
  });
});

test("a failed clone leaves the target as it was", async () => {
  const { call, store, clock, contentsOf } = await beginWithDisks();
  await call("POST", "/node/instances/1/clone", { node_id: 2 });
  expect((await call("GET", "/node/instances/2")).body.status).toBe("cloning");
  await store.write(async (db) => {
    const job = (await findRow(db, "jobs", { entity_type: "node", entity_id: 2 })) ?? expect.fail();
    await tellJob(db, job, clock.now, { message: "no room" });
  });
  expect((await call("GET", "/node/instances/2")).body.status).toBe("offline");
  expect(await contentsOf(2)).toEqual({ disks: [], configs: [] });
});

test.each([undefined, { message: "no room" }])(
  "live: a target that crashes meanwhile stays off (%j)",
  async (failure) => {
    const { call, store, clock } = await start({ profile: "live", jobDriver: simulatedDriver(1) });
    const pass = (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    };
    const node = { region: "us-east", type: "g6-nanode-1" };
    await call("POST", "/linode/instances", node);
    pass(8);
    await call("POST", "/linode/instances", { ...node, image: "linode/debian12", root_pass: "correct Horse 7" });
    pass(74);
    const statusOf = async () => (await call("GET", "/linode/instances/2")).body.status;
    expect(await statusOf()).toBe("running");
    expect((await call("POST", "/linode/instances/1/clone", { linode_id: 2 })).status).toBe(200);
    await crashNode(store, 2, { jobDriver: simulatedDriver(1), now: clock.now });
    if (failure)
      await store.write(async (db) => {
        const job = (await findRow(db, "jobs", { entity_type: "node", entity_id: 2 })) ?? expect.fail();
        await tellJob(db, job, clock.now, failure);
      });
    pass(110);
    expect(await statusOf()).toBe("offline");
  },
);
