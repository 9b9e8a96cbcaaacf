import { aliasAt, namesOfTypes } from "../lookup/aliases.ts";
import type { AcrossRule } from "../lookup/rule.ts";
import { type Name, type NameKey, nameKey } from "../name/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";

/** Resolvers give up long before: longer ways are not followed. */
const mostLinks = 32;

export const cnameLoopElsewhere: AcrossRule = {
  id: "cname-loop-elsewhere",
  *check(zone, zones) {
    for (const { owner, records } of zone.sets("ALIAS", "CNAME")) {
      const way = new Set<NameKey>();
      const aliases: ZoneRecord[] = [];
      let isElsewhere = false;
      for (let at: NameKey | undefined = owner; at !== undefined && !way.has(at) && way.size < mostLinks; ) {
        way.add(at);
        const answering = zones.of(at);
        isElsewhere ||= answering !== zone;
        const alias = aliasAt(answering, at);
        if (alias) aliases.push(alias);
        const [target]: readonly Name[] = alias ? targets(alias) : [];
        at = target && nameKey(target);
        if (at !== owner || !isElsewhere) continue;
        yield {
          summary: `${[...way, owner].join(" → ")} is a loop of ${namesOfTypes(aliases)} records`,
          at: records[0],
          fix: "Point one of them to a name with address records.",
        };
      }
    }
  },
};
