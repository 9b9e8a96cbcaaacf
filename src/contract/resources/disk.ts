import * as z from "zod";
import { annotate, moment, openEnum, sent } from "../meta.ts";
import { visibleLabel } from "./label.ts";
import { deployment, strongPassword } from "./node.ts";

export const filesystems = ["raw", "swap", "ext3", "ext4", "initrd"] as const;
export type Filesystem = (typeof filesystems)[number];

export const diskStatuses = ["ready", "not ready", "deleting"] as const;
export type DiskStatus = (typeof diskStatuses)[number];

/** A disk of a node in replies of the API (decisions/documents#disks). */
export const disk = z.object({
  id: z.int().describe("Id of the disk"),
  status: openEnum(diskStatuses),
  label: annotate(z.string().describe("For display only"), { minLength: 1, maxLength: 48 }),
  created: moment("When the disk was created"),
  updated: moment("When the disk was last changed"),
  filesystem: openEnum(filesystems),
  size: z.int().describe("MB"),
  disk_encryption: sent(z.string().describe("Always enabled"), "live"),
});

const length = "Length must be 1-48 characters";
const label = visibleLabel(z.string().min(1, { error: length, abort: true }).max(48, { error: length, abort: true }));
const size = z.int().min(1, "Must be 1 or greater");
const filesystem = z.enum(filesystems).nullish();

/** `POST /node/instances/{nodeId}/disks`. */
export const newDisk = z.object({
  size: size.describe("Size of the disk, in MB"),
  filesystem: filesystem.describe("File system; by default that of the image, or ext4"),
  label: annotate(label.describe("Name of the disk, required without an image"), { examples: ["data"] }).nullish(),
  ...deployment,
});

/** `PUT /node/instances/{nodeId}/disks/{diskId}`: a partial update; fields that are absent or null stay unchanged. */
export const diskUpdate = z.object({
  filesystem: filesystem.describe("File system; the disk must not be in use"),
  label: label.nullish().describe("For display only"),
  size: size.nullish().describe("Size in MB; another one is a resize"),
});

/** `POST /node/instances/{nodeId}/disks/{diskId}/resize`. */
export const diskResize = z.object({ size: size.describe("New size of the disk, in MB") });

/** `POST /node/instances/{nodeId}/disks/{diskId}/password`. */
export const diskPassword = z.object({ password: strongPassword });

export type Disk = z.output<typeof disk>;
export type NewDisk = z.input<typeof newDisk>;
export type DiskUpdate = z.input<typeof diskUpdate>;

/** Attributes of a disk that `X-Filter` supports. */
export const diskFilterable = ["id", "label", "size"] as const;
