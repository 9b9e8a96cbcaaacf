import type { Name } from "./name.ts";

/** An action on a zone, from the service's event log. */
export interface ZoneEvent {
  readonly id: number;
  /** In lower case. */
  readonly zone: Name;
  /** The service's word, like `dns_record_update`. */
  readonly action: string;
  readonly username: string;
  /** When, as the service says it. */
  readonly created: string;
  /**
   * The records that it was done to, owners in lower case: two of a record that got another name. Empty for the zone
   * itself, and where the log does not say.
   */
  readonly records: readonly { readonly owner: Name; readonly type: string }[];
}
