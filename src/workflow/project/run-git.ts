import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { escapeControl } from "../../diagnostics/escape.ts";
import { problemError } from "../../diagnostics/problem.ts";
import type { RunContext } from "./run-context.ts";

/** The output of git. @throws {ProblemError} `git-write` */
export function runGit(cwd: string, args: readonly string[], input?: string | Uint8Array, encoding?: Encoding): string {
  const { status, stdout, stderr } = tryGit(cwd, args, input, encoding);
  if (status === 0) return stdout;
  const [command = ""] = args;
  const fix =
    command === "push"
      ? "Check that `origin` exists and that you may push there."
      : command === "ls-remote" || command === "fetch"
        ? "Check that `origin` exists and that you may read it."
        : "Check that this user may write to the repository.";
  throw problemError("git-write", `git ${command} failed: ${reasonOf(stderr)}`, { fix });
}

/** Lines of a reason, of which the last ones matter most. */
const mostLines = 5;

/** Why git failed, in its own words: its errors, those of the server, and the refs that it rejected. */
export function reasonOf(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.replace(/^remote:/, "").trim())
    .filter(Boolean);
  // These say where the push went, how to go on at a terminal, and that some of the refs failed.
  const isTalk = (line: string) => /^(?:To|From|hint:|error: failed to push some refs|[=*+] )/.test(line);
  const reasons = lines.filter((line) => !isTalk(line));
  const reason = escapeControl((reasons.length > 0 ? reasons : lines).slice(-mostLines).join("; "));
  return withoutCredentials(reason).replaceAll(/ {2,}/g, " ");
}

/** A text whose URLs have no user, password, query or fragment; a password may contain a slash or a quote. */
function withoutCredentials(text: string): string {
  return text.replaceAll(/(:\/\/)\S*@/g, "$1").replaceAll(/(:\/\/[^\s?#'"]*)[?#][^\s'"]*/g, "$1");
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

/** Whether git could find a repository: where none is possible, each question to git would start it for nothing. */
export function mayBeInRepository({ cwd, env }: Pick<RunContext, "cwd" | "env">): boolean {
  if (env.GIT_DIR !== undefined) return true;
  let folder: string;
  try {
    folder = realpathSync(cwd);
  } catch {
    return true; // it was removed, or a folder above it may not be searched
  }
  for (let last = ""; folder !== last; [folder, last] = [dirname(folder), folder])
    // A bare repository has HEAD and no .git.
    if (existsSync(join(folder, ".git")) || existsSync(join(folder, "HEAD"))) return true;
  return false;
}
