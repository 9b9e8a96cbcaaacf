import pMap from "p-map";
import { type ProblemError, problemError } from "../../../diagnostics/problem.ts";
import type { CompiledZone } from "../../../dns/compiled/compiled-zone.ts";
import { isOvergrown } from "../../../dns/compiled/zone-compiler.ts";
import type { ZoneVersions } from "../../../dns/compiled/zone-difference.ts";
import { plainAddress } from "../../../dns/name/address.ts";
import { ancestors, type Name, type NameKey, nameKey, parent } from "../../../dns/name/name.ts";
import { toStoredName } from "../../areas/domains/lookups.ts";
import { isRenderingDue, readRendered } from "../../areas/domains/rendering.ts";
import {
  findOldestChange,
  listActiveNames,
  listServed,
  listTransferred,
  listWaiting,
  type ServedRow,
  type VersionRow,
} from "../../areas/domains/served-rows.ts";
import { readTransferredLines } from "../../areas/zones/slaves-rows.ts";
import { type ComparisonLimits, readChange, readVersion } from "../../areas/zones/zone-version.ts";
import type { PublicContext, Settings } from "../../entities/context.ts";
import { FairLimiter } from "../../kit/fair-limiter.ts";
import { parseTimestamp, timestamp } from "../../kit/timestamp.ts";
import type { StoreVersion } from "../../store/driver.ts";
import { inTime, type Wait, waitForTimer } from "../../store/in-time.ts";
import type { Database } from "../../store/tables.ts";
import { type LoadedZone, loadChanged, loadLines, loadRows, loadVersions } from "./load-zone.ts";
import { type ServedZone, ZonesByName } from "./served-zones.ts";
import { lost, StoreWatch } from "./store-watch.ts";
import { StuckZones } from "./stuck-zones.ts";
import { VersionReader } from "./version-reader.ts";
import { type CacheLimits, ZoneCache } from "./zone-cache.ts";

/** A zone and the addresses that may transfer it. */
export interface TransferableZone {
  readonly zone: CompiledZone;
  readonly axfrIps: readonly string[];
}

/** Whether a client may transfer a zone with these `axfr_ips`; resolves when it is its turn. */
export type Admit = (axfrIps: readonly string[]) => Promise<boolean>;

export interface StoreZoneVersion {
  readonly name: NameKey;
  readonly serial: number;
}

/** `recent` accepts the previous version of a slave zone while the current one takes long to load. */
export type WantedVersion = "current" | "recent";

/** The zones that need no read while the store is in one version. */
export interface KnownZones {
  /** See `StoreWatch`. */
  version(): StoreVersion | Promise<StoreVersion>;
  /**
   * The zone that answers for a lower-case name without the final dot, `none` if it is not ours; undefined if that is
   * not known, or if a newer version of the zone has to be loaded. While the store is `lost`, the last known one.
   */
  find(key: string, version: StoreVersion): ServedZone | "none" | undefined;
}

/** The zones that the name server answers from. */
export interface Zones {
  readonly known?: KnownZones;
  /** The two nearest zones at or above a name; `recent` by default. */
  findZones(name: Name, wanted?: WantedVersion): Promise<ZonesByName>;
  /**
   * The current zone of exactly this name; `unavailable` if it is ours, but was not transferred or cannot be served.
   * `admit` is called before the zone is loaded: undefined if it refuses, and `unavailable` after a load of a minute.
   */
  findTransferable(name: Name, admit?: Admit): Promise<TransferableZone | "unavailable" | undefined>;
  /**
   * The changed names of a zone of exactly this name since a serial; undefined if the changes are not known, or exceed
   * the limits.
   */
  findVersions?(name: Name, serial: number, limits?: ComparisonLimits): Promise<ZoneVersions | undefined>;
  /** The current versions of all zones that have secondaries. */
  listTransferred(): Promise<readonly StoreZoneVersion[]>;
  /** The names of all zones, also of those that cannot be served at present. */
  listNames?(db: Database): Promise<readonly NameKey[]>;
  /** Whether an address was in the `axfr_ips` of a zone when they were last listed. */
  hasSecondary?(address: string): boolean;
}

interface CachedZone {
  readonly version: string;
  /** See `identityOf`; the domain may have another one meanwhile. */
  readonly identity: string;
  readonly zone: ServedZone;
}

