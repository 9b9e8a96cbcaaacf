import { describe, expect, test } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { refused, start } from "./start.ts";

/** Seconds of jobs as at the hosted service. */
const begin = async (options: Parameters<typeof start>[0] = {}) => {
  const api = await start({ jobDriver: simulatedDriver(1), ...options });
  const passTime = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const statusOf = async (id = 1) => (await api.call("GET", `/node/instances/${id}`)).body.status;
  /** Action, status and secondary entity of all events, the oldest first. */
  const events = async () => {
    const { data } = (await api.call("GET", "/account/events")).body;
    return data
      .reverse()
      .map(
        ({ action, status, secondary_entity }: Record<string, { label: string }>) =>
          `${action} ${status}${secondary_entity ? ` ${secondary_entity.label}` : ""}`,
      );
  };
  return { ...api, passTime, statusOf, events };
};

const empty = { region: "us-east", type: "g6-nanode-1" };
const debian = { ...empty, label: "web-1", image: "node/debian12", root_pass: "correct Horse 7" };

describe("create", () => {
  test("empty: offline at once, with a default label, an address and no disk", async () => {
    const { call, events } = await begin();
    const created = await call("POST", "/node/instances", empty);
    expect(created).toEqual({
      status: 200,
      body: {
        id: 1,
        label: "node1",
        group: "",
        status: "offline",
        created: "2026-03-04T12:00:00",
        updated: "2026-03-04T12:00:00",
        type: "g6-nanode-1",
        ipv4: ["198.18.0.2"],
        ipv6: "2001:db8::f03c:91ff:fe00:1/128",
        image: null,
        region: "us-east",
        specs: { disk: 25600, memory: 1024, vcpus: 1, transfer: 1000 },
        alerts: { cpu: 90, network_in: 10, network_out: 10, transfer_quota: 80, io: 10000 },
        backups: { enabled: false, schedule: { day: null, window: null }, last_successful: null },
        hypervisor: "kvm",
        watchdog_enabled: true,
        tags: [],
      },
    });
    expect(Object.keys(created.body)).toEqual(
      "id label group status created updated type ipv4 ipv6 image region specs alerts backups hypervisor watchdog_enabled tags".split(
        " ",
      ),
    );
    expect(await call("GET", "/node/instances/1")).toEqual(created);
    expect(await events()).toEqual(["node_create finished"]);
  });

  test("from an image: provisioning, then a boot job, then running", async () => {
    const { call, events, passTime, statusOf } = await begin();
    const { status, body } = await call("POST", "/node/instances", { ...debian, private_ip: true });
    expect([status, body.status, body.image, body.ipv4]).toEqual([
      200,
      "provisioning",
      "node/debian12",
      ["198.18.0.2", "192.168.128.2"],
    ]);
    const seen = [];
    for (const seconds of [1, 48, 1, 1, 22, 1]) {
      passTime(seconds);
      seen.push(await statusOf());
    }
    expect(seen).toEqual(["provisioning", "provisioning", "booting", "booting", "booting", "running"]);
    expect(await events()).toEqual(["node_create finished Debian 12", "node_boot finished My Debian 12 Disk Profile"]);
  });

  test("both jobs are settled in order by one late look", async () => {
    const { call, passTime, statusOf } = await begin();
    await call("POST", "/node/instances", debian);
    passTime(3600);
    expect(await statusOf()).toBe("running");
    const { data } = (await call("GET", "/account/events")).body;
    expect(data.map(({ created }: { created: string }) => created)).toEqual([
      "2026-03-04T12:00:50",
      "2026-03-04T12:00:00",
    ]);
  });

  test("from an image with booted false: offline", async () => {
    const { call, passTime, statusOf } = await begin();
    await call("POST", "/node/instances", { ...debian, booted: false });
    passTime(50);
    expect(await statusOf()).toBe("offline");
  });

  test.each<[string, object, ...[string, string?][]]>([
    ["nothing", {}, ["region is required", "region"], ["type is required", "type"]],
    [
      "an unknown region and type",
      { region: "mars", type: "huge" },
      ["region is not valid", "region"],
      ["type is not valid", "type"],
    ],
    ["an unknown image", { ...debian, image: "node/none" }, ["image is not valid", "image"]],
    ["an image without a password", { ...empty, image: "node/debian12" }, ["root_pass is required", "root_pass"]],
    [
      "a weak password",
      { ...debian, root_pass: "abcdefgh" },
      ["Password does not meet strength requirement", "root_pass"],
    ],
    ["a short password", { ...debian, root_pass: "aB3" }, ["Length must be 7-128 characters", "root_pass"]],
    ["an image and a backup", { ...debian, backup_id: 1 }, ["image and backup_id exclude each other", "backup_id"]],
    [
      "a text as a key",
      { ...debian, authorized_keys: ["ssh-ed25519 nothing"] },
      ["authorized_keys[0] is not valid", "authorized_keys[0]"],
    ],
    [
      "a VLAN without VLANs",
      { ...empty, region: "us-west", interfaces: [{ purpose: "vlan", label: "lan" }] },
      ["region does not support VLANs", "region"],
    ],
    ["a short label", { ...empty, label: "ab" }, ["Length must be 3-64 characters", "label"]],
  ])("refuses %s", async (_, body, ...entries) => {
    const { call } = await begin();
    expect(await call("POST", "/node/instances", body)).toEqual(refused(...entries));
  });

  test("interfaces go into the configuration profile that is made", async () => {
    const { call } = await begin();
    const interfaces = [{ purpose: "public" }, { purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" }];
    expect((await call("POST", "/node/instances", { ...debian, interfaces })).status).toBe(200);
    expect((await call("GET", "/node/instances/1/configs")).body.data[0].interfaces).toEqual([
      { purpose: "public", label: "", ipam_address: "" },
      { purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" },
    ]);
  });

  test("labels are unique in the account, in any letter case", async () => {
    const { call } = await begin();
    await call("POST", "/node/instances", { ...empty, label: "Web" });
    expect(await call("POST", "/node/instances", { ...empty, label: "wEB" })).toEqual(
      refused(["Label must be unique", "label"]),
    );
  });
});

test("power: each action has its job, and nothing queues", async () => {
  const { call, events, passTime, statusOf } = await begin();
  await call("POST", "/node/instances", { ...debian, booted: false });
  const act = (action: string) => call("POST", `/node/instances/1/${action}`, {});
  const done = { status: 200, body: {} };
  expect(await act("boot")).toEqual(refused(["Node busy."]));
  passTime(50);
  expect(await act("shutdown")).toEqual({ status: 200, body: {} });
  expect(await act("boot")).toEqual(done);
  expect(await statusOf()).toBe("booting");
  expect(await act("boot")).toEqual(refused(["Node busy."]));
  passTime(24);
  expect(await act("boot")).toEqual(refused(["Node is already running"]));
  expect(await act("reboot")).toEqual(done);
  expect(await statusOf()).toBe("rebooting");
  passTime(52);
  expect(await act("shutdown")).toEqual(done);
  expect(await statusOf()).toBe("shutting_down");
  passTime(28);
  expect(await statusOf()).toBe("offline");
  expect(await act("reboot")).toEqual(done);
  passTime(52);
  expect(await statusOf()).toBe("running");
  expect(await events()).toEqual([
    "node_create finished Debian 12",
    "node_boot finished My Debian 12 Disk Profile",
    "node_reboot finished My Debian 12 Disk Profile",
    "node_shutdown finished",
    "node_reboot finished My Debian 12 Disk Profile",
  ]);
});

test("a deleted node frees its addresses at once, is gone when its job ends, and fails the job it had", async () => {
  const { call, events, passTime, statusOf } = await begin();
  await call("POST", "/node/instances", debian);
  passTime(10);
  expect(await call("DELETE", "/node/instances/1")).toEqual({ status: 200, body: {} });
  expect(await statusOf()).toBe("deleting");
  expect((await call("GET", "/node/instances/1")).body.ipv4).toEqual([]);
  expect((await call("POST", "/node/instances", empty)).body.ipv4).toEqual(["198.18.0.3"]);
  passTime(10);
  expect((await call("GET", "/node/instances/1")).status).toBe(404);
  expect(await events()).toEqual(["node_create failed Debian 12", "node_delete finished", "node_create finished"]);
});
