// @suite long postgres

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import {
  addMaintenance,
  beginMaintenance,
  finishMaintenance,
  listMaintenanceOfAll,
} from "../../src/server/areas/nodes/operator/maintenance.ts";
import { crashNode } from "../../src/server/areas/nodes/operator/nodes.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import type { Profile } from "../../src/server/entities/context.ts";
import { tellJob } from "../../src/server/entities/jobs.ts";
import { type JobDriver, simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { createServer } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import { isNightly, samples } from "../properties.ts";
import { start } from "./start.ts";
import { withTwoStores } from "./stores.ts";

/** MB of the disks of each type. */
const rooms = new Map([
  ["g6-nanode-1", 25_600],
  ["g6-standard-1", 51_200],
  ["g6-standard-2", 81_920],
]);
const types = [...rooms.keys()];

/** The beginning of the public addresses of each region. */
const networks = new Map([
  ["us-east", "198.18.0."],
  ["us-west", "198.18.1."],
]);
const regions = [...networks.keys()];
const withVlans = "us-east";

/** Six public addresses a region, so that they are given again. */
const catalog = {
  ...embeddedCatalog,
  extra_public_ipv4: 1,
  regions: [...networks].map(([id, network]) => ({
    ...(embeddedCatalog.regions.find((region) => region.id === id) ?? expect.fail()),
    capabilities: ["Nodes", "Backups", "Block Storage", ...(id === withVlans ? ["Vlans"] : [])],
    pools: { public: `${network}0/29`, private: "192.168.128.0/28", slaac: "2001:db8::/32" },
  })),
};

/** Time for which an address rests, in milliseconds. */
const rest = 7 * 24 * 3600 * 1000;

type Asked = [method: string, path: string, body?: object];

/** The subjects of a request: ids of existing rows, most of them of the node; 0 for nothing. */
interface Choice {
  readonly node: number;
  readonly other: number;
  readonly disk: number;
  readonly config: number;
  readonly volume: number;
  readonly backup: number;
  readonly address: string;
  readonly region: string;
  readonly type: string;
  readonly size: number;
  readonly flag: boolean;
}

const debian = { image: "node/debian12", root_pass: "correct Horse 7" };
const nodes = "/node/instances";

const requests = {
  create: ({ region, type, flag }) => ["POST", nodes, { region, type, private_ip: flag, backups_enabled: flag }],
  deploy: ({ region, type, flag }) => ["POST", nodes, { region, type, ...debian, booted: flag }],
  createFrom: ({ region, type, backup }) => ["POST", nodes, { region, type, backup_id: backup }],
  delete: ({ node }) => ["DELETE", `${nodes}/${node}`],
  tag: ({ node, flag }) => ["PUT", `${nodes}/${node}`, { tags: flag ? ["one"] : ["one", "two"] }],
  boot: ({ node }) => ["POST", `${nodes}/${node}/boot`, {}],
  reboot: ({ node }) => ["POST", `${nodes}/${node}/reboot`, {}],
  shutDown: ({ node }) => ["POST", `${nodes}/${node}/shutdown`],
  rescue: ({ node, disk }) => ["POST", `${nodes}/${node}/rescue`, { devices: { sda: { disk_id: disk || null } } }],
  rebuild: ({ node, flag }) => ["POST", `${nodes}/${node}/rebuild`, { ...debian, booted: flag }],
  resize: ({ node, type, flag }) => ["POST", `${nodes}/${node}/resize`, { type, allow_auto_disk_resize: flag }],
  migrate: ({ node, region, flag }) => ["POST", `${nodes}/${node}/migrate`, flag ? { region } : {}],
  clone: ({ node, region, type, flag }) => ["POST", `${nodes}/${node}/clone`, flag ? { region, type } : {}],
  cloneOnto: ({ node, other, disk }) => ["POST", `${nodes}/${node}/clone`, { node_id: other, disks: [disk] }],
  addAddress: ({ node, flag }) => ["POST", `${nodes}/${node}/ips`, { type: "ipv4", public: flag }],
  removeAddress: ({ node, address }) => ["DELETE", `${nodes}/${node}/ips/${address}`],
  addDisk: ({ node, size }) => ["POST", `${nodes}/${node}/disks`, { label: "data", size }],
  deployDisk: ({ node, size }) => ["POST", `${nodes}/${node}/disks`, { ...debian, size }],
  resizeDisk: ({ node, disk, size }) => ["POST", `${nodes}/${node}/disks/${disk}/resize`, { size }],
  changeDisk: ({ node, disk, size }) => ["PUT", `${nodes}/${node}/disks/${disk}`, { size, filesystem: "ext3" }],
  cloneDisk: ({ node, disk }) => ["POST", `${nodes}/${node}/disks/${disk}/clone`],
  deleteDisk: ({ node, disk }) => ["DELETE", `${nodes}/${node}/disks/${disk}`],
  addConfig({ node, disk, volume, flag }) {
    const devices = { sda: { disk_id: disk || null }, sdb: { volume_id: (flag && volume) || null } };
    return ["POST", `${nodes}/${node}/configs`, { label: "boot", devices }];
  },
  joinVlan({ node, config }) {
    const interfaces = [{ purpose: "vlan", label: "inside", ipam_address: "" }];
    return ["PUT", `${nodes}/${node}/configs/${config}`, { interfaces }];
  },
  deleteConfig: ({ node, config }) => ["DELETE", `${nodes}/${node}/configs/${config}`],
  enableBackups: ({ node }) => ["POST", `${nodes}/${node}/backups/enable`],
  cancelBackups: ({ node }) => ["POST", `${nodes}/${node}/backups/cancel`],
  snapshot: ({ node }) => ["POST", `${nodes}/${node}/backups`, { label: "now" }],
  restore({ node, other, backup, flag }) {
    return ["POST", `${nodes}/${node}/backups/${backup}/restore`, { node_id: other, overwrite: flag }];
  },
  addVolume: ({ region, size }) => ["POST", "/volumes", { label: `v${size}`, region }],
  attachVolume: ({ node, volume }) => ["POST", `/volumes/${volume}/attach`, { node_id: node }],
  detachVolume: ({ volume }) => ["POST", `/volumes/${volume}/detach`],
  deleteVolume: ({ volume }) => ["DELETE", `/volumes/${volume}`],
  addFirewall: ({ node }) => ["POST", "/networking/firewalls/1/devices", { type: "node", id: node }],
} satisfies Record<string, (choice: Choice) => Asked>;

/** Requests to come, all of a few kinds: numbers that choose among what then exists. */
const someKinds = fc.shuffledSubarray(Object.entries(requests), { minLength: 9, maxLength: 9 });
const wishOf = (kinds: readonly [name: string, request: (choice: Choice) => Asked][]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    node: fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 3),
    other: fc.nat({ max: 3 }),
    choice: fc.nat({ max: 11 }),
    size: fc.integer({ min: 1, max: 16_000 }),
    flag: fc.boolean(),
  });
