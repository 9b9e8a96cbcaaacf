import { asName, isInside, labels, relativeTo, withLabel } from "./name.ts";
import type { IndexedZone } from "./rule.ts";
import type { ZoneRecord } from "./zone.ts";

/** Labels that are a top-level domain and hardly ever the name of anything else. */
const topLevel = new Set(["com", "net", "org", "info", "biz", "edu"]);

/** The number of names below one such label that make a tree of their own, not slips. */
const fewest = 5;

/**
 * The owners whose names below the zone read as names of another domain, such as `www.example.net`, with what is
 * written.
 */
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
    const isOwn = isInside(asName(`${written}.`), zone.zone.name); // a rule of its own
    if ((isSibling || topLevel.has(top)) && !isOwn && !isAbsolute(record)) found.push({ record, written, top });
  }
  return found.filter(({ top }) => (counts.get(top) ?? 0) < fewest);
}

/** Is the owner written with its final dot in the file, so that it is meant as it stands? */
export function isAbsolute({ ownerAt, source, start = 0 }: ZoneRecord): boolean {
  if (ownerAt && source) {
    const { line, column, length } = ownerAt;
    return /\.["']?$/.test(source.line(line).slice(column - 1, column - 1 + length));
  }
  const word = /(?:\\.|[^\s;()])+/y;
  word.lastIndex = start;
  return /\.$/.test((source && word.exec(source.text)?.[0]) ?? "");
}
