import { beforeEach, describe, expect, test } from "vitest";
import type { MaintenanceType } from "../../src/contract/resources/maintenance.ts";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import {
  addMaintenance,
  beginMaintenance,
  finishMaintenance,
} from "../../src/server/areas/nodes/operator/maintenance.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { refused, start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;

/** A server with the running node 1, `web-1`, and the node 2, `db-1`, which is off. Jobs take 24 seconds and more. */
beforeEach(async () => {
  api = await start({ jobDriver: simulatedDriver(1) });
  const node = { region: "us-east", type: "g6-nanode-1" };
  await api.call("POST", "/node/instances", {
    ...node,
    label: "web-1",
    image: "node/debian12",
    root_pass: "correct Horse 7",
  });
  await api.call("POST", "/node/instances", { ...node, label: "db-1" });
  pass(200);
  await status();
});

function pass(seconds: number): void {
  api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
}

const begins = "2026-03-08T02:00:00";

function announce(node_id: number, type: MaintenanceType, reason = "new kernel", at = begins): Promise<number> {
  return addMaintenance(api.store, { node_id, type, reason, begins: new Date(`${at}Z`) });
}

const settings = () => ({ jobDriver: simulatedDriver(1), now: api.clock.now });
const begin = (id: number) => beginMaintenance(api.store, id, api.clock.now);
const finish = (id: number) => finishMaintenance(api.store, id, settings());

const web = { label: "web-1", id: 1, type: "node", url: "/v4/node/instances/1" };
const database = { label: "db-1", id: 2, type: "node", url: "/v4/node/instances/2" };
const itemOf = (fields: object = {}) => ({
  type: "reboot",
  status: "pending",
  reason: "new kernel",
  when: begins,
  entity: web,
  ...fields,
});

const list = async (headers = {}) => (await api.call("GET", "/account/maintenance", undefined, headers)).body.data;
const notifications = async (headers = {}) =>
  (await api.call("GET", "/account/notifications", undefined, headers)).body.data;
const status = async (node = 1) => (await api.call("GET", `/node/instances/${node}`)).body.status;
const newest = async () => (await api.call("GET", "/account/events")).body.data[0];

test("pending maintenance is listed, and is a notification until it begins", async () => {
  await announce(1, "reboot");
  await announce(2, "live_migration", "old host", "2026-03-09T02:00:00");
  const second = itemOf({
    type: "live_migration",
    reason: "old host",
    when: "2026-03-09T02:00:00",
    entity: database,
  });
  expect(await list()).toEqual([itemOf(), second]);
  const common = { body: null, severity: "major", until: null };
  const ofMigration = {
    ...common,
    label: "Migration scheduled",
    message: "db-1 will migrate to another host: old host",
    type: "migration_scheduled",
    when: "2026-03-09T02:00:00",
    entity: database,
  };
  expect(await notifications()).toEqual([
    {
      ...common,
      label: "Reboot scheduled",
      message: "web-1 will be rebooted: new kernel",
      type: "reboot_scheduled",
      when: begins,
      entity: web,
    },
    ofMigration,
  ]);
  await begin(1);
  expect(await list()).toEqual([itemOf({ status: "started" }), second]);
  expect(await notifications()).toEqual([ofMigration]);
  await finish(1);
  await finish(2);
  expect(await list()).toEqual([]);
  expect(await notifications()).toEqual([]);
});

test("the path of the beta, and the words of profile live", async () => {
  const live = await start({ store: api.store, profile: "live" });
  await announce(1, "cold_migration");
  expect(await (await live.ask("GET", "/v4beta/account/maintenance")).json()).toEqual({
    data: [
      itemOf({
        type: "cold_migration",
        entity: { label: "web-1", id: 1, type: "linode", url: "/v4/linode/instances/1" },
      }),
    ],
    page: 1,
    pages: 1,
    results: 1,
  });
});

test.each([
  ["reboot", "running", "stopped"],
  ["cold_migration", "running", "stopped"],
  ["live_migration", "running", "running"],
] as const)("%s of a node that is %s: it is %s, and runs afterwards", async (type, before, during) => {
  await announce(1, type);
  expect(await status()).toBe(before);
  await begin(1);
  expect(await status()).toBe(during);
  const { isBooted } = await finish(1);
  expect(isBooted).toBe(during === "stopped");
  if (isBooted) {
    const [config] = (await api.call("GET", "/node/instances/1/configs")).body.data;
    expect(await newest()).toMatchObject({
      action: "host_reboot",
      status: "scheduled",
      username: "",
      entity: web,
      secondary_entity: { id: config.id, type: "node_config", label: config.label },
    });
    expect(await status()).toBe("booting");
    pass(24);
  }
  expect(await status()).toBe("running");
});