type Wish = ReturnType<typeof wishOf> extends fc.Arbitrary<infer T> ? T : never;

/** The work of operators on a node; refusals are problems. */
const operations = {
  crash: (store, { node }, settings) => crashNode(store, node, settings),
  beginMaintenance: async (store, { node: node_id }, { now }) => {
    const wanted = { node_id, type: "reboot", reason: "new kernel", begins: now } as const;
    await beginMaintenance(store, await addMaintenance(store, wanted), now);
  },
  endMaintenance: async (store, { node }, settings) => {
    const held = (await listMaintenanceOfAll(store)).find(({ node_id }) => node_id === node);
    if (held) await finishMaintenance(store, held.id, settings);
  },
} satisfies Record<
  string,
  (store: Store, choice: { node: number }, settings: { jobDriver: JobDriver; now: Date }) => Promise<unknown>
>;

/** At most one work of operators in a step, and whether a job then fails. */
const disturbance = fc.record({
  operation: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(operations)) },
  ),
  node: fc.nat({ max: 3 }),
  fails: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
type Disturbance = typeof disturbance extends fc.Arbitrary<infer T> ? T : never;

/** Most moments are not whole seconds. */
const fraction = fc.constantFrom(0, 0.05, 0.9, 0.95);
const seconds = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 4, arbitrary: fc.integer({ min: 60, max: 300 }) },
  { weight: 1, arbitrary: fc.integer({ min: 300, max: 86_400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 86_400, max: 8 * 86_400 }) },
);

