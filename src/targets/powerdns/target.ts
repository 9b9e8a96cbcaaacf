import { escapeControl } from "../../diagnostics/escape.ts";
import { type ContentService, contentReads, contentWrites, headOfZone, idOf, zoneNameOf } from "../by-content.ts";
import { withRecords } from "../read-live.ts";
import type { ServiceFact, Target, WriteFailure } from "../target.ts";
import { examineAliases, reviewAliases } from "./aliases.ts";
import { PowerDnsApi, type PowerDnsOptions } from "./api.ts";
import { noZoneError, PowerDnsError } from "./failure.ts";
import { powerDnsKind } from "./kind.ts";
import type { PowerDnsVersion } from "./replies.ts";
import { ZoneStore } from "./zone-store.ts";

/** A PowerDNS, whose zones its HTTP API reads and changes, and its address in that API. */
export function powerDnsTarget(options: PowerDnsOptions): { readonly target: Target; readonly address: string } {
  const api = new PowerDnsApi(options);
  const zones = new ZoneStore(api);
  const service: ContentService = {
    listNames: async (more) => (await zones.list(more)).map(({ name }) => name),
    find: (name) => zones.find(name),
    readRecords: (name, more) => zones.records(name, more),
    change: ({ name }, changes, { expected } = {}) => zones.change(name, changes, expected),
    goneError: noZoneError,
    countRequests: () => api.requests,
  };
  const target: Target = {
    ...powerDnsKind,
    read: {
      ...contentReads(service),
      listZones: (more) => zones.list(more),
      readZone: (id, more) =>
        withRecords({ readRecords: (zone, all) => zones.records(zone.name, all) }, headOfZone(zoneNameOf(id)), more),
      readSettings: (id) => zones.settings(zoneNameOf(id)),
      examine: async (_, { signal } = {}) => [
        ...examineServer(options.url, await api.readServer(signal)),
        ...examineAliases(await api.readConfig(signal)),
      ],
      reviewAliases: async (all, { signal } = {}) => reviewAliases(await api.readConfig(signal), all),
      readZoneFile: ({ name }, more) => zones.text(name, more),
      readStored: ({ name }) => zones.stored(name),
    },
    writes: {
      ...contentWrites(service),
      async createZone(zone) {
        await zones.create(zone);
        return idOf(zone.name);
      },
      deleteZone: (id) => zones.remove(zoneNameOf(id)),
      changeSettings: (id, settings) => zones.changeSettings(zoneNameOf(id), settings),
      finishZone: (id) => zones.finish(zoneNameOf(id)),
      failureOf,
    },
  };
  return { target, address: api.address };
}

/** The version of a server, and whether the way to it is encrypted. */
function examineServer(url: string, { daemon_type: daemon, version }: PowerDnsVersion): ServiceFact[] {
  const { protocol, hostname } = new URL(url);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const name = daemon === "authoritative" ? "PowerDNS" : `PowerDNS (${escapeControl(daemon)})`;
  const server: ServiceFact = { subject: "server", state: "ok", text: `${name} ${escapeControl(version)}` };
  if (protocol === "https:" || isLocal) return [server];
  const text = `the API key and all records go to ${hostname} without encryption`;
  const next = "Use https, with a proxy before PowerDNS, or a tunnel.";
  return [server, { subject: "url", state: "warn", text, next }];
}

function failureOf(error: unknown): WriteFailure {
  return error instanceof PowerDnsError ? error.failure : "refused";
}
