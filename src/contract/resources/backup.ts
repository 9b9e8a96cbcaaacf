import * as z from "zod";
import { annotate, moment, openEnum, sent } from "../meta.ts";
import { filesystems } from "./disk.ts";

const backupTypes = ["auto", "snapshot"] as const;
export type BackupType = (typeof backupTypes)[number];

/** The statuses of a backup; this service has no `paused` and no `userAborted`. */
const backupStatuses = [
  "paused",
  "pending",
  "running",
  "needsPostProcessing",
  "successful",
  "failed",
  "userAborted",
] as const;

/** A backup of a node in replies of the API (decisions/documents#backups). */
export const backup = z.object({
  id: z.int().describe("Id of the backup"),
  region: sent(z.string().describe("Id of the region of the backup"), "live"),
  type: openEnum(backupTypes),
  status: openEnum(backupStatuses),
  created: moment("When the backup was begun"),
  updated: moment("When the backup was last changed"),
  finished: moment("When the backup ended").nullable(),
  label: annotate(z.string().describe("Name of a snapshot; null for an automatic backup"), {
    minLength: 1,
    maxLength: 255,
  }).nullable(),
  configs: z.array(z.string()).describe("Labels of the configuration profiles"),
  disks: z
    .array(
      z.object({
        label: z.string().describe("Name of the disk"),
        size: z.int().describe("MB"),
        filesystem: openEnum(filesystems),
      }),
    )
    .describe("The disks"),
  available: sent(z.boolean().describe("Always true: no backup is under maintenance"), "live"),
});

/** The backups of a node. */
export const backups = z.object({
  automatic: z.array(backup).describe("The newest, then those of the weekly day in the last two weeks"),
  snapshot: z.object({
    current: backup.nullable().describe("The last successful snapshot"),
    in_progress: backup.nullable().describe("The snapshot that is being made"),
  }),
});

const length = "Length must be 1-255 characters";

/** `POST /node/instances/{nodeId}/backups`. */
export const newSnapshot = z.object({
  label: z
    .string({ error: (issue) => (issue.input == null ? "label is required" : "Must be of type String") })
    .min(1, length)
    .max(255, length)
    .describe("Name of the snapshot"),
});

/** `POST /node/instances/{nodeId}/backups/{backupId}/restore`. */
export const restore = z.object({
  node_id: z
    .int({ error: (issue) => (issue.input == null ? "node_id is required" : "Must be an integer") })
    .describe("Id of the node to restore to; it must be in the region of the backup"),
  overwrite: z
    .boolean()
    .nullish()
    .describe("Whether the disks and configuration profiles of that node are deleted first; false by default"),
});

export type Backup = z.output<typeof backup>;
export type Backups = z.output<typeof backups>;
export type NewSnapshot = z.input<typeof newSnapshot>;