/** Requests to two servers at the same moment, an operator's work, and the seconds that pass before the next ones. */
const step = (kinds: Parameters<typeof wishOf>[0]) =>
  fc.tuple(
    wishOf(kinds),
    wishOf(kinds),
    disturbance,
    fc.tuple(seconds, fraction).map(([whole, part]) => whole + part),
  );
type Step = ReturnType<typeof step> extends fc.Arbitrary<infer T> ? T : never;
const history = fc.tuple(
  fc.constantFrom<Profile>("documented", "documented", "live"),
  someKinds.chain((kinds) => fc.array(step(kinds), { minLength: 20, maxLength: 20 })),
);

/** The rows that requests and jobs change. */
function readState(store: Store) {
  return store.read(async (db) => ({
    nodes: await db.selectFrom("nodes").selectAll().orderBy("id").execute(),
    disks: await db.selectFrom("disks").selectAll().orderBy("id").execute(),
    configs: await db.selectFrom("node_configs").selectAll().orderBy("id").execute(),
    backups: await db.selectFrom("backups").selectAll().orderBy("id").execute(),
    volumes: await db.selectFrom("volumes").selectAll().orderBy("id").execute(),
    devices: await db.selectFrom("firewall_devices").selectAll().orderBy("id").execute(),
    addresses: await db.selectFrom("addresses").selectAll().orderBy("id").execute(),
    tagged: await db.selectFrom("tagged").selectAll().execute(),
    jobs: await db.selectFrom("jobs").selectAll().orderBy("id").execute(),
    events: await db.selectFrom("events").selectAll().orderBy("id").execute(),
  }));
}

type State = Awaited<ReturnType<typeof readState>>;

function pick<T>(list: readonly T[], choice: number): T | undefined {
  return list[choice % list.length];
}

function requestOf({ kind: [name, request], choice, ...wish }: Wish, state: State): Asked {
  const node = pick(state.nodes, wish.node);
  const own = <T extends { readonly node_id: number | null }>(rows: readonly T[]) =>
    pick(
      rows.filter(({ node_id }) => node_id === node?.id),
      choice,
    );
  const backup = own(state.backups) ?? pick(state.backups, choice);
  return request({
    node: (name === "restore" ? backup?.node_id : node?.id) ?? 0,
    other: pick(state.nodes, wish.other)?.id ?? 0,
    disk: own(state.disks)?.id ?? 0,
    config: own(state.configs)?.id ?? 0,
    volume:
      pick(
        state.volumes.filter(({ region }) => region === node?.region),
        choice,
      )?.id ?? 0,
    backup: backup?.id ?? 0,
    address: own(state.addresses)?.address ?? "192.0.2.1",
    region: pick(regions, choice) ?? "",
    type: pick(types, choice) ?? "",
    size: wish.size,
    flag: wish.flag,
  });
}

/** The status of a node while a job of each kind runs; the others leave it running or off. */
const during = new Map([
  ["create", "provisioning"],
  ["create_empty", "provisioning"],
  ["boot", "booting"],
  ["watchdog_reboot", "booting"],
  ["host_reboot", "booting"],
  ["shutdown", "shutting_down"],
  ["reboot", "rebooting"],
  ["rescue", "rebooting"],
  ["rebuild", "rebuilding"],
  ["restore", "restoring"],
  ["clone", "cloning"],
  ["resize", "migrating"],
  ["migrate", "migrating"],
  ["migrate_datacenter", "migrating"],
  ["delete", "deleting"],
]);

/** The statuses of a node without a job. */
const atRest: readonly string[] = ["running", "offline", "stopped"];

