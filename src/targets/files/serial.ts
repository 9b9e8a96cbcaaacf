import type { SerialPolicy } from "../../config/target-kinds.ts";
import { isLater, serialAfter } from "../../dns/name/serial.ts";

/**
 * The serial of a changed zone: the seconds of `now`, or its day in UTC and two digits, where that is above all of the
 * `others`; else one more than the highest of them, as after a change of the policy, a clock that went back, or the
 * 100th change of a day. Undefined if no serial is above all of them (RFC 1982 §3.2). `now` is in milliseconds.
 */
export function chooseSerial(policy: SerialPolicy, now: number, others: readonly number[]): number | undefined {
  return firstAbove([firstOf(policy, now), ...others.map(serialAfter)], others);
}

/** Whether a serial can be above all others: two may be too far apart. */
export function hasAbove(others: readonly number[]): boolean {
  return firstAbove(others.map(serialAfter), others) !== undefined;
}

function firstAbove(candidates: readonly number[], others: readonly number[]): number | undefined {
  return candidates.find((one) => others.every((other) => isLater(one, other)));
}

/**
 * The serials that a new one has to be above: the others, and the one in the SOA record of the project's file if it is
 * greater than they are. A smaller one does not count, although it may be later: 1 is later than 3000000000
 * (RFC 1982 §3.2).
 */
export function withStated(others: readonly number[], stated: number | undefined): readonly number[] {
  const isAbove = stated !== undefined && others.every((other) => stated > other && isLater(stated, other));
  return isAbove ? [...others, stated] : others;
}

function firstOf(policy: SerialPolicy, now: number): number {
  if (policy === "unixtime") return Math.floor(now / 1000) >>> 0;
  return Number(`${new Date(now).toISOString().slice(0, 10).replaceAll("-", "")}00`) >>> 0;
}
