import { expect } from "vitest";
import type { MaintenanceType } from "../../../src/contract/resources/maintenance.ts";
import { setAccess } from "../../../src/server/areas/account/users-operator.ts";
import { addMaintenance } from "../../../src/server/areas/nodes/operator/maintenance.ts";
import { owe } from "../bills.ts";
import { refused } from "../start.ts";
import { by, filter, nodeWith, notFound, ok, type Sections, type Sentence, unauthorized, wrongLength } from "./kit.ts";

type Request = Sentence[1][number];

const empty = { region: "us-east", type: "g6-nanode-1" };
const image = { image: "node/debian12", root_pass: "correct Horse 7", booted: false };
const vlan = { interfaces: [{ purpose: "vlan", label: "lan" }] };
const create = (fields: object = {}): Request => ["POST", "/node/instances", { ...empty, ...fields }];
const clone = (fields: object = {}): Request => ["POST", "/node/instances/1/clone", fields];
const resize = (type: string, fields: object = {}): Request => [
  "POST",
  "/node/instances/1/resize",
  { type, ...fields },
];
const migrate = (fields: object = {}): Request => ["POST", "/node/instances/1/migrate", fields];
const view = (id = 1): Request => ["GET", `/node/instances/${id}`];
const wait = (seconds: number) => ({ seconds });
const deployed = [create(image), wait(50)];

/** The restricted user may create nodes, and creates one. */
const createsAs = (user: "restricted"): Sentence[1] => [
  by(user, ["GET", "/profile"]),
  { operator: (store, now) => setAccess(store, user, { addNodes: true }, now) },
  by(user, ["POST", "/node/instances", empty]),
];
/** The host of node 1 has announced maintenance. */
const announce = (type: MaintenanceType): Sentence[1][number] => ({
  operator: (store, begins) => addMaintenance(store, { node_id: 1, type, reason: "old host", begins }),
});

/** The clone of an empty node, but for these. */
const cloneWith = (fields: object = {}) =>
  nodeWith({
    id: 2,
    label: "node2",
    status: "cloning",
    ipv4: ["198.18.0.3"],
    ipv6: "2001:db8::f03c:91ff:fe00:2/128",
    ...fields,
  });
const standard = {
  type: "g6-standard-1",
  specs: { disk: 51200, memory: 2048, vcpus: 1, transfer: 2000 },
};
const exclusive = (field: string) => refused([`${field} and node_id exclude each other`, field]);

