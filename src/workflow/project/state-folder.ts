import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { Project } from "./project.ts";
import { mayBeInRepository, reasonOf, tryGit } from "./run-git.ts";

const name = ".zonewright";

type Place = Pick<Project, "config" | "root" | "isConfined" | "view">;

/** The result by the config of a project, which its views share: git is asked once. */
const known = new WeakMap<Project["config"], Problem | undefined>();

/**
 * The folder of a project's runs, beside its config; each target has its own inside. One that is committed, or that is
 * a link in CI, is not trusted.
 * @throws {ProblemError} `state-committed`
 */
export function stateFolder(project: Place): string {
  const found = findCommittedState(project);
  if (found) throw new ProblemError(found);
  const { root, view } = project;
  return view ? join(root, name, "targets", view.name) : join(root, name);
}

/** A problem if the folder of runs, or a file in it, comes from the repository, or in CI if git cannot tell. */
export function findCommittedState(project: Place): Problem | undefined {
  const { config } = project;
  if (!known.has(config)) known.set(config, findProblem(project));
  return known.get(config);
}

/** A problem if one of some committed files is in such a folder, of any project. */
export function findStateIn(files: readonly string[]): Problem | undefined {
  const file = files.find((one) => one.toLowerCase().split("/").includes(name));
  return file === undefined ? undefined : stateProblem(`${file} is committed`);
}

function findProblem({ root, isConfined }: Place): Problem | undefined {
  const state = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (state === undefined) return undefined;
  if (isConfined && !state.isDirectory())
    return stateProblem(`${name} is ${state.isSymbolicLink() ? "a symbolic link" : "a file"}`);
  // A checkout may be on a disk that ignores case.
  const { status, stdout, stderr, error } = tryGit(root, ["ls-files", "-z", "--", `:(icase)${name}`]);
  if (status === 0) {
    const [file] = stdout.split("\0");
    return file ? stateProblem(`${file} is committed`) : undefined;
  }
  if (!isConfined || !mayBeInRepository({ cwd: root, env: {} })) return undefined;
  const why = error === undefined ? reasonOf(stderr) : "git cannot be started";
  return problem("state-committed", `cannot tell whether ${name} is committed: ${why}`, {
    fix: `Install git, and let it read the repository (\`git config --global --add safe.directory FOLDER\`), or remove ${name} first.`,
  });
}

function stateProblem(what: string): Problem {
  return problem("state-committed", `${what}: runs of others are not trusted, and links are not followed`, {
    fix: `Remove it from the repository with \`git rm -r --cached ${name}\`, and add the line \`${name}/\` to .gitignore.`,
  });
}
