import { type NameKey, nameKey, root } from "../name.ts";
import type { Rule } from "../rule.ts";

export const cnameLoop: Rule = {
  id: "cname-loop",
  *check(zone) {
    const done = new Set<NameKey>();
    for (const { owner } of zone.sets("CNAME")) {
      const way: NameKey[] = [];
      let at = owner;
      while (!done.has(at) && zone.has(at, "CNAME")) {
        done.add(at);
        way.push(at);
        at = nameKey(zone.owners.get(at)?.get("CNAME")?.records[0]?.data.cname ?? root);
      }
      const circle = way.includes(at) ? way.slice(way.indexOf(at)) : [];
      if (circle.length === 0 || circle.some((name) => zone.isApex(name))) continue; // another rule reports a CNAME at the apex
      yield {
        summary: `${[...circle, at].map((name) => zone.show(name)).join(" → ")} is a loop of CNAME records`,
        at: zone.owners.get(at)?.get("CNAME")?.records[0],
        fix: "Point one of them to a name with address records.",
      };
    }
  },
};
