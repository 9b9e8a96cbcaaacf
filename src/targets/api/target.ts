import { ApiError } from "../../client/api-error.ts";
import type { Client, ReadingClient } from "../../client/client.ts";
import { TransportError } from "../../client/transport-error.ts";
import { asId } from "../../dns/zone/desired-live.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { ReadingTarget, Target, TargetWrites, WriteFailure } from "../target.ts";
import { apiKind } from "./kind.ts";
import { apiReads } from "./live.ts";
import { apiId, toApi } from "./mapping.ts";
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
  return { ...apiReadingTarget(client), writes: apiWrites(client) };
}

/** The API, over a connection that only reads. */
export function apiReadingTarget(client: ReadingClient): ApiReadingTarget {
  return {
    ...apiKind,
    read: apiReads(client),
    takeSnapshot: (head, options) => snapshotAccount(client, head, options),
  };
}

/** The writes of the API. Each method sends one request and rejects with the errors of the client. */
function apiWrites(client: Client): TargetWrites {
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
    createRecord: async (zone, record, { isUrgent = false } = {}) => {
      const body = toApi(record, zone.name);
      return asId((await client.createRecord({ domainId: apiId(zone.id), body }, { urgent: isUrgent })).id);
    },
    updateRecord: async (zone, id, record, { isUrgent = false } = {}) => {
      const body = toApi(record, zone.name);
      await client.updateRecord({ domainId: apiId(zone.id), recordId: apiId(id), body }, { urgent: isUrgent });
    },
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
