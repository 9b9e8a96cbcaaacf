import type { DesiredRecord, Id, LiveZone } from "../dns/desired-live.ts";
import type { Name } from "../dns/name.ts";
import type { RecordChange, SettingChange, ZonePlan } from "../planner/change.ts";
import type { ApplyContext } from "./apply-context.ts";
import { messageOf } from "./apply-problems.ts";
import type { ApplyEvent } from "./event.ts";
import type { JournalLine, JournalLineOf, JournalRecord, Where } from "./journal-line.ts";

/** The result of a write: the id of a created record or zone. */
export interface Outcome {
  readonly id?: Id;
  /** The ids of the records of a change set. */
  readonly ids?: readonly Id[];
}

type Acked = Pick<JournalLineOf<"acked">, "already"> & Outcome;
type Resolved = Pick<JournalLineOf<"resolved">, "done"> & Outcome;

/** The log of a write, from sending it on. */
export type WriteLog = Pick<ZoneLog, "sent" | "acked" | "refused" | "ambiguous" | "resolved">;

/** The log of a change set: one line per change. */
export function changeSetLog(log: ZoneLog, parts: readonly ChangePart[]): WriteLog {
  const idOf = (ids: Outcome["ids"], index: number) => {
    const id = ids?.[index];
    return id !== undefined && { id };
  };
  return {
    sent: async () => {
      for (const [index, { where }] of parts.entries()) await log.sent(where, index > 0);
    },
    acked: (_, { already, ids }) => {
      for (const [index, { where }] of parts.entries())
        log.acked(where, { ...(already && { already }), ...idOf(ids, index) });
    },
    refused: (_, why) => {
      for (const { where } of parts) log.refused(where, why);
    },
    ambiguous: (_, __, error) => {
      for (const { where, change } of parts) log.ambiguous(where, change, error);
    },
    resolved: (_, __, { done, ids }) => {
      for (const [index, { where, change }] of parts.entries())
        log.resolved(where, change, { done, ...idOf(ids, index) });
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

  begin(): void {
    this.#context.emit({ kind: "zone-begun", zone: this.#zone, writes: this.#writes });
  }

  /** Records that a write took effect, or was reverted. */
  written(event: ApplyEvent): void {
    this.#written += event.kind === "record-undone" ? -1 : 1;
    this.#context.emit(event);
  }

  done(left: ZonePlan | undefined): void {
    this.#ended(left ? "differs" : "done");
    this.#context.emit({ kind: "zone-done", zone: this.#zone, left });
  }

  failed(error: unknown): void {
    this.#ended("failed", messageOf(error));
    this.#context.emit({ kind: "zone-failed", ...this.#stand(), error });
  }

  stopped(): void {
    this.#ended("stopped");
    this.#context.emit({ kind: "zone-stopped", ...this.#stand() });
  }

  /** Records all data of a deleted domain, so that it can be created again. */
  deletion({ records, settings }: LiveZone): void {
    this.#later({
      kind: "intent",
      zone: this.#zone,
      step: "delete-zone",
      records: records.map((record) => ({ before: journalRecord(record) })),
      settings: Object.entries(settings).map(([name, before]) => ({ name, before, after: null })),
    });
  }

  intent(
    step: Where["step"],
    writes: { records?: readonly RecordChange[]; settings?: readonly SettingChange[] },
  ): void {
    const { records, settings } = writes;
    this.#later({
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
  async sent(where: Where, isBegun = where.write > 0 || where.back === true): Promise<void> {
    const noted = this.#context.journal.note({ kind: "sent", ...where, at: this.#now() });
    await (isBegun ? noted.catch(() => {}) : noted);
  }

  acked(where: Where, { id, already }: Acked): void {
    this.#later({ kind: "acked", ...where, ...(id !== undefined && { id }), ...(already && { already }) });
  }

  refused(where: Where, why: string): void {
    this.#later({ kind: "refused", ...where, why });
  }

  ambiguous(where: Where, change: RecordChange | undefined, error: unknown): void {
    this.#later({ kind: "ambiguous", ...where, why: messageOf(error), at: this.#now() });
    this.#context.emit({ kind: "ambiguous", zone: this.#zone, change, error });
  }

  resolved(where: Where, change: RecordChange | undefined, { done, id }: Resolved): void {
    this.#later({ kind: "resolved", ...where, done, ...(id !== undefined && { id }) });
    this.#context.emit({ kind: "resolved", zone: this.#zone, change, isDone: done });
  }

  #ended(state: JournalLineOf<"zone">["state"], why?: string): void {
    this.#later({ kind: "zone", zone: this.#zone, state, ...(why !== undefined && { why }) });
  }

  #stand() {
    return { zone: this.#zone, written: this.#written, writes: this.#writes };
  }

  #later(line: JournalLine): void {
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

function journalRecord(record: DesiredRecord & { readonly id?: Id }): JournalRecord {
  const { id, owner, type, ttl, otherTtl, data } = record;
  const times = { ...(ttl !== undefined && { ttl }), ...(otherTtl !== undefined && { otherTtl }) };
  return { ...(id !== undefined && { id }), owner, type, ...times, data };
}
