import pMap from "p-map";
import type { Name } from "../../dns/name/name.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { LiveRecord, RecordChange } from "../../dns/zone/desired-live.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import { type ContentService, contentReads, contentWrites, headOfZone, zoneNameOf } from "../by-content.ts";
import type { Target, WriteFailure, ZoneRef } from "../target.ts";
import { goneError, UpdateError, zonesOfServerError } from "./failure.ts";
import { rfc2136Kind } from "./kind.ts";
import { setsAtNames } from "./update-for.ts";
import { type UpdatePrimary, ZoneReader } from "./zone-reader.ts";
import { ZoneUpdater } from "./zone-updater.ts";

export interface PrimaryOptions extends UpdatePrimary {
  /** The zones to look for: a name server does not list those that it has. */
  readonly zones: () => readonly Name[];
}

/** A name server: its zones are transferred (RFC 5936), and changed by dynamic updates (RFC 2136). */
export function rfc2136Target({ zones, ...server }: PrimaryOptions): Target {
  const reader = new ZoneReader(server);
  const updater = new ZoneUpdater(server, reader);
  const service = serviceOf(reader, updater, zones);
  return {
    ...rfc2136Kind,
    read: {
      ...contentReads(service),
      async readZone(id, { signal } = {}) {
        const { records } = await reader.readBack(zoneNameOf(id), signal);
        return { ...headOfZone(zoneNameOf(id)), records };
      },
      ownServer: { address: reader.server, ask: (question, { signal } = {}) => reader.ask(question, signal) },
      examine: async ([zone], { signal } = {}) => (zone ? updater.examine(zone.name, signal) : []),
      readZoneFile: async ({ name }, options) => zoneFile(await service.readRecords(name, options)),
    },
    writes: { ...contentWrites(service), createZone: refuse, deleteZone: refuse, changeSettings: refuse, failureOf },
  };
}

function serviceOf(reader: ZoneReader, updater: ZoneUpdater, zones: () => readonly Name[]): ContentService {
  /** The sets at the names of the changes, which the records that they replace or delete must be in. */
  const setsBefore = async ({ name }: ZoneRef, changes: readonly RecordChange[]) => {
    const { records } = await reader.transfer(name);
    const ids = new Set(records.map(({ id }) => id));
    for (const one of changes)
      if (one.kind !== "create" && !ids.has(one.before.id)) throw goneError(name, one.before.id);
    return setsAtNames(records, changes);
  };
  return {
    async listNames({ signal } = {}) {
      const find = async (name: Name) => ((await reader.findSoa(name, signal)) ? [name] : []);
      return (await pMap(zones(), find, { concurrency: zonesAtOnce })).flat();
    },
    find: async (name) => ((await reader.findSoa(name)) ? { isBlank: false } : undefined),
    async readRecords(name, { signal, onUnknown } = {}) {
      const { records, others } = await reader.transfer(name, signal);
      for (const other of others) onUnknown?.(other);
      return records;
    },
    change: async (zone, changes, { expected } = {}) =>
      updater.change(zone.name, changes, expected ?? (await setsBefore(zone, changes))),
    goneError,
    countRequests: () => reader.requests,
  };
}

async function refuse(): Promise<never> {
  throw zonesOfServerError();
}

function failureOf(error: unknown): WriteFailure {
  if (error instanceof UpdateError) return error.failure;
  return error instanceof TransferError && unavailableIds.has(error.problem.id) ? "unavailable" : "refused";
}

/** Queries that wait for the server at the same time. */
const zonesAtOnce = 16;

const unavailableIds: ReadonlySet<string> = new Set(["transfer/connect", "transfer/timeout", "transfer/incomplete"]);

function zoneFile(records: readonly LiveRecord[]): string {
  return records.map((one) => `${one.owner} ${one.ttl} IN ${one.type} ${rdataText(one)}\n`).join("");
}
