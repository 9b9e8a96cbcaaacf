/**
 * Compares keys as octoDNS sorts them, which rejects files in another order: runs of digits by their number. The keys
 * consist of ASCII characters.
 */
export function compareKeys(a: string, b: string): number {
  const [as, bs] = [parts(a), parts(b)];
  for (const [index, part] of as.entries()) {
    const other = bs[index];
    if (other === undefined) return 1;
    const order = index % 2 === 0 ? compare(part, other) : compareNumbers(part, other);
    if (order !== 0) return order;
  }
  return as.length - bs.length;
}

/** Texts and digits in turn; the first is a text, and may be empty. */
function parts(key: string): string[] {
  const found = key.split(/(\d+)/);
  return found.at(-1) === "" ? found.slice(0, -1) : found;
}

function compareNumbers(a: string, b: string): number {
  const [one, other] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return one.length - other.length || compare(one, other);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
