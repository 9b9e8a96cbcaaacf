import type { Problem } from "../../diagnostics/problem.ts";
import { indexZone, type Rule, toProblem } from "../../dns/lookup/rule.ts";
import { hashOwner } from "../../dns/rules/hash-owner.ts";
import { targetNeedsDot } from "../../dns/rules/target-needs-dot.ts";
import { textUnquoted } from "../../dns/rules/text-unquoted.ts";
import type { Zone } from "../../dns/zone/zone.ts";

/** Probable mistakes that only the text of a file shows: the new file of a zone has everything written out. */
export function findSlips(zone: Zone): Problem[] {
  return warningsOf(zone, [targetNeedsDot, ...unwritable]);
}

/** Finds the slips that no file in canonical form can show. */
export function findUnwritable(zone: Zone): Problem[] {
  return warningsOf(zone, unwritable);
}

const unwritable: readonly Rule[] = [textUnquoted, hashOwner];

function warningsOf(zone: Zone, rules: readonly Rule[]): Problem[] {
  const indexed = indexZone(zone);
  return rules.flatMap(({ id, check }) =>
    [...check(indexed)].map((finding) => ({ ...toProblem(id, finding), severity: "warning" as const })),
  );
}
