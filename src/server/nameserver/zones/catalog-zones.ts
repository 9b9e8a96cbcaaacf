import { createHash } from "node:crypto";
import type { CompiledZone } from "../../../dns/compiled/compiled-zone.ts";
import { isOvergrown, ZoneCompiler } from "../../../dns/compiled/zone-compiler.ts";
import type { ZoneVersions } from "../../../dns/compiled/zone-difference.ts";
import { isInside, type Name, type NameKey, nameKey, withoutDot } from "../../../dns/name/name.ts";
import { catalogHead, catalogMember, memberRecords } from "../../../dns/zone/catalog-zone.ts";
import { isType } from "../../../dns/zone/zone.ts";
import { lockReverseZone, serialsOfReverseZones } from "../../areas/zones/reverse-zones-rows.ts";
import { nextSerial, reverseSerial } from "../../areas/zones/serial.ts";
import type { ComparisonLimits } from "../../areas/zones/zone-version.ts";
import type { Settings } from "../../entities/context.ts";
import type { StoreVersion } from "../../store/driver.ts";
import { TimeSlice, yieldToEventLoop } from "../../store/event-loop.ts";
import { findRow, updateRows } from "../../store/rows.ts";
import type { Database } from "../../store/tables.ts";
import { compile } from "./load-zone.ts";
import type { ZonesByName } from "./served-zones.ts";
import { lost } from "./store-watch.ts";
import type { Admit, KnownZones, StoreZoneVersion, TransferableZone, WantedVersion, Zones } from "./stored-zones.ts";

/** A version of the catalog: its members, and the zone. */
interface Version {
  readonly store: StoreVersion;
  readonly digest: string;
  readonly members: ReadonlySet<NameKey>;
  readonly zone: CompiledZone;
}

/** Earlier versions that are kept for incremental transfers. */
const mostVersions = 20;

/** The cost of a member, in nanoseconds. */
const memberCost = 20_000;

/**
 * Zones of other kinds, and the catalog zone that lists all of them (RFC 9432), by which secondaries learn new ones. It
 * takes the place of a domain of the same name: its user would choose the zones of all secondaries. Only those who may
 * transfer every zone may transfer it.
 */
export class CatalogZones implements Zones {
  readonly known?: KnownZones;
  readonly #others: Zones;
  readonly #settings: Settings;
  readonly #clock: () => Date;
  readonly #apex: NameKey;
  #last: Version | undefined;
  #reading: Promise<CompiledZone | undefined> | undefined;
  /** Versions by serial, of which each shares its memory with the last one. */
  readonly #versions = new Map<number, CompiledZone>();

