import { expect, test } from "vitest";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import { crashNode } from "../../src/server/areas/nodes/operator/nodes.ts";
import { tellJob } from "../../src/server/entities/jobs.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { findRow } from "../../src/server/store/rows.ts";
import { start } from "./start.ts";

const node = "/node/instances/1";
const vlan = (label: string) => ({ purpose: "vlan", label, ipam_address: "" });

/** A node with the configuration profiles 1, `inside`, in the VLAN `lan`, and 2, `outside`, in none. */
async function begin() {
  const api = await start({ jobDriver: simulatedDriver(1) });
  const { call } = api;
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
  await call("POST", `${node}/configs`, { label: "inside", devices: {}, interfaces: [vlan("lan")] });
  await call("POST", `${node}/configs`, { label: "outside", devices: {} });
  const boot = async (config_id: number, action = "boot") => {
    expect(await call("POST", `${node}/${action}`, { config_id })).toEqual({ status: 200, body: {} });
    pass(52);
  };
  /** The events of VLANs, the oldest first. */
  const events = async (): Promise<ApiEvent[]> =>
    (await call("GET", "/account/events")).body.data
      .filter(({ action }: ApiEvent) => action.startsWith("vlan_"))
      .reverse();
  const changes = async () => (await events()).map(({ action, message }) => `${action} ${message}`);
  return { ...api, pass, boot, events, changes };
}

test("a boot attaches the node to the VLANs of its configuration profile", async () => {
  const { boot, events } = await begin();
  await boot(1);
  expect(await events()).toEqual([
    {
      id: 5,
      created: "2026-03-04T12:00:24",
      seen: false,
      read: false,
      percent_complete: null,
      time_remaining: null,
      rate: null,
      duration: null,
      action: "vlan_attach",
      username: "admin",
      entity: { label: "web-1", id: 1, type: "node", url: "/v4/node/instances/1" },
      status: "notification",
      secondary_entity: { label: "inside", id: 1, type: "node_config", url: "/v4/node/instances/1/configs/1" },
      message: "lan",
    },
  ]);
});

test("changed interfaces take effect at the next boot", async () => {
  const { call, boot, changes } = await begin();
  await boot(1);
  await call("PUT", `${node}/configs/1`, { interfaces: [{ purpose: "public" }, vlan("dmz"), vlan("lan")] });
  expect(await changes()).toEqual(["vlan_attach lan"]);
  await boot(1, "reboot");
  expect(await changes()).toEqual(["vlan_attach lan", "vlan_attach dmz"]);
  await call("PUT", `${node}/configs/1`, { interfaces: [vlan("backup"), vlan("dmz")] });
  await boot(1, "reboot");
  await boot(1, "reboot");
  expect((await changes()).slice(2)).toEqual(["vlan_detach lan", "vlan_attach backup"]);
});

test("a boot of a configuration profile without VLANs detaches the node, a shutdown does not", async () => {
  const { call, pass, boot, changes } = await begin();
  await boot(1);
  await call("POST", `${node}/shutdown`);
  pass(28);
  expect(await changes()).toEqual(["vlan_attach lan"]);
  await boot(2);
  expect(await changes()).toEqual(["vlan_attach lan", "vlan_detach lan"]);
});

test("the rescue system and a failed boot change nothing", async () => {
  const { call, store, clock, pass, boot, changes } = await begin();
  await boot(1);
  await call("POST", `${node}/rescue`, {});
  pass(52);
  await call("POST", `${node}/reboot`, { config_id: 2 });
  await store.write(async (db) => {
    const job = await findRow(db, "jobs", { entity_type: "node", entity_id: 1 });
    if (job) await tellJob(db, job, clock.now, { message: "no host" });
  });
  expect(await changes()).toEqual(["vlan_attach lan"]);
});

test("a reboot by the watchdog attaches as well, and no user caused it", async () => {
  const { call, store, clock, pass, boot, events } = await begin();
  await boot(1);
  await call("PUT", `${node}/configs/1`, { interfaces: [vlan("dmz")] });
  expect(await crashNode(store, 1, { jobDriver: simulatedDriver(1), now: clock.now })).toBe(true);
  pass(24);
  expect((await events()).map(({ action, message, username }) => [action, message, username])).toEqual([
    ["vlan_attach", "lan", "admin"],
    ["vlan_detach", "lan", ""],
    ["vlan_attach", "dmz", ""],
  ]);
});
