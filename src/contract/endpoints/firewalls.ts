import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import {
  firewall,
  firewallDevice,
  firewallFilterable,
  firewallRules,
  firewallUpdate,
  newFirewall,
  newFirewallDevice,
  newFirewallRules,
} from "../resources/firewall.ts";
import { nothing } from "../resources/nothing.ts";

const ofFirewall = z.object({ firewallId: z.int().min(1).describe("Id of the firewall") });
const ofDevice = ofFirewall.extend({ deviceId: z.int().min(1).describe("Id of the device") });
const read = { scope: "nodes:read_only", tag: "Nodes" } as const;
const write = { scope: "nodes:read_write", tag: "Nodes" } as const;

/**
 * The firewalls of a node (decisions/documents#firewalls-and-volumes), and the firewalls themselves
 * (decisions/nodes#companions).
 */
export const firewallEndpoints = {
  listNodeFirewalls: {
    ...read,
    method: "GET",
    path: "/node/instances/{nodeId}/firewalls",
    summary: "List the firewalls of a node",
    params: z.object({ nodeId: z.int().min(1).describe("Id of the node") }),
    query: pageQuery,
    filterable: firewallFilterable,
    reply: pageOf(firewall),
  },
  listFirewalls: {
    ...read,
    method: "GET",
    path: "/networking/firewalls",
    summary: "List firewalls",
    query: pageQuery,
    filterable: firewallFilterable,
    reply: pageOf(firewall),
    beyond: true,
  },
  createFirewall: {
    ...write,
    method: "POST",
    path: "/networking/firewalls",
    summary: "Create a firewall, whose rules are kept and not enforced",
    body: newFirewall,
    reply: firewall,
    beyond: true,
  },
  getFirewall: {
    ...read,
    method: "GET",
    path: "/networking/firewalls/{firewallId}",
    summary: "View a firewall",
    params: ofFirewall,
    reply: firewall,
    beyond: true,
  },
  updateFirewall: {
    ...write,
    method: "PUT",
    path: "/networking/firewalls/{firewallId}",
    summary: "Change a firewall's label, status or tags",
    params: ofFirewall,
    body: firewallUpdate,
    reply: firewall,
    beyond: true,
  },
  deleteFirewall: {
    ...write,
    method: "DELETE",
    path: "/networking/firewalls/{firewallId}",
    summary: "Delete a firewall with its rules and devices",
    params: ofFirewall,
    reply: nothing,
    done: "firewall {firewallId} deleted",
    beyond: true,
  },
  getFirewallRules: {
    ...read,
    method: "GET",
    path: "/networking/firewalls/{firewallId}/rules",
    summary: "View the rules of a firewall",
    params: ofFirewall,
    reply: firewallRules,
    beyond: true,
  },
  updateFirewallRules: {
    ...write,
    method: "PUT",
    path: "/networking/firewalls/{firewallId}/rules",
    summary: "Replace the rules of a firewall",
    params: ofFirewall,
    body: newFirewallRules,
    reply: firewallRules,
    beyond: true,
  },
  listFirewallDevices: {
    ...read,
    method: "GET",
    path: "/networking/firewalls/{firewallId}/devices",
    summary: "List the nodes that a firewall protects",
    params: ofFirewall,
    query: pageQuery,
    filterable: ["id"],
    reply: pageOf(firewallDevice),
    beyond: true,
  },
  createFirewallDevice: {
    ...write,
    method: "POST",
    path: "/networking/firewalls/{firewallId}/devices",
    summary: "Give a node a firewall",
    params: ofFirewall,
    body: newFirewallDevice,
    reply: firewallDevice,
    beyond: true,
  },
  getFirewallDevice: {
    ...read,
    method: "GET",
    path: "/networking/firewalls/{firewallId}/devices/{deviceId}",
    summary: "View a node that a firewall protects",
    params: ofDevice,
    reply: firewallDevice,
    beyond: true,
  },
  deleteFirewallDevice: {
    ...write,
    method: "DELETE",
    path: "/networking/firewalls/{firewallId}/devices/{deviceId}",
    summary: "Take a firewall from a node",
    params: ofDevice,
    reply: nothing,
    done: "device {deviceId} taken from firewall {firewallId}",
    beyond: true,
  },
} as const satisfies Endpoints;
