import pMap from "p-map";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { asName, labels, type Name, type NameKey, nameKey, parent } from "../../dns/name.ts";
import type { PublicContext, Settings } from "../kit/context.ts";
import { Slots } from "../kit/fair-limiter.ts";
import { isDue, linesNow } from "../kit/rendering.ts";
import { timestamp } from "../kit/timestamp.ts";
import { type ServedRow, served, transferred, type VersionRow } from "../store/served.ts";
import { readZone } from "./read-zone.ts";
import { type ServedZone, ServedZones } from "./served-zone.ts";
import { VersionReader } from "./version-reader.ts";
import { KeptZones, type Shelf } from "./zone-cache.ts";

/** A zone and the addresses that may transfer it. */
export interface TransferableZone {
  readonly zone: ServedZone;
  readonly axfrIps: readonly string[];
}

export interface ZoneVersion {
  readonly name: NameKey;
  readonly serial: number;
}

/** Whether the version before will do where reading the current one takes long. */
export type Wanted = "is current" | "may be the last one";

/** Where the name service finds what it answers from. */
export interface Zones {
  /**
   * The zones that may have to do with a name: that of the name or nearest above it, and the next one above. Of a zone
   * that changed and takes long to read, the last version will do unless the current one is wanted.
   */
  around(name: Name, wanted?: Wanted): Promise<ServedZones>;
  /** The zone of exactly this name; `lost` is one that is ours, but that we do not have. */
  transferable(name: Name): Promise<TransferableZone | "lost" | undefined>;
  /** The zones that somebody may transfer, as they are now. */
  transferred(): Promise<readonly ZoneVersion[]>;
}

interface Kept {
  readonly version: string;
  /** Of its domain when it was read, in lower case. */
  readonly name: string;
  readonly zone: ServedZone | "lost";
}

/** A zone that is being read, and how many reads were begun up to it. */
interface Load {
  readonly number: number;
  readonly zone: Promise<ServedZone | "lost" | undefined>;
}

interface StoredZonesOptions {
  /** May somebody transfer every zone? */
  readonly isAllTransferred?: boolean;
  /** Hears of a zone that cannot be served, once for each version of it; standard error unless given. */
  readonly onError?: (error: unknown) => void;
  /** 1,000 zones and 128 MiB unless given. */
  readonly shelf?: Shelf;
  /** Passes while a question waits for a version that is being read; 100 ms unless given. */
  readonly patience?: () => Promise<void>;
}

/** What is kept ready. A line of a zone counts some octets more than it has: a record in memory is more than its text. */
const usualShelf: Shelf = { zones: 1000, octets: 2 ** 27 };
const octetsOfRecord = 256;

/** How many zones are read at once, and for how long a question waits for one of them, in milliseconds. */
const loadsAtOnce = 2;
const patienceMs = 100;

/**
 * The zones of the store as they are rendered. Each question looks whether they have changed, so that it does not matter
 * which of several servers was told; the zone itself is read again only then, once however many ask for it. While that
 * takes long, questions are answered from the version before.
 */
export class StoredZones implements Zones {
  readonly #settings: Settings;
  readonly #clock: () => Date;
  readonly #kept: KeptZones<Kept>;
  readonly #isAllTransferred: boolean;
  readonly #onError: (error: unknown) => void;
  readonly #patience: () => Promise<void>;
  readonly #versions: VersionReader;
  /** The zones that are being read, by the ids of their domains. */
  readonly #loads = new Map<number, Load>();
  #begun = 0;
  readonly #loading = new Slots(loadsAtOnce);

  constructor(settings: Settings, clock: () => Date, options: StoredZonesOptions = {}) {
    this.#settings = settings;
    this.#clock = clock;
    this.#isAllTransferred = options.isAllTransferred ?? false;
    this.#onError = options.onError ?? console.error;
    this.#kept = new KeptZones(options.shelf ?? usualShelf);
    this.#patience = options.patience ?? usualPatience;
    this.#versions = new VersionReader(settings.store);
  }

