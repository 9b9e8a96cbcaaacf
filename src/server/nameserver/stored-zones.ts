import pMap from "p-map";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { CompiledZone } from "../../dns/compiled/compiled-zone.ts";
import { isOvergrown } from "../../dns/compiled/zone-compiler.ts";
import type { ZoneVersions } from "../../dns/compiled/zone-difference.ts";
import { ancestors, type Name, type NameKey, nameKey, parent } from "../../dns/name.ts";
import type { PublicContext, Settings } from "../kit/context.ts";
import { storedName } from "../kit/domains.ts";
import { FairLimiter } from "../kit/fair-limiter.ts";
import { isDue, readRendered } from "../kit/rendering.ts";
import { moment, timestamp } from "../kit/timestamp.ts";
import { type ComparisonLimits, readChange, readVersion } from "../kit/zone-version.ts";
import type { StoreVersion } from "../store/driver.ts";
import { listServed, listTransferred, listWaiting, type ServedRow, type VersionRow } from "../store/served.ts";
import * as slaves from "../store/slaves.ts";
import type { Database } from "../store/tables.ts";
import { type LoadedZone, loadChanged, loadLines, loadRows, loadVersions } from "./load-zone.ts";
import { type ServedZone, ServedZones } from "./served-zones.ts";
import { VersionReader } from "./version-reader.ts";
import { type CacheLimits, ZoneCache } from "./zone-cache.ts";

/** A zone and the addresses that may transfer it. */
export interface TransferableZone {
  readonly zone: CompiledZone;
  readonly axfrIps: readonly string[];
}

export interface ZoneVersion {
  readonly name: NameKey;
  readonly serial: number;
}

/** `recent` accepts the previous version of a zone while the current one takes long to load. */
export type WantedVersion = "current" | "recent";

/** The zones that need no read while the store is in one version. */
export interface KnownZones {
  /** See `Store.version`. */
  version(): StoreVersion | Promise<StoreVersion>;
  /**
   * The zone that answers for a lower-case name without the final dot, `none` if it is not ours; undefined if that is
   * not known, or if a newer version of the zone has to be loaded.
   */
  find(key: string, version: StoreVersion): ServedZone | "none" | undefined;
}

/** The zones that the name server answers from. */
export interface Zones {
  readonly known?: KnownZones;
  /** The two nearest zones at or above a name; `recent` by default. */
  findZones(name: Name, wanted?: WantedVersion): Promise<ServedZones>;
  /**
   * The current zone of exactly this name; `unavailable` if it is ours, but was not transferred or cannot be served.
   */
  findTransferable(name: Name): Promise<TransferableZone | "unavailable" | undefined>;
  /**
   * The changed names of a zone of exactly this name since a serial; undefined if the changes are not known, or exceed
   * the limits.
   */
  findVersions?(name: Name, serial: number, limits?: ComparisonLimits): Promise<ZoneVersions | undefined>;
  /** The current versions of all zones that have secondaries. */
  listTransferred(): Promise<readonly ZoneVersion[]>;
}

interface CachedZone {
  readonly version: string;
  /** `domain_key` of the domain when the zone was loaded. */
  readonly name: string;
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
  /** Called once for each version of a zone that cannot be served; by default it is written to standard error. */
  readonly onError?: (error: unknown) => void;
  /** 10,000 zones and 128 MiB by default. */
  readonly cacheLimits?: CacheLimits;
  /** Resolves when a query has waited long enough for a version that is being loaded; after 100 ms by default. */
  readonly waitForCurrent?: () => Promise<void>;
}

const usualLimits: CacheLimits = { zones: 10_000, octets: 2 ** 27 };
/** Octets of a zone's objects beside its records. */
const octetsOfZone = 2000;

/** Zones that are loaded at once, and the time that a query waits for one of them, in milliseconds. */
const loadsAtOnce = 2;
const longestWaitMs = 100;

/** Comparisons of versions that wait. Further secondaries get whole zones, so that none makes others wait for long. */
const mostComparisons = 100;

