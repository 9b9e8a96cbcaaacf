import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { runGit } from "../project/run-git.ts";
import { makeTemporaryFolder } from "../project/temporary-folder.ts";
import { findGit } from "./git.ts";

/** The files that the next commit contains, in a folder of their own. */
export interface IndexCopy {
  readonly folder: string;
  /** The work tree. */
  readonly top: string;
  /** The paths of the files, relative to both. */
  readonly files: readonly string[];
}

/**
 * Copies the index of git while `act` runs: without changes that are not staged, and without files that git does not
 * know, which the commit lacks.
 * @throws {ProblemError} `git-missing`, `git-write`
 */
export async function withIndexCopy<T>(cwd: string, act: (copy: IndexCopy) => Promise<T>): Promise<T> {
  const found = findGit(cwd);
  if (found === "missing" || found === "outside") {
    const why = found === "missing" ? "git is not installed" : "this folder is in no git repository";
    const fix = advise`Run ${{ run: "validate" }} or ${{ run: "fmt" }} instead.`;
    throw problemError("git-missing", `the staged files cannot be checked: ${why}`, { fix });
  }
  const top = runGit(cwd, ["rev-parse", "--show-toplevel"]).replace(/\n$/, "");
  const folder = makeTemporaryFolder("index");
  try {
    const files = filesToCommit(top);
    runGit(
      top,
      ["checkout-index", "-z", "--stdin", "--quiet", `--prefix=${folder}/`],
      files.map((file) => `${file}\0`).join(""),
    );
    // A project looks for the top folder of its repository.
    mkdirSync(join(folder, ".git"));
    return await act({ folder, top, files });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of the tree that a commit would have now: without those that `git add --intent-to-add` only announces. */
function filesToCommit(top: string): string[] {
  const tree = runGit(top, ["write-tree"]).trim();
  const entries = runGit(top, ["ls-tree", "-r", "-z", "--full-tree", tree]).split("\0");
  const isFile = (entry: string) => /^1[02]0\d+ blob /.test(entry);
  return entries.filter(isFile).map((entry) => entry.slice(entry.indexOf("\t") + 1));
}
