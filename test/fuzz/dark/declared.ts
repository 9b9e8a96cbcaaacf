import type { Plan } from "../../../src/planner/changes/change.ts";

/** The gaps that a plan declares, by owner and type, in steps and where zones are activated, disabled or deleted. */
export function declaredGaps({ zones, deletions }: Plan): Map<string, ReadonlySet<string>> {
  const gaps = new Map<string, Set<string>>();
  const parts = [
    ...zones.flatMap(({ steps, activation }) => [...steps, ...(activation ? [activation] : [])]),
    ...deletions,
  ];
  for (const { gaps: declared = [] } of parts)
    for (const { owner, types } of declared) {
      const known = gaps.get(owner.toLowerCase()) ?? new Set();
      for (const type of types) known.add(type);
      gaps.set(owner.toLowerCase(), known);
    }
  return gaps;
}
