import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { advise, type Fix } from "../diagnostics/advice.ts";
import { type Problem, ProblemError, problem, problemError } from "../diagnostics/problem.ts";
import { decodeText, SourceText } from "../diagnostics/source-text.ts";
import { isInternational } from "../dns/name/idn.ts";
import { type Name, type NameKey, nameKey, readName, root, shownName } from "../dns/name/name.ts";
import { toOctets } from "../dns/name/text.ts";
import type { ZoneRecord } from "../dns/zone/zone.ts";
import type { Setting, ZoneSettings } from "../dns/zone/zone-settings.ts";
import { readRegularFile, statIfPresent } from "../file-system.ts";
import { foreignEndings } from "./foreign/endings.ts";
import { type Folder, FolderIncluder, type IncludeRule, ServerIncluder } from "./include.ts";
import { convertedNote } from "./kit/converted.ts";
import { explainEnding, guessFormat } from "./kit/other-format.ts";
import { type IncludedFile, largestFile, type ReadResult, type ZoneFileBytes } from "./kit/source.ts";
import { isRecordSet } from "./octodns/read.ts";
import { joinParts } from "./octodns/split.ts";
import { type FolderFormat, folderFormats, type Reader, readerOf, readers } from "./readers.ts";
import { isOctodnsFile } from "./yaml/other-tools.ts";
import { entryOf, readTree } from "./yaml/tree.ts";

/** A zone file to read: its path, and its name in messages. */
export interface ZoneFileRef {
  readonly path: string;
  readonly file: string;
  /** The root folder of included files; default: its own folder. */
  readonly root?: Folder;
  /** The format of its folder from the config; otherwise the extension determines it. */
  readonly format?: FolderFormat | undefined;
  /** The config's TTL for records without one in this folder, in seconds. */
  readonly defaultTtl?: number | undefined;
  /** octoDNS's suffix of the folders of split zones; absent if each zone is one file. */
  readonly splitExtension?: string | undefined;
  /** The files of a zone that octoDNS splits, in its order; the ref itself is the first. */
  readonly split?: Split | undefined;
}

interface Split {
  /** The name of its folder, without the extension. */
  readonly zone: string;
  readonly parts: readonly Folder[];
}

/** A zone with its file, so that changes can be written to it. */
export interface ZoneOfFile extends ReadResult, ZoneFileBytes {
  readonly format?: FolderFormat | undefined;
  /** The parts of the zone that come from templates; absent without templates. */
  readonly fromTemplates?: FromTemplates;
  /** The distinct included files and templates. */
  readonly included: readonly IncludedFile[];
}

/** Records and settings of a zone that its templates gave. */
export interface FromTemplates {
  readonly records: ReadonlySet<ZoneRecord>;
  readonly settings: ZoneSettings;
}

/** Called for each file and folder that cannot be read. */
export type OnUnreadable = (file: string, error: ProblemError) => void;

export interface FoundFiles {
  readonly files: readonly ZoneFileRef[];
  /** Other files there, as the user names them. */
  readonly others: readonly OtherFile[];
}

/** A file in a zones folder that is not read. */
export interface OtherFile extends Pick<ZoneFileRef, "path" | "file"> {
  /** Whether it is the configuration of octoDNS. */
  readonly isConfig: boolean;
}

/**
 * The zone files below a folder, at any depth, sorted by name; symbolic links are followed; names that start with a dot
 * and Markdown files are skipped. Without `onUnreadable`, a link to a missing file and a folder that cannot be read are
 * errors. @throws {ProblemError} if the folder itself cannot be read.
 */
