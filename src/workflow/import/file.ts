import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import { pMapIterable } from "p-map";
import { advise } from "../../diagnostics/advice.ts";
import { hasErrors, type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { decodeText } from "../../diagnostics/source-text.ts";
import { isRoot, type Name, nameKey } from "../../dns/name/name.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";
import {
  isZoneName,
  type OnUnreadable,
  originOf,
  readBytes,
  readZoneRef,
  type ZoneFileRef,
  type ZoneOfFile,
} from "../../formats/files.ts";
import type { ForeignFile, ForeignFormat, ForeignResult, ForeignZone } from "../../formats/foreign/foreign-format.ts";
import { foreignFormats, formatOf, formats } from "../../formats/formats.ts";
import { findSlips } from "../../formats/kit/find-slips.ts";
import { configKind, explainEnding } from "../../formats/kit/other-format.ts";
import { addToList } from "../../group-by.ts";
import { readableFrom } from "../project/confine.ts";
import { mapItems } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import { readOctodnsRepository } from "../zones/octodns-repository.ts";
import { ParentDsFinder } from "../zones/parent-ds.ts";
import { type FoundSources, findSources, refuseOutside } from "../zones/zone-sources.ts";
import { readServerConfig } from "./server-config.ts";
import { type Acquired, dsUnknown, type ImportSource, type NotAcquired } from "./zones.ts";

export interface FileRequest {
  /** Files and folders, relative to the working folder. */
  readonly paths: readonly string[];
  /** The zone of a single file that is not named after it. */
  readonly origin?: Name | undefined;
  /** Asked for the DS records of each zone at its parent; none if absent. */
  readonly resolvers?: readonly ServerAddress[] | undefined;
}

/** The zones of files, and the files in folders that were skipped. */
export interface FoundImports {
  readonly source: ImportSource;
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Reads zones from files anywhere on the disk: BIND zone files of any name, octoDNS's, zonewright's own, and files of
 * other tools. All files are read before the first zone is imported, because two of them may contain the same zone. A
 * file that cannot be read does not stop the others.
 * @throws the reason of the signal
 */
export async function readFileSource(
  project: Project,
  { paths, origin, resolvers }: FileRequest,
): Promise<FoundImports> {
  const failures: NotAcquired[] = [];
  const attempt = <T>(from: string, read: () => readonly T[]): readonly T[] => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      failures.push({ name: undefined, from, problems: error.problems });
      return [];
    }
  };
  const onUnreadable: OnUnreadable = (from, { problems }) => failures.push({ name: undefined, from, problems });
  const found = paths.flatMap((path) => attempt(path, () => [findFiles(project, path, onUnreadable)]));
  const refs = new Map(found.flatMap(({ refs }) => refs).map((ref) => [resolve(project.cwd, ref.path), ref]));
  const digest = createHash("sha256");
  const read = await mapItems(project, ["reading files", "file"], [...refs.values()], (ref) =>
    attempt(ref.file, () => {
      const file = readSourceFile(project, ref, origin);
      digest.update(`${file.file}\0`).update(file.bytes);
      return [file];
    }),
  );
  const files = read.flat();
  // A file that includes itself, also by way of others, fails; it would not be reported as an included one.
  const included = new Set(
    files.filter((file) => !isLoop(file)).flatMap(({ included }) => included.map((file) => resolve(project.cwd, file))),
  );
  const zones = files.filter(({ file, isWhole }) => isWhole || !included.has(resolve(project.cwd, file)));
  const outcomes = [...failures, ...refuseRepeated(zones.flatMap(({ zones }) => zones))];
  const names = outcomes.flatMap((one) => ("records" in one && one.name !== undefined ? [one.name] : []));
  return {
    source: {
      request: JSON.stringify(["file", digest.digest("hex"), origin ?? ""]),
      zones: names,
      isRepeatable: true,
      acquire: (_, signal) => withDs(outcomes, resolvers, signal),
    },
    skipped: found
      .flatMap(({ skipped }) => skipped)
      .filter((path) => !included.has(resolve(project.cwd, path)))
      .map((path) => ({ path, reason: `it ${explainEnding(path)?.fault ?? "is not a zone file"}` })),
  };
}

/** Adds the DS records at the parents of the zones, in parallel. */
async function* withDs(
  outcomes: readonly (Acquired | NotAcquired)[],
  resolvers: FileRequest["resolvers"],
  signal: AbortSignal,
): AsyncGenerator<Acquired | NotAcquired> {
  if (!resolvers) return yield* outcomes;
  const parents = new ParentDsFinder(resolvers);
  const add = async (one: Acquired | NotAcquired) =>
    "records" in one && one.name !== undefined ? { ...one, ds: await parents.find(one.name, signal) } : one;
  yield* pMapIterable(outcomes, add, { concurrency: 16 });
}

