import { readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { Config } from "../config/config.ts";
import { configFile, type ReadConfig, readConfig } from "../config/read.ts";
import { Refusal } from "../diagnostics/diagnostic.ts";
import { fileTrouble, type ZoneFileRef } from "../sources/files.ts";
import { timeSettings } from "../zone/desired-live.ts";
import { readDuration } from "../zone/duration.ts";
import { Fault } from "../zone/fault.ts";
import { type Name, readName } from "../zone/name.ts";
import type { Ignore, Scope } from "../zone/scope.ts";
import { toOctets } from "../zone/text.ts";
import type { SettingName, Zone, ZoneSettings } from "../zone/zone.ts";
import type { Context } from "./context.ts";
import { readSwitches, type Switches } from "./severities.ts";

export interface ProjectOptions {
  readonly config: string;
  readonly zones?: string[];
  readonly strict?: boolean;
}

/** The config, and the folders with zone files that it or the command line names. */
export interface Project {
  readonly config: Config;
  readonly folders: readonly ZoneFileRef[];
  /** What zones that say nothing take from `defaults`, and where that is written. */
  readonly defaults: ZoneSettings;
  readonly places: Zone["places"];
  /** How severe findings are, where the config says it. */
  readonly switches: Switches;
  /** What git decides about in zones that say nothing. */
  readonly scope: Scope;
  /** The day of this run, in UTC: YYYY-MM-DD. */
  readonly today: string;
}

/** Reads `zonewright.yaml` of the working folder; without one the defaults hold. */
export function openProject({ cwd, now }: Context, options: ProjectOptions): Project {
  const path = resolve(cwd, options.config);
  const read = readConfig(options.config, readText(path, options.config));
  const given = options.zones?.map((folder) => ({ path: resolve(cwd, folder), format: undefined }));
  const configured = [read.config.zones]
    .flat()
    .map((folder) => (typeof folder === "string" ? { path: folder } : folder));
  const folders = (
    given ?? configured.map(({ path: folder, ...rest }) => ({ ...rest, path: resolve(dirname(path), folder) }))
  ).map((folder) => ({ ...folder, file: relative(cwd, folder.path) || "." }));
  const switches = readSwitches(read);
  const { manage } = read.config;
  const ignore = read.config.ignore.map((pattern, index): Ignore => {
    const at = read.placeOf("ignore", String(index));
    return { ...(withoutUndefined(pattern) as Ignore), ...(at && { at }) };
  });
  const today = now().toISOString().slice(0, 10);
  const defaults = defaultSettings(read, options.config);
  return { config: read.config, folders, switches, scope: { manage, ignore }, today, ...defaults };
}

function withoutUndefined(pattern: object): object {
  return Object.fromEntries(Object.entries(pattern).filter(([, value]) => value !== undefined));
}

/** A file that the command line names; it has the format of the folder that it lies in. */
export function fileRef({ cwd }: Context, { folders }: Project, file: string): ZoneFileRef {
  const path = resolve(cwd, file);
  return { path, file, format: folders.find((folder) => path.startsWith(folder.path + sep))?.format };
}

/**
 * A zone's name as a person writes it, with or without the final dot.
 * @throws {Refusal} `zone-name`
 */
export function toName(text: string): Name {
  try {
    return readName(toOctets(text.endsWith(".") ? text : `${text}.`), ".");
  } catch (error) {
    if (error instanceof Fault) throw refusal("zone-name", `${text} is no name: ${error.message}`, error.fix);
    throw error;
  }
}

export function refusal(rule: string, summary: string, fix?: string): Refusal {
  return new Refusal([{ severity: "error", rule, summary, ...(fix !== undefined && { fix }) }]);
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && file === configFile) return "";
    const fix = "Name a file that this user may read with --config.";
    throw refusal("config-read", `the config ${file} cannot be read: ${fileTrouble(error)}`, fix);
  }
}

function defaultSettings(
  { config: { defaults }, placeOf }: ReadConfig,
  file: string,
): Pick<Project, "defaults" | "places"> {
  const names = Object.keys(defaults) as (SettingName & keyof typeof defaults)[];
  const chosen = (name: (typeof names)[number]) => {
    const value = defaults[name];
    return isTime(name) && value !== undefined ? seconds(name, String(value)) : value;
  };
  const seconds = (name: string, text: string) => {
    try {
      return readDuration(text);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw refusal("config-value", `defaults.${name} in ${file}: ${error.message}`, error.fix);
    }
  };
  return {
    defaults: Object.fromEntries(names.map((name) => [name, chosen(name)])) as ZoneSettings,
    // A rounded time is said of each zone, so it stays without a place here.
    places: Object.fromEntries(
      names.filter((name) => !isTime(name)).map((name) => [name, placeOf("defaults", name)]),
    ) as Zone["places"],
  };
}

function isTime(name: SettingName): boolean {
  return (timeSettings as readonly string[]).includes(name);
}
