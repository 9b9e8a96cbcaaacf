import type { Client } from "../client/client.ts";
import { all } from "../client/pages.ts";
import type { Clock } from "../client/rate.ts";
import type { DesiredRecord, LiveRecord } from "../dns/desired-live.ts";
import { changed } from "../dns/zone.ts";
import type { RecordChange, ZonePlan } from "../planner/change.ts";
import { apiName, fromApi, toApi } from "../targets/api/mapping.ts";
import type { Where } from "./entry.ts";
import { changedMeanwhile, isAmbiguous, isGone, isInvalid, lookUntil, messageOf, shown, waits } from "./outcome.ts";
import { isSame } from "./sameness.ts";
import type { ZoneLog } from "./zone-log.ts";

/** What became of a write: the one that would undo it, or undefined when somebody else had done it already. */
export interface Written {
  readonly inverse: RecordChange | undefined;
}

/** A record that this run created, and the write that did. */
export interface Created {
  readonly record: LiveRecord;
  readonly where: Where;
}

export interface WriteOptions {
  /** The record was looked at just now, and nothing may come between. */
  readonly isFresh?: boolean;
  /** Names have no answer until this is through: it goes before other requests, and is not waited for as long. */
  readonly isUrgent?: boolean;
}

/**
 * Carries out single writes to the records of a domain so that each is done once, whatever becomes of the replies
 * (plan-apply: Ambiguous outcomes). A record is looked at right before it is changed or deleted: what somebody else has
 * written to it stays. The API has no conditional write, so what is left is the time from that look to the write.
 */
export class Writer {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #plan: ZonePlan;
  readonly #domainId: number;
  readonly #log: ZoneLog;
  /** The records that were there before, and ours: another one with the value that we sent is what became of it. */
  readonly #known: Set<number>;
  readonly #created = new Map<number, Created>();

  constructor(client: Client, clock: Clock, plan: ZonePlan, domainId: number, known: Iterable<number>, log: ZoneLog) {
    this.#client = client;
    this.#clock = clock;
    this.#plan = plan;
    this.#domainId = domainId;
    this.#known = new Set(known);
    this.#log = log;
  }

  /** The records that this run created, by id. Where a reply was lost, the id is what the look afterwards found. */
  get created(): ReadonlyMap<number, Created> {
    return this.#created;
  }

  /** Rejects as the client's methods do, and with a `live-changed` refusal. */
  async write(change: RecordChange, where: Where, options: WriteOptions = {}): Promise<Written> {
    if (change.kind === "create") {
      const id = await this.#create(change, where, options);
      if (id === undefined) return { inverse: undefined };
      const record = stored(change.after, id);
      this.#known.add(id);
      this.#created.set(id, { record, where });
      return { inverse: { kind: "delete", before: record } };
    }
    const isOurs = await this.#replace(change, where, options);
    if (!isOurs) return { inverse: undefined };
    const { before } = change;
    if (change.kind === "delete") return { inverse: { kind: "create", after: before } };
    return { inverse: { kind: "update", before: stored(change.after, before.id), after: before } };
  }

  /**
   * Looks at a record that is to be changed or deleted: is that still to be done?
   * @throws {Refusal} `live-changed` when somebody else has written to it.
   */
  async isOpen(change: Exclude<RecordChange, { kind: "create" }>): Promise<boolean> {
    const { before, after } = this.#plan.defaultTtl;
    const now = await this.#stored(change.before.id);
    if (now === undefined && change.kind === "delete") return false;
    if (now && change.kind === "update" && isSame(change.after, now, after)) return false;
    if (now && isSame(change.before, now, before)) return true;
    throw changedMeanwhile([shown(change.before)]);
  }

