import { ApiError } from "../../client/api-error.ts";
import type { CallOptions, Client, OpenRecordClient, ReadingClient } from "../../client/client.ts";
import { TransportError } from "../../client/transport-error.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import type { Name } from "../../dns/name/name.ts";
import { asId, type DesiredRecord } from "../../dns/zone/desired-live.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { ReadingTarget, Target, TargetWrites, WriteFailure } from "../target.ts";
import { apiKindWith } from "./kind.ts";
import { apiReads } from "./live.ts";
import { apiId, toApi, toOpenApi } from "./mapping.ts";
import { toApiSettings } from "./settings.ts";
import { type SnapshotHead, type SnapshotOptions, snapshotAccount, type TakenSnapshot } from "./snapshot.ts";

/** The abilities of the API besides the reads and writes of every target. */
interface Snapshots {
  takeSnapshot(head: SnapshotHead, options?: SnapshotOptions): Promise<TakenSnapshot>;
}

export interface ApiTarget extends Target, Snapshots {}

export interface ApiReadingTarget extends ReadingTarget, Snapshots {}

/** The API, over a connection. */
export function apiTarget(client: Client): ApiTarget {
  return { ...apiReadingTarget(client), writes: apiWrites(client, recordWrites(client, toApi)) };
}

/** A server that holds records of every type, over a connection. */
export function openApiTarget(client: OpenRecordClient): ApiTarget {
  return { ...apiReadingTarget(client, "open"), writes: apiWrites(client, recordWrites(client, toOpenApi)) };
}

/** The API, over a connection that only reads. `records`: the setting of the server, and of the client. */
export function apiReadingTarget(client: ReadingClient, records: RecordsSetting = "documented"): ApiReadingTarget {
  return {
    ...apiKindWith(records),
    read: apiReads(client, records),
    takeSnapshot: (head, options) => snapshotAccount(client, withSetting(head, records), options),
  };
}

function withSetting(head: SnapshotHead, records: RecordsSetting): SnapshotHead {
  return records === "documented" ? head : { ...head, target: { ...head.target, records } };
}

type RecordWrites = Pick<TargetWrites, "createRecord" | "updateRecord">;

/** The methods for records of a client, whose bodies depend on the setting of the server. */
interface RecordMethods<Body> {
  createRecord(input: { domainId: number; body: Body }, options?: CallOptions): Promise<{ readonly id: number }>;
  updateRecord(input: { domainId: number; recordId: number; body: Body }, options?: CallOptions): Promise<unknown>;
}

function recordWrites<Body>(
  client: RecordMethods<Body>,
  bodyOf: (record: DesiredRecord, zone: Name) => Body,
): RecordWrites {
  return {
    createRecord: async (zone, record, { isUrgent = false } = {}) => {
      const body = bodyOf(record, zone.name);
      return asId((await client.createRecord({ domainId: apiId(zone.id), body }, { urgent: isUrgent })).id);
    },
    updateRecord: async (zone, id, record, { isUrgent = false } = {}) => {
      const body = bodyOf(record, zone.name);
      await client.updateRecord({ domainId: apiId(zone.id), recordId: apiId(id), body }, { urgent: isUrgent });
    },
  };
}

type WriteMethod = "createDomain" | "importDomain" | "updateDomain" | "deleteDomain" | "deleteRecord";

/** The writes of the API. Each method sends one request and rejects with the errors of the client. */
function apiWrites(client: Pick<Client, WriteMethod>, ofRecords: RecordWrites): TargetWrites {
  return {
    createZone: async ({ name, settings }) => {
      const { status: _, ...others } = settings;
      const type = settings.type ?? "master";
      const body = { ...bodyOf(others), domain: name.slice(0, -1), type, status: "disabled" as const };
      return asId((await client.createDomain({ body })).id);
    },
    importZone: async (name, server) =>
      asId((await client.importDomain({ body: { domain: name.slice(0, -1), remote_nameserver: server } })).id),
    changeSettings: async (id, settings) => {
      await client.updateDomain({ domainId: apiId(id), body: bodyOf(settings) });
    },
    deleteZone: async (id) => {
      await client.deleteDomain({ domainId: apiId(id) });
    },
    ...ofRecords,
    deleteRecord: async (zone, id, { isUrgent = false } = {}) => {
      await client.deleteRecord({ domainId: apiId(zone.id), recordId: apiId(id) }, { urgent: isUrgent });
    },
    failureOf,
  };
}

function failureOf(error: unknown): WriteFailure {
  if ((error instanceof ApiError || error instanceof TransportError) && error.outcome === "ambiguous") return "lost";
  if (!(error instanceof ApiError)) return "refused";
  if (error.status === 404) return "gone";
  if (error.kind === "invalid") return "invalid";
  return error.kind === "maintenance" ? "unavailable" : "refused";
}

/** Settings for a request, with copies of the lists. */
function bodyOf(settings: ZoneSettings) {
  const { tags, axfr_ips, master_ips, ...rest } = toApiSettings(settings);
  return {
    ...rest,
    ...(tags && { tags: [...tags] }),
    ...(axfr_ips && { axfr_ips: [...axfr_ips] }),
    ...(master_ips && { master_ips: [...master_ips] }),
  };
}
