import pMap from "p-map";
import { Refusal } from "../../diagnostics/diagnostic.ts";
import { readBind } from "../../sources/bind/read.ts";
import { labels, type Name, parent } from "../../zone/name.ts";
import type { PublicContext, Settings } from "../handlers.ts";
import { type ServedRow, served, transferred, type VersionRow } from "../store/names.ts";
import type { DomainRow } from "../store/tables.ts";
import { timestamp } from "../timestamp.ts";
import { KeptZones, type Shelf } from "./kept-zones.ts";
import { isDue, linesNow } from "./rendering.ts";
import { ServedZone, ServedZones } from "./served-zone.ts";

/** A zone and the addresses that may transfer it. */
export interface TransferableZone {
  readonly zone: ServedZone;
  readonly axfrIps: readonly string[];
}

export interface ZoneVersion {
  readonly name: Name;
  readonly serial: number;
}

/** Where the name service finds what it answers from. */
export interface Zones {
  /** The zones that may have to do with a name: that of the name or nearest above it, and the next one above. */
  around(name: Name): Promise<ServedZones>;
  /** The zone of exactly this name; `lost` is one that is ours, but that we do not have. */
  transferable(name: Name): Promise<TransferableZone | "lost" | undefined>;
  /** The zones that somebody may transfer, as they are now. */
  transferred(): Promise<readonly ZoneVersion[]>;
}

interface Kept {
  readonly version: string;
  readonly zone: ServedZone | "lost";
}

interface StoredZonesOptions {
  /** May somebody transfer every zone? */
  readonly isAllTransferred?: boolean;
  /** Hears of a zone that cannot be served, once for each version of it; standard error unless given. */
  readonly onError?: (error: unknown) => void;
  /** 1,000 zones and 128 MiB unless given. */
  readonly shelf?: Shelf;
}

/** What is kept ready. A line of a zone counts some octets more than it has: a record in memory is more than its text. */
const usualShelf: Shelf = { zones: 1000, octets: 2 ** 27 };
const octetsOfRecord = 256;

/**
 * The zones of the store as they are rendered. Each question looks whether they have changed, so that it does not matter
 * which of several servers was told; the zone itself is read again only then.
 */
export class StoredZones implements Zones {
  readonly #settings: Settings;
  readonly #clock: () => Date;
  readonly #kept: KeptZones<Kept>;
  readonly #isAllTransferred: boolean;
  readonly #onError: (error: unknown) => void;

  constructor(settings: Settings, clock: () => Date, options: StoredZonesOptions = {}) {
    this.#settings = settings;
    this.#clock = clock;
    this.#isAllTransferred = options.isAllTransferred ?? false;
    this.#onError = options.onError ?? console.error;
    this.#kept = new KeptZones(options.shelf ?? usualShelf);
  }

  async around(name: Name): Promise<ServedZones> {
    const rows = await this.#rows([name, ...above(name)]);
    const nearest = rows.sort((a, b) => b.domain_key.length - a.domain_key.length).slice(0, 2);
    const zones = await Promise.all(nearest.map((row) => this.#zone(row)));
    const lost = nearest.filter((_, index) => zones[index] === "lost");
    return new ServedZones(
      zones.filter((zone) => zone !== undefined && zone !== "lost"),
      lost.map(({ domain_key }) => `${domain_key}.`),
    );
  }

  async transferable(name: Name): Promise<TransferableZone | "lost" | undefined> {
    const [row] = await this.#rows([name]);
    if (row === undefined) return undefined;
    const zone = await this.#zone(row);
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
    const found = isDue ? await this.transferable(`${row.domain_key}.`) : undefined;
    const serial = isDue ? found !== "lost" && found?.zone.soa.data.serial : known;
    return typeof serial === "number" ? { name: `${row.domain_key}.`, serial } : undefined;
  }

  #rows(names: readonly Name[]): Promise<ServedRow[]> {
    const keys = names.filter((name) => name !== ".").map((name) => name.slice(0, -1).toLowerCase());
    if (keys.length === 0) return Promise.resolve([]);
    return this.#settings.store.read((db) => served(db, keys));
  }

  /** Undefined for one that was not rendered yet. */
  async #zone(row: ServedRow): Promise<ServedZone | "lost" | undefined> {
    const kept = this.#kept.find(row.id);
    const isCurrent = row.type === "slave" ? this.#counts(row) : !this.#isDue(row);
    if (kept && isCurrent && kept.version === versionOf(row)) return kept.zone;
    const lines = await linesNow(async (db) => (await served(db, [row.domain_key]))[0], this.#context());
    if (lines.length === 0) return row.type === "slave" ? "lost" : undefined;
    const { zone, serial, fault } = readZone(row, lines);
    if (fault) this.#onError(fault);
    const read: Kept = { zone: fault ? "lost" : zone, version: versionOf({ ...row, serial }) };
    this.#kept.keep(row.id, read, fault ? 0 : octetsOf(lines));
    return read.zone;
  }

  #counts({ expires }: VersionRow): boolean {
    return expires !== null && expires > timestamp(this.#clock());
  }

  #isDue(row: VersionRow): boolean {
    return isDue(row, row.name_servers === null ? undefined : { name_servers: row.name_servers }, this.#context());
  }

  #context(): PublicContext {
    return { ...this.#settings, now: this.#clock() };
  }
}

function octetsOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + octetsOfRecord, 0);
}

/**
 * A record that cannot be read makes the whole zone one that we do not have, as name servers do not load such a file:
 * without it, the others would say that the name does not exist, and secondaries would keep that.
 */
function readZone(
  { domain }: DomainRow,
  lines: readonly string[],
): { zone: ServedZone; serial: number; fault: Refusal | undefined } {
  const bytes = Buffer.from(`${lines.join("\n")}\n`);
  const { zone, diagnostics } = readBind({ file: domain, bytes, origin: `${domain}.` });
  const [soa, ...records] = zone.records;
  const wrong = diagnostics.find(({ severity }) => severity === "error");
  if (soa?.type !== "SOA") throw new Error(`${domain} was rendered so that it cannot be read: ${wrong?.summary}`);
  const served = new ServedZone({ soa, records, ttl: zone.settings.ttl_sec ?? 0 });
  return { zone: served, serial: soa.data.serial as number, fault: wrong && unserved(domain, wrong.summary) };
}

function unserved(domain: string, reason: string): Refusal {
  const summary = `the zone ${domain} cannot be served and is answered with SERVFAIL: ${reason}`;
  return new Refusal([{ severity: "error", rule: "zone-unserved", summary, fix: "Shorten or remove that record." }]);
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
