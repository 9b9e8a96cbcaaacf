import type { Place } from "../diagnostics/problem.ts";

/** A pattern for live records that are left alone: every given field must match. `*` matches any text. */
export interface Ignore {
  /** The owner relative to the zone, `@` for the apex. */
  readonly name?: string;
  readonly type?: string;
  /** RDATA in zone file syntax with absolute names; for a TXT record its text. */
  readonly value?: string;
  readonly reason: string;
  /** The last day on which it applies, in UTC: YYYY-MM-DD. */
  readonly until?: string;
  readonly at?: Place;
}

/** The managed part of a zone. `listed`: only the record types that the file lists at a name. */
export interface Scope {
  readonly manage?: "all" | "listed";
  readonly ignore: readonly Ignore[];
}

export const ignoreKeys = ["name", "type", "value", "reason", "until"] as const;
