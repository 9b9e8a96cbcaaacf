import { advise } from "../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { mayBeInRepository, runGit, tryGit } from "../project/run-git.ts";
import { commitOf, findGit } from "./git.ts";

/** The ref of the published snapshot, by default. */
export const snapshotRef = "refs/zonewright/snapshot";

/** Its name before version 0.2, which earlier workflow files fetch: read, and kept up to date, for one version. */
const formerRef = "refs/zonewright/base";

/** The default ref of the newest snapshot of a project, or of its target. */
export function publishedRef({ view }: Pick<Project, "view">): string {
  return view ? `refs/zonewright/targets/${view.name}` : snapshotRef;
}

/** The author and the committer of the commits that zonewright makes. */
export const identity = "zonewright <zonewright@localhost>";

/** The most octets of a file in a ref: a longer text may not fit into a string. */
const mostOctets = 256 * 1024 * 1024;

/** A file in the commit of a ref. */
export interface RefFile {
  /** The name of the ref, in full. */
  readonly ref: string;
  /** The only file of its commit. */
  readonly file: string;
}

/** Whether the repository has a ref of this name. */
function hasRef(cwd: string, ref: string): boolean {
  return commitOf(cwd, ref) !== undefined;
}

/** The place of the published snapshot, if this clone has it. */
export function findPublishedSnapshot(
  context: Pick<RunContext, "cwd" | "env">,
  project: Pick<Project, "view">,
): string | undefined {
  const { cwd } = context;
  const refs = [publishedRef(project), ...(project.view ? [] : [formerRef])];
  const found = mayBeInRepository(context) && refs.find((ref) => hasRef(cwd, ref));
  return found ? `ref:${found}` : undefined;
}

/** The place at which a snapshot of this folder can be published: none, this clone, or its `origin`. */
export function publishingPlace(context: Pick<RunContext, "cwd" | "env">): "none" | "clone" | "origin" {
  if (!mayBeInRepository(context) || tryGit(context.cwd, ["rev-parse", "--git-dir"]).status !== 0) return "none";
  return hasOrigin(context.cwd) ? "origin" : "clone";
}

function hasOrigin(cwd: string): boolean {
  return tryGit(cwd, ["remote", "get-url", "origin"]).status === 0;
}

/**
 * The text of a file that `writeRef` has published.
 * @throws {ProblemError} `git-missing`, `git-ref`
 */
export function readRef(cwd: string, { ref, file }: RefFile): string {
  checkRef(cwd, ref);
  if (!hasRef(cwd, ref)) {
    const create = advise`reate it with ${{ run: "snapshot", with: { ref } }}.`;
    const fix = hasOrigin(cwd)
      ? advise`Fetch it with \`git fetch origin +${ref}:${ref}\`, or c${create}`
      : advise`C${create}`;
    throw problemError("git-ref", `git has no ref "${ref}" here`, { fix });
  }
  const blob = `${ref}:${file}`;
  const { status, stdout: size } = tryGit(cwd, ["cat-file", "-s", blob]);
  if (status === 0 && Number(size) > mostOctets) {
    const fix = advise`Create a new one with ${{ run: "snapshot", with: { ref } }}, or name another ref.`;
    const summary = `the file ${file} of "${ref}" has ${size.trim()} octets; the limit is ${mostOctets}`;
    throw problemError("git-ref", summary, { fix });
  }
  const read = tryGit(cwd, ["cat-file", "blob", blob]);
  if (read.status === 0) return read.stdout;
  throw foreignRef(ref, file);
}

/**
 * Makes a ref point to a commit without parents that contains one file, so that git keeps no older versions. Neither
 * the work tree nor a branch changes. Returns the commit.
 * @throws {ProblemError} `git-missing`, `git-ref`, `git-write`
 */
export function writeRef(
  cwd: string,
  { ref, file }: RefFile,
  { text, message, time }: { readonly text: string; readonly message: string; readonly time: Date },
): string {
  checkRef(cwd, ref);
  if (hasRef(cwd, ref) && runGit(cwd, ["ls-tree", "--name-only", "-z", ref]) !== `${file}\0`)
    throw foreignRef(ref, file);
  const blob = runGit(cwd, ["hash-object", "-w", "--stdin"], text).trim();
  const tree = runGit(cwd, ["mktree"], `100644 blob ${blob}\t${file}\n`).trim();
  const commit = writeCommit(cwd, { tree, parents: [], message, time });
  runGit(cwd, ["update-ref", "-m", message, ref, commit]);
  return commit;
}

/** A commit to write. */
export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly time: Date;
}

/** Writes a commit, which no ref points to yet. */
export function writeCommit(cwd: string, { tree, parents, message, time }: NewCommit): string {
  // `git commit-tree` would take the author and the time from the environment.
  const signature = `${identity} ${Math.floor(time.getTime() / 1000)} +0000`;
  const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  const lines = [...head, `author ${signature}`, `committer ${signature}`, "", message, ""];
  return runGit(cwd, ["hash-object", "-t", "commit", "-w", "--stdin"], lines.join("\n")).trim();
}

/**
 * Pushes a ref to `origin`, where it replaces the published one.
 * @throws {ProblemError} `git-write`
 */
export function pushRef(cwd: string, ref: string): void {
  const hasFormer = ref === snapshotRef && tryGit(cwd, ["ls-remote", "--exit-code", "origin", formerRef]).status === 0;
  const targets = hasFormer ? [ref, formerRef] : [ref];
  runGit(cwd, ["push", "--quiet", "origin", ...targets.map((to) => `+${ref}:${to}`)]);
}

/** @throws {ProblemError} `git-missing`, `git-ref` */
function checkRef(cwd: string, ref: string): void {
  if (tryGit(cwd, ["rev-parse", "--git-dir"]).status !== 0) {
    const isInstalled = findGit(cwd) !== "missing";
    const fix = isInstalled
      ? "Run the command in a clone of the zones' repository, or use a file."
      : "Install git, or use a file.";
    const why = isInstalled ? "this folder is not in a git repository" : "git is not installed";
    throw problemError("git-missing", `"${ref}" is a git ref, but ${why}`, { fix });
  }
  const isBranch = /^refs\/(?:heads|tags|remotes)\//.test(ref);
  if (!isBranch && /^refs\/./.test(ref) && tryGit(cwd, ["check-ref-format", ref]).status === 0) return;
  const summary = `"${ref}" is not the full name of a git ref, or it is a branch or tag`;
  throw problemError("git-ref", summary, { fix: `Name a ref such as ${snapshotRef}.` });
}

function foreignRef(ref: string, file: string): ProblemError {
  const summary = `"${ref}" is not a ref that zonewright has made: its commit does not consist of a file ${file}`;
  return problemError("git-ref", summary, { fix: `Name another ref, such as ${snapshotRef}.` });
}