  async #stored(recordId: number): Promise<LiveRecord | undefined> {
    try {
      const record = await this.#client.getRecord({ domainId: this.#domainId, recordId });
      return { ...fromApi(record, this.#plan.zone.name), id: recordId };
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /**
   * Gives the new record's id, or undefined where the service refuses it because somebody else has created it by now.
   * A POST with an unknown outcome is sent once more at most, and not before the patience is over.
   */
  async #create(
    change: RecordChange & { kind: "create" },
    where: Where,
    { isUrgent = false }: WriteOptions,
  ): Promise<number | undefined> {
    const { after } = change;
    const body = toApi(after, this.#plan.zone.name);
    // The service lets no second one stand beside a CNAME: there, sending again can do no harm, so nothing is waited for.
    const isUnique = after.type === "CNAME";
    // In a swap, to put back what was there ends the gap sooner; the service refuses beside it what may come late.
    const isPatient = !isUrgent || where.back;
    const longest = isUnique ? [] : isPatient ? waits : waits.slice(0, 4);
    for (let attempt = 1; ; attempt++) {
      await this.#log.sent(where);
      try {
        const { id } = await this.#client.createRecord({ domainId: this.#domainId, body }, { urgent: isUrgent });
        this.#log.acked(where, { id });
        return id;
      } catch (error) {
        // A conflict with what was sent before means that it had been carried out.
        const isConflict = attempt > 1 && isInvalid(error);
        if (!isAmbiguous(error) && !isConflict) {
          if (isInvalid(error) && (await this.#isPresent(after))) {
            this.#log.acked(where, { already: true });
            return undefined;
          }
          this.#log.refused(where, messageOf(error));
          throw error;
        }
        this.#log.ambiguous(where, change, error);
        const id = await lookUntil(() => this.#find(after), this.#clock, attempt > 1 ? [] : longest);
        // Of the last attempt, and where it is given up early, nobody waits for the outcome: the zone stops, and the next
        // run looks first.
        const isSentAgain = attempt === 1 && (isUnique || isPatient);
        if (id !== undefined || isSentAgain || isConflict)
          this.#log.resolved(where, change, { done: id !== undefined, ...(id !== undefined && { id }) });
        if (id !== undefined) return id;
        if (!isSentAgain) throw error;
      }
    }
  }

  /** After a refusal: a look that fails leaves the refusal as it is. */
  async #isPresent(wanted: DesiredRecord): Promise<boolean> {
    return (await this.#find(wanted).catch(() => undefined)) !== undefined;
  }

  /**
   * The id of a record of this value that was not there before. Of several, one is ours and the others are those of
   * another run: the highest, because every record but the lowest is deleted again (`findDuplicates`).
   */
  async #find(wanted: DesiredRecord): Promise<number | undefined> {
    const zone = this.#plan.zone.name;
    const isNamed = wanted.type !== "SRV"; // the service builds the name of an SRV record
    const filter = { type: wanted.type, ...(isNamed && { name: apiName(wanted.owner, zone) }) };
    const records = await all(this.#client.listRecords, { domainId: this.#domainId, filter });
    const { after } = this.#plan.defaultTtl;
    const found = records.filter(({ id }) => !this.#known.has(id));
    const ids = found.filter((record) => isSame(wanted, fromApi(record, zone), after)).map(({ id }) => id);
    return ids.length === 0 ? undefined : Math.max(...ids);
  }

  /** Changes or deletes; false when that was not ours. To send these again does no harm once somebody has looked. */
  async #replace(
    change: Exclude<RecordChange, { kind: "create" }>,
    where: Where,
    { isFresh = false, isUrgent = false }: WriteOptions,
  ): Promise<boolean> {
    const ids = { domainId: this.#domainId, recordId: change.before.id };
    for (let attempt = 0; ; attempt++) {
      if (attempt > 0 || !isFresh) {
        const isOpen = await lookUntil(() => this.isOpen(change), this.#clock, attempt > 0 ? waits.slice(attempt) : []);
        if (attempt > 0) this.#log.resolved(where, change, { done: isOpen === false });
        else if (!isOpen) this.#log.acked(where, { already: true });
        if (!isOpen) return attempt > 0;
      }
      await this.#log.sent(where);
      try {
        if (change.kind === "delete") await this.#client.deleteRecord(ids, { urgent: isUrgent });
        else {
          const body = toApi(change.after, this.#plan.zone.name);
          await this.#client.updateRecord({ ...ids, body }, { urgent: isUrgent });
        }
        this.#log.acked(where, { id: change.before.id });
        return true;
      } catch (error) {
        if (change.kind === "delete" && isGone(error)) {
          this.#log.acked(where, attempt > 0 ? {} : { already: true });
          return attempt > 0;
        }
        const pause = waits[attempt];
        if (!isAmbiguous(error) || pause === undefined) {
          if (!isAmbiguous(error)) this.#log.refused(where, messageOf(error));
          throw error;
        }
        this.#log.ambiguous(where, change, error);
        await this.#clock.sleep(attempt === 0 ? 0 : pause);
      }
    }
  }
}

/** What was written, with the id under which it is stored. */
function stored(record: DesiredRecord, id: number): LiveRecord {
  return changed(record, { id, ...(record.otherTtl !== undefined && { otherTtl: record.otherTtl }) });
}
