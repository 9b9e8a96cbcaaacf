import type { Problem } from "../diagnostics/problem.ts";
import { cnameLoopElsewhere } from "./across/cname-loop-elsewhere.ts";
import { delegationDiffers } from "./across/delegation-differs.ts";
import { dmarcReportElsewhere } from "./across/dmarc-report-elsewhere.ts";
import { hiddenByZone } from "./across/hidden-by-zone.ts";
import { mxElsewhere } from "./across/mx-elsewhere.ts";
import { ownerElsewhere } from "./across/owner-elsewhere.ts";
import { spfIncludeElsewhere } from "./across/spf-include-elsewhere.ts";
import { spfLookupsElsewhere } from "./across/spf-lookups-elsewhere.ts";
import { targetElsewhere } from "./across/target-elsewhere.ts";
import { targetIsCnameElsewhere } from "./across/target-is-cname-elsewhere.ts";
import { type AcrossRule, ManagedZones, toProblem } from "./lookup/rule.ts";
import type { Zone } from "./zone/zone.ts";

/** Every rule across zones. A new one is one file and one line here. */
export const acrossRules: readonly AcrossRule[] = [
  cnameLoopElsewhere,
  delegationDiffers,
  dmarcReportElsewhere,
  hiddenByZone,
  mxElsewhere,
  ownerElsewhere,
  spfIncludeElsewhere,
  spfLookupsElsewhere,
  targetElsewhere,
  targetIsCnameElsewhere,
];

/**
 * The findings of the rules across zones, for each zone in order. The `partial` zones could not be read completely, so
 * neither they nor names that point into them are reported.
 */
export function checkAcross(zones: readonly Zone[], partial: readonly Zone[] = []): Problem[][] {
  const managed = new ManagedZones(zones, partial);
  return zones.map(({ name }) => {
    const zone = zones.length > 1 ? managed.findByName(name) : undefined;
    if (!zone) return [];
    const problems: Problem[] = [];
    for (const rule of acrossRules)
      for (const found of rule.check(zone, managed)) problems.push(toProblem(rule.id, found));
    return problems;
  });
}
