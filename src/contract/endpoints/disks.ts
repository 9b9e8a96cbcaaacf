import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { disk, diskFilterable, diskPassword, diskResize, diskUpdate, newDisk } from "../resources/disk.ts";
import { nothing } from "../resources/nothing.ts";

const ofNode = z.object({ nodeId: z.int().min(1).describe("Id of the node") });
const ofDisk = ofNode.extend({ diskId: z.int().min(1).describe("Id of the disk") });
const read = { scope: "nodes:read_only", tag: "Nodes" } as const;
const write = { scope: "nodes:read_write", tag: "Nodes" } as const;

/** Disks of nodes (decisions/documents#disks). */
export const diskEndpoints = {
  listDisks: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/disks",
    summary: "List the disks of a node",
    params: ofNode,
    query: pageQuery,
    filterable: diskFilterable,
    reply: pageOf(disk),
  },
  createDisk: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/disks",
    summary: "Create a disk, empty or from an image",
    params: ofNode,
    body: newDisk,
    reply: disk,
    job: true,
  },
  getDisk: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/disks/{diskId}",
    summary: "View a disk",
    params: ofDisk,
    reply: disk,
  },
  updateDisk: {
    ...write,
    method: "PUT",
    path: "/node/instances/{nodeId}/disks/{diskId}",
    summary: "Change a disk's label, file system or size",
    params: ofDisk,
    body: diskUpdate,
    reply: disk,
    job: true,
  },
  deleteDisk: {
    ...write,
    method: "DELETE",
    path: "/node/instances/{nodeId}/disks/{diskId}",
    summary: "Delete a disk with its content",
    params: ofDisk,
    reply: nothing,
    done: "deletion of disk {diskId} of node {nodeId} begun",
    job: true,
  },
  cloneDisk: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/disks/{diskId}/clone",
    summary: "Copy a disk on the same node",
    params: ofDisk,
    reply: disk,
    job: true,
  },
  resetDiskPassword: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/disks/{diskId}/password",
    summary: "Set the password of root on a disk",
    params: ofDisk,
    body: diskPassword,
    reply: nothing,
    done: "password of root on disk {diskId} of node {nodeId} is being set",
    job: true,
  },
  resizeDisk: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/disks/{diskId}/resize",
    summary: "Resize a disk",
    params: ofDisk,
    body: diskResize,
    reply: nothing,
    done: "resize of disk {diskId} of node {nodeId} begun",
    job: true,
  },
} as const satisfies Endpoints;
