import { expect } from "vitest";
import { noon, refused } from "../start.ts";
import {
  type ApiRequest,
  by,
  filter,
  notFound,
  ok,
  page,
  type Sections,
  type Sentence,
  unauthorized,
  wrongLength,
} from "./kit.ts";

/** A volume of 20 GB that is attached to no node, but for these; the first unless said. */
const volumeWith = (fields: object = {}) => ({
  id: 1,
  status: "active",
  label: "data",
  created: noon,
  updated: noon,
  filesystem_path: "/dev/disk/by-id/scsi-0Node_Volume_data",
  hardware_type: "nvme",
  node_id: null,
  node_label: null,
  region: "us-east",
  size: 20,
  tags: [],
  ...fields,
});
const attached = volumeWith({ node_id: 1, node_label: "node1" });

const node: ApiRequest = ["POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" }];
const elsewhere: ApiRequest = ["POST", "/node/instances", { region: "eu-west", type: "g6-nanode-1" }];
const profile = (devices: object = {}): ApiRequest => ["POST", "/node/instances/1/configs", { label: "boot", devices }];
const create = (fields: object = {}): ApiRequest => [
  "POST",
  "/volumes",
  { label: "data", region: "us-east", ...fields },
];
const createOn = (fields: object = {}): ApiRequest => ["POST", "/volumes", { label: "data", node_id: 1, ...fields }];
const view: ApiRequest = ["GET", "/volumes/1"];
const put = (fields: object): ApiRequest => ["PUT", "/volumes/1", fields];
const attach = (fields: object = { node_id: 1 }): ApiRequest => ["POST", "/volumes/1/attach", fields];
const aboutVolume: ApiRequest = [
  "POST",
  "/support/tickets",
  { summary: "Slow", description: "Since noon.", volume_id: 1 },
];
const detach: ApiRequest = ["POST", "/volumes/1/detach"];
const resize = (fields: object = {}): ApiRequest => ["POST", "/volumes/1/resize", fields];
const remove: ApiRequest = ["DELETE", "/volumes/1"];
const ofNode: ApiRequest = ["GET", "/node/instances/1/volumes"];
const actions = (action: string): ApiRequest => ["GET", "/account/events", undefined, filter({ action })];
const noSlots = { sda: null, sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null, sdh: null };
/** The time after which a node that was created is off, in profile live. */
const created = { seconds: 60 };

/** The only event of its action, without a job. */
const eventWith = (fields: object) =>
  page([
    {
      created: noon,
      duration: null,
      message: "",
      percent_complete: null,
      rate: null,
      read: false,
      seen: false,
      status: "notification",
      time_remaining: null,
      username: "admin",
      ...fields,
    },
  ]);
const volumeEntity = { label: "data", id: 1, type: "volume", url: "/v4/volumes/1" };
const nodeEntity = { label: "node1", id: 1, type: "node", url: "/v4/node/instances/1" };

