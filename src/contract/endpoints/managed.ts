import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import {
  managedContact,
  managedContactColumns,
  managedContactFilterable,
  managedContactUpdate,
  newManagedContact,
} from "../resources/managed-contact.ts";
import {
  managedCredential,
  managedCredentialColumns,
  managedCredentialFilterable,
  managedCredentialUpdate,
  managedPasswordUpdate,
  managedSshKey,
  newManagedCredential,
} from "../resources/managed-credential.ts";
import { managedIssue, managedIssueColumns, managedIssueFilterable } from "../resources/managed-issue.ts";
import {
  managedNodeSettings,
  managedNodeSettingsColumns,
  managedNodeSettingsFilterable,
  managedNodeSettingsUpdate,
} from "../resources/managed-node-settings.ts";
import {
  managedService,
  managedServiceColumns,
  managedServiceFilterable,
  managedServiceUpdate,
  newManagedService,
} from "../resources/managed-service.ts";
import { managedStats } from "../resources/managed-stats.ts";
import { nothing } from "../resources/nothing.ts";

const ofContact = z.object({ contactId: z.int().min(1).describe("Id of the contact") });
const ofCredential = z.object({ credentialId: z.int().min(1).describe("Id of the credential") });
const ofIssue = z.object({ issueId: z.int().min(1).describe("Id of the issue") });
const ofService = z.object({ serviceId: z.int().min(1).describe("Id of the service") });
const ofNode = z.object({ nodeId: z.int().min(1).describe("Id of the node") });
const read = { method: "GET", scope: "account:read_only", who: "unrestricted", tag: "Managed" } as const;
const write = { method: "POST", scope: "account:read_write", who: "unrestricted", tag: "Managed" } as const;