  async around(name: Name, wanted: Wanted = "may be the last one"): Promise<ServedZones> {
    const asked = this.#begun;
    const rows = await this.#rows([name, ...above(name)]);
    const nearest = rows.sort((a, b) => b.domain_key.length - a.domain_key.length).slice(0, 2);
    const zones = await Promise.all(nearest.map((row) => this.#zone(row, asked, wanted)));
    const lost = nearest.filter((_, index) => zones[index] === "lost");
    return new ServedZones(
      zones.filter((zone) => zone !== undefined && zone !== "lost"),
      lost.map(zoneName),
    );
  }

  async transferable(name: Name): Promise<TransferableZone | "lost" | undefined> {
    const asked = this.#begun;
    const [row] = await this.#rows([name]);
    if (row === undefined) return undefined;
    const zone = await this.#zone(row, asked, "is current");
    if (zone === undefined || zone === "lost") return zone;
    return { zone, axfrIps: JSON.parse(row.axfr_ips) as string[] };
  }

  async transferred(): Promise<ZoneVersion[]> {
    const rows = await this.#settings.store.read((db) => transferred(db, this.#isAllTransferred));
    const versions = await pMap(rows, (row) => this.#version(row), { concurrency: 4 });
    return versions.filter((version) => version !== undefined);
  }

  async #version(row: VersionRow): Promise<ZoneVersion | undefined> {
    const isSlave = row.type === "slave";
    const isDue = !isSlave && this.#isDue(row);
    const known = isSlave ? this.#counts(row) && row.slave_serial : row.serial;
    const found = isDue ? await this.transferable(zoneName(row)) : undefined;
    const serial = isDue ? found !== "lost" && found?.zone.soa.data.serial : known;
    return typeof serial === "number" ? { name: zoneName(row), serial } : undefined;
  }

  async #rows(names: readonly Name[]): Promise<ServedRow[]> {
    const keys = names.filter((name) => name !== ".").map((name) => nameKey(name).slice(0, -1));
    if (keys.length === 0) return [];
    const rows = await this.#versions.find(keys);
    return keys.map((key) => rows.get(key)).filter((row) => row !== undefined);
  }

  /**
   * Undefined for one that was not rendered yet. `asked` is the number of the last read that was begun before the question:
   * what that one finds may be older than the question, and is looked up again.
   */
  async #zone(row: ServedRow, asked: number, wanted: Wanted): Promise<ServedZone | "lost" | undefined> {
    const kept = this.#kept.find(row.id);
    const counts = row.type === "master" || this.#counts(row);
    if (kept && counts && !this.#isDue(row) && kept.version === versionOf(row)) return kept.zone;
    const { number, zone } = this.#loads.get(row.id) ?? this.#load(row);
    if (wanted === "may be the last one" && kept && counts && kept.name === row.domain_key) {
      const isOver = await Promise.race([zone.then(() => true), this.#patience().then(() => false)]).catch(() => false);
      if (!isOver) return kept.zone;
    }
    const loaded = await zone;
    if (number > asked) return loaded;
    const again = this.#begun;
    const [now] = await this.#rows([zoneName(row)]);
    return now && this.#zone(now, again, wanted);
  }

  #load(row: ServedRow): Load {
    const zone = this.#loading.run("", () => this.#read(row)).finally(() => this.#loads.delete(row.id));
    const load = { number: ++this.#begun, zone };
    this.#loads.set(row.id, load);
    return load;
  }

  async #read(row: ServedRow): Promise<ServedZone | "lost" | undefined> {
    const lines = await linesNow(async (db) => (await served(db, [row.domain_key]))[0], this.#context());
    if (lines.length === 0) return row.type === "slave" ? "lost" : undefined;
    const { zone, serial, fault } = await readZone(row.domain, lines);
    if (fault) this.#onError(unserved(row.domain, fault.summary));
    const version = versionOf({ ...row, serial, slave_serial: serial });
    const read: Kept = { zone: fault ? "lost" : zone, name: row.domain_key, version };
    this.#kept.keep(row.id, read, fault ? 0 : octetsOf(lines));
    return read.zone;
  }

  #counts({ expires }: VersionRow): boolean {
    return expires !== null && expires > timestamp(this.#clock());
  }

  #isDue(row: VersionRow): boolean {
    return (
      row.type === "master" &&
      isDue(row, row.name_servers === null ? undefined : { name_servers: row.name_servers }, this.#context())
    );
  }

  #context(): PublicContext {
    return { ...this.#settings, now: this.#clock() };
  }
}

function usualPatience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
}

function octetsOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + octetsOfRecord, 0);
}

/**
 * A record that cannot be read makes the whole zone one that we do not have, as name servers do not load such a file:
 * without it, the others would say that the name does not exist, and secondaries would keep that.
 */
function unserved(domain: string, reason: string): ProblemError {
  const summary = `the zone ${domain} cannot be served and is answered with SERVFAIL: ${reason}`;
  return new ProblemError(problem("zone-unserved", summary, { fix: "Shorten or remove that record." }));
}

/** Tells one version of a domain's zone from another. */
function versionOf({ type, serial, slave_serial, transferred }: ServedRow): string {
  return type === "master" ? `${serial}` : `${slave_serial} of ${transferred}`;
}

/** The names above a name, as far as a domain can be. */
function above(name: Name): Name[] {
  const names: Name[] = [];
  for (let at = parent(name), left = labels(name).length - 1; left > 0; left--, at = parent(at)) names.push(at);
  return names;
}

function zoneName({ domain_key }: Pick<ServedRow, "domain_key">): NameKey {
  return nameKey(asName(`${domain_key}.`));
}
