import * as z from "zod";
import { annotate, moment, openEnum, secret, sent, word } from "../meta.ts";
import { tagLabel } from "./label.ts";
import { labelText, snapshotNode } from "./node-addresses.ts";
import { nodeLabel } from "./node-label.ts";

/** The statuses of a node (decisions/documents#nodes). */
export const nodeStatuses = [
  "running",
  "offline",
  "booting",
  "rebooting",
  "shutting_down",
  "provisioning",
  "deleting",
  "migrating",
  "rebuilding",
  "cloning",
  "restoring",
  "stopped",
] as const;
/** `resizing` only in profile live, as programs of the hosted service expect; the documents say `migrating`. */
export type NodeStatus = (typeof nodeStatuses)[number] | "resizing";

export const backupDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export const backupWindows = ["W0", "W2", "W4", "W6", "W8", "W10", "W12", "W14", "W16", "W18", "W20", "W22"] as const;

/** The day and the window of backups until the service has chosen them (decisions/nodes#node-fields). */
export const unscheduled = "Scheduling";

const alertTexts = {
  cpu: "Percent of all virtual CPUs",
  network_in: "Incoming traffic, in Mbit/s",
  network_out: "Outgoing traffic, in Mbit/s",
  transfer_quota: "Percent of the month's traffic",
  io: "Operations of the disks in a second",
};

const threshold = (what: string) => z.int().describe(`${what}; 0 for no alert`);

const alerts = z.object({
  cpu: threshold(alertTexts.cpu),
  network_in: threshold(alertTexts.network_in),
  network_out: threshold(alertTexts.network_out),
  transfer_quota: threshold(alertTexts.transfer_quota),
  io: threshold(alertTexts.io),
});
export type Alerts = z.output<typeof alerts>;

const scheduleTexts = {
  day: "Day of the weekly backup; Scheduling until it is chosen, null without backups",
  window:
    "Two hours of the daily backup, from the hour named (UTC); Scheduling until they are chosen, null without backups",
};

const texts = {
  group: "For display only; use tags",
  tags: "For display only; tags are unique, case-insensitive",
  watchdog_enabled: "Whether the node is booted again after it stopped by itself",
  image: "Id of the image that the node was made from",
  region: "Id of the node's region",
  type: "Id of the node's type",
};

/** A compute node in replies of the API (decisions/documents#nodes). */
export const node = z.object({
  id: snapshotNode.shape.id,
  label: snapshotNode.shape.label,
  group: z.string().describe(texts.group),
  status: openEnum(nodeStatuses),
  created: moment("When the node was created"),
  updated: moment("When the node was last changed"),
  type: z.string().describe(texts.type),
  ipv4: snapshotNode.shape.ipv4,
  ipv6: snapshotNode.shape.ipv6,
  image: word("id", z.string().describe(texts.image)).nullable(),
  region: z.string().describe(texts.region),
  specs: z
    .object({
      disk: z.int().describe("MB"),
      memory: z.int().describe("MB"),
      vcpus: z.int().describe("Number of virtual CPUs"),
      transfer: z.int().describe("GB a month"),
      gpus: sent(z.int().describe("Number of GPUs"), "live"),
      accelerated_devices: sent(z.int().describe("Always 0"), "live"),
    })
    .describe("Resources of the type"),
  alerts: alerts.describe("Limits above which a mean of two hours is an alert"),
  backups: z.object({
    enabled: z.boolean().describe("Whether backups are made"),
    available: sent(z.boolean().describe("Whether a backup can be restored"), "live"),
    schedule: z.object({
      day: z.string().nullable().describe(scheduleTexts.day),
      window: z.string().nullable().describe(scheduleTexts.window),
    }),
    last_successful: moment("When the last successful backup ended").nullable(),
  }),
  hypervisor: openEnum(["kvm"]),
  watchdog_enabled: z.boolean().describe(texts.watchdog_enabled),
  tags: z.array(annotate(z.string(), { minLength: 3, maxLength: 50 })).describe(texts.tags),
  site_type: sent(z.string().describe("Always core"), "live"),
  host_uuid: sent(z.string().describe("The host of the node; simulated nodes share one"), "live"),
  has_user_data: sent(z.boolean().describe("Always false"), "live"),
  placement_group: sent(z.object({ id: z.int(), label: z.string() }).nullable().describe("Always null"), "live"),
  disk_encryption: sent(z.string().describe("Always enabled"), "live"),
  k8s_cluster_id: sent(z.int().nullable().describe("Always null"), "live"),
  capabilities: sent(z.array(word("capability", z.string())).describe("Always empty"), "live"),
  interface_generation: sent(z.string().describe("Always legacy_config"), "live"),
  maintenance_policy: sent(word("id", z.string()).describe("Always that of nodes that migrate"), "live"),
});