const volumes: Sentence[] = [
  ["created … updated: as listed for a node", [node, createOn(), ofNode], ok(page([attached]))],
  [
    "GET N/volumes: those attached to the node",
    [node, node, create(), createOn({ label: "b", node_id: 2 }), ofNode],
    ok(page([])),
  ],
  ["GET N/volumes: of another account", [node, by("stranger", ["GET", "/node/instances/1/volumes"])], notFound],
  [
    "live: node_id, node_label, filesystem_path",
    [["POST", "/linode/instances", { region: "us-east", type: "g6-nanode-1" }], created, createOn()],
    ok({
      ...JSON.parse(JSON.stringify(attached).replaceAll("node_", "linode_").replaceAll("Node_", "Linode_")),
      status: "creating",
      linode_label: "linode1",
      created: "2026-03-04T12:01:00",
      updated: "2026-03-04T12:01:00",
      io_ready: false,
      encryption: "enabled",
    }),
    "live",
  ],
  ["create", [create()], ok(volumeWith())],
  ["label: required", [["POST", "/volumes", { region: "us-east" }]], refused(["label is required", "label"])],
  [
    "label: 1",
    [create({ label: "d" })],
    ok(volumeWith({ label: "d", filesystem_path: "/dev/disk/by-id/scsi-0Node_Volume_d" })),
  ],
  ["label: 0", [create({ label: "" })], wrongLength("1-32", "label")],
  ["label: 33", [create({ label: "d".repeat(33) })], wrongLength("1-32", "label")],
  [
    "label: a part of the path",
    [create({ label: "a/b" })],
    refused(["Must have only letters, digits, dashes and underscores", "label"]),
  ],
  ["label: unique in the account", [create(), create()], refused(["Label must be unique", "label"])],
  ["label: but not in others", [create(), by("stranger", create())], ok(volumeWith({ id: 2 }))],
  ["size: 10", [create({ size: 10 })], ok(volumeWith({ size: 10 }))],
  ["size: 9", [create({ size: 9 })], refused(["Must be 10-10240", "size"])],
  ["size: 10240", [create({ size: 10_240 })], ok(volumeWith({ size: 10_240 }))],
  ["size: 10241", [create({ size: 10_241 })], refused(["Must be 10-10240", "size"])],
  [
    "region: required without a node",
    [["POST", "/volumes", { label: "data" }]],
    refused(["region is required", "region"]),
  ],
  ["region: unknown", [create({ region: "mars" })], refused(["region is not valid", "region"])],
  ["node_id: attached at once", [node, createOn()], ok(attached)],
  ["node_id: unknown", [createOn()], refused(["node_id is not valid", "node_id"])],
  [
    "node_id: in another region",
    [elsewhere, createOn({ region: "us-east" })],
    refused(["Must be the region of the node", "region"]),
  ],
  ["config_id: of the node", [node, createOn({ config_id: 1 })], refused(["config_id is not valid", "config_id"])],
  ["config_id: 0 is none", [node, createOn({ config_id: 0 })], ok(attached)],
  ["tags", [create({ tags: ["prod"] })], ok(volumeWith({ tags: ["prod"] }))],
  ["only an unrestricted user creates volumes", [by("restricted", create())], unauthorized],
  [
    "list: by a filter",
    [create(), create({ label: "b" }), ["GET", "/volumes", undefined, filter({ label: "data" })]],
    ok(page([volumeWith()])),
  ],
  ["list: what grants allow", [create(), by("restricted", ["GET", "/volumes"])], ok(page([]))],
  ["view", [create(), view], ok(volumeWith())],
  ["view: of another account", [create(), by("stranger", view)], notFound],
  ["view: without a grant", [create(), by("restricted", view)], unauthorized],
  [
    "update: label and tags",
    [create(), put({ label: "logs", tags: ["prod"] })],
    ok(volumeWith({ label: "logs", tags: ["prod"], filesystem_path: "/dev/disk/by-id/scsi-0Node_Volume_logs" })),
  ],
  ["update: nothing", [create({ tags: ["prod"] }), put({})], ok(volumeWith({ tags: ["prod"] }))],
  [
    "update: a label of another volume",
    [create({ label: "b" }), create(), ["PUT", "/volumes/2", { label: "b" }]],
    refused(["Label must be unique", "label"]),
  ],
  ["delete", [create(), remove, ["GET", "/volumes"]], ok(page([]))],
  [
    "delete: not while its node runs",
    [node, profile(), createOn(), ["POST", "/node/instances/1/boot", {}], { seconds: 24 }, remove],
    refused(["The volume must be detached before it can be deleted"]),
  ],
  [
    "delete: leaves the slots of a node that is off",
    [node, create(), profile({ sdb: { volume_id: 1 } }), remove, ["GET", "/node/instances/1/configs/1"]],
    ok(configWith(noSlots)),
  ],
  ["attach", [node, create(), attach()], ok(attached)],
  ["attach: node_id is required", [create(), attach({})], refused(["node_id is required", "node_id"])],
  ["attach: to an unknown node", [create(), attach()], refused(["node_id is not valid", "node_id"])],
  [
    "attach: to a node in another region",
    [elsewhere, create(), attach()],
    refused(["Must be in the region of the volume", "node_id"]),
  ],
  ["attach: twice", [node, createOn(), attach()], refused(["The volume is attached to a node already"])],
  [
    "attach: to a busy node",
    [node, profile(), create(), ["POST", "/node/instances/1/boot", {}], attach()],
    refused(["Node busy."]),
  ],
  ["detach", [node, createOn(), detach, view], ok(volumeWith())],
  ["detach: not attached", [create(), detach], refused(["The volume is not attached to a node"])],
  ["detach: not attached, in profile live", [create(), detach], ok({}), "live"],
  [
    "detach: from a busy node",
    [node, profile(), createOn(), ["POST", "/node/instances/1/boot", {}], detach],
    refused(["Node busy."]),
  ],
  ["resize: larger", [create(), resize({ size: 21 }), view], ok(volumeWith({ size: 21 }))],
  ["resize: of an attached volume", [node, createOn(), resize({ size: 21 })], ok({ ...attached, size: 21 })],
  ["resize: size is required", [create(), resize()], refused(["size is required", "size"])],
  [
    "resize: not the same size",
    [create(), resize({ size: 20 })],
    refused(["Must be larger than the present size", "size"]),
  ],
  ["resize: 10241", [create(), resize({ size: 10_241 })], refused(["Must be 10-10240", "size"])],
  [
    "config_id: the volume gets its first free slot",
    [
      node,
      create(),
      profile({ sda: { volume_id: 1 } }),
      create({ label: "b" }),
      ["POST", "/volumes/2/attach", { node_id: 1, config_id: 1 }],
      ["GET", "/node/instances/1/configs/1"],
    ],
    ok(configWith({ ...noSlots, sdb: { disk_id: null, volume_id: 2 }, sda: { disk_id: null, volume_id: 1 } })),
  ],
  [
    "detach: the volume leaves its slots",
    [node, create(), profile({ sdb: { volume_id: 1 } }), detach, ["GET", "/node/instances/1/configs/1"]],
    ok(configWith(noSlots)),
  ],
  [
    "volume_id of a device: attaches the volume",
    [node, create(), profile({ sda: { volume_id: 1 } }), view],
    ok(attached),
  ],
  [
    "volume_id of a device: attached to another node",
    [node, node, createOn({ node_id: 2 }), profile({ sda: { volume_id: 1 } })],
    refused(["The volume is attached to another node", "devices.sda.volume_id"]),
  ],
  [
    "volume_id of a device: in another region",
    [node, create({ region: "eu-west" }), profile({ sda: { volume_id: 1 } })],
    refused(["The volume is in another region than the node", "devices.sda.volume_id"]),
  ],
  [
    "rescue: a volume is attached",
    [node, create(), ["POST", "/node/instances/1/rescue", { devices: { sda: { volume_id: 1 } } }], view],
    ok(attached),
  ],
  [
    "a node with volumes stays in their region",
    [node, createOn(), ["POST", "/node/instances/1/migrate", { region: "eu-west" }]],
    refused(["Volumes must be detached before the region changes"]),
  ],
  ["DELETE of a node detaches", [node, createOn(), ["DELETE", "/node/instances/1"], view], ok(volumeWith())],
  [
    "event volume_create",
    [create(), actions("volume_create")],
    ok(eventWith({ id: 3, action: "volume_create", entity: volumeEntity, secondary_entity: null })),
  ],
  [
    "event volume_attach",
    [node, createOn(), actions("volume_attach")],
    ok(eventWith({ id: 5, action: "volume_attach", entity: volumeEntity, secondary_entity: nodeEntity })),
  ],
  [
    "event volume_detach",
    [node, createOn(), detach, actions("volume_detach")],
    ok(eventWith({ id: 6, action: "volume_detach", entity: volumeEntity, secondary_entity: nodeEntity })),
  ],
  [
    "event volume_resize",
    [create(), resize({ size: 21 }), actions("volume_resize")],
    ok(eventWith({ id: 4, action: "volume_resize", entity: volumeEntity, secondary_entity: null })),
  ],
  [
    "event volume_update",
    [create(), put({}), actions("volume_update")],
    ok(eventWith({ id: 4, action: "volume_update", entity: volumeEntity, secondary_entity: null })),
  ],
  [
    "event volume_delete",
    [create(), remove, actions("volume_delete")],
    ok(eventWith({ id: 4, action: "volume_delete", entity: volumeEntity, secondary_entity: null })),
  ],
  [
    "POST /tags: volumes; GET /tags/{label}",
    [create(), ["POST", "/tags", { label: "prod", volumes: [1] }], ["GET", "/tags/prod"]],
    ok(page([{ type: "volume", data: volumeWith({ tags: ["prod"] }) }])),
  ],
  ["POST /support/tickets: volume_id", [create(), aboutVolume], ok(expect.objectContaining({ entity: volumeEntity }))],
  [
    "POST /support/tickets: a volume that the caller cannot see",
    [create(), by("restricted", aboutVolume)],
    refused(["volume_id is not valid", "volume_id"]),
  ],
];