/** A zone that is being loaded; loads are numbered in the order in which they began. */
interface Load {
  readonly number: number;
  readonly zone: Promise<ServedZone | undefined>;
}

interface StoredZonesOptions {
  /** Whether every zone has secondaries: the operator's own. */
  readonly isAllTransferred?: boolean;
  /**
   * Called once for each version of a zone that cannot be served, and when a zone cannot be loaded to list its version;
   * by default it is written to standard error.
   */
  readonly onError?: (error: unknown) => void;
  /** 10,000 zones and 128 MiB by default. */
  readonly cacheLimits?: Partial<CacheLimits> | undefined;
  readonly waitForCurrent?: Wait;
  readonly stuck?: StuckZones;
}

const defaultLimits: CacheLimits = { zones: 10_000, octets: 2 ** 27 };
/** Octets of a zone's objects beside its records. */
const octetsOfZone = 2000;

/** Zones that are loaded at once, of all and of one type: a master zone does not wait for large slave zones. */
const loadsAtOnce = { all: 3, ofType: 2 };

/**
 * Time that a query waits for the current version of a zone, in milliseconds. Longer than that a master zone has no
 * answer, as its previous version may lack a change that the API has confirmed; many clients give up after five
 * seconds. A slave zone, which is as its masters sent it some time ago, is answered from its previous version. A
 * transfer waits as long as a slave zone of a million records may take. The list of transferred zones has the previous
 * serials of those that take longer.
 */
const longestWaitMs = { master: 4000, slave: 100, transfer: 60_000, list: 500 };

/** Comparisons of versions that wait. Further secondaries get whole zones, so that none makes others wait for long. */
const mostComparisons = 100;

/**
 * The zones of the store, as rendered. Each query is answered from a version that was current when it arrived, so that
 * it does not matter which of several servers made a change. The rows of zones are read again only after something in
 * the store has changed, and a zone is loaded again only after it has changed, once however many queries need it. While
 * the database does not answer, queries are answered from the zones that were loaded before.
 */
export class StoredZones implements Zones {
  readonly #settings: Settings;
  readonly #clock: () => Date;
  readonly #cache: ZoneCache<number, CachedZone>;
  readonly #isAllTransferred: boolean;
  readonly #onError: (error: unknown) => void;
  readonly #waitForCurrent: Wait;
  readonly #watch: StoreWatch;
  readonly #stuck: StuckZones;
  readonly #versions: VersionReader<ServedRow>;
  /** The zones that are being loaded, by the ids of their domains. */
  readonly #loads = new Map<number, Load>();
  #begun = 0;
  readonly #loading = new FairLimiter(loadsAtOnce.all, loadsAtOnce.ofType);
  #axfrIps: ReadonlySet<string> = new Set();
  readonly #comparing = new FairLimiter(1, 1, { all: mostComparisons, ofOne: mostComparisons });

