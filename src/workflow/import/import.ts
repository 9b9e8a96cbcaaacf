import { join, resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { hasErrors, type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { isInside, type Name, type NameKey, nameKey, relativeTo, withoutDot } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { rdataText, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { statIfPresent } from "../../file-system.ts";
import { newExcuses } from "../../formats/edit/difference.ts";
import { type FromTemplates, fileName, type ZoneOfFile } from "../../formats/files.ts";
import { formatOf, formats } from "../../formats/formats.ts";
import type { Source } from "../../formats/kit/source.ts";
import type { FolderFormat, FormatName } from "../../formats/readers.ts";
import { isInSync, planZone } from "../../planner/plan.ts";
import { readLive } from "../../targets/read-live.ts";
import type { ReadOptions, Target } from "../../targets/target.ts";
import { withUsualTtl } from "../../targets/usual-ttl.ts";
import { checkFound, matchNames } from "../export/export.ts";
import { readText, requireUtf8, writeFiles } from "../project/files.ts";
import { reportLive, walkItems } from "../project/progress.ts";
import { nameserversOf, type Project } from "../project/project.ts";
import { schemaFor } from "../project/schema-line.ts";
import { checkWritten, type WrittenFrom } from "../zones/check-written.ts";
import { missingExcuses, withExcuses } from "../zones/excuses.ts";
import { isKept, listLeftAlone } from "../zones/kept-conflicts.ts";
import { isProducer } from "../zones/kept-settings.ts";
import { withoutSoa, zoneIntoFile } from "../zones/merge-zone.ts";
import { refersToNodes, resolveNodes } from "../zones/resolve-nodes.ts";
import { isUnreadableZone } from "../zones/unreadable-zones.ts";
import { normalizeForFile, zoneFromLive } from "../zones/zone-from-live.ts";
import { existingZones, readContents, type ZoneFileEntry } from "../zones/zones.ts";

/** A live zone, and the new text of its file. */
export type ImportedZone = {
  readonly name: Name;
  readonly file: string;
  /** Stored values that a file cannot contain unchanged. */
  readonly notes: readonly string[];
} & (
  | { readonly state: "same" }
  /** A secondary zone: its records come from its primary, and it gets no file. */
  | { readonly state: "secondary" }
  | { readonly state: "new"; readonly text: string }
  | {
      readonly state: "changed";
      readonly before: string;
      readonly text: string;
      readonly problems: readonly Problem[];
    }
  /** The file differs, and zonewright does not write its format. */
  | { readonly state: "read-only"; readonly format: FolderFormat }
  /** No file is written, for these reasons: it must be edited by hand, or the zone cannot be read. */
  | { readonly state: "manual"; readonly problems: readonly Problem[] }
);

/**
 * Returns live zones of the account as zone files; all if no names are given. Equivalent files are left unchanged; in
 * others only the changed parts are. Nothing is written; each file is read when its zone is requested.
 * @throws {ProblemError} `zone-unknown`
 */
export async function importZones(
  project: Project,
  { accept, read }: Pick<Target, "accept" | "read">,
  names: readonly string[],
  options: ReadOptions & { readonly to: FormatName },
): Promise<AsyncGenerator<ImportedZone>> {
  const files = await existingZones(project);
  const unreadable = new Map<Name, readonly Problem[]>();
  const onUnreadable = ({ name }: Pick<LiveZone, "name">, error: unknown) => {
    if (!isUnreadableZone(error)) return false;
    unreadable.set(name, error.problems);
    return true;
  };
  const reading = { ...options, onUnreadable, onRead: reportLive(project.onProgress) };
  const { zones } = await readLive(read, matchNames(names), reading);
  checkFound(names, [...zones.keys(), ...[...unreadable.keys()].map(nameKey)], project.target);
  const existing = await withNodes(project, files, { read, zones });
  const fileOf = new Map(existing.toReversed().map((read) => [nameKey(read.zone.name), read])); // the first of each
  const entries = existing.map(({ zone, included }) => ({
    name: zone.name,
    included: included.map(({ file }) => file),
  }));
  return (async function* () {
    for (const [name, problems] of unreadable) {
      const file = fileOf.get(nameKey(name))?.file ?? newFileName(project, name, options.to);
      yield { name, file, notes: [], state: "manual", problems };
    }
    for await (const live of walkItems(project, ["comparing zones with their files", "zone"], [...zones.values()])) {
      if (live.secondaryOf) {
        yield secondaryZone(live);
        continue;
      }
      const importing = { project, accept, to: options.to, existing: entries };
      yield liveZoneFile(importing, live, fileOf.get(nameKey(live.name))).imported;
    }
  })();
}

function secondaryZone(live: LiveZone): ImportedZone {
  const { name, secondaryOf = [] } = live;
  const from = secondaryOf.length === 0 ? "its primary" : secondaryOf.join(", ");
  const note = isProducer(live)
    ? `${withoutDot(name)} is a producer zone and gets no file: PowerDNS lists the members of this catalog itself`
    : `${withoutDot(name)} is a secondary zone of the service and gets no file: its records come from ${from}`;
  return { name, file: "", notes: [note], state: "secondary" };
}

/** The zone files, those of live zones with the addresses of the nodes that they refer to. */
async function withNodes(
  project: Project,
  files: readonly ZoneOfFile[],
  { read, zones }: Pick<Target, "read"> & { readonly zones: ReadonlyMap<NameKey, LiveZone> },
): Promise<readonly ZoneOfFile[]> {
  const isUsed = ({ zone, problems }: ZoneOfFile) => zones.has(nameKey(zone.name)) && !hasErrors(problems);
  const referring = files.filter((file) => isUsed(file) && refersToNodes([file]));
  const { name } = project.target;
  const resolved = (await resolveNodes(project, referring, { read, name })).zones;
  return files.map((file) => resolved[referring.indexOf(file)] ?? file);
}

/** Writes the file of an imported zone. */
export function writeImported(
  { cwd, signal }: Project,
  zone: { readonly file: string; readonly text: string },
): Promise<void> {
  return writeFiles(
    { cwd, signal },
    [zone],
    advise`Make the folder writable, or name another one with ${{ set: "zones" }}.`,
  );
}

export interface Importing {
  readonly project: Project;
  readonly accept: Target["accept"];
  readonly to: FormatName;
  /** All zones of the project. */
  readonly existing: readonly Pick<ZoneFileEntry, "name" | "included">[];
}

/** The result for a live zone, and its new file as it is read back, with the errors that the live zone has as well. */
export interface LiveZoneFile {
  readonly imported: Exclude<ImportedZone, { state: "secondary" }>;
  readonly written?: { readonly read: ZoneOfFile; readonly errors: readonly Problem[] };
}

/** Further parts of a new file: its first line, and records that the service cannot store. */
export interface NewFileParts extends Partial<Pick<Zone, "records">> {
  readonly head?: string;
}

/** The file of a live zone: its existing one with the changes, or a new one with further parts. */
export function liveZoneFile(
  importing: Importing,
  live: LiveZone,
  existing: ZoneOfFile | undefined,
  parts: NewFileParts = {},
): LiveZoneFile {
  const { cwd } = importing.project;
  const defaults = { ...importing.project.defaults, ...existing?.fromTemplates?.settings };
  const notes: string[] = [];
  const note = (summary: string) => notes.push(summary);
  const left = (live.unknownRecords ?? []).filter(isKept);
  if (left.length > 0)
    note(
      `${withoutDot(live.name)} has ${count(left.length, "record")} that its file does not get: ${listLeftAlone(left)}`,
    );
  const zone = withExcuses(
    importing.project,
    normalizeForFile(
      zoneFromLive(live, importing.project.target.capabilities.settings, defaults),
      live.defaultTimes,
      note,
    ),
  );
  const file = existing?.file ?? newFileName(importing.project, live.name, importing.to);
  const head = { name: live.name, file, notes };
  const isSame = existing !== undefined && isUpToDate(importing, existing, live, zone.settings);
  if (isSame && (existing.format !== undefined || newExcuses(existing.zone, zone).length === 0))
    return { imported: { ...head, state: "same" } };
  if (existing?.format !== undefined) return { imported: { ...head, state: "read-only", format: existing.format } };
  try {
    refuseFaulty(live);
    const { read, problems, sources } = existing
      ? mergeIntoFile(importing, existing, { live, wanted: zone, isSame, note })
      : newFileOf(importing, zone, file, parts);
    const text = Buffer.from(read.bytes).toString();
    const isThere = statIfPresent(resolve(cwd, file))?.isFile();
    const before = isThere ? readText(cwd, file, "Make it readable, or move it away.") : undefined;
    if (before === text) return { imported: { ...head, state: "same" } };
    const written = { read, errors: checkWritten(importing.project, read, sources) };
    if (before === undefined) return { imported: { ...head, state: "new", text }, written };
    return { imported: { ...head, state: "changed", before, text, problems }, written };
  } catch (error) {
    if (!(error instanceof ProblemError) || !error.problems.some(({ id }) => byHand.includes(id))) throw error;
    return { imported: { ...head, state: "manual", problems: error.problems } };
  }
}

function newFileName({ folders }: Project, zone: Name, to: FormatName): string {
  return join(folders[0]?.file ?? "", `${fileName(zone)}${formats[to].endings[0]}`);
}

/** Problems whose changes zonewright cannot write into a file. */
const byHand: readonly ProblemId[] = [
  "rewrite-format",
  "rewrite-generate",
  "rewrite-include",
  "rewrite-inexact",
  "rewrite-name",
  "rewrite-template",
  "rewrite-ttl",
  "write-invalid",
  "out-of-zone",
  "soa-twice",
];

/**
 * Refuses a zone with records that no file of it can contain: other programs store them in databases of name servers.
 * @throws {ProblemError} `out-of-zone`, `soa-twice`
 */
function refuseFaulty({ name, records }: LiveZone): void {
  const about = { severity: "error", owner: name, fix: "Delete it where the zone is stored." } as const;
  const zone = withoutDot(name);
  const outside = records
    .filter(({ owner }) => !isInside(owner, name))
    .map(({ owner, type }) => problem("out-of-zone", `${zone} has a record outside of it: ${owner} ${type}`, about));
  const [, second] = records.filter(({ type }) => type === "SOA");
  const twice = second
    ? [problem("soa-twice", `${zone} has a second SOA record: ${rdataText(second)}`, { ...about })]
    : [];
  if (outside.length + twice.length > 0) throw new ProblemError([...outside, ...twice]);
}

/** A new version of a zone file as it is read back, with the zones that it was written from. */
interface NewVersion {
  readonly read: ZoneOfFile;
  readonly problems: readonly Problem[];
  readonly sources: readonly WrittenFrom[];
}

function newFileOf(
  { project, to }: Importing,
  live: Zone,
  file: string,
  { head = "", records = [] }: NewFileParts,
): NewVersion {
  const { settings } = project;
  const usual = withUsualTtl(live, project.target);
  // Unless it is ours, a SOA record that is read belongs to the service.
  const own = project.target.capabilities.serial === "ours" ? usual : withoutSoa(usual);
  const zone = records.length === 0 ? own : withExcuses(project, { ...own, records: [...own.records, ...records] });
  const text = formats[to].write(zone, {
    settings,
    nameservers: nameserversOf(project),
    schema: schemaFor(project.cwd, file),
  });
  const bytes = Buffer.from(head + text);
  const read = readContents(project, { file, bytes, origin: zone.name, settings }, bytes);
  return { read, problems: [], sources: [{ zone }] };
}

/**
 * Merges the live zone into a file; `wanted` is that zone in the form of a file. Comments, order and unchanged parts
 * are kept. A file with errors is rewritten completely, because its unchanged parts are unknown.
 * If `isSame`, the file has the live zone already, and gets only `lenient` entries.
 * @throws {ProblemError} if the file must be edited by hand.
 */
function mergeIntoFile(
  importing: Importing,
  existing: ZoneOfFile,
  {
    live,
    wanted,
    isSame,
    note,
  }: {
    readonly live: LiveZone;
    readonly wanted: Zone;
    readonly isSame: boolean;
    readonly note: (summary: string) => void;
  },
): NewVersion {
  const { file } = existing;
  const source: Source = formatOf(file) ?? formats.bind;
  if (!source.rewrite) {
    const fix = "Edit it by hand, or move the zone to a YAML or BIND zone file.";
    throw problemError("rewrite-format", `${file} has the format ${source.name}, which can be read but not written`, {
      fix,
    });
  }
  requireUtf8(existing);
  const { zone, problems } = source.read(existing);
  const { fromTemplates = noTemplates } = existing;
  const { project, accept } = importing;
  if (zone.templates && hasErrors(existing.problems)) {
    const fix = advise`Fix the errors that ${{ run: "validate" }} reports.`;
    const summary = `${file} uses templates and has errors, so it is unknown which live records come from them`;
    throw problemError("rewrite-template", summary, { severity: "error", fix });
  }
  const readBack = (bytes: Uint8Array) => readContents(project, existing, bytes);
  if (hasErrors(problems))
    return {
      read: readBack(Buffer.from(source.write(wanted, existing))),
      problems: [],
      sources: [{ zone: wanted }],
    };
  const inherited = { ...project.defaults, ...fromTemplates.settings };
  const found: Problem[] = [];
  const whole = { ...zone, records: existing.zone.records };
  const defaults = zone.settings.type === "slave" ? {} : inherited;
  const merged = withoutTemplates(
    isSame ? whole : zoneIntoFile(whole, live, wanted, { kind: { ...project.target, accept }, defaults }),
    fromTemplates,
  );
  const excused = [...(zone.excused ?? []), ...missingExcuses(existing, merged.zone.records, wanted, note)];
  const result = { ...merged.zone, excused };
  const noted = merged.differing.map((record) => {
    const users = importing.existing.filter(({ included }) => included.some((file) => file === record.source?.file));
    return templateNote(
      users.map(({ name }) => name),
      existing,
      record,
    );
  });
  let read = readBack(source.rewrite(result, existing, (problem) => found.push(problem)));
  if (!isInSync(planZone(accept(read.zone).desired, live, project.target.capabilities))) {
    found.length = 0;
    read = readBack(source.rewrite(withoutSoa(result), existing, (problem) => found.push(problem)));
  }
  return { read, problems: [...noted, ...found], sources: [{ zone: wanted }, existing] };
}

export const noTemplates: FromTemplates = { records: new Set(), settings: {} };

/**
 * The zone without the RRsets of its templates, but with an override for each that differs. `differing` contains one
 * record of each overridden RRset.
 */
export function withoutTemplates(
  zone: Zone,
  { records: given }: FromTemplates,
): { readonly zone: Zone; readonly differing: readonly ZoneRecord[] } {
  if (given.size === 0) return { zone, differing: [] };
  const keyOf = ({ owner, type }: ZoneRecord) => `${nameKey(owner)} ${type}`;
  const changedSets = new Map<string, ZoneRecord>();
  const sets = new Map([...given].map((record) => [keyOf(record), record]));
  const kept = new Set(zone.records);
  for (const record of given) if (!kept.has(record)) changedSets.set(keyOf(record), record);
  for (const record of zone.records) {
    const ofTemplate = given.has(record) ? undefined : sets.get(keyOf(record));
    if (ofTemplate) changedSets.set(keyOf(record), ofTemplate);
  }
  const differing = [...changedSets.values()];
  const records = zone.records.filter((record) => !given.has(record) || changedSets.has(keyOf(record)));
  const overrides = [...(zone.overrides ?? []), ...differing.map(({ owner, type }) => ({ owner, type }))];
  return { zone: { ...zone, records, ...(overrides.length > 0 && { overrides }) }, differing };
}

/** A note about an RRset of a template that differs from the live one; `users` are the zones that use the template. */
export function templateNote(users: readonly Name[], { zone, file }: ZoneOfFile, record: ZoneRecord): Problem {
  const { owner, type } = record;
  const names = users.map((name) => name.slice(0, -1));
  const list = names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
  const summary = `${relativeTo(owner, zone.name)} ${type} is in a template and differs from the live zone, so ${file} overrides it`;
  const fix = `To change it for every zone that uses the template (${list}), edit the template instead.`;
  return problem("rewrite-template", summary, { fix, ...placeWithIncludes(record) });
}

/** Whether a plan would be empty, and the file contains every setting. */
function isUpToDate(
  { accept, project }: Importing,
  { zone, problems }: ZoneOfFile,
  live: LiveZone,
  settings: ZoneSettings,
): boolean {
  const accepted = accept(zone);
  if (hasErrors([...problems, ...accepted.problems])) return false;
  if (Object.keys(settings).some((name) => zone.settings[name] === undefined)) return false;
  return isInSync(planZone(accepted.desired, live, project.target.capabilities));
}
