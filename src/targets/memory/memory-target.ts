import { problem } from "../../diagnostics/problem.ts";
import { isSameName, type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import {
  asId,
  type DesiredRecord,
  type Id,
  type LiveRecord,
  type LiveZone,
  type RecordChange,
} from "../../dns/zone/desired-live.ts";
import { emptyOctets, recordOctets } from "../../dns/zone/record-octets.ts";
import {
  copyRecord,
  rdataText,
  recordKeyOf,
  setKeyOf,
  unsetNameservers,
  type Zone,
  type ZoneRecord,
} from "../../dns/zone/zone.ts";
import { blankSettings, defaultTimes, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { acceptPlain } from "../accept-plain.ts";
import { contentId } from "../content-id.ts";
import { noEventLog } from "../no-event-log.ts";
import type {
  Accepted,
  Capabilities,
  ExpectedSet,
  RecordWriteOptions,
  Target,
  WriteFailure,
  ZoneRef,
} from "../target.ts";

/** The messages of the service: `change records` is a change set, `create record` a single write. */
export type MemoryMessageName =
  | "list zones"
  | "find zone"
  | "find records"
  | `read ${"zone" | "settings" | "zone file" | "records" | "record"}`
  | `${"create" | "delete"} zone`
  | `change ${"settings" | "records"}`
  | `${RecordChange["kind"]} record`;

/** A message to the service: a read, or a write. `content` tells messages with the same name apart. */
export interface MemoryMessage {
  readonly name: MemoryMessageName;
  readonly isWrite: boolean;
  readonly content: string;
}

/**
 * Called for each message. It carries the message out, or rejects with an error of `fail`: before it carries it out,
 * the request is lost, and after it the reply.
 */
export type OnMemoryMessage = <T>(
  message: MemoryMessage,
  carryOut: () => Promise<T>,
  fail: (failure: WriteFailure) => Error,
) => Promise<T>;

/**
 * The capabilities of the service, and a hook for its messages. By default, it has stored ids, change sets of any size,
 * no lock and no settings; zones can be created and deleted, and the apex is that of the service.
 */
export interface MemoryOptions extends Partial<Omit<Capabilities, "events" | "serial">> {
  /** The TTL below which none is stored, in seconds; default 0. */
  readonly leastTtl?: number;
  /** The TTL of records without one, where zones have no setting `ttl_sec`, in seconds; default 3600. */
  readonly defaultTtl?: number;
  /** The SOA record of new zones where `apex` is `ours`; its TTL and negative TTL in seconds, default 3600. */
  readonly soa?: { readonly ttl: number; readonly minimum: number };
  readonly onMessage?: OnMemoryMessage;
}

/** The records of each served zone, in the order of their creation. */
export type MemoryState = ReadonlyMap<NameKey, readonly LiveRecord[]>;

export interface MemoryTarget extends Target {
  /** Every state that the service has served, the first one first; each write adds one. */
  readonly states: readonly MemoryState[];
  /**
   * Adds a zone as the operator of the service does, without a message. With a setting `status`, it is disabled.
   * @throws an error that `failureOf` classifies as `invalid`, if the zone exists
   */
  addZone(name: Name, records?: Iterable<ZoneRecord>): Id;
  /**
   * Changes records of a zone as another client does: at once, without a message, and whatever the lock.
   * @throws an error that `failureOf` classifies as `gone`, if the zone does not exist
   */
  edit(name: Name, changes: readonly MemoryEdit[]): void;
}

/** A record to add, or to remove by its content. */
export type MemoryEdit = { readonly add: ZoneRecord } | { readonly remove: ZoneRecord };

interface StoredZone extends Omit<LiveZone, "records"> {
  readonly records: readonly LiveRecord[];
}

class MemoryError extends Error {
  readonly failure: WriteFailure;

  constructor(failure: WriteFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/**
 * Creates a service in memory. Its ids are words in no order; an RRset is read in one message, and so is a zone. It
 * refuses a CNAME record beside other records of its name, as `invalid`.
 */
export function createMemoryTarget(options: MemoryOptions = {}): MemoryTarget {
  const { onMessage = (_, carryOut) => carryOut(), leastTtl = 0, defaultTtl = 3600, soa, ...given } = options;
  const capabilities: Capabilities = {
    settings: [],
    ids: "stored",
    changeSets: "zone",
    lock: "none",
    zones: "create and delete",
    apex: "service",
    recordsPerRead: Number.POSITIVE_INFINITY,
    ...given,
    serial: "service",
    events: false,
  };
  const service = new MemoryService(capabilities, { ttl: 3600, minimum: 3600, ...soa });
  let reads = 0;
  const send = <T>(name: MemoryMessageName, isWrite: boolean, content: unknown, action: () => T): Promise<T> => {
    if (!isWrite) reads++;
    return onMessage(
      { name, isWrite, content: JSON.stringify([name, content]) },
      async () => action(),
      (failure) => new MemoryError(failure, `${name}: ${failure}`),
    );
  };
  const read = <T>(name: MemoryMessageName, content: unknown, action: () => T) => send(name, false, content, action);
  const write = <T>(name: MemoryMessageName, content: unknown, action: () => T) => send(name, true, content, action);
  const writeOne = async (zone: ZoneRef, change: RecordChange, { expected }: RecordWriteOptions = {}): Promise<Id> => {
    const [id] = await write(`${change.kind} record`, change, () => service.change(zone.id, [change], expected));
    if (id === undefined) throw new Error("a record has an id");
    return id;
  };
  return {
    name: "service in memory",
    recordLimits: new Set(),
    strictRules: new Set(),
    capabilities,
    accept: (zone) => accept(zone, capabilities, { leastTtl, defaultTtl }),
    states: service.states,
    addZone: (name, records = []) => service.addZone(name, {}, records),
    edit: (name, edits) => service.edit(name, edits),
    read: {
      listZones: () => read("list zones", "", () => [...service.zones.values()].map(({ records, ...head }) => head)),
      readRecords: ({ id }) => read("read records", id, () => service.zone(id).records),
      countRequests: () => reads,
      announcedLimit: () => "unlimited",
      readZone: (id) => read("read zone", id, () => service.zone(id)),
      readSettings: (id) => read("read settings", id, () => service.zone(id).settings),
      findZone: (name) => read("find zone", name, () => service.find(name)),
      readRecord: ({ id }, record) => read("read record", [id, record], () => service.record(id, record)),
      findRecords: ({ id }, { owner, type }) =>
        read("find records", [id, owner, type], () =>
          service.zone(id).records.filter((stored) => setKeyOf(stored) === setKeyOf({ owner, type })),
        ),
      readZoneFile: ({ id }) => read("read zone file", id, () => zoneFileOf(service.zone(id))),
      readAccount: async () => "memory",
      readUsername: async () => "memory",
      readLastEvent: async () => undefined,
      readEvents: async () => ({ unknown: noEventLog }),
    },
    writes: {
      createZone: ({ name, settings }) =>
        write("create zone", name, () => {
          if (capabilities.zones === "neither") throw new MemoryError("refused", "zones cannot be created");
          return service.addZone(name, settings, []);
        }),
      changeSettings: (id, settings) => write("change settings", settings, () => service.set(id, settings)),
      deleteZone: (id) =>
        write("delete zone", id, () => {
          if (capabilities.zones === "neither") throw new MemoryError("refused", "zones cannot be deleted");
          service.delete(id);
        }),
      createRecord: (zone, after, more) => writeOne(zone, { kind: "create", after }, more),
      updateRecord: async (zone, id, after, more) => {
        await writeOne(zone, { kind: "update", before: withId(after, id), after }, more);
      },
      deleteRecord: async (zone, id, more) => {
        const before = service.zone(zone.id).records.find((record) => record.id === id);
        if (!before) throw new MemoryError("gone", `there is no record ${id}`);
        await writeOne(zone, { kind: "delete", before }, more);
      },
      ...(capabilities.changeSets === "zone" && {
        changeRecords: (zone: ZoneRef, changes: readonly RecordChange[], { expected }: RecordWriteOptions = {}) =>
          write("change records", changes, () => service.change(zone.id, changes, expected)),
      }),
      failureOf: (error) => (error instanceof MemoryError ? error.failure : "refused"),
    },
  };
}

/** The stored zones. Each method is one moment. */
class MemoryService {
  readonly zones = new Map<Id, StoredZone>();
  readonly states: MemoryState[] = [new Map()];
  readonly #capabilities: Capabilities;
  readonly #soa: { readonly ttl: number; readonly minimum: number };
  #created = 0;

  constructor(capabilities: Capabilities, soa: { readonly ttl: number; readonly minimum: number }) {
    this.#capabilities = capabilities;
    this.#soa = soa;
  }

  zone(id: Id): StoredZone {
    const zone = this.zones.get(id);
    if (!zone) throw new MemoryError("gone", `there is no zone ${id}`);
    return zone;
  }

  record(zone: Id, id: Id): LiveRecord {
    const record = this.zone(zone).records.find((stored) => stored.id === id);
    if (!record) throw new MemoryError("gone", `there is no record ${id}`);
    return record;
  }

  find(name: Name): { readonly id: Id; readonly isBlank: boolean } | undefined {
    const zone = this.#named(name);
    const isBlank =
      zone !== undefined && zone.settings.status !== "active" && zone.records.every(({ type }) => type === "SOA");
    return zone && { id: zone.id, isBlank };
  }

  addZone(name: Name, given: ZoneSettings, records: Iterable<ZoneRecord>): Id {
    if (this.#named(name)) throw new MemoryError("invalid", `the zone ${name} exists`);
    const { settings, apex } = this.#capabilities;
    const id = this.#newId("zone");
    const status = settings.some((setting) => setting.name === "status") ? { status: "disabled" as const } : {};
    const soa = apex === "ours" ? [soaOf(name, this.#soa)] : [];
    this.zones.set(id, {
      id,
      name,
      settings: { ...blankSettings(settings), ...given, ...status },
      defaultTimes: defaultTimes(settings),
      records: [...soa, ...records].map((record) => this.#store(record)),
    });
    this.#served();
    return id;
  }

  set(id: Id, settings: ZoneSettings): void {
    const zone = this.zone(id);
    this.zones.set(id, { ...zone, settings: { ...zone.settings, ...settings } });
    this.#served();
  }

  delete(id: Id): void {
    this.zone(id);
    this.zones.delete(id);
    this.#served();
  }

  edit(name: Name, edits: readonly MemoryEdit[]): void {
    const zone = this.#named(name);
    if (!zone) throw new MemoryError("gone", `there is no zone ${name}`);
    let records = [...zone.records];
    for (const edit of edits)
      if ("add" in edit) records.push(this.#store(edit.add));
      else records = records.filter((record) => recordKeyOf(record) !== recordKeyOf(edit.remove));
    this.#keep(zone, records);
  }

  /** Makes all changes, or none. Returns the ids of the records. */
  change(id: Id, changes: readonly RecordChange[], expected: readonly ExpectedSet[] | undefined): Id[] {
    const zone = this.zone(id);
    this.#refuseTooLarge(zone.name, changes, expected ?? []);
    this.#refuseChanged(zone, expected);
    const records = [...zone.records];
    const ids = changes.map((change) => {
      if (change.kind === "create") return this.#add(records, change.after);
      const index = records.findIndex((record) => record.id === change.before.id);
      if (index < 0) throw new MemoryError("gone", `there is no record ${change.before.id}`);
      if (change.kind === "delete") records.splice(index, 1);
      else if (this.#capabilities.ids === "stored") records[index] = this.#store(change.after, change.before.id);
      else {
        records.splice(index, 1);
        return this.#add(records, change.after);
      }
      return change.before.id;
    });
    refuseInvalid(records);
    this.#keep(zone, records);
    return ids;
  }

  /** Without ids, a record that is stored already only gets the TTL. */
  #add(records: LiveRecord[], wanted: DesiredRecord): Id {
    const record = this.#store(wanted);
    const index = this.#capabilities.ids === "content" ? records.findIndex(({ id }) => id === record.id) : -1;
    if (index < 0) records.push(record);
    else records[index] = record;
    return record.id;
  }

  #store(record: DesiredRecord, id?: Id): LiveRecord {
    const own = this.#capabilities.ids === "content" ? contentId(record) : (id ?? this.#newId("record"));
    return withId(record, own);
  }

  #keep(zone: StoredZone, records: readonly LiveRecord[]): void {
    this.zones.set(zone.id, { ...zone, records });
    this.#served();
  }

  #served(): void {
    const served = [...this.zones.values()].filter(({ settings }) => settings.status !== "disabled");
    this.states.push(new Map(served.map(({ name, records }) => [nameKey(name), records])));
  }

  #named(name: Name): StoredZone | undefined {
    return [...this.zones.values()].find((zone) => isSameName(zone.name, name));
  }

  #newId(kind: string): Id {
    return asId(`${kind}-${((++this.#created * 7919) % 10_007).toString(36)}`);
  }

  #refuseTooLarge(zone: Name, changes: readonly RecordChange[], expected: readonly ExpectedSet[]): void {
    const { maxChangeOctets = Number.POSITIVE_INFINITY } = this.#capabilities;
    const records = changes.flatMap((change) => [
      ...(change.kind === "create" ? [] : [change.before]),
      ...(change.kind === "delete" ? [] : [change.after]),
    ]);
    const compared = expected.flatMap((set) => set.records);
    const absent = expected.filter((set) => set.records.length === 0);
    const octets =
      [...records, ...compared].reduce((sum, record) => sum + recordOctets(zone, record), 0) +
      absent.reduce((sum, { owner }) => sum + emptyOctets(zone, owner), 0);
    if (octets > maxChangeOctets) throw new MemoryError("invalid", `the change has ${octets} octets`);
  }

  /** Refuses if the locked data is not as expected. TTLs are not compared, as in dynamic updates (RFC 2136 §2.4). */
  #refuseChanged({ records }: StoredZone, expected: readonly ExpectedSet[] = []): void {
    const { lock } = this.#capabilities;
    if (lock === "none") return;
    for (const { owner, type, records: wanted } of expected) {
      const stored = records.filter((record) => setKeyOf(record) === setKeyOf({ owner, type })).map(recordKeyOf);
      const keys = wanted.map(recordKeyOf);
      const isWhole = lock === "record" || stored.length === keys.length;
      if (!isWhole || !keys.every((key) => stored.includes(key)))
        throw new MemoryError("changed", `another client has changed ${owner} ${type} since it was read`);
    }
  }
}

function withId({ owner, type, ttl, data }: DesiredRecord, id: Id): LiveRecord {
  return { id, owner, type, ttl, data };
}

function soaOf(name: Name, { ttl, minimum }: { readonly ttl: number; readonly minimum: number }): DesiredRecord {
  const [primary] = unsetNameservers;
  const times = { serial: 1, refresh: 14_400, retry: 14_400, expire: 1_209_600, minimum };
  return { owner: name, type: "SOA", ttl, data: { mname: primary, rname: primary, ...times } };
}

/** A CNAME stands alone (RFC 1034 §3.6.2). */
function refuseInvalid(records: readonly LiveRecord[]): void {
  const names = new Map<NameKey, { count: number; hasAlias: boolean }>();
  for (const { owner, type } of records) {
    const key = nameKey(owner);
    const { count, hasAlias } = names.get(key) ?? { count: 0, hasAlias: false };
    names.set(key, { count: count + 1, hasAlias: hasAlias || type === "CNAME" });
  }
  for (const [owner, { count, hasAlias }] of names)
    if (hasAlias && count > 1) throw new MemoryError("invalid", `${owner} has a CNAME and other records`);
}

/** The zone with a TTL on each record, and its SOA record if it has none; empty while it is disabled. */
function zoneFileOf({ name, settings, defaultTimes, records }: StoredZone): string {
  if (settings.status === "disabled") return "";
  const ttl = settings.ttl_sec || defaultTimes.ttl_sec;
  const hasSoa = records.some(({ type }) => type === "SOA");
  const all: readonly DesiredRecord[] = hasSoa ? records : [soaOf(name, { ttl, minimum: ttl }), ...records];
  return all.map((record) => `${record.owner} ${record.ttl ?? ttl} IN ${record.type} ${rdataText(record)}\n`).join("");
}

/** A zone as the service stores it. */
function accept(
  zone: Zone,
  capabilities: Capabilities,
  { leastTtl, defaultTtl }: { readonly leastTtl: number; readonly defaultTtl: number },
): Accepted {
  return acceptPlain(zone, capabilities, {
    defaultTtl,
    store(record) {
      const { owner, ttl } = record;
      if (ttl === undefined || ttl >= leastTtl) return { record };
      const summary = `${owner} has the TTL ${ttl}, which is stored as ${leastTtl}`;
      return { record: copyRecord(record, { ttl: leastTtl }), problem: problem("ttl-rounded", summary) };
    },
  });
}
