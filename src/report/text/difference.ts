import { characters } from "./columns.ts";

/** Two texts as the parts that they share at both ends, and the parts in between. */
export interface TextDifference {
  readonly head: string;
  readonly before: string;
  readonly after: string;
  readonly tail: string;
}

/**
 * The difference of two texts. Characters, with their combining marks, and escapes stay whole. Texts that share little
 * differ as a whole: scattered equal letters tell nothing.
 */
export function differenceOf(before: string, after: string): TextDifference {
  const [old, fresh] = [characters(before), characters(after)];
  const least = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < least && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  if ((start + end) * 2 < least) [start, end] = [0, 0];
  const join = (all: readonly string[], from: number, to?: number) => all.slice(from, to).join("");
  return {
    head: join(old, 0, start),
    before: join(old, start, old.length - end),
    after: join(fresh, start, fresh.length - end),
    tail: join(old, old.length - end),
  };
}
