import { noon, refused } from "../start.ts";
import { by, filter, notFound, ok, page, type Sections, type Sentence, unauthorized, wrongLength } from "./kit.ts";

/** A disk of 100 MB as it is once its job has ended, but for these; the first unless said. */
const diskWith = (fields: object = {}) => ({
  id: 1,
  status: "ready",
  label: "data",
  created: noon,
  updated: "2026-03-04T12:00:17",
  filesystem: "ext4",
  size: 100,
  ...fields,
});
/** The same while its job runs. */
const newDiskWith = (fields: object = {}) => diskWith({ status: "not ready", updated: noon, ...fields });

/** A configuration profile as it is, but for these; the first unless said. */
const configWith = (fields: object = {}) => ({
  id: 1,
  label: "boot",
  helpers: { updatedb_disabled: true, distro: true, modules_dep: true, network: true, devtmpfs_automount: true },
  kernel: "node/latest-64bit",
  comments: "",
  memory_limit: 1024,
  created: noon,
  updated: noon,
  root_device: "/dev/sda",
  devices: empty,
  initrd: null,
  run_level: "default",
  virt_mode: "paravirt",
  interfaces: [],
  ...fields,
});
const empty = { sda: null, sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null, sdh: null };
const firstDisk = { disk_id: 1, volume_id: null };

type Asked = Sentence[1][number];
const create: Asked = ["POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" }];
const debian = { image: "node/debian12", root_pass: "correct Horse 7" };
const deploy = (fields: object = {}): Asked => [
  "POST",
  "/node/instances",
  { region: "us-east", type: "g6-nanode-1", ...debian, ...fields },
];
const add = (fields: object = {}): Asked => [
  "POST",
  "/node/instances/1/disks",
  { label: "data", size: 100, ...fields },
];
const fromImage = (fields: object = {}): Asked => [
  "POST",
  "/node/instances/1/disks",
  { ...debian, size: 2000, ...fields },
];
const put = (fields: object): Asked => ["PUT", "/node/instances/1/disks/1", fields];
const view = (id = 1): Asked => ["GET", `/node/instances/1/disks/${id}`];
const list = (wanted?: object): Asked => ["GET", "/node/instances/1/disks", undefined, wanted ? filter(wanted) : {}];
const act = (action: string, body?: object): Asked => ["POST", `/node/instances/1/disks/1/${action}`, body];
const node = (action: string, body: object = {}): Asked => ["POST", `/node/instances/1/${action}`, body];
const profile = (fields: object = {}): Asked => [
  "POST",
  "/node/instances/1/configs",
  { label: "boot", devices: {}, ...fields },
];
const putConfig = (fields: object): Asked => ["PUT", "/node/instances/1/configs/1", fields];
const viewConfig: Asked = ["GET", "/node/instances/1/configs/1"];
const wait = (seconds: number) => ({ seconds });

/** The seconds of a job of a disk, of a create from an image, and of the boot that follows it. */
const [done, created, booted] = [17, 50, 74];

const disks: Sentence[] = [
  ["created, filesystem, id, label, size, status, updated", [create, add(), wait(done), view()], ok(diskWith())],
  ["filesystem: raw", [create, add({ filesystem: "raw" })], ok(newDiskWith({ filesystem: "raw" }))],
  ["filesystem: swap", [create, add({ filesystem: "swap" })], ok(newDiskWith({ filesystem: "swap" }))],
  ["filesystem: ext3", [create, add({ filesystem: "ext3" })], ok(newDiskWith({ filesystem: "ext3" }))],
  ["filesystem: ext4", [create, add({ filesystem: "ext4" })], ok(newDiskWith())],
  ["filesystem: initrd", [create, add({ filesystem: "initrd" })], ok(newDiskWith({ filesystem: "initrd" }))],
  [
    "filesystem: no other",
    [create, add({ filesystem: "btrfs" })],
    refused(["Must be one of raw, swap, ext3, ext4, initrd", "filesystem"]),
  ],
  ["label: at least 1", [create, add({ label: "" })], wrongLength("1-48", "label")],
  ["label: at most 48", [create, add({ label: "a".repeat(49) })], wrongLength("1-48", "label")],
  ["label: 48", [create, add({ label: "a".repeat(48) })], ok(newDiskWith({ label: "a".repeat(48) }))],
  [
    "label: filterable",
    [create, add(), wait(done), add({ label: "logs" }), list({ label: "data" })],
    ok(page([diskWith()])),
  ],
  ["id: filterable, as clients expect", [create, add(), wait(done), list({ id: 1 })], ok(page([diskWith()]))],
  [
    "size: filterable",
    [create, add(), wait(done), add({ size: 50 }), list({ size: { "+gt": 50 } })],
    ok(page([diskWith()])),
  ],
  [
    "size: megabytes: as many as the node has",
    [create, add({ size: 25_601 })],
    refused(["Not enough unallocated space", "size"]),
  ],
  ["status: not ready", [create, add(), view()], ok(newDiskWith())],
  [
    "status: not ready during the create of the node",
    [deploy(), view(2)],
    ok(newDiskWith({ id: 2, label: "512 MB Swap Image", filesystem: "swap", size: 512 })),
  ],
  [
    "status: deleting",
    [create, add(), wait(done), ["DELETE", "/node/instances/1/disks/1"], view()],
    ok(diskWith({ status: "deleting" })),
  ],
];

