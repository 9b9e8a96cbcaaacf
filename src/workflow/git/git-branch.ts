import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import { runGit, tryGit } from "../project/run-git.ts";
import { identity, writeCommit } from "./git-ref.ts";

/** A commit of changed files on a branch of its own. */
export interface BranchCommit {
  /** The name of the branch, without `refs/heads/`. */
  readonly branch: string;
  /** Paths relative to the working folder, which HEAD contains. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly message: string;
  readonly time: Date;
  /** Whether a commit on the branch, by its message, may be replaced by a newer one. */
  readonly isOwn: (message: string) => boolean;
  /** How to take another branch, as the second half of an advice; undefined if its name is fixed. */
  readonly otherName?: string | undefined;
}

export interface WrittenBranch {
  readonly commit: string;
  /** `unchanged`: the branch had such a commit already. */
  readonly state: "created" | "replaced" | "unchanged";
}

/**
 * Points a branch to a new commit on top of HEAD. Neither the work tree nor the index changes, and the branch that is
 * checked out never does.
 * @throws {ProblemError} `git-branch`, `git-missing`, `git-write`
 */
export function commitOnBranch(
  cwd: string,
  { branch, files, message, time, isOwn, otherName }: BranchCommit,
): WrittenBranch {
  const ref = `refs/heads/${branch}`;
  const head = tryGit(cwd, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).stdout.trim();
  if (head === "") {
    const fix = "Run the command in a clone of the zones' repository that has a commit.";
    throw problemError("git-missing", "a commit with drift needs a git work tree with a commit", { fix });
  }
  // Git takes a name that begins with a dash for an option.
  const isName = [[ref], ["--branch", branch]].every(
    (words) => tryGit(cwd, ["check-ref-format", ...words]).status === 0,
  );
  if (!isName) throw branchError(branch, "does not have a name that git accepts", [otherName]);
  const isCheckedOut = tryGit(cwd, ["symbolic-ref", "--quiet", "HEAD"]).stdout.trim() === ref;
  // The branch may be checked out in another work tree of the same repository.
  if (isCheckedOut || runGit(cwd, ["for-each-ref", "--format=%(worktreepath)", ref]).trim() !== "")
    throw branchError(branch, "is checked out, and zonewright does not change the work tree", [
      "check out another branch",
      otherName,
    ]);
  const existing = runGit(cwd, ["for-each-ref", "--format=%(refname)", ...namesInTheWay(ref)]).split("\n");
  refuseBeside(branch, existing, otherName);
  const before = tryGit(cwd, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]).stdout.trim();
  const tree = files.reduce((tree, { file, text }) => {
    const path = pathInRepository(cwd, file);
    const blob = runGit(cwd, ["hash-object", "-w", "--stdin", "--path", path], text).trim();
    return replaceInTree(cwd, tree, path.split("/"), blob);
  }, runGit(cwd, ["rev-parse", "HEAD^{tree}"]).trim());
  if (before !== "") {
    const last = readCommit(cwd, before);
    if (!last.isOurs || !isOwn(last.message)) throw foreignCommits(branch, otherName);
    const isUnmoved = last.tree === tree && last.parents === head;
    if (isUnmoved && last.message === message.trim()) return { commit: before, state: "unchanged" };
  }
  const commit = writeCommit(cwd, { tree, parents: [head], message, time });
  runGit(cwd, ["update-ref", "-m", "drift", ref, commit, before]);
  return { commit, state: before === "" ? "created" : "replaced" };
}

/** Whether a file of the work tree differs from HEAD. */
export function isModified(cwd: string, file: string): boolean {
  const { status, stdout } = tryGit(cwd, ["status", "--porcelain", "-z", "--untracked-files=all", "--", file]);
  return status !== 0 || stdout !== "";
}

/** A commit without its author and times. Its parents are separated by spaces. */
export function readCommit(cwd: string, commit: string) {
  const text = runGit(cwd, ["cat-file", "commit", commit]);
  const end = text.indexOf("\n\n");
  const head = text.slice(0, end).split("\n");
  const valuesOf = (name: string) =>
    head.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  return {
    tree: valuesOf("tree").join(),
    parents: valuesOf("parent").join(" "),
    message: text.slice(end).trim(),
    // Whoever amends or rebases a commit keeps its message and author, and becomes its committer.
    isOurs: valuesOf("committer").every((who) => who.startsWith(`${identity} `)),
  };
}

/** The error of a branch with commits of a person; `where` is the repository, if it is another one. */
export function foreignCommits(branch: string, otherName: string | undefined, where = ""): ProblemError {
  const why = `${where}has commits that zonewright did not make`;
  return branchError(branch, why, ["merge or delete the branch", otherName]);
}

/** Patterns of refs beside which git cannot store another one, because one name is a folder of the other. */
export function namesInTheWay(ref: string): string[] {
  const parts = ref.split("/");
  const above = parts.slice(2, -1).map((_, index) => parts.slice(0, index + 3).join("/"));
  return [...above, `${ref}/**`];
}

/**
 * Refuses a branch that cannot exist beside one of these refs; `where` is the repository, if it is another one.
 * @throws {ProblemError} `git-branch`
 */
export function refuseBeside(branch: string, refs: Iterable<string>, otherName: string | undefined, where = ""): void {
  const names = [...refs].map((ref) => ref.replace(/^refs\/heads\//, ""));
  const name = names.find((name) => name !== "" && (branch.startsWith(`${name}/`) || name.startsWith(`${branch}/`)));
  if (name === undefined) return;
  const why = `cannot exist beside the branch "${name}"${where}: git stores one name as a folder of the other`;
  throw branchError(branch, why, [`rename or delete "${name}"`, otherName]);
}

function branchError(branch: string, why: string, advice: readonly (string | undefined)[]): ProblemError {
  const ways = advice.filter((way) => way !== undefined).join(", or ");
  const fix = ways === "" ? undefined : `${ways.slice(0, 1).toUpperCase()}${ways.slice(1)}.`;
  return problemError("git-branch", `the branch "${branch}" ${why}`, { fix });
}

function pathInRepository(cwd: string, file: string): string {
  const top = runGit(cwd, ["rev-parse", "--show-toplevel"]).replace(/\n$/, "");
  return relative(top, realpathSync(resolve(cwd, file)));
}

/** The tree with another blob at a path, which it must contain. Names of files are octets in any encoding. */
function replaceInTree(cwd: string, tree: string, [name = "", ...rest]: readonly string[], blob: string): string {
  const octets = Buffer.from(name).toString("latin1");
  const entries = runGit(cwd, ["ls-tree", "-z", tree], "", "latin1").split("\0").filter(Boolean);
  const index = entries.findIndex((entry) => entry.slice(entry.indexOf("\t") + 1) === octets);
  const [mode = "", , id = ""] = entries[index]?.split(/[ \t]/, 3) ?? [];
  const isFolder = rest.length > 0;
  if (index < 0 || mode !== (isFolder ? "040000" : mode) || !/^(?:100|040)/.test(mode))
    throw problemError("git-branch", `"${name}" is not a file that the last commit contains`);
  const next = isFolder ? replaceInTree(cwd, id, rest, blob) : blob;
  entries[index] = `${mode} ${isFolder ? "tree" : "blob"} ${next}\t${octets}`;
  const input = Buffer.from(entries.map((entry) => `${entry}\0`).join(""), "latin1");
  return runGit(cwd, ["mktree", "-z"], input).trim();
}
