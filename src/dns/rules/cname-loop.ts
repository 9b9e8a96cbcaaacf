import { aliasAt, namesOfTypes } from "../lookup/aliases.ts";
import { findNode } from "../lookup/lookup.ts";
import type { IndexedZone, Rule } from "../lookup/rule.ts";
import { isInside, isWildcard, type NameKey, nameKey } from "../name/name.ts";
import type { OwnerSets } from "../zone/owners.ts";
import { type RRset, targets } from "../zone/zone.ts";

export const cnameLoop: Rule = {
  id: "cname-loop",
  types: ["ALIAS", "CNAME", "DNAME"],
  *check(zone) {
    const done = new Set<NameKey>();
    for (const { owner } of zone.sets("ALIAS", "CNAME")) {
      const way: NameKey[] = [];
      let at: NameKey | undefined = owner;
      while (at !== undefined && !done.has(at)) {
        const [target] = [aliasAt(zone, at) ?? []].flat().flatMap(targets);
        if (target === undefined) break;
        done.add(at);
        way.push(at);
        at = ownerOf(zone, nameKey(target));
      }
      const circle = at !== undefined && way.includes(at) ? way.slice(way.indexOf(at)) : [];
      if (circle.length === 0 || circle.some((name) => isCnameAtApex(zone, name))) continue; // another rule reports a CNAME at the apex
      const [first = owner] = circle;
      yield {
        summary: `${[...circle, first].map((name) => zone.show(name)).join(" → ")} is a loop of ${namesOfTypes(circle.flatMap((name) => aliasAt(zone, name) ?? []))} records`,
        at: aliasAt(zone, first),
        fix: "Point one of them to a name with address records.",
      };
    }
    for (const { owner, records } of zone.sets("DNAME")) {
      const record = records.find(({ data }) => isInside(nameKey(data.target), owner));
      if (record)
        yield {
          summary: `${zone.show(owner)} is a DNAME to ${nameKey(record.data.target) === owner ? "itself" : "a name below itself"}, which never ends`,
          at: record,
          fix: "Point it to a name elsewhere.",
        };
    }
  },
};

function isCnameAtApex(zone: IndexedZone, name: NameKey): boolean {
  return zone.isApex(name) && zone.has(name, "CNAME");
}

/** The owner of the records that answer for a name: itself, or a wildcard. */
function ownerOf(zone: IndexedZone, name: NameKey): NameKey | undefined {
  if (zone.owners.has(name)) return name;
  if (!zone.isInside(name)) return undefined;
  const node = findNode<RRset, OwnerSets>(zone, name, "CNAME");
  return node.kind === "node" && isWildcard(node.owner) ? node.owner : undefined;
}
