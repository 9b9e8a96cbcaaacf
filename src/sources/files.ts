import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Diagnostic, Refusal } from "../diagnostics/diagnostic.ts";
import { type Name, readName } from "../zone/name.ts";
import { toOctets } from "../zone/text.ts";
import { formatOf, formats } from "./formats.ts";
import { largestFile, type ReadResult, type Source } from "./source.ts";

/** A zone file to be read: where it is, and how the user calls it. */
export interface ZoneFileRef {
  readonly path: string;
  readonly file: string;
}

export interface ReadZone extends ReadResult {
  readonly file: string;
  /** The octets that were read. */
  readonly bytes: Uint8Array;
}

/**
 * The zone files below a folder, at any depth, in order of name; names that start with a dot are passed over.
 * @throws {Refusal} when the folder cannot be read.
 */
export function findZoneFiles(folder: string, shownAs: string): ZoneFileRef[] {
  return list(folder, shownAs)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
      const ref = { path: join(folder, entry.name), file: join(shownAs, entry.name) };
      if (entry.isDirectory()) return findZoneFiles(ref.path, ref.file);
      return entry.isFile() && formatOf(entry.name) ? [ref] : [];
    });
}

/** Reads one zone file. `origin` names the zone where its file's name does not; a name with another ending is a master file. */
export function readZoneFile({ path, file }: ZoneFileRef, origin?: Name): ReadZone {
  const bytes = readBytes(path, file);
  const source: Source = formatOf(file) ?? formats.bind;
  return { ...source.read({ file, bytes, origin: origin ?? originOf(file) }), file, bytes };
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

/** The zone that a file is named after: `example.com.yaml` and `db.example.com` are `example.com.`. */
export function originOf(file: string): Name {
  const ending = formatOf(file)?.endings.find((ending) => file.endsWith(ending)) ?? "";
  const name = basename(file).slice(0, ending === "" ? undefined : -ending.length);
  try {
    return readName(toOctets(ending === "" ? name.replace(/^db\./, "") : name), ".").toLowerCase();
  } catch {
    return "."; // a name that no zone has: the file must say what it is
  }
}

function list(folder: string, shownAs: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new Refusal([
      {
        severity: "error",
        rule: "zones-folder",
        summary: `the zones folder ${shownAs} cannot be read: ${reason(error)}`,
        fix: "Create it, or name another with zones: in zonewright.yaml or --zones.",
      },
    ]);
  }
}

function readBytes(path: string, file: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size <= largestFile) return readFileSync(path);
    throw new Error(`it has ${size} bytes, at most ${largestFile} are read`);
  } catch (error) {
    throw new Refusal([{ severity: "error", rule: "file-read", summary: `${file} cannot be read: ${reason(error)}` }]);
  }
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    ENOENT: "it does not exist",
    EACCES: "permission denied",
    ENOTDIR: "it is no folder",
    EISDIR: "it is a folder",
  };
  return known[code ?? ""] ?? message;
}
