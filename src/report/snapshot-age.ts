import { count } from "../diagnostics/plain.ts";

/** The sentence that a plan against a snapshot needs: how old its picture of the account is. */
export function snapshotAgeText(taken: Date, now: Date): string {
  const hours = Math.floor((now.getTime() - taken.getTime()) / 3_600_000);
  const age = hours < 1 ? "less than 1 hour" : count(hours, "hour");
  return `planned against the snapshot of ${taken.toISOString().slice(0, 19)}Z, ${age} old`;
}
