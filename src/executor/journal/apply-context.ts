import type { Clock } from "../../clock.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import type { Target } from "../../targets/target.ts";
import type { ApplyEvent } from "./event.ts";
import type { Journal } from "./journal.ts";

/** Dependencies of a run. */
export interface ApplyContext {
  readonly target: Pick<Target, "capabilities" | "ttlLimit" | "read" | "writes">;
  readonly clock: Clock;
  readonly journal: Journal;
  /** Backs up a zone before the first write to it; `stored`: before its deletion, all that the service has of it. */
  readonly backup: (zone: LiveZone, stored?: string) => Promise<void>;
  /** Saves a zone as the run left it, once it was read back after the last write; absent if that is not needed. */
  readonly saveAfter?: ((zone: LiveZone) => Promise<void>) | undefined;
  readonly emit: (event: ApplyEvent) => void;
  /** Whether the run was asked to stop. */
  readonly isInterrupted: () => boolean;
  /** Number of concurrent steps over all zones. */
  readonly atOnce: number;
}
