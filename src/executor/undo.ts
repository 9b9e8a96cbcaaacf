import { isSameName, type Name, type NameKey, nameKey } from "../dns/name/name.ts";
import type { DesiredRecord, DesiredZone, Id, LiveRecord, LiveZone } from "../dns/zone/desired-live.ts";
import { isType } from "../dns/zone/zone.ts";
import { defaultTimes, type SettingValue, type ZoneSettings } from "../dns/zone/zone-settings.ts";
import { groupBy } from "../group-by.ts";
import { lossesText } from "../planner/changes/zone-losses.ts";
import type { Capabilities } from "../targets/target.ts";
import { withoutSerial } from "../targets/without-serial.ts";
import { recordText } from "./journal/apply-problems.ts";
import type { JournalLine, JournalLineOf, JournalRecord } from "./journal/journal-line.ts";
import { type RunWrite, writesOfRun } from "./journal/runs.ts";
import { isSame } from "./write/compare-live.ts";

export interface RunInverse {
  /** The desired zones: the live ones, with those writes of the run reverted that are still in place. */
  readonly desired: readonly DesiredZone[];
  /** Writes that are not undone, each with its reason, as a line of text. */
  readonly left: readonly string[];
}

/** Zones of which a note of the service tells more, such as that a file of theirs is written and not loaded. */
interface NotedZones {
  readonly noted?: ReadonlySet<NameKey>;
}

const none: ReadonlySet<NameKey> = new Set();

/**
 * Computes the inverse of a run against the live zones (three-way): data that still equals what the run wrote gets its
 * earlier value; everything else is kept. The live zones show whether a write without a reply took effect.
 */
export function invertRun(
  lines: readonly JournalLine[],
  live: ReadonlyMap<NameKey, LiveZone>,
  { settings, ids, serial, noted = none }: Pick<Capabilities, "settings" | "ids" | "serial"> & NotedZones,
): RunInverse {
  const left: string[] = [];
  const writes = writesOfRun(lines).reverse();
  // What a failed write left is written over, also without a change of records.
  const zones = new Map(
    writtenZones(writes, live, noted).map((stored) => [
      nameKey(stored.name),
      new ZoneInverse(stored, left, { ids, serial }),
    ]),
  );
  const gone = new Set(noted);
  const restored: DesiredZone[] = [];
  for (const write of writes.filter(({ state }) => state === "done" || state === "open")) {
    const name = nameKey(write.zone);
    const stored = live.get(name);
    if (write.step === "delete-zone") {
      const zone = revertDeletion(write, stored, { left, serial });
      if (zone) restored.push({ ...zone, defaultTimes: defaultTimes(settings) });
      continue;
    }
    if (stored) {
      const zone = zones.get(name) ?? new ZoneInverse(stored, left, { ids, serial });
      zones.set(name, zone);
      if (write.intent) zone.addWrite(write, write.intent);
    } else if (write.state === "done" && !gone.has(name)) {
      left.push(`${withoutDot(write.zone)}: the zone no longer exists`);
      gone.add(name);
    }
  }
  return { desired: [...[...zones.values()].map((zone) => zone.toDesired()), ...restored], left };
}

/** The live zones among some that a run wrote to, or tried to. */
function writtenZones(
  writes: readonly RunWrite[],
  live: ReadonlyMap<NameKey, LiveZone>,
  among: ReadonlySet<NameKey>,
): LiveZone[] {
  const names = new Set(writes.map(({ zone }) => nameKey(zone)));
  return [...names].flatMap((name) => (among.has(name) ? (live.get(name) ?? []) : []));
}

/** The zone that a run deleted, unless it exists again. */
function revertDeletion(
  { zone, state, intent }: RunWrite,
  stored: LiveZone | undefined,
  { left, serial }: { readonly left: string[]; readonly serial: Capabilities["serial"] },
): ReturnType<typeof restoreZone> | undefined {
  if (stored) {
    if (state === "done") left.push(`${withoutDot(zone)}: the zone exists again`);
    return undefined;
  }
  left.push(
    `${withoutDot(zone)}: it was deleted; it is created again from the journal of the run${withoutText(intent)}`,
  );
  return intent && restoreZone(zone, intent, serial);
}

/** The losses of a restored zone, and the next step. */
function withoutText({ losses = {} }: Partial<JournalLineOf<"intent">> = {}): string {
  const text = lossesText(losses);
  if (text === "") return "";
  const advice = "sign it again and replace its DS records at the parent, or remove them, because resolvers reject it";
  return `, without ${text}${losses.isSigned ? `: ${advice}` : ""}`;
}

/** A deleted zone, restored from the journal. */
function restoreZone(
  name: Name,
  { records = [], settings = [], serial: formerSerial }: JournalLineOf<"intent">,
  serial: Capabilities["serial"],
): Omit<DesiredZone, "defaultTimes"> {
  const settingsBefore = Object.fromEntries(settings.map(({ name, before }) => [name, before])) as LiveZone["settings"];
  return {
    name,
    settings: settingsBefore,
    ...(formerSerial !== undefined && { formerSerial }),
    otherTimes: {},
    records: records.flatMap(({ before }) =>
      before && (before.type !== "SOA" || serial === "ours") ? [withoutSerial(toDesired(before))] : [],
    ),
  };
}

/** The inverse of a run for one zone. */
class ZoneInverse {
  readonly #live: LiveZone;
  readonly #left: string[];
  readonly #capabilities: Pick<Capabilities, "ids" | "serial">;
  readonly #stored: ReadonlyMap<Id, LiveRecord>;
  readonly #storedByOwner: ReadonlyMap<NameKey, readonly LiveRecord[]>;
  readonly #records: Map<Id, DesiredRecord>;
  /** Records that the run deleted. */
  readonly #deleted: DesiredRecord[] = [];
  readonly #settings: Record<string, SettingValue | undefined> = {};
  #isNew = false;
  #wroteSoa = false;