export function findZoneFiles(
  folder: string,
  shownAs: string,
  { format, defaultTtl, splitExtension }: Pick<ZoneFileRef, "format" | "defaultTtl" | "splitExtension"> = {},
  onUnreadable?: OnUnreadable,
): FoundFiles {
  const files: ZoneFileRef[] = [];
  const others: OtherFile[] = [];
  const seen = new Set<string>();
  const root = { path: folder, file: shownAs };
  const walk = (path: string, file: string): void => {
    const entries = list(path, file);
    const real = realpathSync(path);
    if (seen.has(real)) return; // a link to a parent folder
    seen.add(real);
    const splits =
      splitExtension === undefined ? new Map<string, Split>() : findSplitZones({ path, file }, splitExtension);
    const ofSplits = new Set([...splits.values()].flatMap(({ parts }) => parts.map(({ path }) => path)));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (/^\.|^node_modules$|\.md$/.test(entry.name)) continue;
      const ref = {
        path: join(path, entry.name),
        file: join(file, entry.name),
        root,
        format,
        defaultTtl,
        splitExtension,
      };
      const kind = entry.isSymbolicLink() ? attempt(ref.file, () => target(ref)) : entry;
      if (!kind) continue;
      const split = splits.get(entry.name);
      const [first] = split?.parts ?? [];
      if (first) files.push({ ...ref, ...first, split });
      else if (split || (kind.isDirectory() && isSplitUnread(ref))) others.push({ ...ref, isConfig: false });
      else if (ofSplits.has(ref.path)) continue;
      else if (kind.isDirectory()) attempt(ref.file, () => walk(ref.path, ref.file));
      else {
        const isZone = kind.isFile() && readerIn(entry.name, format) !== undefined;
        const isConfig = isZone && isOctodnsConfig(ref);
        if (isZone && !isConfig) files.push(ref);
        else others.push({ ...ref, isConfig });
      }
    }
  };
  const attempt = <T>(file: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!onUnreadable || !(error instanceof ProblemError)) throw error;
      onUnreadable(file, error);
      return undefined;
    }
  };
  walk(folder, shownAs);
  return { files, others };
}

/**
 * Whether the folder is that of a split zone, which octoDNS skips without `split_extension`; its documentation calls
 * such folders `example.com.`.
 */
function isSplitUnread({ file, format, splitExtension }: ZoneFileRef): boolean {
  return format === "octodns" && splitExtension === undefined && file.endsWith(".");
}

/**
 * The split zones of octoDNS in a folder, by the names of their folders: every `.yaml` file in the folder, and the
 * zone's file beside it, sorted by path (octoDNS, YamlProvider).
 */
function findSplitZones(folder: Folder, extension: string): Map<string, Split> {
  const childOf = ({ path, file }: Folder, name: string) => ({ path: join(path, name), file: join(file, name) });
  const isKind = (path: string) => statIfPresent(path);
  const splits = new Map<string, Split>();
  for (const { name } of list(folder.path, folder.file)) {
    const inner = childOf(folder, name);
    if (!name.endsWith(extension) || !isKind(inner.path)?.isDirectory()) continue;
    const zone = name.slice(0, -extension.length);
    const found = list(inner.path, inner.file).map(({ name }) => childOf(inner, name));
    const parts = [...found, childOf(folder, `${zone}.yaml`)]
      .filter(({ path }) => path.endsWith(".yaml") && isKind(path)?.isFile())
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    splits.set(name, { zone, parts });
  }
  return splits;
}

/**
 * Whether the file is octoDNS's configuration, which may be beside the zones: `providers:` and `zones:`, neither of
 * them a record set.
 */
function isOctodnsConfig({ path, file, format }: ZoneFileRef): boolean {
  if (format !== "octodns") return false;
  const text = readText(path);
  if (!text.includes("providers") || !text.includes("zones")) return false; // avoids reading most files twice
  const root = readTree(new SourceText(file, text), () => {})?.root;
  if (root?.kind !== "map") return false;
  return [entryOf(root, "providers")?.value, entryOf(root, "zones")?.value].every(
    (value) => value && !isRecordSet(value),
  );
}

/** Whether a file contains record sets of octoDNS; its extension is the same as that of zonewright's own files. */
export function isOctodnsZone({ path, file }: ZoneFileRef): boolean {
  if (readerOf(file) !== readers.yaml) return false;
  const root = readTree(new SourceText(file, readText(path)), () => {})?.root;
  return root?.kind === "map" && isOctodnsFile(root);
}

/** Whether a file looks like a BIND zone file, whatever its name. */
export function isBindZoneFile({ path }: ZoneFileRef): boolean {
  return /^\$(?:ORIGIN|TTL)\b|\sSOA\s/m.test(readText(path));
}

/** The text of a file; empty if it cannot be read, which is reported when its zone is read. */
function readText(path: string): string {
  try {
    return statSync(path).size <= largestFile ? decodeText(readRegularFile(path)).text : "";
  } catch {
    return "";
  }
}

