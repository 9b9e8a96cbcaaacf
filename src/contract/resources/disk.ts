import * as z from "zod";
import { documented, moment, openEnum } from "../meta.ts";

export const filesystems = ["raw", "swap", "ext3", "ext4", "initrd"] as const;
export type Filesystem = (typeof filesystems)[number];

export const diskStatuses = ["ready", "not ready", "deleting"] as const;
export type DiskStatus = (typeof diskStatuses)[number];

/** A disk of a node in replies of the API (second document, Disk). */
export const disk = z.object({
  id: z.int().describe("Id of the disk"),
  status: openEnum(diskStatuses),
  label: documented(z.string().describe("For display only"), { minLength: 1, maxLength: 48 }),
  created: moment("When the disk was created"),
  updated: moment("When the disk was last changed"),
  filesystem: openEnum(filesystems),
  size: z.int().describe("MB"),
});

export type Disk = z.output<typeof disk>;

/** Attributes of a disk that `X-Filter` supports. */
export const diskFilterable = ["id", "label", "size"] as const;
