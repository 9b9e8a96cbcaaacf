/**
 * The known word that is nearest to what was written, when it is near enough to be meant: a third of its letters may
 * differ, or one; or what was written is its beginning. Letter case does not count.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(written.length / 3)) + 1;
  for (const word of known) {
    const isBeginning = written.length > 2 && word.toLowerCase().startsWith(written.toLowerCase());
    if (!isBeginning && Math.abs(written.length - word.length) >= least) continue;
    const steps = isBeginning ? 1 : distance(written.toLowerCase(), word.toLowerCase());
    if (steps < least && steps < word.length) [best, least] = [word, steps];
  }
  return best;
}

/** How many letters to insert, remove or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
