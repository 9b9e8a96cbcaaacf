import type { Door } from "../../diagnostics/advice.ts";
import { summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { DriftClass } from "../../workflow/drift/classes.ts";
import type { DriftReport } from "../../workflow/drift/drift.ts";
import type { DriftFinding, ZoneFinding } from "../../workflow/drift/finding.ts";
import { failuresMarkdown } from "../findings/markdown.ts";
import { codeSpan, prose, shortenValue } from "../format/markdown.ts";
import { fitSections, type MarkdownLimits, section, shareBudget, utf8Length } from "../format/markdown-sections.ts";
import { findingText, readingTexts, verdictText } from "../text/drift-words.ts";
import { nameText } from "../text/name-text.ts";
import { failedOf, type OfTargets, sectionsOf, type TargetSection } from "../text/on-targets.ts";

/** The content of a report: the drift of a project with at most one target, or of each of several. */
export type Drifts = DriftReport | OfTargets<DriftReport>;

/** Drift as Markdown: the verdict, conflicts and deletions first. Content beyond the budget is counted. */
export function driftMarkdown(found: Drifts, { budget, ...limits }: MarkdownLimits = {}): string {
  const failures = failuresMarkdown("Drift", failedOf(found), limits.door ?? "cli");
  const parts = shareBudget(
    budget === undefined ? undefined : budget - utf8Length(failures.join("\n")),
    sectionsOf(found).map((section) => (share) => ({ text: sectionMarkdown(section, { ...limits, ...share }) })),
  );
  return [...parts.map(({ text }) => text), ...failures].join("\n");
}

function sectionMarkdown({ report, on }: TargetSection<DriftReport>, limits: MarkdownLimits): string {
  const { zones, notes } = report;
  const all = zones.flatMap(({ zone, findings }) => findings.map((finding) => ({ zone, finding })));
  const rows = (isWanted: (finding: DriftFinding) => boolean) =>
    all.filter(({ finding }) => isWanted(finding)).map((one) => driftRow(one, limits));
  const isOf =
    (...classes: readonly DriftClass[]) =>
    (finding: DriftFinding) =>
      classes.includes(finding.class);
  return fitSections(limits.budget, head({ report, on }, limits.door ?? "cli"), [
    section("Changed in git and outside", "conflict", rows(isOf("conflict"))),
    section(
      "Deleted outside git",
      "deletion",
      rows((finding) => finding.class === "drift" && isDeletion(finding)),
    ),
    section(
      "Changed outside git",
      "change",
      rows((finding) => finding.class === "drift" && !isDeletion(finding)),
    ),
    section("Added outside git", "addition", rows(isOf("foreign"))),
    section("Different in git and live", "difference", rows(isOf("differs"))),
    section("Changed or deleted in the same way in git and outside", "change", rows(isOf("converged", "removed"))),
    section("In git, not applied yet", "change", rows(isOf("pending"))),
    section(
      "Notes",
      "note",
      notes.map((note) => `- ${note.severity}: ${prose(summaryText(note, limits.door ?? "cli"))}\n`),
    ),
  ]);
}

function isDeletion(finding: DriftFinding): boolean {
  return finding.kind === "zone" ? !finding.live : finding.live === undefined;
}

function head({ report, on }: TargetSection<DriftReport>, door: Door): string {
  const { zones, compared, requests } = report;
  const all = count(compared, "zone");
  const where = zones.length === 0 ? "" : ` in ${zones.length} of ${all}`;
  const facts = [...readingTexts(report, door), count(requests, "request")];
  return `### Drift${on}: ${verdictText(report)}${where}\n\n${zones.length === 0 ? `${all} compared. ` : ""}${facts.map(prose).join(" · ")}\n`;
}

/** A finding as a list item, with its author. */
export function driftRow({ zone, finding }: ZoneFinding, { valueWidth }: MarkdownLimits = {}): string {
  const { class: found, subject, sides, by } = findingText(finding, zone);
  const name = codeSpan(`${nameText(zone)}: ${subject}`);
  const isLabelled = found === "conflict" || found === "differs";
  const texts = sides.map(({ side, text }) =>
    side === "" ? prose(text) : `${isLabelled ? `${side} ` : ""}${codeSpan(shortenValue(text, valueWidth))}`,
  );
  const values = texts.join(isLabelled ? ", " : " → ");
  return `- ${[name, values, ...(by === "" ? [] : [prose(by)])].join(" · ")}\n`;
}
