import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import type { DesiredRecord, Id, LiveZone } from "../../dns/zone/desired-live.ts";
import { recordKeyOf } from "../../dns/zone/zone.ts";
import type { RecordChange, SettingChange, Step, ZonePlan } from "../../planner/changes/change.ts";
import { isInSync, planZone } from "../../planner/plan.ts";
import type { ApplyContext } from "../journal/apply-context.ts";
import {
  hasProblem,
  isMissing,
  liveChangedError,
  problemsOf,
  recordText,
  zoneGoneError,
} from "../journal/apply-problems.ts";
import { stateAfter } from "../journal/baseline.ts";
import { countWrites, readsZonesOnly, settingWrites } from "../journal/writes.ts";
import { type ChangePart, ZoneLog } from "../journal/zone-log.ts";
import { compareLive, type Duplicate, type Duplicates, findDuplicates, settingsState } from "./compare-live.ts";
import { type CreatedRecord, readUnlessMissing, ZoneWriter } from "./zone-writer.ts";

/** Waits for another run to delete its duplicates, in milliseconds. */
const foreignWaits = [250, 750, 2_000, 5_000];
/** Maximum number of times a zone is read back. */
const mostRounds = 10;

/** Carries out the plan of one zone, in parts: `open`, each `step` when its needs are done, `activate` and `close`. */
export class ZoneRun {
  readonly log: ZoneLog;
  /** Whether the zone was read back and matches the desired one. */
  isInSync = false;
  readonly #plan: ZonePlan;
  readonly #context: ApplyContext;
  readonly #writer: ZoneWriter;
  #present: ReadonlyMap<DesiredRecord, Id> = new Map();
  /** Changes that someone else had already made, where records are only read with their zone. */
  #done: ReadonlySet<RecordChange> = new Set();

  constructor(plan: ZonePlan, context: ApplyContext) {
    this.log = new ZoneLog(plan.zone.name, countWrites(plan), context);
    this.#plan = plan;
    this.#context = context;
    this.#writer = new ZoneWriter(context, plan, this.log);
  }