const clones: Sentence[] = [
  ["clone: all optional; the response is the node", [create(), clone()], ok(cloneWith())],
  [
    "clone: then offline",
    [create(), clone(), wait(110), view(2)],
    ok(cloneWith({ status: "offline", updated: "2026-03-04T12:01:50" })),
  ],
  ["clone: label", [create(), clone({ label: "web-2" })], ok(cloneWith({ label: "web-2" }))],
  ["clone: label at least 3", [create(), clone({ label: "ab" })], wrongLength("3-64", "label")],
  ["clone: label at most 64", [create(), clone({ label: "a".repeat(65) })], wrongLength("3-64", "label")],
  ["clone: label unique", [create(), clone({ label: "NODE1" })], refused(["Label must be unique", "label"])],
  ["clone: group", [create(), clone({ group: "web" })], ok(cloneWith({ group: "web" }))],
  ["clone: region", [create(), clone({ region: "us-west" })], ok(cloneWith({ region: "us-west" }))],
  ["clone: an unknown region", [create(), clone({ region: "mars" })], refused(["region is not valid", "region"])],
  ["clone: type", [create(), clone({ type: "g6-standard-1" })], ok(cloneWith(standard))],
  ["clone: an unknown type", [create(), clone({ type: "huge" })], refused(["type is not valid", "type"])],
  [
    "clone: backups_enabled",
    [create(), clone({ backups_enabled: true })],
    ok(
      cloneWith({
        backups: { enabled: true, schedule: { day: "Scheduling", window: "Scheduling" }, last_successful: null },
      }),
    ),
  ],
  [
    "clone: private_ip",
    [create(), clone({ private_ip: true })],
    ok(cloneWith({ ipv4: ["198.18.0.3", "192.168.128.2"] })),
  ],
  ["clone: tags of the source are copied", [create({ tags: ["web"] }), clone()], ok(cloneWith({ tags: ["web"] }))],
  [
    "clone: tags of the source are added to those of the target",
    [create({ tags: ["web"] }), create({ tags: ["prod", "WEB"] }), clone({ node_id: 2 })],
    ok(cloneWith({ tags: ["prod", "web"] })),
  ],
  [
    "clone: tags of the source are copied, also by a restricted user, who may not change tags",
    [
      ...createsAs("restricted"),
      ["PUT", "/node/instances/1", { tags: ["web"] }],
      by("restricted", ["POST", "/node/instances/1/clone", {}]),
    ],
    ok(cloneWith({ tags: ["web"] })),
  ],
  [
    "clone: tags of the source are added by a restricted user to those of the target",
    [
      ...createsAs("restricted"),
      by("restricted", ["POST", "/node/instances", empty]),
      ["PUT", "/node/instances/1", { tags: ["web"] }],
      ["PUT", "/node/instances/2", { tags: ["prod"] }],
      by("restricted", ["POST", "/node/instances/1/clone", { node_id: 2 }]),
    ],
    ok(cloneWith({ tags: ["prod", "web"] })),
  ],
  [
    "clone: of a restricted user writes no tag_create",
    [
      ...createsAs("restricted"),
      ["PUT", "/node/instances/1", { tags: ["web"] }],
      by("restricted", ["POST", "/node/instances/1/clone", {}]),
      ["GET", "/account/events", undefined, filter({ action: "tag_create" })],
    ],
    ok(expect.objectContaining({ results: 1 })),
  ],
  [
    "clone: the image goes along",
    [...deployed, clone()],
    ok(cloneWith({ image: "node/debian12", created: "2026-03-04T12:00:50", updated: "2026-03-04T12:00:50" })),
  ],
  [
    "clone: configs of the node",
    [create(), clone({ configs: [7] })],
    refused(["configs[0] is not valid", "configs[0]"]),
  ],
  ["clone: disks of the node", [create(), clone({ disks: [7] })], refused(["disks[0] is not valid", "disks[0]"])],
  ["clone: node_id", [create(), create(), clone({ node_id: 2 })], ok(cloneWith())],
  ["clone: node_id: unknown", [create(), clone({ node_id: 9 })], refused(["node_id is not valid", "node_id"])],
  [
    "clone: node_id: the source itself",
    [create(), clone({ node_id: 1 })],
    refused(["A node cannot be cloned to itself", "node_id"]),
  ],
  ["clone: node_id with region", [create(), create(), clone({ node_id: 2, region: "us-east" })], exclusive("region")],
  ["clone: node_id with type", [create(), create(), clone({ node_id: 2, type: "g6-nanode-1" })], exclusive("type")],
  ["clone: node_id with label", [create(), create(), clone({ node_id: 2, label: "web" })], exclusive("label")],
  ["clone: node_id with group", [create(), create(), clone({ node_id: 2, group: "web" })], exclusive("group")],
  [
    "clone: node_id with backups_enabled",
    [create(), create(), clone({ node_id: 2, backups_enabled: true })],
    exclusive("backups_enabled"),
  ],
  [
    "clone: node_id with backups_enabled false",
    [create(), create(), clone({ node_id: 2, backups_enabled: false })],
    ok(cloneWith()),
  ],
  [
    "clone: an existing node must have enough resources",
    [create(image), create(image), wait(50), clone({ node_id: 2 })],
    refused(["The disks need 25600 MB, and the node has 0 MB unallocated", "node_id"]),
  ],
  [
    "clone: configs [] takes no disk along",
    [create(image), create(image), wait(50), clone({ node_id: 2, configs: [] })],
    ok(cloneWith({ image: "node/debian12", updated: "2026-03-04T12:00:50" })),
  ],
  [
    "clone: a new node must have enough resources",
    [create({ ...image, type: "g6-standard-1" }), wait(50), clone({ type: "g6-nanode-1" })],
    refused(["The disks need 51200 MB, and the type has 25600 MB", "type"]),
  ],
  [
    "clone: actions on an existing target must finish first",
    [create(), create(image), clone({ node_id: 2 })],
    refused(["Node busy."]),
  ],
  ["clone: of a node with a job", [create(image), clone()], refused(["Node busy."])],
  ["clone: does not hold up the source", [...deployed, clone(), ["POST", "/node/instances/1/boot", {}]], ok({})],
  [
    "clone: to a region without VLANs while one is attached does not start",
    [create({ ...image, ...vlan }), wait(50), clone({ region: "us-west" })],
    refused(["region does not support VLANs", "region"]),
  ],
  [
    "clone: to a node in a region without VLANs",
    [create({ ...image, ...vlan }), wait(50), create({ region: "us-west" }), clone({ node_id: 2 })],
    refused(["region does not support VLANs", "region"]),
  ],
  [
    "clone: five at once from one source",
    [create(), ...Array(4).fill(clone()), clone({ label: "five" })],
    ok(cloneWith({ id: 6, label: "five", ipv4: ["198.18.0.7"], ipv6: "2001:db8::f03c:91ff:fe00:6/128" })),
  ],
  ["clone: a sixth", [create(), ...Array(5).fill(clone()), clone()], refused(["Too many concurrent clones"])],
  [
    "clone: a sixth once the others have ended",
    [create(), ...Array(5).fill(clone()), wait(110), clone({ label: "six" }), ["GET", "/node/instances/7/backups"]],
    ok({ automatic: [], snapshot: { current: null, in_progress: null } }),
  ],
  [
    "clone: needs the add_nodes grant",
    [create(), by("restricted", ["POST", "/node/instances/1/clone", {}])],
    unauthorized,
  ],
  ["clone: of another account", [create(), by("stranger", ["POST", "/node/instances/1/clone", {}])], notFound],
  [
    "live: region and type required for a new node",
    [["POST", "/linode/instances", empty], wait(8), ["POST", "/linode/instances/1/clone", {}]],
    refused(["region is required", "region"], ["type is required", "type"]),
    "live",
  ],
  [
    "live: a new node is offline meanwhile",
    [["POST", "/linode/instances", empty], wait(8), ["POST", "/linode/instances/1/clone", empty]],
    ok(
      liveNode(
        cloneWith({
          label: "linode2",
          status: "offline",
          created: "2026-03-04T12:00:08",
          updated: "2026-03-04T12:00:08",
        }),
      ),
    ),
    "live",
  ],
];

