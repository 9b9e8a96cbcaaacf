import { spawnSync } from "node:child_process";
import { plain } from "../diagnostics/plain.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";

/** The output of git. @throws {ProblemError} `git-write` */
export function runGit(cwd: string, args: readonly string[], input?: string | Uint8Array, encoding?: Encoding): string {
  const { status, stdout, stderr } = tryGit(cwd, args, input, encoding);
  if (status === 0) return stdout;
  const reason = plain(stderr.trim().split("\n").at(-1) ?? "");
  const fix =
    args[0] === "push"
      ? "Check that `origin` exists and that you may push there."
      : "Check that this user may write to the repository.";
  throw new ProblemError(problem("git-write", `git ${args[0]} failed: ${reason}`, { fix }));
}

/** The encoding of git's output; `latin1` keeps all octets. */
type Encoding = "utf8" | "latin1";

/** Runs git, whatever its exit code. */
export function tryGit(
  cwd: string,
  args: readonly string[],
  input: string | Uint8Array = "",
  encoding: Encoding = "utf8",
) {
  return spawnSync("git", args, { cwd, input, encoding, maxBuffer: 1024 * 1024 * 1024 });
}
