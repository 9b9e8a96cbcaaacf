import { inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { DriftFinding, ZoneFinding } from "../../workflow/drift/finding.ts";
import type { AdoptedFile } from "../../workflow/proposals/write.ts";
import { fitSections, section } from "../format/markdown-sections.ts";
import { githubComment } from "../plan/markdown.ts";
import { findingText } from "../text/drift-words.ts";
import { nameText } from "../text/name-text.ts";
import { driftRow } from "./markdown.ts";

/** The files with the drift of some zones, and its digest. */
export interface DriftToReview {
  readonly files: readonly AdoptedFile[];
  readonly digest: string;
}

/** The most changes that the message of a commit lists. */
const mostListed = 50;

/** The message of a commit that adopts drift, with trailers for its authors and its digest. */
export function driftCommitMessage({ files, digest }: DriftToReview): string {
  const all = findingsOf(files);
  const isOne = files.length === 1;
  const lines = all.slice(0, mostListed).map(({ zone, finding }) => {
    const { subject, sides, by } = findingText(finding, zone);
    const where = isOne ? subject : `${nameText(zone)}: ${subject}`;
    return `- ${where}: ${sides.map(({ text }) => text).join(" -> ")}${by === "" ? "" : `, ${by}`}`;
  });
  const more = all.length > mostListed ? [`- and ${all.length - mostListed} more`] : [];
  const authors = new Set(all.map(({ finding }) => authorOf(finding)));
  return [
    driftTitle(files),
    "",
    ...lines,
    ...more,
    "",
    "To keep these changes, merge this commit. To restore the zones as they are",
    inWordsOf("cli")`in git, drop it and run ${{ run: "apply" }}.`,
    "",
    ...[...authors].sort().map((author) => `Changed-by: ${author}`),
    `${digestTrailer}: ${digest}`,
  ].join("\n");
}

/** The trailer by which the program recognises a commit of drift; people have no use for it in a pull request. */
const digestTrailer = "Drift-digest";

/** Whether a commit adopts drift, by its message. */
export function isDriftCommit(message: string): boolean {
  return new RegExp(`^${digestTrailer}: [0-9a-f]{64}$`, "m").test(message);
}

/** The title and the body of a pull request that adopts drift; the body fits into GitHub's limit. */
export function driftPullRequest({ files }: Pick<DriftToReview, "files">): {
  readonly title: string;
  readonly body: string;
} {
  const all = findingsOf(files);
  const head = [
    `${count(all.length, "change")} of ${count(files.length, "zone")} made outside git.\n\n`,
    "- **To keep the changes**, merge this pull request. The zone files then say what the live zones say.\n",
    inWordsOf("cli")`- **To restore the zones** as they are in git, close it and run ${{ run: "apply" }}.\n`,
  ].join("");
  const rows = all.map((one) => driftRow(one, githubComment));
  return {
    title: driftTitle(files),
    body: fitSections(githubComment.budget, head, [section("Changes", "change", rows)]),
  };
}

function driftTitle(files: readonly AdoptedFile[]): string {
  const [first] = files;
  const what = files.length === 1 && first ? nameText(first.zone) : count(files.length, "zone");
  return `Adopt changes of ${what} made outside git`;
}

function findingsOf(files: readonly AdoptedFile[]): ZoneFinding[] {
  return files.flatMap(({ zone, findings }) => findings.map((finding) => ({ zone, finding })));
}

/** Only exact attributions, and those of a single user, name one user. */
function authorOf({ by }: DriftFinding): string {
  if (by === undefined) return "unknown";
  if (by.kind === "unknown") return "unknown";
  if (by.kind === "one-of") return `one of ${by.users.map((user) => escapeControl(JSON.stringify(user))).join(", ")}`;
  return escapeControl(JSON.stringify(by.user));
}
