import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { newNodeConfig, nodeConfig, nodeConfigFilterable, nodeConfigUpdate } from "../resources/node-config.ts";
import { nothing } from "../resources/nothing.ts";

const ofNode = z.object({ nodeId: z.int().min(1).describe("Id of the node") });
const ofConfig = ofNode.extend({ configId: z.int().min(1).describe("Id of the configuration profile") });
const read = { scope: "nodes:read_only", tag: "Nodes" } as const;
const write = { scope: "nodes:read_write", tag: "Nodes" } as const;

/** Configuration profiles of nodes (decisions/documents#configuration-profiles). */
export const nodeConfigEndpoints = {
  listNodeConfigs: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/configs",
    summary: "List the configuration profiles of a node",
    params: ofNode,
    query: pageQuery,
    filterable: nodeConfigFilterable,
    reply: pageOf(nodeConfig),
  },
  createNodeConfig: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/configs",
    summary: "Create a configuration profile",
    params: ofNode,
    body: newNodeConfig,
    reply: nodeConfig,
  },
  getNodeConfig: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/configs/{configId}",
    summary: "View a configuration profile",
    params: ofConfig,
    reply: nodeConfig,
  },
  updateNodeConfig: {
    ...write,
    method: "PUT",
    path: "/node/instances/{nodeId}/configs/{configId}",
    summary: "Change a configuration profile; the next boot uses it",
    params: ofConfig,
    body: nodeConfigUpdate,
    reply: nodeConfig,
  },
  deleteNodeConfig: {
    ...write,
    method: "DELETE",
    path: "/node/instances/{nodeId}/configs/{configId}",
    summary: "Delete a configuration profile",
    params: ofConfig,
    reply: nothing,
    done: "configuration profile {configId} of node {nodeId} deleted",
  },
} as const satisfies Endpoints;
