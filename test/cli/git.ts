import { execFileSync } from "node:child_process";

export type Git = (...args: readonly string[]) => string;

const settings = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];

/** Runs git in a folder, as an author of its own, and returns its output. */
export function gitIn(folder: string): Git {
  return (...args) => execFileSync("git", [...settings, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

/** Makes a folder a repository, whose first commit contains its zones. */
export function commitZones(folder: string): Git {
  const git = gitIn(folder);
  git("init", "-q");
  git("add", "zones");
  git("commit", "-qm", "first");
  return git;
}
