import { type Name, type NameKey, nameKey, readName } from "../../dns/name/name.ts";
import { txtText } from "../../dns/policies/kind.ts";
import { dnsClass, rcode } from "../../dns/transfer/codes.ts";
import { UnsignedError } from "../../dns/transfer/signed-answer.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import type { LiveRecord, UnknownRecord } from "../../dns/zone/desired-live.ts";
import { copyRecord, isType, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { ask, askSoa } from "../../dns-client/ask.ts";
import type { ServerAddress, TimeBounds } from "../../dns-client/server-address.ts";
import { receiveZone } from "../../dns-client/transfer-zone.ts";
import { contentId } from "../content-id.ts";
import { otherSets } from "../other-sets.ts";
import type { ExpectedSet } from "../target.ts";
import { olderError, readError } from "./failure.ts";
import { isServerType } from "./kind.ts";

/** A name server and how to talk to it. */
export interface UpdatePrimary {
  /** The primary, which takes the updates. */
  readonly server: ServerAddress;
  /** The server that zones are transferred from; by default the primary. */
  readonly transferFrom?: ServerAddress | undefined;
  /** Signs updates and transfers; without one, the server has to know the address. */
  readonly key?: Key | undefined;
  readonly bounds?: Partial<TimeBounds>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A zone as it was last transferred. */
export interface PrimaryZone {
  readonly soa: ZoneRecord<"SOA">;
  readonly records: readonly LiveRecord[];
  /** Records that belong to the server, or whose value is invalid. */
  readonly others: readonly UnknownRecord[];
  readonly isSigned: boolean;
}

/**
 * Waits for a server that serves an update later than it replies, because it signs the zone in between, in
 * milliseconds.
 */
const signerWaits = [0, 20, 50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/** Waits for a secondary that has not transferred the zone yet, in milliseconds. */
const secondaryWaits = [100, 400, 1_500, 5_000];

/** The errors of a server that does not have the zone. */
const absentIds: ReadonlySet<string> = new Set([
  "transfer/soa",
  "transfer/refused",
  "transfer/notauth",
  "transfer/rcode",
]);

/** Errors without a signature that say the same. Knot signs none for a zone that it does not have. */
const absentCodes: ReadonlySet<number> = new Set([rcode.REFUSED, rcode.NOTAUTH]);

/** Reads the zones of a name server, by transfer. */
export class ZoneReader {
  /** The number of queries so far. */
  requests = 0;
  readonly #options: UpdatePrimary;
  readonly #last = new Map<NameKey, PrimaryZone>();
  /** The RRsets of each zone as they have to be served after its last updates. */
  readonly #awaited = new Map<NameKey, Map<string, ExpectedSet>>();
  #version: Promise<string | undefined> | undefined;

  constructor(options: UpdatePrimary) {
    this.#options = options;
  }

  /** The zone as it was last transferred, unless an update followed. */
  last(zone: Name): PrimaryZone | undefined {
    return this.#awaited.has(nameKey(zone)) ? undefined : this.#last.get(nameKey(zone));
  }

  /** Whether the zone was signed when it was last transferred. */
  isSigned(zone: Name): boolean {
    return this.#last.get(nameKey(zone))?.isSigned ?? false;
  }

  /** Notes how RRsets are to be served after an update. */
  awaitSets(zone: Name, sets: readonly ExpectedSet[]): void {
    const awaited = this.#awaited.get(nameKey(zone)) ?? new Map<string, ExpectedSet>();
    for (const set of sets) awaited.set(setKeyOf(set), set);
    this.#awaited.set(nameKey(zone), awaited);
  }

  /**
   * The SOA record that the primary serves; undefined if it does not serve the zone.
   * @throws {TransferError}
   */
  async findSoa(zone: Name, signal?: AbortSignal): Promise<ZoneRecord<"SOA"> | undefined> {
    const { server } = this.#options;
    this.requests++;
    try {
      return await askSoa(server, zone, this.#settings(signal));
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      const isRefusal = error instanceof UnsignedError && absentCodes.has(error.rcode);
      if (isRefusal || absentIds.has(error.problem.id)) return undefined;
      throw readError(zone, server, error);
    }
  }

  /**
   * Transfers a zone. After updates, it waits some seconds until the server serves them, and as long as it serves more
   * and more of them: not longer, because someone else may have changed the same RRsets.
   * @throws {TransferError}
   */
  async transfer(zone: Name, signal?: AbortSignal): Promise<PrimaryZone> {
    const awaited = [...(this.#awaited.get(nameKey(zone))?.values() ?? [])];
    let serial = this.#last.get(nameKey(zone))?.soa.data.serial;
    let least = awaited.length;
    for (let tries = 0; awaited.length > 0 && tries < signerWaits.length; tries++) {
      const soa = await this.findSoa(zone, signal);
      if (soa?.data.serial !== serial) {
        const transferred = await this.#transferOnce(zone, signal);
        const left = unserved(awaited, transferred);
        if (left === 0) return this.#keep(zone, transferred);
        if (left < least) tries = 0;
        least = Math.min(least, left);
        ({ serial } = transferred.soa.data);
      }
      await this.#options.sleep(signerWaits[tries] ?? 0);
    }
    return this.#keep(zone, await this.#transferCurrent(zone, signal));
  }

  /** The text in which the primary states its version; undefined if it states none. */
  version(): Promise<string | undefined> {
    this.#version ??= this.#askVersion();
    return this.#version;
  }

  #keep(zone: Name, transferred: PrimaryZone): PrimaryZone {
    this.#last.set(nameKey(zone), transferred);
    this.#awaited.delete(nameKey(zone));
    return transferred;
  }

  /** A transfer from another server than the primary must have the zone of the primary. */
  async #transferCurrent(zone: Name, signal: AbortSignal | undefined): Promise<PrimaryZone> {
    const { transferFrom, server } = this.#options;
    if (transferFrom === undefined) return this.#transferOnce(zone, signal);
    for (const wait of [...secondaryWaits, undefined]) {
      const [transferred, soa] = [await this.#transferOnce(zone, signal), await this.findSoa(zone, signal)];
      const { serial } = transferred.soa.data;
      if (serial === soa?.data.serial) return transferred;
      if (wait === undefined) throw olderError(zone, { server, transferFrom }, [serial, soa?.data.serial]);
      await this.#options.sleep(wait);
    }
    throw new Error("the last wait is none");
  }

  async #transferOnce(zone: Name, signal: AbortSignal | undefined): Promise<PrimaryZone> {
    const { server, transferFrom = server } = this.#options;
    this.requests++;
    try {
      const { records, unread } = await receiveZone({ ...this.#settings(signal), zone, server: transferFrom });
      const soa = records.find((record) => isType(record, "SOA"));
      if (soa === undefined) throw new Error("a transfer begins with the SOA record");
      const ofServer = records.filter(({ type }) => isServerType(type));
      return {
        soa,
        records: liveRecords(records.filter(({ type }) => !isServerType(type))),
        others: [
          ...ofServer.map(({ owner, type }) => ({ name: owner, type, isOfService: true })),
          ...unread.map(({ owner, type }) => ({ name: owner, type })),
        ],
        isSigned: ofServer.some(({ type }) => type === "RRSIG"),
      };
    } catch (error) {
      if (error instanceof TransferError) throw readError(zone, transferFrom, error);
      throw error;
    }
  }

  async #askVersion(): Promise<string | undefined> {
    this.requests++;
    try {
      const question = { name: versionName, type: "TXT", class: dnsClass.ch };
      const { answers } = await ask(this.#options.server, { question }, { ...this.#settings(), key: undefined });
      const version = answers.find((record) => isType(record, "TXT"));
      return version && txtText(version);
    } catch (error) {
      if (error instanceof TransferError) return undefined;
      throw error;
    }
  }

  #settings(signal?: AbortSignal) {
    const { key, bounds, now } = this.#options;
    const seconds = () => Math.floor(now() / 1000);
    return { key, now: seconds, ...(bounds && { bounds }), ...(signal && { signal }) };
  }
}

const versionName = readName("version.bind.");

/** Records by their content: a server may send one twice. */
function liveRecords(records: readonly ZoneRecord[]): LiveRecord[] {
  const live = records.map((record) => copyRecord(record, { id: contentId(record) }));
  return [...new Map(live.map((record) => [record.id, record])).values()];
}

/** The number of RRsets that a zone has not as they are expected, with their TTLs. */
export function unserved(sets: readonly ExpectedSet[], { records }: PrimaryZone): number {
  const ttls = new Map(records.map((record) => [record.id, record.ttl]));
  const others = new Set(otherSets(records, sets));
  const hasTtls = (set: ExpectedSet) => set.records.every((one) => ttls.get(contentId(one)) === one.ttl);
  return sets.filter((set) => others.has(set) || !hasTtls(set)).length;
}
