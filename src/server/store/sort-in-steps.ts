import { TimeSlice, yieldToEventLoop } from "./event-loop.ts";

/** The key that a list is ordered by. */
export type SortKey = string | number | null;

export type Compare<T> = (a: T, b: T) => number;

/** Cost of one comparison, in nanoseconds. */
const comparison = 500;

/** Sorts the items of all runs; the event loop turns between the steps. */
export async function sortInSteps<T>(runs: readonly T[][], compare: Compare<T>): Promise<T[]> {
  const budget = new TimeSlice();
  let sorted: T[][] = [];
  for (const run of runs) {
    sorted.push(run.sort(compare));
    if (budget.isSpent(run.length * Math.log2(run.length + 1) * comparison)) await yieldToEventLoop();
  }
  while (sorted.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < sorted.length; index += 2)
      merged.push(await merge(sorted[index] ?? [], sorted[index + 1] ?? [], { compare, budget }));
    sorted = merged;
  }
  return sorted[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  { compare, budget }: { compare: Compare<T>; budget: TimeSlice },
): Promise<T[]> {
  const merged: T[] = [];
  for (let [a, b] = [0, 0]; a < left.length || b < right.length; ) {
    const isLeft = b === right.length || (a < left.length && compare(left[a] as T, right[b] as T) <= 0);
    merged.push((isLeft ? left[a++] : right[b++]) as T);
    if (budget.isSpent(comparison)) await yieldToEventLoop();
  }
  return merged;
}

/** Orders as both databases do: null first, texts by their octets in UTF-8. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "number" || typeof b === "number") return Number(a) - Number(b);
  const at = surrogate.test(a) || surrogate.test(b) ? firstDifference(a, b) : -1;
  if (at >= 0) return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
  return a < b ? -1 : 1;
}

/** Characters beyond U+FFFF are two units in JavaScript that sort before U+E000, unlike in UTF-8. */
const surrogate = /[\ud800-\udfff]/;

/** Index of the first character that differs. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at > 0 && /[\ud800-\udbff]/.test(a[at - 1] ?? "") ? at - 1 : at;
}
