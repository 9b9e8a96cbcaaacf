import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { configFile, readConfig } from "../config/read.ts";
import { type Diagnostic, hasErrors, Refusal } from "../diagnostics/diagnostic.ts";
import { nearest } from "../diagnostics/nearest.ts";
import { accept } from "../provider/accept.ts";
import { findZoneFiles, type ReadZone, readZoneFile, sameZoneTwice } from "../sources/files.ts";
import { checkZone } from "../zone/check.ts";
import type { DesiredZone } from "../zone/desired-live.ts";
import { readDuration } from "../zone/duration.ts";
import { type Name, readName } from "../zone/name.ts";
import { toOctets } from "../zone/text.ts";
import type { Zone, ZoneSettings } from "../zone/zone.ts";
import type { Context } from "./context.ts";

export interface ProjectOptions {
  readonly config: string;
  readonly zones?: string[];
  readonly strict?: boolean;
}

/** The config, and the folder that its paths start from. */
export interface Project {
  readonly config: Config;
  readonly folder: string;
}

/** Reads `zonewright.yaml` of the working folder; without one the defaults hold. */
export function openProject(context: Context, options: ProjectOptions): Project {
  const path = resolve(context.cwd, options.config);
  if (!existsSync(path)) {
    if (options.config === configFile) return { config: readConfig(configFile, ""), folder: context.cwd };
    throw refusal("config-read", `${options.config} does not exist`, "Name an existing file with --config.");
  }
  return { config: readConfig(options.config, readFileSync(path, "utf8")), folder: dirname(path) };
}

/**
 * The zones that the arguments name: files by path, zones by name, all of the project without arguments. Settings that a
 * zone leaves open come from `defaults`.
 */
export function readZones(
  context: Context,
  options: ProjectOptions,
  args: readonly string[],
  origin?: string,
): ReadZone[] {
  const files = args.filter((arg) => isFile(resolve(context.cwd, arg)));
  const names = args.filter((arg) => !files.includes(arg));
  const given = files.map((file) =>
    readZoneFile({ path: resolve(context.cwd, file), file }, origin === undefined ? undefined : toName(origin)),
  );
  if (files.length > 0 && names.length === 0) return withDefaults(given, openProject(context, options).config);
  const project = openProject(context, options);
  const folders =
    options.zones?.map((folder) => resolve(context.cwd, folder)) ??
    [project.config.zones].flat().map((folder) => resolve(project.folder, folder));
  const all = folders
    .flatMap((folder) => findZoneFiles(folder, relative(context.cwd, folder) || "."))
    .map((ref) => readZoneFile(ref));
  return withDefaults(names.length === 0 ? all : [...given, ...pick(all, names)], project.config);
}

/** What is to be said of zones: by their readers, by the rules, by the API's limits. Errors first. */
export function judge(
  zones: readonly ReadZone[],
  strict: boolean,
): { diagnostics: Diagnostic[]; desired: DesiredZone[] } {
  const accepted = zones.map(({ zone }) => accept(zone, { strict }));
  const diagnostics = [
    ...sameZoneTwice(zones),
    ...zones.flatMap(({ diagnostics, zone }, index) => [
      ...diagnostics,
      ...checkZone(zone),
      ...(accepted[index]?.diagnostics ?? []),
    ]),
  ];
  const rank = { error: 0, warning: 1, note: 2 };
  diagnostics.sort((a, b) => rank[a.severity] - rank[b.severity]);
  return { diagnostics, desired: accepted.map(({ desired }) => desired) };
}

/**
 * The zones as the API will store them, with what there is to say about it.
 * @throws {Refusal} with every error, when there is one.
 */
export function desiredZones(
  context: Context,
  options: ProjectOptions,
  args: readonly string[],
): { desired: DesiredZone[]; notes: Diagnostic[] } {
  const strict = options.strict ?? openProject(context, options).config.policy.strict;
  const { diagnostics, desired } = judge(readZones(context, options, args), strict);
  if (hasErrors(diagnostics)) throw new Refusal(diagnostics.filter(({ severity }) => severity === "error"));
  return { desired, notes: diagnostics };
}

/** A zone's name as a person writes it, with or without the final dot. */
export function toName(text: string): Name {
  return readName(toOctets(text.endsWith(".") ? text : `${text}.`), ".");
}

export function refusal(rule: string, summary: string, fix?: string): Refusal {
  return new Refusal([{ severity: "error", rule, summary, ...(fix !== undefined && { fix }) }]);
}

function pick(all: readonly ReadZone[], names: readonly string[]): ReadZone[] {
  return names.map((name) => {
    const wanted = name.toLowerCase().replace(/\.?$/, ".");
    const found = all.find(({ zone }) => zone.name.toLowerCase() === wanted);
    if (found) return found;
    const near = nearest(wanted, all.map(({ zone }) => zone.name)); // biome-ignore format: one thought
    const fix = near ? `Did you mean ${near.slice(0, -1)}?` : "Write the name of a zone or the path of a file.";
    throw refusal("zone-unknown", `${name} is neither a file nor a zone of this project`, fix);
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function withDefaults(zones: readonly ReadZone[], { defaults }: Config): ReadZone[] {
  const seconds = (value: string | number | undefined) =>
    value === undefined ? undefined : readDuration(String(value));
  const settings = {
    ...defaults,
    ttl_sec: seconds(defaults.ttl_sec),
    refresh_sec: seconds(defaults.refresh_sec),
    retry_sec: seconds(defaults.retry_sec),
    expire_sec: seconds(defaults.expire_sec),
  };
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as ZoneSettings;
  return zones.map((read) => ({ ...read, zone: completed(read.zone, given) }));
}

function completed(zone: Zone, defaults: ZoneSettings): Zone {
  return zone.settings.type === "slave" ? zone : { ...zone, settings: { ...defaults, ...zone.settings } };
}
