import { html } from "hono/html";
import { adviceText, type Door } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { driftClasses } from "../../workflow/drift/classes.ts";
import type { DriftReport, ZoneDrift } from "../../workflow/drift/drift.ts";
import { type DriftFinding, isDrift } from "../../workflow/drift/finding.ts";
import { type Html, htmlPage } from "../format/html-page.ts";
import { contentsHtml, type PageSection, sectionHtml, sectionOf, tableHtml } from "../format/html-parts.ts";
import { findingText, readingTexts, verdictText } from "../text/drift-words.ts";
import { nameText } from "../text/name-text.ts";
import { failedOf, isOfTargets, sectionsOf, type TargetSection } from "../text/on-targets.ts";
import type { Drifts } from "./markdown.ts";

/** Drift as one page of HTML: the verdict, then a table of each zone, conflicts first. */
export function driftHtml(found: Drifts, door: Door = "cli"): Promise<string> {
  const parts = sectionsOf(found).map((section) => partOf(section, door));
  const failed = failedOf(found).map(({ target, problems }) =>
    sectionOf(`Not read on ${target}`, problemsHtml(problems, door)),
  );
  const isOfSeveral = isOfTargets(found);
  const title = isOfSeveral ? "Drift of several targets" : (parts[0]?.title ?? "");
  const sections = [...failed, ...parts.flatMap(({ sections }) => sections)];
  const heads = parts.map(
    ({ title, head }) => html`${isOfSeveral ? html`<p><strong>${title}</strong></p>` : ""}${head}`,
  );
  return htmlPage(
    title,
    html`<header>
<h1>${title}</h1>
${heads}
${sections.length > 1 ? contentsHtml(sections) : ""}
</header>
<main>
${sections.map(sectionHtml)}
</main>`,
  );
}

/** The drift of a target, as part of the page. */
function partOf({ report, on }: TargetSection<DriftReport>, door: Door) {
  const { zones, compared, notes, requests } = report;
  const all = count(compared, "zone");
  const isFound = zones.some(({ findings }) => findings.some(isDrift));
  const found = report.snapshot || report.baselines ? "changed outside git" : "git and the live zones differ";
  const verdict = isFound ? found : "nothing to decide";
  const sections: readonly PageSection[] = [
    ...zones.map((zone) => zoneSection(zone, on)),
    ...(notes.length > 0 ? [sectionOf(`Notes${on}`, problemsHtml(notes, door))] : []),
  ];
  const head = html`<p class="verdict ${isFound ? "blocked" : ""}">${verdict}</p>
<p class="facts">${[`${zones.length} of ${all} with findings`, ...readingTexts(report, door), count(requests, "request")].join(" · ")}</p>`;
  return { title: `Drift${on}: ${verdictText(report)}`, head, sections };
}

const columns = [{ title: "class" }, { title: "what" }, { title: "contents" }, { title: "by" }] as const;

function zoneSection({ zone, findings }: ZoneDrift, on: string): PageSection {
  const rank = ({ class: found }: DriftFinding) => driftClasses.indexOf(found);
  const rows = findings.toSorted((a, b) => rank(a) - rank(b)).map((finding) => row(finding, zone));
  const name = nameText(zone);
  const table = tableHtml({ caption: `Findings of ${name}`, columns, rows, className: "drift" });
  const id = `zone-${`${name}${on}`.replaceAll(/[^a-z0-9.-]/g, "_")}`;
  return { id, title: `${name}${on}`, content: table };
}

function row(finding: DriftFinding, zone: ZoneDrift["zone"]): Html {
  const { class: found, subject, sides, by } = findingText(finding, zone);
  const contents = sides.map(({ side, text }) =>
    side === "" ? html`<div>${text}</div>` : html`<div>${side} <code>${text}</code></div>`,
  );
  return html`<tr><td>${found}</td><th scope="row"><code>${subject}</code></th><td>${contents}</td><td>${by}</td></tr>`;
}

function problemsHtml(notes: readonly Problem[], door: Door): Html {
  const items = notes.map(
    (note) =>
      html`<li>${note.severity}: ${escapeControl(summaryText(note, door))} ${escapeControl(adviceText(note.fix ?? "", door))}</li>`,
  );
  return html`<ul>${items}</ul>`;
}
