import { ApiError } from "../../client/api-error.ts";
import type { CallOptions, Client, ReadingClient } from "../../client/client.ts";
import { ClientError } from "../../client/client-error.ts";
import { all } from "../../client/pages.ts";
import { readAnnouncedLimit } from "../../client/rate.ts";
import { isAborted } from "../../client/transport-error.ts";
import type { Domain } from "../../contract/resources/domain.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import type { ApiRecord } from "../../contract/resources/record.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import { asName, isSameName, type Name, readExactName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { asId, type LiveRecord } from "../../dns/zone/desired-live.ts";
import { recordKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { withRecords } from "../read-live.ts";
import type { PlanningReads, RecordReadOptions, TargetReads, ZoneHead } from "../target.ts";
import { accept, findRefused } from "./accept.ts";
import { findUnactivatedByEvents, readEvents } from "./events.ts";
import { readFreedAddresses } from "./freed-addresses.ts";
import { apiId, apiName, fromApi, isStoredType } from "./mapping.ts";
import { findNodes } from "./nodes.ts";
import { type ApiSettings, apiTimes } from "./settings.ts";

/** The methods of the client that planning needs. */
export type PlanningClient = Pick<ReadingClient, "listDomains" | "listRecords" | "listNodes">;

/**
 * Reads the API. Lists are read in several requests.
 * @throws {ProblemError} `live-record` for an invalid record, and the errors of the client.
 */
function apiPlanningReads(
  client: PlanningClient,
  records: RecordsSetting,
  { count, total } = requestCounter(),
): PlanningReads {
  const listDomains = count(client.listDomains);
  const listRecords = count(client.listRecords);
  const listNodes = count(client.listNodes);
  return {
    listZones: async (options) => (await all(listDomains, {}, options)).map(zoneHead),
    readRecords: async ({ id, name }, options) =>
      recordsOf(await all(listRecords, { domainId: apiId(id) }, options), { zone: name, records }, options?.onUnknown),
    findNodes: (labels, options) => findNodes(listNodes, labels, options),
    countRequests: total,
    announcedLimit: () => readAnnouncedLimit(client),
  };
}

/** Counts the calls of methods of the client. */
function requestCounter() {
  let requests = 0;
  return {
    count:
      <I, R>(method: (input: I, options?: CallOptions) => Promise<R>) =>
      (input: I, options?: CallOptions) => {
        requests++;
        return method(input, options);
      },
    total: () => requests,
  };
}

/** `records`: the setting of the server, with which the client was created. */
export function apiReads(client: ReadingClient, records: RecordsSetting = "documented"): TargetReads {
  const counter = requestCounter();
  const reads = apiPlanningReads(client, records, counter);
  const counted = {
    listEvents: counter.count(client.listEvents),
    listAddresses: counter.count(client.listAddresses),
    getProfile: counter.count(client.getProfile),
  };
  return {
    ...reads,
    readZone: async (id, options) => {
      const head = zoneHead(await client.getDomain({ domainId: apiId(id) }, options));
      return withRecords(reads, head, options);
    },
    readSettings: async (id) => settingsOf(await client.getDomain({ domainId: apiId(id) })),
    findZone: async (name) => {
      const [found] = await all(client.listDomains, { filter: { domain: name.slice(0, -1) } });
      if (found === undefined) return undefined;
      const { id, status } = found;
      const isBlank = status === "disabled" && (await client.listRecords({ domainId: id })).results === 0;
      return { id: asId(id), isBlank };
    },
    readRecord: async (zone, id) => {
      const record = await client.getRecord({ domainId: apiId(zone.id), recordId: apiId(id) });
      // One that documented fields cannot express differs from every planned one.
      const [known] = recordsOf([record], { zone: zone.name, records });
      return known ?? { ...fromApi(record, zone.name), id };
    },
    findRecords: async (zone, { owner, type }) => {
      const isNamed = type !== "SRV"; // the service composes the name of an SRV record
      const filter = { type, ...(isNamed && { name: apiName(owner, zone.name) }) };
      const found = await all(client.listRecords, { domainId: apiId(zone.id), filter });
      return recordsOf(found, { zone: zone.name, records });
    },
    readZoneFile: async ({ id }, options) => {
      const { zone_file } = await client.getZoneFile({ domainId: apiId(id) }, options);
      return zone_file.map((line) => `${line}\n`).join("");
    },
    findUnactivated: (zones, options) => findUnactivatedByEvents(counted, zones, options),
    readFreedAddresses: (addresses, options) => readFreedAddresses(counted, addresses, options),
    ...accountReads(client),
  };
}

export function zoneHead(domain: Domain): ZoneHead {
  const { id, status } = domain;
  const isKnown = status === "active" || status === "disabled";
  const state = isKnown ? undefined : { state: status };
  return { name: zoneName(domain), id: asId(id), settings: settingsOf(domain), ...state, defaultTimes: apiTimes };
}

/**
 * The records of a zone that a target with this setting knows: of a server with open records, a documented target knows
 * those that it could have written itself. Others are left alone.
 */
export function recordsOf(
  stored: readonly ApiRecord[],
  { zone, records }: { readonly zone: Name; readonly records: RecordsSetting },
  onUnknown?: RecordReadOptions["onUnknown"],
): LiveRecord[] {
  const read = new Map<ApiRecord, ZoneRecord>();
  const inexpressible = records === "open" ? new Set() : findInexpressible(stored, zone, read);
  const isKnown = (record: ApiRecord) => isStoredType(record.type, records) && !inexpressible.has(record);
  if (onUnknown)
    for (const record of stored)
      if (!isKnown(record)) onUnknown({ name: record.name, type: record.type, ttl: record.ttl_sec });
  return stored
    .filter(isKnown)
    .sort(byId)
    .map((record) => liveRecord(documented(record, records), zone, read.get(record)));
}

/** A record as a target with this setting reads it: the documents have no `rdata`. */
function documented(record: OfOpenServer, setting: RecordsSetting): ApiRecord {
  if (setting === "open" || record.rdata === undefined) return record;
  const { rdata: _, ...others } = record;
  return others;
}

/**
 * A record of a server with open records has its data in presentation form as well, and flags. One whose records were
 * open before tells the data of records that it does not let anyone change, without flags.
 */
type OfOpenServer = ApiRecord & { readonly rdata?: string | null; readonly flags?: number };

/**
 * The records whose fields in the documents lack a part of the data, or that break their limits. A server with open
 * records has them, and so has one whose records were open before. `known` gets what was read without `rdata`, so that
 * nothing is read twice.
 */
function findInexpressible(
  stored: readonly OfOpenServer[],
  zone: Name,
  known: Map<ApiRecord, ZoneRecord>,
): ReadonlySet<ApiRecord> {
  const ofDocuments = stored.filter((one) => isStoredType(one.type, "documented"));
  if (ofDocuments.length === 0) return new Set();
  const read = ofDocuments.map((record) => withoutFault(() => fromApi(record, zone)));
  const records = read.filter((record) => record !== undefined);
  const found = { name: zone, settings: {}, records, places: {}, dotlessTargets: [] };
  const refused = findRefused(found);
  for (const [index, record] of ofDocuments.entries()) {
    const one = read[index];
    if (one && record.rdata === undefined) known.set(record, one);
  }
  const hasData = ofDocuments.some(({ rdata }) => rdata !== undefined);
  const accepted = new Set(hasData ? accept(found).desired.records.map(recordKeyOf) : []);
  const isExpressible = (record: OfOpenServer, whole: ZoneRecord | undefined) => {
    if (record.rdata === undefined) return whole === undefined || !(refused.has(whole) || isApexServer(whole, zone));
    if (record.flags === undefined || whole === undefined || refused.has(whole)) return false;
    const plain = withoutFault(() => fromApi(documented(record, "documented"), zone));
    return plain !== undefined && accepted.has(recordKeyOf(plain));
  };
  return new Set(ofDocuments.filter((record, index) => !isExpressible(record, read[index])));
}

/** Whether it is one of the records in whose place the service answers with its own. */
function isApexServer({ owner, type }: ZoneRecord, zone: Name): boolean {
  return type === "NS" && isSameName(owner, zone);
}

function withoutFault<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/**
 * Ids are assigned in the order in which records become visible, because the service serialises the writes to a domain.
 */
function byId(a: ApiRecord, b: ApiRecord): number {
  return a.id - b.id;
}

/** The settings of a stored domain; an unknown type counts as master, an unknown status as active. */
function settingsOf(domain: Domain): Required<ApiSettings> {
  return {
    type: domain.type === "slave" ? "slave" : "master",
    soa_email: domain.soa_email,
    description: domain.description,
    status: domain.status === "disabled" ? "disabled" : "active",
    tags: domain.tags,
    group: domain.group,
    axfr_ips: domain.axfr_ips,
    master_ips: domain.master_ips,
    ttl_sec: domain.ttl_sec,
    refresh_sec: domain.refresh_sec,
    retry_sec: domain.retry_sec,
    expire_sec: domain.expire_sec,
  };
}

/** The name of a stored domain; not validated if no zone file could contain it. */
export function zoneName({ domain }: Pick<Domain, "domain">): Name {
  try {
    return readExactName(toOctets(domain));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return asName(`${domain}.`); // no file can describe it, so it does not prevent planning the others
  }
}

function liveRecord(record: ApiRecord, zone: Name, read?: ZoneRecord): LiveRecord {
  try {
    const { id, created, updated } = record;
    const { owner, type, ttl, data } = read ?? fromApi(record, zone);
    return { owner, type, ttl, data, id: asId(id), created, updated };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw problemError(
      "live-record",
      `${zone} contains the ${record.type} record ${record.id} with name ${quoteValue(record.name)} and target ${quoteValue(record.target)}, which is invalid: ${error.message}`,
      { fix: "Correct or delete it through the API. Nothing was changed." },
    );
  }
}

/** A stored value on one line, truncated. */
function quoteValue(text: string): string {
  return `"${escapeControl(text.length > 100 ? `${text.slice(0, 100)}…` : text)}"`;
}

/** Reads account data, as far as the token may access it. */
function accountReads(
  client: Pick<Client, "getAccount" | "getProfile" | "listEvents">,
): Pick<TargetReads, "readAccount" | "readUsername" | "readLastEvent" | "readEvents"> {
  return {
    readAccount: (options) => readUnlessHidden(async () => (await client.getAccount({}, options)).euuid, null),
    readUsername: (options) => readUnlessHidden(async () => (await client.getProfile({}, options)).username, undefined),
    readLastEvent: (options) =>
      readUnlessHidden(async () => {
        const { data } = await client.listEvents({ query: { page: 1, page_size: 25 } }, options);
        return asId(data[0]?.id ?? 0);
      }, undefined),
    readEvents: async (start, options) => {
      try {
        return await readEvents(client, start, options);
      } catch (error) {
        if (isHidden(error)) return { unknown: "this token cannot read events (scope events:read_only)" };
        if (!(error instanceof ClientError) || isAborted(error)) throw error;
        return { unknown: `the event log cannot be read: ${error.problems[0]?.summary}` };
      }
    },
  };
}

async function readUnlessHidden<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isHidden(error)) return otherwise;
    throw error;
  }
}

/** Whether the token lacks access to the requested object. */
function isHidden(error: unknown): boolean {
  return error instanceof ApiError && ["scope", "grant", "not-found"].includes(error.kind);
}
