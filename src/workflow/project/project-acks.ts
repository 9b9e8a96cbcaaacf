import { dirname, join, resolve } from "node:path";
import { type Ack, acksFile, readAcks } from "../../config/acks.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { type Problem, problem, problemError } from "../../diagnostics/problem.ts";
import { readIfPresent } from "../../file-system.ts";
import { fileErrorReason } from "../../formats/files.ts";
import { findGuard, guardIds } from "../../planner/blocks/guards.ts";
import { readFix } from "./files.ts";
import type { Project } from "./project.ts";
import { shownTarget } from "./targets.ts";

/**
 * The acknowledgements of a project, beside its config, for the target of a view: those that name it. With one target,
 * an entry needs no name.
 * @throws {ProblemError} `file-read`, and those of `readAcks`
 */
export function acksOf(project: Pick<Project, "cwd" | "file" | "targets" | "view">): Ack[] {
  const { view } = project;
  const isFor = ({ target }: Ack) => target === shownTarget(project) || (target === view?.name && target !== undefined);
  return readProjectAcks(project).filter(isFor);
}

/** Entries that approve nothing, because they name no target of the project, or none although it has several. */
export function findAcksWithoutTarget(project: Pick<Project, "cwd" | "file" | "targets">): Problem[] {
  const { file } = project;
  const known = project.targets.map(({ name }) => name);
  return readProjectAcks(project).flatMap(({ guard, zone, target, at }): Problem[] => {
    const isKnown = target === undefined ? known.length < 2 : known.includes(target);
    if (isKnown) return [];
    const why =
      target === undefined
        ? "names no target"
        : `names the target "${escapeControl(target)}", which ${file} does not have`;
    const summary = `the acknowledgement of ${guard} in ${zone} ${why}, so it approves nothing`;
    const near = target === undefined ? undefined : nearest(target, known);
    const set = near ? `Did you mean "${near}"?` : `Set its \`target\` to one of ${known.join(", ")}.`;
    const fix = known.length === 0 ? "Remove its `target`." : set;
    return [problem("ack-unused", summary, { fix, place: at })];
  });
}

function readProjectAcks({ cwd, file: config }: Pick<Project, "cwd" | "file">): Ack[] {
  const file = join(dirname(config), acksFile);
  return readAcks(file, readAcksFile(cwd, file), guardIds, (id) => findGuard(id) !== undefined);
}

function readAcksFile(cwd: string, file: string): string | Uint8Array {
  try {
    return readIfPresent(resolve(cwd, file)) ?? "";
  } catch (error) {
    throw problemError("file-read", `${file} cannot be read: ${fileErrorReason(error)}`, { fix: readFix(error) });
  }
}
