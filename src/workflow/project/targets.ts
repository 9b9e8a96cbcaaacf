import { resolve, sep } from "node:path";
import { secretVariable, type TargetSettings } from "../../config/target-kinds.ts";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { type Problem, problem, usageError } from "../../diagnostics/problem.ts";
import type { Excuse, Zone } from "../../dns/zone/zone.ts";
import type { ZoneFileRef } from "../../formats/files.ts";
import type { TargetKind } from "../../targets/target.ts";

/** A target of the config. */
export type ConfiguredTarget = TargetSettings & {
  readonly name: string;
  /** The environment variable with its token or key; undefined if it needs none. */
  readonly variable: string | undefined;
  /** Its kind of service. */
  readonly target: TargetKind;
};

export function configuredTargets(
  targets: Readonly<Record<string, TargetSettings>> | undefined,
  kindOf: (name: string, settings: TargetSettings) => TargetKind,
): ConfiguredTarget[] {
  return Object.entries(targets ?? {}).map(([name, settings]) => ({
    ...settings,
    name,
    variable: secretVariable(name, settings.kind),
    target: kindOf(name, settings),
  }));
}

/** A folder with zone files. */
export interface ProjectFolder extends ZoneFileRef {
  /** The names of the targets of its zones; all if absent. */
  readonly targets?: readonly string[];
}

/** A project as its targets depend on it. */
export interface TargetsOfProject {
  /** The working folder, to which the user's paths are relative. */
  readonly cwd: string;
  /** The path of the config file, as the user writes it. */
  readonly file: string;
  readonly folders: readonly ProjectFolder[];
  /** The folders of all targets. */
  readonly allFolders: readonly ProjectFolder[];
  /** The kind of service of the view, or of the first target where there are several. */
  readonly target: TargetKind;
  /** The targets of the config; none for a project with the API as its only target. */
  readonly targets: readonly ConfiguredTarget[];
  /** Those of them to work with. */
  readonly selected: readonly ConfiguredTarget[];
  /** The target that this is the part of the project for; absent with several, and with none in the config. */
  readonly view?: ConfiguredTarget;
}

/** A zone file, and the zone if it could be read. */
interface FileOfZone {
  readonly file: string;
  readonly zone?: Partial<Pick<Zone, "targets" | "excused">>;
}

/**
 * The names of the targets that a zone is applied to: those of its folder, or those of them that its file names. With a
 * wrong name, they are not known: the error is one of all.
 */
export function targetsOfZone(
  { cwd, targets, allFolders }: Pick<TargetsOfProject, "cwd" | "targets" | "allFolders">,
  { file, zone }: FileOfZone,
): readonly string[] {
  const path = resolve(cwd, file);
  const folder = allFolders.find((folder) => path.startsWith(folder.path + sep));
  const ofFolder = folder?.targets ?? targets.map(({ name }) => name);
  const ofFile = zone?.targets?.map(({ name }) => name);
  return ofFile?.every((name) => ofFolder.includes(name)) ? ofFile : ofFolder;
}

/** Whether a zone is applied to one of the selected targets. */
export function isSelected(project: TargetsOfProject, file: FileOfZone): boolean {
  const { targets, selected } = project;
  if (selected.length === targets.length) return true;
  const names = targetsOfZone(project, file);
  return selected.some(({ name }) => names.includes(name));
}

/** A zone with those of its `lenient` entries that hold for a selected target. */
export function withExcusesOf<Z extends Pick<Zone, "excused">>(
  zone: Z,
  { selected }: Pick<TargetsOfProject, "selected">,
): Z {
  const isOfTarget = ({ targets }: Excuse) =>
    targets === undefined || selected.some((one) => targets.some(({ name }) => name === one.name));
  return zone.excused?.every(isOfTarget) === false ? { ...zone, excused: zone.excused.filter(isOfTarget) } : zone;
}

