import { asName, isInside, labels, relativeTo, withLabel } from "./name.ts";
import type { IndexedZone } from "./rule.ts";
import type { ZoneRecord } from "./zone.ts";

/** Top-level domains that are hardly ever used as other labels. */
const topLevel = new Set(["com", "net", "org", "info", "biz", "edu"]);

/** The number of names below one such label from which on they are intended. */
const fewest = 5;

/** The owners that look like names of another domain, such as `www.example.net`, with the name as written. */
export function foreignOwners(zone: IndexedZone): { record: ZoneRecord; written: string }[] {
  const found: { record: ZoneRecord; written: string; top: string }[] = [];
  const counts = new Map<string, number>();
  const [ownName] = labels(zone.apex);
  for (const [owner, types] of zone.owners) {
    const written = relativeTo(owner, zone.apex);
    const parts = labels(`${written}.`);
    const [second, top] = [parts.at(-2), parts.at(-1) ?? ""];
    counts.set(top, (counts.get(top) ?? 0) + 1);
    const isSibling = second !== undefined && second === ownName && /^[a-z]{2,}$/.test(top);
    const record = [...types.values()][0]?.records[0];
    if (!record || second === undefined || written.endsWith(".") || zone.owners.has(withLabel(top, zone.apex)))
      continue;
    const isOwn = isInside(asName(`${written}.`), zone.zone.name); // reported by another rule
    if ((isSibling || topLevel.has(top)) && !isOwn && !isAbsolute(record)) found.push({ record, written, top });
  }
  return found.filter(({ top }) => (counts.get(top) ?? 0) < fewest);
}

/** Whether the owner has a final dot in the file, so that it is intended. */
export function isAbsolute({ ownerAt, source, start = 0 }: ZoneRecord): boolean {
  if (ownerAt && source) {
    const { line, column, length } = ownerAt;
    return /\.["']?$/.test(source.line(line).slice(column - 1, column - 1 + length));
  }
  const word = /(?:\\.|[^\s;()])+/y;
  word.lastIndex = start;
  return /\.$/.test((source && word.exec(source.text)?.[0]) ?? "");
}
