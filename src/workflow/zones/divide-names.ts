import { resolve } from "node:path";
import { asName, nameKey } from "../../dns/name/name.ts";
import { statIfPresent } from "../../file-system.ts";
import type { Project } from "../project/project.ts";
import { isSelected, targetViews } from "../project/targets.ts";
import { existingZones, readZones, splitTemplates } from "./zones.ts";

/** The part of a project for a target, and the arguments of a command that concern it. */
export interface TargetPart {
  readonly view: Project;
  readonly names: readonly string[];
}

/**
 * Divides zones and files that a command names among the selected targets. A target without one of them is left out;
 * without names, every target has all of its zones.
 * @throws {ProblemError} `zone-unknown` for a name that no target has.
 */
export async function divideNames(project: Project, names: readonly string[]): Promise<readonly TargetPart[]> {
  const views = targetViews(project);
  if (names.length === 0 || views.length === 1) return views.map((view) => ({ view, names }));
  const { templates, others } = splitTemplates(project, names);
  const isFile = (name: string) => statIfPresent(resolve(project.cwd, name))?.isFile() === true;
  const options = { keepsUnreadable: true };
  const files = others.filter(isFile);
  const given = files.length === 0 ? [] : (await readZones(project, files, options)).zones;
  const existing = files.length < others.length ? await existingZones(project, options) : [];
  const known = (view: Project, name: string) => {
    const wanted = nameKey(asName(name.replace(/\.?$/, ".")));
    const found = isFile(name)
      ? given.filter(({ file }) => resolve(project.cwd, file) === resolve(project.cwd, name))
      : existing.filter(({ zone }) => nameKey(zone.name) === wanted);
    return found.some((read) => isSelected(view, read));
  };
  const missing = others.filter((name) => !views.some((view) => known(view, name)));
  if (missing.length > 0) await readZones(project, missing); // reports them
  const parts = views.map((view) => ({
    view,
    names: names.filter((name) => (others.includes(name) ? known(view, name) : templates.length > 0)),
  }));
  return parts.filter(({ names }) => names.length > 0);
}
