import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { backup, backups, newSnapshot, restore } from "../resources/backup.ts";
import { nothing } from "../resources/nothing.ts";

const ofNode = z.object({ nodeId: z.int().min(1).describe("Id of the node") });
const ofBackup = ofNode.extend({ backupId: z.int().min(1).describe("Id of the backup") });
const read = { scope: "nodes:read_only", tag: "Nodes" } as const;
const write = { scope: "nodes:read_write", tag: "Nodes" } as const;

/** Backups of nodes (decisions/documents#backups). */
export const backupEndpoints = {
  getBackups: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/backups",
    summary: "List the backups of a node",
    params: ofNode,
    reply: backups,
  },
  createSnapshot: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/backups",
    summary: "Make a snapshot of a node, which replaces its previous one",
    params: ofNode,
    body: newSnapshot,
    reply: backup,
    job: true,
  },
  enableBackups: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/backups/enable",
    summary: "Turn on the backups of a node",
    params: ofNode,
    reply: nothing,
    done: "backups of node {nodeId} turned on",
  },
  cancelBackups: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/backups/cancel",
    summary: "Turn off the backups of a node and delete all that it has",
    params: ofNode,
    reply: nothing,
    done: "backups of node {nodeId} turned off and deleted",
    destructive: "All its backups are deleted",
  },
  getBackup: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/backups/{backupId}",
    summary: "View a backup of a node",
    params: ofBackup,
    reply: backup,
  },
  restoreBackup: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/backups/{backupId}/restore",
    summary: "Restore a backup to the same node or to another",
    params: ofBackup,
    body: restore,
    reply: nothing,
    done: "restore of backup {backupId} begun",
    job: true,
  },
} as const satisfies Endpoints;
