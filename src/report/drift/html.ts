import { html } from "hono/html";
import { adviceText, type Door } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { driftClasses } from "../../workflow/drift/classes.ts";
import type { DriftReport, ZoneDrift } from "../../workflow/drift/drift.ts";
import { type DriftFinding, isDrift } from "../../workflow/drift/finding.ts";
import { type Html, htmlPage } from "../format/html-page.ts";
import { contentsHtml, type PageSection, sectionHtml, sectionOf, tableHtml } from "../format/html-parts.ts";
import { findingText, readingTexts, verdictText } from "../text/drift-words.ts";
import { nameText } from "../text/name-text.ts";

/** Drift as one page of HTML: the verdict, then a table of each zone, conflicts first. */
export function driftHtml(report: DriftReport, door: Door = "cli"): Promise<string> {
  const { zones, compared, notes, requests } = report;
  const all = count(compared, "zone");
  const isFound = zones.some(({ findings }) => findings.some(isDrift));
  const title = `Drift: ${verdictText(report)}`;
  const found = report.snapshot || report.baselines ? "changed outside git" : "git and the live zones differ";
  const verdict = isFound ? found : "nothing to decide";
  const sections: readonly PageSection[] = [
    ...zones.map(zoneSection),
    ...(notes.length > 0 ? [notesSection(notes, door)] : []),
  ];
  return htmlPage(
    title,
    html`<header>
<h1>${title}</h1>
<p class="verdict ${isFound ? "blocked" : ""}">${verdict}</p>
<p class="facts">${[`${zones.length} of ${all} with findings`, ...readingTexts(report, door), count(requests, "request")].join(" · ")}</p>
${sections.length > 1 ? contentsHtml(sections) : ""}
</header>
<main>
${sections.map(sectionHtml)}
</main>`,
  );
}

const columns = [{ title: "class" }, { title: "what" }, { title: "contents" }, { title: "by" }] as const;

function zoneSection({ zone, findings }: ZoneDrift): PageSection {
  const rank = ({ class: found }: DriftFinding) => driftClasses.indexOf(found);
  const rows = findings.toSorted((a, b) => rank(a) - rank(b)).map((finding) => row(finding, zone));
  const name = nameText(zone);
  const table = tableHtml({ caption: `Findings of ${name}`, columns, rows, className: "drift" });
  return { id: `zone-${name.replaceAll(/[^a-z0-9.-]/g, "_")}`, title: name, content: table };
}

function row(finding: DriftFinding, zone: ZoneDrift["zone"]): Html {
  const { class: found, subject, sides, by } = findingText(finding, zone);
  const contents = sides.map(({ side, text }) =>
    side === "" ? html`<div>${text}</div>` : html`<div>${side} <code>${text}</code></div>`,
  );
  return html`<tr><td>${found}</td><th scope="row"><code>${subject}</code></th><td>${contents}</td><td>${by}</td></tr>`;
}

function notesSection(notes: DriftReport["notes"], door: Door): PageSection {
  const items = notes.map(
    (note) =>
      html`<li>${note.severity}: ${escapeControl(summaryText(note, door))} ${escapeControl(adviceText(note.fix ?? "", door))}</li>`,
  );
  return sectionOf("Notes", html`<ul>${items}</ul>`);
}