/** Limit on the tags, keys or users in each list of a node. */
const mostListed = 100;

const list = (item: z.ZodString) => z.array(item).max(mostListed, `Must have at most ${mostListed} entries`).nullish();

const label = nodeLabel.nullish().describe(labelText);

const group = z.string().max(50, "Length must be 0-50 characters").nullish().describe(texts.group);

/** One of a node's at most three interfaces; its place in the list is that of the device. */
const nodeInterface = z.object({
  purpose: z.string().describe("public or vlan"),
  label: z.string().nullish().describe("Label of the VLAN; none for public"),
  ipam_address: z.string().nullish().describe("Address in the VLAN, in CIDR form; none for public"),
});
export type NewInterface = z.input<typeof nodeInterface>;

export const interfaces = z
  .array(nodeInterface)
  .max(3, "Must have at most 3 entries")
  .nullish()
  .describe("Network interfaces, eth0 first; none means a public one. A boot makes them take effect");

const passwordText = "Password of root, with characters of two kinds: lower case, upper case, digits, others";

const password = z.string().min(7, "Length must be 7-128 characters").max(128, "Length must be 7-128 characters");

/** A password of root; whether it is strong enough depends on its characters as well. */
export const strongPassword = secret(password.describe(passwordText));

/** How a disk is made from an image. */
export const deployment = {
  image: word("id", z.string()).nullish().describe("Id of the image to deploy"),
  root_pass: secret(password.nullish().describe(passwordText)),
  authorized_keys: list(z.string()).describe("Public SSH keys that root accepts"),
  authorized_users: list(z.string()).describe("Users of the account whose SSH keys root accepts"),
  deployscript_id: z.int().nullish().describe("Id of the deploy script to run; the image must be one of its own"),
  deployscript_data: z.record(z.string(), z.unknown()).nullish().describe("Answers to the deploy script's questions"),
};

const swap_size = z
  .int()
  .min(0, "Must be 0 or greater")
  .nullish()
  .describe("Size of the swap disk beside that of the image, in MB; 512 by default, 0 for none");

/** `POST /node/instances` (decisions/documents#nodes). */
export const newNode = z.object({
  region: z
    .string({ error: (issue) => (issue.input == null ? "region is required" : "Must be of type String") })
    .describe(texts.region),
  type: z
    .string({ error: (issue) => (issue.input == null ? "type is required" : "Must be of type String") })
    .describe(texts.type),
  label,
  ...deployment,
  backup_id: z.int().nullish().describe("Id of a backup to make the node from, instead of an image"),
  backups_enabled: z.boolean().nullish().describe("Whether backups are made; by default as the account's settings say"),
  booted: z.boolean().nullish().describe("Whether the node is booted once it has its disks; true by default"),
  firewall_id: z.int().nullish().describe("Id of a firewall that the node gets"),
  group,
  interfaces,
  private_ip: z.boolean().nullish().describe("Whether the node gets a private IPv4 address as well"),
  swap_size,
  tags: list(tagLabel(z.string())).describe(texts.tags),
});

const changedThreshold = (what: string) => z.int().min(0, "Must be 0 or greater").nullish().describe(what);

