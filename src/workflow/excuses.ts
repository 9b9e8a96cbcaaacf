import { asName, nameKey, relativeTo } from "../dns/name.ts";
import type { Excuse, RecordList, Zone } from "../dns/zone.ts";
import type { ReadZone } from "../formats/files.ts";
import { newExcuses } from "../formats/kit/difference.ts";
import type { Project } from "./project.ts";
import { explainFixedSeverity } from "./switchable.ts";
import { checkFile } from "./zones.ts";

/**
 * Adds `lenient` entries for the errors of a served zone's records, which are in use although they would be mistakes in
 * a new file: without the entries, a plan would stop at them. Errors that cannot be lowered stay.
 */
export function withExcuses(project: Project, zone: Zone): Zone {
  const errors = checkFile(project, { zone, problems: [] }).filter(({ severity }) => severity === "error");
  if (errors.length === 0) return zone;
  const owners = new Map(zone.records.map(({ owner }) => [nameKey(owner), owner]));
  const found = new Map<string, Excuse>();
  for (const { id, owner: name } of errors) {
    const owner = name === undefined ? undefined : owners.get(nameKey(asName(name)));
    const isLowerable = explainFixedSeverity(id) === undefined;
    if (owner !== undefined && isLowerable) found.set(`${nameKey(owner)} ${id}`, { owner, rule: id });
  }
  return found.size === 0 ? zone : { ...zone, excused: [...(zone.excused ?? []), ...found.values()] };
}

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
