import type { ProblemError } from "../../diagnostics/problem.ts";
import type { DesiredRecord, Id, LiveRecord } from "../../dns/zone/desired-live.ts";
import { copyRecord, type ZoneRecord } from "../../dns/zone/zone.ts";
import { type RecordChange, type SettingChange, subject, type ZonePlan } from "../../planner/changes/change.ts";
import { contentId } from "../../targets/content-id.ts";
import type { RecordWriteOptions, WriteFailure, ZoneRef } from "../../targets/target.ts";
import type { ApplyContext } from "../journal/apply-context.ts";
import {
  domainCreatedError,
  type FailureReader,
  liveChangedError,
  recordText,
  setsChangedError,
} from "../journal/apply-problems.ts";
import type { Where } from "../journal/journal-line.ts";
import { checkSchedules, lookFor, once, type Write } from "../journal/once.ts";
import { readsZonesOnly } from "../journal/writes.ts";
import { type ChangePart, changeSetLog, type WriteResult, type ZoneLog } from "../journal/zone-log.ts";
import { isSame, settingsState } from "./compare-live.ts";
import { KnownSets } from "./known-sets.ts";

/** A record that this run created, and the write that created it. */
export interface CreatedRecord {
  readonly record: LiveRecord;
  readonly where: Where;
}

export interface ZoneWriteOptions {
  /** The record was read just now; the write follows without another read. */
  readonly isFresh?: boolean;
  /** Names are unresolvable until this write is done: it precedes other requests, and times out sooner. */
  readonly isUrgent?: boolean;
}

type Context = Pick<ApplyContext, "target" | "clock">;
type Replacement = Exclude<RecordChange, { kind: "create" }>;

/**
 * Writes to a zone and its records, each of which takes effect once. Records and settings are read right before they
 * are changed or deleted, so that edits by others are kept. Without a lock, an edit between that read and the write can
 * be lost. With `readsZonesOnly`, records are not read again: a lock refuses the write, or the plan says that there is
 * none. Writes then follow one another, because each expects the sets that the last one left.
 */
