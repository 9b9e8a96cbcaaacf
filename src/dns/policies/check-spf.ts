import type { IndexedZone, RuleFinding } from "../lookup/rule.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import { type SpfPolicy, spfOf } from "./spf.ts";

export type SpfFault = readonly [summary: string, fix: string];

/** The faults that a function finds in the SPF policies of a zone. */
export function* checkSpf(
  zone: IndexedZone,
  find: (policy: SpfPolicy, record: ZoneRecord<"TXT">) => SpfFault | undefined,
): Generator<RuleFinding> {
  for (const { owner, records } of zone.sets("TXT")) {
    for (const record of records) {
      const policy = spfOf(record);
      const problem = policy && find(policy, record);
      if (problem) yield { summary: `${zone.show(owner)} TXT: ${problem[0]}`, at: record, fix: problem[1] };
    }
  }
}
