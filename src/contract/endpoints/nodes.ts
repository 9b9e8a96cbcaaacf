import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { word } from "../meta.ts";
import { pageOf, pageQuery } from "../page.ts";
import { address, addressUpdate, newAddress, nodeAddresses } from "../resources/address.ts";
import { kernel, kernelFilterable } from "../resources/kernel.ts";
import { boot, newNode, node, nodeFilterable, nodeOrderable, nodeUpdate } from "../resources/node.ts";
import { monthTransfer, nodeStats, transferPool } from "../resources/node-stats.ts";
import { nothing } from "../resources/nothing.ts";

const ofNode = z.object({ nodeId: z.int().min(1).describe("Id of the node") });
const oneAddress = z.object({ address: z.string().min(1).describe("IPv4 or IPv6 address") });
const ofAddress = ofNode.extend(oneAddress.shape);
const ofMonth = ofNode.extend({
  year: z.string().describe("Year, from 2000 to 2037"),
  month: z.string().describe("Month, from 1 to 12; not a future one"),
});
const read = { scope: "nodes:read_only", tag: "Nodes" } as const;
const write = { scope: "nodes:read_write", tag: "Nodes" } as const;

/** Second document, Endpoints, Nodes and Kernels. */
export const nodeEndpoints = {
  listNodes: {
    ...read,
    method: "GET",
    path: "/node/instances",
    summary: "List nodes",
    query: pageQuery,
    filterable: nodeFilterable,
    orderable: nodeOrderable,
    reply: pageOf(node),
  },
  createNode: {
    ...write,
    method: "POST",
    path: "/node/instances",
    summary: "Create a node, empty, from an image or from a backup",
    body: newNode,
    reply: node,
  },
  getNode: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}",
    summary: "View a node",
    params: ofNode,
    reply: node,
  },
  updateNode: {
    ...write,
    method: "PUT",
    path: "/node/instances/{nodeId}",
    summary: "Change a node's label, tags, alerts, watchdog or backup schedule",
    params: ofNode,
    body: nodeUpdate,
    reply: node,
  },
  deleteNode: {
    ...write,
    method: "DELETE",
    path: "/node/instances/{nodeId}",
    summary: "Delete a node with its disks, configuration profiles, backups and addresses",
    params: ofNode,
    reply: nothing,
    done: "deletion of node {nodeId} begun",
  },
  bootNode: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/boot",
    summary: "Boot a node",
    params: ofNode,
    body: boot,
    reply: nothing,
    done: "node {nodeId} boots",
  },
  shutDownNode: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/shutdown",
    summary: "Shut down a node",
    params: ofNode,
    reply: nothing,
    done: "node {nodeId} shuts down",
  },
  rebootNode: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/reboot",
    summary: "Reboot a node",
    params: ofNode,
    body: boot,
    reply: nothing,
    done: "node {nodeId} reboots",
    beyond: true,
  },
  getNodeAddresses: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/ips",
    summary: "List a node's IP addresses",
    params: ofNode,
    reply: nodeAddresses,
  },
  createNodeAddress: {
    ...write,
    method: "POST",
    path: "/node/instances/{nodeId}/ips",
    summary: "Give a node another IPv4 address",
    params: ofNode,
    body: newAddress,
    reply: address,
    beyond: true,
  },
  getNodeAddress: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/ips/{address}",
    summary: "View an IP address of a node",
    params: ofAddress,
    reply: address,
    beyond: true,
  },
  updateNodeAddress: {
    ...write,
    method: "PUT",
    path: "/node/instances/{nodeId}/ips/{address}",
    summary: "Change the name of an IP address in reverse DNS",
    params: ofAddress,
    body: addressUpdate,
    reply: address,
    beyond: true,
  },
  deleteNodeAddress: {
    ...write,
    method: "DELETE",
    path: "/node/instances/{nodeId}/ips/{address}",
    summary: "Take a public IPv4 address from a node",
    params: ofAddress,
    reply: nothing,
    beyond: true,
  },
  getAddress: {
    ...read,
    method: "GET",
    path: "/networking/ips/{address}",
    summary: "View an IP address of any node",
    params: oneAddress,
    reply: address,
    beyond: true,
  },
  updateAddress: {
    ...write,
    method: "PUT",
    path: "/networking/ips/{address}",
    summary: "Change the name of an IP address of any node in reverse DNS",
    params: oneAddress,
    body: addressUpdate,
    reply: address,
    beyond: true,
  },
  getNodeStats: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/stats",
    summary: "View the statistics of a node's last 24 hours",
    params: ofNode,
    reply: nodeStats,
  },
  getNodeStatsOfMonth: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/stats/{year}/{month}",
    summary: "View the statistics of a node in a month, or of the current one in the last 30 days",
    params: ofMonth,
    reply: nodeStats,
  },
  getNodeTransfer: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/transfer",
    summary: "View the traffic of a node in this month",
    params: ofNode,
    reply: transferPool,
  },
  getNodeTransferOfMonth: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/transfer/{year}/{month}",
    summary: "View the traffic of a node in a month",
    params: ofMonth,
    reply: monthTransfer,
  },
  listKernels: {
    method: "GET",
    path: "/node/kernels",
    scope: null,
    tag: "Nodes",
    summary: "List the kernels of configuration profiles",
    query: pageQuery,
    filterable: kernelFilterable,
    reply: pageOf(kernel),
  },
  getKernel: {
    method: "GET",
    path: "/node/kernels/{kernelId}",
    scope: null,
    tag: "Nodes",
    summary: "View a kernel",
    params: z.object({
      kernelId: word("id", z.string().min(1).describe("Id of the kernel, such as node/latest-64bit")),
    }),
    reply: kernel,
  },
} as const satisfies Endpoints;
