import { escapeControl } from "../../diagnostics/escape.ts";
import { type Name, type NameKey, nameKey, wildcardBelow } from "../../dns/name/name.ts";
import { rcode } from "../../dns/transfer/codes.ts";
import { largestMessage } from "../../dns/transfer/message.ts";
import { type Update, updateOctets } from "../../dns/transfer/update.ts";
import type { UpdateReply } from "../../dns/transfer/update-reply.ts";
import type { RecordChange } from "../../dns/zone/desired-live.ts";
import { recordKeyOf } from "../../dns/zone/zone.ts";
import { sendUpdate } from "../../dns-client/send-update.ts";
import { otherSets } from "../other-sets.ts";
import type { ExpectedSet, ServiceFact } from "../target.ts";
import {
  crowdedError,
  keyText,
  loneNsError,
  lostError,
  type RequestTo,
  replyError,
  tooLargeError,
  type UpdateError,
  unsentError,
} from "./failure.ts";
import { type Quirks, quirksOf, quirkTexts } from "./quirks.ts";
import type { ServerProgram } from "./server-program.ts";
import { crowdedCname, dependsOnQuirks, isLoneNsTtl, setsAfter, setsAtNames, updateFor } from "./update-for.ts";
import { type PrimaryZone, type UpdatePrimary, unserved, type ZoneReader } from "./zone-reader.ts";

/** The number of tries with the SOA record as a prerequisite, while others change the zone all the time. */
const triesWithSoa = 3;

/** The most octets of an SOA record: owner, fixed fields and two names (RFC 1035 §3.3.13). */
const octetsOfSoa = 255 + 10 + 2 * 255 + 20;

/** Sends updates to the primary of zones. */
export class ZoneUpdater {
  readonly #server: UpdatePrimary;
  readonly #reader: ZoneReader;
  /** Zones whose served SOA record is not the one that updates are compared with. */
  readonly #withOtherSoa = new Set<NameKey>();

  constructor(server: UpdatePrimary, reader: ZoneReader) {
    this.#server = server;
    this.#reader = reader;
  }

  /**
   * Changes records of a zone in one update, if the RRsets are as `expected`. Where the server compares the SOA record
   * of the last transfer, the update requires it as well, which notices an edit elsewhere in the zone. Such an edit is
   * no conflict by itself, because signers, DHCP servers and ACME clients write too: the RRsets are then read again.
   * @throws {UpdateError}
   */
  async change(zone: Name, changes: readonly RecordChange[], expected: readonly ExpectedSet[]): Promise<void> {
    const { server, key } = this.#server;
    const to: RequestTo = { zone, server, key };
    const crowded = crowdedCname(changes, expected);
    if (crowded !== undefined) throw crowdedError(to, crowded);
    const quirks = await this.#quirks(zone, changes, expected);
    const whole = updateFor(zone, changes, { expected, quirks });
    const isTooLong = updateOctets(whole, key) > largestMessage - octetsOfSoa;
    const update = isTooLong ? updateFor(zone, changes, { expected, quirks, isShort: true }) : whole;
    const after = setsAfter(changes, expected);
    let known = this.#reader.last(zone);
    const hasOtherSoa = () => this.#withOtherSoa.has(nameKey(zone));
    // BIND that signs inline may serve an update only after the next one, if it comes while it signs (9.18, 2026-11).
    if (!known && hasOtherSoa()) known = await this.#reader.transfer(zone);
    for (let left = triesWithSoa; ; left--) {
      const soa = left > 0 && !hasOtherSoa() ? known?.soa : undefined;
      const reply = await this.#change(to, soa ? withSoa(update, soa) : update, after);
      if (reply === undefined) break;
      const isUnmet = reply.rcode === rcode.NXRRSET && soa !== undefined;
      if (!isUnmet) throw await this.#replyError(to, reply, after);
      const now = await this.#reader.transfer(zone);
      const isCrowded = crowdedCname(changes, setsAtNames(now.records, changes)) !== undefined;
      if (isCrowded || otherSets(now.records, expected).length > 0) throw await this.#replyError(to, reply);
      if (recordKeyOf(now.soa) === recordKeyOf(soa)) this.#withOtherSoa.add(nameKey(zone));
      known = now;
    }
    this.#reader.awaitSets(zone, expected, after);
  }

  /**
   * Tries whether the key may update the zone, and whether the SOA record that is served is the one that updates are
   * compared with. Nothing changes: no prerequisite holds that has an update with it.
   * @throws {UpdateError} also if the key may not update the zone
   */
  async examine(zone: Name, signal?: AbortSignal): Promise<readonly ServiceFact[]> {
    const { server, key } = this.#server;
    const { soa, isSigned } = await this.#reader.transfer(zone, signal);
    const version = await this.#reader.version();
    const program = await this.#reader.program();
    const quirks = quirkTexts(quirksOf(program, { isSigned }));
    const to = { zone, server, key };
    const reply = await this.#send(to, refusedUpdate(zone), signal);
    if (reply !== undefined && reply.rcode !== rcode.YXRRSET) throw await this.#replyError(to, reply);
    const signer = key ? `signed with the ${keyText(key)}` : "without a key";
    const isCompared = await this.#comparesSoa(to, soa, signal);
    const limit = isCompared ? "" : "; the serial cannot be compared, because the served one is another";
    return [
      {
        subject: "server",
        state: "ok",
        text: `${serverVersionText(version, program)}${isSigned ? "; signs the zone" : ""}`,
      },
      ...(quirks.length > 0 ? [{ subject: "quirks", state: "ok" as const, text: quirks.join("; ") }] : []),
      { subject: "updates", state: "ok", text: `accepted, ${signer}${limit}` },
    ];
  }

