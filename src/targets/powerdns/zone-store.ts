import { Fault } from "../../dns/name/fault.ts";
import { type Name, type NameKey, nameKey, readExactName } from "../../dns/name/name.ts";
import type { LiveRecord, RecordChange } from "../../dns/zone/desired-live.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import { otherSets } from "../other-sets.ts";
import type { ExpectedSet, ReadOptions, RecordReadOptions } from "../target.ts";
import { withoutSerial } from "../without-serial.ts";
import type { PowerDnsApi } from "./api.ts";
import { changedSets, newSets } from "./changed-sets.ts";
import { changedError, missingZoneError, presignedError, secondaryError } from "./failure.ts";
import { isPrimaryKind, StoredZone } from "./stored-zone.ts";

/** Reads the zones of a PowerDNS, and changes them. */
export class ZoneStore {
  readonly #api: PowerDnsApi;
  /** Zones that were created, and whose first records create them on the server: it serves none without its own. */
  readonly #created = new Map<NameKey, Name>();

  constructor(api: PowerDnsApi) {
    this.#api = api;
  }

  async names({ signal }: ReadOptions = {}): Promise<readonly Name[]> {
    const stored = (await this.#api.listZones(signal)).flatMap(({ name }) => readZoneName(name));
    const keys = new Set(stored.map(nameKey));
    return [...stored, ...[...this.#created.values()].filter((name) => !keys.has(nameKey(name)))];
  }

  async find(zone: Name): Promise<{ readonly isBlank: boolean } | undefined> {
    if (await this.#api.findZone(zone)) return { isBlank: false };
    return this.#created.has(nameKey(zone)) ? { isBlank: true } : undefined;
  }

  /** @throws {PowerDnsError} `powerdns/exists` */
  async create(zone: Name): Promise<void> {
    if (await this.find(zone)) throw this.#api.existsError(zone);
    this.#created.set(nameKey(zone), zone);
  }

  /** @throws {PowerDnsError} */
  async remove(zone: Name): Promise<void> {
    const isCreated = this.#created.delete(nameKey(zone));
    const stored = await this.#api.findZone(zone);
    if (stored && !isPrimaryKind(stored.kind)) throw secondaryError(zone, stored.kind, stored.masters ?? []);
    if (stored || !isCreated) await this.#api.deleteZone(zone);
  }

  /** The records that are served, except for those of the server. @throws {PowerDnsError} */
  async records(zone: Name, { signal, onUnknown }: RecordReadOptions = {}): Promise<readonly LiveRecord[]> {
    const stored = await this.#read(zone, signal);
    if (stored) return stored.records(onUnknown);
    if (this.#created.has(nameKey(zone))) return [];
    throw missingZoneError(zone);
  }

  /** The zone as a master file, with its serial; empty without records. @throws {PowerDnsError} */
  async text(zone: Name, { signal }: ReadOptions = {}): Promise<string> {
    const stored = await this.#read(zone, signal);
    if (!stored && !this.#created.has(nameKey(zone))) throw missingZoneError(zone);
    const records = (stored?.records() ?? []).map((record) =>
      record.type === "SOA" ? (stored?.soa ?? record) : record,
    );
    return records.map((one) => `${one.owner} ${one.ttl} IN ${one.type} ${rdataText(one)}\n`).join("");
  }

  /**
   * Changes records of a zone in one request, if its RRsets are as `expected`. They are compared right before it, and
   * an edit in between is lost.
   * @throws {PowerDnsError}
   */
  async change(
    zone: Name,
    changes: readonly RecordChange[],
    expected: readonly ExpectedSet[] | undefined,
  ): Promise<void> {
    const stored = await this.#read(zone);
    if (stored === undefined) return this.#createWith(zone, changes);
    const { kind, masters = [], dnssec, api_rectify: isRectified } = stored.reply;
    if (!stored.isPrimary) throw secondaryError(zone, kind, masters);
    if (stored.isPresigned) throw presignedError(zone);
    if (expected && !hasSets(stored, expected)) throw changedError(zone);
    await this.#api.changeRrsets(zone, changedSets(stored, changes));
    this.#created.delete(nameKey(zone));
    if (dnssec && !isRectified) await this.#api.rectify(zone);
  }

  async #createWith(zone: Name, changes: readonly RecordChange[]): Promise<void> {
    if (!this.#created.has(nameKey(zone))) throw missingZoneError(zone);
    const blank = new StoredZone(zone, { name: zone, kind: "Native", rrsets: [] });
    await this.#api.createZone(zone, { kind: "Native" }, newSets(blank, changes));
    this.#created.delete(nameKey(zone));
  }

  async #read(zone: Name, signal?: AbortSignal): Promise<StoredZone | undefined> {
    const reply = await this.#api.readZone(zone, signal);
    return reply && new StoredZone(zone, reply);
  }
}

function hasSets(zone: StoredZone, expected: readonly ExpectedSet[]): boolean {
  const records = expected.flatMap(({ owner, type }) => zone.set(owner, type).records.map(withoutSerial));
  return otherSets(records, expected).length === 0;
}

/** None for the name of a variant of a zone, which names two views of it (PowerDNS 5). */
function readZoneName(text: string): Name[] {
  try {
    return [readExactName(text)];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}