/** Managed monitoring (decisions/documents#managed-monitoring). */
export const managedEndpoints = {
  listManagedContacts: {
    ...read,
    path: "/managed/contacts",
    summary: "List the contacts of managed services",
    query: pageQuery,
    filterable: managedContactFilterable,
    columns: managedContactColumns,
    reply: pageOf(managedContact),
  },
  createManagedContact: {
    ...write,
    path: "/managed/contacts",
    summary: "Add a contact of managed services",
    body: newManagedContact,
    reply: managedContact,
  },
  getManagedContact: {
    ...write,
    method: "GET",
    path: "/managed/contacts/{contactId}",
    summary: "View a contact of managed services",
    params: ofContact,
    reply: managedContact,
  },
  updateManagedContact: {
    ...write,
    method: "PUT",
    path: "/managed/contacts/{contactId}",
    summary: "Update a contact of managed services",
    params: ofContact,
    body: managedContactUpdate,
    reply: managedContact,
  },
  deleteManagedContact: {
    ...write,
    method: "DELETE",
    path: "/managed/contacts/{contactId}",
    summary: "Delete a contact of managed services",
    params: ofContact,
    reply: nothing,
    done: "contact {contactId} deleted",
  },
  listManagedCredentials: {
    ...read,
    path: "/managed/credentials",
    summary: "List the credentials that the operator has, without their secrets",
    query: pageQuery,
    filterable: managedCredentialFilterable,
    columns: managedCredentialColumns,
    reply: pageOf(managedCredential),
  },
  createManagedCredential: {
    ...write,
    path: "/managed/credentials",
    summary: "Give the operator a credential; no reply shows its username and password",
    body: newManagedCredential,
    reply: managedCredential,
  },
  getManagedSshKey: {
    ...read,
    path: "/managed/credentials/sshkey",
    summary: "View the operator's public SSH key for this account",
    reply: managedSshKey,
  },
  getManagedCredential: {
    ...write,
    method: "GET",
    path: "/managed/credentials/{credentialId}",
    summary: "View a credential, without its secrets",
    params: ofCredential,
    reply: managedCredential,
  },
  updateManagedCredential: {
    ...write,
    method: "PUT",
    path: "/managed/credentials/{credentialId}",
    summary: "Change the label of a credential",
    params: ofCredential,
    body: managedCredentialUpdate,
    reply: managedCredential,
  },
  deleteManagedCredential: {
    ...write,
    method: "DELETE",
    path: "/managed/credentials/{credentialId}",
    summary: "Delete a credential, which also takes it from all services",
    params: ofCredential,
    reply: nothing,
    done: "credential {credentialId} deleted",
  },
  updateManagedPassword: {
    ...write,
    path: "/managed/credentials/{credentialId}/update",
    summary: "Replace the password, and the username if given, of a credential",
    params: ofCredential,
    body: managedPasswordUpdate,
    reply: nothing,
    done: "username and password of credential {credentialId} replaced",
  },
  revokeManagedCredential: {
    ...write,
    path: "/managed/credentials/{credentialId}/revoke",
    summary: "Delete a credential: the form of the hosted service's clients",
    beyond: true,
    destructive: "The operator can no longer read it, and it is taken from all services",
    params: ofCredential,
    reply: nothing,
    done: "credential {credentialId} deleted",
  },
  listManagedIssues: {
    ...read,
    path: "/managed/issues",
    summary: "List the issues that are open or ended in the last 90 days, newest first",
    query: pageQuery,
    filterable: managedIssueFilterable,
    columns: managedIssueColumns,
    reply: pageOf(managedIssue),
  },
  getManagedIssue: {
    ...read,
    path: "/managed/issues/{issueId}",
    summary: "View an issue",
    params: ofIssue,
    reply: managedIssue,
  },
  listManagedNodeSettings: {
    ...read,
    path: "/managed/node-settings",
    summary: "List how the operator reaches the nodes by SSH",
    query: pageQuery,
    filterable: managedNodeSettingsFilterable,
    columns: managedNodeSettingsColumns,
    reply: pageOf(managedNodeSettings),
  },
  getManagedNodeSettings: {
    ...read,
    path: "/managed/node-settings/{nodeId}",
    summary: "View how the operator reaches a node by SSH",
    params: ofNode,
    reply: managedNodeSettings,
  },
  updateManagedNodeSettings: {
    ...write,
    method: "PUT",
    path: "/managed/node-settings/{nodeId}",
    summary: "Change how the operator reaches a node by SSH",
    params: ofNode,
    body: managedNodeSettingsUpdate,
    reply: managedNodeSettings,
  },
  listManagedServices: {
    ...read,
    path: "/managed/services",
    summary: "List the monitored services",
    query: pageQuery,
    filterable: managedServiceFilterable,
    columns: managedServiceColumns,
    reply: pageOf(managedService),
  },
  createManagedService: {
    ...write,
    path: "/managed/services",
    summary: "Add a service, which is monitored at once",
    body: newManagedService,
    reply: managedService,
  },
  getManagedService: {
    ...read,
    path: "/managed/services/{serviceId}",
    summary: "View a monitored service",
    params: ofService,
    reply: managedService,
  },
  updateManagedService: {
    ...write,
    method: "PUT",
    path: "/managed/services/{serviceId}",
    summary: "Update a monitored service",
    params: ofService,
    body: managedServiceUpdate,
    reply: managedService,
  },
  deleteManagedService: {
    ...write,
    method: "DELETE",
    path: "/managed/services/{serviceId}",
    summary: "Delete a service, which is no longer monitored",
    params: ofService,
    reply: nothing,
    done: "service {serviceId} deleted",
  },
  disableManagedService: {
    ...write,
    path: "/managed/services/{serviceId}/disable",
    summary: "Pause the monitoring of a service",
    params: ofService,
    reply: managedService,
  },
  enableManagedService: {
    ...write,
    path: "/managed/services/{serviceId}/enable",
    summary: "Continue the monitoring of a service",
    params: ofService,
    reply: managedService,
  },
  getManagedStats: {
    ...read,
    path: "/managed/stats",
    summary: "View the sums of all nodes' statistics in the last 24 hours",
    reply: managedStats,
  },
} as const satisfies Endpoints;
