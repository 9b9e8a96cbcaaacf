import * as z from "zod";
import { annotate, moment, openEnum, word } from "../meta.ts";
import { visibleLabel } from "./label.ts";
import { interfaces } from "./node.ts";

/** The slots for the devices of a node (decisions/documents#configuration-profiles). */
export const deviceSlots = ["sda", "sdb", "sdc", "sdd", "sde", "sdf", "sdg", "sdh"] as const;
export type DeviceSlot = (typeof deviceSlots)[number];

export const runLevels = ["default", "single", "binbash"] as const;
export type RunLevel = (typeof runLevels)[number];

export const virtualizationModes = ["paravirt", "fullvirt"] as const;
export type VirtualizationMode = (typeof virtualizationModes)[number];

const texts = {
  disk_id: "Id of a disk of the node",
  volume_id: "Id of a volume",
  kernel: "Id of the kernel",
  comments: "For display only",
  memory_limit: "Memory of the node while it runs, in MB; 0 for all",
  root_device: "Device that has the root of the file system",
  updatedb_disabled: "Whether updatedb is kept from running",
  distro: "Whether the boot configuration of the distribution is adapted",
  modules_dep: "Whether the dependencies of kernel modules are computed at boot",
  network: "Whether the network is configured at boot",
  devtmpfs_automount: "Whether the kernel mounts devtmpfs at boot",
};

const device = z.object({
  disk_id: z.int().nullable().describe(texts.disk_id),
  volume_id: z.int().nullable().describe(texts.volume_id),
});
export type Device = z.output<typeof device>;

const slot = device.nullable();
const helper = z.boolean();
const helpers = z.object({
  updatedb_disabled: helper.describe(texts.updatedb_disabled),
  distro: helper.describe(texts.distro),
  modules_dep: helper.describe(texts.modules_dep),
  network: helper.describe(texts.network),
  devtmpfs_automount: helper.describe(texts.devtmpfs_automount),
});
export type Helpers = z.output<typeof helpers>;

/** A configuration profile of a node in replies of the API (decisions/documents#configuration-profiles). */
export const nodeConfig = z.object({
  id: z.int().describe("Id of the configuration profile"),
  label: annotate(z.string().describe("For display only"), { minLength: 1, maxLength: 48 }),
  helpers,
  kernel: word("id", z.string().describe(texts.kernel)),
  comments: z.string().nullable().describe(texts.comments),
  memory_limit: z.int().describe(texts.memory_limit),
  created: moment("When the configuration profile was created"),
  updated: moment("When the configuration profile was last changed"),
  root_device: z.string().describe(texts.root_device),
  devices: z.object({ sda: slot, sdb: slot, sdc: slot, sdd: slot, sde: slot, sdf: slot, sdg: slot, sdh: slot }),
  initrd: z.int().nullable().describe("Always null"),
  run_level: openEnum(runLevels),
  virt_mode: openEnum(virtualizationModes),
  interfaces: z.array(
    z.object({
      purpose: openEnum(["public", "vlan"]),
      label: z.string().nullable().describe("Label of the VLAN"),
      ipam_address: z.string().nullable().describe("Address in the VLAN, in CIDR form"),
    }),
  ),
});

const newSlot = z
  .object({
    disk_id: z.int().nullish().describe(texts.disk_id),
    volume_id: z.int().nullish().describe(texts.volume_id),
  })
  .nullish();

/** The devices of a request: the disk or the volume of each slot; a slot that is absent is empty. */
export const newDevices = z.strictObject(
  {
    sda: newSlot,
    sdb: newSlot,
    sdc: newSlot,
    sdd: newSlot,
    sde: newSlot,
    sdf: newSlot,
    sdg: newSlot,
    sdh: newSlot,
  },
  { error: ({ code }) => (code === "unrecognized_keys" ? "Must have only the slots sda to sdh" : undefined) },
);
export type NewDevices = z.output<typeof newDevices>;

/** `POST /node/instances/{nodeId}/rescue`. */
export const rescue = z.object({
  devices: newDevices
    .nullish()
    .describe("Disks of the node and volumes by slot, sda to sdg; the rescue system has sdh"),
});

const length = "Length must be 1-48 characters";
const label = visibleLabel(z.string().min(1, { error: length, abort: true }).max(48, { error: length, abort: true }));

const changeable = {
  comments: z.string().max(65_535, "Length must be 0-65535 characters").nullish().describe(texts.comments),
  helpers: z
    .object({
      updatedb_disabled: helper.nullish().describe(texts.updatedb_disabled),
      distro: helper.nullish().describe(texts.distro),
      modules_dep: helper.nullish().describe(texts.modules_dep),
      network: helper.nullish().describe(texts.network),
      devtmpfs_automount: helper.nullish().describe(texts.devtmpfs_automount),
    })
    .nullish(),
  interfaces,
  kernel: word("id", z.string()).nullish().describe(texts.kernel),
  memory_limit: z.int().min(0, "Must be 0 or greater").nullish().describe(texts.memory_limit),
  root_device: z
    .string()
    .min(1, "Length must be 1-255 characters")
    .max(255, "Length must be 1-255 characters")
    .nullish()
    .describe(texts.root_device),
  run_level: z
    .enum(runLevels)
    .nullish()
    .describe("Extent of the start: all services, a single-user mode, or only a shell"),
  virt_mode: z.enum(virtualizationModes).nullish().describe("fullvirt has no devices sde to sdh"),
};

/** `POST /node/instances/{nodeId}/configs`. */
export const newNodeConfig = z.object({
  label: label.describe("For display only"),
  devices: newDevices.describe("Disks of the node and volumes by slot, sda to sdh"),
  ...changeable,
});

/**
 * `PUT /node/instances/{nodeId}/configs/{configId}`: a partial update, but devices and interfaces are replaced whole;
 * fields that are absent or null stay unchanged.
 */
export const nodeConfigUpdate = z.object({
  label: label.nullish().describe("For display only"),
  devices: newDevices.nullish().describe("Disks of the node and volumes by slot, instead of all before"),
  ...changeable,
});

export type NodeConfig = z.output<typeof nodeConfig>;
export type NewNodeConfig = z.output<typeof newNodeConfig>;
export type NodeConfigUpdate = z.output<typeof nodeConfigUpdate>;

/** Attributes of a configuration profile that `X-Filter` supports. */
export const nodeConfigFilterable = ["id", "label"] as const;
