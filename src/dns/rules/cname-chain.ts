import { type Name, type NameKey, nameKey } from "../name.ts";
import type { IndexedZone, Rule } from "../rule.ts";
import { targets, type ZoneRecord } from "../zone.ts";

/** One alias of another is a deliberate indirection; from this number of links on, lookups get slow. */
const fewest = 3;

export const cnameChain: Rule = {
  id: "cname-chain",
  *check(zone) {
    const longest = new Map<NameKey, readonly Link[]>();
    for (const { owner } of zone.sets("CNAME")) {
      const chain = followChain(zone, owner);
      const end = chain.at(-1)?.target;
      if (end === undefined || chain.length < fewest) continue;
      const key = nameKey(end);
      if (chain.length > (longest.get(key)?.length ?? 0)) longest.set(key, chain);
    }
    for (const chain of longest.values()) {
      const [first] = chain;
      const end = chain.at(-1)?.target;
      if (!first || end === undefined) continue;
      const names = [first.record.owner, ...chain.map(({ target }) => target)].map((name) => zone.show(name));
      yield {
        summary: `${names.join(" → ")} is a chain of ${chain.length} CNAME records`,
        at: first.record,
        fix: `Point to "${zone.show(end)}" directly.`,
      };
    }
  },
};

interface Link {
  readonly record: ZoneRecord;
  readonly target: Name;
}

/** The aliases from a name on; empty for a loop, which another rule reports. */
function followChain(zone: IndexedZone, from: NameKey): readonly Link[] {
  const chain: Link[] = [];
  const seen = new Set<NameKey>();
  for (let name = from; ; ) {
    const record = zone.isApex(name) ? undefined : zone.owners.get(name)?.get("CNAME")?.records[0];
    const [target] = record ? targets(record) : [];
    if (!record || target === undefined) return chain;
    if (seen.size === seen.add(name).size) return [];
    chain.push({ record, target });
    name = nameKey(target);
  }
}
