import * as z from "zod";
import { annotate, openEnum, word } from "../meta.ts";
import { domain } from "./domain.ts";
import { firewall } from "./firewall.ts";
import { tagLabel } from "./label.ts";
import { node } from "./node.ts";
import { volume } from "./volume.ts";

const label = z.string().describe("Label of the tag, unique in the account without regard to letter case");

/** A tag in replies of the API (decisions/documents#tags). */
export const tag = z.object({ label: annotate(label, { minLength: 3, maxLength: 50 }) });

/** Limit on the ids in each list of a new tag. */
const mostTagged = 1000;

const ids = (what: string) =>
  z
    .array(z.int())
    .max(mostTagged, `Must have at most ${mostTagged} entries`)
    .nullish()
    .describe(`Ids of ${what} that get the tag`);

/** `POST /tags`. */
export const newTag = z.object({
  label: tagLabel(
    z.string({ error: (issue) => (issue.input == null ? "label is required" : "Must be of type String") }),
  ).describe("Label of the tag, without control characters; an existing one keeps its spelling"),
  domains: ids("domains"),
  nodes: ids("nodes"),
  balancers: ids("load balancers"),
  volumes: ids("volumes"),
});

/** An object that has a tag: its type, and the reply of its own endpoint. */
export const taggedObject = z.object({
  type: word("entity", openEnum(["domain", "firewall", "node", "volume"])),
  data: z.union([domain, firewall, node, volume]),
});

export type TaggedObject = z.output<typeof taggedObject>;
export type Tag = z.output<typeof tag>;
export type NewTag = z.input<typeof newTag>;

/** Attributes of a tag that `X-Filter` supports; clients filter by label. */
export const tagFilterable = ["label"] as const;
