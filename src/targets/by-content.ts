import { type Name, nameKey, readExactName } from "../dns/name/name.ts";
import { asId, type Id, type LiveRecord, type RecordChange } from "../dns/zone/desired-live.ts";
import { copyRecord, setKeyOf } from "../dns/zone/zone.ts";
import { defaultTimes } from "../dns/zone/zone-settings.ts";
import { contentId } from "./content-id.ts";
import { noEventLog } from "./no-event-log.ts";
import type {
  ReadOptions,
  RecordReadOptions,
  RecordWriteOptions,
  TargetReads,
  TargetWrites,
  ZoneRef,
} from "./target.ts";

/** A service without ids and settings: a zone is known by its name, a record by its content. */
export interface ContentService {
  /** The zones that it has. */
  listNames(options?: ReadOptions): Promise<readonly Name[]>;
  find(name: Name): Promise<{ readonly isBlank: boolean } | undefined>;
  readRecords(name: Name, options?: RecordReadOptions): Promise<readonly LiveRecord[]>;
  /** Makes all changes to a zone, or none. */
  change(zone: ZoneRef, changes: readonly RecordChange[], options?: RecordWriteOptions): Promise<void>;
  /** The error for a zone that does not exist, or for a record that it does not have. */
  goneError(name: Name, record?: Id): Error;
  countRequests(): number;
}

/** The reads of such a service; it adds its own zone file. */
export function contentReads(service: ContentService): Omit<TargetReads, "readZoneFile"> {
  const readRecords = (zone: Pick<ZoneRef, "name">, options?: RecordReadOptions) =>
    service.readRecords(zone.name, options);
  return {
    listZones: async (options) => (await service.listNames(options)).map(headOfZone),
    readRecords,
    readZone: async (id, options) => ({
      ...headOfZone(zoneNameOf(id)),
      records: await readRecords(headOfZone(zoneNameOf(id)), options),
    }),
    async findZone(name) {
      const found = await service.find(name);
      return found && { id: idOf(name), ...found };
    },
    async readRecord(zone, id) {
      const found = (await readRecords(zone)).find((record) => record.id === id);
      if (found) return found;
      throw service.goneError(zone.name, id);
    },
    findRecords: async (zone, record) => (await readRecords(zone)).filter((one) => setKeyOf(one) === setKeyOf(record)),
    async readSettings(id) {
      if (await service.find(zoneNameOf(id))) return {};
      throw service.goneError(zoneNameOf(id));
    },
    readAccount: async () => null,
    readUsername: async () => undefined,
    readLastEvent: async () => undefined,
    readEvents: async () => ({ unknown: noEventLog }),
    countRequests: () => service.countRequests(),
    announcedLimit: () => "unlimited",
  };
}

/** The writes of records of such a service. */
export function contentWrites(
  service: ContentService,
): Required<Pick<TargetWrites, "createRecord" | "updateRecord" | "deleteRecord" | "changeRecords">> {
  const stored = async (zone: ZoneRef, id: Id, { expected = [] }: RecordWriteOptions = {}): Promise<LiveRecord> => {
    const before = expected.flatMap(({ records }) => records).find((record) => contentId(record) === id);
    if (before) return copyRecord(before, { id });
    const live = (await service.readRecords(zone.name)).find((record) => record.id === id);
    if (live) return live;
    throw service.goneError(zone.name, id);
  };
  return {
    async createRecord(zone, after, options) {
      await service.change(zone, [{ kind: "create", after }], options);
      return contentId(after);
    },
    updateRecord: async (zone, id, after, options) =>
      service.change(zone, [{ kind: "update", before: await stored(zone, id, options), after }], options),
    deleteRecord: async (zone, id, options) =>
      service.change(zone, [{ kind: "delete", before: await stored(zone, id, options) }], options),
    async changeRecords(zone, changes, options) {
      await service.change(zone, changes, options);
      return changes.map((one) => contentId(one.kind === "delete" ? one.before : one.after));
    },
  };
}

/** A zone of such a service without its records. */
export function headOfZone(name: Name) {
  return { id: idOf(name), name, settings: {}, defaultTimes: defaultTimes([]) };
}

/** The id of a zone on such a service. */
export function idOf(name: Name): Id {
  return asId(nameKey(name));
}

/** The zone with an id. */
export function zoneNameOf(id: Id): Name {
  return readExactName(String(id));
}