const diskEndpoints: Sentence[] = [
  ["GET disks: envelope of disks", [create, add(), wait(done), list()], ok(page([diskWith()]))],
  ["GET disks: nothing of another account", [create, by("stranger", ["GET", "/node/instances/1/disks"])], notFound],
  [
    "POST disks: size required",
    [create, ["POST", "/node/instances/1/disks", { label: "data" }]],
    refused(["size is required", "size"]),
  ],
  ["POST disks: size is a number of MB", [create, add({ size: 0 })], refused(["Must be 1 or greater", "size"])],
  [
    "POST disks: an empty disk requires label; without label an image is required",
    [create, ["POST", "/node/instances/1/disks", { size: 100 }]],
    refused(["label is required", "label"]),
  ],
  [
    "POST disks: from an image without a label",
    [create, fromImage()],
    ok(newDiskWith({ label: "Debian 12 Disk", size: 2000 })),
  ],
  [
    "POST disks: from an image root_pass is required",
    [create, add({ image: "node/debian12", size: 2000 })],
    refused(["root_pass is required", "root_pass"]),
  ],
  ["POST disks: root_pass at least 7", [create, fromImage({ root_pass: "aB3456" })], wrongLength("7-128", "root_pass")],
  [
    "POST disks: root_pass at most 128",
    [create, fromImage({ root_pass: "aB".repeat(65) })],
    wrongLength("7-128", "root_pass"),
  ],
  ["POST disks: default filesystem ext4", [create, add()], ok(newDiskWith())],
  [
    "POST disks: the image's filesystem unless overridden",
    [create, fromImage({ filesystem: "ext3" })],
    ok(newDiskWith({ label: "Debian 12 Disk", filesystem: "ext3", size: 2000 })),
  ],
  [
    "POST disks: the image needs its size",
    [create, fromImage({ size: 100 })],
    refused(["The image needs 1600 MB", "size"]),
  ],
  [
    "POST disks: an image that exists",
    [create, fromImage({ image: "node/none" })],
    refused(["image is not valid", "image"]),
  ],
  [
    "POST disks: authorized_keys",
    [create, fromImage({ authorized_keys: ["ssh-ed25519 nothing"] })],
    refused(["authorized_keys[0] is not valid", "authorized_keys[0]"]),
  ],
  [
    "POST disks: authorized_users",
    [create, fromImage({ authorized_users: ["admin"] })],
    refused(["authorized_users[0] is not valid", "authorized_users[0]"]),
  ],
  [
    "POST disks: a deploy script requires a compatible image",
    [create, add({ deployscript_id: 9 })],
    refused(["deployscript_id is not valid", "deployscript_id"]),
  ],
  [
    "POST disks: needs a grant on the node",
    [create, by("restricted", ["POST", "/node/instances/1/disks", { label: "data", size: 100 }])],
    unauthorized,
  ],
  ["POST disks: another job runs", [create, add(), add()], refused(["Node busy."])],
  ["GET disks/{diskId}", [create, add(), wait(done), view()], ok(diskWith())],
  ["GET disks/{diskId}: unknown", [create, view()], notFound],
  ["PUT disks/{diskId}: label", [create, add(), wait(done), put({ label: "logs" })], ok(diskWith({ label: "logs" }))],
  [
    "PUT disks/{diskId}: label, also while a job runs",
    [create, add(), put({ label: "logs" })],
    ok(newDiskWith({ label: "logs" })),
  ],
  [
    "PUT disks/{diskId}: filesystem",
    [create, add(), wait(done), put({ filesystem: "ext3" })],
    ok(diskWith({ filesystem: "ext3" })),
  ],
  [
    "PUT disks/{diskId}: filesystem only when not in use",
    [deploy(), wait(booted), put({ filesystem: "ext3" })],
    refused(["Node must be shut down", "filesystem"]),
  ],
  [
    "PUT disks/{diskId}: size is a resize",
    [create, add(), wait(done), put({ size: 200 }), wait(done), view()],
    ok(diskWith({ size: 200, updated: "2026-03-04T12:00:34" })),
  ],
  [
    "PUT disks/{diskId}: size has room",
    [create, add(), wait(done), put({ size: 25_601 })],
    refused(["Not enough unallocated space", "size"]),
  ],
  [
    "PUT disks/{diskId}: null changes nothing",
    [create, add(), wait(done), put({ label: null, size: null, filesystem: null })],
    ok(diskWith()),
  ],
  ["DELETE disks/{diskId}: {}", [create, add(), wait(done), ["DELETE", "/node/instances/1/disks/1"]], ok({})],
  [
    "DELETE disks/{diskId}: irreversible",
    [create, add(), wait(done), ["DELETE", "/node/instances/1/disks/1"], wait(done), view()],
    notFound,
  ],
  [
    "DELETE disks/{diskId}: configuration profiles lose the device",
    [
      create,
      add(),
      wait(done),
      profile({ devices: { sda: { disk_id: 1 } } }),
      ["DELETE", "/node/instances/1/disks/1"],
      wait(done),
      viewConfig,
    ],
    ok(configWith({ created: "2026-03-04T12:00:17", updated: "2026-03-04T12:00:17" })),
  ],
  [
    "DELETE of the node: deletes disks",
    [create, add(), wait(done), ["DELETE", "/node/instances/1"], list()],
    ok(page([])),
  ],
  [
    "POST clone: copy on the same node",
    [create, add(), wait(done), act("clone")],
    ok(
      newDiskWith({
        id: 2,
        label: "Copy of data",
        created: "2026-03-04T12:00:17",
        updated: "2026-03-04T12:00:17",
      }),
    ),
  ],
  [
    "POST clone: needs free space equal to the disk size",
    [create, add({ size: 12_801 }), wait(done), act("clone")],
    refused(["Not enough unallocated space"]),
  ],
  [
    "POST clone: as much space as the disk is enough",
    [create, add({ size: 12_800 }), wait(done), act("clone"), wait(done), view(2)],
    ok(
      diskWith({
        id: 2,
        label: "Copy of data",
        created: "2026-03-04T12:00:17",
        updated: "2026-03-04T12:00:34",
        size: 12_800,
      }),
    ),
  ],
  ["POST password: {}", [create, add(), wait(done), act("password", { password: "correct Horse 7" })], ok({})],
  [
    "POST password: password required",
    [create, add(), wait(done), act("password", {})],
    refused(["password is required", "password"]),
  ],
  [
    "POST password: strong-password validation",
    [create, add(), wait(done), act("password", { password: "abcdefgh" })],
    refused(["Password does not meet strength requirement", "password"]),
  ],
  [
    "POST password: in use",
    [deploy(), wait(booted), act("password", { password: "correct Horse 7" })],
    refused(["Node must be shut down"]),
  ],
  ["POST resize: {}", [create, add(), wait(done), act("resize", { size: 200 })], ok({})],
  ["POST resize: size required", [create, add(), wait(done), act("resize", {})], refused(["size is required", "size"])],
  [
    "POST resize: size at least 1",
    [create, add(), wait(done), act("resize", { size: 0 })],
    refused(["Must be 1 or greater", "size"]),
  ],
  [
    "POST resize: size is an integer",
    [create, add(), wait(done), act("resize", { size: 1.5 })],
    refused(["Must be an integer", "size"]),
  ],
  [
    "POST resize: the node is shut down",
    [deploy({ booted: false }), wait(created), act("resize", { size: 2000 }), wait(done), view()],
    ok(diskWith({ label: "Debian 12 Disk", size: 2000, updated: "2026-03-04T12:01:07" })),
  ],
  [
    "POST resize: or the disk is not assigned to the active config",
    [
      deploy(),
      wait(booted),
      putConfig({ devices: { sda: { disk_id: 1 } } }),
      ["POST", "/node/instances/1/disks/2/resize", { size: 256 }],
      wait(done),
      view(2),
    ],
    ok(diskWith({ id: 2, label: "512 MB Swap Image", filesystem: "swap", size: 256, updated: "2026-03-04T12:01:31" })),
  ],
  [
    "POST resize: otherwise the request succeeds but the resize fails",
    [deploy(), wait(booted), act("resize", { size: 2000 }), wait(done), view()],
    ok(diskWith({ label: "Debian 12 Disk", size: 25_088, updated: "2026-03-04T12:00:50" })),
  ],
  [
    "POST resize: not below what the files need",
    [create, fromImage(), wait(done), act("resize", { size: 1599 }), wait(done), view()],
    ok(diskWith({ label: "Debian 12 Disk", size: 2000 })),
  ],
];