  /**
   * Reads the zone, compares it with the zone that the plan was made from, backs it up, and writes its first settings.
   * `checkpoint` is called before the first write, and throws if no write may begin.
   */
  async open(checkpoint: () => void): Promise<void> {
    const { target, backup } = this.#context;
    this.log.noteBegin();
    if (this.#plan.domainId === undefined) {
      checkpoint();
      const domainId = await this.#writer.createZone();
      this.log.noteWritten({ kind: "zone-created", zone: this.#plan.zone.name, domainId });
      return;
    }
    const live = await target.read.readZone(this.#plan.domainId);
    const { changed, present, done } = compareLive(this.#plan, live, target.capabilities);
    const isChanged = settingsState(this.#plan.settings, this.#plan, live.settings) === "changed";
    if (changed.length > 0 || isChanged)
      throw liveChangedError([...(isChanged ? ["its settings"] : []), ...changed.map(recordText)]);
    await backup(live);
    this.#present = present;
    if (readsZonesOnly(target.capabilities)) this.#done = done;
    this.#writer.begin(live.records);
    await this.#settings(settingWrites(this.#plan).first, "settings", checkpoint);
  }

  /**
   * Carries out a step, whose writes belong together: after an interruption they are finished; if one fails, the others
   * are reverted. The steps of a change set are carried out in one write.
   */
  async step(steps: readonly [Step, ...Step[]]): Promise<void> {
    const zone = this.#plan.zone.name;
    for (const { id, writes } of steps) this.log.noteIntent(id, { records: writes });
    const [{ id: step, set, writes }] = steps;
    if (set !== undefined) return this.#changeTogether(steps);
    const isSwap = writes.length > 1;
    // All records are checked first, so that the writes of a swap follow each other without delay.
    const isOpen = isSwap ? await this.#areOpen(writes) : [];
    const done: CompletedWrite[] = [];
    for (const [index, change] of writes.entries()) {
      const where = { zone, step, write: index };
      try {
        if (this.#isPresent(change) || isOpen[index] === false) this.log.noteAcked(where, { already: true });
        else {
          const options = { isFresh: isSwap, isUrgent: done.length > 0 };
          const inverse = await this.#writer.write(change, where, options);
          done.unshift({ change, inverse, index });
        }
      } catch (error) {
        throw await this.#revert(step, done, error);
      }
      this.log.noteWritten({ kind: "record-written", zone, change });
    }
  }

  /** Writes the last settings. A new zone is read back before it is served. */
  async activate(checkpoint: () => void): Promise<void> {
    if (this.#plan.domainId === undefined) {
      const { left } = await this.#readBack();
      if (left.steps.length > 0) throw incompleteZoneError(left);
    }
    await this.#settings(settingWrites(this.#plan).last, "last-settings", checkpoint);
  }

  async close(): Promise<void> {
    const { target, emit } = this.#context;
    const problems = (await target.writes.finishZone?.(this.#writer.id)) ?? [];
    for (const problem of problems) emit({ kind: "zone-warned", zone: this.#plan.zone.name, problem });
    const { left, live } = await this.#readBack();
    this.isInSync = isInSync(left);
    await this.#context.saveAfter?.(stateAfter(live, this.isInSync ? undefined : left));
    this.log.noteDone(this.isInSync ? undefined : left, this.#context.target.ttlLimit);
  }

  /** The error to report. In a zone that left the account no write can succeed, whatever their errors say. */
  async explain(error: unknown): Promise<unknown> {
    const { target } = this.#context;
    const { stored } = this.#writer;
    if (stored === undefined || !isMissing(target, error)) return error;
    const read = readUnlessMissing(target, () => target.read.readSettings(stored.id));
    const settings = await read.catch(() => "unknown" as const);
    return settings === undefined ? zoneGoneError(target, stored.id, error) : error;
  }

  /**
   * Deletes the run's own duplicates in a zone that fails before it is read back. If that fails too, the next plan
   * shows them.
   */
  async removeDuplicates(): Promise<void> {
    if (this.#writer.created.size === 0 || this.#context.target.capabilities.ids === "content") return;
    try {
      const { live, own } = await this.#findDuplicates();
      await this.#deleteDuplicates(live, own);
    } catch {
      // The zone already reports another error, or was stopped.
    }
  }

  /**
   * Reads the zone and compares it with the desired one, once no record is stored twice: deletes the run's own
   * duplicates, and waits a few seconds for another run to delete its duplicates.
   */
  async #readBack(): Promise<{ readonly left: ZonePlan; readonly live: LiveZone }> {
    const gone: CreatedRecord[] = [];
    for (let round = 0, waited = 0; ; round++) {
      const { live, own, foreign } = await this.#findDuplicates();
      const keys = new Set(live.records.map(recordKeyOf));
      const missing = gone.filter(({ record }) => !keys.has(recordKeyOf(record)));
      const isSettled = own.length === 0 && missing.length === 0;
      const pause = this.#context.isInterrupted() ? undefined : foreignWaits[waited];
      if ((isSettled && (foreign.length === 0 || pause === undefined)) || round === mostRounds)
        return { left: planZone(this.#plan.zone, live, this.#context.target.capabilities), live };
      if (isSettled) {
        waited++;
        await this.#context.clock.sleep(pause ?? 0);
      }
      gone.push(...(await this.#deleteDuplicates(live, own)));
      // The older record is deleted as well: without this the value would be lost.
      for (const { record, where } of missing) await this.#writer.write({ kind: "create", after: record }, where);
    }
  }

  async #findDuplicates(): Promise<Duplicates & { live: LiveZone }> {
    const live = await this.#context.target.read.readZone(this.#writer.id);
    return { live, ...findDuplicates(live, this.#plan.zone, new Set(this.#writer.created.keys())) };
  }

  /** Returns the deleted records. A record that was edited meanwhile is not a duplicate. */
  async #deleteDuplicates(live: LiveZone, duplicates: readonly Duplicate[]): Promise<CreatedRecord[]> {
    const done: CreatedRecord[] = [];
    for (const { id, kept } of duplicates) {
      const created = this.#writer.created.get(id);
      const record = live.records.find((stored) => stored.id === id);
      if (!created || !record) continue;
      try {
        await this.#writer.write({ kind: "delete", before: record }, { ...created.where, back: true });
      } catch (error) {
        if (hasProblem(error, "live-changed")) continue;
        throw error;
      }
      done.push(created);
      this.#context.emit({ kind: "duplicate-removed", zone: this.#plan.zone.name, record, kept });
    }
    return done;
  }

  async #settings(
    changes: readonly SettingChange[],
    step: "settings" | "last-settings",
    checkpoint: () => void,
  ): Promise<void> {
    if (changes.length === 0) return;
    checkpoint();
    await this.#writer.changeSettings(changes, step);
    const names = changes.map(({ name }) => name);
    this.log.noteWritten({ kind: "settings-written", zone: this.#plan.zone.name, names });
  }

  /** Sends all open changes in one write: there is no state in between, and nothing to revert. */
  async #changeTogether(steps: readonly Step[]): Promise<void> {
    const zone = this.#plan.zone.name;
    const parts = steps.flatMap(({ id: step, writes }) =>
      writes.map((change, write): ChangePart => ({ where: { zone, step, write }, change })),
    );
    const isOpen = await this.#areOpen(parts.map(({ change }) => change));
    const open = parts.filter(({ where, change }, index) => {
      if (!this.#isPresent(change) && isOpen[index] !== false) return true;
      this.log.noteAcked(where, { already: true });
      return false;
    });
    await this.#writer.changeTogether(open);
    for (const { change } of parts) this.log.noteWritten({ kind: "record-written", zone, change });
  }

  #isPresent(change: RecordChange): boolean {
    return this.#done.has(change) || (change.kind === "create" && this.#present.has(change.after));
  }

  async #areOpen(writes: readonly RecordChange[]): Promise<boolean[]> {
    if (readsZonesOnly(this.#context.target.capabilities)) return [];
    return Promise.all(writes.map((change) => change.kind === "create" || this.#writer.isOpen(change)));
  }

  /**
   * Reverts the writes, the last one first, and returns the error to report. That is safe even if the outcome of the
   * failed write is unknown: if it took effect, the service rejects the restored record because it conflicts.
   */
  async #revert(step: number, done: readonly CompletedWrite[], error: unknown): Promise<unknown> {
    const zone = this.#plan.zone.name;
    const failures: Problem[] = [];
    for (const { change, inverse, index } of done) {
      if (inverse === undefined) continue;
      const where = { zone, step, write: index, back: true } as const;
      try {
        await this.#writer.write(inverse, where, { isUrgent: true });
        this.log.noteWritten({ kind: "record-undone", zone, change });
      } catch (failure) {
        failures.push(revertFailedProblem(inverse, failure));
      }
    }
    if (failures.length === 0) return error;
    return new ProblemError([...problemsOf(error), ...failures], { cause: error });
  }
}

interface CompletedWrite {
  readonly change: RecordChange;
  readonly inverse: RecordChange | undefined;
  readonly index: number;
}

function revertFailedProblem(inverse: RecordChange, error: unknown): Problem {
  const how = inverse.kind === "delete" ? "deleted again" : "restored";
  const why = problemsOf(error).map(({ summary }) => summary);
  return problem(
    "restore-failed",
    `${recordText(inverse.kind === "delete" ? inverse.before : inverse.after)} could not be ${how}: ${why.join("; ")}`,
    { fix: "Continue the run as soon as possible: until then lookups of the name may fail." },
  );
}

function incompleteZoneError({ zone }: ZonePlan): ProblemError {
  const summary = `${escapeControl(zone.name.slice(0, -1))} does not contain the records that were written to it, so it is not served yet`;
  const fix = advise`Someone else may be writing to it. Check with ${{ run: "plan" }}, then continue the run.`;
  return problemError("zone-not-served", summary, { fix });
}
