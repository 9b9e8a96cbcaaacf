import { expect } from "vitest";
import { noon, refused } from "../start.ts";
import {
  by,
  errorAnswer,
  filter,
  nodeWith,
  notFound,
  ok,
  page,
  type Sections,
  type Sentence,
  unauthorized,
  wrongLength,
} from "./kit.ts";

const empty = { region: "us-east", type: "g6-nanode-1" };
const debian = { ...empty, image: "node/debian12", root_pass: "correct Horse 7" };
const create = (fields: object = {}): Sentence[1][number] => ["POST", "/node/instances", { ...empty, ...fields }];
const deploy = (fields: object = {}): Sentence[1][number] => ["POST", "/node/instances", { ...debian, ...fields }];
const put = (fields: object): Sentence[1][number] => ["PUT", "/node/instances/1", fields];
const view: Sentence[1][number] = ["GET", "/node/instances/1"];
const act = (action: string, body: object = {}): Sentence[1][number] => ["POST", `/node/instances/1/${action}`, body];
const wait = (seconds: number) => ({ seconds });
const list = (wanted: object): Sentence[1][number] => ["GET", "/node/instances", undefined, filter(wanted)];

const config = (label: string): Sentence[1][number] => ["POST", "/node/instances/1/configs", { label, devices: {} }];
/** Boots a configuration profile, and shuts the node down. */
const bootAndStop = (config_id: number): Sentence[1] => [
  act("boot", { config_id }),
  wait(24),
  act("shutdown"),
  wait(28),
];
const boots: Sentence[1][number] = ["GET", "/account/events", undefined, filter({ action: "node_boot" })];
/** The boots of these configuration profiles, the newest first. */
const bootsOf = (configs: readonly number[]) =>
  ok(
    expect.objectContaining({
      data: configs.map((id) => expect.objectContaining({ secondary_entity: expect.objectContaining({ id }) })),
    }),
  );
/** The disk of an image and the swap disk, of these sizes. */
const disksWith = (size: number, swap: number) => {
  const ready = { status: "ready", created: noon, updated: "2026-03-04T12:00:50" };
  return [
    { id: 1, ...ready, label: "Debian 12 Disk", filesystem: "ext4", size },
    { id: 2, ...ready, label: `${swap} MB Swap Image`, filesystem: "swap", size: swap },
  ];
};

/** The seconds of a create, and of the boot that follows it. */
const [created, booted] = [50, 74];

/** The rows of the table, Node. */
const fields: Sentence[] = [
  [
    "alerts: members (integers)",
    [create(), put({ alerts: { cpu: "90" } })],
    refused(["Must be an integer", "alerts.cpu"]),
  ],
  [
    "alerts: writable, each by itself",
    [create(), put({ alerts: { cpu: 0, io: 5 } })],
    ok(nodeWith({ alerts: { cpu: 0, network_in: 10, network_out: 10, transfer_quota: 80, io: 5 } })),
  ],
  [
    "backups: enabled (boolean), schedule (day string, window string)",
    [create({ backups_enabled: true })],
    ok(
      nodeWith({
        backups: { enabled: true, schedule: { day: "Scheduling", window: "Scheduling" }, last_successful: null },
      }),
    ),
  ],
  [
    "backups: schedule writable",
    [create({ backups_enabled: true }), put({ backups: { schedule: { day: "Sunday", window: "W22" } } })],
    ok(nodeWith({ backups: { enabled: true, schedule: { day: "Sunday", window: "W22" }, last_successful: null } })),
  ],
  [
    "backups: no schedule without the service",
    [create(), put({ backups: { schedule: { day: "Sunday", window: "W22" } } })],
    ok(nodeWith()),
  ],
  ["group: deprecated label; writable", [create({ group: "a" }), put({ group: "b" })], ok(nodeWith({ group: "b" }))],
  [
    "group: filterable",
    [create({ group: "web" }), create(), list({ group: "web" })],
    ok(page([nodeWith({ group: "web" })])),
  ],
  ["hypervisor: read-only", [create(), put({ hypervisor: "xen" })], ok(nodeWith())],
  ["id: filterable", [create(), create(), list({ id: 1 })], ok(page([nodeWith()]))],
  ["image: filterable; null for none", [create(), create(), list({ id: 1, image: null })], ok(page([nodeWith()]))],
  ["ipv4: one public address on creation", [create()], ok(nodeWith())],
  [
    "ipv4: optionally one private address",
    [create({ private_ip: true })],
    ok(nodeWith({ ipv4: ["198.18.0.2", "192.168.128.2"] })),
  ],
  ["ipv4: filterable, by any of them", [create(), create(), list({ ipv4: "198.18.0.2" })], ok(page([nodeWith()]))],
  ["ipv6: SLAAC address, specific to the node", [create(), create(), view], ok(nodeWith())],
  ["label: at least 3", [create({ label: "ab" })], wrongLength("3-64", "label")],
  ["label: at most 64", [create({ label: "a".repeat(65) })], wrongLength("3-64", "label")],
  ["label: 64", [create({ label: "a".repeat(64) })], ok(nodeWith({ label: "a".repeat(64) }))],
  ["label: a default is assigned when omitted", [create()], ok(nodeWith())],
  ["label: writable", [create(), put({ label: "web-1" })], ok(nodeWith({ label: "web-1" }))],
  ["label: null changes nothing", [create(), put({ label: null })], ok(nodeWith())],
  [
    "label: filterable",
    [create({ label: "web-1" }), create(), list({ label: "web-1" })],
    ok(page([nodeWith({ label: "web-1" })])),
  ],
  ["region: read-only in an update", [create(), put({ region: "us-west" })], ok(nodeWith())],
  [
    "region: filterable",
    [create(), create({ region: "us-west" }), list({ region: "us-east" })],
    ok(page([nodeWith()])),
  ],
  ["specs: read-only", [create(), put({ specs: { disk: 1 } })], ok(nodeWith())],
  ["status: read-only", [create(), put({ status: "running" })], ok(nodeWith())],
  ["tags: writable", [create(), put({ tags: ["web"] })], ok(nodeWith({ tags: ["web"] }))],
  [
    "tags: filterable",
    [create({ tags: ["web"] }), create(), list({ tags: "WEB" })],
    ok(page([nodeWith({ tags: ["web"] })])),
  ],
  ["type: read-only in an update", [create(), put({ type: "g6-standard-1" })], ok(nodeWith())],
  [
    "watchdog_enabled: writable",
    [create(), put({ watchdog_enabled: false })],
    ok(nodeWith({ watchdog_enabled: false })),
  ],
];

