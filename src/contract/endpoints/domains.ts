import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import {
  domain,
  domainClone,
  domainFilterable,
  domainImport,
  domainUpdate,
  newDomain,
  zoneFile,
} from "../resources/domain.ts";
import { nothing } from "../resources/nothing.ts";
import { formerlyOpenRecord, openNewRecord, openRecord, openRecordUpdate } from "../resources/open-record.ts";
import { newRecord, record, recordColumns, recordFilterable, recordUpdate } from "../resources/record.ts";

const domainId = z.int().min(1).describe("Id of the domain");
const recordId = z.int().min(1).describe("Id of the record");
const ofDomain = z.object({ domainId });
const ofRecord = z.object({ domainId, recordId });

const read = { scope: "domains:read_only", tag: "Domains" } as const;
const write = { scope: "domains:read_write", tag: "Domains" } as const;

/** Domains and their records (decisions/documents#domains, decisions/documents#records). */
export const domainEndpoints = {
  listDomains: {
    ...read,
    method: "GET",
    path: "/domains",
    summary: "List domains",
    query: pageQuery,
    filterable: domainFilterable,
    reply: pageOf(domain),
  },
  createDomain: {
    ...write,
    method: "POST",
    path: "/domains",
    summary: "Create a domain",
    body: newDomain,
    reply: domain,
  },
  importDomain: {
    ...write,
    method: "POST",
    path: "/domains/import",
    summary: "Import a domain from a remote name server by AXFR",
    body: domainImport,
    reply: domain,
  },
  getDomain: {
    ...read,
    method: "GET",
    path: "/domains/{domainId}",
    summary: "View a domain",
    params: ofDomain,
    reply: domain,
  },
  updateDomain: {
    ...write,
    method: "PUT",
    path: "/domains/{domainId}",
    summary: "Update a domain",
    params: ofDomain,
    body: domainUpdate,
    reply: domain,
  },
  deleteDomain: {
    ...write,
    method: "DELETE",
    path: "/domains/{domainId}",
    summary: "Delete a domain and all its records",
    params: ofDomain,
    reply: nothing,
    done: "domain {domainId} deleted",
  },
  cloneDomain: {
    ...write,
    method: "POST",
    path: "/domains/{domainId}/clone",
    summary: "Clone a domain with all its records",
    params: ofDomain,
    body: domainClone,
    reply: domain,
  },
  listRecords: {
    ...read,
    method: "GET",
    path: "/domains/{domainId}/records",
    summary: "List the records of a domain",
    params: ofDomain,
    query: pageQuery,
    filterable: recordFilterable,
    columns: recordColumns,
    reply: pageOf(record),
  },
  createRecord: {
    ...write,
    method: "POST",
    path: "/domains/{domainId}/records",
    summary: "Create a record",
    params: ofDomain,
    body: newRecord,
    reply: record,
  },
  getRecord: {
    ...read,
    method: "GET",
    path: "/domains/{domainId}/records/{recordId}",
    summary: "View a record",
    params: ofRecord,
    reply: record,
  },
  updateRecord: {
    ...write,
    method: "PUT",
    path: "/domains/{domainId}/records/{recordId}",
    summary: "Update a record",
    params: ofRecord,
    body: recordUpdate,
    reply: record,
  },
  deleteRecord: {
    ...write,
    method: "DELETE",
    path: "/domains/{domainId}/records/{recordId}",
    summary: "Delete a record",
    params: ofRecord,
    reply: nothing,
    done: "record {recordId} of domain {domainId} deleted",
  },
  getZoneFile: {
    ...read,
    method: "GET",
    path: "/domains/{domainId}/zone-file",
    summary: "Read the lines of the last rendered zone",
    params: ofDomain,
    reply: zoneFile,
  },
} as const satisfies Endpoints;

/** The endpoints of a server that holds records of every type, where they differ. */
export const openRecordEndpoints = {
  listRecords: { ...domainEndpoints.listRecords, reply: pageOf(openRecord) },
  createRecord: { ...domainEndpoints.createRecord, body: openNewRecord, reply: openRecord },
  getRecord: { ...domainEndpoints.getRecord, reply: openRecord },
  updateRecord: { ...domainEndpoints.updateRecord, body: openRecordUpdate, reply: openRecord },
} as const satisfies Endpoints;

/** The replies of other servers, which tell the data of a record that was made while their records were open. */
export const closedRecordReplies = {
  listRecords: pageOf(formerlyOpenRecord),
  createRecord: formerlyOpenRecord,
  getRecord: formerlyOpenRecord,
  updateRecord: formerlyOpenRecord,
};

export type OpenRecordEndpoints = typeof openRecordEndpoints;
