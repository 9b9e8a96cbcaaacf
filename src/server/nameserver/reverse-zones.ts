import { type Name, nameKey } from "../../dns/name.ts";
import { reverseName, reverseNetwork, reverseZone } from "../../dns/reverse.ts";
import { inNetworks, readNetwork } from "../kit/allowed-networks.ts";
import type { Settings } from "../kit/context.ts";
import { storedName } from "../kit/domains.ts";
import { nextSerial, reverseSerial } from "../kit/serial.ts";
import { reverseNameOf } from "../nodes/addresses.ts";
import * as addresses from "../store/addresses.ts";
import * as reverseZones from "../store/reverse-zones.ts";
import { listNames, listVersions, type ReverseVersion } from "../store/reverse-zones.ts";
import type { AddressRow } from "../store/tables.ts";
import { loadRows } from "./load-zone.ts";
import type { ServedZone, ServedZones } from "./served-zone.ts";
import type { TransferableZone, WantedVersion, Zones, ZoneVersion } from "./stored-zones.ts";
import { VersionReader } from "./version-reader.ts";
import { ZoneCache } from "./zone-cache.ts";

interface CachedZone {
  readonly serial: number;
  readonly zone: ServedZone;
}

/** The TTL of the records and of negative answers, in seconds: an address may get a name at any moment. */
const ttl = 3600;

/** The serial of an empty zone. */
const emptySerial = 1;

const cacheLimits = { zones: 1000, octets: 2 ** 26 };
const octetsOfName = 512;

/**
 * Zones of other kinds, and those made from the names of addresses: one for each /24 and each IPv6 /64 of the
 * catalogue's public pools, and for addresses that came from earlier pools. A domain of the same name takes its place.
 * A zone without a name is empty and cannot be transferred.
 */
export class ReverseZones implements Zones {
  readonly #others: Zones;
  readonly #settings: Settings;
  readonly #clock: () => Date;
  readonly #isTransferred: boolean;
  readonly #isInPool: (address: string) => boolean;
  readonly #served: string;
  readonly #versions: VersionReader<ReverseVersion>;
  readonly #cache = new ZoneCache<string, CachedZone>(cacheLimits);
  /** The zones that are being loaded, by name and serial. */
  readonly #loads = new Map<string, Promise<ServedZone>>();

  /** `isTransferred` tells whether the operator has secondaries. */
  constructor(others: Zones, settings: Settings, clock: () => Date, { isTransferred = false } = {}) {
    this.#others = others;
    this.#settings = settings;
    this.#clock = clock;
    this.#isTransferred = isTransferred;
    const pools = settings.catalog.regions.flatMap(({ pools }) => [pools.public, pools.slaac]);
    this.#isInPool = inNetworks(pools.flatMap((pool) => readNetwork(pool) ?? []));
    this.#served = JSON.stringify([settings.catalog.rdns_domain, ...settings.nameservers]);
    this.#versions = new VersionReader(settings.store, async (db, names) => {
      const versions = await listVersions(db, names);
      return new Map(versions.map((version) => [version.name, version]));
    });
  }

  async findZones(name: Name, wanted?: WantedVersion): Promise<ServedZones> {
    const network = reverseNetwork(name);
    if (network === undefined) return this.#others.findZones(name, wanted);
    const [around, version] = await Promise.all([this.#others.findZones(name, wanted), this.#version(network)]);
    if (version.isDomain || (version.serials.own === undefined && !this.#isInPool(network))) return around;
    return around.with(await this.#zone(version));
  }

  async findTransferable(name: Name): Promise<TransferableZone | "unavailable" | undefined> {
    const network = reverseNetwork(name);
    const other = await this.#others.findTransferable(name);
    if (other !== undefined || network === undefined || reverseZone(network) !== nameKey(name)) return other;
    const version = await this.#version(network);
    if (version.isDomain || version.serials.own === undefined) return undefined;
    return { zone: await this.#zone(version), axfrIps: [] };
  }

  async listTransferred(): Promise<readonly ZoneVersion[]> {
    const others = await this.#others.listTransferred();
    if (!this.#isTransferred) return others;
    const versions = await this.#versions.find(await this.#settings.store.read(listNames));
    const own: ZoneVersion[] = [];
    for (const version of versions.values())
      if (!version.isDomain && version.serials.own !== undefined)
        own.push({ name: nameKey(storedName(version.name)), serial: await this.#serial(version) });
    return [...others, ...own];
  }

  async #version(network: string): Promise<ReverseVersion> {
    const name = reverseZone(network).slice(0, -1);
    const version = (await this.#versions.find([name])).get(name);
    return version ?? { name, serials: { own: undefined, ofDomain: undefined }, settings: null, isDomain: false };
  }

  /** The zone in this version or a later one. */
  async #zone(version: ReverseVersion): Promise<ServedZone> {
    const { name } = version;
    const serial = await this.#serial(version);
    if (version.serials.own === undefined) return this.#build(name, serial, []);
    const cached = this.#cache.get(name);
    if (cached?.serial === serial) return cached.zone;
    const key = `${name} ${serial}`;
    const load = this.#loads.get(key) ?? this.#load(name).finally(() => this.#loads.delete(key));
    this.#loads.set(key, load);
    return load;
  }

  async #load(name: string): Promise<ServedZone> {
    const { versions, rows } = await this.#settings.store.read(async (db) => ({
      versions: await listVersions(db, [name]),
      rows: await addresses.listOfReverseZone(db, name),
    }));
    const serial = versions.map(({ serials }) => reverseSerial(serials))[0] ?? emptySerial;
    const zone = await this.#build(name, serial, rows);
    this.#cache.set(name, { serial, zone }, (rows.length + 1) * octetsOfName);
    return zone;
  }

  /** The serial of a zone, raised if it was last served with other settings. */
  async #serial({ name, serials, settings }: ReverseVersion): Promise<number> {
    if (serials.own === undefined || settings === this.#served) return reverseSerial(serials) ?? emptySerial;
    return this.#settings.store.write(async (db) => {
      await reverseZones.lock(db, name);
      const [now] = await listVersions(db, [name]);
      const serial = reverseSerial(now?.serials ?? serials);
      if (now?.settings === this.#served) return serial ?? emptySerial;
      const isFirst = serial !== undefined && now?.settings === null;
      const next = isFirst ? serial : nextSerial(serial, this.#clock());
      await reverseZones.update(db, name, { serial: next, settings: this.#served });
      return next;
    });
  }

  async #build(name: string, serial: number, rows: readonly AddressRow[]): Promise<ServedZone> {
    const { catalog, nameservers } = this.#settings;
    const records = rows.flatMap((row) => {
      const target = reverseNameOf(row, catalog.rdns_domain);
      return target === null
        ? []
        : { ...plainRecord, name: reverseName(row.address).slice(0, -name.length - 2), target };
    });
    const { zone, error } = await loadRows(name, { serial, domain: soaOf(catalog.rdns_domain), records }, nameservers);
    if (error !== undefined) throw new Error(`the reverse zone ${name} cannot be served: ${error}`);
    return zone;
  }
}

const plainRecord = { type: "PTR", priority: 0, weight: 0, port: 0, ttl_sec: 0, tag: null } as const;

function soaOf(rdnsDomain: string) {
  return { soa_email: `hostmaster@${rdnsDomain}`, ttl_sec: ttl, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
}