/** A zone that octoDNS splits, read as one: its first file, with the others as what it includes. */
function readSplit(
  { split, format, defaultTtl }: ZoneFileRef & { split: Split },
  settings: readonly Setting[],
  origin?: Name,
): ZoneOfFile {
  const name = `${split.zone}.yaml`;
  const zoneFile = { origin: origin ?? originOf(name), settings, ...(defaultTtl !== undefined && { defaultTtl }) };
  const files = split.parts.map(({ path, file }) => ({
    file,
    bytes: readBytes(path, file),
    identity: realpathSync(path),
  }));
  const [first, ...rest] = files;
  const [read, ...others] = files.map((file) => folderFormats.octodns.read({ ...zoneFile, ...file }));
  if (!first || !read) throw new Error(`${split.zone} has no files`);
  const joined = joinParts([read, ...others]);
  const renamed = origin === undefined ? convertedNameNote(first.file, zoneFile.origin, name) : [];
  const problems = [...joined.problems, ...renamed];
  const { file, bytes } = first;
  return { ...joined, ...zoneFile, problems, file, bytes, format, included: rest };
}

/**
 * Reads one zone file. `settings` are those that it may have; `origin` names the zone where its file's name does not; a
 * name with another ending is a BIND zone file. `includes` says how the name server of the zone finds included files,
 * which may then be in any folder.
 */
export function readZoneRef(
  ref: ZoneFileRef,
  settings: readonly Setting[],
  origin?: Name,
  includes?: IncludeRule,
): ZoneOfFile {
  const { path, file, root, format, defaultTtl, split } = ref;
  if (split) return readSplit({ ...ref, split }, settings, origin);
  const bytes = readBytes(path, file);
  const source = readerIn(file, format) ?? readers.bind;
  const includer = includes
    ? new ServerIncluder(includes)
    : new FolderIncluder(root ?? { path: dirname(path), file: dirname(file) }, path);
  const zoneFile = {
    file,
    bytes,
    origin: origin ?? originOf(file),
    settings,
    includer,
    ...(defaultTtl !== undefined && { defaultTtl }),
  };
  const read = source.read(zoneFile);
  const renamed =
    origin === undefined
      ? [...convertedNameNote(file, zoneFile.origin), ...differingNameProblem(read, zoneFile.origin)]
      : [];
  return {
    ...read,
    problems: [...read.problems, ...renamed],
    ...zoneFile,
    format,
    included: includer.included,
  };
}

function convertedNameNote(file: string, origin: Name, name = basename(file)): Problem[] {
  const isConverted = isInternational(toOctets(name)) && origin.includes("xn--");
  return isConverted ? [convertedNote(name, origin, root, { file, line: 1, column: 1, length: 1 })] : [];
}

