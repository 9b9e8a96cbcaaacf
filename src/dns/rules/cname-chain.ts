import type { IndexedZone, Rule } from "../lookup/rule.ts";
import { type NameKey, nameKey, root } from "../name/name.ts";
import type { ZoneRecord } from "../zone/zone.ts";

/** One alias of another is a deliberate indirection; from this number of links on, lookups get slow. */
const fewest = 3;

/** The maximum number of names that a message shows. */
const mostShown = 8;

export const cnameChain: Rule = {
  id: "cname-chain",
  types: ["CNAME"],
  *check(zone) {
    const ways = measureChains(zone);
    const longest = new Map<NameKey, NameKey>();
    for (const [owner, { length, end }] of ways) {
      const known = longest.get(end);
      const best = known === undefined ? fewest - 1 : (ways.get(known)?.length ?? 0);
      if (length > best) longest.set(end, owner);
    }
    for (const [end, owner] of longest) {
      const names = namesFrom(zone, owner).map((name) => zone.show(name));
      const shown = names.length > mostShown ? [...names.slice(0, mostShown - 2), "…", zone.show(end)] : names;
      yield {
        summary: `${shown.join(" → ")} is a chain of ${names.length - 1} CNAME records`,
        at: aliasAt(zone, owner),
        fix: `Point to "${zone.show(end)}" directly.`,
      };
    }
  },
};

/** The number of aliases from a name on, and the target of the last one. */
interface Way {
  readonly length: number;
  readonly end: NameKey;
}

/** Loops, which another rule reports, end nowhere. */
const endless: Way = { length: Number.NEGATIVE_INFINITY, end: root };

/** The way from each alias. The names of long chains are visited once. */
function measureChains(zone: IndexedZone): ReadonlyMap<NameKey, Way> {
  const ways = new Map<NameKey, Way>();
  for (const { owner } of zone.sets("CNAME")) {
    const visited = new Set<NameKey>();
    let at = owner;
    for (let record = aliasAt(zone, at); record && !ways.has(at) && !visited.has(at); record = aliasAt(zone, at)) {
      visited.add(at);
      at = nameKey(record.data.cname);
    }
    let { length, end } = visited.has(at) ? endless : (ways.get(at) ?? { length: 0, end: at });
    for (const name of [...visited].reverse()) ways.set(name, { length: ++length, end });
  }
  return ways;
}

function namesFrom(zone: IndexedZone, owner: NameKey): NameKey[] {
  const names = [owner];
  for (let record = aliasAt(zone, owner); record; record = aliasAt(zone, names.at(-1) ?? root))
    names.push(nameKey(record.data.cname));
  return names;
}

/** Another rule reports a CNAME at the apex. */
function aliasAt(zone: IndexedZone, name: NameKey): ZoneRecord<"CNAME"> | undefined {
  return zone.isApex(name) ? undefined : zone.owners.get(name)?.get("CNAME")?.records[0];
}
