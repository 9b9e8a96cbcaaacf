import type { Name } from "../../dns/name/name.ts";
import type { DesiredRecord, Id, LiveZone } from "../../dns/zone/desired-live.ts";
import {
  type RecordChange,
  type SettingChange,
  ttlRaises,
  writesOf,
  type ZonePlan,
} from "../../planner/changes/change.ts";
import { lossesOf } from "../../planner/changes/zone-losses.ts";
import type { ApplyContext } from "./apply-context.ts";
import { hasProblem, messageText } from "./apply-problems.ts";
import type { ApplyEvent } from "./event.ts";
import type { JournalLine, JournalLineOf, JournalRecord, Where } from "./journal-line.ts";

/** The result of a write: the id of a created record or zone. */
export interface WriteResult {
  readonly id?: Id;
  /** The ids of the records of a change set. */
  readonly ids?: readonly Id[];
}

type AckedOutcome = Pick<JournalLineOf<"acked">, "already"> & WriteResult;
type ResolvedOutcome = Pick<JournalLineOf<"resolved">, "done"> & WriteResult;

/** The log of a write, from sending it on. */
export type WriteLog = Pick<ZoneLog, "noteSent" | "noteAcked" | "noteRefused" | "noteAmbiguous" | "noteResolved">;

/** The log of a change set: one line per change. */
export function changeSetLog(log: ZoneLog, parts: readonly ChangePart[]): WriteLog {
  const idOf = (ids: WriteResult["ids"], index: number) => {
    const id = ids?.[index];
    return id !== undefined && { id };
  };
  return {
    noteSent: async () => {
      for (const [index, { where }] of parts.entries()) await log.noteSent(where, index > 0);
    },
    noteAcked: (_, { already, ids }) => {
      for (const [index, { where }] of parts.entries())
        log.noteAcked(where, { ...(already && { already }), ...idOf(ids, index) });
    },
    noteRefused: (_, why) => {
      for (const { where } of parts) log.noteRefused(where, why);
    },
    noteAmbiguous: (_, __, error) => {
      for (const { where, change } of parts) log.noteAmbiguous(where, change, error);
    },
    noteResolved: (_, __, { done, ids }) => {
      for (const [index, { where, change }] of parts.entries())
        log.noteResolved(where, change, { done, ...idOf(ids, index) });
    },
  };
}

/** A change, and its position in the step. */
export interface ChangePart {
  readonly where: Where;
  readonly change: RecordChange;
}

/**
 * Writes the journal and the events of one zone. Only `sent` waits for the disk. Lines after a write are flushed in the
 * background; if that fails, the journal refuses the next write.
 */
export class ZoneLog {
  readonly #zone: Name;
  readonly #writes: number;
  readonly #context: Pick<ApplyContext, "journal" | "clock" | "emit">;
  #written = 0;

  /** `writes` is the number of planned writes of the zone. */
  constructor(zone: Name, writes: number, context: Pick<ApplyContext, "journal" | "clock" | "emit">) {
    this.#zone = zone;
    this.#writes = writes;
    this.#context = context;
  }

  noteBegin(): void {
    this.#context.emit({ kind: "zone-begun", zone: this.#zone, writes: this.#writes });
  }

  /** Records that a write took effect, or was reverted. */
  noteWritten(event: ApplyEvent): void {
    this.#written += event.kind === "record-undone" ? -1 : 1;
    this.#context.emit(event);
  }

  /** `ttlLimit`: the setting by which the service may have lowered the TTLs that are left. */
  noteDone(left: ZonePlan | undefined, ttlLimit?: string): void {
    this.#noteEnd(left ? "differs" : "done");
    const isLowered = left && left.settings.length === 0 && ttlRaises(left).length === writesOf(left).length;
    const loweredBy = isLowered ? ttlLimit : undefined;
    this.#context.emit({ kind: "zone-done", zone: this.#zone, left, ...(loweredBy !== undefined && { loweredBy }) });
  }