const resized = { status: "offline", updated: "2026-03-04T12:02:00", ...standard };

const resizes: Sentence[] = [
  ["resize: {}", [create(), resize("g6-standard-1")], ok({})],
  ["resize: migrating", [create(), resize("g6-standard-1"), view()], ok(nodeWith({ status: "migrating" }))],
  ["resize: then of the new type", [create(), resize("g6-standard-1"), wait(120), view()], ok(nodeWith(resized))],
  [
    "resize: the alert of the CPU follows the type",
    [create(), resize("g6-standard-2"), wait(120), view()],
    ok(
      nodeWith({
        updated: "2026-03-04T12:02:00",
        type: "g6-standard-2",
        specs: { disk: 81920, memory: 4096, vcpus: 2, transfer: 4000 },
        alerts: { cpu: 180, network_in: 10, network_out: 10, transfer_quota: 80, io: 10000 },
      }),
    ),
  ],
  [
    "resize: but not one that the user has chosen",
    [create(), ["PUT", "/node/instances/1", { alerts: { cpu: 50 } }], resize("g6-standard-1"), wait(120), view()],
    ok(nodeWith({ ...resized, alerts: { cpu: 50, network_in: 10, network_out: 10, transfer_quota: 80, io: 10000 } })),
  ],
  [
    "resize: a running node runs again",
    [create({ ...image, booted: true }), wait(74), resize("g6-standard-1"), wait(120), view()],
    ok(nodeWith({ ...resized, status: "running", image: "node/debian12", updated: "2026-03-04T12:03:14" })),
  ],
  [
    "resize: type required",
    [create(), ["POST", "/node/instances/1/resize", {}]],
    refused(["type is required", "type"]),
  ],
  ["resize: an unknown type", [create(), resize("huge")], refused(["type is not valid", "type"])],
  ["resize: running or queued actions must finish first", [create(image), resize("huge")], refused(["Node busy."])],
  ...(["cold_migration", "live_migration"] as const).map(
    (type): Sentence => [
      `resize: no pending migration: ${type}`,
      [create(), announce(type), resize("g6-standard-1")],
      refused(["Node has a pending migration"]),
    ],
  ),
  ["resize: a pending reboot is no migration", [create(), announce("reboot"), resize("g6-standard-1")], ok({})],
  [
    "resize: no outstanding account balance",
    [create(), { operator: (store) => owe(store, 1) }, resize("g6-standard-1")],
    refused(["Account has an outstanding balance"]),
  ],
  [
    "resize: disks larger than the new type allows",
    [create({ ...image, type: "g6-standard-1" }), wait(50), resize("g6-nanode-1", { allow_auto_disk_resize: true })],
    refused(["Disk allocation exceeds the new type"]),
  ],
  [
    "resize: needs read_write",
    [create(), by("restricted", ["POST", "/node/instances/1/resize", { type: "g6-standard-1" }])],
    unauthorized,
  ],
];

