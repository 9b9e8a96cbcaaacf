import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";

export const cnameChain: Rule = {
  id: "cname-chain",
  set: "practice",
  severity: "note",
  why: "An alias of an alias costs resolvers a further lookup; aliases point to the name with the records (RFC 1034 §3.6.2).",
  example: {
    ok: "records:\n  www: { CNAME: shop }\n  shop: { A: 192.0.2.1 }",
    ko: "records:\n  www: { CNAME: shop }\n  shop: { CNAME: shop.example.net. }",
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("CNAME")) {
      const [record] = records;
      const [target = "."] = record ? targets(record) : [];
      const next = zone.owners.get(target.toLowerCase())?.get("CNAME")?.records[0];
      const [end = "."] = next ? targets(next) : [];
      if (!next || zone.isApex(target) || end.toLowerCase() === owner || target.toLowerCase() === owner) continue;
      yield {
        summary: `${zone.show(owner)} is an alias of ${zone.show(target)}, which is an alias of ${zone.show(end)}`,
        at: record,
        fix: `Write ${zone.show(end)} as the target.`,
      };
    }
  },
};
