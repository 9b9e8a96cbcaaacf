import type { CompiledZone } from "../../../dns/compiled/compiled-zone.ts";
import type { ZoneVersions } from "../../../dns/compiled/zone-difference.ts";
import { isInside, type Name, type NameKey, nameKey } from "../../../dns/name/name.ts";
import { reverseName, reverseNetwork, reverseZone } from "../../../dns/name/reverse.ts";
import { defaultLabel, defaultZone, publicPools } from "../../areas/domains/address-zones.ts";
import { toStoredName } from "../../areas/domains/lookups.ts";
import { reverseNameOf } from "../../areas/nodes/addresses/addresses.ts";
import { listAddressesOfReverseZone, listGivenIpv4 } from "../../areas/nodes/addresses/addresses-rows.ts";
import * as reverseZones from "../../areas/zones/reverse-zones-rows.ts";
import {
  listReverseZoneNames,
  listReverseZoneVersions,
  type ReverseVersion,
} from "../../areas/zones/reverse-zones-rows.ts";
import { nextSerial, reverseSerial } from "../../areas/zones/serial.ts";
import { type ComparisonLimits, zoneSettings } from "../../areas/zones/zone-version.ts";
import type { Settings } from "../../entities/context.ts";
import { inNetworks } from "../../kit/allowed-networks.ts";
import type { StoreVersion } from "../../store/driver.ts";
import { updateRows } from "../../store/rows.ts";
import type { AddressRow, Database } from "../../store/tables.ts";
import { loadRows } from "./load-zone.ts";
import type { ZonesByName } from "./served-zones.ts";
import { lost } from "./store-watch.ts";
import type { Admit, KnownZones, StoreZoneVersion, TransferableZone, WantedVersion, Zones } from "./stored-zones.ts";
import { VersionReader } from "./version-reader.ts";
import { type CacheLimits, ZoneCache } from "./zone-cache.ts";

interface CachedZone {
  readonly serial: number;
  readonly zone: CompiledZone;
}

/** The TTL of the records and of negative answers, in seconds: an address may get a name at any moment. */
const ttl = 3600;

/** The serial of an empty zone. */
const emptySerial = 1;

const cacheLimits = { zones: 1000, octets: 2 ** 26 };
const octetsOfName = 512;

/**
 * Zones of other kinds, and those made from the addresses of nodes: the reverse zones, one for each /24 and each IPv6
 * /64 of the catalogue's public pools and for addresses that came from earlier pools, and the zone of default names,
 * whose A records confirm the reverse lookups. A domain of the same name takes the place of such a zone. A reverse zone
 * that never had an address is empty and cannot be transferred.
 */
export class ReverseZones implements Zones {
  readonly known?: KnownZones;
  readonly #others: Zones;
  readonly #settings: Settings;
  readonly #clock: () => Date;
  readonly #isTransferred: boolean;
  readonly #isInPool: (address: string) => boolean;
  /** The zone of default names. */
  readonly #default: NameKey;
  readonly #served: string;
  readonly #versions: VersionReader<ReverseVersion>;
  readonly #cache = new ZoneCache<string, CachedZone>(cacheLimits);
  /** The zones that are being loaded, by name and serial. */
  readonly #loads = new Map<string, Promise<CompiledZone>>();

