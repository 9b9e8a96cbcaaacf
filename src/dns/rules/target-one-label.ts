import type { IndexedZone, Rule } from "../lookup/rule.ts";
import { labels, type Name, nameKey } from "../name/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";

export const targetOneLabel: Rule = {
  id: "target-one-label",
  types: ["ALIAS", "CNAME", "DNAME", "MX", "NS", "PTR", "SVCB", "HTTPS"],
  *check(zone) {
    if (labels(zone.zone.name).length === 0) return;
    for (const { owner, type, records } of zone.sets("ALIAS", "CNAME", "DNAME", "MX", "NS", "PTR", "SVCB", "HTTPS")) {
      for (const record of records) {
        for (const target of targets(record)) {
          if (!isSlip(zone, record, target)) continue;
          const label = zone.show(target).slice(0, -1);
          yield {
            summary: `${zone.show(owner)} ${type} points to the top-level domain "${target}"`,
            at: record,
            fix: `If you mean "${label}.${zone.zone.name}", write that, otherwise the full name of the host.`,
          };
        }
      }
    }
  },
};

/** 127.0.0.1 is called localhost in its reverse zone (RFC 1912 §4.1). A limit of the API covers SRV records. */
function isSlip(zone: IndexedZone, { type }: ZoneRecord, target: Name): boolean {
  const dot = target.indexOf(".");
  if (dot < target.length - 1 && target[dot - 1] !== "\\") return false;
  if (labels(target).length !== 1 || zone.isInside(target)) return false;
  return !(type === "PTR" && nameKey(target) === "localhost.");
}
