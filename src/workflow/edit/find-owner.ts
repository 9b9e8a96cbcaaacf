import { resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { type Problem, problemError, usageError } from "../../diagnostics/problem.ts";
import { listFirst } from "../../diagnostics/quantities.ts";
import { Fault } from "../../dns/name/fault.ts";
import { isInternational } from "../../dns/name/idn.ts";
import {
  ancestors,
  asName,
  isInside,
  isRoot,
  isSameName,
  labels,
  type Name,
  nameKey,
  readName,
  relativeTo,
  root,
  withLabel,
  withoutDot,
} from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { convertedNote } from "../../formats/kit/converted.ts";
import type { Project } from "../project/project.ts";
import { targetsOfZone } from "../project/targets.ts";
import { existingZones, readZones } from "../zones/zones.ts";

/** An owner name, and the file of its zone. */
export interface OwnerInFile {
  readonly owner: Name;
  readonly read: ZoneOfFile;
  /** The other zones of the project. */
  readonly others: readonly ZoneOfFile[];
  /** A note if the name is converted from another script. */
  readonly notes: readonly Problem[];
}

/** The words of a user that name an owner. */
export interface OwnerWords {
  /** Relative to the zone, absolute with a final dot, or with the name of a zone at its end; `@` for the apex. */
  readonly name: string;
  /** The type of the records, in capitals. */
  readonly type: string;
  /** The zone by its name or file; unless given, the one that the name ends in, or the only one of the project. */
  readonly zone?: string | undefined;
}

/** Zones that an error lists. */
const mostZones = 10;

/**
 * Finds the zone of a name, and its file. Of several zones that the name ends in, it is the longest; of DS records, the
 * parent.
 * @throws {ProblemError} `zone-unknown`; `usage` if the zone or its file is unclear; `name-syntax`
 */
export async function findOwner(project: Project, words: OwnerWords): Promise<OwnerInFile> {
  const { zone } = words;
  const options = { keepsUnreadable: true };
  const all =
    zone === undefined ? (await readZones(project, [], options)).zones : await existingZones(project, options);
  const possible = zone === undefined ? all : (await readZones(project, [zone], options)).zones;
  const { owner, apex } = chooseZone(possible, words);
  const read = chooseFile(
    project,
    possible.filter((one) => isSameName(one.zone.name, apex)),
  );
  const pathOf = ({ file }: ZoneOfFile) => resolve(project.cwd, file);
  const isConverted = isInternational(toOctets(words.name));
  const notes = isConverted ? [convertedNote(words.name, owner, apex, undefined)] : [];
  return { owner, read, others: all.filter((one) => pathOf(one) !== pathOf(read)), notes };
}

/** The owner as the zone spells its own name, and that name. */
function chooseZone(zones: readonly ZoneOfFile[], { name, type }: OwnerWords): { owner: Name; apex: Name } {
  const apexes = [...new Map(zones.map(({ zone }) => [nameKey(zone.name), zone.name])).values()];
  const { absolute, isAbsolute } = readOwner(name);
  // A relative name is in the root zone only if the project has no other.
  const within = name === "@" ? [] : apexes.filter((apex) => isInside(absolute, apex) && (isAbsolute || !isRoot(apex)));
  const above = type === "DS" ? within.filter((apex) => !isSameName(absolute, apex)) : [];
  const longest = (above.length > 0 ? above : within).reduce<Name | undefined>(
    (most, apex) => (most === undefined || apex.length > most.length ? apex : most),
    undefined,
  );
  if (longest !== undefined) return { owner: below(relativeTo(absolute, longest), longest), apex: longest };
  if (isAbsolute) throw ofNoZone(name, absolute, apexes);
  const [only, another] = apexes;
  if (only !== undefined && another === undefined) return { owner: readName(toOctets(name), only), apex: only };
  const shown = escapeControl(name);
  const near = name === "@" ? undefined : nearestZone(absolute, apexes);
  if (near !== undefined) {
    const summary = advise`"${shown}" ends in no zone of this project. Did you mean a name in "${near}"? If not, set ${{ set: "zone" }}.`;
    throw usageError(summary);
  }
  const whole =
    only === undefined || name === "@" ? "" : `, or write the whole name, as in "${shown}.${withoutDot(only)}"`;
  throw usageError(
    advise`"${shown}" can be in any of ${apexes.length} zones: ${listFirst(apexes.map(withoutDot), mostZones)}. Set ${{ set: "zone" }}${whole}.`,
  );
}

/** The name as an absolute one, and whether it was written so. @throws {ProblemError} `name-syntax` */
function readOwner(name: string): { absolute: Name; isAbsolute: boolean } {
  try {
    const octets = toOctets(name);
    const absolute = readName(octets);
    return { absolute, isAbsolute: name !== "@" && readName(octets, asName("a.")) === absolute };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { id, summary, fix } = error.problem;
    throw problemError(id, `"${name}": ${summary}`, { fix });
  }
}

/** The absolute name of a relative one, which is read already. */
function below(relative: string, apex: Name): Name {
  return relative === "@" ? apex : withLabel(relative, apex);
}

function ofNoZone(name: string, absolute: Name, apexes: readonly Name[]) {
  const near = nearestZone(absolute, apexes);
  const fix = near
    ? `Did you mean a name in "${near}"?`
    : `Zones of this project: ${listFirst(apexes.map(withoutDot), mostZones)}.`;
  return problemError("zone-unknown", `"${escapeControl(name)}" is in no zone of this project`, { fix });
}

/** The zone that the end of a name was probably meant to be. */
function nearestZone(absolute: Name, apexes: readonly Name[]): string | undefined {
  const known = apexes.filter((apex) => !isRoot(apex)).map(withoutDot);
  return ancestors(absolute, root)
    .filter((one) => labels(one).length > 1)
    .map((one) => nearest(withoutDot(one), known))
    .find((one) => one !== undefined);
}

/** The file of a zone that may have one for each target. @throws {ProblemError} `usage` */
function chooseFile(project: Project, files: readonly ZoneOfFile[]): ZoneOfFile {
  const [read, another] = files;
  if (read === undefined) throw new Error("a zone without a file");
  const { selected, targets } = project;
  if (another === undefined) {
    const others = targetsOfZone(project, read).filter((name) => !selected.some((target) => target.name === name));
    if (selected.length === targets.length || others.length === 0) return read;
    const summary = advise`${escapeControl(read.file)} is applied to ${others.join(", ")} as well, and the change is for all of its targets: leave out ${{ set: "target" }}.`;
    throw usageError(summary);
  }
  const ofFiles = files.map((file) => ({ file: escapeControl(file.file), names: targetsOfZone(project, file) }));
  const all = ofFiles.flatMap(({ names }) => names);
  const isByTarget = targets.length > 1 && new Set(all).size === all.length;
  const listed = ofFiles.map(({ file, names }) => (isByTarget ? `${file} (target ${names.join(", ")})` : file));
  const fix = isByTarget ? advise`Set ${{ set: "target" }}` : advise`Name one of them with ${{ set: "zone" }}`;
  throw usageError(advise`${withoutDot(read.zone.name)} has several files: ${listed.join(", ")}. ${fix}.`);
}
