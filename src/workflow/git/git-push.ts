import { isDeepStrictEqual } from "node:util";
import { runGit, tryGit } from "../project/run-git.ts";
import { type BranchCommit, foreignCommits, namesInTheWay, readCommit, refuseBeside } from "./git-branch.ts";

/** A commit to publish as a branch of `origin`. */
export interface BranchPush extends Pick<BranchCommit, "branch" | "isOwn" | "otherName"> {
  readonly commit: string;
}

/** Pushes that may come first before ours fails. */
const mostRaces = 3;

/**
 * Pushes a commit to a branch of `origin`, where it replaces a commit of ours only, and only if that is still there: if
 * another push came first, it looks again at what that left there. Returns false if the branch has the same commit, or
 * one that differs in nothing but its time.
 * @throws {ProblemError} `git-branch`, `git-write`
 */
export function pushBranch(cwd: string, push: BranchPush): boolean {
  for (let races = 0; ; races++) {
    const published = findPublishedCommit(cwd, push);
    try {
      return replaceBranch(cwd, push, published);
    } catch (error) {
      if (races === mostRaces || findPublishedCommit(cwd, push) === published) throw error;
    }
  }
}

/**
 * The commit of a branch of `origin`; empty if there is none.
 * @throws {ProblemError} `git-branch` if `origin` has a branch beside which it cannot exist
 */
function findPublishedCommit(cwd: string, { branch, otherName }: BranchPush): string {
  const ref = `refs/heads/${branch}`;
  const lines = runGit(cwd, ["ls-remote", "--refs", "origin", ref, ...namesInTheWay(ref)]).split("\n");
  // A pattern of ls-remote also fits refs that only end in it.
  const found = new Map(lines.map((line) => line.split("\t").reverse() as [string, string]));
  refuseBeside(branch, found.keys(), otherName, " of origin");
  return found.get(ref) ?? "";
}

function replaceBranch(cwd: string, { branch, commit, isOwn, otherName }: BranchPush, published: string): boolean {
  const ref = `refs/heads/${branch}`;
  if (published === commit) return false;
  if (published !== "") {
    runGit(cwd, ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "origin", published]);
    const last = readCommit(cwd, published);
    if (!last.isOurs || !isOwn(last.message)) throw foreignCommits(branch, otherName, "of origin ");
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
