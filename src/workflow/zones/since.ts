import { resolve } from "node:path";
import { readConfig } from "../../config/config.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { readerOf } from "../../formats/readers.ts";
import { type Changed, findChangesSince } from "../git/git.ts";
import type { Project } from "../project/project.ts";
import { configDigest } from "./plan-source.ts";
import { type ReadingOptions, type ReadZones, readZones } from "./zones.ts";

/** Zones that changed since a commit. */
export interface ReadSince extends ReadZones {
  /** The commit, in full. */
  readonly commit: string;
  /** The number of zones in the arguments, changed or not. */
  readonly known: number;
  /** Zone files that were deleted since. Their zones are left alone. */
  readonly deleted: readonly string[];
  /** Whether the config has other settings, which includes every zone. */
  readonly isEvery: boolean;
}

/**
 * Reads the zones that changed since a commit: in the zone file, in a file that it includes, or, if a setting of the
 * config changed, all zones.
 * @throws {ProblemError} `git-missing`, `git-revision`
 */
export async function readSince(
  project: Project,
  args: readonly string[],
  revision: string,
  options: ReadingOptions = {},
): Promise<ReadSince> {
  const { cwd, file: config, folders } = project;
  const changed = findChangesSince(cwd, revision);
  const read = await readZones(project, args, options);
  const isZone = (file: string) =>
    folders.some(({ path }) => resolve(cwd, file).startsWith(`${path}/`)) && readerOf(file) !== undefined;
  const isEvery = changed.files.has(config) && !isConfigUnchanged(project, changed);
  const hasChanged = ({ file, included }: ZoneOfFile) =>
    [file, ...included.map(({ file }) => file)].some((file) => changed.files.has(file));
  return {
    ...read,
    zones: read.zones.filter((zone) => isEvery || hasChanged(zone)),
    commit: changed.commit,
    known: read.zones.length,
    deleted: changed.deleted.filter(isZone),
    isEvery,
  };
}

function isConfigUnchanged({ file, config, settings }: Project, { textOf }: Changed): boolean {
  try {
    const before = readConfig(file, textOf(file) ?? "", settings).config;
    return configDigest(before) === configDigest(config);
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
