import { ApiError } from "../../client/api-error.ts";
import type { Client } from "../../client/client.ts";
import { all } from "../../client/pages.ts";
import { TransportError } from "../../client/transport-error.ts";
import type { ZoneSettings } from "../../dns/zone.ts";
import type { TargetWrites, WriteFailure } from "../target.ts";
import { readLiveZone, settingsOf } from "./live.ts";
import { apiName, fromApi, toApi } from "./mapping.ts";

/** The writes of the API. Each method is one request, but for lists, and rejects as the client's methods do. */
export function apiWrites(client: Client): TargetWrites {
  return {
    readZone: (id) => readLiveZone(client, id),
    readSettings: async (domainId) => settingsOf(await client.getDomain({ domainId })),
    findZone: async (name) => {
      const [found] = await all(client.listDomains, { filter: { domain: name.slice(0, -1) } });
      if (found === undefined) return undefined;
      const { id, status } = found;
      const isBlank = status === "disabled" && (await client.listRecords({ domainId: id })).results === 0;
      return { id, isBlank };
    },
    createZone: async ({ name, settings }) => {
      const body = { ...bodyOf(settings), domain: name.slice(0, -1), type: settings.type, status: "disabled" as const };
      return (await client.createDomain({ body })).id;
    },
    changeSettings: async (domainId, settings) => {
      await client.updateDomain({ domainId, body: bodyOf(settings) });
    },
    deleteZone: async (domainId) => {
      await client.deleteDomain({ domainId });
    },
    readRecord: async (zone, recordId) => {
      const record = await client.getRecord({ domainId: zone.id, recordId });
      return { ...fromApi(record, zone.name), id: recordId };
    },
    findRecords: async (zone, { owner, type }) => {
      const isNamed = type !== "SRV"; // the service builds the name of an SRV record
      const filter = { type, ...(isNamed && { name: apiName(owner, zone.name) }) };
      const records = await all(client.listRecords, { domainId: zone.id, filter });
      return records.map((record) => ({ ...fromApi(record, zone.name), id: record.id }));
    },
    createRecord: async (zone, record, { isUrgent = false } = {}) => {
      const body = toApi(record, zone.name);
      return (await client.createRecord({ domainId: zone.id, body }, { urgent: isUrgent })).id;
    },
    updateRecord: async (zone, recordId, record, { isUrgent = false } = {}) => {
      const body = toApi(record, zone.name);
      await client.updateRecord({ domainId: zone.id, recordId, body }, { urgent: isUrgent });
    },
    deleteRecord: async (zone, recordId, { isUrgent = false } = {}) => {
      await client.deleteRecord({ domainId: zone.id, recordId }, { urgent: isUrgent });
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

/** Settings as a request carries them: its own copies of the lists. */
function bodyOf({ tags, axfr_ips, master_ips, ...rest }: ZoneSettings) {
  return {
    ...rest,
    ...(tags && { tags: [...tags] }),
    ...(axfr_ips && { axfr_ips: [...axfr_ips] }),
    ...(master_ips && { master_ips: [...master_ips] }),
  };
}
