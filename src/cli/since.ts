import { resolve } from "node:path";
import { readConfig } from "../config/read.ts";
import { Refusal } from "../diagnostics/diagnostic.ts";
import { plain } from "../diagnostics/plain.ts";
import { formatOf } from "../formats/formats.ts";
import { count } from "../report/findings.ts";
import type { Context } from "./context.ts";
import { type Changed, changedSince } from "./git.ts";
import { configDigest } from "./plan-source.ts";
import type { Project } from "./project.ts";
import { type ReadZones, readZones } from "./zones.ts";

/**
 * The zones of which a file changed since a commit: the zone file, one that it includes, or for all of them the config,
 * where it says something else. What was deleted is said, and its zone left alone.
 * @throws {Refusal} `git-missing`, `git-revision`
 */
export function readSince(context: Context, project: Project, args: readonly string[], revision: string): ReadZones {
  const changed = changedSince(context.cwd, revision);
  const read = readZones(project, args);
  const { file: config, folders } = project;
  for (const file of changed.deleted) {
    const isZone = folders.some(({ path }) => resolve(context.cwd, file).startsWith(`${path}/`)) && formatOf(file);
    if (isZone) context.talk(`${plain(file)} is gone since ${revision}: its zone is left alone\n`);
  }
  const isEvery = changed.files.has(config) && !saysTheSame(project, changed);
  const zones = read.zones.filter(
    ({ file, included }) => isEvery || [file, ...included.map(({ file }) => file)].some((file) => changed.files.has(file)), // biome-ignore format: one thought
  );
  const why = isEvery ? `${config} says something else: all zones` : "zones with a change in their files";
  context.talk(`since ${plain(revision)} (${changed.commit.slice(0, 12)}): ${zones.length} of ${count(read.zones.length, "zone")}; ${why}\n`); // biome-ignore format: one thought
  return { ...read, zones };
}

function saysTheSame({ file, config }: Project, { textOf }: Changed): boolean {
  try {
    const before = readConfig(file, textOf(file) ?? "").config;
    return configDigest(before) === configDigest(config);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