/** A file as it was read. */
interface SourceFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly zones: readonly (Acquired | NotAcquired)[];
  /** Files that it includes, which are then no sources themselves. */
  readonly included: readonly string[];
  /** Whether no other file can include it. */
  readonly isWhole: boolean;
}

function isLoop({ zones }: SourceFile): boolean {
  return zones.some(({ problems }) => problems.some(({ id }) => id === "include-loop"));
}

/** @throws {ProblemError} `file-read`, `import-own-file` */
function findFiles(project: Project, path: string, onUnreadable: OnUnreadable): Pick<FoundSources, "refs" | "skipped"> {
  const { cwd } = project;
  const { refs, skipped } = findSources(cwd, path, onUnreadable);
  const isOwn = (file: string) => isInside(project, resolve(cwd, file));
  if (isOwn(path)) {
    const summary = `${path} is in a folder of zone files of this project`;
    const fix = advise`It is read in place, so there is nothing to import. To change its format, use ${{ run: "export" }}; to normalise it, ${{ run: "fmt" }}.`;
    throw problemError("import-own-file", summary, { fix });
  }
  const others = skipped.filter((file) => !isOwn(file));
  const unreadable = new Set<string>();
  const isForeign = (file: string) => {
    try {
      return recognise(foreignFile(project, file)) !== undefined;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      unreadable.add(file);
      onUnreadable(file, error);
      return false;
    }
  };
  const foreign = others.filter((file) => hasEnding(file) && isForeign(file));
  return {
    refs: [...refs.filter(({ path }) => !isOwn(path)), ...foreign.map((file) => ({ path: resolve(cwd, file), file }))],
    skipped: others.filter((file) => !foreign.includes(file) && !unreadable.has(file)),
  };
}

/** Whether a path is in a folder of zone files of the project. Links are followed. */
function isInside({ folders }: Project, path: string): boolean {
  const real = realPath(path);
  return folders.some((folder) => `${real}${sep}`.startsWith(`${realPath(folder.path)}${sep}`));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it does not exist, or cannot be read, which is reported when it is read
  }
}

/** Whether the file has an ending of another tool's files. */
function hasEnding(file: string): boolean {
  return foreignFormats.some(({ endings }) => endings.some((ending) => file.endsWith(ending)));
}

/** @throws {ProblemError} `file-read` */
function foreignFile({ cwd, settings }: Project, file: string, origin?: Name): ForeignFile {
  const bytes = readBytes(resolve(cwd, file), file);
  return { file, bytes, origin: origin ?? originOf(file), settings };
}

function recognise(file: ForeignFile): ForeignFormat | undefined {
  return foreignFormats.find(({ recognises }) => recognises(file));
}

/** @throws {ProblemError} `file-read`, `file-format` */
function readSourceFile(project: Project, ref: ZoneFileRef, origin: Name | undefined): SourceFile {
  const { file } = ref;
  refuseOutside(project, ref);
  const configured = readConfigured(project, ref);
  if (configured) return configured;
  if (ref.split === undefined && ref.format === undefined && formatOf(file) !== formats.yaml) {
    const other = foreignFile(project, file, origin);
    const format = recognise(other);
    if (format) return readForeign(format, other);
    if (hasEnding(file) && formatOf(file) === undefined) {
      const known = foreignFormats.map(({ name }) => name).join(", ");
      const fix = `Name BIND zone files, zone files of octoDNS or zonewright, or a file of one of these formats: ${known}.`;
      throw problemError("file-format", `${file} has none of the formats that can be imported`, { fix });
    }
  }
  const read = readZoneRef(ref, project.settings, origin);
  const { bytes, included } = read;
  const zones = [acquireFrom(read, origin)];
  const isWhole = read.format !== undefined;
  return { file, bytes, zones, included: included.map(({ file }) => file), isWhole };
}

function readForeign(format: ForeignFormat, { file, bytes, ...rest }: ForeignFile): SourceFile {
  return acquireFromAll({ file, bytes }, format.read({ file, bytes, ...rest }));
}