/** The problems of the targets that a zone file and its `lenient` entries name. */
export function checkTargetsOfZone(project: TargetsOfProject, { file, zone }: Required<FileOfZone>): Problem[] {
  const known = project.targets.map(({ name }) => name);
  const ofFolder = targetsOfZone(project, { file });
  const ofZone = targetsOfZone(project, { file, zone });
  const ofExcuses = (zone.excused ?? []).flatMap(({ targets = [] }) => targets);
  return [...(zone.targets ?? []), ...ofExcuses].flatMap((target): Problem[] => {
    const { name, at: place } = target;
    const isOfExcuse = ofExcuses.includes(target);
    // Several zones may share a template, or a file that they include.
    const isShared = isOfExcuse && place !== undefined && place.file !== file;
    if ((isShared ? known : isOfExcuse ? ofZone : ofFolder).includes(name)) return [];
    const shown = escapeControl(name);
    if (known.length === 0) {
      const fix = `Remove it, or add \`targets:\` to ${project.file}.`;
      return [problem("zone-target", `the project has no target "${shown}"`, { fix, place })];
    }
    if (known.includes(name) && isOfExcuse) {
      const fix = `Remove it here. Targets of the zone: ${ofZone.join(", ")}.`;
      return [problem("zone-target", `the zone is not applied to the target "${shown}"`, { fix, place })];
    }
    if (known.includes(name)) {
      const fix = `Add ${shown} to the targets of the folder in ${project.file}, or remove it here: a file can only leave out targets.`;
      return [problem("zone-target", `the folder of the zone does not have the target "${shown}"`, { fix, place })];
    }
    const near = nearest(name, ofFolder);
    const fix = near ? `Did you mean "${near}"?` : `Targets of its folder: ${ofFolder.join(", ")}.`;
    return [problem("zone-target", `the project has no target "${shown}"`, { fix, place })];
  });
}

/**
 * Selects targets by name, in the order of the config; all if no names are given.
 * @throws {ProblemError} `usage`
 */
export function chooseTargets(
  targets: readonly ConfiguredTarget[],
  { config, target: wanted }: { readonly config: string; readonly target?: readonly string[] },
): readonly ConfiguredTarget[] {
  const known = targets.map(({ name }) => name);
  const missing = wanted?.find((name) => !known.includes(name));
  if (missing === undefined) return targets.filter(({ name }) => wanted?.includes(name) ?? true);
  const near = nearest(missing, known);
  const list =
    known.length === 0
      ? advise`Add \`targets:\` to ${config}; write the name of a zone without ${{ set: "target" }}.`
      : `Targets of ${config}: ${known.join(", ")}.`;
  const hint = near ? `Did you mean "${near}"?` : list;
  throw usageError(advise`the project has no target "${escapeControl(missing)}". ${hint}`);
}

/** The project with all targets instead of the selected ones. */
export function withAllTargets<P extends TargetsOfProject>({ view: _, ...project }: P): Omit<P, "view"> {
  return { ...project, folders: project.allFolders, selected: project.targets };
}

/** The part of a project for one of its targets: the folders with zones for it, and its service. */
export function targetView<P extends TargetsOfProject>(project: P, view: ConfiguredTarget): P {
  const folders = project.folders.filter(({ targets }) => targets?.includes(view.name) ?? true);
  return { ...project, selected: [view], view, folders, target: view.target };
}

/** The parts of a project for its selected targets. A project without `targets:` is its own and only view. */
export function targetViews<P extends TargetsOfProject>(project: P): readonly P[] {
  if (project.view || project.targets.length === 0) return [project];
  return project.selected.map((target) => targetView(project, target));
}

/**
 * Refuses a project with several targets where a job works with one service at a time.
 * @throws {ProblemError} `usage`
 */
export function requireView({ view, selected }: TargetsOfProject): void {
  if (view || selected.length === 0) return;
  const names = selected.map(({ name }) => name).join(", ");
  throw usageError(advise`this works with one target at a time: set ${{ set: "target" }} to one of ${names}.`);
}

/** The name of the target in texts; undefined for a project with at most one target. */
export function shownTarget({ view, targets }: Pick<TargetsOfProject, "view" | "targets">): string | undefined {
  return targets.length > 1 ? view?.name : undefined;
}

/** Whether a job is for several targets, and so has to work on one after another. */
export function isOfSeveral({ view, selected }: Pick<TargetsOfProject, "view" | "selected">): boolean {
  return view === undefined && selected.length > 0;
}

/** Stands for the name of a target in the name of a file or of a ref. */
export const targetPlaceholder = "{target}";

/** The name of a file or a ref for a target. */
export function forTarget(value: string | undefined, { view }: Pick<TargetsOfProject, "view">): string | undefined {
  return view ? value?.replaceAll(targetPlaceholder, view.name) : value;
}
