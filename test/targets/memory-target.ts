import { problem } from "../../src/diagnostics/problem.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import {
  asId,
  type DesiredRecord,
  type Id,
  type LiveRecord,
  type LiveZone,
  type RecordChange,
} from "../../src/dns/zone/desired-live.ts";
import { copyRecord, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { blankSettings, defaultTimes, type Setting } from "../../src/dns/zone/zone-settings.ts";
import { formats } from "../../src/formats/formats.ts";
import type { Accepted, Target, WriteFailure, ZoneRef } from "../../src/targets/target.ts";
import { zoneFromLive } from "../../src/workflow/zones/zone-from-live.ts";

const text = { kind: "text", default: "", about: "", example: "a" } as const;
const list = { kind: "list", default: [], about: "", example: "[a]" } as const;
const time = { kind: "duration", about: "", example: "1h" } as const;

/** Four settings of the API are missing, and `region`, `check_sec` and `mirrors` are not the API's. */
export const memorySettings: readonly Setting[] = [
  { name: "type", kind: "choice", choices: ["master", "slave"], default: "master", about: "", example: "slave" },
  { name: "status", kind: "choice", choices: ["active", "disabled"], default: "active", about: "", example: "active" },
  { name: "region", kind: "choice", choices: ["north", "south"], default: "north", about: "", example: "south" },
  { name: "description", ...text },
  { name: "soa_email", ...text, isInherited: true },
  { name: "ttl_sec", ...time, default: 1800 },
  { name: "refresh_sec", ...time, default: 7200 },
  { name: "expire_sec", ...time, default: 604_800 },
  { name: "check_sec", ...time, default: 60, isInherited: true },
  { name: "mirrors", ...list, transfers: "to" },
  { name: "tags", ...list },
];
const times = defaultTimes(memorySettings);
const shortestTtl = 60;

class MemoryError extends Error {
  readonly failure: WriteFailure;

  constructor(failure: WriteFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** A hook around each write, which `carryOut` performs. */
type Hook = <T>(
  write: { write: string; content: string },
  carryOut: () => Promise<T>,
  fail: (failure: WriteFailure) => Error,
) => Promise<T>;

interface StoredZone extends Omit<LiveZone, "records"> {
  records: LiveRecord[];
}

/**
 * A service that is not the API: ids are words in no order, any TTL of a minute or more is stored as it is, records are
 * exchanged at one moment, and a zone is read in one request.
 */
export function memoryTarget(onWrite: Hook): Target {
  const zones = new Map<Id, StoredZone>();
  let created = 0;
  const newId = (kind: string) => asId(`${kind}-${((++created * 7919) % 10_007).toString(36)}`);
  const zoneOf = ({ id }: Pick<ZoneRef, "id">) => {
    const zone = zones.get(id);
    if (!zone) throw new MemoryError("gone", `there is no zone ${id}`);
    return zone;
  };
  const indexOf = (records: readonly LiveRecord[], id: Id) => {
    const index = records.findIndex((record) => record.id === id);
    if (index < 0) throw new MemoryError("gone", `there is no record ${id}`);
    return index;
  };
  const carryOut = (ref: ZoneRef, changes: readonly RecordChange[]): Id[] => {
    const zone = zoneOf(ref);
    const records = [...zone.records];
    const ids = changes.map((change) => {
      const id = change.kind === "create" ? newId("record") : change.before.id;
      if (change.kind === "create") records.push(stored(change.after, id));
      else if (change.kind === "update") records[indexOf(records, id)] = stored(change.after, id);
      else records.splice(indexOf(records, id), 1);
      return id;
    });
    refuseInvalid(records);
    zone.records = records;
    return ids;
  };
  const write = <T>(what: string, content: unknown, action: () => T) =>
    onWrite(
      { write: what, content: JSON.stringify([what, content]) },
      async () => action(),
      (failure) => new MemoryError(failure, `${what}: ${failure}`),
    );
  const writeOne = async (zone: ZoneRef, change: RecordChange): Promise<Id> => {
    const [id] = await write(`${change.kind} record`, change, () => carryOut(zone, [change]));
    if (id === undefined) throw new Error("a record has an id");
    return id;
  };
  const copy = (zone: StoredZone): LiveZone => ({ ...zone, records: [...zone.records] });
  return {
    name: "memory",
    recordLimits: new Set(),
    strictRules: new Set(),
    capabilities: {
      settings: memorySettings,
      atomicChanges: true,
      events: false,
      recordsPerRead: Number.POSITIVE_INFINITY,
    },
    accept,
    read: {
      listZones: async () => [...zones.values()].map(({ records, ...head }) => head),
      readRecords: async (zone) => [...zoneOf(zone).records],
      countRequests: () => 0,
      announcedLimit: () => "unlimited",
      readZone: async (id) => copy(zoneOf({ id })),
      readSettings: async (id) => zoneOf({ id }).settings,
      findZone: async (name) => {
        const zone = [...zones.values()].find((one) => nameKey(one.name) === nameKey(name));
        return zone && { id: zone.id, isBlank: zone.settings.status === "disabled" && zone.records.length === 0 };
      },
      readRecord: async (zone, id) => {
        const { records } = zoneOf(zone);
        return records[indexOf(records, id)] as LiveRecord;
      },
      findRecords: async (zone) => [...zoneOf(zone).records],
      readZoneFile: async ({ id }) => {
        const zone = zoneOf({ id });
        const settings = { ...zone.settings, ttl_sec: zone.settings.ttl_sec || times.ttl_sec };
        return zone.settings.status === "disabled"
          ? ""
          : formats.bind
              .write(zoneFromLive({ ...zone, settings }, memorySettings), { settings: memorySettings })
              .replace(/^;@.*\n/gm, "");
      },
      readAccount: async () => "memory",
      readUsername: async () => "memory",
      readLastEvent: async () => undefined,
      readEvents: async () => ({ unknown: "the service keeps no events" }),
    },
    writes: {
      createZone: async ({ name, settings }) =>
        write("create zone", name, () => {
          if ([...zones.values()].some((zone) => nameKey(zone.name) === nameKey(name)))
            throw new MemoryError("invalid", `the zone ${name} exists`);
          const id = newId("zone");
          const stored = { ttl_sec: 0, ...blankSettings(memorySettings), ...settings, status: "disabled" as const };
          zones.set(id, { id, name, settings: stored, defaultTimes: times, records: [] });
          return id;
        }),
      changeSettings: async (id, settings) =>
        write("change settings", settings, () => {
          const zone = zoneOf({ id });
          zones.set(id, { ...zone, settings: { ...zone.settings, ...settings } });
        }),
      deleteZone: async (id) =>
        write("delete zone", id, () => {
          zoneOf({ id });
          zones.delete(id);
        }),
      createRecord: (zone, after) => writeOne(zone, { kind: "create", after }),
      updateRecord: async (zone, id, after) => {
        await writeOne(zone, { kind: "update", before: stored(after, id), after });
      },
      deleteRecord: async (zone, id) => {
        const before = zoneOf(zone).records.find((record) => record.id === id);
        if (!before) throw new MemoryError("gone", `there is no record ${id}`);
        await writeOne(zone, { kind: "delete", before });
      },
      changeRecords: (zone, changes) => write("change records", changes, () => carryOut(zone, changes)),
      failureOf: (error) => (error instanceof MemoryError ? error.failure : "refused"),
    },
  };
}

function stored({ owner, type, ttl, data }: DesiredRecord, id: Id): LiveRecord {
  return { id, owner, type, ttl, data };
}

/** A CNAME stands alone (RFC 1034 §3.6.2). */
function refuseInvalid(records: readonly LiveRecord[]): void {
  for (const { owner, type } of records) {
    const beside = records.filter((other) => nameKey(other.owner) === nameKey(owner));
    if (type === "CNAME" && beside.length > 1)
      throw new MemoryError("invalid", `${owner} has a CNAME and other records`);
  }
}

function accept(zone: Zone): Accepted {
  const isApexNs = ({ owner, type }: ZoneRecord) => type === "NS" && nameKey(owner) === nameKey(zone.name);
  const kept = zone.records.filter((record) => record.type !== "SOA" && !isApexNs(record));
  const isShort = ({ ttl }: ZoneRecord) => ttl !== undefined && ttl < shortestTtl;
  const settings = { ...zone.settings, type: zone.settings.type ?? ("master" as const) };
  const records = kept.map((record) => (isShort(record) ? copyRecord(record, { ttl: shortestTtl }) : record));
  return {
    desired: { name: zone.name, settings, otherTimes: {}, defaultTimes: times, records },
    problems: kept.filter(isShort).map(({ owner, ttl }) => {
      return problem("ttl-rounded", `${owner} has the TTL ${ttl}, which is stored as ${shortestTtl}`);
    }),
  };
}