  noteFailed(error: unknown): void {
    this.#noteEnd("failed", {
      why: messageText(error),
      ...(hasProblem(error, "zone-gone") && { gone: true }),
      ...(hasProblem(error, "live-changed") && { changed: true }),
    });
    this.#context.emit({ kind: "zone-failed", ...this.#progress(), error });
  }

  noteStopped(): void {
    this.#noteEnd("stopped");
    this.#context.emit({ kind: "zone-stopped", ...this.#progress() });
  }

  /** Records all data of a deleted domain, so that it can be created again. */
  noteDeletion(zone: LiveZone): void {
    const { records, settings, serial } = zone;
    const losses = lossesOf(zone);
    this.#noteLater({
      kind: "intent",
      zone: this.#zone,
      step: "delete-zone",
      records: records.map((record) => ({ before: journalRecord(record) })),
      settings: Object.entries(settings).map(([name, before]) => ({ name, before, after: null })),
      ...(serial !== undefined && { serial }),
      ...(Object.keys(losses).length > 0 && { losses }),
    });
  }

  noteIntent(
    step: Where["step"],
    writes: { records?: readonly RecordChange[]; settings?: readonly SettingChange[] },
  ): void {
    const { records, settings } = writes;
    this.#noteLater({
      kind: "intent",
      zone: this.#zone,
      step,
      ...(records && { records: records.map(journalChange) }),
      ...(settings && { settings: settings.map(({ name, before, after }) => ({ name, before, after })) }),
    });
  }

  /**
   * Rejects if this line or an earlier one is not on the disk: then nothing may be sent. Later writes of a step that
   * has begun continue all the same, because their intent is on the disk and half a swap would be worse.
   */
  async noteSent(where: Where, isBegun = where.write > 0 || where.back === true): Promise<void> {
    const noted = this.#context.journal.note({ kind: "sent", ...where, at: this.#now() });
    await (isBegun ? noted.catch(() => {}) : noted);
  }

  noteAcked(where: Where, { id, already }: AckedOutcome): void {
    this.#noteLater({ kind: "acked", ...where, ...(id !== undefined && { id }), ...(already && { already }) });
  }

  noteRefused(where: Where, why: string): void {
    this.#noteLater({ kind: "refused", ...where, why });
  }

  noteAmbiguous(where: Where, change: RecordChange | undefined, error: unknown): void {
    this.#noteLater({ kind: "ambiguous", ...where, why: messageText(error), at: this.#now() });
    this.#context.emit({ kind: "ambiguous", zone: this.#zone, change, error });
  }

  noteResolved(where: Where, change: RecordChange | undefined, { done, id }: ResolvedOutcome): void {
    this.#noteLater({ kind: "resolved", ...where, done, ...(id !== undefined && { id }) });
    this.#context.emit({ kind: "resolved", zone: this.#zone, change, isDone: done });
  }

  #noteEnd(
    state: JournalLineOf<"zone">["state"],
    about: Pick<JournalLineOf<"zone">, "why" | "gone" | "changed"> = {},
  ): void {
    this.#noteLater({ kind: "zone", zone: this.#zone, state, ...about });
  }

  #progress() {
    return { zone: this.#zone, written: this.#written, writes: this.#writes };
  }

  #noteLater(line: JournalLine): void {
    this.#context.journal.note(line).catch(() => {}); // the journal keeps its failure, and refuses the next write
  }

  #now(): string {
    return new Date(this.#context.clock.now()).toISOString();
  }
}

function journalChange(change: RecordChange): { before?: JournalRecord; after?: JournalRecord } {
  return {
    ...(change.kind !== "create" && { before: journalRecord(change.before) }),
    ...(change.kind !== "delete" && { after: journalRecord(change.after) }),
  };
}

/** A record as a journal contains it. */
export function journalRecord(record: DesiredRecord & { readonly id?: Id }): JournalRecord {
  const { id, owner, type, ttl, otherTtl, data } = record;
  const times = { ...(ttl !== undefined && { ttl }), ...(otherTtl !== undefined && { otherTtl }) };
  return { ...(id !== undefined && { id }), owner, type, ...times, data };
}
