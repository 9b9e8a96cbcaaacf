import type { RecordChange, ZonePlan } from "../planner/change.ts";
import type { Name } from "../zone/name.ts";

/** What happens while a plan is applied, as it happens. Zones run side by side, so their events mix. */
export type ApplyEvent =
  | { readonly kind: "zone-begun"; readonly zone: Name; readonly writes: number }
  | { readonly kind: "zone-created"; readonly zone: Name; readonly domainId: number }
  | { readonly kind: "record-written"; readonly zone: Name; readonly change: RecordChange }
  | { readonly kind: "settings-written"; readonly zone: Name; readonly names: readonly string[] }
  /** Read back after the last write: nothing is left to do, or `left` is. */
  | { readonly kind: "zone-done"; readonly zone: Name; readonly left: ZonePlan | undefined }
  /** The zone stopped at an error after `written` of its writes. The other zones go on. */
  | {
      readonly kind: "zone-failed";
      readonly zone: Name;
      readonly written: number;
      readonly writes: number;
      readonly error: unknown;
    };
