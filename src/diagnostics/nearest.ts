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

/** How many letters to insert, remove, replace or exchange with their neighbour. */
function distance(from: string, to: string): number {
  let above: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isExchange = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const exchanged = isExchange ? (above[j - 2] ?? i) + 1 : i + j;
      next.push(Math.min(replaced, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [above, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