/** Whether a name looks like that of a zone, rather than any other name of a file. */
export function isZoneName(name: Name): boolean {
  return /^(?:[a-z0-9_*/-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)\.$/.test(name);
}

/** The problem of a file named after one zone that contains another. Additions to the zone's name are allowed. */
function differingNameProblem({ zone, problems }: ReadResult, named: Name): Problem[] {
  const { name, places, file } = zone;
  const lower = nameKey(name);
  if (
    lower === named ||
    !isZoneName(named) ||
    named.startsWith(lower) ||
    problems.some(({ severity }) => severity === "error")
  )
    return [];
  const at = places.zone ?? (file === undefined ? undefined : { file, line: 1, column: 1, length: 1 });
  const summary = `the file is named after "${named.slice(0, -1)}", but its zone is "${shownName(name.slice(0, -1))}"`;
  const fix = `Rename the file after its zone, or correct the name of the zone in it (zone: or $ORIGIN).`;
  return [problem("zone-name-differs", summary, { fix, place: at })];
}

function readerIn(file: string, format: FolderFormat | undefined): Reader | undefined {
  if (format === undefined) return readerOf(file);
  const reader: Reader = folderFormats[format];
  return reader.endings.some((ending) => file.endsWith(ending)) ? reader : undefined;
}

/** The problems of zones with more than one file; `hasTargets`: in a project with several targets. */
export function findRepeatedZones(zones: readonly ZoneOfFile[], { hasTargets = false } = {}): Problem[] {
  const fix = hasTargets
    ? "Merge them, correct the name of the zone in one of them, or apply them to different targets."
    : "Merge them, or correct the name of the zone in one of them.";
  const first = new Map<NameKey, ZoneOfFile>();
  return zones.flatMap((read): Problem[] => {
    const name = nameKey(read.zone.name);
    const before = first.get(name);
    if (!before) {
      first.set(name, read);
      return [];
    }
    const at = read.zone.places.zone ?? { file: read.file, line: 1, column: 1, length: 1 };
    const summary = `${before.file} and ${read.file} both contain the zone "${name.slice(0, -1)}"`;
    return [problem("zone-twice", summary, { place: at, fix })];
  });
}

/** The note about a skipped file, whose name may be misspelled. */
export function skippedFileProblem({ path, file, isConfig }: OtherFile): Problem {
  const endings = Object.values(readers).flatMap(({ endings }) => endings);
  const irregular = isConfig ? "it is the configuration of octoDNS" : "it is not a regular file";
  const ended = explainEnding(file);
  if (ended) return problem("file-skipped", `${file} is skipped: it ${ended.fault}`, { fix: ended.fix });
  const split = 'a split zone of octoDNS needs split_extension: "." in zonewright.yaml, and .yaml files in its folder';
  if (file.endsWith(".")) return problem("file-skipped", `${file} is skipped: ${split}`);
  const reason = readerOf(file) ? irregular : `the name of a zone file ends in ${endings.join(", ")}`;
  const summary = `${file} is skipped: ${reason}`;
  const [, zone] = /^db\.(.+)$/.exec(basename(file)) ?? [];
  if (zone !== undefined) return problem("file-skipped", summary, { fix: `Rename it to ${zone}.zone.` });
  const guess = isBackup(file) ? undefined : guessFormat(readHead(path));
  return problem("file-skipped", guess ? `${summary}; it looks like ${guess.what}` : summary, {
    fix: guess && `Rename it to end in ${guess.ending}.`,
  });
}

function isBackup(file: string): boolean {
  return /~$|\.(?:bak|old|orig|rej|save|sw[op]|tmp)$/i.test(file);
}

/** The text of a file, empty if it is not a small one. */
function readHead(path: string): string {
  return (statIfPresent(path)?.size ?? 0) <= 1024 * 1024 ? readText(path) : "";
}

const knownEndings = [...Object.values(readers).flatMap(({ endings }) => endings), ...foreignEndings];

/** An ending that exports of zones have, after a name of several labels, and which is not a top-level domain. */
const exportEnding = /(?<=\.[^.]+)\.(?:txt|dns)$/;

/**
 * The zone that a file is named after: `example.com.yaml` and `db.example.com` are `example.com.`. Characters that file
 * names cannot contain are `%` and two digits: `0%2f25.2.0.192.in-addr.arpa.zone`.
 */
export function originOf(file: string): NameKey {
  const base = basename(file);
  const ending = knownEndings.find((ending) => file.endsWith(ending)) ?? exportEnding.exec(base)?.[0] ?? "";
  const name = base
    .slice(0, ending === "" ? undefined : -ending.length)
    .replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  try {
    return nameKey(readName(toOctets(ending === "" ? name.replace(/^db\./, "") : name)));
  } catch {
    return root; // not a valid zone name: the file must set it
  }
}

/** Returns the file name of a zone: without the final dot, safe as a path, and different for each zone. */
export function fileName(zone: Name): string {
  const name = nameKey(zone).slice(0, -1);
  return name.replaceAll(/[^a-z0-9._-]|^\./g, (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The reason why a file or folder cannot be used, as a clause. */
export function fileErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return fileErrorReasons["code" in error ? String(error.code) : ""] ?? error.message;
}

const fileErrorReasons: Record<string, string> = {
  ENOENT: "it does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOTDIR: "a file is in the place of a folder",
  EEXIST: "a file is in the place of a folder",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links form a loop",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is exceeded",
  ENAMETOOLONG: "its name is too long for the file system",
  EFBIG: "it exceeds the maximum file size",
};

function folderFix(error: unknown): Fix {
  if (error instanceof Error && "code" in error && error.code === "EACCES") return "Allow this user to read it.";
  return error instanceof Error && "code" in error && error.code === "ENOTDIR"
    ? advise`Name its folder. A single zone file is named without ${{ set: "zones" }}.`
    : advise`Create it, or name another folder with zones: in zonewright.yaml or with ${{ set: "zones" }}. To select a zone, give its name without ${{ set: "zones" }}.`;
}

function list(folder: string, shownAs: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw problemError("zones-folder", `the zones folder ${shownAs} cannot be read: ${fileErrorReason(error)}`, {
      fix: folderFix(error),
    });
  }
}

function target({ path, file }: ZoneFileRef) {
  try {
    return statSync(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw unreadable(file, isMissing ? new Error("it is a link to a file that does not exist") : error);
  }
}

/** @throws {ProblemError} `file-read` */
export function readBytes(path: string, file: string): Uint8Array {
  try {
    return readRegularFile(path, largestFile);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): ProblemError {
  const summary = `${file} cannot be read: ${fileErrorReason(error)}`;
  return problemError("file-read", summary, { fix: "Make it a regular file that this user may read, or remove it." });
}