/** Faults of a state in which nothing is due. */
function faultsOf({ nodes, jobs, events, ...of }: State, profile: Profile): string[] {
  const faults: string[] = [];
  const check = (isRight: boolean, fault: string) => {
    if (!isRight) faults.push(fault);
  };
  const ofNode = <T extends { readonly node_id: number | null }>(rows: readonly T[], id: number) =>
    rows.filter(({ node_id }) => node_id === id);
  for (const node of nodes) {
    const { id } = node;
    const name = `node ${id}`;
    const [disks, addresses] = [ofNode(of.disks, id), ofNode(of.addresses, id)];
    const [job, ...others] = jobs.filter((job) => job.entity_type === "node" && job.entity_id === id);
    check(others.length === 0, `${name} has ${others.length + 1} jobs`);
    const status = profile === "live" && job?.kind === "clone" ? undefined : during.get(job?.kind ?? "");
    const isRight = status === undefined ? atRest.includes(node.status) : node.status === status;
    check(isRight, `${name} is ${node.status} during ${job?.kind}`);
    check(node.disk === rooms.get(node.type), `${name} has the room ${node.disk} of ${node.type}`);
    const used = disks.reduce((sum, { size }) => sum + size, 0);
    check(used <= node.disk, `${name} has disks of ${used} MB in ${node.disk} MB`);
    check(job !== undefined || disks.every((disk) => disk.status === "ready"), `${name} has disks that are not ready`);
    const snapshots = ofNode(of.backups, id).filter((backup) => backup.status === "running").length;
    check(snapshots === (job?.kind === "snapshot" ? 1 : 0), `${name} has ${snapshots} running snapshots`);
    const count = (type: string, isPublic: number) =>
      addresses.filter((one) => one.type === type && one.public === isPublic).length;
    if (node.status === "deleting") {
      const left = [...disks, ...addresses, ...ofNode(of.configs, id), ...ofNode(of.backups, id)];
      const attached = [...ofNode(of.volumes, id), ...ofNode(of.devices, id)];
      const tags = of.tagged.filter(({ entity_type, entity_id }) => entity_type === "node" && entity_id === id);
      check(left.length + attached.length + tags.length === 0, `${name} has something while it is deleted`);
      continue;
    }
    check([1, 2].includes(count("ipv4", 1)), `${name} has ${count("ipv4", 1)} public addresses`);
    check([0, 1].includes(count("ipv4", 0)), `${name} has ${count("ipv4", 0)} private addresses`);
    check(count("ipv6", 1) === 1, `${name} has ${count("ipv6", 1)} IPv6 addresses`);
    for (const { address, region, type, public: isPublic } of addresses) {
      const isNear = type === "ipv6" || isPublic === 0 || address.startsWith(networks.get(node.region) ?? "none");
      check(isNear && region === node.region, `${name} of ${node.region} has ${address} of ${region}`);
    }
    for (const volume of ofNode(of.volumes, id))
      check(volume.region === node.region, `${name} of ${node.region} has a volume of ${volume.region}`);
    for (const config of ofNode(of.configs, id)) {
      const devices: { disk_id: number | null; volume_id: number | null }[] = Object.values(JSON.parse(config.devices));
      for (const { disk_id, volume_id } of devices) {
        const isOwn =
          disk_id === null
            ? ofNode(of.volumes, id).some((volume) => volume.id === volume_id)
            : disks.some((disk) => disk.id === disk_id);
        check(isOwn, `config ${config.id} has disk ${disk_id}, volume ${volume_id}, which ${name} has not`);
      }
      check(
        node.region === withVlans || config.interfaces === "[]",
        `config ${config.id} has a VLAN in ${node.region}`,
      );
    }
  }
  const known = new Set(nodes.map(({ id }) => id));
  for (const rows of [of.disks, of.configs, of.backups, of.volumes, of.devices, of.addresses])
    for (const { node_id } of rows) check(node_id === null || known.has(node_id), `something has node ${node_id}`);
  for (const { entity_type, entity_id } of [...of.tagged, ...jobs])
    check(entity_type !== "node" || known.has(entity_id), `a tag or a job has node ${entity_id}`);
  const running = new Set(jobs.map(({ event_id }) => event_id));
  for (const { id, action, status, starts, ends } of events) {
    check((status === "started") === running.has(id), `event ${id} ${action} is ${status}`);
    check((starts ?? "") <= (ends ?? ""), `event ${id} ${action} lasts from ${starts} to ${ends}`);
  }
  return faults;
}

/** Jobs whose failure leaves a node off. */
const startings: readonly string[] = ["create", "create_empty", "boot", "watchdog_reboot", "host_reboot"];

/**
 * Faults of what has become of a state by time alone: each job has its effect, once. `power` is the last status of each
 * node without a job.
 */
