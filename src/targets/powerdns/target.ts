import { type ContentService, contentReads, contentWrites, idOf, zoneNameOf } from "../by-content.ts";
import type { Target, WriteFailure } from "../target.ts";
import { PowerDnsApi, type PowerDnsOptions } from "./api.ts";
import { missingZoneError, PowerDnsError } from "./failure.ts";
import { powerDnsKind } from "./kind.ts";
import { ZoneStore } from "./zone-store.ts";

/** A PowerDNS, whose zones its HTTP API reads and changes, and its address in that API. */
export function powerDnsTarget(options: PowerDnsOptions): { readonly target: Target; readonly address: string } {
  const api = new PowerDnsApi(options);
  const zones = new ZoneStore(api);
  const service: ContentService = {
    listNames: (more) => zones.names(more),
    find: (name) => zones.find(name),
    readRecords: (name, more) => zones.records(name, more),
    change: ({ name }, changes, { expected } = {}) => zones.change(name, changes, expected),
    goneError: missingZoneError,
    countRequests: () => api.requests,
  };
  const target: Target = {
    ...powerDnsKind,
    read: {
      ...contentReads(service),
      readZoneFile: ({ name }, more) => zones.text(name, more),
    },
    writes: {
      ...contentWrites(service),
      async createZone({ name }) {
        await zones.create(name);
        return idOf(name);
      },
      deleteZone: (id) => zones.remove(zoneNameOf(id)),
      changeSettings: async () => {
        throw new Error("zones of PowerDNS have no settings");
      },
      failureOf,
    },
  };
  return { target, address: api.address };
}

function failureOf(error: unknown): WriteFailure {
  return error instanceof PowerDnsError ? error.failure : "refused";
}
