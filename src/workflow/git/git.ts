import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { problemError } from "../../diagnostics/problem.ts";
import type { RunContext } from "../project/run-context.ts";
import { mayBeInRepository, tryGit } from "../project/run-git.ts";

/** Whether a folder is in a work tree with a commit, and if not, why. */
export function findGit(cwd: string): "commit" | "empty" | "outside" | "missing" {
  if (commitOf(cwd, "HEAD") !== undefined) return "commit";
  if (git(cwd, "rev-parse", "--show-toplevel") !== undefined) return "empty";
  return git(cwd, "--version") === undefined ? "missing" : "outside";
}

/** The commit that is checked out in a folder; undefined outside of a work tree, and before the first commit. */
export function headOf(context: Pick<RunContext, "cwd" | "env">): string | undefined {
  return mayBeInRepository(context) ? commitOf(context.cwd, "HEAD") : undefined;
}

/** The commit of a revision; undefined if the repository does not have it, and outside of one. */
export function commitOf(cwd: string, revision: string): string | undefined {
  return git(cwd, "rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`)?.trim();
}

/** Whether the first commit is the second one or an ancestor of it; undefined if the local history cannot tell. */
export function precedes(cwd: string, commit: string, other: string): boolean | undefined {
  if (![commit, other].every((hash) => /^[0-9a-f]{40,64}$/.test(hash))) return undefined;
  const { status } = tryGit(cwd, ["merge-base", "--is-ancestor", commit, other]);
  return status === 0 ? true : status === 1 ? false : undefined;
}

/** The changes since a commit. */
export interface Changed {
  /** The commit, in full. */
  readonly commit: string;
  /** Paths relative to `cwd`, including untracked files. */
  readonly files: ReadonlySet<string>;
  readonly deleted: readonly string[];
  /** The text of a file at that commit; undefined if it did not exist. */
  readonly textOf: (file: string) => string | undefined;
}

/** @throws {ProblemError} `git-missing`, `git-revision` */
export function findChangesSince(cwd: string, revision: string): Changed {
  const top = git(cwd, "rev-parse", "--show-toplevel")?.replace(/\n$/, "");
  if (top === undefined) {
    const isInstalled = findGit(cwd) !== "missing";
    const fix = isInstalled
      ? advise`Run the command in a clone of the zones' repository, or leave out ${{ set: "since" }}.`
      : advise`Install git, or leave out ${{ set: "since" }}.`;
    const why = isInstalled ? "this folder is not in a git work tree" : "it is not installed";
    throw problemError("git-missing", advise`${{ set: "since" }} needs git, but ${why}`, { fix });
  }
  const commit = commitOf(cwd, revision);
  if (commit === undefined) {
    const fix = "Name an existing commit, branch or tag. In CI, fetch the history first (fetch-depth: 0).";
    throw problemError("git-revision", `git has no revision "${revision}" here`, { fix });
  }
  const here = realpathSync(cwd);
  const list = (...args: string[]) =>
    (git(cwd, ...args) ?? "")
      .split("\0")
      .filter(Boolean)
      .map((path) => relative(here, join(top, path)));
  const diff = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "--no-relative", "-z"];
  return {
    commit,
    files: new Set([
      ...list(...diff, commit),
      ...list("ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/"),
    ]),
    deleted: list(...diff, "--diff-filter=D", commit),
    textOf: (file) => git(cwd, "show", `${commit}:${relative(top, join(here, file))}`),
  };
}

function git(cwd: string, ...args: string[]): string | undefined {
  const { status, stdout } = tryGit(cwd, args);
  return status === 0 ? stdout : undefined;
}
