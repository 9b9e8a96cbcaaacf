import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { hasErrors, type Problem, ProblemError, problem, problemError, usageError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { checkZone } from "../../dns/check.ts";
import { isSameName, type Name, type NameKey, nameKey, root } from "../../dns/name/name.ts";
import { byOwner } from "../../dns/zone/owners.ts";
import { distinct, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { statIfPresent } from "../../file-system.ts";
import type { Exporter } from "../../formats/edit/written-zone.ts";
import { fileName, type ZoneOfFile } from "../../formats/files.ts";
import { exportFormats, formats } from "../../formats/formats.ts";
import { type FormatName, formatNames } from "../../formats/readers.ts";
import { recordsText } from "../../formats/records-text.ts";
import { zoneFileText } from "../../formats/zone-file-text.ts";
import { readLive } from "../../targets/read-live.ts";
import type { ReadOptions, Target, TargetKind } from "../../targets/target.ts";
import { withUsualTtl } from "../../targets/usual-ttl.ts";
import { isBelow, realPath } from "../project/confine.ts";
import { writeFiles } from "../project/files.ts";
import { mapItems, reportLive, reportTask } from "../project/progress.ts";
import { nameserversOf, type Project, toName } from "../project/project.ts";
import { schemaFor } from "../project/schema-line.ts";
import { applySeverities } from "../project/severities.ts";
import { withExcusesOf } from "../project/targets.ts";
import { checkWritten } from "../zones/check-written.ts";
import { refersToNodes, refuseUnresolved } from "../zones/resolve-nodes.ts";
import { zoneFromLive } from "../zones/zone-from-live.ts";
import { completeZone, readContents, readZones } from "../zones/zones.ts";

type OtherForm = "octodns" | "dns-zonefile";
export type ExportForm = FormatName | "octodns" | "dns-zonefile" | "records";
const otherForms = Object.values(exportFormats).map(({ name }) => name);
export const exportForms: readonly ExportForm[] = [...formatNames, ...otherForms, "records"];

/** The text of a zone; for `records` without a folder, of all zones, under the root name. */
export interface ExportedZone {
  readonly name: Name;
  readonly text: string;
}

export interface Exported {
  readonly zones: readonly ExportedZone[];
  /** Errors for records that a name server would reject, and `export-lost` for each that the form cannot contain. */
  readonly problems: readonly Problem[];
}

export interface ExportOptions {
  readonly to: ExportForm;
  /** The zone of a file that is not named after it. */
  readonly origin?: string;
  /** The folder to write to, from which schemas are found; undefined for one stream. */
  readonly out?: string;
}

/**
 * Returns the zones of files in another form.
 * @throws {ProblemError} for files with errors; `node-unresolved` for files that refer to nodes, except to YAML
 */
export function exportFiles(project: Project, names: readonly string[], options: ExportOptions): Promise<Exported> {
  return exportWithNodes(project, names, options, async (zones) => {
    const fix = advise`Use ${{ run: "export" }}, which asks the service for them, or ${{ set: "to", to: "yaml" }}, which keeps the references.`;
    for (const zone of zones) refuseUnresolved(zone, "it cannot be written in this form without their addresses", fix);
    return zones;
  });
}

/** Gets the zones with the addresses of the nodes that they refer to. */
type ResolveNodes = (zones: readonly ZoneOfFile[]) => Promise<readonly ZoneOfFile[]>;

/**
 * The same; `resolve` is called if forms other than YAML need the addresses of nodes.
 * @throws {ProblemError} for files with errors.
 */
export async function exportWithNodes(
  project: Project,
  names: readonly string[],
  options: ExportOptions,
  resolve: ResolveNodes,
): Promise<Exported> {
  const { zones, problems } = await readZones(project, names, options);
  const found = [...problems, ...zones.flatMap((zone) => zone.problems)];
  if (hasErrors(found)) throw new ProblemError(errorsOf(found));
  // YAML keeps references to nodes; other forms contain their addresses.
  const isResolved = options.to === "yaml" || !refersToNodes(zones);
  const read = (isResolved ? zones : await resolve(zones)).map(({ zone }) => zone);
  const refused = await mapItems(project, ["checking zones", "zone"], read, (zone) =>
    errorsOf(applySeverities(checkZone(zone), withExcusesOf(zone, project), project.switches, project.isStrict)),
  );
  const exported = await convertZones(project, read, options);
  return { zones: exported.zones, problems: [...found, ...refused.flat(), ...exported.problems] };
}

/**
 * Returns live zones in another form; all if no names are given.
 * @throws {ProblemError} `zone-unknown`
 */
export async function exportLive(
  project: Project,
  { read }: Pick<Target, "read">,
  names: readonly string[],
  options: ExportOptions & ReadOptions,
): Promise<Exported> {
  const { zones } = await readLive(read, matchNames(names), { ...options, onRead: reportLive(project.onProgress) });
  checkFound(names, [...zones.keys()], project.target);
  const { settings } = project.target.capabilities;
  const stored = [...zones.values()].map((zone) => withUsualTtl(zoneFromLive(zone, settings), project.target));
  return convertZones(project, stored, options);
}

/**
 * Returns the zone files that the service renders, as they are or, for another form than `bind`, read and written. A
 * zone without one, such as a disabled zone, is skipped unless it is named.
 * @throws {ProblemError} `zone-unknown`, `not-rendered`, and for zone files with errors.
 */
export async function exportRendered(
  project: Project,
  { read }: Pick<Target, "read">,
  names: readonly string[],
  options: ExportOptions & ReadOptions,
): Promise<Exported & { readonly skipped: readonly Name[] }> {
  const isWanted = matchNames(names);
  const report = reportTask(project.onProgress, "reading zone files of the service", "zone");
  report(0, 0);
  const heads = (await read.listZones(options)).filter(({ name }) => isWanted(nameKey(name)));
  checkFound(
    names,
    heads.map(({ name }) => nameKey(name)),
    project.target,
  );
  const zones: ExportedZone[] = [];
  const skipped: Name[] = [];
  for (const [index, { id, name }] of heads.entries()) {
    report(index, heads.length);
    const text = await read.readZoneFile({ id, name }, options);
    if (text !== "") zones.push({ name, text: zoneFileText(text) });
    else if (names.length === 0) skipped.push(name);
    else {
      const fix = "Try again in a moment; a disabled zone is not rendered.";
      throw problemError("not-rendered", `the service has not rendered ${name.slice(0, -1)}`, { fix });
    }
  }
  if (options.to === "bind") return { zones, problems: [], skipped };
  const { settings } = project;
  const files = zones.map(({ name, text }) => {
    const file = `the rendered ${name.slice(0, -1)}`;
    return formats.bind.read({ file, bytes: Buffer.from(text), origin: name, settings });
  });
  const found = files.flatMap(({ problems }) => problems);
  if (hasErrors(found)) throw new ProblemError(errorsOf(found));
  const rendered = files.map(({ zone }) => zone);
  return { ...(await convertZones(project, rendered, options)), skipped };
}

/** Writes one file per zone into a folder. */
export async function writeExported(
  project: Project,
  zones: readonly ExportedZone[],
  { to, out }: { readonly to: ExportForm; readonly out: string },
): Promise<void> {
  const own = project.folders.find(
    ({ path }) => isBelow(realPath(path), realPath(resolve(project.cwd, out))) && hasEntries(path),
  );
  if (own) {
    const why = advise`${{ set: "out", to: escapeControl(out) }} is in the folder ${escapeControl(own.file)} with the zone files of the project`;
    const convert = { run: "fmt", with: { to: formatNames.find((name) => name === to) ?? "yaml" } } as const;
    throw usageError(advise`${why}: name another folder. ${convert} converts them in place.`);
  }
  const files = zones.map(({ name, text }) => ({ file: join(out, exportName(name, to)), text }));
  await writeFiles(project, files, advise`Name a writable folder with ${{ set: "out" }}.`);
}

function hasEntries(folder: string): boolean {
  return statIfPresent(folder)?.isDirectory() === true && readdirSync(folder).length > 0;
}

function exportName(zone: Name, to: ExportForm): string {
  const ending = to === "records" ? ".records" : isOther(to) ? exportFormats[to].ending : formats[to].endings[0];
  return `${fileName(zone)}${ending}`;
}

/** Returns a test for zones by name; without names it accepts all. */
export function matchNames(names: readonly string[]): (name: NameKey) => boolean {
  const keys = new Set(names.map((name) => nameKey(toName(name))));
  return (name) => keys.size === 0 || keys.has(name);
}

/** @throws {ProblemError} `zone-unknown` for names that the service does not have. */
export function checkFound(
  names: readonly string[],
  found: readonly NameKey[],
  { name: service, capabilities }: Pick<TargetKind, "name" | "capabilities">,
): void {
  const missing = names.find((name) => !found.includes(nameKey(toName(name))));
  if (missing === undefined) return;
  if (capabilities.apex === "ours") {
    const fix =
      capabilities.zones === "neither"
        ? "Add it to the configuration of the server, or use a key of the view that has it."
        : "Apply it first, or check its name.";
    throw problemError("zone-unknown", `the ${service} has no zone ${missing.replace(/\.$/, "")}`, { fix });
  }
  const fix = "It may not exist, or this token may not see it.";
  throw problemError("zone-unknown", `the account has no zone ${missing.replace(/\.$/, "")}`, { fix });
}

async function convertZones(project: Project, all: readonly Zone[], { to, out }: ExportOptions): Promise<Exported> {
  const { settings } = project;
  const zones = all.map(withDistinctRecords);
  const nameservers = nameserversOf(project);
  const problems: Problem[] = [];
  const omitting: (readonly string[])[] = [];
  const exported = await mapItems(project, ["writing zones", "zone"], zones, (zone) => {
    const { name } = zone;
    if (to === "records") {
      const text = recordsText([zone], settings);
      if (text !== "") checkRecords(zone, text, formats.bind);
      return { name, text };
    }
    if (isOther(to)) {
      const written = exportFormats[to].write(zone, { settings, nameservers });
      checkRecords(zone, written.text, exportFormats[to]);
      problems.push(...written.problems);
      if (written.omitted.length > 0) omitting.push(written.omitted);
      return { name, text: written.text };
    }
    const schema = out === undefined ? undefined : schemaFor(project.cwd, join(out, fileName(name)));
    const text = formats[to].write(zone, { settings, nameservers, schema });
    const bytes = Buffer.from(text);
    const file = { file: exportName(name, to), bytes, origin: name, settings };
    checkWritten(project, readContents(project, file, bytes), [{ zone }]);
    return { name, text: to === "bind" ? zoneFileText(text) : text };
  });
  if (omitting.length > 0) {
    const names = [...new Set(omitting.flat())].join(", ");
    problems.push(problem("export-settings", `${to} has no place for ${names} (${count(omitting.length, "zone")})`));
  }
  if (to === "records" && out === undefined)
    return { zones: [{ name: root, text: recordsText(zones, settings) }], problems: [] };
  return { zones: exported, problems };

  /** Checks the text of a form that contains the records of a zone, but not its settings and `lenient`. */
  function checkRecords(zone: Zone, text: string, { read }: Pick<Exporter, "read">): void {
    const { name, records, places, dotlessTargets } = zone;
    const file = { file: exportName(name, to), bytes: Buffer.from(text), origin: name, settings };
    const { zone: written, problems } = read(file);
    const source = { name, records, places, dotlessTargets, settings: {} };
    const isAdded = ({ type, owner }: ZoneRecord) => type === "SOA" || (type === "NS" && isSameName(owner, name));
    const inFile = {
      ...source,
      records: [...records.filter((one) => !isAdded(one)), ...written.records.filter(isAdded)],
    };
    const whole = { file: file.file, zone: completeZone(written, project), problems };
    checkWritten(project, whole, [{ zone: source, inFile }]);
  }
}

/**
 * The zone with each record once (RFC 2181 §5). Files may list one twice, or an address and the node that has it, and
 * the service stores duplicates.
 */
function withDistinctRecords(zone: Zone): Zone {
  const repeated = new Set<ZoneRecord>();
  for (const types of byOwner(zone.records).values())
    for (const { records } of types.values()) {
      if (records.length === 1) continue;
      const once = new Set(distinct(records));
      for (const record of records) if (!once.has(record)) repeated.add(record);
    }
  return repeated.size === 0 ? zone : { ...zone, records: zone.records.filter((record) => !repeated.has(record)) };
}

function isOther(form: ExportForm): form is OtherForm {
  return form in exportFormats;
}

function errorsOf(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity === "error");
}