function faultsOfTime(before: State, after: State, power: ReadonlyMap<number, string>): string[] {
  const faults: string[] = [];
  const idsOf = (rows: State["disks"], node: number) =>
    rows.filter(({ node_id }) => node_id === node).map(({ id }) => id);
  for (const node of before.nodes) {
    const { id } = node;
    const job = before.jobs.find((job) => job.entity_type === "node" && job.entity_id === id);
    const isOver = job !== undefined && after.jobs.every((other) => other.id !== job.id);
    const now = after.nodes.find((other) => other.id === id);
    const expectIt = (title: string, found: unknown, wanted: unknown) => {
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        faults.push(
          `after ${job?.kind}, node ${id} has ${title} ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`,
        );
    };
    if (job?.kind === "delete" && isOver) {
      expectIt("itself", now, undefined);
      continue;
    }
    if (now === undefined) {
      faults.push(`node ${id} is gone`);
      continue;
    }
    const data = isOver ? JSON.parse(job.data) : {};
    const isDone = isOver && after.events.find((event) => event.id === job.event_id)?.status === "finished";
    const kind = isDone ? job.kind : "";
    const failed = isOver && !isDone ? job.kind : "";
    const had = idsOf(before.disks, id);
    const has = idsOf(after.disks, id);
    const isReplaced = kind === "rebuild" || (kind === "restore" && data.overwrites) || failed === "create";
    const isGone = kind === "disk_delete" || ["disk_create", "disk_duplicate"].includes(failed);
    const kept = isReplaced ? [] : had.filter((disk) => !(isGone && disk === data.disk));
    const added: Readonly<Record<string, number>> = {
      rebuild: 2,
      restore: data.contents?.disks.length,
      clone: data.contents?.disks.length,
    };
    expectIt(
      "old disks",
      has.filter((disk) => had.includes(disk)),
      kept,
    );
    expectIt("new disks", has.length - kept.length, added[kind] ?? 0);
    expectIt("the type", now.type, kind === "resize" ? data.type : node.type);
    expectIt("the region", now.region, kind === "migrate_datacenter" ? data.region : node.region);
    if (kind === "disk_resize")
      expectIt("a disk of", after.disks.find((disk) => disk.id === data.disk)?.size, data.size);
    if (isOver) {
      const next = after.jobs.some((other) => other.entity_type === "node" && other.entity_id === id)
        ? "booting"
        : "running";
      const boots = data.boots && after.configs.some(({ node_id }) => node_id === id) ? next : "offline";
      const statuses: Readonly<Record<string, string>> = {
        create: boots,
        rebuild: boots,
        create_empty: "offline",
        boot: "running",
        watchdog_reboot: "running",
        host_reboot: "running",
        reboot: "running",
        rescue: "running",
        shutdown: "offline",
      };
      const usual = startings.includes(failed) ? "offline" : power.get(id);
      expectIt("the status", now.status, statuses[kind] ?? usual ?? "offline");
    } else expectIt("the status", now.status, node.status);
  }
  for (const event of before.events) {
    const now = after.events.find(({ id }) => id === event.id);
    const isSame = event.status === "started" || JSON.stringify(now) === JSON.stringify(event);
    if (!isSame) faults.push(`event ${event.id} ${event.action} changed after its end`);
  }
  return faults;
}

