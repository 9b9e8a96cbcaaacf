import { existsSync, lstatSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { acksFile } from "../../config/acks.ts";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { hasErrors, type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { checkAcross } from "../../dns/across.ts";
import { checkZone } from "../../dns/check.ts";
import { asName, type Name, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone } from "../../dns/zone/desired-live.ts";
import { type AddressOf, isReferring, withAddress } from "../../dns/zone/node-reference.ts";
import type { Ignore } from "../../dns/zone/scope.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import { mayExist, statIfPresent } from "../../file-system.ts";
import {
  findRepeatedZones,
  findZoneFiles,
  type OnUnreadable,
  type OtherFile,
  originOf,
  readZoneRef,
  skippedFileProblem,
  type ZoneFileRef,
  type ZoneOfFile,
} from "../../formats/files.ts";
import type { ReadResult, ZoneFileBytes } from "../../formats/kit/source.ts";
import { readerOf, readers } from "../../formats/readers.ts";
import { addToList } from "../../group-by.ts";
import type { Target } from "../../targets/target.ts";
import { mapItems, type TaskContext } from "../project/progress.ts";
import { fileRef, type Project, toName } from "../project/project.ts";
import { applySeverities, checkLenientEntries, type Switches } from "../project/severities.ts";
import {
  checkTargetsOfZone,
  isSelected,
  targetsOfZone,
  targetViews,
  withAllTargets,
  withExcusesOf,
} from "../project/targets.ts";
import { checkCatalogs } from "./catalog.ts";
import { type InvalidZone, InvalidZonesError } from "./invalid-zones.ts";
import { checkServersOfService } from "./servers-of-service.ts";

/** Zones read from files, with the problems between these files. */
export interface ReadZones {
  readonly zones: readonly ZoneOfFile[];
  readonly problems: readonly Problem[];
  readonly switches: Switches;
  /** Zones that were left out because of errors: names that point into them are in doubt. */
  readonly leftOut?: readonly ZoneOfFile[];
}

export interface ReadingOptions {
  /** The zone of a single file that does not name it. */
  readonly origin?: string | undefined;
  /** Whether a file that cannot be read is a zone with an error; otherwise it is thrown. */
  readonly keepsUnreadable?: boolean | undefined;
  /** Whether the project may have no zone file, as when its last zone is deleted. */
  readonly mayBeEmpty?: boolean | undefined;
}

/**
 * Reads the zones named by the arguments: files by path, zones by name; all zones of the project without arguments.
 * Settings that a zone omits come from `defaults`.
 */
export async function readZones(
  project: Project,
  args: readonly string[],
  options: ReadingOptions = {},
): Promise<ReadZones> {
  const given = args.filter((arg) => isReadable(resolve(project.cwd, arg)));
  const names = args.filter((arg) => !given.includes(arg));
  for (const file of given) refuseTemplate(project, file);
  const refs = given.map((file) => fileRef(project, file));
  const read = await readFiles(project, unique(refs), options);
  const [first] = read;
  if (first && !read.some((one) => isSelected(project, one))) throw ofOtherTargets(project, read, first.file);
  if (given.length > 0 && names.length === 0) return combineZones(project, read);
  if (names.length > 0) {
    const existing = await existingZones(project, options);
    const others = existing.filter(({ file }) => !refs.some((ref) => samePath(project, ref.file, file)));
    return combineZones(project, [...new Set([...read, ...(await selectZones(project, [...read, ...others], names))])]);
  }
  requireProject(project);
  const unreadable = new UnreadableFiles(options);
  // Git removes a folder with its last file.
  const folders = options.mayBeEmpty ? project.folders.filter(({ path }) => mayExist(path)) : project.folders;
  const { files, others } = filesOf(project, folders, unreadable.onFile);
  if (files.length === 0 && !options.mayBeEmpty) throw noZones(project, others);
  const zones = [...(await readFiles(project, files, options)), ...unreadable.zones(project)];
  const all = combineZones(project, zones, others);
  // Zones of other targets may use a template that those of one do not.
  const unused = project.targets.length > 1 ? [] : unusedTemplates(project, zones);
  return { ...all, problems: [...all.problems, ...unused] };
}

function readFiles(
  project: Project,
  refs: readonly ZoneFileRef[],
  { origin, keepsUnreadable }: ReadingOptions = {},
): Promise<ZoneOfFile[]> {
  const name = origin === undefined ? undefined : toName(origin);
  return mapItems(project, ["reading zone files", "file"], refs, (ref) => {
    try {
      return readZone(project, ref, name);
    } catch (error) {
      if (!keepsUnreadable || !(error instanceof ProblemError)) throw error;
      return unreadableZone(project, ref.file, error);
    }
  });
}

/** Zone files of folders that cannot be read, such as links to missing files. */
class UnreadableFiles {
  /** Undefined if they are errors. */
  readonly onFile: OnUnreadable | undefined;
  readonly #found: (readonly [file: string, error: ProblemError])[] = [];

  constructor({ keepsUnreadable }: ReadingOptions) {
    if (!keepsUnreadable) return;
    this.onFile = (file, error) => {
      // Zones of a folder that cannot be read are unknown.
      if (!readerOf(file)) throw error;
      this.#found.push([file, error]);
    };
  }

  zones(project: Project): ZoneOfFile[] {
    return this.#found.map(([file, error]) => unreadableZone(project, file, error));
  }
}

/** The zone that a file is named after, of which nothing else is known. */
function unreadableZone({ settings }: Project, file: string, { problems }: ProblemError): ZoneOfFile {
  const name = originOf(file);
  const zone = { name, settings: {}, records: [], places: {}, dotlessTargets: [], file };
  return { zone, problems, file, bytes: new Uint8Array(), origin: name, settings, included: [] };
}

/** Divides arguments into the names of templates, which are given by path, and the others. */
export function splitTemplates(
  { cwd, templates }: Project,
  args: readonly string[],
): { readonly templates: readonly string[]; readonly others: readonly string[] } {
  const names = new Map(
    args.flatMap((arg) => {
      const name = isReadable(resolve(cwd, arg)) ? templates.nameOf(resolve(cwd, arg)) : undefined;
      return name === undefined ? [] : [[arg, name] as const];
    }),
  );
  return { templates: [...new Set(names.values())], others: args.filter((arg) => !names.has(arg)) };
}

/** @throws {ProblemError} `file-format` */
function refuseTemplate({ cwd, templates }: Project, file: string): void {
  const { folder } = templates;
  const path = resolve(cwd, file);
  if (!path.startsWith(folder.path + sep)) return;
  if (templates.nameOf(path) === undefined) {
    const summary = `${file} is in the folder of templates, but not a template`;
    const fix = `Templates are ${folder.file}/<name>.yaml. Move a zone file to another folder.`;
    throw problemError("file-format", summary, { fix });
  }
  const fix = "Name a zone that uses the template.";
  throw problemError("file-format", `${file} is a template, not a zone file`, { fix });
}

/** Reads a zone file and expands its templates. */
function readZone(project: Project, ref: ZoneFileRef, origin?: Name): ZoneOfFile {
  return expandTemplates(project, readZoneRef(ref, project.settings, origin));
}

function expandTemplates({ templates }: Project, read: ZoneOfFile): ZoneOfFile {
  if (!read.zone.templates && !read.zone.overrides) return read;
  const { zone, problems, files, fromTemplates } = templates.expand(read.zone);
  const included = [...read.included, ...files];
  return { ...read, zone, problems: [...read.problems, ...problems], included, fromTemplates };
}

/** Reads a zone file with other contents than those on the disk, as part of the project. */
export function readContents(project: Project, file: ZoneFileBytes, bytes: Uint8Array): ZoneOfFile {
  const source = readerOf(file.file) ?? readers.bind;
  return completeRead(project, { ...file, bytes }, source.read({ ...file, bytes }));
}

/** A zone file that was read, as part of the project. */
export function completeRead(project: Project, file: ZoneFileBytes, result: ReadResult): ZoneOfFile {
  const read = expandTemplates(project, { included: [], ...file, ...result });
  return resolveRead({ ...read, zone: completeZone(read.zone, project) }, file.addressOf);
}

/** The zone with the addresses of the nodes that its file and its templates refer to. */
export function resolveRead(read: ZoneOfFile, addressOf: AddressOf | undefined): ZoneOfFile {
  const { zone, fromTemplates } = read;
  if (!addressOf || !zone.records.some(isReferring)) return read;
  const all = new Map(zone.records.map((record) => [record, withAddress(record, addressOf)]));
  const records = [...all.values()];
  if (!fromTemplates) return { ...read, addressOf, zone: { ...zone, records } };
  const given = new Set([...fromTemplates.records].map((record) => all.get(record) ?? record));
  return { ...read, addressOf, zone: { ...zone, records }, fromTemplates: { ...fromTemplates, records: given } };
}

/** Templates of the project that none of its zones uses. */
export function unusedTemplates({ templates }: Pick<Project, "templates">, zones: readonly ZoneOfFile[]): Problem[] {
  if (zones.some(({ problems }) => hasErrors(problems))) return []; // one of these may misspell it
  const used = new Set(zones.flatMap(({ included }) => included.map(({ file }) => file)));
  return [...templates.files().values()]
    .filter((file) => !used.has(file))
    .map((file) => {
      const place = { file, line: 1, column: 1, length: 1 };
      return problem("template-unused", `no zone uses the template ${file}`, { place });
    });
}

/** Every zone of the project; none for folders that do not exist yet. */
export async function existingZones(project: Project, options: ReadingOptions = {}): Promise<readonly ZoneOfFile[]> {
  const unreadable = new UnreadableFiles(options);
  const read = await readFiles(project, existingRefs(project, unreadable.onFile), { ...options, origin: undefined });
  return combineZones(project, [...read, ...unreadable.zones(project)]).zones;
}

/** A zone file of the project without its records. */
export interface ZoneFileEntry {
  readonly name: Name;
  readonly file: string;
  /** The files that it includes, and its templates. */
  readonly included: readonly string[];
  /** Whether it or one of its templates refers to nodes of the service. */
  readonly refersToNodes: boolean;
  read(): ZoneOfFile;
}

/**
 * Every zone file of the project, for jobs that read few of them: the records of all need much memory. Without
 * `onUnreadable`, a file that cannot be read is an error.
 */
export async function listZoneFiles(project: Project, onUnreadable?: OnUnreadable): Promise<readonly ZoneFileEntry[]> {
  const refs = existingRefs(project, onUnreadable);
  const entries = await mapItems(project, ["reading zone files", "file"], refs, (ref) => {
    try {
      const { zone, file, included } = readZone(project, ref);
      const read = () => {
        const again = readZone(project, ref);
        return { ...again, zone: completeZone(again.zone, project) };
      };
      if (!isSelected(project, { zone, file })) return [];
      const refersToNodes = zone.records.some(isReferring);
      return [{ name: zone.name, file, included: included.map((one) => one.file), refersToNodes, read }];
    } catch (error) {
      if (!onUnreadable || !(error instanceof ProblemError)) throw error;
      onUnreadable(ref.file, error);
      return [];
    }
  });
  return entries.flat();
}

function existingRefs(project: Project, onUnreadable?: OnUnreadable): readonly ZoneFileRef[] {
  const folders = project.folders.filter(({ path }) => mayExist(path));
  return filesOf(project, folders, onUnreadable).files;
}

/**
 * The problems of one zone: of its file, by the rules, and by the limits of the target, with the severities of the
 * config and the zone.
 */
export function checkFile(project: Project, read: FileToCheck): readonly Problem[] {
  const { isStrict: strict, switches, target, selected } = project;
  return checkRead(read, [], { strict, switches, selected, accept: target.accept }).problems;
}

type FileToCheck = Pick<ZoneOfFile, "zone" | "problems">;

interface Checks extends Pick<Project, "selected"> {
  readonly strict: boolean;
  readonly switches: Switches;
  readonly accept: Target["accept"];
}

function checkRead(read: FileToCheck, across: readonly Problem[], { strict, switches, selected, accept }: Checks) {
  const zone = withExcusesOf(read.zone, { selected });
  const { desired, problems } = accept(zone, { strict });
  if (isUnread(read)) return { desired, problems: read.problems };
  const ofRules = [...checkZone(zone), ...across, ...problems];
  const found = applySeverities([...read.problems, ...ofRules], zone, switches, strict);
  return { desired, problems: [...found, ...checkLenientEntries(read.zone)].sort((a, b) => lineOf(a) - lineOf(b)) };
}

/**
 * The problems of zones: from their files, readers, rules (also across zones) and the API's limits, with the severities
 * of the config and the zones. Errors come first.
 */
export async function checkZones(
  { zones, problems, switches, leftOut = [] }: ReadZones,
  project: Pick<Project, "isStrict" | "selected" | keyof TaskContext>,
  accept: Target["accept"],
): Promise<CheckedZones> {
  const { isStrict: strict, selected } = project;
  const partial = zones.filter((read) => hasErrors(read.problems));
  const across = checkAcross(
    [...zones, ...leftOut].map(({ zone }) => zone),
    [...partial, ...leftOut].map(({ zone }) => zone),
  );
  const byCause = new Map<string, Problem[]>();
  addProblems(byCause, problems);
  const invalid: InvalidZone[] = [];
  const addAll = (read: ZoneOfFile, found: readonly Problem[]) => {
    const repeated = problems.filter(({ id, place }) => id === "zone-twice" && place?.file === read.file);
    const errors = [...found, ...repeated].filter(({ severity }) => severity === "error");
    if (errors.length > 0) invalid.push({ read, errors });
    addProblems(byCause, found);
  };
  const desired = await mapItems(project, ["checking zones", "zone"], zones, (read, index) => {
    const checked = checkRead(read, across[index] ?? [], { strict, switches, selected, accept });
    addAll(read, checked.problems);
    return checked.desired;
  });
  return { problems: sortProblems([...byCause.values()].map(withRepeats)), desired, invalid };
}

/** Zones as the service will store them. */
export interface CheckedZones {
  readonly problems: readonly Problem[];
  readonly desired: readonly DesiredZone[];
  /** The zones with errors. Of several files of one zone the first is not among them. */
  readonly invalid: readonly InvalidZone[];
}

/** Errors first, then warnings. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const rank = { error: 0, warning: 1, note: 2 };
  return [...problems].sort((a, b) => rank[a.severity] - rank[b.severity]);
}

/** Adds problems by their cause, because each zone reports those of `defaults`, a template or a folder. */
function addProblems(byCause: Map<string, Problem[]>, problems: readonly Problem[]): void {
  for (const found of problems) {
    const { via: _, owner: __, ...cause } = found;
    const { id, summary, fix } = found;
    const key = JSON.stringify(found.via ? cause : id === "file-format" ? { id, summary, fix } : found);
    addToList(byCause, key, found);
  }
}

/** Problems that several zones report, each once. */
export function mergeByCause(problems: readonly Problem[]): Problem[] {
  const byCause = new Map<string, Problem[]>();
  addProblems(byCause, problems);
  return [...byCause.values()].map(withRepeats);
}

/** The first of the problems of one cause, with the number of the others. */
function withRepeats(problems: readonly Problem[]): Problem {
  const found = problems[0] as Problem;
  if (found.id === "file-format" && problems.length > 1)
    return { ...found, detail: `The same applies to ${count(problems.length - 1, "other file")}.` };
  const users = new Set(problems.map(({ via }) => via?.at(-1)?.file));
  if (users.size < 2) return found;
  const also = `The same applies to ${count(users.size - 1, "other zone")} that use${users.size === 2 ? "s" : ""} this file.`;
  return { ...found, detail: found.detail === undefined ? also : `${found.detail} ${also}` };
}

function lineOf({ place }: Problem): number {
  return place?.line ?? 0;
}

/** Whether a file could not be read; its rules are not checked, because findings would only follow from that. */
function isUnread({ problems }: FileToCheck): boolean {
  return problems.some(({ id }) => ofWholeFile.includes(id));
}

const ofWholeFile: readonly ProblemId[] = [
  "file-format",
  "file-read",
  "merge-conflict",
  "soa-owner",
  "yaml-syntax",
  "yaml-too-large",
  "zone-empty",
];

/**
 * Converts zones to what the API will store.
 * @throws {InvalidZonesError} with all errors, if there are any.
 */
export async function refuseErrors(
  read: ReadZones,
  project: Pick<Project, "isStrict" | "selected" | keyof TaskContext>,
  accept: Target["accept"],
): Promise<CheckedZones> {
  const checked = await checkZones(read, project, accept);
  const errors = checked.problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return checked;
  // Each file of a zone with several is invalid.
  const names = new Set(checked.invalid.map(({ read }) => nameKey(read.zone.name)));
  const twice = read.zones.filter(
    (one) => names.has(nameKey(one.zone.name)) && !checked.invalid.some(({ read }) => read === one),
  );
  const invalid = [...checked.invalid, ...twice.map((read) => ({ read, errors: [] }))];
  throw new InvalidZonesError(errors, { invalid, valid: read.zones.length - invalid.length });
}

/** The zone files in folders. The project's own files and its templates may lie among them. */
function filesOf(
  { cwd, file, root, templates: { folder } }: Project,
  folders: Project["folders"],
  onUnreadable?: OnUnreadable,
): { files: ZoneFileRef[]; others: OtherFile[] } {
  const own = [resolve(cwd, file), join(root, acksFile)];
  const found = folders.map((folder) => findZoneFiles(folder.path, folder.file, folder, onUnreadable));
  const isZone = (path: string) => !own.includes(path) && !path.startsWith(folder.path + sep);
  const files = found.flatMap(({ files }) => files).filter(({ path }) => isZone(path));
  return { files: unique(files), others: found.flatMap(({ others }) => others) };
}

/** Zones of files outside the project's folders, with the templates and the settings of the project. */
export function completeZones(project: Project, zones: readonly ZoneOfFile[], problems: readonly Problem[]): ReadZones {
  const expanded = combineZones(
    project,
    zones.map((read) => expandTemplates(project, read)),
  );
  return { ...expanded, problems: [...problems, ...expanded.problems] };
}

function combineZones(project: Project, all: readonly ZoneOfFile[], others: readonly OtherFile[] = []): ReadZones {
  const zones = all.filter((read) => isSelected(project, read));
  const included = new Set(all.flatMap(({ included }) => included.map(({ file }) => file)));
  const skipped = others.filter(({ file }) => !included.has(file));
  return {
    zones: zones.map((read) => {
      const problems = [
        ...read.problems,
        ...checkTargetsOfZone(project, read),
        ...checkCatalogs(project, read),
        ...checkServersOfService(project, read),
      ];
      return { ...read, problems, zone: completeZone(read.zone, project) };
    }),
    problems: [
      ...repeatedZones(project, zones),
      ...skipped.map(skippedFileProblem),
      ...findExpiredIgnores(zones, project),
    ],
    switches: project.switches,
  };
}

/** Zones with several files, for the same target. */
function repeatedZones(project: Project, zones: readonly ZoneOfFile[]): Problem[] {
  const hasTargets = project.targets.length > 1;
  const found = targetViews(project).map((view) =>
    findRepeatedZones(
      zones.filter((read) => isSelected(view, read)),
      { hasTargets },
    ),
  );
  return [...new Map(found.flat().map((one) => [JSON.stringify(one), one])).values()];
}

/** The zone with the settings and the scope that the project gives it. */
export function completeZone(zone: Zone, project: Project): Zone {
  if (zone.settings.type === "slave") return zone;
  const { defaults, places } = project;
  const settings = { ...defaults, ...zone.settings };
  return { ...zone, settings, places: { ...places, ...zone.places }, ...scopeOf(zone, project) };
}

/** The managed part of a zone, unless all of it is managed. */
function scopeOf({ scope }: Zone, project: Project): Pick<Zone, "scope"> {
  const manage = scope?.manage ?? project.scope.manage ?? "all";
  const patterns = [...(scope?.ignore ?? []), ...project.scope.ignore];
  if (manage === "all" && patterns.length === 0) return {};
  return { scope: { manage, ignore: patterns.filter((pattern) => !isExpired(pattern, project)) } };
}

function isExpired({ until }: Ignore, { today }: Project): boolean {
  return until !== undefined && until < today;
}

/** Problems of ignore patterns that have expired. */
function findExpiredIgnores(zones: readonly ZoneOfFile[], project: Project): Problem[] {
  const patterns = [...zones.flatMap(({ zone }) => zone.scope?.ignore ?? []), ...project.scope.ignore];
  return patterns
    .filter((pattern) => isExpired(pattern, project))
    .map(({ reason, until, at }): Problem => {
      const summary = `an ignore pattern ended on ${until}, so its records are managed again: ${reason}`;
      const fix = "Remove the pattern, or set a later day.";
      return problem("ignore-expired", summary, { fix, place: at });
    });
}

function unique(refs: readonly ZoneFileRef[]): ZoneFileRef[] {
  return [...new Map(refs.map((ref) => [ref.path, ref])).values()];
}

/**
 * Every file of the named zones. Two files of one zone are both returned, so that they are reported.
 * @throws {ProblemError} `zone-unknown`
 */
async function selectZones(
  project: Project,
  all: readonly ZoneOfFile[],
  names: readonly string[],
): Promise<readonly ZoneOfFile[]> {
  const keyOf = (name: string) => nameKey(asName(name.replace(/\.?$/, ".")));
  const findIn = (zones: readonly ZoneOfFile[], name: string) =>
    zones.filter(({ zone }) => nameKey(zone.name) === keyOf(name));
  const missing = names.find((name) => findIn(all, name).length === 0);
  if (missing === undefined) return names.flatMap((name) => findIn(all, name));
  const isFolder = statIfPresent(resolve(project.cwd, missing))?.isDirectory();
  if (!isFolder && !isProject(project)) throw noProject(project, `${missing} is not a file, and `);
  if (isFolder)
    throw problemError("zone-unknown", `${missing} is a folder`, {
      fix: advise`Use ${{ set: "zones", to: missing }} to read the zone files in it.`,
    });
  if (project.selected.length < project.targets.length) {
    const ofOthers = findIn(await existingZones(withAllTargets(project), { keepsUnreadable: true }), missing);
    if (ofOthers.length > 0) throw ofOtherTargets(project, ofOthers, missing);
  }
  const near = nearest(
    missing,
    all.flatMap(({ zone, file }) => [zone.name.slice(0, -1), file]),
  );
  const fix = near
    ? `Did you mean "${near}"?`
    : "Write the path of a zone file, or the name of a zone of this project.";
  throw problemError("zone-unknown", `${missing} is neither a file nor a zone of this project`, { fix });
}

/** The error for zones, or a file, that are not applied to a selected target; `what` names them. */
function ofOtherTargets(project: Project, zones: readonly ZoneOfFile[], what: string): ProblemError {
  const [first] = zones;
  const names = project.selected.map((target) => target.name);
  const selected = names.join(", ");
  const targets = new Set(zones.flatMap((read) => targetsOfZone(project, read)));
  const summary = `${escapeControl(what)} is not applied to the target ${selected}, but to ${[...targets].join(", ")}`;
  const ofFolder = first ? targetsOfZone(project, { file: first.file }) : [];
  const other = names.every((one) => ofFolder.includes(one))
    ? `add ${selected} to \`targets\` in ${escapeControl(first?.file ?? "")}`
    : `add ${selected} to the targets of its folder in ${project.file}`;
  return problemError("zone-unknown", summary, { fix: advise`Leave out ${{ set: "target" }}, or ${other}.` });
}

function samePath({ cwd }: Project, a: string, b: string): boolean {
  return resolve(cwd, a) === resolve(cwd, b);
}

function isReadable(path: string): boolean {
  const kind = statIfPresent(path);
  return kind !== undefined && !kind.isDirectory();
}

/** @throws {ProblemError} `project-missing` if the folder has neither a config nor a folder with zone files. */
export function requireProject(project: Project): void {
  if (!isProject(project)) throw noProject(project);
}

/** Whether there is a config, or a folder with zone files. */
function isProject({ cwd, file, folders }: Project): boolean {
  const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  // Folders that the user named are reported by their names.
  return isThere(resolve(cwd, file)) || folders.some(({ path }) => path !== resolve(cwd, "zones") || isThere(path));
}

function noProject({ cwd, file, root }: Project, start = ""): ProblemError {
  const summary = `${start}there is no project here: ${cwd} has neither ${file} nor a folder zones`;
  let above = dirname(root);
  while (!existsSync(join(above, file)) && above !== dirname(above)) above = dirname(above);
  const fix = existsSync(join(above, file))
    ? `Run the command in ${above}, which has a ${file}.`
    : advise`Run ${{ run: "init" }} to create one, or run the command in the folder of your project.`;
  return problemError("project-missing", summary, { fix });
}

function noZones({ folders, targets }: Project, others: readonly OtherFile[]): ProblemError {
  const summary = `no zone files in ${folders.map(({ file }) => file).join(", ")}`;
  const [server] = targets.filter(({ kind }) => kind === "rfc2136");
  const importing = server
    ? ({ run: "import axfr", args: ["NAME"], with: { target: [server.name] } } as const)
    : ({ run: "import api" } as const);
  const fix = advise`Add a file such as example.com.yaml or example.com.zone, run ${importing}, or name another folder with ${{ set: "zones" }}.`;
  return new ProblemError([problem("zones-empty", summary, { fix }), ...others.map(skippedFileProblem)]);
}
