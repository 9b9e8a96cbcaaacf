import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { acksFile } from "../../config/acks.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { isOfGit } from "../../formats/include.ts";
import type { RunContext } from "./run-context.ts";
import { topOf } from "./schema-line.ts";

/** Whether the files of a project may come from people who may not read this machine: CI services set `CI`. */
export function isConfined({ env }: Pick<RunContext, "env">): boolean {
  const { CI = "" } = env;
  return CI !== "" && CI !== "false";
}

/**
 * Refuses a config and an acknowledgements file that are links out of the repository. Called before they are read.
 * @throws {ProblemError} `path-outside`
 */
export function confineConfig(cwd: string, config: string): void {
  const folder = dirname(resolve(cwd, config));
  refuseOutside(topOf(folder), [
    { path: resolve(cwd, config), file: config },
    { path: join(folder, acksFile), file: relative(cwd, join(folder, acksFile)) },
  ]);
}

/** Whether a file may be read. */
export type MayRead = (path: string) => boolean;

/**
 * The files that a file may name: in CI those of the repository that it is in. A file outside was named by the command,
 * whose author is trusted, so it may name any.
 */
export function readableFrom(
  { cwd, isConfined }: { readonly cwd: string; readonly isConfined: boolean },
  file: string,
): MayRead {
  if (!isConfined || !isWrittenInside(cwd, resolve(cwd, file))) return () => true;
  const top = realpathSync(topOf(cwd));
  return (path) => isInRepository(top, path);
}

/** @throws {ProblemError} `path-outside` */
export function refuseUnreadable(mayRead: MayRead, paths: readonly NamedPath[]): void {
  const outside = paths.filter(({ path }) => !mayRead(path));
  if (outside.length > 0) throw new ProblemError(outside.map(outsideProblem));
}

/** A path, and its name in messages. */
interface NamedPath {
  readonly path: string;
  readonly file: string;
}

/**
 * Refuses folders that are outside of the repository, and links in them that lead there.
 * @throws {ProblemError} `path-outside`
 */
export function confineFolders(root: string, folders: readonly NamedPath[]): void {
  const top = topOf(root);
  refuseOutside(top, folders);
  refuseOutside(top, linksBelow(folders, new Set()));
}

/** Whether a path is in the repository of a folder as it is written, before any link in it is followed. */
export function isWrittenInside(root: string, path: string): boolean {
  return isBelow(topOf(root), path);
}

function refuseOutside(top: string, paths: readonly NamedPath[]): void {
  const inside = realpathSync(top);
  refuseUnreadable((path) => isInRepository(inside, path), paths);
}

/** Whether a path leads to a file of the repository, other than those of git itself. */
function isInRepository(top: string, path: string): boolean {
  const real = realPath(path);
  return isBelow(top, real) && !isOfGit(relative(top, real));
}

export function isBelow(folder: string, path: string): boolean {
  return `${path}${sep}`.startsWith(`${folder}${sep}`);
}

function outsideProblem({ file }: NamedPath): Problem {
  const fix =
    "Move the file or folder into the repository, name it by a relative path, and replace a link by the file.";
  return problem("path-outside", `${escapeControl(file)} leads out of the repository`, { fix });
}

/** The symbolic links in folders, at any depth, also in the folders that links lead to. */
function linksBelow(folders: readonly NamedPath[], seen: Set<string>): NamedPath[] {
  return folders.flatMap(({ path, file }) => {
    const real = realPath(path);
    if (seen.has(real)) return [];
    seen.add(real);
    return entriesOf(path).flatMap((entry) => {
      if (/^\.|^node_modules$/.test(entry.name)) return []; // not read, nor are they with includes, which may not leave the folder
      const child = { path: join(path, entry.name), file: join(file, entry.name) };
      if (entry.isSymbolicLink()) return [child, ...linksBelow([child], seen)];
      return entry.isDirectory() ? linksBelow([child], seen) : [];
    });
  });
}

/** The entries of a folder; none if it is missing or cannot be read, which is reported when it is read. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The path without links. A missing file is where its folder is: a link to a missing file is not followed. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), path.slice(folder.length));
  }
}
