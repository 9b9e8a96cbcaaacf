/**
 * The known word that was most likely meant: it starts with the written one, or differs from it in at most one letter
 * or a third of its letters. Case is ignored; on a tie, the word with the same first letter wins.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  const most = Math.max(1, Math.floor(written.length / 3));
  const from = written.toLowerCase();
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const to = word.toLowerCase();
    const isBeginning = from.length > 2 && to.startsWith(from);
    if (!isBeginning && Math.abs(from.length - to.length) > most) continue;
    const steps = isBeginning ? 1 : distance(from, to);
    const nearness = from[0] === to[0] ? steps - 0.5 : steps;
    if (steps <= most && steps < to.length && nearness < least) [best, least] = [word, nearness];
  }
  return best;
}

/** A name of several words, and further words by which it may be asked for. */
export interface WordyName {
  readonly name: string;
  readonly more?: readonly string[];
}

/**
 * The name that was most likely meant by several words: it has more than half of them, or words like them. Of equal
 * ones, that with the fewest other words in its name.
 */
export function nearestByWords(written: string, known: readonly WordyName[]): string | undefined {
  const wanted = wordsOf(written);
  let best: string | undefined;
  let [most, least] = [Math.floor(wanted.length / 2), Number.POSITIVE_INFINITY];
  for (const { name, more = [] } of known) {
    const own = wordsOf(name);
    const found = wanted.filter((word) => nearest(word, [...own, ...more]) !== undefined).length;
    const others = own.filter((word) => nearest(word, wanted) === undefined).length;
    if (found > most || (found === most && best !== undefined && others < least))
      [best, most, least] = [name, found, others];
  }
  return best;
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Number of letters to insert, remove, replace or swap with the next one. */
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