const migrations: Sentence[] = [
  ["migrate: {}", [create(), migrate()], ok({})],
  ["migrate: migrating", [create(), migrate(), view()], ok(nodeWith({ status: "migrating" }))],
  [
    "migrate: then as before",
    [create(), migrate({ region: "us-east" }), wait(120), view()],
    ok(nodeWith({ updated: "2026-03-04T12:02:00" })),
  ],
  [
    "migrate: region changes only through a migration, and with it the IPv4 addresses",
    [create({ private_ip: true }), migrate({ region: "us-west" }), wait(120), view()],
    ok(nodeWith({ region: "us-west", ipv4: ["198.18.0.3", "192.168.128.3"], updated: "2026-03-04T12:02:00" })),
  ],
  ["migrate: an unknown region", [create(), migrate({ region: "mars" })], refused(["region is not valid", "region"])],
  [
    "migrate: a node with a VLAN to a region without",
    [create({ ...image, ...vlan }), wait(50), migrate({ region: "us-west" })],
    refused(["region does not support VLANs", "region"]),
  ],
  ["migrate: a node with a job", [create(image), migrate()], refused(["Node busy."])],
];

export const cloneSections: Sections = {
  "decisions/documents#nodes: clones": clones,
  "decisions/nodes#resize": resizes,
  "nodes, migrate": migrations,
};

/** With the keys that only the hosted service has. */
function liveNode(documented: object): object {
  const node: { specs?: object; backups?: object } = documented;
  return {
    ...node,
    specs: { ...node.specs, gpus: 0, accelerated_devices: 0 },
    backups: { ...node.backups, available: false },
    site_type: "core",
    host_uuid: expect.stringMatching(/^[0-9a-f]{40}$/),
    has_user_data: false,
    placement_group: null,
    disk_encryption: "enabled",
    lke_cluster_id: null,
    capabilities: [],
    interface_generation: "legacy_config",
    maintenance_policy: "linode/migrate",
  };
}