  constructor(live: LiveZone, left: string[], capabilities: Pick<Capabilities, "ids" | "serial">) {
    this.#live = live;
    this.#left = left;
    this.#capabilities = capabilities;
    this.#stored = new Map(live.records.map((record) => [record.id, record]));
    this.#storedByOwner = groupByOwner(live.records);
    this.#records = new Map(this.#stored);
  }

  addWrite(write: RunWrite, { records, settings = [] }: JournalLineOf<"intent">): void {
    if (write.step === "zone") {
      this.#isNew = true;
      this.#left.push(`${withoutDot(write.zone)}: this run created the zone: undo deletes its records, not the zone`);
    }
    const record = records?.[write.write];
    if ((record?.after ?? record?.before)?.type === "SOA") this.#wroteSoa = true;
    if (record) this.#addRecord(write, record);
    for (const { name, before, after } of settings) {
      const now = this.#live.settings[name];
      if (isEqual(now, after)) this.#settings[name] = before as SettingValue | undefined;
      else if (write.state === "done" || !isEqual(now, before))
        this.#left.push(`${withoutDot(write.zone)}: ${name} was changed after the run`);
    }
  }

  get #defaultTtl(): number {
    return this.#live.settings.ttl_sec || this.#live.defaultTimes.ttl_sec;
  }

  toDesired(): DesiredZone {
    const { name, settings, defaultTimes } = this.#live;
    const records = [...this.#records.values()];
    const byOwner = groupByOwner(records);
    for (const record of this.#deleted) if (this.#canRestore(record, byOwner)) records.push(record);
    records.push(...this.#neededServers());
    if (this.#isNew && records.length > 0 && this.#settings.status === "disabled") {
      delete this.#settings.status;
      this.#left.push(`${withoutDot(name)}: records were written to it after the run, so it is not disabled`);
    }
    return {
      name,
      settings: { ...settings, ...(this.#settings as ZoneSettings) },
      otherTimes: {},
      defaultTimes,
      records: records.flatMap((record) => (this.#isWritten(record) ? [withoutSerial(record)] : [])),
    };
  }

  /**
   * Without a write of the run, the SOA record is left alone, unless it has a serial: then the file that the run wrote
   * is not loaded, and is written again.
   */
  #isWritten(record: DesiredRecord): boolean {
    if (!isType(record, "SOA") || this.#wroteSoa) return true;
    return this.#capabilities.serial === "ours" && record.data.serial !== 0;
  }

  /** The name servers of a zone that the run created, without which no file of it can be loaded. */
  #neededServers(): readonly LiveRecord[] {
    if (!this.#isNew || this.#capabilities.serial !== "ours") return [];
    const { name, records } = this.#live;
    return records.filter(({ id, owner, type }) => type === "NS" && isSameName(owner, name) && !this.#records.has(id));
  }

  #addRecord(
    { id, state }: RunWrite,
    { before, after }: { before?: JournalRecord | undefined; after?: JournalRecord | undefined },
  ): void {
    const isOpen = state === "open";
    if (!after) {
      const isDeleted = !isOpen || before?.id === undefined || !this.#stored.has(before.id);
      if (before && isDeleted) this.#deleted.push(toDesired(before));
      return;
    }
    const wrote = toDesired(after);
    const recordId = this.#capabilities.ids === "content" ? undefined : (before?.id ?? id);
    const now = recordId === undefined ? this.#findCreated(wrote) : this.#stored.get(recordId);
    if (!now || !isSame(wrote, now, this.#defaultTtl)) {
      const former = before?.id === undefined ? now : this.#stored.get(before.id);
      const isUnwritten = isOpen && (before ? former && isSame(toDesired(before), former, this.#defaultTtl) : !now);
      if (!isUnwritten) this.#left.push(`${recordText(wrote)}: it was changed or deleted after the run`);
      return;
    }
    if (before) this.#records.set(now.id, toDesired(before));
    else this.#records.delete(now.id);
  }

  /** A written record whose id is unknown, because the reply was lost, or because the service has none. */
  #findCreated(wrote: DesiredRecord): LiveRecord | undefined {
    return this.#storedByOwner
      .get(nameKey(wrote.owner))
      ?.find((stored) => this.#records.get(stored.id) === stored && isSame(wrote, stored, this.#defaultTtl));
  }

  /** Whether no record at its name is equal or conflicts. Adds it to `byOwner` if so. */
  #canRestore(record: DesiredRecord, byOwner: Map<NameKey, DesiredRecord[]>): boolean {
    const owner = nameKey(record.owner);
    const sameName = byOwner.get(owner) ?? [];
    if (sameName.some((other) => isSame(record, other, this.#defaultTtl))) return false;
    if (sameName.some((other) => record.type === "CNAME" || other.type === "CNAME")) {
      this.#left.push(`${recordText(record)}: its name now has another record that conflicts with it`);
      return false;
    }
    byOwner.set(owner, [...sameName, record]);
    return true;
  }
}

function groupByOwner<R extends DesiredRecord>(records: readonly R[]): Map<NameKey, R[]> {
  return groupBy(records, ({ owner }) => nameKey(owner));
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function withoutDot(name: Name): string {
  return name.slice(0, -1);
}

/** A record of a journal, without its id. */
export function toDesired({
  owner,
  type,
  ttl,
  otherTtl,
  data,
}: JournalRecord): DesiredRecord & Partial<Pick<LiveRecord, "id">> {
  return { owner, type, ttl, data, ...(otherTtl !== undefined && { otherTtl }) };
}