  constructor(others: Zones, settings: Settings, clock: () => Date, catalog: Name) {
    this.#others = others;
    this.#settings = settings;
    this.#clock = clock;
    this.#apex = nameKey(catalog);
    const { known } = others;
    const isOwn = (key: string) => isInside(`${key}.` as NameKey, this.#apex);
    if (known) this.known = { ...known, find: (key, version) => (isOwn(key) ? undefined : known.find(key, version)) };
  }

  async findZones(name: Name, wanted?: WantedVersion): Promise<ZonesByName> {
    const around = await this.#others.findZones(name, wanted);
    if (!isInside(name, this.#apex)) return around;
    return around.withOwn(this.#apex, (await this.#current()) ?? "unavailable");
  }

  async findTransferable(name: Name, admit?: Admit): Promise<TransferableZone | "unavailable" | undefined> {
    if (nameKey(name) !== this.#apex) return this.#others.findTransferable(name, admit);
    if ((await admit?.([])) === false) return undefined;
    const zone = await this.#current();
    return zone ? { zone, axfrIps: [] } : "unavailable";
  }

  async findVersions(name: Name, serial: number, limits?: ComparisonLimits): Promise<ZoneVersions | undefined> {
    if (nameKey(name) !== this.#apex) return this.#others.findVersions?.(name, serial, limits);
    const after = await this.#current();
    const before = this.#versions.get(serial);
    return before && after && { before, after };
  }

  async listTransferred(): Promise<readonly StoreZoneVersion[]> {
    const others = (await this.#others.listTransferred()).filter(({ name }) => name !== this.#apex);
    const zone = await this.#current();
    return zone ? [...others, { name: this.#apex, serial: zone.soa.data.serial }] : others;
  }

  hasSecondary(address: string): boolean {
    return this.#others.hasSecondary?.(address) ?? false;
  }

  async listNames(db: Database): Promise<readonly NameKey[]> {
    return (await this.#others.listNames?.(db)) ?? [];
  }

  /** The catalog of the current version of the store; the last known one while the store does not answer. */
  async #current(): Promise<CompiledZone | undefined> {
    const store = (await this.#others.known?.version()) ?? Symbol();
    if (store === lost || store === this.#last?.store) return this.#last?.zone;
    const reading = this.#reading?.then(() => this.#read(store)) ?? this.#read(store);
    this.#reading = reading;
    return reading.finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
  }

  async #read(store: StoreVersion): Promise<CompiledZone | undefined> {
    if (store === this.#last?.store) return this.#last.zone;
    const members = await this.#settings.store.read((db) => this.#members(db));
    const digest = digestOf(members);
    if (this.#last?.digest === digest) {
      this.#last = { ...this.#last, store };
      return this.#last.zone;
    }
    const saved = await this.#save(members, digest);
    const zone = await this.#compile(saved.members, saved.serial);
    this.#last = { store, digest: saved.digest, members: saved.members, zone };
    return zone;
  }

  async #members(db: Database): Promise<ReadonlySet<NameKey>> {
    const names = new Set(await this.listNames(db));
    names.delete(this.#apex);
    return new Set([...names].sort());
  }

  /**
   * The serial of a catalog with these members. A new one is chosen where the row of the catalog is locked and the
   * members are read again: of two servers, the later one must not list the members of an earlier moment.
   */
  async #save(members: ReadonlySet<NameKey>, digest: string) {
    const name = withoutDot(this.#apex);
    const { store } = this.#settings;
    const stored = await store.read((db) => findRow(db, "reverse_zones", { name }));
    if (stored?.settings === digest && stored.serial > 0) return { members, digest, serial: stored.serial };
    return store.write(async (db) => {
      await lockReverseZone(db, name);
      const now = await this.#members(db);
      const row = await findRow(db, "reverse_zones", { name });
      const last = reverseSerial(await serialsOfReverseZones(db, name));
      if (row?.settings === digestOf(now) && last !== undefined)
        return { members: now, digest: digestOf(now), serial: last };
      const serial = nextSerial(last, this.#clock());
      await updateRows(db, "reverse_zones", { name }, { serial, settings: digestOf(now) });
      return { members: now, digest: digestOf(now), serial };
    });
  }

  /** Compiles a version from the one before, as far as they are the same. */
  async #compile(members: ReadonlySet<NameKey>, serial: number): Promise<CompiledZone> {
    const [first, ...head] = catalogHead(this.#apex);
    if (first === undefined || !isType(first, "SOA")) throw new Error("a catalog without an SOA record");
    const base = this.#last && !isOvergrown(this.#last.zone) ? this.#last : undefined;
    const compiler = new ZoneCompiler({ ...first, data: { ...first.data, serial } }, 0, base?.zone);
    // The records of the apex replace those of the version before.
    for (const record of head) if (!base || record.owner === first.owner) compiler.add(record);
    const budget = new TimeSlice();
    const known = base?.members ?? new Set();
    for (const zone of new Set([...known, ...members])) {
      if (known.has(zone) && members.has(zone)) continue;
      const member = catalogMember(this.#apex, zone);
      compiler.replace(member.owner);
      if (members.has(zone)) for (const record of memberRecords(member)) compiler.add(record);
      if (budget.isSpent(memberCost)) await yieldToEventLoop();
    }
    const zone = await compile(compiler);
    this.#keep(zone, base !== undefined);
    return zone;
  }

  #keep(zone: CompiledZone, isShared: boolean): void {
    if (!isShared) this.#versions.clear();
    this.#versions.set(zone.soa.data.serial, zone);
    for (const serial of this.#versions.keys()) {
      if (this.#versions.size <= mostVersions) break;
      this.#versions.delete(serial);
    }
  }
}

function digestOf(members: Iterable<NameKey>): string {
  return createHash("sha256")
    .update([...members].join("\n"))
    .digest("hex");
}
