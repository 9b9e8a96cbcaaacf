import { nameKey, root } from "../name.ts";
import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";

export const cnameChain: Rule = {
  id: "cname-chain",
  *check(zone) {
    for (const { owner, records } of zone.sets("CNAME")) {
      const [record] = records;
      const [target = root] = record ? targets(record) : [];
      const next = zone.owners.get(nameKey(target))?.get("CNAME")?.records[0];
      const [end = root] = next ? targets(next) : [];
      if (!next || zone.isApex(target) || nameKey(end) === owner || nameKey(target) === owner) continue;
      yield {
        summary: `${zone.show(owner)} CNAME points to "${zone.show(target)}", which is a CNAME to "${zone.show(end)}"`,
        at: record,
        fix: `Point to "${zone.show(end)}" directly.`,
      };
    }
  },
};
