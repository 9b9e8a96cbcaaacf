import type { NameKey } from "../name/name.ts";
import type { Id } from "./desired-live.ts";

/** An action on a zone, from the service's event log. */
export interface ZoneEvent {
  readonly id: Id;
  readonly zone: NameKey;
  /** The service's name for it, such as `dns_record_update`. */
  readonly action: string;
  readonly username: string;
  /** Time of the event, in the service's format. */
  readonly created: string;
  /**
   * The affected records: two if a record was renamed, none if it was the zone itself or the log does not name them.
   */
  readonly records: readonly { readonly owner: NameKey; readonly type: string }[];
}
