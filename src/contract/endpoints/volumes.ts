import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { nothing } from "../resources/nothing.ts";
import {
  newVolume,
  volume,
  volumeAttachment,
  volumeColumns,
  volumeFilterable,
  volumeResize,
  volumeUpdate,
} from "../resources/volume.ts";

const ofVolume = z.object({ volumeId: z.int().min(1).describe("Id of the volume") });
const read = { scope: "nodes:read_only", tag: "Nodes" } as const;
const write = { scope: "nodes:read_write", tag: "Nodes" } as const;

/**
 * The volumes of a node (decisions/documents#firewalls-and-volumes), and the volumes themselves
 * (decisions/nodes#companions).
 */
export const volumeEndpoints = {
  listNodeVolumes: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/volumes",
    summary: "List the volumes that are attached to a node",
    params: z.object({ nodeId: z.int().min(1).describe("Id of the node") }),
    query: pageQuery,
    filterable: volumeFilterable,
    columns: volumeColumns,
    reply: pageOf(volume),
  },
  listVolumes: {
    ...read,
    method: "GET",
    path: "/volumes",
    summary: "List volumes",
    query: pageQuery,
    filterable: volumeFilterable,
    columns: volumeColumns,
    reply: pageOf(volume),
    beyond: true,
  },
  createVolume: {
    ...write,
    method: "POST",
    path: "/volumes",
    summary: "Create a volume, and attach it to a node if one is named",
    body: newVolume,
    reply: volume,
    beyond: true,
  },
  getVolume: {
    ...read,
    method: "GET",
    path: "/volumes/{volumeId}",
    summary: "View a volume",
    params: ofVolume,
    reply: volume,
    beyond: true,
  },
  updateVolume: {
    ...write,
    method: "PUT",
    path: "/volumes/{volumeId}",
    summary: "Change a volume's label or tags",
    params: ofVolume,
    body: volumeUpdate,
    reply: volume,
    beyond: true,
  },
  deleteVolume: {
    ...write,
    method: "DELETE",
    path: "/volumes/{volumeId}",
    summary: "Delete a volume that no running node has, with its content",
    params: ofVolume,
    reply: nothing,
    done: "volume {volumeId} deleted",
    beyond: true,
  },
  attachVolume: {
    ...write,
    method: "POST",
    path: "/volumes/{volumeId}/attach",
    summary: "Attach a volume to a node",
    params: ofVolume,
    body: volumeAttachment,
    reply: volume,
    beyond: true,
  },
  detachVolume: {
    ...write,
    method: "POST",
    path: "/volumes/{volumeId}/detach",
    summary: "Detach a volume from its node",
    params: ofVolume,
    reply: nothing,
    done: "volume {volumeId} detached",
    beyond: true,
  },
  resizeVolume: {
    ...write,
    method: "POST",
    path: "/volumes/{volumeId}/resize",
    summary: "Make a volume larger",
    params: ofVolume,
    body: volumeResize,
    reply: volume,
    beyond: true,
  },
} as const satisfies Endpoints;
