import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { Project } from "./project.ts";
import { tryGit } from "./run-git.ts";

const name = ".zonewright";

type Place = Pick<Project, "root" | "isConfined">;

/** The result for each project: git is asked once. */
const known = new WeakMap<Place, Problem | undefined>();

/**
 * The folder of a project's runs, beside its config. One that is committed, or that is a link in CI, is not trusted.
 * @throws {ProblemError} `state-committed`
 */
export function stateFolder(project: Place): string {
  const found = findCommittedState(project);
  if (found) throw new ProblemError(found);
  return join(project.root, name);
}

/** A problem if the folder of runs, or a file in it, comes from the repository. */
export function findCommittedState(project: Place): Problem | undefined {
  if (!known.has(project)) known.set(project, findProblem(project));
  return known.get(project);
}

function findProblem({ root, isConfined }: Place): Problem | undefined {
  const state = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (state === undefined) return undefined;
  if (isConfined && !state.isDirectory())
    return stateProblem(`${name} is ${state.isSymbolicLink() ? "a symbolic link" : "a file"}`);
  // A checkout may be on a disk that ignores case.
  const { status, stdout } = tryGit(root, ["ls-files", "-z", "--", `:(icase)${name}`]);
  const [file] = status === 0 ? stdout.split("\0") : [];
  return file ? stateProblem(`${file} is committed`) : undefined;
}

function stateProblem(what: string): Problem {
  return problem("state-committed", `${what}: runs of others are not trusted, and links are not followed`, {
    fix: `Remove it from the repository with \`git rm -r --cached ${name}\`, and add the line \`${name}/\` to .gitignore.`,
  });
}