/** The table of states and transitions, and the endpoints of nodes. */
const endpoints: Sentence[] = [
  ["GET /node/instances: envelope of nodes", [create(), ["GET", "/node/instances"]], ok(page([nodeWith()]))],
  [
    "GET /node/instances: nodes the user may view",
    [create(), by("restricted", ["GET", "/node/instances"])],
    ok(page([])),
  ],
  ["POST: create empty: offline", [create()], ok(nodeWith())],
  ["POST: create empty: stays offline until booted", [create({ booted: true }), wait(1000), view], ok(nodeWith())],
  [
    "POST: create from an image: provisioning",
    [deploy()],
    ok(nodeWith({ status: "provisioning", image: "node/debian12" })),
  ],
  [
    "POST: then running when provisioning completes",
    [deploy(), wait(booted), view],
    ok(nodeWith({ status: "running", image: "node/debian12", updated: "2026-03-04T12:01:14" })),
  ],
  [
    "POST: booted false: stays offline",
    [deploy({ booted: false }), wait(booted), view],
    ok(nodeWith({ status: "offline", image: "node/debian12", updated: "2026-03-04T12:00:50" })),
  ],
  [
    "POST: region required",
    [["POST", "/node/instances", { type: "g6-nanode-1" }]],
    refused(["region is required", "region"]),
  ],
  ["POST: type required", [["POST", "/node/instances", { region: "us-east" }]], refused(["type is required", "type"])],
  [
    "POST: root_pass required when deploying from an image",
    [create({ image: "node/debian12" })],
    refused(["root_pass is required", "root_pass"]),
  ],
  ["POST: root_pass at least 7", [deploy({ root_pass: "aB3456" })], wrongLength("7-128", "root_pass")],
  ["POST: root_pass at most 128", [deploy({ root_pass: "aB".repeat(65) })], wrongLength("7-128", "root_pass")],
  [
    "POST: backup_id cannot combine with image",
    [deploy({ backup_id: 1 })],
    refused(["image and backup_id exclude each other", "backup_id"]),
  ],
  [
    "POST: authorized_users must already have an SSH key",
    [deploy({ authorized_users: ["admin"] })],
    refused(["authorized_users[0] is not valid", "authorized_users[0]"]),
  ],
  [
    "POST: interfaces up to three",
    [create({ interfaces: Array(4).fill({ purpose: "public" }) })],
    refused(["Must have at most 3 entries", "interfaces"]),
  ],
  ...["", "LAN", "lan_1", "x".repeat(65), null, undefined].map(
    (label): Sentence => [
      `POST: a VLAN is called by its label, not ${JSON.stringify(label)?.slice(0, 10)}`,
      [create({ interfaces: [{ purpose: "vlan", label }] })],
      refused(["Must be 1-64 lower-case letters, digits and dashes", "interfaces[0].label"]),
    ],
  ),
  [
    "POST: a VLAN once",
    [create({ interfaces: Array(2).fill({ purpose: "vlan", label: "lan" }) })],
    refused(["Must be unique", "interfaces[1].label"]),
  ],
  [
    "POST: interfaces: an empty array gives a default public interface only, which configs do not list",
    [deploy({ booted: false, interfaces: [] }), ["GET", "/node/instances/1/configs"]],
    ok(expect.objectContaining({ data: [expect.objectContaining({ interfaces: [] })] })),
  ],
  [
    "POST: swap_size: 512 MB by default when deploying from an image",
    [deploy({ booted: false }), wait(created), ["GET", "/node/instances/1/disks"]],
    ok(page(disksWith(25_088, 512))),
  ],
  [
    "POST: swap_size",
    [deploy({ booted: false, swap_size: 256 }), wait(created), ["GET", "/node/instances/1/disks"]],
    ok(page(disksWith(25_344, 256))),
  ],
  [
    "POST: swap_size 0: no swap disk",
    [deploy({ booted: false, swap_size: 0 }), wait(created), ["GET", "/node/instances/1/disks"]],
    ok(page(disksWith(25_600, 0).slice(0, 1))),
  ],
  [
    "POST: swap_size is ignored without an image",
    [create({ swap_size: 256 }), ["GET", "/node/instances/1/disks"]],
    ok(page([])),
  ],
  [
    "POST: deployscript_id: with a compatible image and root_pass",
    [deploy({ deployscript_id: 1 })],
    ok(nodeWith({ status: "provisioning", image: "node/debian12" })),
  ],
  ["POST: deployscript_id: image required", [create({ deployscript_id: 1 })], refused(["image is required", "image"])],
  [
    "POST: deployscript_id: compatible image required",
    [deploy({ image: "node/alpine3.20", deployscript_id: 1 })],
    refused(["The script does not support this image", "image"]),
  ],
  [
    "POST: deployscript_id: root_pass required",
    [create({ image: "node/debian12", deployscript_id: 1 })],
    refused(["root_pass is required", "root_pass"]),
  ],
  [
    "POST: deployscript_id: a script that exists",
    [deploy({ deployscript_id: 9 })],
    refused(["deployscript_id is not valid", "deployscript_id"]),
  ],
  [
    "POST: deployscript_data: required when the script needs input",
    [deploy({ deployscript_id: 2 })],
    refused(["host is required", "deployscript_data.host"]),
  ],
  [
    "POST: deployscript_data",
    [deploy({ deployscript_id: 2, deployscript_data: { host: "web" } })],
    ok(nodeWith({ status: "provisioning", image: "node/debian12" })),
  ],
  ["POST: needs the add_nodes grant", [by("restricted", ["POST", "/node/instances", empty])], unauthorized],
  ["GET /node/instances/{nodeId}", [create(), view], ok(nodeWith())],
  [
    "GET /node/instances/{nodeId}: of another account",
    [create(), by("stranger", ["GET", "/node/instances/1"])],
    notFound,
  ],
  [
    "PUT: tags need an unrestricted user",
    [create(), by("restricted", ["PUT", "/node/instances/1", { tags: ["web"] }])],
    unauthorized,
  ],
  ["DELETE: {}", [create(), ["DELETE", "/node/instances/1"]], ok({})],
  ["DELETE: irreversible", [create(), ["DELETE", "/node/instances/1"], wait(10), view], notFound],
  [
    "DELETE: frees its IPs",
    [create(), ["DELETE", "/node/instances/1"], view],
    ok(nodeWith({ status: "deleting", ipv4: [], ipv6: null })),
  ],
  [
    "nodes, Jobs: while deleting, every change is busy",
    [create(), ["DELETE", "/node/instances/1"], put({ label: "web-1" })],
    refused(["Node busy."]),
  ],
  ["boot: {}", [deploy({ booted: false }), wait(created), act("boot")], ok({})],
  ["boot: a node without a config is an error", [create(), act("boot")], refused(["A config must be specified"])],
  ["boot: a single config is used", [create(), config("one"), act("boot"), wait(24), boots], bootsOf([1])],
  [
    "boot: several configs and none last booted: never booted: an error",
    [create(), config("one"), config("two"), act("boot")],
    refused(["A config must be specified"]),
  ],
  [
    "boot: several configs: the last booted one",
    [create(), config("one"), config("two"), ...bootAndStop(2), act("boot"), boots],
    bootsOf([2, 2]),
  ],
  [
    "boot: several configs: not the one booted before it",
    [create(), config("one"), config("two"), ...bootAndStop(2), ...bootAndStop(1), act("boot"), boots],
    bootsOf([1, 1, 2]),
  ],
  [
    "boot: several configs and none last booted: that config deleted: an error",
    [
      create(),
      config("one"),
      config("two"),
      config("three"),
      ...bootAndStop(2),
      ["DELETE", "/node/instances/1/configs/2"],
      act("boot"),
    ],
    refused(["A config must be specified"]),
  ],
  [
    "boot: a single config that is left is used",
    [create(), config("one"), config("two"), ...bootAndStop(2), ["DELETE", "/node/instances/1/configs/2"], act("boot")],
    ok({}),
  ],
  [
    "boot: config_id of the node",
    [deploy({ booted: false }), wait(created), act("boot", { config_id: 9 })],
    refused(["config_id is not valid", "config_id"]),
  ],
  ["boot: config_id 0 is none", [deploy({ booted: false }), wait(created), act("boot", { config_id: 0 })], ok({})],
  ["shutdown: {}", [deploy(), wait(booted), act("shutdown")], ok({})],
  ["shutdown: running or queued actions must finish first", [deploy(), act("shutdown")], refused(["Node busy."])],
  [
    "live: Linode busy.",
    [
      ["POST", "/linode/instances", debian],
      ["POST", "/linode/instances/1/boot", {}],
    ],
    refused(["Linode busy."]),
    "live",
  ],
];

