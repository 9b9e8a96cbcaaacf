import { asName, isInside, labels, relativeTo, withLabel } from "../name/name.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import type { IndexedZone } from "./rule.ts";

/** Top-level domains that are hardly ever used as other labels. */
const topLevel = new Set(["com", "net", "org", "info", "biz", "edu"]);

/** Fewer names than this below such a label are taken for a slip. */
const fewest = 5;

/** The owners that look like names of another domain, such as `www.example.net`, with the name as written. */
export function foreignOwners(zone: IndexedZone): { record: ZoneRecord; written: string }[] {
  const found: { record: ZoneRecord; written: string; top: string }[] = [];
  const [ownName] = labels(zone.apex);
  for (const [owner, types] of zone.owners) {
    const written = relativeTo(owner, zone.apex);
    if (!written.includes(".")) continue;
    const parts = labels(`${written}.`);
    const [second, top] = [parts.at(-2), parts.at(-1) ?? ""];
    const isSibling = second !== undefined && second === ownName && /^[a-z]{2,}$/.test(top);
    const record = [...types.values()][0]?.records[0];
    if (!record || second === undefined || written.endsWith(".") || zone.owners.has(withLabel(top, zone.apex)))
      continue;
    const isOwn = isInside(asName(`${written}.`), zone.zone.name); // reported by another rule
    if ((isSibling || topLevel.has(top)) && !isOwn && !isAbsolute(record)) found.push({ record, written, top });
  }
  const counts = countOwnersBelow(zone, new Set(found.map(({ top }) => top)));
  return found.filter(({ top }) => (counts.get(top) ?? 0) < fewest);
}

/** The number of owners whose last label inside the zone is one of these. */
function countOwnersBelow(zone: IndexedZone, tops: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (tops.size === 0) return counts;
  for (const owner of zone.owners.keys()) {
    const top = labels(`${relativeTo(owner, zone.apex)}.`).at(-1) ?? "";
    if (tops.has(top)) counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return counts;
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