  /** Whether updates are compared with the SOA record as served, which may change between transfer and question. */
  async #comparesSoa(to: RequestTo, soa: PrimaryZone["soa"], signal?: AbortSignal): Promise<boolean> {
    const { zone } = to;
    const isEqual = async (served: PrimaryZone["soa"]) => {
      const reply = await this.#send(to, withSoa({ zone, prerequisites: [], steps: [] }, served), signal);
      if (reply !== undefined && reply.rcode !== rcode.NXRRSET) throw await this.#replyError(to, reply);
      return reply === undefined;
    };
    if (await isEqual(soa)) return true;
    const now = await this.#reader.transfer(zone, signal);
    return recordKeyOf(now.soa) !== recordKeyOf(soa) && isEqual(now.soa);
  }

  /**
   * Undefined if the update took effect, so that its RRsets are `wanted`. An error without a signature counts only if
   * they are not: PowerDNS signs none, but anybody can send one.
   * @throws {UpdateError} without a reply
   */
  async #change(to: RequestTo, update: Update, wanted: readonly ExpectedSet[]): Promise<UpdateReply | undefined> {
    const reply = await this.#send(to, update);
    if (reply === undefined || reply.isProven) return reply;
    return unserved(wanted, await this.#reader.transfer(to.zone)) === 0 ? undefined : reply;
  }

  /** Undefined if the update took effect. @throws {UpdateError} without a reply */
  async #send(to: RequestTo, update: Update, signal?: AbortSignal): Promise<UpdateReply | undefined> {
    const { server, key, bounds, now } = this.#server;
    if (updateOctets(update, key) > largestMessage) throw tooLargeError(to, update);
    const seconds = () => Math.floor(now() / 1000);
    const options = { key, now: seconds, ...(bounds && { bounds }), ...(signal && { signal }) };
    const outcome = await sendUpdate(server, update, options);
    if (outcome.kind === "unsent") throw unsentError(to, outcome.reason);
    if (outcome.kind === "lost" && outcome.claim) return outcome.claim;
    if (outcome.kind === "lost") throw lostError(to, outcome.reason);
    return outcome.reply.rcode === rcode.NOERROR ? undefined : outcome.reply;
  }

  /** The error of a reply, with advice about the program of the server. */
  async #replyError(to: RequestTo, reply: UpdateReply, wanted: readonly ExpectedSet[] = []): Promise<UpdateError> {
    return replyError({ ...to, program: await this.#reader.program() }, reply, wanted);
  }

  /** The server is asked for its version only where the update depends on it. */
  async #quirks(zone: Name, changes: readonly RecordChange[], expected: readonly ExpectedSet[]): Promise<Quirks> {
    const isSigned = this.#reader.isSigned(zone);
    if (!dependsOnQuirks(zone, changes, { expected, isSigned })) return quirksOf(undefined, { isSigned: false });
    const quirks = quirksOf(await this.#reader.program(), { isSigned });
    if (quirks.keepsTtlOfNs && isLoneNsTtl(zone, changes, expected)) throw loneNsError(zone, this.#server.server);
    return quirks;
  }
}

/** The program of a server with its version, which BIND states alone. */
function serverVersionText(version: string | undefined, program: ServerProgram | undefined): string {
  const stated = version === undefined ? "no version" : escapeControl(version);
  if (program === undefined) return `unknown, and updated like Knot: it states ${stated}`;
  return stated.startsWith(program) ? stated : `${program} ${stated}`;
}

/** The SOA record comes first, so that the server refuses a changed zone before it compares RRsets. */
function withSoa(update: Update, soa: PrimaryZone["soa"]): Update {
  return { ...update, prerequisites: [{ kind: "set equals", records: [soa] }, ...update.prerequisites] };
}

/**
 * An update that never takes effect, because the zone has an SOA record; an allowed one gets YXRRSET. BIND compares
 * each record with `update-policy` before the prerequisites, so there is one at the apex and one below it.
 */
function refusedUpdate(zone: Name): Update {
  const text = (owner: Name) => ({ owner, type: "TXT", ttl: 60, data: { strings: ["zonewright"] } });
  return {
    zone,
    prerequisites: [{ kind: "no set", owner: zone, type: "SOA" }],
    steps: [zone, wildcardBelow(zone)].map((owner) => ({ kind: "add", record: text(owner) })),
  };
}