/** The zones of a configuration of octoDNS or a name server, in other files. @throws {ProblemError} `file-read` */
function readConfigured(project: Project, { path, file, format, split }: ZoneFileRef): SourceFile | undefined {
  if (split !== undefined || (format !== undefined && formatOf(file) !== formats.yaml)) return undefined;
  const { settings } = project;
  const where = { cwd: project.cwd, settings, mayRead: readableFrom(project, path) };
  const bytes = readBytes(path, file);
  if (formatOf(file) === formats.yaml) {
    const found = readOctodnsRepository(where, { file, bytes });
    return found && acquireFromAll({ file, bytes }, found);
  }
  if (configKind(decodeText(bytes).text) === undefined) return undefined;
  return acquireFromAll({ file, bytes }, readServerConfig(where, file));
}

function acquireFromAll(
  { file, bytes }: Pick<SourceFile, "file" | "bytes">,
  { zones, problems }: ForeignResult,
): SourceFile {
  const whole = { file, bytes, included: [], isWhole: true };
  if (hasErrors(problems) || zones.length === 0)
    return { ...whole, zones: [{ name: undefined, from: file, problems: orEmpty(file, problems) }] };
  return { ...whole, zones: zones.map((zone, index) => foreignZone(zone, file, index === 0 ? problems : [])) };
}

function orEmpty(file: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.length > 0 ? problems : [problem("zones-empty", `${file} contains no zones`)];
}

function foreignZone(zone: ForeignZone, file: string, ofFile: readonly Problem[]): Acquired {
  const { name, settings, records, unread, scope, origins } = zone;
  const problems = [...ofFile, ...zone.problems];
  const head = headOf(file, records);
  return { name, from: file, head, settings, records, unread, ds: dsUnknown, scope, origins, problems };
}

function acquireFrom(read: ZoneOfFile, origin: Name | undefined): Acquired | NotAcquired {
  const { zone, file, problems, omitted = [] } = read;
  const { name, settings, excused, scope } = zone;
  const records = [...zone.records];
  const failure = refusal(zone, origin === undefined && isNameGuessed(read));
  const all = failure && !hasErrors(problems) ? [failure] : problems;
  if (hasErrors(all))
    return {
      name: all.some(({ id }) => id === "zone-name") ? undefined : name,
      from: file,
      problems: all.filter(isError),
    };
  const head = headOf(file, records);
  const acquired = { name, from: file, head, settings, records, unread: omitted, ds: dsUnknown, excused, scope };
  return { ...acquired, problems: [...problems, ...findSlips(zone)] };
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}

/** Whether the zone has its name from the file's only, as of `db.zone`, and it cannot be the name of a domain. */
function isNameGuessed({ zone: { name, places }, file, bytes }: ZoneOfFile): boolean {
  const key = nameKey(name);
  if (key !== originOf(file) || isZoneName(key)) return false;
  if (formatOf(file) === formats.yaml) return places.zone === undefined;
  const words = decodeText(bytes).text.split(/\s+/);
  return !words.some((word) => word.toLowerCase() === key);
}

/** The reason why a zone cannot be imported although its file can be read. */
function refusal(zone: ZoneOfFile["zone"], isGuessed: boolean): Problem | undefined {
  const { name, file = "", templates = [], overrides = [], places } = zone;
  if (isRoot(name) || isGuessed) {
    const fix = advise`Name the zone with ${{ set: "origin" }}, add it to the file (zone: or $ORIGIN), or rename the file after it.`;
    return problem("zone-name", `${file} does not name its zone`, { fix, place: places.zone });
  }
  if (templates.length + overrides.length === 0) return undefined;
  const fix = advise`Write it out with ${{ run: "expand" }} in its project, and import the result.`;
  const place = [...templates, ...overrides].find(({ at }) => at)?.at;
  return problem("import-templates", `${file} uses templates of its project`, { fix, place });
}

function headOf(file: string, records: readonly ZoneRecord[]): string {
  const soa = records.find((record) => isType(record, "SOA"));
  return `Imported from ${file}${soa ? `, serial ${soa.data.serial}` : ""}`;
}

/** Zones that several files contain fail: it is unknown which version is the right one. */
function refuseRepeated(zones: readonly (Acquired | NotAcquired)[]): (Acquired | NotAcquired)[] {
  const byName = new Map<string, (Acquired | NotAcquired)[]>();
  const nameless: NotAcquired[] = [];
  for (const zone of zones) {
    if (zone.name === undefined) nameless.push(zone);
    else addToList(byName, nameKey(zone.name), zone);
  }
  const once = [...byName.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    const files = same.map(({ from }) => from ?? "").join(", ");
    const fix = "Import only one of them.";
    const found = problem("zone-twice", `the same zone is in several of the files: ${files}`, { fix });
    return [{ name: first.name, from: files, problems: [found] }];
  });
  return [...nameless, ...once];
}
