import { expect, test } from "vitest";
import { tellJob } from "../../src/server/entities/jobs.ts";
import { manualDriver, simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { findRow } from "../../src/server/store/rows.ts";
import { start } from "./start.ts";

const empty = { region: "us-east", type: "g6-nanode-1" };
const debian = { image: "node/debian12", root_pass: "correct Horse 7" };

async function begin(options: Parameters<typeof start>[0] = {}) {
  const api = await start({ jobDriver: simulatedDriver(1), ...options });
  await api.call("POST", "/node/instances", empty);
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await api.call(method, `/node/instances/1${path}`, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  /** Ends the node's job, as failed if there is a message why. */
  const tell = (message?: string) =>
    api.store.write(async (db) => {
      const job = (await findRow(db, "jobs", { entity_type: "node", entity_id: 1 })) ?? expect.fail();
      await tellJob(db, job, api.clock.now, message === undefined ? undefined : { message });
    });
  /** Action, status, entity and secondary entity of all events but the first, the oldest first. */
  const events = async () => {
    const { data } = (await api.call("GET", "/account/events")).body;
    return data
      .reverse()
      .slice(1)
      .map(({ action, status, entity, secondary_entity: second }: Record<string, { type: string; url: string }>) => {
        expect(entity?.url).toBe("/v4/node/instances/1");
        return `${action} ${status}${second ? ` ${second.type} ${second.url}` : ""}`;
      });
  };
  return { ...api, ask, pass, tell, events };
}

test("the events of disks and configuration profiles are about their node, with the disk or the profile beside it", async () => {
  const { ask, pass, events } = await begin();
  await ask("POST", "/disks", { ...debian, size: 2000 });
  pass(17);
  await ask("POST", "/disks/1/clone");
  pass(17);
  await ask("PUT", "/disks/1", { label: "root" });
  await ask("POST", "/disks/1/resize", { size: 3000 });
  pass(17);
  await ask("POST", "/disks/1/password", { password: "correct Horse 8" });
  pass(5);
  await ask("POST", "/password", { root_pass: "correct Horse 9" });
  pass(5);
  await ask("POST", "/configs", { label: "boot", devices: { sda: { disk_id: 1 }, sdb: { disk_id: 2 } } });
  await ask("PUT", "/configs/1", { label: "start" });
  await ask("DELETE", "/disks/2");
  pass(17);
  await ask("DELETE", "/configs/1");
  expect(await events()).toEqual([
    "disk_create finished disk /v4/node/instances/1/disks/1",
    "disk_duplicate finished disk /v4/node/instances/1/disks/2",
    "disk_update notification disk /v4/node/instances/1/disks/1",
    "disk_resize finished disk /v4/node/instances/1/disks/1",
    "password_reset finished",
    "password_reset finished",
    "node_config_create notification node_config /v4/node/instances/1/configs/1",
    "node_config_update notification node_config /v4/node/instances/1/configs/1",
    "disk_delete finished disk /v4/node/instances/1/disks/2",
    "node_config_delete notification node_config /v4/node/instances/1/configs/1",
  ]);
});

test("a rescue is a reboot without a configuration profile; the next boot is of the last one", async () => {
  const { ask, pass, events } = await begin();
  await ask("POST", "/configs", { label: "first", devices: {} });
  await ask("POST", "/configs", { label: "second", devices: {} });
  await ask("POST", "/boot", { config_id: 2 });
  pass(24);
  await ask("POST", "/rescue");
  expect((await ask("GET", "")).status).toBe("rebooting");
  pass(52);
  expect((await ask("GET", "")).status).toBe("running");
  await ask("POST", "/reboot");
  pass(52);
  expect((await events()).slice(2)).toEqual([
    "node_boot finished node_config /v4/node/instances/1/configs/2",
    "node_reboot finished",
    "node_reboot finished node_config /v4/node/instances/1/configs/2",
  ]);
});

test("a rebuild replaces disks, profiles and image at its end, and then boots the node unless told not to", async () => {
  const { ask, pass, events } = await begin();
  await ask("POST", "/disks", { label: "data", size: 25_600 });
  pass(17);
  await ask("POST", "/configs", { label: "boot", devices: { sda: { disk_id: 1 } } });
  const labels = async (of: string) => (await ask("GET", of)).data.map(({ label }: { label: string }) => label);
  const seen = async () => {
    const { status, image } = await ask("GET", "");
    return [status, image, ...(await labels("/disks")), ...(await labels("/configs"))];
  };
  const answered = await ask("POST", "/rebuild", debian);
  expect([answered.status, answered.image]).toEqual(["rebuilding", "node/debian12"]);
  pass(59);
  expect(await seen()).toEqual(["rebuilding", null, "data", "boot"]);
  pass(1);
  const rebuilt = ["node/debian12", "Debian 12 Disk", "512 MB Swap Image", "My Debian 12 Disk Profile"];
  expect(await seen()).toEqual(["booting", ...rebuilt]);
  pass(24);
  expect(await seen()).toEqual(["running", ...rebuilt]);
  await ask("POST", "/rebuild", { ...debian, image: "node/debian11", swap_size: 0, booted: false });
  pass(60);
  expect(await seen()).toEqual(["offline", "node/debian11", "Debian 11 Disk", "My Debian 11 Disk Profile"]);
  expect((await events()).slice(2)).toEqual([
    "node_rebuild finished image /v4/images/node/debian12",
    "node_boot finished node_config /v4/node/instances/1/configs/2",
    "node_rebuild finished image /v4/images/node/debian11",
  ]);
});

test("a job that fails leaves disks and node as before", async () => {
  const { ask, tell } = await begin({ jobDriver: manualDriver });
  const disks = async () =>
    (await ask("GET", "/disks")).data.map(({ id, status, size }: Record<string, unknown>) => [id, status, size]);
  await ask("POST", "/disks", { label: "lost", size: 100 });
  await ask("POST", "/configs", { label: "boot", devices: { sda: { disk_id: 1 } } });
  await tell("broken");
  expect(await disks()).toEqual([]);
  expect((await ask("GET", "/configs/1")).devices.sda).toBeNull();
  await ask("POST", "/disks", { label: "data", size: 100 });
  await tell();
  expect(await disks()).toEqual([[2, "ready", 100]]);
  await ask("POST", "/disks/2/clone");
  await tell("broken");
  expect(await disks()).toEqual([[2, "ready", 100]]);
  await ask("POST", "/disks/2/resize", { size: 200 });
  await tell("broken");
  expect(await disks()).toEqual([[2, "ready", 100]]);
  await ask("DELETE", "/disks/2");
  await tell("broken");
  expect(await disks()).toEqual([[2, "ready", 100]]);
  await ask("POST", "/disks/2/password", { password: "correct Horse 7" });
  await tell("broken");
  expect(await disks()).toEqual([[2, "ready", 100]]);
  await ask("POST", "/rescue");
  await tell("broken");
  expect((await ask("GET", "")).status).toBe("offline");
  await ask("POST", "/rebuild", debian);
  await tell("broken");
  expect((await ask("GET", "")).status).toBe("offline");
  expect(await disks()).toEqual([[2, "ready", 100]]);
});

test("configuration profiles have the network helper if the account's settings say so", async () => {
  const { ask, store, pass } = await begin();
  await store.write((db) => db.updateTable("accounts").set({ network_helper: 0 }).execute());
  const { helpers } = await ask("POST", "/configs", { label: "boot", devices: {} });
  expect(helpers).toEqual({
    updatedb_disabled: true,
    distro: true,
    modules_dep: true,
    network: false,
    devtmpfs_automount: true,
  });
  await ask("POST", "/rebuild", debian);
  pass(60);
  expect((await ask("GET", "/configs")).data.map((config: { helpers: object }) => config.helpers)).toEqual([helpers]);
});