export class ZoneWriter {
  readonly #context: Context & { readonly log: ZoneLog };
  readonly #plan: ZonePlan;
  /** Undefined until the zone is created. */
  #stored: ZoneRef | undefined;
  /**
   * Records from before the run, and those that it created: any other record with a value that we sent is the result of
   * that write.
   */
  #known = new Set<Id>();
  readonly #created = new Map<Id, CreatedRecord>();
  /** Undefined if records are read before each write. */
  #sets: KnownSets | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ target, clock }: Context, plan: ZonePlan, log: ZoneLog) {
    this.#context = { target, clock, log };
    this.#plan = plan;
    if (readsZonesOnly(target.capabilities)) this.#sets = new KnownSets(target.capabilities);
    const { domainId: id, zone } = plan;
    this.#stored = id === undefined ? undefined : { id, name: zone.name };
  }

  /** Undefined until the zone is created. */
  get stored(): ZoneRef | undefined {
    return this.#stored;
  }

  get id(): Id {
    return this.#zone.id;
  }

  get #zone(): ZoneRef {
    if (this.#stored === undefined) throw new Error("the zone is not created yet");
    return this.#stored;
  }

  /** The records that this run created, by id. If a reply was lost, the id was found by a check afterwards. */
  get created(): ReadonlyMap<Id, CreatedRecord> {
    return this.#created;
  }

  /** Remembers the records from before the first write. */
  begin(records: readonly LiveRecord[]): void {
    this.#known = new Set(records.map(({ id }) => id));
    if (this.#sets) this.#sets = new KnownSets(this.#context.target.capabilities, records);
  }

  /**
   * Creates the zone, disabled. Names are unique on the service, so the request is idempotent. A zone that someone else
   * created meanwhile is an error, because its creator may still be filling it, perhaps from other files.
   */
  async createZone(): Promise<Id> {
    const { target, log } = this.#context;
    const { zone } = this.#plan;
    const look = async (): Promise<WriteResult | undefined> => {
      const found = await target.read.findZone(zone.name);
      if (found && !found.isBlank) throw domainCreatedError(zone.name.slice(0, -1), found.id);
      return found && { id: found.id };
    };
    const readRefusal = async (failure: WriteFailure, isSecond: boolean) =>
      failure === "invalid" && isSecond ? lookFor(this.#context, { look }, checkSchedules.afterRefusal) : undefined;
    const where: Where = { zone: zone.name, step: "zone", write: 0 };
    const send = async () => ({ id: await target.writes.createZone(zone) });
    log.noteIntent(where.step, {});
    try {
      const { id } = await once(this.#context, { where, schedule: checkSchedules.createZone, send, look, readRefusal });
      if (id === undefined) throw new Error("a zone was created without an id");
      this.#stored = { id, name: zone.name };
      return id;
    } catch (error) {
      if (target.writes.failureOf(error) !== "invalid") throw error;
      const found = await target.read.findZone(zone.name).catch(() => undefined);
      throw found ? domainCreatedError(zone.name.slice(0, -1), found.id) : error;
    }
  }

  /** Changes settings in one write. */
  async changeSettings(changes: readonly SettingChange[], step: "settings" | "last-settings"): Promise<void> {
    const { target, log } = this.#context;
    const { id, name } = this.#zone;
    const settings = Object.fromEntries(changes.map(({ name, after }) => [name, after]));
    log.noteIntent(step, { settings: changes });
    await once(this.#context, {
      where: { zone: name, step, write: 0 },
      schedule: checkSchedules.repeatable,
      isRepeatable: true,
      isLookedAtFirst: true,
      send: async () => {
        await target.writes.changeSettings(id, settings);
        return {};
      },
      look: async () => {
        const state = settingsState(changes, this.#plan, await target.read.readSettings(id));
        if (state === "changed") throw liveChangedError(["its settings"]);
        return state === "done" ? {} : undefined;
      },
    });
  }

  /**
   * Carries out a change and returns its inverse; undefined if someone else had already made the change. Rejects with
   * the target's errors, and with `live-changed`.
   */
  write(change: RecordChange, where: Where, options: ZoneWriteOptions = {}): Promise<RecordChange | undefined> {
    return this.#inTurn([change], async () => {
      if (change.kind === "create") return this.#create(change, where, options);
      const { isOurs } = await once(this.#context, this.#replacement(change, where, options));
      if (!isOurs) return undefined;
      const { before } = change;
      if (change.kind === "delete") return { kind: "create", after: before };
      const id = this.#hasNoIds ? contentId(change.after) : before.id;
      return { kind: "update", before: toLiveRecord(change.after, id), after: before };
    });
  }

  get #hasNoIds(): boolean {
    return this.#context.target.capabilities.ids === "content";
  }

  /** Writes one after the other where each expects the sets that the last one left. */
  #inTurn<T>(changes: readonly RecordChange[], write: () => Promise<T>): Promise<T> {
    const sets = this.#sets;
    if (!sets) return write();
    const result = this.#turn.then(write);
    this.#turn = result.then(
      () => this.#sets?.note(changes),
      () => {},
    );
    return result;
  }

  /**
   * Reads a record to change or delete, and returns whether that is still to be done.
   * @throws {ProblemError} `live-changed` if someone else changed it.
   */
  async isOpen(change: Replacement): Promise<boolean> {
    const { target } = this.#context;
    const { before, after } = this.#plan.defaultTtl;
    const now = await readUnlessMissing(target, () => target.read.readRecord(this.#zone, change.before.id));
    if (now === undefined && change.kind === "delete") return false;
    if (now && change.kind === "update" && isSame(change.after, now, after)) return false;
    if (now && isSame(change.before, now, before)) return true;
    throw liveChangedError([recordText(change.before)]);
  }

  /**
   * Carries out changes atomically. The request is idempotent: a change set that has taken effect has deleted or
   * changed records that a second one would require unchanged.
   */
  async changeTogether(parts: readonly ChangePart[]): Promise<void> {
    const [first] = parts;
    if (first)
      await this.#inTurn(
        parts.map(({ change }) => change),
        () => this.#changeTogether(first, parts),
      );
  }

  async #changeTogether(first: ChangePart, parts: readonly ChangePart[]): Promise<void> {
    const { target, log } = this.#context;
    if (!target.writes.changeRecords) throw new Error("the plan was made for a service with change sets");
    const changeRecords = target.writes.changeRecords.bind(target.writes);
    const changes = parts.map(({ change }) => change);
    const look = () => this.#findTogether(changes);
    const { ids = [] } = await once(
      { ...this.#context, log: changeSetLog(log, parts) },
      {
        where: first.where,
        change: first.change,
        schedule: checkSchedules.repeatable,
        isRepeatable: true,
        send: async () => ({ ids: await changeRecords(this.#zone, changes, { expected: this.#expectedBy(changes) }) }),
        look,
        readRefusal: async (failure, isSecond) => {
          if (failure === "changed") return this.#readChanged(look, changes, isSecond);
          return isSecond && (failure === "invalid" || failure === "gone") ? look() : undefined;
        },
      },
    );
    for (const [index, { change, where }] of parts.entries()) {
      const id = ids[index];
      if (change.kind === "create" && id !== undefined) this.#keep(change.after, id, where);
    }
  }

  /** The ids of the records after their changes; undefined if no change has taken effect. */
  async #findTogether(changes: readonly RecordChange[]): Promise<WriteResult | undefined> {
    const records = await this.#context.target.read.readRecords(this.#zone);
    if (this.#hasNoIds) return this.#findContent(records, changes);
    const { before, after } = this.#plan.defaultTtl;
    const ids: Id[] = [];
    for (const change of changes) {
      if (change.kind === "create") {
        const found = this.#newest(records, change.after);
        if (found) ids.push(found.id);
        continue;
      }
      const now = records.find(({ id }) => id === change.before.id);
      const isDone = change.kind === "delete" ? !now : now && isSame(change.after, now, after);
      if (isDone) ids.push(change.before.id);
      else if (!now || !isSame(change.before, now, before)) throw liveChangedError([recordText(change.before)]);
    }
    if (ids.length === 0) return undefined;
    if (ids.length === changes.length) return { ids };
    throw liveChangedError(changes.map((change) => recordText(subject(change))));
  }

  /**
   * The outcome of changes on a service without ids: their sets are those from before, or from after. Sets that someone
   * else changed since do not tell; the others do, because all change together.
   */
  #findContent(records: readonly LiveRecord[], changes: readonly RecordChange[]): WriteResult | undefined {
    const found = this.#sets?.compare(records, changes, this.#isSame);
    if (found?.state === "after") return { ids: changes.map((change) => contentId(subject(change))) };
    if (found?.state === "before" && !found.isPartly) return undefined;
    throw this.#changedError(records, changes);
  }

  /**
   * The outcome of a write that the lock refused: someone else made the change, or another one. If an earlier reply to
   * it was lost, that one made the change, and a server that signs the zone may serve it later.
   */
  async #readChanged(
    look: () => Promise<WriteResult | undefined>,
    changes: readonly RecordChange[],
    isSecond: boolean,
  ): Promise<WriteResult> {
    const outcome = await (isSecond ? lookFor(this.#context, { look }, checkSchedules.afterRefusal) : look());
    if (outcome) return outcome;
    throw this.#changedError(await this.#context.target.read.readRecords(this.#zone), changes);
  }

  /** Names the sets that someone else changed; all that the changes write, if they are as before again. */
  #changedError(records: readonly LiveRecord[], changes: readonly RecordChange[]): ProblemError {
    const sets = this.#sets?.changedSets(records, changes, this.#isSame) ?? [];
    return sets.length > 0 ? setsChangedError(sets) : liveChangedError(changes.map((one) => recordText(subject(one))));
  }

  readonly #isSame = (wanted: DesiredRecord, stored: ZoneRecord) => isSame(wanted, stored, this.#plan.defaultTtl.after);

  #expectedBy(changes: readonly RecordChange[]): RecordWriteOptions["expected"] {
    return this.#sets?.expectedBy(changes, this.#context.target.capabilities.lock);
  }

  async #create(
    change: RecordChange & { kind: "create" },
    where: Where,
    { isUrgent = false }: ZoneWriteOptions,
  ): Promise<RecordChange | undefined> {
    const { target } = this.#context;
    const { after } = change;
    // The service rejects a second CNAME at a name. A failed swap is reverted, which ends the gap sooner than waiting;
    // if the lost write arrives later, it conflicts with the restored record and is refused.
    const urgency = isUrgent && !where.back ? checkSchedules.urgentCreate : checkSchedules.create;
    const look = () => this.#find(change);
    const expected = this.#expectedBy([change]);
    const { id, isOurs } = await once(this.#context, {
      where,
      change,
      schedule: after.type === "CNAME" ? checkSchedules.uniqueCreate : urgency,
      send: async () => ({ id: await target.writes.createRecord(this.#zone, after, { isUrgent, expected }) }),
      look,
      // A conflict after a lost reply means that the write took effect; otherwise someone else created the record. If
      // this check fails, the refusal is reported.
      readRefusal: async (failure, isSecond) => {
        if (failure === "changed") return this.#readChanged(look, [change], isSecond);
        if (failure !== "invalid") return undefined;
        return isSecond ? look() : look().catch(() => undefined);
      },
    });
    if (!isOurs || id === undefined) return undefined;
    return { kind: "delete", before: this.#keep(after, id, where) };
  }

  #keep(wanted: DesiredRecord, id: Id, where: Where): LiveRecord {
    const record = toLiveRecord(wanted, id);
    this.#known.add(id);
    this.#created.set(id, { record, where });
    return record;
  }

  /**
   * Finds a record of this value that did not exist before. Of several, one is ours and the others are those of another
   * run: the newest is returned, because every record but the oldest is deleted again (`findDuplicates`).
   */
  async #find(change: RecordChange & { kind: "create" }): Promise<WriteResult | undefined> {
    const wanted = change.after;
    if (this.#hasNoIds) return this.#findOne(change);
    const found = this.#newest(await this.#context.target.read.findRecords(this.#zone, wanted), wanted);
    return found && { id: found.id };
  }

  /** The outcome of one change on a service without ids. */
  async #findOne(change: RecordChange): Promise<WriteResult | undefined> {
    const found = this.#findContent(await this.#context.target.read.readRecords(this.#zone), [change]);
    return found && { id: contentId(subject(change)) };
  }

  #newest(records: readonly LiveRecord[], wanted: DesiredRecord): LiveRecord | undefined {
    const { after } = this.#plan.defaultTtl;
    return records.findLast((record) => !this.#known.has(record.id) && isSame(wanted, record, after));
  }

  #replacement(change: Replacement, where: Where, { isFresh = false, isUrgent = false }: ZoneWriteOptions): Write {
    const { target } = this.#context;
    const { id } = change.before;
    const expected = this.#expectedBy([change]);
    const look = async () => {
      if (this.#hasNoIds) return this.#findOne(change);
      return (await this.isOpen(change)) ? undefined : {};
    };
    return {
      where,
      change,
      schedule: checkSchedules.repeatable,
      isRepeatable: true,
      isLookedAtFirst: !isFresh && !this.#sets,
      send: async () => {
        if (change.kind === "delete") await target.writes.deleteRecord(this.#zone, id, { isUrgent, expected });
        else await target.writes.updateRecord(this.#zone, id, change.after, { isUrgent, expected });
        return { id };
      },
      look,
      readRefusal: async (failure, isSecond) => {
        if (failure === "changed") return this.#readChanged(look, [change], isSecond);
        return change.kind === "delete" && failure === "gone" ? {} : undefined;
      },
    };
  }
}

/** Undefined if the record or zone does not exist. */
export async function readUnlessMissing<T>({ writes }: FailureReader, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (writes.failureOf(error) === "gone") return undefined;
    throw error;
  }
}

/** The record as it is stored, with its id. */
function toLiveRecord(record: DesiredRecord, id: Id): LiveRecord {
  return copyRecord(record, { id, ...(record.otherTtl !== undefined && { otherTtl: record.otherTtl }) });
}