  /** `isTransferred` tells whether the operator has secondaries. */
  constructor(others: Zones, settings: Settings, clock: () => Date, { isTransferred = false } = {}) {
    this.#others = others;
    this.#settings = settings;
    this.#clock = clock;
    this.#isTransferred = isTransferred;
    this.#isInPool = inNetworks(publicPools(settings.catalog));
    this.#default = nameKey(toStoredName(defaultZone(settings.catalog.rdns_domain)));
    this.#served = JSON.stringify([settings.catalog.rdns_domain, ...settings.nameservers]);
    const { known } = others;
    if (known) {
      const isOther = (key: string) => !key.endsWith(".arpa") && !isInside(toStoredName(key), this.#default);
      this.known = { ...known, find: (key, version) => (isOther(key) ? known.find(key, version) : undefined) };
    }
    this.#versions = new VersionReader(settings.store, async (db, names) => {
      const versions = await listReverseZoneVersions(db, names);
      return new Map(versions.map((version) => [version.name, version]));
    });
  }

  /** Its zones in memory and their octets, without those of the others. */
  get load(): CacheLimits {
    return this.#cache.load;
  }

  async findZones(name: Name, wanted?: WantedVersion): Promise<ZonesByName> {
    const apex = this.#apexAbove(name);
    const around = await this.#others.findZones(name, wanted);
    if (apex === undefined) return around;
    const state = await this.#state();
    const key = apex.slice(0, -1);
    const version = state === lost ? this.#versions.lastKnown(key)?.row : await this.#version(apex, state);
    if (version && !this.#isServed(version, name)) return around;
    // One that was never asked for may be of an earlier pool.
    const zone = version && state !== lost ? this.#zone(version) : this.#cache.get(key)?.zone;
    return around.with(apex, (await zone) ?? "unavailable");
  }

  async findTransferable(name: Name, admit?: Admit): Promise<TransferableZone | "unavailable" | undefined> {
    const other = await this.#others.findTransferable(name, admit);
    const apex = this.#apexAbove(name);
    if (other !== undefined || apex === undefined || apex !== nameKey(name)) return other;
    const version = await this.#version(apex, await this.#state());
    if (version.isDomain || !this.#isKept(version) || (await admit?.([])) === false) return undefined;
    return { zone: await this.#zone(version), axfrIps: [] };
  }

  async findVersions(name: Name, serial: number, limits?: ComparisonLimits): Promise<ZoneVersions | undefined> {
    return this.#others.findVersions?.(name, serial, limits);
  }

  async listTransferred(): Promise<readonly StoreZoneVersion[]> {
    const others = await this.#others.listTransferred();
    if (!this.#isTransferred) return others;
    const names = await this.#settings.store.read(listReverseZoneNames);
    const versions = await this.#versions.find([...names, this.#default.slice(0, -1)], await this.#state());
    const own: StoreZoneVersion[] = [];
    for (const version of versions.values()) {
      const name = nameKey(toStoredName(version.name));
      if (this.#isTransferable(version, name)) own.push({ name, serial: await this.#serial(version) });
    }
    return [...others, ...own];
  }

  async listNames(db: Database): Promise<readonly NameKey[]> {
    const others = (await this.#others.listNames?.(db)) ?? [];
    const names = [...(await listReverseZoneNames(db)), this.#default.slice(0, -1)];
    const own = (await listReverseZoneVersions(db, names)).flatMap((version) => {
      const name = nameKey(toStoredName(version.name));
      return this.#isTransferable(version, name) ? [name] : [];
    });
    return [...others, ...own];
  }

  hasSecondary(address: string): boolean {
    return this.#others.hasSecondary?.(address) ?? false;
  }

  async #state(): Promise<StoreVersion> {
    return (await this.#others.known?.version()) ?? Symbol();
  }

  /** The name of the zone made from addresses at or above a name. */
  #apexAbove(name: Name): NameKey | undefined {
    if (isInside(name, this.#default)) return this.#default;
    const network = reverseNetwork(name);
    return network === undefined ? undefined : reverseZone(network);
  }

  /** Whether the zone has a serial, which a reverse zone gets with its first name. */
  #isKept({ name, serials }: ReverseVersion): boolean {
    return serials.own !== undefined || this.#isDefault(name);
  }

  /** An earlier zone of default names is not served. */
  #isTransferable(version: ReverseVersion, name: NameKey): boolean {
    return !version.isDomain && this.#isKept(version) && this.#apexAbove(name) === name;
  }

  /** Whether the zone answers for a name at or below it. */
  #isServed(version: ReverseVersion, name: Name): boolean {
    const network = reverseNetwork(name);
    return !version.isDomain && (this.#isKept(version) || (network !== undefined && this.#isInPool(network)));
  }

  async #version(apex: NameKey, state: StoreVersion): Promise<ReverseVersion> {
    const name = apex.slice(0, -1);
    const version = (await this.#versions.find([name], state)).get(name);
    return version ?? { name, serials: { own: undefined, ofDomain: undefined }, settings: null, isDomain: false };
  }

  /** The zone in this version or a later one. */
  async #zone(version: ReverseVersion): Promise<CompiledZone> {
    const { name } = version;
    const serial = await this.#serial(version);
    if (!this.#isKept(version)) return this.#build(name, serial, []);
    const cached = this.#cache.get(name);
    if (cached?.serial === serial) return cached.zone;
    const key = `${name} ${serial}`;
    const load = this.#loads.get(key) ?? this.#load(name).finally(() => this.#loads.delete(key));
    this.#loads.set(key, load);
    return load;
  }

  async #load(name: string): Promise<CompiledZone> {
    const { versions, rows } = await this.#settings.store.read(async (db) => ({
      versions: await listReverseZoneVersions(db, [name]),
      rows: this.#isDefault(name) ? await listGivenIpv4(db) : await listAddressesOfReverseZone(db, name),
    }));
    const serial = versions.map(({ serials }) => reverseSerial(serials))[0] ?? emptySerial;
    const zone = await this.#build(name, serial, rows);
    this.#cache.set(name, { serial, zone }, (rows.length + 1) * octetsOfName);
    return zone;
  }

  /** The serial of a zone, raised if it was last served with other settings. */
  async #serial(version: ReverseVersion): Promise<number> {
    const { name, serials, settings } = version;
    if (!this.#isKept(version) || settings === this.#served) return reverseSerial(serials) ?? emptySerial;
    return this.#settings.store.write(async (db) => {
      await reverseZones.lockReverseZone(db, name);
      const [now] = await listReverseZoneVersions(db, [name]);
      const serial = reverseSerial(now?.serials ?? serials);
      if (now?.settings === this.#served) return serial ?? emptySerial;
      const isFirst = serial !== undefined && now?.settings === null;
      const next = isFirst ? serial : nextSerial(serial, this.#clock());
      await updateRows(db, "reverse_zones", { name }, { serial: next, settings: this.#served });
      return next;
    });
  }

  async #build(name: string, serial: number, rows: readonly AddressRow[]): Promise<CompiledZone> {
    const { catalog, nameservers } = this.#settings;
    const own = this.#isDefault(name)
      ? rows.map(({ address }) => ({ type: "A", name: defaultLabel(address), target: address }))
      : rows.flatMap((row) => {
          const target = reverseNameOf(row, catalog.rdns_domain);
          const owner = reverseName(row.address).slice(0, -name.length - 2);
          return target === null ? [] : { type: "PTR", name: owner, target };
        });
    const records = own.map((row, id) => ({ id, ...plainRecord, ...row, name_key: row.name }));
    const settings = zoneSettings({ domain: name, ...soaOf(catalog.rdns_domain) }, nameservers);
    const loaded = await loadRows({ serial, settings, records });
    if ("error" in loaded) throw new Error(`the zone of addresses ${name} cannot be served: ${loaded.error}`);
    return loaded.zone;
  }

  #isDefault(name: string): boolean {
    return `${name}.` === this.#default;
  }
}

const plainRecord = { priority: 0, weight: 0, port: 0, ttl_sec: 0, tag: null, rdata: null, alias_id: null } as const;

function soaOf(rdnsDomain: string) {
  return { soa_email: `hostmaster@${rdnsDomain}`, ttl_sec: ttl, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
}
