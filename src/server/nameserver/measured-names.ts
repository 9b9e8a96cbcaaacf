import type { QueryCounts } from "./query-counts.ts";

/** The parts of a name service that metrics show. */
export interface MeasuredNames {
  readonly counts: QueryCounts;
  /** The zones in memory, by kind. */
  listLoaded(): { readonly kind: "domain" | "reverse"; readonly zones: number; readonly octets: number }[];
  /** See `StoredZones`. */
  ageOfOldestChange(): Promise<number>;
}
