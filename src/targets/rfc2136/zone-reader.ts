import { type Name, type NameKey, nameKey, readName } from "../../dns/name/name.ts";
import { txtText } from "../../dns/policies/kind.ts";
import { dnsClass, rcode } from "../../dns/transfer/codes.ts";
import type { Message, MessageQuestion } from "../../dns/transfer/message.ts";
import { UnprovenError } from "../../dns/transfer/signed-answer.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import type { LiveRecord, UnknownRecord } from "../../dns/zone/desired-live.ts";
import { copyRecord, isType, recordKeyOf, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { ask, askSoa, shortBounds } from "../../dns-client/ask.ts";
import type { ServerAddress, TimeBounds } from "../../dns-client/server-address.ts";
import { receiveZone } from "../../dns-client/transfer-zone.ts";
import { groupBy } from "../../group-by.ts";
import { contentId } from "../content-id.ts";
import { otherSets } from "../other-sets.ts";
import { isServerType } from "../server-types.ts";
import type { ExpectedSet } from "../target.ts";
import { olderError, queryRefusedError, readError, transferError, unservedError } from "./failure.ts";
import { programOf, type ServerProgram } from "./server-program.ts";

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

/** An RRset that an update changed. */
interface AwaitedSet {
  readonly wanted: ExpectedSet;
  /** Its records in the states that a server may still serve. */
  readonly former: readonly (readonly ZoneRecord[])[];
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

/** The errors of a connection that was cut, and of a server that starts again. */
const cutIds: ReadonlySet<string> = new Set(["transfer/connect", "transfer/incomplete"]);

/** The errors after which a server is not asked for its version: it would be waited for in vain. */
const silentIds: ReadonlySet<string> = new Set([...cutIds, "transfer/aborted", "transfer/timeout"]);

/** Waits before a question to a server that answered before is asked again, in milliseconds. */
const cutWaits = [250, 1_000, 4_000];

/** The errors of a query for the SOA record that a server replies if it does not have the zone. */
const absentIds: ReadonlySet<string> = new Set(["transfer/soa", "transfer/notauth"]);

/** Reads the zones of a name server, by transfer. */
export class ZoneReader {
  /** The number of queries so far. */
  requests = 0;
  readonly #options: UpdatePrimary;
  readonly #last = new Map<NameKey, PrimaryZone>();
  /** The RRsets of each zone that its last updates changed. */
  readonly #awaited = new Map<NameKey, Map<string, AwaitedSet>>();
  #version: Promise<string | undefined> | undefined;

  constructor(options: UpdatePrimary) {
    this.#options = options;
  }

  /** The primary. */
  get server(): ServerAddress {
    return this.#options.server;
  }

  /** Queries the primary, as it is asked for zones. @throws {TransferError} without a response. */
  ask(question: MessageQuestion, signal?: AbortSignal): Promise<Message> {
    const { server, bounds = {} } = this.#options;
    return ask(server, { question }, { ...this.#settings(signal), bounds: { ...shortBounds, ...bounds } });
  }

  /** The zone as it was last transferred, unless an update followed. */
  last(zone: Name): PrimaryZone | undefined {
    return this.#awaited.has(nameKey(zone)) ? undefined : this.#last.get(nameKey(zone));
  }

  /** Whether the zone was signed when it was last transferred. */
  isSigned(zone: Name): boolean {
    return this.#last.get(nameKey(zone))?.isSigned ?? false;
  }

  /** Notes how RRsets were before an update, and how they are to be served after it. */
  awaitSets(zone: Name, before: readonly ExpectedSet[], after: readonly ExpectedSet[]): void {
    const awaited = this.#awaited.get(nameKey(zone)) ?? new Map<string, AwaitedSet>();
    for (const set of before) if (!awaited.has(setKeyOf(set))) awaited.set(setKeyOf(set), { wanted: set, former: [] });
    for (const set of after) {
      const { wanted, former } = awaited.get(setKeyOf(set)) ?? { wanted: set, former: [] };
      awaited.set(setKeyOf(set), { wanted: set, former: [...former, wanted.records] });
    }
    this.#awaited.set(nameKey(zone), awaited);
  }

  /**
   * The SOA record that the primary serves; undefined if it does not serve the zone.
   * @throws {TransferError}
   */
  async findSoa(zone: Name, signal?: AbortSignal): Promise<ZoneRecord<"SOA"> | undefined> {
    const { server, key } = this.#options;
    const to = { zone, server, key };
    this.requests++;
    try {
      return await this.#askAgain(zone, () => askSoa(server, zone, this.#settings(signal)));
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      if (absentIds.has(error.problem.id)) return undefined;
      // Knot does not sign that it has no such zone.
      const isRefusal = error instanceof UnprovenError && error.rcode === rcode.REFUSED;
      if (!isRefusal && error.problem.id !== "transfer/refused") throw readError(to, error);
      if (await this.#lacks(zone, signal)) return undefined;
      throw queryRefusedError({ ...to, program: await this.program() });
    }
  }

  /**
   * Whether a server that refuses a query for the SOA record does not have the zone. All refuse that query for a zone
   * that they do not have, and BIND as well for one whose `allow-query` forbids it; a transfer tells them apart.
   */
  async #lacks(zone: Name, signal: AbortSignal | undefined): Promise<boolean> {
    this.requests++;
    try {
      await receiveZone({ ...this.#settings(signal), zone, server: this.#options.server });
      return false;
    } catch (error) {
      if (error instanceof TransferError) return error.problem.id === "transfer/notauth";
      throw error;
    }
  }

  /**
   * Transfers a zone. After updates, it waits some seconds until the server serves them, and as long as it serves more
   * and more of them. An RRset that is served in a state from neither before nor after an update was changed by someone
   * else, and is not waited for (decisions/dynamic-updates#read-back).
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
        const left = countFormer(awaited, transferred, this.#last.get(nameKey(zone)));
        if (left === 0) return this.#keep(zone, transferred);
        if (left < least) tries = 0;
        least = Math.min(least, left);
        ({ serial } = transferred.soa.data);
      }
      await this.#options.sleep(signerWaits[tries] ?? 0);
    }
    return this.#keep(zone, await this.#transferCurrent(zone, signal));
  }

  /**
   * Transfers a zone after a write to it.
   * @throws {TransferError} also `update/unserved` if the server accepted an update that it does not serve.
   */
  async readBack(zone: Name, signal?: AbortSignal): Promise<PrimaryZone> {
    const wanted = [...(this.#awaited.get(nameKey(zone))?.values() ?? [])].map((set) => set.wanted);
    const former = this.#last.get(nameKey(zone))?.soa.data.serial;
    const current = await this.transfer(zone, signal);
    const { serial } = current.soa.data;
    if (serial !== former || otherSets(current.records, wanted).length === 0) return current;
    const { server, key } = this.#options;
    throw unservedError({ zone, server, key }, serial);
  }

  /** The text in which the primary states its version; undefined if it states none. */
  version(): Promise<string | undefined> {
    this.#version ??= this.#askVersion();
    return this.#version;
  }

  /** The program of the primary, if its version tells. */
  async program(): Promise<ServerProgram | undefined> {
    return programOf(await this.version());
  }

  #keep(zone: Name, transferred: PrimaryZone): PrimaryZone {
    this.#last.set(nameKey(zone), transferred);
    this.#awaited.delete(nameKey(zone));
    return transferred;
  }

  /** A transfer from another server than the primary must have the zone of the primary. */
  async #transferCurrent(zone: Name, signal: AbortSignal | undefined): Promise<PrimaryZone> {
    const { transferFrom, server, key } = this.#options;
    if (transferFrom === undefined) return this.#transferOnce(zone, signal);
    for (const wait of [...secondaryWaits, undefined]) {
      const [transferred, soa] = [await this.#transferOnce(zone, signal), await this.findSoa(zone, signal)];
      const { serial } = transferred.soa.data;
      if (serial === soa?.data.serial) return transferred;
      if (wait === undefined) throw olderError({ zone, server: transferFrom, key }, server, [serial, soa?.data.serial]);
      await this.#options.sleep(wait);
    }
    throw new Error("the last wait is none");
  }

  async #transferOnce(zone: Name, signal: AbortSignal | undefined): Promise<PrimaryZone> {
    const { server, transferFrom = server, key } = this.#options;
    this.requests++;
    try {
      const options = { ...this.#settings(signal), zone, server: transferFrom };
      const { records, unread } = await this.#askAgain(zone, () => receiveZone(options));
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
      if (!(error instanceof TransferError)) throw error;
      const isOfPrimary = transferFrom === server && !silentIds.has(error.problem.id);
      const program = isOfPrimary ? await this.program() : undefined;
      throw transferError({ zone, server: transferFrom, key, program }, error);
    }
  }

  /**
   * Asks again after a cut connection, if the zone was transferred before: then the address and the key are right
   * (decisions/dynamic-updates#lost-replies).
   */
  async #askAgain<T>(zone: Name, ask: () => Promise<T>): Promise<T> {
    const waits = this.#last.has(nameKey(zone)) ? cutWaits : [];
    for (const wait of waits) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof TransferError) || !cutIds.has(error.problem.id)) throw error;
        await this.#options.sleep(wait);
        this.requests++;
      }
    }
    return ask();
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

/**
 * The number of RRsets that a zone has as they were before an update, or when it was last transferred, so that the
 * update may not be served yet.
 */
function countFormer(sets: readonly AwaitedSet[], zone: PrimaryZone, last: PrimaryZone | undefined): number {
  const served = recordsOf(zone, sets);
  const stateIn = (found: ReadonlyMap<string, readonly ZoneRecord[]>, { wanted }: AwaitedSet) =>
    stateOf(found.get(setKeyOf(wanted)) ?? []);
  const others = sets.filter((set) => stateIn(served, set) !== stateOf(set.wanted.records));
  const transferred = last && others.length > 0 ? recordsOf(last, others) : undefined;
  return others.filter((set) => {
    const now = stateIn(served, set);
    return (transferred && stateIn(transferred, set) === now) || set.former.some((one) => stateOf(one) === now);
  }).length;
}

function recordsOf({ records }: PrimaryZone, sets: readonly AwaitedSet[]): Map<string, ZoneRecord[]> {
  const keys = new Set(sets.map(({ wanted }) => setKeyOf(wanted)));
  const found: ZoneRecord[] = records.filter((record) => keys.has(setKeyOf(record)));
  return groupBy(found, setKeyOf);
}

/** The records of an RRset with their TTLs. */
function stateOf(records: readonly ZoneRecord[]): string {
  return records
    .map((record) => `${recordKeyOf(record)} ${record.ttl}`)
    .sort()
    .join("\n");
}