test.each(["reboot", "cold_migration", "live_migration"] as const)(
  "%s of a node that is off: it stays off, without an event",
  async (type) => {
    const before = await newest();
    await announce(2, type);
    await begin(1);
    expect(await status(2)).toBe("offline");
    expect((await finish(1)).isBooted).toBe(false);
    expect(await status(2)).toBe("offline");
    expect(await newest()).toEqual(before);
  },
);

test("the user may boot a node during its maintenance, as any node that is off; its end does not boot it again", async () => {
  await announce(1, "reboot");
  await begin(1);
  expect(await status()).toBe("stopped");
  expect((await api.call("POST", "/node/instances/1/boot")).status).toBe(200);
  expect(await newest()).toMatchObject({ action: "node_boot", username: "admin", entity: web });
  pass(24);
  expect([await status(), (await list())[0].status]).toEqual(["running", "started"]);
  expect((await api.call("POST", "/node/instances/1/shutdown")).status).toBe(200);
  pass(28);
  expect(await status()).toBe("offline");
  expect((await finish(1)).isBooted).toBe(false);
  expect([await status(), await list()]).toEqual(["offline", []]);
});

test("a node that its user boots during the maintenance is not booted at its end", async () => {
  await announce(1, "reboot");
  await begin(1);
  await api.call("POST", "/node/instances/1/boot");
  pass(24);
  expect(await status()).toBe("running");
  expect((await finish(1)).isBooted).toBe(false);
  expect(await status()).toBe("running");
});

describe("cancelled maintenance", () => {
  test("changes nothing", async () => {
    await announce(1, "reboot");
    expect(await finish(1)).toMatchObject({ hadBegun: false, isBooted: false });
    expect([await list(), await status()]).toEqual([[], "running"]);
  });

  test("does not boot a node that other maintenance has stopped", async () => {
    await announce(1, "reboot");
    await announce(1, "cold_migration");
    await begin(1);
    expect(await finish(2)).toMatchObject({ hadBegun: false, isBooted: false });
    expect(await status()).toBe("stopped");
  });
});

test("a node in two maintenances is booted at the end of the last", async () => {
  await announce(1, "reboot");
  await announce(1, "cold_migration");
  await begin(1);
  await begin(2);
  expect((await finish(1)).isBooted).toBe(false);
  expect((await finish(2)).isBooted).toBe(true);
});

test.each(["cold_migration", "live_migration"] as const)("a node with a %s cannot be resized", async (type) => {
  await announce(1, type);
  const resize = () => api.call("POST", "/node/instances/1/resize", { type: "g6-standard-1" });
  const pending = refused(["Node has a pending migration"]);
  expect(await resize()).toEqual(pending);
  await begin(1);
  expect(await resize()).toEqual(pending);
  await finish(1);
  pass(24);
  expect((await resize()).status).toBe(200);
});

test("a node whose host reboots later can be resized", async () => {
  await announce(1, "reboot");
  expect((await api.call("POST", "/node/instances/1/resize", { type: "g6-standard-1" })).status).toBe(200);
});

test("users see the maintenance of nodes that their grants show, and no other account sees any", async () => {
  await announce(1, "reboot");
  await announce(2, "reboot");
  await addUser(api.store, { username: "ci", account: "admin", restricted: true, now: api.clock.now });
  const restricted = { as: await api.mint({ username: "ci" }) };
  const other = { as: await api.mint({ username: "stranger" }) };
  expect([await list(restricted), await notifications(restricted)]).toEqual([[], []]);
  await setGrant(api.store, "ci", "db-1", "read_only", api.clock.now, "node");
  expect(await list(restricted)).toEqual([itemOf({ entity: database })]);
  expect((await notifications(restricted)).map(({ entity }: { entity: object }) => entity)).toEqual([database]);
  expect([await list(other), await notifications(other)]).toEqual([[], []]);
});

test.each([
  [{ type: "reboot" }, ["web-1"]],
  [{ status: "started" }, ["db-1"]],
  [{ when: { "+lt": "2026-03-09T00:00:00" } }, ["web-1"]],
  [{ "+order_by": "when", "+order": "desc" }, ["db-1", "web-1"]],
])("the filter %j", async (filter, labels) => {
  await announce(1, "reboot");
  await announce(2, "live_migration", "old host", "2026-03-09T02:00:00");
  await begin(2);
  const found = await list({ "X-Filter": JSON.stringify(filter) });
  expect(found.map(({ entity }: { entity: { label: string } }) => entity.label)).toEqual(labels);
});

test("the maintenance of a node ends with the node", async () => {
  await announce(1, "reboot");
  await api.call("DELETE", "/node/instances/1");
  expect(await list()).toEqual([]);
  await expect(finish(1)).rejects.toThrow("maintenance 1 does not exist");
});