/** A running node as its image makes it, one with room and a volume, and an empty one; with the seconds that pass. */
const beginning: readonly [request: Asked, seconds: number][] = [
  [
    ["POST", "/networking/firewalls", { label: "web", rules: { inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" } }],
    0,
  ],
  [["POST", "/volumes", { label: "data", region: "us-east" }], 0],
  [["POST", nodes, { region: "us-east", type: "g6-standard-1", backups_enabled: true }], 8],
  [["POST", nodes, { region: "us-east", type: "g6-nanode-1", ...debian }], 0],
  [["POST", nodes, { region: "us-west", type: "g6-standard-2" }], 0],
  [["POST", `${nodes}/1/disks`, { ...debian, size: 2000 }], 17],
  [["POST", `${nodes}/1/configs`, { label: "boot", devices: { sda: { disk_id: 3 }, sdb: { volume_id: 1 } } }], 0],
  [["POST", `${nodes}/1/backups`, { label: "early" }], 260],
];

/** Finds addresses that are given before they have rested, over the states that it is shown in their order. */
function watchAddresses() {
  const last = new Map<string, { readonly node: number; readonly at: number; isFree: boolean }>();
  return ({ addresses }: State, now: Date): string[] =>
    addresses.flatMap(({ address, type, node_id }) => {
      const before = last.get(address);
      if (node_id === null) {
        if (before) before.isFree = true;
        return [];
      }
      last.set(address, { node: node_id, at: now.getTime(), isFree: false });
      if (before === undefined || type === "ipv6" || (before.node === node_id && !before.isFree)) return [];
      return now.getTime() - before.at < rest ? [`${address} is given to node ${node_id} before it has rested`] : [];
    });
}

test("whatever two servers are asked, whenever: disks fit, jobs are settled once, addresses rest, nothing is left behind", async () => {
  const statuses = { 200: 0, 400: 0, 404: 0 };
  const play = ([profile, steps]: [Profile, Step[]]) =>
    withTwoStores(async (store, second) => {
      const jobDriver = simulatedDriver(1);
      const api = await start({ store, catalog, profile, jobDriver });
      const other = createServer({
        store: second,
        catalog,
        profile,
        jobDriver,
        clock: () => api.clock.now,
        nameservers: ["ns1.example.net"],
      });
      const findEarly = watchAddresses();
      const look = async () => {
        await api.call("GET", "/profile");
        const state = await readState(store);
        expect([...faultsOf(state, profile), ...findEarly(state, api.clock.now)]).toEqual([]);
        return state;
      };
      for (const [request, seconds] of beginning) {
        expect(await api.call(...request)).toMatchObject({ status: 200 });
        api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
      }
      const operate = async ({ operation, node }: Disturbance, { nodes }: State) => {
        const chosen = { node: pick(nodes, node)?.id ?? 0 };
        const work = operation?.(second, chosen, { jobDriver, now: api.clock.now });
        await work?.catch((error) => {
          if (!(error instanceof ProblemError)) throw error;
        });
      };
      const failJob = (job: State["jobs"][number] | undefined) =>
        store.write(async (db) => {
          if (job) await tellJob(db, job, api.clock.now, { message: "The test says so." });
        });
      const power = new Map<number, string>();
      const notePower = ({ nodes }: State) => {
        for (const { id, status } of nodes) if (atRest.includes(status)) power.set(id, status);
      };
      let state = await look();
      notePower(state);
      for (const [first, second, disturbed, seconds] of steps) {
        const [mine, its] = [requestOf(first, state), requestOf(second, state)];
        const answers = await Promise.all([
          api.call(...mine).then(({ status }) => status),
          other(
            new Request(`http://api/v4${its[1]}`, {
              method: its[0],
              headers: { Authorization: `Bearer ${api.token}` },
              ...(its[2] && { body: JSON.stringify(its[2]) }),
            }),
          ).then(({ status }) => status),
        ]);
        for (const status of answers) {
          if (status !== 200 && status !== 400 && status !== 404)
            expect.fail(`${status} ${JSON.stringify([mine, its])}`);
          statuses[status]++;
        }
        await operate(disturbed, state);
        const before = await look();
        // A deletion cannot fail: it gives away at its start all that the node has.
        const canFail = before.jobs.filter(({ kind }) => kind !== "delete");
        if (disturbed.fails) await failJob(pick(canFail, disturbed.node));
        api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
        state = await look();
        notePower(before);
        expect(faultsOfTime(before, state, power)).toEqual([]);
        notePower(state);
      }
      api.clock.now = new Date(api.clock.now.getTime() + rest);
      const { jobs, nodes: left, events } = await look();
      expect(jobs).toEqual([]);
      expect(left.filter(({ status }) => !atRest.includes(status))).toEqual([]);
      expect(events.filter(({ status }) => status === "started")).toEqual([]);
    });
  await fc.assert(fc.asyncProperty(history, play), samples(isNightly ? 300 : 20));
  // A run whose requests are all refused, or all granted, would show nothing.
  expect(Math.min(statuses[200], statuses[400])).toBeGreaterThan(20);
});
