import type { Place } from "../diagnostics/problem.ts";

/** Live records that a zone leaves to somebody else: those that fit every pattern that is given. `*` is any text. */
export interface Ignore {
  /** The owner relative to the zone, `@` for the zone itself. */
  readonly name?: string;
  readonly type?: string;
  /** RDATA as a master file writes it, with absolute names; of a TXT record its text. */
  readonly value?: string;
  readonly reason: string;
  /** The last day on which it counts, in UTC: YYYY-MM-DD. */
  readonly until?: string;
  readonly at?: Place;
}

/** Managed part of a zone. `listed`: only the record types that the file lists at a name. */
export interface Scope {
  readonly manage?: "all" | "listed";
  readonly ignore: readonly Ignore[];
}

export const ignoreKeys = ["name", "type", "value", "reason", "until"] as const;
