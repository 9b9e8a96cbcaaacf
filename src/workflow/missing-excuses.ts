import { nameKey, relativeTo } from "../dns/name.ts";
import type { Excuse, RecordList, Zone } from "../dns/zone.ts";
import type { ReadZone } from "../formats/files.ts";
import { newExcuses } from "../formats/kit/difference.ts";

/**
 * The `lenient` entries of `wanted` that an existing file lacks, for owners whose records the file itself contains.
 * `records` are those that it will contain, without those of its templates; `report` gets a text for each other owner.
 */
export function missingExcuses(
  { file, zone, fromTemplates }: ReadZone,
  records: RecordList,
  wanted: Pick<Zone, "excused">,
  report: (summary: string) => void,
): Excuse[] {
  const missing = newExcuses(zone, wanted);
  if (missing.length === 0) return missing;
  const included = new Set(
    zone.records.filter((record) => record.source?.file !== file && !fromTemplates?.records.has(record)),
  );
  const owners = new Set(records.filter((record) => !included.has(record)).map(({ owner }) => nameKey(owner)));
  return missing.filter(({ owner, rule }) => {
    if (owners.has(nameKey(owner))) return true;
    const other = zone.records.find((record) => nameKey(record.owner) === nameKey(owner))?.source?.file;
    if (other !== undefined)
      report(
        `${relativeTo(owner, zone.name)} breaks the rule ${rule}, and its records are in ${other}: ` +
          `write \`lenient\` for the rule there, or in ${file}`,
      );
    return false;
  });
}