  constructor(settings: Settings, clock: () => Date, options: StoredZonesOptions = {}) {
    this.#settings = settings;
    this.#clock = clock;
    this.#isAllTransferred = options.isAllTransferred ?? false;
    this.#onError = options.onError ?? console.error;
    this.#cache = new ZoneCache({ ...defaultLimits, ...options.cacheLimits });
    this.#waitForCurrent = options.waitForCurrent ?? waitForTimer;
    this.#watch = new StoreWatch(settings.store, this.#waitForCurrent);
    this.#stuck = options.stuck ?? new StuckZones();
    this.#versions = new VersionReader(settings.store, async (db, names) => {
      const rows = await listServed(db, names);
      return new Map(rows.map((row) => [row.domain_key, row]));
    });
  }

  readonly known: KnownZones = {
    version: () => this.#watch.version(),
    find: (key, version) => this.#findKnown(key, version),
  };

  /** The zones in memory and their octets. */
  get load(): CacheLimits {
    return this.#cache.load;
  }

  /**
   * The age of the oldest change that is not served yet, in milliseconds; 0 if there is none. A change is served from
   * the end of its render delay on, because a question for its zone renders it. So later it counts only if the zone is
   * stuck, or has secondaries, for which it is rendered without a question.
   */
  async ageOfOldestChange(): Promise<number> {
    const { store, renderDelay } = this.#settings;
    const now = this.#clock();
    const isDelayedAfter = timestamp(new Date(now.getTime() - renderDelay * 1000));
    const [areAllTransferred, stuck] = [this.#isAllTransferred, this.#stuck.list()];
    const changed = await store.read((db) => findOldestChange(db, { isDelayedAfter, areAllTransferred, stuck }), {
      isSingle: true,
    });
    return changed === undefined ? 0 : Math.max(0, now.getTime() - parseTimestamp(changed).getTime());
  }

  async findZones(name: Name, wanted: WantedVersion = "recent"): Promise<ZonesByName> {
    const asked = this.#begun;
    const version = await this.#watch.version();
    if (version === lost && this.#findRow(keyOf(name), version) === undefined)
      return new ZonesByName([], [nameKey(name)]);
    const rows = await this.#rows([name, ...ancestors(parent(name))], version);
    const nearest = rows.sort((a, b) => b.domain_key.length - a.domain_key.length).slice(0, 2);
    const zones = await Promise.all(
      nearest.map((row) => (version === lost ? this.#loaded(row) : this.#zoneInTime(row, asked, wanted))),
    );
    const unavailable = nearest.filter((_, index) => zones[index] === "unavailable");
    return new ZonesByName(
      zones.filter((zone) => zone !== undefined && zone !== "unavailable"),
      unavailable.map(zoneName),
    );
  }

  async findTransferable(name: Name, admit?: Admit): Promise<TransferableZone | "unavailable" | undefined> {
    const asked = this.#begun;
    const version = await this.#watch.version();
    const [row] = await this.#rows([name], version);
    if (row === undefined) return version === lost ? "unavailable" : undefined;
    const axfrIps = JSON.parse(row.axfr_ips) as string[];
    if (admit && !(await admit(axfrIps))) return undefined;
    const load = version === lost ? this.#loaded(row) : this.#zone(row, asked);
    const ms = longestWaitMs.transfer;
    const zone = await (admit ? inTime(load, ms, "unavailable" as const, this.#waitForCurrent) : load);
    return zone === undefined || zone === "unavailable" ? zone : { zone, axfrIps };
  }

  async findVersions(name: Name, serial: number, limits?: ComparisonLimits): Promise<ZoneVersions | undefined> {
    const find = async (db: Database) => (await listServed(db, [keyOf(name)]))[0];
    // A slave keeps the journal of the time when it was a master.
    const read = async (db: Database, row: ServedRow) =>
      row.type === "master" ? readChange(db, row, serial, limits) : undefined;
    const owner = nameKey(name);
    if (this.#comparing.isFull(owner)) return undefined;
    return this.#comparing.run(owner, async () => {
      const change = await readRendered(find, this.#context(), read);
      return change && loadVersions(change);
    });
  }

  async listTransferred(): Promise<StoreZoneVersion[]> {
    const { store, renderDelay, waits } = this.#settings;
    const { waiting, rows } = await store.read(async (db) => ({
      waiting: renderDelay > 0 ? await listWaiting(db) : [],
      rows: await listTransferred(db, this.#isAllTransferred),
    }));
    // The name server calls this every second: so the waits of changes by other servers begin, too.
    for (const row of waiting) waits.isOver(row, this.#clock);
    const lists = new Set(rows.map(({ axfr_ips }) => axfr_ips)); // most zones share one
    this.#axfrIps = new Set([...lists].flatMap((list) => JSON.parse(list) as string[]).map(plainAddress));
    // A load that takes long delays the NOTIFY of no other zone.
    let isLate = false;
    const over = new AbortController();
    const late = this.#waitForCurrent(longestWaitMs.list, over.signal).then(() => {
      isLate = true;
    });
    const versions = await pMap(rows, (row) => (isLate ? this.#lastVersion(row) : this.#version(row, late)), {
      concurrency: 4,
    }).finally(() => over.abort());
    return versions.filter((version) => version !== undefined);
  }

  /** Loads the zones again that are stuck. They stay so while the database does not answer, whatever is in memory. */
  retryStuck(): Promise<void> {
    return this.#stuck.retry(async (name) => {
      const version = await this.#watch.version();
      if (version === lost) return false;
      const [row] = await this.#rows([toStoredName(name)], version);
      if (row) await this.#zone(row, this.#begun);
      return true;
    });
  }

  async listNames(db: Database): Promise<readonly NameKey[]> {
    return (await listActiveNames(db)).map((name) => nameKey(toStoredName(name)));
  }

  hasSecondary(address: string): boolean {
    return this.#axfrIps.has(address);
  }

  /** The current version; the last one if the zone cannot be loaded, or not in time. */
  async #version(row: VersionRow, late: Promise<void>): Promise<StoreZoneVersion | undefined> {
    const last = this.#lastVersion(row);
    if (row.type === "slave" || !this.#isDue(row)) return last;
    const name = zoneName(row);
    const load = async () => {
      const found = await this.findTransferable(name);
      return found && found !== "unavailable" ? { name, serial: found.zone.soa.data.serial } : undefined;
    };
    const keepLast = (error: unknown) => {
      this.#onError(error);
      return last;
    };
    return Promise.race([load().catch(keepLast), late.then(() => last)]);
  }

  #lastVersion(row: VersionRow): StoreZoneVersion | undefined {
    const serial = row.type === "master" ? row.serial : this.#isValid(row) ? row.slave_serial : null;
    return serial === null ? undefined : { name: zoneName(row), serial };
  }

  async #rows(names: readonly Name[], version: StoreVersion): Promise<ServedRow[]> {
    const keys = names.filter((name) => name !== ".").map(keyOf);
    if (keys.length === 0) return [];
    const rows = version === lost ? undefined : await this.#versions.find(keys, version);
    return keys
      .map((key) => (rows ? rows.get(key) : this.#versions.lastKnown(key)?.row))
      .filter((row) => row !== undefined);
  }

  #findKnown(key: string, version: StoreVersion): ServedZone | "none" | undefined {
    const row = this.#findRow(key, version);
    if (version === lost) return row === "none" ? row : row === undefined ? "unavailable" : this.#loaded(row);
    return row === undefined || row === "none" ? row : this.#cached(row);
  }

  /** The row of the nearest zone at or above a name, as far as it is known in a version of the store. */
  #findRow(key: string, version: StoreVersion): ServedRow | "none" | undefined {
    let isUnknown = false;
    for (let from = 0; from < key.length; from = key.indexOf(".", from) + 1 || key.length) {
      const part = from === 0 ? key : key.slice(from);
      const known = version === lost ? this.#versions.lastKnown(part) : this.#versions.known(part, version);
      if (known === undefined) isUnknown = true;
      // No other zone is between the name and one without zones below it.
      else if (known.row !== undefined) return isUnknown && known.row.has_below ? undefined : known.row;
    }
    return isUnknown ? undefined : "none";
  }

  /** The zone in memory, if it needs no rendering and is current. */
  #cached(row: ServedRow): ServedZone | undefined {
    if (row.type === "slave" && !this.#isValid(row)) {
      this.#cache.delete(row.id); // nor is it the previous version of the next transfer
      return "unavailable";
    }
    const cached = this.#cache.get(row.id);
    const isDue = row.type === "master" && this.#isDue(row);
    return cached?.version === versionOf(row) && !isDue ? cached.zone : undefined;
  }

  /** The zone in memory, in whichever version. */
  #loaded(row: ServedRow): ServedZone {
    const cached = this.#cache.get(row.id);
    const isValid = row.type === "master" || this.#isValid(row);
    return cached?.identity === identityOf(row) && isValid ? cached.zone : "unavailable";
  }

  /** The current zone, unless it takes too long to load; see `longestWaitMs`. */
  async #zoneInTime(row: ServedRow, asked: number, wanted: WantedVersion): Promise<ServedZone | undefined> {
    const current = this.#cached(row);
    if (current) return current;
    const previous = row.type === "slave" && wanted === "recent" ? this.#loaded(row) : "unavailable";
    const ms = previous === "unavailable" ? longestWaitMs.master : longestWaitMs.slave;
    return inTime(this.#zone(row, asked), ms, previous, this.#waitForCurrent);
  }

  /**
   * Undefined for a zone that was never rendered. `asked` is the number of the last load that began before the query:
   * its result may be older than the query, so the version is compared again.
   */
  async #zone(row: ServedRow, asked: number): Promise<ServedZone | undefined> {
    const current = this.#cached(row);
    if (current) return current;
    const { number, zone } = this.#loads.get(row.id) ?? this.#begin(row);
    const loaded = await zone;
    if (number > asked) return loaded;
    const again = this.#begun;
    const [now] = await this.#rows([zoneName(row)], await this.#watch.version());
    return now && this.#zone(now, again);
  }

  #begin(row: ServedRow): Load {
    const load = () => this.#stuck.watch(row.domain_key, () => this.#load(row));
    const zone = this.#loading.run(row.type, load).finally(() => this.#loads.delete(row.id));
    const begun = { number: ++this.#begun, zone };
    this.#loads.set(row.id, begun);
    return begun;
  }

  async #load({ domain_key }: ServedRow): Promise<ServedZone | undefined> {
    const context = this.#context();
    const find = async (db: Database) => (await listServed(db, [domain_key]))[0];
    const load = await readRendered(find, context, (db, row) => this.#read(db, row));
    if (load === undefined) return undefined;
    const { row } = load;
    const loaded = await load.zone();
    if (loaded === undefined) return "unavailable";
    const own = "zone" in loaded ? loaded.zone : "unavailable";
    const zone = own !== "unavailable" && row.has_below ? own.aboveOthers() : own;
    if ("error" in loaded) this.#onError(unservedError(row.domain, loaded.error));
    const octets = zone === "unavailable" ? 0 : octetsOfZone + zone.octets;
    this.#cache.set(row.id, { zone, identity: identityOf(row), version: versionOf(row) }, octets);
    return zone;
  }

  async #read(db: Database, row: ServedRow): Promise<StoredZone | undefined> {
    if (row.type === "slave") {
      const lines = await readTransferredLines(db, row, timestamp(this.#clock()));
      return { row, zone: async () => (lines.length === 0 ? undefined : loadLines(row.domain, lines)) };
    }
    const base = this.#base(row);
    const change = base && (await readChange(db, row, base.soa.data.serial));
    if (base && change) return { row, zone: () => loadChanged(base, change) };
    const version = await readVersion(db, row);
    return version && { row, zone: () => loadRows(version) };
  }

  /** The zone in memory, if it is an earlier version to which changes can be applied. */
  #base(row: ServedRow): CompiledZone | undefined {
    const cached = this.#cache.get(row.id);
    if (cached === undefined || cached.zone === "unavailable" || isOvergrown(cached.zone)) return undefined;
    const isOfMaster = cached.version === versionOf({ ...row, serial: cached.zone.soa.data.serial });
    return isOfMaster ? cached.zone : undefined;
  }

  /** Whether a slave zone was transferred and has not expired. */
  #isValid({ expires }: VersionRow): boolean {
    return expires !== null && parseTimestamp(expires) > this.#clock();
  }

  #isDue(row: VersionRow): boolean {
    return isRenderingDue(row, row.name_servers, this.#settings, this.#clock);
  }

  #context(): PublicContext {
    return { ...this.#settings, now: this.#clock() };
  }
}

