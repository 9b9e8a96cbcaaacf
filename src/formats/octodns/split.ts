import { type Problem, problem } from "../../diagnostics/problem.ts";
import { nameKey } from "../../dns/name/name.ts";
import { placeOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { unreadOf } from "../kit/faults.ts";
import type { ReadResult } from "../kit/source.ts";

/**
 * The files of a zone that octoDNS keeps in a folder (`split_extension` of its YamlProvider), as one zone. As there,
 * each set must be in a single file.
 */
export function joinParts(parts: readonly [ReadResult, ...ReadResult[]]): ReadResult {
  const [first] = parts;
  const twice: Problem[] = [];
  const files = new Map<string, string | undefined>();
  for (const { zone } of parts) {
    const sets = new Map<string, ZoneRecord>();
    for (const record of zone.records) {
      const key = `${nameKey(record.owner)} ${record.type}`;
      if (!sets.has(key)) sets.set(key, record);
    }
    for (const [key, record] of sets) {
      const at = placeOf(record);
      if (files.has(key)) {
        const summary = `"${record.owner}" has a second ${record.type} set; the other is in ${files.get(key)}`;
        const fix = "Merge the two in one file.";
        twice.push(problem("duplicate-set", summary, { fix, owner: record.owner, place: at }));
      } else files.set(key, zone.file);
    }
  }
  const problems = [...parts.flatMap(({ problems }) => problems), ...twice];
  const records = parts.flatMap(({ zone }) => [...zone.records]);
  const omitted = parts.flatMap(({ omitted = [] }) => omitted);
  return {
    zone: { ...first.zone, records, ...unreadOf(problems) },
    problems,
    ...(omitted.length > 0 && { omitted }),
  };
}
