import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { runGit } from "../project/run-git.ts";
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
    throw new ProblemError(problem("git-missing", `a hook checks what is staged, but ${why}`, { fix }));
  }
  const top = runGit(cwd, ["rev-parse", "--show-toplevel"]).replace(/\n$/, "");
  const folder = mkdtempSync(join(tmpdir(), "zonewright-index-"));
  try {
    runGit(top, ["checkout-index", "--all", "--quiet", `--prefix=${folder}/`]);
    // A project looks for the top folder of its repository.
    mkdirSync(join(folder, ".git"));
    return await act({ folder, top, files: runGit(top, ["ls-files", "-z"]).split("\0").filter(Boolean) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