function configWith(devices: object) {
  return {
    id: 1,
    label: "boot",
    helpers: { updatedb_disabled: true, distro: true, modules_dep: true, network: true, devtmpfs_automount: true },
    kernel: "node/latest-64bit",
    comments: "",
    memory_limit: 1024,
    created: noon,
    updated: noon,
    root_device: "/dev/sda",
    devices,
    initrd: null,
    run_level: "default",
    virt_mode: "paravirt",
    interfaces: [],
  };
}

const ssh = { action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["0.0.0.0/0"] }, label: "ssh" };
const policies = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
const rules = { inbound: [ssh], inbound_policy: "DROP", outbound: [], outbound_policy: "ACCEPT" };

/** A firewall that lets in one port, but for these; the first unless said. */
const firewallWith = (fields: object = {}) => ({
  id: 1,
  label: "web",
  created: noon,
  updated: noon,
  status: "enabled",
  rules,
  tags: [],
  ...fields,
});
const deviceWith = (fields: object = {}) => ({ id: 1, created: noon, updated: noon, entity: nodeEntity, ...fields });

const firewall = (fields: object = {}): ApiRequest => [
  "POST",
  "/networking/firewalls",
  { label: "web", rules: { inbound: [ssh], ...policies }, ...fields },
];
const viewFirewall: ApiRequest = ["GET", "/networking/firewalls/1"];
const putFirewall = (fields: object): ApiRequest => ["PUT", "/networking/firewalls/1", fields];
const putRules = (fields: object): ApiRequest => ["PUT", "/networking/firewalls/1/rules", { ...policies, ...fields }];
const give = (id = 1, type = "node"): ApiRequest => ["POST", "/networking/firewalls/1/devices", { id, type }];
const devices: ApiRequest = ["GET", "/networking/firewalls/1/devices"];
const device: ApiRequest = ["GET", "/networking/firewalls/1/devices/1"];
const take: ApiRequest = ["DELETE", "/networking/firewalls/1/devices/1"];
const ofFirewalls: ApiRequest = ["GET", "/node/instances/1/firewalls"];
const firewallEntity = { label: "web", id: 1, type: "firewall", url: "/v4/networking/firewalls/1" };

