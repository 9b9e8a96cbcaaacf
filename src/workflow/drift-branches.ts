import type { NameKey } from "../dns/name.ts";
import { type AdoptedFile, driftDigest } from "./drift-write.ts";
import { fileName } from "./files.ts";
import { commitOnBranch, isModified, type WrittenBranch } from "./git-branch.ts";
import type { RunContext } from "./run-context.ts";

/** The branches on which drift is committed. */
export interface BranchRequest {
  /** The name of the branch; `{zone}` in it makes one for each zone. */
  readonly pattern: string;
  readonly messageOf: (drift: Pick<DriftBranch, "files" | "digest">) => string;
  /** Whether a commit, by its message, may be replaced by a newer one. */
  readonly isOwn: (message: string) => boolean;
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
}

/** The pattern of branches unless another one is given. */
export const driftBranches = "zonewright/drift/{zone}";

/**
 * Commits files with drift on branches on top of HEAD. The work tree and the branch that is checked out stay as they
 * are.
 * @throws {ProblemError} `git-branch`, `git-missing`, `git-write`
 */
export function writeDriftBranches(
  { cwd, now }: Pick<RunContext, "cwd" | "now">,
  files: readonly AdoptedFile[],
  { pattern, messageOf, isOwn }: BranchRequest,
): WrittenBranches {
  const modified = files.filter(({ file }) => isModified(cwd, file));
  const byBranch = new Map<string, AdoptedFile[]>();
  for (const file of files) {
    if (modified.includes(file)) continue;
    const branch = pattern.replaceAll("{zone}", branchPart(file.zone));
    byBranch.set(branch, [...(byBranch.get(branch) ?? []), file]);
  }
  const branches = [...byBranch].map(([branch, files]): DriftBranch => {
    const digest = driftDigest(files.flatMap(({ zone, findings }) => findings.map((finding) => ({ zone, finding }))));
    const message = messageOf({ files, digest });
    return { branch, files, digest, ...commitOnBranch(cwd, { branch, files, message, time: now(), isOwn }) };
  });
  return { branches, modified };
}

/** A zone in the name of a branch, where some characters are not allowed. */
function branchPart(zone: NameKey): string {
  return fileName(zone)
    .replaceAll("%", "_")
    .replace(/\.lock$/, "_lock");
}
