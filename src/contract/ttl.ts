import type { RecordsSetting } from "./records-setting.ts";

/**
 * Times that the API stores, in seconds (decisions/documents#records); any other is rounded to the
 * nearest, and up on a tie. 0 is stored as 0 and means "the default". The live service stores 30 and 120 too and rounds
 * up instead (decisions/service#times).
 */
export const documentedTtls = [
  300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200,
] as const;

export const liveTtls = [30, 120, ...documentedTtls] as const;

/** The rounding, for people. */
export const roundingText =
  "Only some values are stored, such as 300, 3600 and 86400; others are rounded to one of them.";

export type TtlProfile = "documented" | "live";

/** The time that a service with this profile stores for `seconds`; with open records, any. */
export function roundTtl(seconds: number, profile: TtlProfile, records: RecordsSetting = "documented"): number {
  if (seconds === 0 || records === "open") return seconds;
  return profile === "live" ? roundUp(seconds) : roundToNearest(seconds);
}

function roundUp(seconds: number): number {
  return liveTtls.find((ttl) => ttl >= seconds) ?? Math.max(...liveTtls);
}

function roundToNearest(seconds: number): number {
  return documentedTtls.reduce((best, ttl) => (Math.abs(ttl - seconds) <= Math.abs(best - seconds) ? ttl : best));
}
