import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Diagnostic, Refusal } from "../diagnostics/diagnostic.ts";
import { type Name, readName } from "../zone/name.ts";
import { toOctets } from "../zone/text.ts";
import { type FolderFormat, folderFormats, formatOf, formats, type Reader } from "./formats.ts";
import { type Folder, includer } from "./include.ts";
import { type IncludedFile, type Includer, largestFile, type ReadResult, type ZoneFile } from "./source.ts";

/** A zone file to be read: where it is, and how the user calls it. */
export interface ZoneFileRef {
  readonly path: string;
  readonly file: string;
  /** What the file may include lies below it; the file's own folder unless given. */
  readonly root?: Folder;
  /** What the config says of its folder; its ending chooses otherwise. */
  readonly format?: FolderFormat | undefined;
}

/** What was read of a file, and the file, so that a change can be written into it. */
export interface ReadZone extends ReadResult, ZoneFile {
  readonly format?: FolderFormat | undefined;
  /** What the file includes, each file once. */
  readonly included: readonly IncludedFile[];
}

export interface FoundFiles {
  readonly files: readonly ZoneFileRef[];
  /** What else lies there, as the user calls it. */
  readonly others: readonly string[];
}

/**
 * The zone files below a folder, at any depth, in order of name; links are followed, and names that start with a dot are
 * passed over, as are notes in Markdown.
 * @throws {Refusal} when a folder cannot be read.
 */
export function findZoneFiles(folder: string, shownAs: string, format?: FolderFormat): FoundFiles {
  const files: ZoneFileRef[] = [];
  const others: string[] = [];
  const seen = new Set<string>();
  const walk = (path: string, file: string): void => {
    const entries = list(path, file);
    const real = realpathSync(path);
    if (seen.has(real)) return; // a link leads back up
    seen.add(real);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (/^\.|^node_modules$|\.md$/.test(entry.name)) continue;
      const root = { path: folder, file: shownAs };
      const ref = { path: join(path, entry.name), file: join(file, entry.name), root, format };
      const kind = entry.isSymbolicLink() ? target(ref) : entry;
      if (kind.isDirectory()) walk(ref.path, ref.file);
      else if (kind.isFile() && readerOf(entry.name, format)) files.push(ref);
      else others.push(ref.file);
    }
  };
  walk(folder, shownAs);
  return { files, others };
}

/** Reads one zone file. `origin` names the zone where its file's name does not; a name with another ending is a master file. */
export function readZoneFile({ path, file, root, format }: ZoneFileRef, origin?: Name): ReadZone {
  const bytes = readBytes(path, file);
  const source = readerOf(file, format) ?? formats.bind;
  const { identity, open } = includer(root ?? { path: dirname(path), file: dirname(file) }, path);
  const included = new Map<string, IncludedFile>();
  const opened: Includer["open"] = (written, from) => {
    const found = open(written, from);
    included.set(found.file, found);
    return found;
  };
  const zoneFile = { file, bytes, origin: origin ?? originOf(file), includer: { identity, open: opened } };
  return { ...source.read(zoneFile), ...zoneFile, format, included: [...included.values()] };
}

function readerOf(file: string, format: FolderFormat | undefined): Reader | undefined {
  if (format === undefined) return formatOf(file);
  const reader: Reader = folderFormats[format];
  return reader.endings.some((ending) => file.endsWith(ending)) ? reader : undefined;
}

/** Two files for one zone: only one of them could count. */
export function sameZoneTwice(zones: readonly ReadZone[]): Diagnostic[] {
  const first = new Map<Name, ReadZone>();
  return zones.flatMap((read): Diagnostic[] => {
    const name = read.zone.name.toLowerCase();
    const before = first.get(name);
    if (!before) {
      first.set(name, read);
      return [];
    }
    const at = read.zone.places.zone ?? { file: read.file, line: 1, column: 1, length: 1 };
    const summary = `${before.file} and ${read.file} are both the zone ${name.slice(0, -1)}`;
    return [
      { severity: "error", rule: "zone-twice", summary, at, fix: "Join them, or give one of them another name." },
    ];
  });
}

/** A file among zone files that is none: perhaps its name has a slip. */
export function passedOver(file: string): Diagnostic {
  const endings = Object.values(formats).flatMap(({ endings }) => endings);
  const reason = formatOf(file) ? "it is no regular file" : `the name of a zone file ends in ${endings.join(", ")}`;
  const summary = `${file} is passed over: ${reason}`;
  return { severity: "note", rule: "file-passed-over", summary };
}

/**
 * The zone that a file is named after: `example.com.yaml` and `db.example.com` are `example.com.`. What no file name has
 * is `%` and two digits: `0%2f25.2.0.192.in-addr.arpa.zone`.
 */
export function originOf(file: string): Name {
  const ending = formatOf(file)?.endings.find((ending) => file.endsWith(ending)) ?? "";
  const name = basename(file)
    .slice(0, ending === "" ? undefined : -ending.length)
    .replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  try {
    return readName(toOctets(ending === "" ? name.replace(/^db\./, "") : name), ".").toLowerCase();
  } catch {
    return "."; // a name that no zone has: the file must say what it is
  }
}

/** Why a file or folder cannot be used, in words that continue a sentence. */
export function fileTrouble(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return troubles["code" in error ? String(error.code) : ""] ?? error.message;
}

const troubles: Record<string, string> = {
  ENOENT: "it does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOTDIR: "a file stands where a folder should be",
  EEXIST: "a file stands where a folder should be",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be larger than files may be here",
};

function list(folder: string, shownAs: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new Refusal([
      {
        severity: "error",
        rule: "zones-folder",
        summary: `the zones folder ${shownAs} cannot be read: ${fileTrouble(error)}`,
        fix: "Create it, or name another with zones: in zonewright.yaml or --zones.",
      },
    ]);
  }
}

function target({ path, file }: ZoneFileRef) {
  try {
    return statSync(path);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function readBytes(path: string, file: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size <= largestFile) return readFileSync(path);
    throw new Error(`it has ${size} bytes, at most ${largestFile} are read`);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): Refusal {
  const summary = `${file} cannot be read: ${fileTrouble(error)}`;
  return new Refusal([
    { severity: "error", rule: "file-read", summary, fix: "Make it a file that this user may read, or remove it." },
  ]);
}
