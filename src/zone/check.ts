import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { IndexedZone, type Rule, toDiagnostic } from "./rule.ts";
import { belowDelegation } from "./rules/below-delegation.ts";
import { cnameAlone } from "./rules/cname-alone.ts";
import { cnameAtApex } from "./rules/cname-at-apex.ts";
import { cnameLoop } from "./rules/cname-loop.ts";
import { duplicateRecord } from "./rules/duplicate-record.ts";
import { glue } from "./rules/glue.ts";
import { nullMxAlone } from "./rules/null-mx-alone.ts";
import { ownerNeedsDot } from "./rules/owner-needs-dot.ts";
import { privateAddress } from "./rules/private-address.ts";
import { singlePolicy } from "./rules/single-policy.ts";
import { srvOwner } from "./rules/srv-owner.ts";
import { targetExists } from "./rules/target-exists.ts";
import { targetIsAddress } from "./rules/target-is-address.ts";
import { targetIsCname } from "./rules/target-is-cname.ts";
import { targetNeedsDot } from "./rules/target-needs-dot.ts";
import { textQuoting } from "./rules/text-quoting.ts";
import { underscoreHost } from "./rules/underscore-host.ts";
import { wildcardNs } from "./rules/wildcard-ns.ts";
import type { Zone } from "./zone.ts";

/** Every rule about zones. A new rule is one file and one line here. */
export const rules: readonly Rule[] = [
  belowDelegation,
  cnameAlone,
  cnameAtApex,
  cnameLoop,
  duplicateRecord,
  glue,
  nullMxAlone,
  ownerNeedsDot,
  privateAddress,
  singlePolicy,
  srvOwner,
  targetExists,
  targetIsAddress,
  targetIsCname,
  targetNeedsDot,
  textQuoting,
  underscoreHost,
  wildcardNs,
];

/** What the rules of DNS and of good practice say of a zone. */
export function checkZone(zone: Zone): Diagnostic[] {
  const indexed = new IndexedZone(zone);
  return rules.flatMap((rule) => [...rule.check(indexed)].map((finding) => toDiagnostic(rule, finding)));
}
