import type { Problem } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name/name.ts";
import type { Id, LiveRecord } from "../../dns/zone/desired-live.ts";
import type { RecordChange, ZonePlan } from "../../planner/changes/change.ts";

/**
 * Events of an apply, in real time. Zones run concurrently, so their events are interleaved. Each zone that was started
 * ends with `zone-done`, `zone-failed` or `zone-stopped`.
 */
export type ApplyEvent =
  | { readonly kind: "zone-begun"; readonly zone: Name; readonly writes: number }
  /** The zone is disabled until its records are written. */
  | { readonly kind: "zone-created"; readonly zone: Name; readonly domainId: Id }
  /** Its records are deleted with it. */
  | { readonly kind: "zone-deleted"; readonly zone: Name; readonly domainId: Id }
  | { readonly kind: "record-written"; readonly zone: Name; readonly change: RecordChange }
  /** A write that took effect and was reverted because another write of its step failed. */
  | { readonly kind: "record-undone"; readonly zone: Name; readonly change: RecordChange }
  /** Someone else created an equal record first, so the run deleted its own; `kept` is the id of the other one. */
  | {
      readonly kind: "duplicate-removed";
      readonly zone: Name;
      readonly record: LiveRecord;
      readonly kept: Id;
    }
  | { readonly kind: "settings-written"; readonly zone: Name; readonly names: readonly string[] }
  /** The outcome of a write is unknown; the run checks until it is known. Without `change`: zone or settings. */
  | {
      readonly kind: "ambiguous";
      readonly zone: Name;
      readonly change: RecordChange | undefined;
      readonly error: unknown;
    }
  /** The outcome is known: the write took effect, or it is sent again. */
  | {
      readonly kind: "resolved";
      readonly zone: Name;
      readonly change: RecordChange | undefined;
      readonly isDone: boolean;
    }
  /** A failure after the writes of a zone, which leaves it as written. */
  | { readonly kind: "zone-warned"; readonly zone: Name; readonly problem: Problem }
  /**
   * Read back after the last write; `left` is the remaining difference, if any. If that is TTLs only, `loweredBy` is
   * the setting by which the service may have lowered them.
   */
  | {
      readonly kind: "zone-done";
      readonly zone: Name;
      readonly left: ZonePlan | undefined;
      readonly loweredBy?: string;
    }
  /**
   * The zone failed after `written` of its writes; after all of them if it could not be read back. Other zones
   * continue, except for steps that depend on this one.
   */
  | {
      readonly kind: "zone-failed";
      readonly zone: Name;
      readonly written: number;
      readonly writes: number;
      readonly error: unknown;
    }
  /** The zone stopped because of an interruption, or because the whole run cannot continue. */
  | { readonly kind: "zone-stopped"; readonly zone: Name; readonly written: number; readonly writes: number };
