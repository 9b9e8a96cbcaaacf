import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery100 } from "../page.ts";
import { nothing } from "../resources/nothing.ts";
import { newTag, tag, tagFilterable, taggedObject } from "../resources/tag.ts";

const ofTag = z.object({ label: z.string().min(1).describe("Label of the tag") });
const read = { scope: "account:read_only", tag: "Tags" } as const;
const write = { scope: "account:read_write", who: "unrestricted", tag: "Tags" } as const;

/** Tags and tagged objects (decisions/documents#tags). */
export const tagEndpoints = {
  listTags: {
    ...read,
    method: "GET",
    path: "/tags",
    summary: "List tags",
    query: pageQuery100,
    filterable: tagFilterable,
    reply: pageOf(tag),
  },
  createTag: {
    ...write,
    method: "POST",
    path: "/tags",
    summary: "Create a tag and attach it to domains and other objects",
    body: newTag,
    reply: tag,
  },
  listTaggedObjects: {
    ...read,
    method: "GET",
    path: "/tags/{label}",
    summary: "List the objects that have a tag",
    params: ofTag,
    query: pageQuery100,
    reply: pageOf(taggedObject),
  },
  deleteTag: {
    ...write,
    method: "DELETE",
    path: "/tags/{label}",
    summary: "Delete a tag and remove it from all objects",
    params: ofTag,
    reply: nothing,
    done: "tag {label} deleted and removed from all objects",
  },
} as const satisfies Endpoints;