const configs: Sentence[] = [
  ["comments: null is none", [create, profile({ comments: null })], ok(configWith())],
  ["comments", [create, profile({ comments: "for rescue" })], ok(configWith({ comments: "for rescue" }))],
  [
    "devices: required on create",
    [create, ["POST", "/node/instances/1/configs", { label: "boot" }]],
    refused(["devices is required", "devices"]),
  ],
  [
    "devices: sda to sdh, each disk_id and volume_id, integer or null",
    [create, add(), wait(done), profile({ devices: { sda: { disk_id: 1, volume_id: null }, sdh: { disk_id: 1 } } })],
    ok(
      configWith({
        devices: { ...empty, sda: firstDisk, sdh: firstDisk },
        created: "2026-03-04T12:00:17",
        updated: "2026-03-04T12:00:17",
      }),
    ),
  ],
  [
    "devices: two nulls are an empty slot",
    [create, profile({ devices: { sda: { disk_id: null } } })],
    ok(configWith()),
  ],
  [
    "devices: no other slots",
    [create, profile({ devices: { sdi: { disk_id: 1 } } })],
    refused(["Must have only the slots sda to sdh", "devices"]),
  ],
  [
    "devices: one of the two ids",
    [create, profile({ devices: { sdb: { disk_id: 1, volume_id: 1 } } })],
    refused(["Only one of disk_id and volume_id can be set", "devices.sdb"]),
  ],
  [
    "devices: of this node",
    [create, profile({ devices: { sda: { disk_id: 1 } } })],
    refused(["devices.sda.disk_id is not valid", "devices.sda.disk_id"]),
  ],
  [
    "devices: an unknown volume",
    [create, profile({ devices: { sda: { volume_id: 1 } } })],
    refused(["devices.sda.volume_id is not valid", "devices.sda.volume_id"]),
  ],
  [
    "devices: sde to sdh not with fullvirt",
    [
      create,
      add(),
      wait(done),
      profile({ virt_mode: "fullvirt", devices: { sdd: { disk_id: 1 }, sde: { disk_id: 1 } } }),
    ],
    refused(["Not available with virt_mode fullvirt", "devices.sde"]),
  ],
  [
    "helpers: booleans, each by itself",
    [create, profile({ helpers: { distro: false } })],
    ok(
      configWith({
        helpers: { updatedb_disabled: true, distro: false, modules_dep: true, network: true, devtmpfs_automount: true },
      }),
    ),
  ],
  [
    "helpers: no other type",
    [create, profile({ helpers: { distro: 1 } })],
    refused(["Must be of type Boolean", "helpers.distro"]),
  ],
  [
    "interfaces: as Node interface object",
    [
      create,
      profile({ interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" }] }),
    ],
    ok(
      configWith({
        interfaces: [
          { purpose: "public", label: "", ipam_address: "" },
          { purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" },
        ],
      }),
    ),
  ],
  [
    "interfaces: up to three",
    [create, profile({ interfaces: Array(4).fill({ purpose: "public" }) })],
    refused(["Must have at most 3 entries", "interfaces"]),
  ],
  [
    "interfaces: every interface must be redefined",
    [
      create,
      profile({ interfaces: [{ purpose: "vlan", label: "lan" }] }),
      putConfig({ interfaces: [{ purpose: "public" }] }),
    ],
    ok(configWith({ interfaces: [{ purpose: "public", label: "", ipam_address: "" }] })),
  ],
  [
    "interfaces: an empty array gives a default public interface only, which is not listed",
    [create, profile({ interfaces: [{ purpose: "vlan", label: "lan" }] }), putConfig({ interfaces: [] })],
    ok(configWith()),
  ],
  [
    "interfaces: VLANs need a data center that supports them",
    [
      ["POST", "/node/instances", { region: "us-west", type: "g6-nanode-1" }],
      profile({ interfaces: [{ purpose: "vlan", label: "lan" }] }),
    ],
    refused(["region does not support VLANs", "region"]),
  ],
  [
    "kernel: a kernel of the catalogue",
    [create, profile({ kernel: "node/none" })],
    refused(["kernel is not valid", "kernel"]),
  ],
  ["kernel", [create, profile({ kernel: "node/grub2" })], ok(configWith({ kernel: "node/grub2" }))],
  [
    "label: required on create",
    [create, ["POST", "/node/instances/1/configs", { devices: {} }]],
    refused(["label is required", "label"]),
  ],
  ["label: at least 1", [create, profile({ label: "" })], wrongLength("1-48", "label")],
  ["label: at most 48", [create, profile({ label: "a".repeat(49) })], wrongLength("1-48", "label")],
  [
    "label: filterable",
    [
      create,
      profile(),
      profile({ label: "other" }),
      ["GET", "/node/instances/1/configs", undefined, filter({ label: "boot" })],
    ],
    ok(page([configWith()])),
  ],
  ["memory_limit: defaults to the node's total RAM", [create, profile({ memory_limit: 0 })], ok(configWith())],
  [
    "memory_limit: not negative",
    [create, profile({ memory_limit: -1 })],
    refused(["Must be 0 or greater", "memory_limit"]),
  ],
  ["memory_limit", [create, profile({ memory_limit: 512 })], ok(configWith({ memory_limit: 512 }))],
  ["root_device", [create, profile({ root_device: "/dev/root" })], ok(configWith({ root_device: "/dev/root" }))],
  ["run_level: single", [create, profile({ run_level: "single" })], ok(configWith({ run_level: "single" }))],
  ["run_level: binbash", [create, profile({ run_level: "binbash" })], ok(configWith({ run_level: "binbash" }))],
  [
    "run_level: no other",
    [create, profile({ run_level: "5" })],
    refused(["Must be one of default, single, binbash", "run_level"]),
  ],
  ["virt_mode: fullvirt", [create, profile({ virt_mode: "fullvirt" })], ok(configWith({ virt_mode: "fullvirt" }))],
  [
    "virt_mode: no other",
    [create, profile({ virt_mode: "none" })],
    refused(["Must be one of paravirt, fullvirt", "virt_mode"]),
  ],
];

const liveConfig = { ...configWith({ memory_limit: 0 }), kernel: "linode/latest-64bit" };

const configEndpoints: Sentence[] = [
  [
    "GET configs: envelope of configs",
    [create, profile(), ["GET", "/node/instances/1/configs"]],
    ok(page([configWith()])),
  ],
  ["POST configs: config", [create, profile()], ok(configWith())],
  ["POST configs: also while a job runs", [create, add(), profile()], ok(configWith())],
  [
    "POST configs: needs a grant on the node",
    [create, by("restricted", ["POST", "/node/instances/1/configs", { label: "boot", devices: {} }])],
    unauthorized,
  ],
  ["GET configs/{configId}", [create, profile(), viewConfig], ok(configWith())],
  ["GET configs/{configId}: unknown", [create, viewConfig], notFound],
  [
    "PUT configs/{configId}: any config fields",
    [create, profile(), putConfig({ label: "new" })],
    ok(configWith({ label: "new" })),
  ],
  [
    "PUT configs/{configId}: devices are replaced whole",
    [
      create,
      add(),
      wait(done),
      profile({ devices: { sda: { disk_id: 1 } } }),
      putConfig({ devices: { sdb: { disk_id: 1 } } }),
    ],
    ok(
      configWith({
        devices: { ...empty, sdb: firstDisk },
        created: "2026-03-04T12:00:17",
        updated: "2026-03-04T12:00:17",
      }),
    ),
  ],
  [
    "PUT configs/{configId}: null changes nothing",
    [
      create,
      profile({ comments: "a", memory_limit: 512, interfaces: [{ purpose: "public" }] }),
      putConfig({ label: null, comments: null, memory_limit: null, devices: null, interfaces: null, helpers: null }),
    ],
    ok(
      configWith({
        comments: "a",
        memory_limit: 512,
        interfaces: [{ purpose: "public", label: "", ipam_address: "" }],
      }),
    ),
  ],
  [
    "PUT configs/{configId}: fullvirt beside sde",
    [create, add(), wait(done), profile({ devices: { sde: { disk_id: 1 } } }), putConfig({ virt_mode: "fullvirt" })],
    refused(["Not available with virt_mode fullvirt", "devices.sde"]),
  ],
  ["DELETE configs/{configId}: {}", [create, profile(), ["DELETE", "/node/instances/1/configs/1"]], ok({})],
  [
    "DELETE configs/{configId}: gone",
    [create, profile(), ["DELETE", "/node/instances/1/configs/1"], viewConfig],
    notFound,
  ],
  [
    "DELETE of the node: deletes configs",
    [create, profile(), ["DELETE", "/node/instances/1"], ["GET", "/node/instances/1/configs"]],
    ok(page([])),
  ],
  [
    "while the node is deleted, its configs are busy",
    [create, profile(), ["DELETE", "/node/instances/1"], profile()],
    refused(["Node busy."]),
  ],
  [
    "live: memory_limit 0 for all, kernels as there",
    [
      ["POST", "/linode/instances", { region: "us-east", type: "g6-nanode-1" }],
      [
        "POST",
        "/linode/instances/1/configs",
        { label: "boot", devices: {}, interfaces: null, kernel: "linode/latest-64bit" },
      ],
    ],
    ok(liveConfig),
    "live",
  ],
];

const others: Sentence[] = [
  ["rescue: {}", [create, add(), wait(done), node("rescue", { devices: { sda: { disk_id: 1 } } })], ok({})],
  [
    "rescue: sdh is reserved and unavailable",
    [create, add(), wait(done), node("rescue", { devices: { sdh: { disk_id: 1 } } })],
    refused(["devices.sdh is reserved", "devices.sdh"]),
  ],
  [
    "rescue: devices of the node",
    [create, node("rescue", { devices: { sda: { disk_id: 1 } } })],
    refused(["devices.sda.disk_id is not valid", "devices.sda.disk_id"]),
  ],
  [
    "rescue: an unknown volume",
    [create, node("rescue", { devices: { sda: { volume_id: 1 } } })],
    refused(["devices.sda.volume_id is not valid", "devices.sda.volume_id"]),
  ],
  [
    "rescue: its devices are in use",
    [
      create,
      add(),
      wait(done),
      node("rescue", { devices: { sda: { disk_id: 1 } } }),
      wait(52),
      act("password", { password: "correct Horse 7" }),
    ],
    refused(["Node must be shut down"]),
  ],
  [
    "rescue: the next boot leaves it",
    [
      deploy(),
      wait(booted),
      node("rescue"),
      wait(52),
      act("password", { password: "correct Horse 7" }),
      wait(5),
      node("reboot"),
      wait(52),
      act("password", { password: "correct Horse 7" }),
    ],
    refused(["Node must be shut down"]),
  ],
  [
    "rebuild: an image is required",
    [create, node("rebuild", { root_pass: "correct Horse 7" })],
    refused(["image is required", "image"]),
  ],
  [
    "rebuild: root_pass is required",
    [create, node("rebuild", { image: "node/debian12" })],
    refused(["root_pass is required", "root_pass"]),
  ],
  [
    "rebuild: new disks",
    [deploy(), wait(booted), node("rebuild", { ...debian, swap_size: 0 }), wait(60), list()],
    ok(
      page([
        diskWith({
          id: 3,
          label: "Debian 12 Disk",
          size: 25_600,
          created: "2026-03-04T12:02:14",
          updated: "2026-03-04T12:02:14",
        }),
      ]),
    ),
  ],
  [
    "password: the node is off",
    [deploy(), wait(booted), node("password", { root_pass: "correct Horse 7" })],
    refused(["Node must be shut down"]),
  ],
  ["password: {}", [create, node("password", { root_pass: "correct Horse 7" })], ok({})],
  [
    "password: strong",
    [create, node("password", { root_pass: "abcdefgh" })],
    refused(["Password does not meet strength requirement", "root_pass"]),
  ],
];

export const diskSections: Sections = {
  "decisions/documents#disks: fields": disks,
  "decisions/documents#disks: endpoints": diskEndpoints,
  "decisions/documents#configuration-profiles: fields": configs,
  "decisions/documents#configuration-profiles: endpoints": configEndpoints,
  "decisions/documents#nodes: rescue, rebuild and password": others,
};
