import { asName, type Name } from "../../../src/dns/name/name.ts";
import { asId, type LiveRecord, type LiveZone } from "../../../src/dns/zone/desired-live.ts";
import { canonical, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import type { Plan, RecordChange, SettingChange } from "../../../src/planner/changes/change.ts";
import { createToken } from "../../../src/server/areas/account/tokens-operator.ts";
import { writeZoneLines } from "../../../src/server/areas/zones/zone-lines-rows.ts";
import type { Server } from "../../../src/server/http/router.ts";
import { listenDns, type NameServer } from "../../../src/server/nameserver/listen.ts";
import { StoredZones, type Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { createServer, readServerSettings } from "../../../src/server/server.ts";
import { openStore, type Store } from "../../../src/server/store/store.ts";
import type { Database, DomainRow, RecordRow, SlaveRow, Tables } from "../../../src/server/store/tables.ts";
import { apiId, toApi } from "../../../src/targets/api/mapping.ts";
import { waitForCurrent } from "../../server/nameserver/wait-for-current.ts";
import { type Ask, Asker } from "./ask.ts";
import { isBelow } from "./lookup.ts";
import { type DarkWorld, type DarkZone, type Stored, storedZone } from "./world.ts";

type ZonePlan = Plan["zones"][number];

const noon = new Date("2026-03-04T12:00:00Z");

/** The name servers of the service; they are outside of all zones. */
export const nameservers = ["ns1.provider.test", "ns2.provider.test"];

/** The API and the name service on one store in memory, the one called in process, the other asked over a socket. */
export class DarkService {
  readonly store: Store;
  readonly server: Server;
  readonly token: string;
  readonly asker: Asker;
  readonly port: number;
  /** Counts what is written. */
  epoch = 0;
  /** The transport of queries; UDP by default. */
  ask: Ask;
  readonly #dns: NameServer;
  readonly #zones: CachedZones;
  readonly #ids = new Map<string, number>();
  readonly #records = new Map<string, number[]>();
  #first: { readonly world: DarkWorld; readonly stored: Stored; readonly rows: Rows } | undefined;

  private constructor(parts: {
    store: Store;
    server: Server;
    token: string;
    asker: Asker;
    dns: NameServer;
    zones: CachedZones;
  }) {
    this.store = parts.store;
    this.server = parts.server;
    this.token = parts.token;
    this.asker = parts.asker;
    this.ask = parts.asker.ask;
    this.port = parts.dns.port;
    this.#dns = parts.dns;
    this.#zones = parts.zones;
  }

  static async open(): Promise<DarkService> {
    const store = await openStore(":memory:");
    const clock = () => noon;
    const onError = (error: unknown) => {
      throw error;
    };
    const options = { store, clock, nameservers, onError };
    const server = createServer(options);
    const token = await createToken(store, { username: "admin", now: noon });
    const zones = new CachedZones(new StoredZones(readServerSettings(options), clock, { onError, waitForCurrent }));
    const dns = await listenDns({ host: "127.0.0.1", port: 0, zones, onError, secondaries: ["127.0.0.1"] });
    return new DarkService({ store, server, token, asker: await Asker.open(dns.port), dns, zones });
  }

  async close(): Promise<void> {
    this.asker.close();
    await this.#dns.close();
    await this.store.close();
  }

  /**
   * Replaces the stored zones by the live ones of the world, through the API. The same world again is restored from its
   * first copy.
   */
  async begin(world: DarkWorld): Promise<Stored> {
    const { zones } = world;
    this.#zones.names = zones.map(({ name }) => name);
    this.#ids.clear();
    this.#records.clear();
    if (this.#first?.world !== world) {
      await this.store.write((db) => this.#restore(db, { domains: [], records: [], slaves: [], lines: [] }));
      const stored = new Map<string, LiveZone>();
      for (const zone of zones) if (zone.before) stored.set(zone.name, await this.#createZone(zone));
      this.#first = { world, stored, rows: await this.store.read(readRows) };
    } else {
      const { rows, stored } = this.#first;
      await this.store.write((db) => this.#restore(db, rows));
      for (const { name, id, records } of stored.values()) {
        this.#ids.set(name, apiId(id));
        for (const record of records) this.#keep(name, record, apiId(record.id));
      }
    }
    this.forgetZones();
    return this.#first.stored;
  }

  async #restore(db: Database, { domains, records, slaves, lines }: Rows): Promise<void> {
    await db.deleteFrom("domains").execute();
    await db.deleteFrom("events").execute();
    if (domains.length > 0)
      await db
        .insertInto("domains")
        // Their records are counted when they are inserted.
        .values(domains.map((row) => ({ ...row, records: 0 })))
        .execute();
    if (records.length > 0)
      await db
        .insertInto("records")
        .values([...records])
        .execute();
    if (slaves.length > 0)
      await db
        .insertInto("slaves")
        .values([...slaves])
        .execute();
    if (lines.length > 0)
      await db
        .insertInto("zone_lines")
        .values([...lines])
        .execute();
  }

  /** Reports that the stored zones have changed. */
  forgetZones(): void {
    this.epoch++;
    this.#zones.clear();
  }

  async #createZone(zone: DarkZone): Promise<LiveZone> {
    const side = zone.before ?? { lines: [] };
    const read = storedZone(zone, side, 0);
    const { type, soa_email, status, ttl_sec, master_ips } = read.settings;
    const body = { domain: zone.name.slice(0, -1), type, soa_email, status, ttl_sec, master_ips };
    const { id } = await this.call("POST", "/domains", body);
    this.#ids.set(zone.name, id);
    const records: LiveRecord[] = [];
    for (const record of read.records) records.push({ ...record, id: asId(await this.#create(zone.name, record)) });
    if (zone.isSecondary) await this.#transfer(zone, id);
    return { ...read, id: asId(id), records };
  }

  /** Stores the records of a secondary zone as a transfer from its primary would. */
  async #transfer({ name, before }: DarkZone, id: number): Promise<void> {
    const lines = [
      `@ 3600 IN SOA ${nameservers[0]}. ops.${name} 1 14400 3600 1209600 3600`,
      `@ 3600 IN NS ${nameservers[0]}.`,
      ...(before?.lines ?? []).map((line) => line.replace(" ", " 3600 IN ")),
    ];
    const later = "2027-01-01T00:00:00";
    const row = { serial: 1, refresh: 14_400, retry: 3600, expire: 1_209_600, transferred: "2026-03-04T11:00:00" };
    const values = {
      ...row,
      domain_id: id,
      domain_key: name.slice(0, -1),
      master_ips: '["192.0.2.53"]',
      asked: null,
      next: later,
    };
    await this.store.write(async (db) => {
      await db
        .insertInto("slaves")
        .values({ ...values, expires: later })
        .execute();
      await writeZoneLines(db, id, "transferred", lines);
    });
  }

  /** Creates the domain of a new zone, which is disabled until the zone is activated. */
  async create({ zone }: ZonePlan): Promise<void> {
    const { type, soa_email, ttl_sec } = zone.settings;
    const body = { domain: zone.name.slice(0, -1), type, soa_email, ttl_sec, status: "disabled" };
    this.#ids.set(zone.name, (await this.call("POST", "/domains", body)).id);
    this.forgetZones();
  }

  async write(zone: string, change: RecordChange): Promise<void> {
    if (change.kind === "create") await this.#create(zone, change.after);
    else {
      const path = `/domains/${this.#idOf(zone)}/records/${this.#idAt(zone, change.before)}`;
      if (change.kind === "delete") await this.call("DELETE", path);
      else await this.call("PUT", path, toApi(change.after, asName(zone)));
      const id = this.#records.get(keyOf(zone, change.before))?.shift();
      if (change.kind === "update" && id !== undefined) this.#keep(zone, change.after, id);
    }
    this.forgetZones();
  }

  async set(zone: string, settings: readonly SettingChange[]): Promise<void> {
    const body = Object.fromEntries(settings.map(({ name, after }) => [name, after]));
    await this.call("PUT", `/domains/${this.#idOf(zone)}`, body);
    this.forgetZones();
  }

  async delete(zone: string): Promise<void> {
    await this.call("DELETE", `/domains/${this.#idOf(zone)}`);
    this.forgetZones();
  }

  // biome-ignore lint/suspicious/noExplicitAny: replies of the API.
  async call(method: string, path: string, body?: object): Promise<any> {
    const headers = { Authorization: `Bearer ${this.token}` };
    const request = new Request(`http://api/v4${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    const reply = await this.server(request);
    const read = await reply.json();
    if (!reply.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(read)}`);
    return read;
  }

  async #create(zone: string, record: ZoneRecord): Promise<number> {
    const { id } = await this.call("POST", `/domains/${this.#idOf(zone)}/records`, toApi(record, asName(zone)));
    this.#keep(zone, record, id);
    return id;
  }

  #keep(zone: string, record: ZoneRecord, id: number): void {
    const ids = this.#records.get(keyOf(zone, record)) ?? [];
    this.#records.set(keyOf(zone, record), [...ids, id]);
  }

  #idOf(zone: string): number {
    const id = this.#ids.get(zone);
    if (id === undefined) throw new Error(`${zone} is not stored`);
    return id;
  }

  #idAt(zone: string, record: ZoneRecord): number {
    const [id] = this.#records.get(keyOf(zone, record)) ?? [];
    if (id === undefined) throw new Error(`${keyOf(zone, record)} is not stored`);
    return id;
  }
}

interface Rows {
  readonly domains: readonly DomainRow[];
  readonly records: readonly RecordRow[];
  readonly slaves: readonly SlaveRow[];
  /** The zones of the slaves. */
  readonly lines: readonly Tables["zone_lines"][];
}

async function readRows(db: Database): Promise<Rows> {
  return {
    domains: await db.selectFrom("domains").selectAll().execute(),
    records: await db.selectFrom("records").selectAll().execute(),
    slaves: await db.selectFrom("slaves").selectAll().execute(),
    lines: await db.selectFrom("zone_lines").selectAll().where("kind", "=", "transferred").execute(),
  };
}

function keyOf(zone: string, record: ZoneRecord): string {
  return `${zone} ${record.owner.toLowerCase()} ${record.ttl} ${record.type} ${canonical(record)}`;
}

/**
 * Looks once for the zones around names that are in the same zones, as long as nothing is written: the store is by far
 * the slowest part.
 */
class CachedZones implements Zones {
  readonly #zones: Zones;
  readonly #cached = new Map<string, ReturnType<Zones["findZones"]>>();
  /** Every zone that may be stored. */
  names: readonly string[] = [];

  constructor(zones: Zones) {
    this.#zones = zones;
  }

  clear(): void {
    this.#cached.clear();
  }

  findZones(name: Name): ReturnType<Zones["findZones"]> {
    const key = this.names.filter((zone) => isBelow(name.toLowerCase(), zone)).join(" ");
    const known = this.#cached.get(key) ?? this.#zones.findZones(name);
    this.#cached.set(key, known);
    return known;
  }

  findTransferable(...query: Parameters<Zones["findTransferable"]>): ReturnType<Zones["findTransferable"]> {
    return this.#zones.findTransferable(...query);
  }

  listTransferred(): ReturnType<Zones["listTransferred"]> {
    return this.#zones.listTransferred();
  }
}
