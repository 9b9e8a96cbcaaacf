import { type Problem, ProblemError } from "../../diagnostics/problem.ts";
import type { NameKey } from "../../dns/name/name.ts";
import { fileName } from "../../formats/files.ts";
import { groupBy } from "../../group-by.ts";
import { type BranchCommit, commitOnBranch, isModified, type WrittenBranch } from "../git/git-branch.ts";
import { pushBranch } from "../git/git-push.ts";

import type { RunContext } from "../project/run-context.ts";
import { type AdoptedFile, driftDigest } from "./write.ts";

/** The branches on which drift is committed. */
export interface BranchRequest extends Pick<BranchCommit, "isOwn" | "otherName"> {
  /** The name of the branch; `{zone}` in it makes one for each zone. */
  readonly pattern: string;
  readonly messageOf: (drift: Pick<DriftBranch, "files" | "digest">) => string;
}

/** A branch with a commit that adopts the drift of some zones. */
export interface DriftBranch extends WrittenBranch {
  readonly branch: string;
  readonly files: readonly AdoptedFile[];
  /** SHA-256 of the changes that it adopts. */
  readonly digest: string;
}

export interface WrittenBranches {
  readonly branches: readonly DriftBranch[];
  /** Files with changes that are not committed, which the branch would contain. */
  readonly modified: readonly AdoptedFile[];
  /** Why other branches were not written. */
  readonly failed: readonly Problem[];
}

/** The pattern of branches unless another one is given. */
export const driftBranches = "zonewright/drift/{zone}";

/**
 * Commits files with drift on branches on top of HEAD. The work tree and the branch that is checked out stay as they
 * are.
 */
export async function writeDriftBranches(
  { cwd, now }: Pick<RunContext, "cwd" | "now">,
  files: readonly AdoptedFile[],
  { pattern, messageOf, ...rules }: BranchRequest,
): Promise<WrittenBranches> {
  const modified = files.filter(({ file }) => isModified(cwd, file));
  const byBranch = groupBy(
    files.filter((file) => !modified.includes(file)),
    ({ zone }) => pattern.replaceAll("{zone}", branchPart(zone)),
  );
  const { done, failed } = await eachBranch([...byBranch], ([branch, files]): DriftBranch => {
    const digest = driftDigest(files.flatMap(({ zone, findings }) => findings.map((finding) => ({ zone, finding }))));
    const message = messageOf({ files, digest });
    return { branch, files, digest, ...commitOnBranch(cwd, { branch, files, message, time: now(), ...rules }) };
  });
  return { branches: done, modified, failed };
}

/** Pushes branches with drift to `origin`. */
export function pushDriftBranches(
  { cwd }: Pick<RunContext, "cwd">,
  branches: readonly DriftBranch[],
  rules: Pick<BranchRequest, "isOwn" | "otherName">,
): Promise<DoneBranches<boolean>> {
  return eachBranch(branches, ({ branch, commit }) => pushBranch(cwd, { branch, commit, ...rules }));
}

/** The results of the branches for which something could be done, and why it could not for others. */
export interface DoneBranches<T> {
  readonly done: readonly T[];
  /** Each reason once. */
  readonly failed: readonly Problem[];
}

/** Does something for each branch: one that cannot be written, because it has commits of a person, stops no other. */
export async function eachBranch<B, T>(
  branches: readonly B[],
  act: (branch: B) => T | Promise<T>,
): Promise<DoneBranches<T>> {
  const done: T[] = [];
  const failed = new Map<string, Problem>();
  for (const branch of branches)
    try {
      done.push(await act(branch));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      for (const found of error.problems) failed.set(JSON.stringify(found), found);
    }
  return { done, failed: [...failed.values()] };
}

/** A zone in the name of a branch, where some characters are not allowed. */
function branchPart(zone: NameKey): string {
  return fileName(zone)
    .replaceAll("%", "_")
    .replace(/\.lock$/, "_lock");
}