/** `PUT /node/instances/{nodeId}`: a partial update; fields that are absent or null stay unchanged. */
export const nodeUpdate = z.object({
  label,
  group,
  tags: list(tagLabel(z.string())).describe(texts.tags),
  watchdog_enabled: z.boolean().nullish().describe(texts.watchdog_enabled),
  alerts: z
    .object({
      cpu: changedThreshold(alertTexts.cpu),
      network_in: changedThreshold(alertTexts.network_in),
      network_out: changedThreshold(alertTexts.network_out),
      transfer_quota: changedThreshold(alertTexts.transfer_quota),
      io: changedThreshold(alertTexts.io),
    })
    .nullish()
    .describe("Limits above which a mean of two hours is an alert; 0 for none"),
  backups: z
    .object({
      schedule: z
        .object({
          day: z
            .enum([...backupDays, unscheduled])
            .nullish()
            .describe("Day of the weekly backup"),
          window: z
            .enum([...backupWindows, unscheduled])
            .nullish()
            .describe("Two hours of the daily backup, from the hour named (UTC)"),
        })
        .nullish(),
    })
    .nullish(),
});

/** `POST /node/instances/{nodeId}/boot`. */
export const boot = z.object({
  config_id: z
    .int()
    .nullish()
    .describe("Id of the configuration profile; by default the only one, or that of the last boot"),
});

/** `POST /node/instances/{nodeId}/password`. */
export const nodePassword = z.object({ root_pass: strongPassword });

/** `POST /node/instances/{nodeId}/rebuild`: the fields of a create that are about the image. */
export const rebuild = z.object({
  ...deployment,
  root_pass: secret(password.nullish().describe(passwordText), "correct Horse 7"),
  image: word(
    "id",
    z.string({ error: (issue) => (issue.input == null ? "image is required" : "Must be of type String") }),
  ).describe("Id of the image to deploy instead of all disks"),
  booted: z.boolean().nullish().describe("Whether the node is booted once it has its disks; true by default"),
  interfaces,
  swap_size,
});

const ids = (what: string) =>
  z.array(z.int()).max(mostListed, `Must have at most ${mostListed} entries`).nullish().describe(what);

/** `POST /node/instances/{nodeId}/clone`: to a new node, or to the one that `node_id` names. */
export const clone = z.object({
  region: z.string().nullish().describe(`${texts.region}; by default that of the source`),
  type: z.string().nullish().describe(`${texts.type}; by default that of the source`),
  node_id: z.int().nullish().describe("Id of the node to clone to; by default a new one is created"),
  label,
  group,
  backups_enabled: z.boolean().nullish().describe("Whether backups are made; by default as the account's settings say"),
  private_ip: z.boolean().nullish().describe("Whether the node gets a private IPv4 address as well"),
  configs: ids("Ids of the configuration profiles to clone with their disks; by default all"),
  disks: ids("Ids of further disks to clone"),
});

/** `POST /node/instances/{nodeId}/resize`. */
export const resize = z.object({
  type: z
    .string({ error: (issue) => (issue.input == null ? "type is required" : "Must be of type String") })
    .describe("Id of the new type"),
  allow_auto_disk_resize: z
    .boolean()
    .nullish()
    .describe("Whether the only ext disk grows to the room of a larger type; true by default"),
});

/** `POST /node/instances/{nodeId}/migrate`. */
export const migrate = z.object({
  region: z.string().nullish().describe("Id of the new region; by default the node stays in its own"),
});

export type Node = z.output<typeof node>;
export type NewNode = z.output<typeof newNode>;
export type CloneRequest = z.output<typeof clone>;
export type NodeUpdate = z.output<typeof nodeUpdate>;

/** Attributes of a node that `X-Filter` supports; clients filter by status and type. */
export const nodeFilterable = ["group", "id", "image", "ipv4", "label", "region", "status", "tags", "type"] as const;

/** The columns that a table of nodes begins with. */
export const nodeColumns = ["id", "label", "status", "ipv4", "type", "region"] as const;
