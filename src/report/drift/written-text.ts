import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { DriftBranch, WrittenBranches } from "../../workflow/proposals/branches.ts";
import type { AdoptedFile, Adoption, LeftFinding } from "../../workflow/proposals/write.ts";
import { findingText } from "../text/drift-words.ts";
import { nameText } from "../text/name-text.ts";

/** The result of writing drift into files, or on branches if there are any. */
export interface DriftWriting extends Adoption, Partial<WrittenBranches> {}

/**
 * One line for each file or branch and for each change that was not written, and how to go on. `raise` is how to set
 * other limits.
 */
export function driftWrittenText(
  { files, left, exceeded, branches, modified = [], failed = [] }: DriftWriting,
  raise: string,
  door: Door,
): string {
  const words = inWordsOf(door);
  const lines = branches
    ? branches.map(branchLine)
    : files.map((file) => `${changesText([file])} written to ${escapeControl(file.file)}`);
  if (exceeded) {
    const { records, zones, limits } = exceeded;
    const found = `${count(records, "change")} in ${count(zones, "zone")}`;
    const limit = `${count(limits.records, "change")} and ${count(limits.zones, "zone")}`;
    lines.push(
      `nothing was written: ${found} outside git exceed the limits of ${limit}`,
      `Look for the cause first. To write all of it, ${raise}.`,
    );
  }
  lines.push(
    ...files.flatMap(({ notes }) => notes.map((note) => `note: ${escapeControl(note)}`)),
    ...modified.map(
      ({ file }) =>
        `not written: ${escapeControl(file)} has changes that are not committed; commit or revert them first`,
    ),
    ...left.map(leftLine),
  );
  if (branches && branches.length > 0)
    lines.push(words`To keep these changes, merge. To restore the zones as they are in git, run ${{ run: "apply" }}.`);
  else if (!branches && files.length > 0)
    lines.push(
      words`To keep these changes, commit the files. To restore the zones, revert the files and run ${{ run: "apply" }}.`,
    );
  if (lines.length + failed.length === 0) lines.push("nothing to write");
  return lines.map((line) => `${line}\n`).join("");
}

const states = { created: "new branch", replaced: "branch", unchanged: "unchanged branch" } as const;

function branchLine({ branch, commit, state, files }: DriftBranch): string {
  return `${changesText(files)} committed as ${commit.slice(0, 12)} on the ${states[state]} ${escapeControl(branch)}`;
}

function changesText(files: readonly AdoptedFile[]): string {
  const number = files.reduce((sum, { findings }) => sum + findings.length, 0);
  const zones = files.length === 1 && files[0] ? nameText(files[0].zone) : count(files.length, "zone");
  return `${count(number, "change")} of ${zones}`;
}

function leftLine({ zone, finding, why }: LeftFinding): string {
  return `not written: ${nameText(zone)} ${findingText(finding, zone).subject}: ${escapeControl(why)}`;
}
