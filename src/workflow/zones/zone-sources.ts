import { readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { hasErrors, type Problem, ProblemError, problemError } from "../../diagnostics/problem.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { nameKey } from "../../dns/name/name.ts";
import { readRegularFile, statIfPresent } from "../../file-system.ts";
import {
  fileErrorReason,
  findRepeatedZones,
  findZoneFiles,
  isBindZoneFile,
  isOctodnsZone,
  type OnUnreadable,
  readZoneRef,
  type ZoneFileRef,
  type ZoneOfFile,
} from "../../formats/files.ts";
import { readOctodnsProviders, type YamlProviderSettings, yamlProviderSettings } from "../../formats/octodns/config.ts";
import { readerOf } from "../../formats/readers.ts";
import { readableFrom, refuseUnreadable } from "../project/confine.ts";
import { mapItems } from "../project/progress.ts";
import type { Project } from "../project/project.ts";

/** Settings of octoDNS's provider for a folder, from octoDNS's configuration. */
export interface OctodnsFolder {
  readonly default_ttl?: number;
  readonly split_extension?: string;
}

/** A folder that was read; its path is relative to the working folder. */
export interface SourceFolder {
  readonly folder: string;
  /** Present if its YAML files are octoDNS's. */
  readonly octodns?: OctodnsFolder;
  /** Whether the config finds every file that was read here, by its ending. */
  readonly isWhole: boolean;
}

/** Zones of files anywhere on the disk, and the files that were skipped. */
export interface ZoneSources {
  readonly zones: readonly ZoneOfFile[];
  /** All problems of the files, including files that are not zones or have errors. */
  readonly problems: readonly Problem[];
  /** Files with errors; their zones are not among `zones`. */
  readonly failed: readonly string[];
  /** Files in folders that are not zone files. */
  readonly skipped: readonly string[];
  readonly folders: readonly SourceFolder[];
}

/**
 * Reads zone files and folders, anywhere on the disk: BIND zone files of any name, octoDNS's, and zonewright's own. A
 * file with errors is skipped, and so are all files of a zone that several files describe.
 * @throws {ProblemError} `file-read` for a path that does not exist.
 */
export async function readZoneSources(project: Project, paths: readonly string[]): Promise<ZoneSources> {
  const { cwd, settings } = project;
  const found = paths.map((path) => findSources(cwd, path));
  const refs = new Map(found.flatMap(({ refs }) => refs).map((ref) => [ref.path, ref]));
  const problems: Problem[] = [];
  const failed: string[] = [];
  const readOne = (ref: ZoneFileRef): ZoneOfFile[] => {
    try {
      refuseOutside(project, ref);
      return [readZoneRef(ref, settings)];
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      for (const found of error.problems) problems.push(found);
      failed.push(ref.file);
      return [];
    }
  };
  const read = (await mapItems(project, ["reading zone files", "file"], [...refs.values()], readOne)).flat();
  const included = new Set(read.flatMap((zone) => zone.included.map(({ file }) => resolve(cwd, file))));
  const zones = read.filter(({ file, format }) => format !== undefined || !included.has(resolve(cwd, file)));
  for (const zone of zones) for (const found of zone.problems) problems.push(found);
  const twice = findRepeatedZones(zones);
  problems.push(...twice);
  const names = new Map<string, number>();
  for (const { zone } of zones) names.set(nameKey(zone.name), (names.get(nameKey(zone.name)) ?? 0) + 1);
  const isGood = (zone: ZoneOfFile) => !hasErrors(zone.problems) && names.get(nameKey(zone.zone.name)) === 1;
  return {
    zones: zones.filter(isGood),
    problems,
    failed: [...failed, ...zones.filter((zone) => !isGood(zone)).map(({ file }) => file)],
    skipped: found.flatMap(({ skipped }) => skipped).filter((file) => !included.has(resolve(cwd, file))),
    folders: found.flatMap(({ folder }) => (folder ? [folder] : [])),
  };
}

/** Refuses a file of a source that a link leads out of the repository to. @throws {ProblemError} `path-outside` */
export function refuseOutside(project: Project, ref: ZoneFileRef): void {
  refuseUnreadable(readableFrom(project, ref.path), ref.split?.parts ?? [ref]);
}

/** Zone files at a path. */
export interface FoundSources {
  readonly refs: readonly ZoneFileRef[];
  /** Files in a folder that are not zone files. */
  readonly skipped: readonly string[];
  readonly folder?: SourceFolder;
}

/**
 * Finds the zone files at a path: the file itself, or those in a folder, with their formats. Each file is given to
 * `onUnreadable` once.
 * @throws {ProblemError} `file-read` for a path that does not exist.
 */
export function findSources(cwd: string, path: string, onUnreadable?: OnUnreadable): FoundSources {
  return findIn(cwd, path, [], onUnreadable);
}

/** The same, where octoDNS's configuration may also be one of `around`. */
function findIn(cwd: string, path: string, around: readonly string[], onUnreadable?: OnUnreadable): FoundSources {
  const absolute = resolve(cwd, path);
  const file = isAbsolute(path) ? absolute : relative(cwd, absolute) || ".";
  const kind = statIfPresent(absolute);
  if (!kind) {
    const fix = "Name zone files, or folders with zone files.";
    throw problemError("file-read", `${path} does not exist`, { fix });
  }
  if (!kind.isDirectory()) return { refs: [withFormat(cwd, { path: absolute, file })], skipped: [] };
  const plain = findZoneFiles(absolute, file, {}, onUnreadable);
  const isOctodns = plain.files.some(isOctodnsZone);
  const configs = [...plain.files.map(({ path }) => path), ...around];
  const octodns = isOctodns ? octodnsFolder(cwd, absolute, configs) : undefined;
  const settings = {
    format: "octodns" as const,
    defaultTtl: octodns?.default_ttl,
    splitExtension: octodns?.split_extension,
  };
  const { files, others } = octodns ? findZoneFiles(absolute, file, settings, onUnreadable && (() => {})) : plain;
  const common = absolute === cwd ? commonFolder(files) : undefined;
  if (common !== undefined && common !== absolute)
    return findIn(cwd, relative(cwd, common), configs, onUnreadable && (() => {}));
  const own = files.map((ref) =>
    ref.split === undefined && octodns && !isOctodnsZone(ref) ? withoutFormat(ref) : ref,
  );
  const unnamed = others
    .filter(({ isConfig }) => !isConfig)
    .map((other) => ({ path: resolve(cwd, other.file), file: other.file, root: { path: absolute, file } }))
    .filter(isZoneByContent);
  const rest = others.filter(({ file }) => !unnamed.some((ref) => ref.file === file));
  return {
    refs: [...own, ...unnamed],
    skipped: rest.map(({ file }) => file),
    folder: { folder: file, isWhole: unnamed.length === 0, ...(octodns && { octodns }) },
  };
}

/** The deepest folder that contains all files; undefined if a zone is split into several. */
function commonFolder(files: readonly ZoneFileRef[]): string | undefined {
  if (files.some(({ split }) => split)) return undefined;
  return files
    .map(({ path }) => dirname(path))
    .reduce<string | undefined>((common, folder) => {
      let at = common ?? folder;
      while (`${folder}${sep}`.startsWith(`${at}${sep}`) === false) at = dirname(at);
      return at;
    }, undefined);
}

/** Detects the format of a single file: octoDNS's if it contains octoDNS's record sets. */
function withFormat(cwd: string, ref: ZoneFileRef): ZoneFileRef {
  if (!isOctodnsZone(ref)) return ref;
  return { ...ref, format: "octodns", defaultTtl: octodnsFolder(cwd, dirname(ref.path)).default_ttl };
}

function withoutFormat({ path, file, root }: ZoneFileRef): ZoneFileRef {
  return { path, file, ...(root && { root }) };
}

/** Whether a file with another ending is a BIND zone file, such as `db.example.com` or `example.com.hosts`. */
function isZoneByContent(ref: ZoneFileRef): boolean {
  if (/\.(?:jnl|signed|bak|orig|old|save|rpm\w+|dpkg-\w+)$|~$/.test(ref.file)) return false;
  if (readerOf(ref.file)?.name === "yaml" || !statIfPresent(ref.path)?.isFile()) return false;
  return isBindZoneFile(ref);
}

/**
 * Finds the settings for a folder in octoDNS's configuration: the YAML provider with this `directory`. The
 * configuration may have any name, in the folder or above it, up to the working folder, or be one of `others`. Its
 * paths are relative to the folder where octoDNS runs: one of those above, too, unless octoDNS runs on another machine.
 */
function octodnsFolder(cwd: string, folder: string, others: readonly string[] = []): OctodnsFolder {
  const above = [folder, ...ancestors(folder, cwd)];
  const nearest = above.flatMap((at) => list(at).map((name) => join(at, name)));
  const files = new Set([...nearest, ...others].filter((file) => /\.ya?ml$/.test(file)));
  const providers = [...files].flatMap(yamlProvidersIn);
  const isAt = (directory: string) => above.some((at) => resolve(at, directory) === folder);
  const isNamed = (directory: string) => basename(directory) === basename(folder);
  const found =
    providers.find(({ directory }) => isAt(directory)) ?? providers.find(({ directory }) => isNamed(directory));
  const { defaultTtl, splitExtension } = found ?? {};
  return {
    ...(defaultTtl !== undefined && { default_ttl: defaultTtl }),
    ...(splitExtension !== undefined && { split_extension: splitExtension }),
  };
}

/** The folders above a folder up to another one; only its parent if it is not inside. */
function ancestors(folder: string, top: string): string[] {
  const parent = dirname(folder);
  const isInside = parent !== top && parent.startsWith(`${top}${sep}`);
  return isInside ? [parent, ...ancestors(parent, top)] : [parent];
}

interface YamlProvider extends YamlProviderSettings {
  readonly directory: string;
}

/** The providers of YAML files that a file configures; none if it is not the configuration of octoDNS. */
function yamlProvidersIn(file: string): YamlProvider[] {
  try {
    const text = readRegularFile(file).toString();
    if (!/^providers\s*:/m.test(text)) return [];
    return readOctodnsProviders(new SourceText(file, text)).flatMap((part) => {
      const [directory] = part.settings.get("directory") ?? [];
      const isYaml = part.settings.get("class")?.[0]?.endsWith("YamlProvider") ?? false;
      return isYaml && directory !== undefined ? [{ directory, ...yamlProviderSettings(part) }] : [];
    });
  } catch {
    return []; // cannot be read
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw problemError("file-read", `${folder} cannot be read: ${fileErrorReason(error)}`);
  }
}
