import type { Problem } from "../../diagnostics/problem.ts";
import { asName, type Name, nameKey, relativeTo } from "../../dns/name/name.ts";
import type { Excuse, RecordList, Zone } from "../../dns/zone/zone.ts";
import { newExcuses } from "../../formats/edit/difference.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { formatOf } from "../../formats/formats.ts";
import { writeFiles } from "../project/files.ts";
import type { Project } from "../project/project.ts";
import { explainFixedSeverity } from "../project/switchable.ts";
import { checkFile, checkZones, existingZones } from "./zones.ts";

/**
 * Adds `lenient` entries for the errors of a served zone's records, which are in use although they would be mistakes in
 * a new file: without the entries, a plan would stop at them. Errors that cannot be lowered stay.
 */
export function withExcuses(project: Project, zone: Zone): Zone {
  const excuses = excusesFor(
    zone,
    checkFile(project, { zone, problems: [] }).filter(({ severity }) => severity === "error"),
  );
  return excuses.length === 0 ? zone : { ...zone, excused: [...(zone.excused ?? []), ...excuses] };
}

/** A `lenient` entry for each owner with an error of a rule that can be lowered. */
function excusesFor(zone: Zone, errors: readonly Problem[]): Excuse[] {
  if (errors.length === 0) return [];
  const owners = new Map(zone.records.map(({ owner }) => [nameKey(owner), owner]));
  const found = new Map<string, Excuse>();
  for (const { id, owner: name } of errors) {
    const owner = name === undefined ? undefined : owners.get(nameKey(asName(name)));
    const isLowerable = explainFixedSeverity(id) === undefined;
    if (owner !== undefined && isLowerable) found.set(`${nameKey(owner)} ${id}`, { owner, rule: id });
  }
  return [...found.values()];
}

/**
 * Adds `lenient` entries to the files of imported zones for errors that show only beside the other zones of the
 * project, such as an MX record to a name that another zone lacks. `withExcuses` sees each zone alone. Returns a line
 * for each changed file.
 */
export async function excuseAcross(project: Project, imported: readonly Name[]): Promise<readonly string[]> {
  const names = new Set(imported.map(nameKey));
  if (names.size === 0) return [];
  const zones = await existingZones(project, { keepsUnreadable: true });
  const { switches, target } = project;
  const { invalid } = await checkZones({ zones, problems: [], switches }, project, target.accept);
  const lines: string[] = [];
  for (const { read, errors } of invalid) {
    const { file, zone, fromTemplates } = read;
    const format = formatOf(file);
    if (!names.has(nameKey(zone.name)) || read.format !== undefined || !format?.rewrite) continue;
    const own = new Set(checkFile(project, read).map(({ id }) => id));
    const wanted = excusesFor(
      zone,
      errors.filter(({ id }) => !own.has(id)),
    );
    const alone = format.read(read).zone;
    const records = zone.records.filter((record) => !fromTemplates?.records.has(record));
    const missing = missingExcuses(read, records, { excused: wanted }, (line) => lines.push(line));
    if (missing.length === 0) continue;
    const text = format.rewrite({ ...alone, excused: [...(alone.excused ?? []), ...missing] }, read, () => {});
    await writeFiles(project, [{ file, text }], "Make the file writable.");
    const entries = missing.map(({ owner, rule }) => `${relativeTo(owner, zone.name)} ${rule}`).join(", ");
    lines.push(`${file} gets \`lenient\` for errors that the zones have together: ${entries}`);
  }
  return lines;
}

/**
 * The `lenient` entries of `wanted` that an existing file lacks, for owners whose records the file itself contains.
 * `records` are those that it will contain, without those of its templates; `report` gets a text for each other owner.
 */
export function missingExcuses(
  { file, zone, fromTemplates }: ZoneOfFile,
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