/**
 * The zones of the store, as rendered. Each query is answered from a version that was current when it arrived, so that
 * it does not matter which of several servers made a change. The rows of zones are read again only after something in
 * the store has changed, and a zone is loaded again only after it has changed, once however many queries need it. While
 * that takes long, queries are answered from the previous version.
 */
export class StoredZones implements Zones {
  readonly #settings: Settings;
  readonly #clock: () => Date;
  readonly #cache: ZoneCache<number, CachedZone>;
  readonly #isAllTransferred: boolean;
  readonly #onError: (error: unknown) => void;
  readonly #waitForCurrent: () => Promise<void>;
  readonly #versions: VersionReader<ServedRow>;
  /** The zones that are being loaded, by the ids of their domains. */
  readonly #loads = new Map<number, Load>();
  #begun = 0;
  readonly #loading = new FairLimiter(loadsAtOnce);
  readonly #comparing = new FairLimiter(1, 1, { all: mostComparisons, ofOne: mostComparisons });

  constructor(settings: Settings, clock: () => Date, options: StoredZonesOptions = {}) {
    this.#settings = settings;
    this.#clock = clock;
    this.#isAllTransferred = options.isAllTransferred ?? false;
    this.#onError = options.onError ?? console.error;
    this.#cache = new ZoneCache(options.cacheLimits ?? usualLimits);
    this.#waitForCurrent = options.waitForCurrent ?? waitBriefly;
    this.#versions = new VersionReader(settings.store, async (db, names) => {
      const rows = await listServed(db, names);
      return new Map(rows.map((row) => [row.domain_key, row]));
    });
  }

  readonly known: KnownZones = {
    version: () => this.#settings.store.version(),
    find: (key, version) => this.#findKnown(key, version),
  };

  async findZones(name: Name, wanted: WantedVersion = "recent"): Promise<ServedZones> {
    const asked = this.#begun;
    const rows = await this.#rows([name, ...ancestors(parent(name))]);
    const nearest = rows.sort((a, b) => b.domain_key.length - a.domain_key.length).slice(0, 2);
    const zones = await Promise.all(nearest.map((row) => this.#zone(row, asked, wanted)));
    const unavailable = nearest.filter((_, index) => zones[index] === "unavailable");
    return new ServedZones(
      zones.filter((zone) => zone !== undefined && zone !== "unavailable"),
      unavailable.map(zoneName),
    );
  }

  async findTransferable(name: Name): Promise<TransferableZone | "unavailable" | undefined> {
    const asked = this.#begun;
    const [row] = await this.#rows([name]);
    if (row === undefined) return undefined;
    const zone = await this.#zone(row, asked, "current");
    if (zone === undefined || zone === "unavailable") return zone;
    return { zone, axfrIps: JSON.parse(row.axfr_ips) as string[] };
  }

  async findVersions(name: Name, serial: number, limits?: ComparisonLimits): Promise<ZoneVersions | undefined> {
    const find = async (db: Database) => (await listServed(db, [nameKey(name).slice(0, -1)]))[0];
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

  async listTransferred(): Promise<ZoneVersion[]> {
    const { store, renderDelay, waits } = this.#settings;
    const rows = await store.read(async (db) => {
      // The name server calls this every second: so the waits of changes by other servers begin, too.
      if (renderDelay > 0) for (const row of await listWaiting(db)) waits.isOver(row, this.#clock);
      return listTransferred(db, this.#isAllTransferred);
    });
    const versions = await pMap(rows, (row) => this.#version(row), { concurrency: 4 });
    return versions.filter((version) => version !== undefined);
  }

  async #version(row: VersionRow): Promise<ZoneVersion | undefined> {
    const isSlave = row.type === "slave";
    const isStale = !isSlave && this.#isDue(row);
    const known = isSlave ? this.#isValid(row) && row.slave_serial : row.serial;
    const found = isStale ? await this.findTransferable(zoneName(row)) : undefined;
    const serial = isStale ? found !== "unavailable" && found?.zone.soa.data.serial : known;
    return typeof serial === "number" ? { name: zoneName(row), serial } : undefined;
  }

  async #rows(names: readonly Name[]): Promise<ServedRow[]> {
    const keys = names.filter((name) => name !== ".").map((name) => nameKey(name).slice(0, -1));
    if (keys.length === 0) return [];
    const rows = await this.#versions.find(keys);
    return keys.map((key) => rows.get(key)).filter((row) => row !== undefined);
  }

  #findKnown(key: string, version: StoreVersion): ServedZone | "none" | undefined {
    let isUnknown = false;
    for (let from = 0; from < key.length; from = key.indexOf(".", from) + 1 || key.length) {
      const known = this.#versions.known(from === 0 ? key : key.slice(from), version);
      if (known === undefined) isUnknown = true;
      else if (known.row !== undefined) {
        // No other zone is between the name and one without zones below it.
        return isUnknown && known.row.has_below ? undefined : this.#cached(known.row)?.zone;
      }
    }
    return isUnknown ? undefined : "none";
  }

  /** The zone in memory, if it is current. */
  #cached(row: ServedRow): CachedZone | undefined {
    const cached = this.#cache.get(row.id);
    return cached?.version === versionOf(row) && this.#isCurrent(row) ? cached : undefined;
  }

  /** Whether the zone of a row needs no rendering and no transfer. */
  #isCurrent(row: VersionRow): boolean {
    return row.type === "master" ? !this.#isDue(row) : this.#isValid(row);
  }

  /**
   * Undefined for a zone that was never rendered. `asked` is the number of the last load that began before the query:
   * its result may be older than the query, so the version is compared again.
   */
  async #zone(row: ServedRow, asked: number, wanted: WantedVersion): Promise<ServedZone | undefined> {
    const current = this.#cached(row);
    if (current) return current.zone;
    const cached = this.#cache.get(row.id);
    const isValid = row.type === "master" || this.#isValid(row);
    const { number, zone } = this.#loads.get(row.id) ?? this.#begin(row);
    if (wanted === "recent" && cached && isValid && cached.name === row.domain_key) {
      const isOver = await Promise.race([zone.then(() => true), this.#waitForCurrent().then(() => false)]).catch(
        () => false,
      );
      if (!isOver) return cached.zone;
    }
    const loaded = await zone;
    if (number > asked) return loaded;
    const again = this.#begun;
    const [now] = await this.#rows([zoneName(row)]);
    return now && this.#zone(now, again, wanted);
  }

  #begin(row: ServedRow): Load {
    const zone = this.#loading.run("", () => this.#load(row)).finally(() => this.#loads.delete(row.id));
    const load = { number: ++this.#begun, zone };
    this.#loads.set(row.id, load);
    return load;
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
    this.#cache.set(row.id, { zone, name: row.domain_key, version: versionOf(row) }, octets);
    return zone;
  }

  async #read(db: Database, row: ServedRow): Promise<StoredZone | undefined> {
    if (row.type === "slave") {
      const lines = await slaves.linesOf(db, row, timestamp(this.#clock()));
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
    return expires !== null && moment(expires) > this.#clock();
  }

  #isDue(row: VersionRow): boolean {
    return isDue(row, row.name_servers, this.#settings, this.#clock);
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

function waitBriefly(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, longestWaitMs).unref());
}

/**
 * A record that cannot be served makes the whole zone unavailable, as name servers refuse to load such a file: without
 * the record, the zone would say that the name does not exist, and secondaries and resolvers would cache that.
 */
function unservedError(domain: string, reason: string): ProblemError {
  const summary = `the zone ${domain} cannot be served and is answered with SERVFAIL: ${reason}`;
  return new ProblemError(problem("zone-unserved", summary, { fix: "Shorten or remove that record." }));
}

/** Identifies a version of a domain's zone, and whether it is above others. */
function versionOf({ type, domain_key, has_below, serial, slave_serial, transferred }: ServedRow): string {
  const version = type === "master" ? serial : `${slave_serial} of ${transferred}`;
  return `${domain_key} ${has_below ? "above others " : ""}${version}`;
}

function zoneName({ domain_key }: Pick<ServedRow, "domain_key">): NameKey {
  return nameKey(storedName(domain_key));
}