const firewalls: Sentence[] = [
  ["created … updated: as listed for a node", [node, firewall(), give(), ofFirewalls], ok(page([firewallWith()]))],
  ["GET N/firewalls: those of the node", [node, node, firewall(), give(2), ofFirewalls], ok(page([]))],
  ["GET N/firewalls: of another account", [node, by("stranger", ["GET", "/node/instances/1/firewalls"])], notFound],
  ["create", [firewall()], ok(firewallWith())],
  [
    "label: required",
    [["POST", "/networking/firewalls", { rules: policies }]],
    refused(["label is required", "label"]),
  ],
  ["label: 3", [firewall({ label: "abc" })], ok(firewallWith({ label: "abc" }))],
  ["label: 2", [firewall({ label: "ab" })], wrongLength("3-32", "label")],
  ["label: 33", [firewall({ label: "a".repeat(33) })], wrongLength("3-32", "label")],
  ["tags", [firewall({ tags: ["prod"] })], ok(firewallWith({ tags: ["prod"] }))],
  ["rules: none", [firewall({ rules: policies })], ok(firewallWith({ rules: { ...rules, inbound: [] } }))],
  ["devices: nodes that get it", [node, firewall({ devices: { nodes: [1] } }), devices], ok(page([deviceWith()]))],
  [
    "devices: that exist",
    [firewall({ devices: { nodes: [1] } })],
    refused(["devices.nodes[0] is not valid", "devices.nodes[0]"]),
  ],
  ["only an unrestricted user creates firewalls", [by("restricted", firewall())], unauthorized],
  [
    "list: by a filter",
    [firewall(), firewall({ label: "other" }), ["GET", "/networking/firewalls", undefined, filter({ label: "web" })]],
    ok(page([firewallWith()])),
  ],
  ["list: what grants allow", [firewall(), by("restricted", ["GET", "/networking/firewalls"])], ok(page([]))],
  ["view", [firewall(), viewFirewall], ok(firewallWith())],
  ["view: of another account", [firewall(), by("stranger", viewFirewall)], notFound],
  ["view: without a grant", [firewall(), by("restricted", viewFirewall)], unauthorized],
  [
    "update: label, status, tags",
    [firewall(), putFirewall({ label: "old", status: "disabled", tags: ["prod"] })],
    ok(firewallWith({ label: "old", status: "disabled", tags: ["prod"] })),
  ],
  ["update: nothing", [firewall({ tags: ["prod"] }), putFirewall({})], ok(firewallWith({ tags: ["prod"] }))],
  ["delete", [node, firewall(), give(), ["DELETE", "/networking/firewalls/1"], ofFirewalls], ok(page([]))],
  ["GET rules", [firewall(), ["GET", "/networking/firewalls/1/rules"]], ok(rules)],
  ["PUT rules: all", [firewall(), putRules({ outbound: [ssh] })], ok({ ...rules, inbound: [], outbound: [ssh] })],
  [
    "PUT rules: are those of the firewall",
    [firewall(), putRules({}), viewFirewall],
    ok(firewallWith({ rules: { ...rules, inbound: [] } })),
  ],
  [
    "rules: 25",
    [firewall(), putRules({ inbound: Array(25).fill(ssh) })],
    ok({ ...rules, inbound: Array(25).fill(ssh) }),
  ],
  [
    "rules: 26",
    [firewall(), putRules({ inbound: Array(25).fill(ssh), outbound: [ssh] })],
    refused(["Must have at most 25 rules"]),
  ],
  ["devices: a node", [node, firewall(), give()], ok(deviceWith())],
  ["devices: an unknown node", [firewall(), give()], refused(["id is not valid", "id"])],
  [
    "devices: a node that has the firewall",
    [node, firewall(), give(), give()],
    refused(["The node has the firewall already", "id"]),
  ],
  [
    "devices: a node that is being deleted",
    [node, firewall(), ["DELETE", "/node/instances/1"], give()],
    refused(["Node busy."]),
  ],
  ["devices: view", [node, firewall(), give(), device], ok(deviceWith())],
  [
    "devices: of another firewall",
    [node, firewall(), firewall(), give(), ["GET", "/networking/firewalls/2/devices/1"]],
    notFound,
  ],
  ["devices: delete", [node, firewall(), give(), take, devices], ok(page([]))],
  [
    "DELETE of a node takes its firewalls",
    [node, firewall(), give(), ["DELETE", "/node/instances/1"], devices],
    ok(page([])),
  ],
  [
    "firewall_id of a new node",
    [firewall(), ["POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", firewall_id: 1 }], ofFirewalls],
    ok(page([firewallWith()])),
  ],
  [
    "firewall_id: unknown",
    [["POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", firewall_id: 1 }]],
    refused(["firewall_id is not valid", "firewall_id"]),
  ],
  [
    "event firewall_create",
    [firewall(), actions("firewall_create")],
    ok(eventWith({ id: 3, action: "firewall_create", entity: firewallEntity, secondary_entity: null })),
  ],
  [
    "event firewall_update",
    [firewall(), putFirewall({}), actions("firewall_update")],
    ok(eventWith({ id: 4, action: "firewall_update", entity: firewallEntity, secondary_entity: null })),
  ],
  [
    "event firewall_disable",
    [firewall(), putFirewall({ status: "disabled" }), actions("firewall_disable")],
    ok(eventWith({ id: 4, action: "firewall_disable", entity: firewallEntity, secondary_entity: null })),
  ],
  [
    "event firewall_enable",
    [firewall(), putFirewall({ status: "disabled" }), putFirewall({ status: "enabled" }), actions("firewall_enable")],
    ok(eventWith({ id: 5, action: "firewall_enable", entity: firewallEntity, secondary_entity: null })),
  ],
  [
    "event firewall_device_add",
    [node, firewall(), give(), actions("firewall_device_add")],
    ok(eventWith({ id: 5, action: "firewall_device_add", entity: firewallEntity, secondary_entity: nodeEntity })),
  ],
  [
    "event firewall_device_remove",
    [node, firewall(), give(), take, actions("firewall_device_remove")],
    ok(eventWith({ id: 6, action: "firewall_device_remove", entity: firewallEntity, secondary_entity: nodeEntity })),
  ],
  [
    "event firewall_delete",
    [firewall(), ["DELETE", "/networking/firewalls/1"], actions("firewall_delete")],
    ok(eventWith({ id: 4, action: "firewall_delete", entity: firewallEntity, secondary_entity: null })),
  ],
  [
    "GET /tags/{label}: firewalls",
    [firewall({ tags: ["prod"] }), ["GET", "/tags/prod"]],
    ok(page([{ type: "firewall", data: firewallWith({ tags: ["prod"] }) }])),
  ],
];

export const companionSections: Sections = {
  "decisions/documents#firewalls-and-volumes, decisions/nodes#companions: volumes": volumes,
  "decisions/documents#firewalls-and-volumes, decisions/nodes#companions: firewalls": firewalls,
};
