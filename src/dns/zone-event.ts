import type { Id } from "./desired-live.ts";
import type { NameKey } from "./name.ts";

/** An action on a zone, from the service's event log. */
export interface ZoneEvent {
  readonly id: Id;
  readonly zone: NameKey;
  /** The service's word, like `dns_record_update`. */
  readonly action: string;
  readonly username: string;
  /** When, as the service says it. */
  readonly created: string;
  /**
   * The records that it was done to: two of a record that got another name. Empty for the zone
   * itself, and where the log does not say.
   */
  readonly records: readonly { readonly owner: NameKey; readonly type: string }[];
}
