import { findNode } from "../lookup/lookup.ts";
import type { AcrossRule } from "../lookup/rule.ts";
import { asName, type NameKey, nameKey, parent, withoutDot } from "../name/name.ts";
import { reportHosts } from "../policies/dmarc.ts";
import { meantText, policyKind } from "../policies/kind.ts";
import type { OwnerSets } from "../zone/owners.ts";
import type { RRset, ZoneRecord } from "../zone/zone.ts";

export const dmarcReportElsewhere: AcrossRule = {
  id: "dmarc-report-elsewhere",
  *check(zone, zones) {
    for (const { owner, records } of zone.sets("TXT")) {
      if (!owner.startsWith("_dmarc.")) continue;
      for (const record of records) {
        const text = meantText(record);
        if (policyKind(text) !== "DMARC") continue;
        const domain = parent(owner);
        for (const host of reportHosts(text, domain)) {
          const accepting: NameKey = nameKey(asName(`${domain}_report._dmarc.${host}`));
          const other = zones.of(accepting);
          if (!other || other.isInDoubt(accepting, ["TXT", "CNAME"])) continue;
          const node = findNode<RRset, OwnerSets>(other, accepting, "TXT");
          if (node.kind !== "node" && node.kind !== "nxdomain") continue;
          const sets = node.kind === "node" ? node.sets : undefined;
          const texts = (sets?.get("TXT")?.records ?? []) as readonly ZoneRecord<"TXT">[];
          if (sets?.has("CNAME") || texts.some((one) => policyKind(meantText(one)) === "DMARC")) continue;
          yield {
            summary: `${zone.show(owner)} TXT: ${withoutDot(host)} accepts no DMARC reports of ${withoutDot(domain)}`,
            at: record,
            fix: `Add "${other.show(accepting)}" with the TXT "v=DMARC1" to "${other.zone.file ?? other.zone.name}".`,
          };
        }
      }
    }
  },
};
