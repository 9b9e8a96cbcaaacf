import { dirname, relative, resolve, sep } from "node:path";
import { acksFile } from "../../config/acks.ts";
import { type Config, configFile, type ReadConfig, readConfig } from "../../config/config.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { Ignore, Scope } from "../../dns/zone/scope.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import { findSetting, type Setting, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { readIfPresent, readRegularFile, statIfPresent } from "../../file-system.ts";
import { fileErrorReason, findZoneFiles, type ZoneFileRef } from "../../formats/files.ts";
import { TemplateFolder } from "../../formats/templates.ts";
import type { TargetKind } from "../../targets/target.ts";
import { confineConfig, confineFolders, isBelow, isConfined, isWrittenInside } from "./confine.ts";
import { readFix } from "./files.ts";
import type { OnProgress } from "./progress.ts";
import type { RunContext } from "./run-context.ts";
import { readSwitches, type Switches } from "./severities.ts";
import { allKinds, defaultKind, kindOf, settingsOf } from "./target-kind.ts";
import { chooseTargets, configuredTargets, type TargetsOfProject, targetView } from "./targets.ts";

export interface ProjectOptions {
  readonly config: string;
  readonly zones?: string[];
  readonly strict?: boolean;
  /** The targets to work with, of those in the config; all of them unless given. */
  readonly target?: readonly string[];
  /** The kind of service that holds the zones; unless given, that of each target in the config, or the API. */
  readonly kind?: TargetKind;
  /** The kinds of single targets of the config, by name, instead of those. */
  readonly kinds?: Readonly<Record<string, TargetKind>>;
}

/** The config, read once per run, and the zones folders from the config or the command line. */
export interface Project extends TargetsOfProject {
  readonly config: Config;
  /** The settings that its zone files can have: those of all its targets. */
  readonly settings: readonly Setting[];
  /** The folder of the config file. */
  readonly root: string;
  /** Whether its files, and those that they name, have to be in the repository. */
  readonly isConfined: boolean;
  /** Whether a TTL that the API would round is an error. */
  readonly isStrict: boolean;
  readonly templates: TemplateFolder;
  /** Settings that zones inherit from `defaults`, and their places. */
  readonly defaults: ZoneSettings;
  readonly places: Zone["places"];
  /** Severities that the config changes. */
  readonly switches: Switches;
  /** The managed part of zones that do not declare one. */
  readonly scope: Scope;
  /** The day of this run, in UTC: YYYY-MM-DD. */
  readonly today: string;
  /** As in the run context. */
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
}

/**
 * Reads `zonewright.yaml` of the working folder; without it, the defaults apply. In CI, the config and its folders may
 * not lead out of the repository.
 */
export function openProject(context: RunContext, options: ProjectOptions): Project {
  const { cwd, now, signal, onProgress } = context;
  const path = resolve(cwd, options.config);
  if (isConfined(context)) confineConfig(cwd, options.config);
  refuseOtherName(cwd, options.config);
  const { kind, kinds = {} } = options;
  const known = kind ? [kind] : [...allKinds, ...Object.values(kinds)];
  const read = readConfig(options.config, readOctets(path, options.config), settingsOf(known));
  const byName = new Map(Object.entries(kinds)); // a target may be named "constructor"
  const targets = configuredTargets(read.config.targets, (name, one) => byName.get(name) ?? kind ?? kindOf(one));
  const target = targets[0]?.target ?? kind ?? defaultKind(read.config);
  const settings = settingsOf(targets.length > 0 ? targets.map(({ target }) => target) : [target]);
  const folders = foldersOf(read.config.zones, { cwd, root: dirname(path), given: options.zones });
  const templates = resolve(dirname(path), read.config.templates);
  if (isConfined(context)) {
    const named = { path: templates, file: relative(cwd, templates) || "." };
    // A folder elsewhere that the command line names is the choice of whoever wrote the command.
    const own = folders.filter((folder) => options.zones === undefined || isWrittenInside(dirname(path), folder.path));
    confineFolders(dirname(path), [...own, named]);
  }
  const switches = readSwitches(read);
  const { manage } = read.config;
  const ignore = read.config.ignore.map((pattern, index): Ignore => {
    const at = read.placeOf("ignore", String(index));
    return { ...(withoutUndefined(pattern) as Ignore), ...(at && { at }) };
  });
  const today = now().toISOString().slice(0, 10);
  const selected = chooseTargets(targets, options);
  const defaults = defaultSettings(read, options.config, settingsOf(known));
  const project = {
    config: read.config,
    file: options.config,
    cwd,
    target,
    settings,
    root: dirname(path),
    isConfined: isConfined(context),
    isStrict: options.strict ?? read.config.policy.strict,
    folders,
    allFolders: folders,
    targets,
    selected,
    templates: new TemplateFolder({ path: templates, file: relative(cwd, templates) || "." }, settings),
    switches,
    scope: { manage, ignore },
    today,
    signal,
    ...(onProgress && { onProgress }),
    ...defaults,
  };
  const [first, ...others] = selected;
  return first && others.length === 0 ? targetView(project, first) : project;
}

/** The folders with zone files: those that the command names, or all of the config. */
function foldersOf(
  zones: Config["zones"],
  { cwd, root, given }: { cwd: string; root: string; given: readonly string[] | undefined },
): Project["folders"] {
  const configured = [zones]
    .flat()
    .map((folder) => (typeof folder === "string" ? { path: folder } : folder))
    .map((folder) => ({
      ...formatOfFolder(folder),
      path: resolve(root, folder.path),
      ...(folder.targets !== undefined && { targets: [folder.targets].flat() }),
    }));
  const named = given?.map((folder) => {
    const path = resolve(cwd, folder);
    const { targets } = configured.find((one) => isBelow(one.path, path)) ?? {};
    return { path, format: undefined, ...(targets && { targets }) };
  });
  return (named ?? configured).map((folder) => ({ ...folder, file: relative(cwd, folder.path) || "." }));
}

/** The settings of octoDNS's provider, if the config contains them. */
interface FolderSettings {
  readonly path: string;
  readonly format?: "octodns" | undefined;
  readonly default_ttl?: string | number | undefined;
  readonly split_extension?: string | undefined;
}

function formatOfFolder({ format, default_ttl, split_extension }: FolderSettings) {
  const defaultTtl = default_ttl === undefined ? undefined : readDuration(String(default_ttl));
  return { format, defaultTtl, splitExtension: split_extension };
}

/** Rejects a config or acknowledgements file with a name that would be silently ignored. */
function refuseOtherName(cwd: string, config: string): void {
  for (const name of config === configFile ? [configFile, acksFile] : [acksFile]) {
    const other = name.replace(/yaml$/, "yml");
    if (!statIfPresent(resolve(cwd, dirname(config), other))) continue;
    const isThere = statIfPresent(resolve(cwd, dirname(config), name)) !== undefined;
    const fix = isThere ? `Move its settings to ${name} and remove it.` : `Rename it to ${name}.`;
    throw problemError("config-name", `${other} is ignored: the file must be named ${name}`, { fix });
  }
}

function withoutUndefined(pattern: object): object {
  return Object.fromEntries(Object.entries(pattern).filter(([, value]) => value !== undefined));
}

/** A file named on the command line, with the format of its folder. A part of a split zone is the whole zone. */
export function fileRef({ cwd, folders }: Project, file: string): ZoneFileRef {
  const path = resolve(cwd, file);
  const folder = folders.find((folder) => path.startsWith(folder.path + sep));
  const { format, defaultTtl, splitExtension } = folder ?? {};
  if (folder && splitExtension !== undefined) {
    const { files } = findZoneFiles(folder.path, folder.file, folder);
    const split = files.find((ref) => ref.split?.parts.some((part) => part.path === path));
    if (split) return split;
  }
  return { path, file, format, defaultTtl };
}

/** Names of the service's name servers, if the config contains them. */
export function nameserversOf({ config: { nameservers } }: Project): Name[] | undefined {
  return nameservers.length > 0 ? nameservers.map(toName) : undefined;
}

/**
 * Parses a zone name, with or without the final dot.
 * @throws {ProblemError} `zone-name`
 */
export function toName(text: string): Name {
  try {
    return readName(toOctets(text.endsWith(".") ? text : `${text}.`));
  } catch (error) {
    if (error instanceof Fault)
      throw problemError("zone-name", `"${text}" is not a valid name: ${error.message}`, { fix: error.problem.fix });
    throw error;
  }
}

function readOctets(path: string, file: string): string | Uint8Array {
  try {
    return (file === configFile ? readIfPresent(path) : readRegularFile(path)) ?? "";
  } catch (error) {
    throw problemError("config-read", `the config ${file} cannot be read: ${fileErrorReason(error)}`, {
      fix: readFix(error),
    });
  }
}

function defaultSettings(
  { config: { defaults }, placeOf }: ReadConfig,
  file: string,
  settings: readonly Setting[],
): Pick<Project, "defaults" | "places"> {
  const isTime = (name: string) => findSetting(settings, name)?.kind === "duration";
  const seconds = (name: string, text: string) => {
    try {
      return readDuration(text);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw problemError("config-value", `defaults.${name} in ${file}: ${error.message}`, { fix: error.problem.fix });
    }
  };
  return {
    defaults: Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [name, isTime(name) ? seconds(name, String(value)) : value]),
    ),
    // A rounded time is reported for each zone, so it has no place here.
    places: Object.fromEntries(
      Object.keys(defaults).flatMap((name) => {
        const place = isTime(name) ? undefined : placeOf("defaults", name);
        return place ? [[name, place]] : [];
      }),
    ),
  };
}
