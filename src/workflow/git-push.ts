import { isDeepStrictEqual } from "node:util";
import { branchError, readCommit } from "./git-branch.ts";
import { runGit, tryGit } from "./run-git.ts";

/** A commit to publish as a branch of `origin`. */
export interface BranchPush {
  readonly branch: string;
  readonly commit: string;
  /** Whether a commit on the published branch, by its message, may be replaced. */
  readonly isOwn: (message: string) => boolean;
}

/**
 * Pushes a commit to a branch of `origin`, where it replaces a commit of ours only, and only if that is still there.
 * Returns false if the branch has the same commit, or one that differs in nothing but its time.
 * @throws {ProblemError} `git-branch`, `git-write`
 */
export function pushBranch(cwd: string, { branch, commit, isOwn }: BranchPush): boolean {
  const ref = `refs/heads/${branch}`;
  const [published = ""] = runGit(cwd, ["ls-remote", "--refs", "origin", ref]).split("\t");
  if (published === commit) return false;
  if (published !== "") {
    runGit(cwd, ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "origin", published]);
    const last = readCommit(cwd, published);
    if (!last.isOurs || !isOwn(last.message))
      throw branchError(branch, "of origin has commits that zonewright did not make");
    if (isDeepStrictEqual(last, readCommit(cwd, commit))) return false;
  }
  runGit(cwd, ["push", "--quiet", `--force-with-lease=${ref}:${published}`, "origin", `${commit}:${ref}`]);
  return true;
}

/** The name of the branch that is checked out; undefined if there is none. */
export function currentBranch(cwd: string): string | undefined {
  const { status, stdout } = tryGit(cwd, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return status === 0 ? stdout.trim() : undefined;
}
