import pMap from "p-map";
import { type Name, nameKey, readExactName } from "../../dns/name/name.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import { asId, type Id, type LiveRecord, type RecordChange } from "../../dns/zone/desired-live.ts";
import { copyRecord, rdataText, setKeyOf } from "../../dns/zone/zone.ts";
import { defaultTimes } from "../../dns/zone/zone-settings.ts";
import { contentId } from "../content-id.ts";
import type {
  RecordReadOptions,
  RecordWriteOptions,
  Target,
  TargetReads,
  TargetWrites,
  ZoneHead,
  ZoneRef,
} from "../target.ts";
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
  return { ...rfc2136Kind, read: readsOf(reader, updater, zones), writes: writesOf(reader, updater) };
}

function readsOf(reader: ZoneReader, updater: ZoneUpdater, zones: () => readonly Name[]): TargetReads {
  const readRecords = async (zone: ZoneRef, { signal, onUnknown }: RecordReadOptions = {}) => {
    const { records, others } = await reader.transfer(zone.name, signal);
    for (const other of others) onUnknown?.(other);
    return records;
  };
  return {
    async listZones({ signal } = {}) {
      const find = async (name: Name) => ((await reader.findSoa(name, signal)) ? [headOf(name)] : []);
      return (await pMap(zones(), find, { concurrency: zonesAtOnce })).flat();
    },
    readRecords,
    ownServer: { address: reader.server, ask: (question, { signal } = {}) => reader.ask(question, signal) },
    async readZone(id, { signal } = {}) {
      const { records } = await reader.readBack(nameOf(id), signal);
      return { ...headOf(nameOf(id)), records };
    },
    examineZone: ({ name }, { signal } = {}) => updater.examine(name, signal),
    readSettings: async () => ({}),
    findZone: async (name) => ((await reader.findSoa(name)) ? { id: idOf(name), isBlank: false } : undefined),
    async readRecord(zone, id) {
      const found = (await readRecords(zone)).find((record) => record.id === id);
      if (found) return found;
      throw goneError(zone.name);
    },
    findRecords: async (zone, record) => (await readRecords(zone)).filter((one) => setKeyOf(one) === setKeyOf(record)),
    readZoneFile: async (zone, options) => zoneFile(await readRecords(zone, options)),
    readAccount: async () => null,
    readUsername: async () => undefined,
    readLastEvent: async () => undefined,
    readEvents: async () => ({ unknown: "a name server keeps no events" }),
    countRequests: () => reader.requests,
    announcedLimit: () => "unlimited",
  };
}

function writesOf(reader: ZoneReader, updater: ZoneUpdater): TargetWrites {
  const refuse = async (): Promise<never> => {
    throw zonesOfServerError();
  };
  const setsBefore = async ({ name }: ZoneRef, changes: readonly RecordChange[]) => {
    const { records } = await reader.transfer(name);
    const ids = new Set(records.map(({ id }) => id));
    if (changes.some((one) => one.kind !== "create" && !ids.has(one.before.id))) throw goneError(name);
    return setsAtNames(records, changes);
  };
  const change = async (zone: ZoneRef, changes: readonly RecordChange[], { expected }: RecordWriteOptions = {}) =>
    updater.change(zone.name, changes, expected ?? (await setsBefore(zone, changes)));
  const stored = async (zone: ZoneRef, id: Id, { expected = [] }: RecordWriteOptions = {}): Promise<LiveRecord> => {
    const before = expected.flatMap(({ records }) => records).find((record) => contentId(record) === id);
    if (before) return copyRecord(before, { id });
    const live = (await reader.transfer(zone.name)).records.find((record) => record.id === id);
    if (live) return live;
    throw goneError(zone.name);
  };
  return {
    createZone: refuse,
    deleteZone: refuse,
    changeSettings: refuse,
    async createRecord(zone, after, options) {
      await change(zone, [{ kind: "create", after }], options);
      return contentId(after);
    },
    updateRecord: async (zone, id, after, options) =>
      change(zone, [{ kind: "update", before: await stored(zone, id, options), after }], options),
    deleteRecord: async (zone, id, options) =>
      change(zone, [{ kind: "delete", before: await stored(zone, id, options) }], options),
    async changeRecords(zone, changes, options) {
      await change(zone, changes, options);
      return changes.map((one) => contentId(one.kind === "delete" ? one.before : one.after));
    },
    failureOf(error) {
      if (error instanceof UpdateError) return error.failure;
      return error instanceof TransferError && unavailableIds.has(error.problem.id) ? "unavailable" : "refused";
    },
  };
}

/** Queries that wait for the server at the same time. */
const zonesAtOnce = 16;

const unavailableIds: ReadonlySet<string> = new Set(["transfer/connect", "transfer/timeout", "transfer/incomplete"]);

function headOf(name: Name): ZoneHead {
  return { id: idOf(name), name, settings: {}, defaultTimes: defaultTimes([]) };
}

function idOf(name: Name): Id {
  return asId(nameKey(name));
}

function nameOf(id: Id): Name {
  return readExactName(String(id));
}

function zoneFile(records: readonly LiveRecord[]): string {
  return records.map((one) => `${one.owner} ${one.ttl} IN ${one.type} ${rdataText(one)}\n`).join("");
}