/**
 * A zone that was read from the store; `zone` loads it outside of the transaction, undefined if it was never
 * transferred.
 */
interface StoredZone {
  readonly row: ServedRow;
  zone(): Promise<LoadedZone | undefined>;
}

/** A name as the rows of domains have it: in lower case, without the final dot. */
function keyOf(name: Name): string {
  return nameKey(name).slice(0, -1);
}

/**
 * A record that cannot be served makes the whole zone unavailable, as name servers refuse to load such a file: without
 * the record, the zone would say that the name does not exist, and secondaries and resolvers would cache that.
 */
function unservedError(domain: string, reason: string): ProblemError {
  const summary = `the zone ${domain} cannot be served and is answered with SERVFAIL: ${reason}`;
  return problemError("zone-unserved", summary, { fix: "Shorten or remove that record." });
}

/** Identifies a version of a domain's zone, and whether it is above others. */
function versionOf(row: ServedRow): string {
  const version = row.type === "master" ? row.serial : `${row.slave_serial} of ${row.transferred}`;
  return `${identityOf(row)} ${row.has_below ? "above others " : ""}${version}`;
}

/** Differs for versions of a domain's zone of which none may be answered for another. */
function identityOf({ type, domain_key }: ServedRow): string {
  return `${type} ${domain_key}`;
}

function zoneName({ domain_key }: Pick<ServedRow, "domain_key">): NameKey {
  return nameKey(toStoredName(domain_key));
}
