import * as z from "zod";
import { annotate, moment, openEnum, sent, word } from "../meta.ts";
import { tagLabel } from "./label.ts";

const texts = {
  label: "Name of the volume, unique in the account",
  region: "Id of the volume's region",
  tags: "For display only; tags are unique, case-insensitive",
};

/** A volume of block storage in replies of the API (decisions/documents#firewalls-and-volumes). */
export const volume = z.object({
  id: z.int().describe("Id of the volume"),
  status: openEnum(["creating", "active", "resizing", "contact_support"]),
  label: annotate(z.string().describe(texts.label), { minLength: 1, maxLength: 32 }),
  created: moment("When the volume was created"),
  updated: moment("When the volume was last changed"),
  filesystem_path: word("device", z.string().describe("Path of the volume's device on its node")),
  hardware_type: openEnum(["nvme"]),
  node_id: z.int().nullable().describe("Id of the node that the volume is attached to"),
  node_label: z.string().nullable().describe("Label of that node"),
  region: z.string().describe(texts.region),
  size: z.int().describe("GB"),
  tags: z.array(annotate(z.string(), { minLength: 3, maxLength: 50 })).describe(texts.tags),
  io_ready: sent(z.boolean().describe("Whether a node can use the volume"), "live"),
  encryption: sent(z.string().describe("Always enabled"), "live"),
});

const length = "Length must be 1-32 characters";
const label = z
  .string({ error: (issue) => (issue.input == null ? "label is required" : "Must be of type String") })
  .min(1, { error: length, abort: true })
  .max(32, { error: length, abort: true })
  .regex(/^[\w-]*$/, "Must have only letters, digits, dashes and underscores")
  .describe(texts.label);

/** Limit on the tags of a volume. */
const mostTags = 100;

const tags = z
  .array(tagLabel(z.string()))
  .max(mostTags, `Must have at most ${mostTags} entries`)
  .nullish()
  .describe(texts.tags);

const sizes = "Must be 10-10240";
const size = z
  .int({ error: (issue) => (issue.input == null ? "size is required" : "Must be of type Integer") })
  .min(10, sizes)
  .max(10_240, sizes);
const config_id = z
  .int()
  .nullish()
  .describe("Id of the configuration profile that gets the volume as a device; by default that of the last boot");

/** `POST /volumes`. */
export const newVolume = z.object({
  label,
  size: size.nullish().describe("Size in GB; 20 by default"),
  region: z.string().nullish().describe("Id of the volume's region; required if no node is named"),
  node_id: z.int().nullish().describe("Id of the node that the volume is attached to"),
  config_id,
  tags,
});

/** `PUT /volumes/{volumeId}`: a partial update; fields that are absent or null stay unchanged. */
export const volumeUpdate = z.object({ label: label.nullish(), tags });

/** `POST /volumes/{volumeId}/attach`. */
export const volumeAttachment = z.object({
  node_id: z
    .int({ error: (issue) => (issue.input == null ? "node_id is required" : "Must be of type Integer") })
    .describe("Id of a node in the volume's region"),
  config_id,
});

/** `POST /volumes/{volumeId}/resize`. */
export const volumeResize = z.object({ size: size.describe("Size in GB, larger than the present one") });

export type Volume = z.output<typeof volume>;
export type NewVolume = z.output<typeof newVolume>;
export type VolumeUpdate = z.output<typeof volumeUpdate>;

/** Attributes of a volume that `X-Filter` supports. */
export const volumeFilterable = ["id", "label", "region", "size"] as const;

/** The columns that a table of volumes begins with. */
export const volumeColumns = ["id", "label", "status", "size", "node_label", "region"] as const;