/** The rest of the API names nodes. */
const named: Sentence[] = [
  [
    "POST /tags: nodes",
    [create(), ["POST", "/tags", { label: "web", nodes: [1] }], ["GET", "/tags/web"]],
    ok(page([{ type: "node", data: nodeWith({ tags: ["web"] }) }])),
  ],
  [
    "POST /tags: nodes of the account",
    [["POST", "/tags", { label: "web", nodes: [7] }]],
    refused(["nodes[0] is not valid", "nodes[0]"]),
  ],
  [
    "live: POST /tags: linodes",
    [
      ["POST", "/linode/instances", empty],
      ["POST", "/tags", { label: "web", linodes: [1, 2] }],
    ],
    refused(["linodes[1] is not valid", "linodes[1]"]),
    "live",
  ],
  [
    "POST /support/tickets: node_id",
    [create(), ["POST", "/support/tickets", { summary: "Slow", description: "Since noon.", node_id: 1 }]],
    ok(
      expect.objectContaining({
        entity: { label: "node1", id: 1, type: "node", url: "/v4/node/instances/1" },
      }),
    ),
  ],
  [
    "POST /support/tickets: a node that the caller cannot see",
    [
      create(),
      by("restricted", ["POST", "/support/tickets", { summary: "Slow", description: "Since noon.", node_id: 1 }]),
    ],
    refused(["node_id is not valid", "node_id"]),
  ],
];

const kernel = {
  id: "node/latest-64bit",
  label: "Latest 64 bit (6.8.9-x86_64)",
  version: "6.8.9",
  kvm: true,
  xen: false,
  architecture: "x86_64",
  pvops: true,
  deprecated: false,
  built: "2024-05-08T12:00:00",
};

const kernels: Sentence[] = [
  [
    "GET /node/kernels: no authorization; filterable",
    [by("", ["GET", "/node/kernels", undefined, filter({ id: "node/latest-64bit" })])],
    ok(page([kernel])),
  ],
  ["GET /node/kernels/{kernelId}: with a slash", [by("", ["GET", "/node/kernels/node/latest-64bit"])], ok(kernel)],
  ["GET /node/kernels/{kernelId}: with an escaped slash", [["GET", "/node/kernels/node%2Flatest-64bit"]], ok(kernel)],
  ["GET /node/kernels/{kernelId}: unknown", [["GET", "/node/kernels/node/none"]], errorAnswer(404, "Not found")],
];

export const nodeSections: Sections = {
  "decisions/documents#nodes: fields": fields,
  "decisions/documents#nodes: states and endpoints": endpoints,
  "decisions/documents#kernels": kernels,
  "nodes in tags and tickets": named,
};
