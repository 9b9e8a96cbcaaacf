import { html } from "hono/html";
import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, summaryText } from "../../diagnostics/problem.ts";
import { count, durationInWords } from "../../diagnostics/quantities.ts";
import { ackFields, findingTexts, guardText, type JudgedBlock } from "../../planner/blocks/acks.ts";
import { isEmpty, type Plan, unsupportedSets } from "../../planner/changes/change.ts";
import { digestPlan } from "../../planner/changes/effects.ts";
import { placeAfter } from "../findings/findings.ts";
import { type Html, htmlPage } from "../format/html-page.ts";
import { contentsHtml, notShown, type PageSection, sectionHtml, sectionOf, tableHtml } from "../format/html-parts.ts";
import { nameText } from "../text/name-text.ts";
import { failedOf, isOfTargets, sectionsOf } from "../text/on-targets.ts";
import { changesOf, countLines, countSettling, lineKinds, type ZoneChanges } from "./changes.ts";
import { approvalText } from "./guards.ts";
import { cachesHtml } from "./html-caches.ts";
import { changesHtml, countsText, symbols, zoneId } from "./html-changes.ts";
import { orderHtml } from "./html-order.ts";
import { pointersHtml } from "./html-pointers.ts";
import { changingTargets, digestPlanned, type Planned, type PlanSection, type TargetPlans } from "./sections.ts";
import { skippedErrors, skippedTexts } from "./skipped.ts";
import { sendsText } from "./text.ts";

/**
 * A plan as one page of HTML: the verdict, missing approvals, counts by zone, changes with a filter, the order of the
 * writes with their gaps, how long old answers live, and which names point to changed ones.
 */
export function planHtml(planned: Planned, door: Door = "cli"): Promise<string> {
  const sections = sectionsOf(planned);
  const parts: PartOfPage[] = [];
  let first = 0;
  for (const section of sections) {
    const part = partOf(section, { first, hasFilter: first === 0, door });
    first += part.zones;
    parts.push(part);
  }
  const failed = failedOf(planned).map(({ target, problems }) =>
    sectionOf(`Not planned on ${target}`, problemsHtml(problems, door)),
  );
  const title = isOfTargets<TargetPlans>(planned) ? titleOfTargets(planned) : (parts[0]?.title ?? "");
  const shown = [...failed, ...parts.flatMap(({ sections }) => sections)];
  const heads = parts.map(
    ({ title, head }) =>
      html`${isOfTargets<TargetPlans>(planned) ? html`<p><strong>${title}</strong></p>` : ""}${head}`,
  );
  return htmlPage(
    title,
    html`<header>
<h1>${title}</h1>
${heads}
${shown.length > 1 ? contentsHtml(shown) : ""}
</header>
<main>
${shown.map(sectionHtml)}
</main>`,
  );
}

function titleOfTargets(planned: TargetPlans): string {
  const changing = changingTargets(planned);
  if (changing === undefined) return "Plan of zones: in sync";
  const digest = digestPlanned(planned).slice(0, 8);
  return `Plan of zones: changes on ${changing}, effects ${digest}`;
}

/** A plan as part of the page. */
interface PartOfPage {
  readonly title: string;
  /** The verdict, and facts. */
  readonly head: Html;
  readonly sections: readonly PageSection[];
  /** The number of zones with changes. */
  readonly zones: number;
}

/** The place of a part: the number of zones before it, and whether it has the filter for the changes of all. */
interface PartPlace {
  readonly first: number;
  readonly hasFilter: boolean;
  readonly door: Door;
}

function partOf({ report, on }: PlanSection, { first, hasFilter, door }: PartPlace): PartOfPage {
  const { plan, guards } = report;
  const { zones, rounds } = changesOf(report, symbols);
  const lines = zones.flatMap((zone) => zone.lines);
  const all = count(plan.inSync + zones.length, "zone");
  const blocked = guards.filter(({ state }) => state === "blocked");
  const isDone = isEmpty(plan);
  const title = isDone
    ? `Plan of zones${on}: in sync`
    : `Plan of zones${on}: ${count(lines.length, "change")} in ${zones.length} of ${all}`;
  const approvalsMissing = blocked.length > 0 ? [approvalsSection(blocked, { report, on }, door)] : [];
  const approvals = approvalsMissing.map(
    ({ id }) => html`<a href="#${id}">${count(blocked.length, "approval")} missing</a>`,
  );
  const skipped = skippedTexts(report).map((text) => `, ${text}`);
  const settling = countSettling(lines);
  const facts = [
    countsText(lines),
    ...(settling > 0 ? [`old answers for up to ${durationInWords(settling)}`] : []),
    sendsText(report),
  ];
  const [zonesSection, changesSection, ...consequences] = isDone
    ? []
    : sectionsOfChanges({ report, on }, { zones, rounds, first, hasFilter });
  // Changes stand before the approvals that they need. The verdict links to the approvals.
  const sections = [
    ...(zonesSection ? [zonesSection] : []),
    ...(changesSection ? [changesSection] : []),
    ...approvalsMissing,
    ...consequences,
    ...sectionsOfRest({ report, on }, door),
  ];
  const verdict = isDone ? `${all}, nothing to do` : blocked.length > 0 ? approvals : "no approval missing";
  const head = html`<p class="verdict ${blocked.length > 0 ? "blocked" : ""}">${verdict}${skipped}</p>
${isDone ? "" : html`<p class="facts">${facts.join(" · ")} · effects <code>${digestPlan(plan).slice(0, 8)}</code></p>`}`;
  return { title, head, sections, zones: zones.length };
}

interface ChangesOfPart extends Omit<PartPlace, "door"> {
  readonly zones: readonly ZoneChanges[];
  readonly rounds: ReadonlyMap<number, number>;
}

function sectionsOfChanges(
  { report, on }: PlanSection,
  { zones, rounds, first, hasFilter }: ChangesOfPart,
): PageSection[] {
  const caches = cachesHtml(zones);
  const pointers = pointersHtml(report);
  return [
    sectionOf(`Zones${on}`, zoneTable(zones, first)),
    sectionOf(`Changes${on}`, changesHtml(zones, { first, hasFilter })),
    sectionOf(`Order of the writes${on}`, orderHtml(zones, rounds)),
    ...(caches === undefined ? [] : [sectionOf(`How long old answers live${on}`, caches)]),
    ...(pointers === undefined ? [] : [sectionOf(`Names that point to changed ones${on}`, pointers)]),
  ];
}

function sectionsOfRest({ report, on }: PlanSection, door: Door): PageSection[] {
  const { plan, guards } = report;
  const notes = [...skippedErrors(report), ...report.notes];
  const approved = guards.filter(({ state }) => state !== "blocked");
  const untouched = untouchedTexts(plan);
  const list = (items: readonly Html[]) => html`<ul>${items}</ul>`;
  return [
    ...(approved.length > 0
      ? [sectionOf(`Approved${on}`, list(approved.map((block) => approvedItem(block, door))))]
      : []),
    ...(notes.length > 0 ? [sectionOf(`Notes${on}`, problemsHtml(notes, door))] : []),
    ...(untouched.length > 0 ? [sectionOf(`Left alone${on}`, html`${untouched}`)] : []),
  ];
}

function problemsHtml(problems: readonly Problem[], door: Door): Html {
  const items = problems.map(
    (found) =>
      html`<li>${found.severity}: <bdi>${escapeControl(summaryText(found, door))}</bdi> <span class="dim"><bdi>${placeAfter(found).trim()}</bdi></span></li>`,
  );
  return html`<ul>${items}</ul>`;
}

/** Zones and records that the plan does not touch. */
function untouchedTexts(plan: Plan): Html[] {
  const { inSync, zones, deletions, ignored, unsupported, unmanaged } = plan;
  const sets = unsupportedSets(plan);
  const isChanging = zones.length + deletions.length > 0;
  const most = 500;
  return [
    ...(isChanging && inSync > 0 ? [html`<p>${count(inSync, "zone")} in sync</p>`] : []),
    ...(ignored > 0 ? [html`<p>${count(ignored, "live record")} outside the scope of the files</p>`] : []),
    ...(unsupported.length > 0
      ? [
          html`<p>${count(unsupported.length, "unsupported record")} of the files, not sent:</p>
<ul class="mono">${sets.slice(0, most).map(({ name, type }) => html`<li>${nameText(name)} ${type}</li>`)}</ul>
${notShown(sets.length - most, "record set", "not listed")}`,
        ]
      : []),
    ...(unmanaged.length > 0
      ? [
          html`<p>${count(unmanaged.length, "zone")} of the account without a zone file:</p>
<ul class="mono">${unmanaged.slice(0, most).map((name) => html`<li>${nameText(name)}</li>`)}</ul>
${notShown(unmanaged.length - most, "zone", "not listed")}`,
        ]
      : []),
  ];
}

/** Findings of a block that are shown at once; the rest can be opened. */
const mostFindings = 20;

function approvalsSection(blocked: readonly JudgedBlock[], { report, on }: PlanSection, door: Door): PageSection {
  const items = blocked.map((block) => {
    const texts = findingTexts(block).map((text) => html`<li><bdi>${text}</bdi></li>`);
    const rest = texts.slice(mostFindings);
    return html`<div class="card">
<h3><code>${zoneText(block)}</code> ${guardText(block)}</h3>
<ul>${texts.slice(0, mostFindings)}</ul>
${rest.length > 0 ? html`<details><summary>${rest.length} more</summary><ul>${rest}</ul></details>` : ""}
<p>To approve it, pass <code>${inWordsOf(door)`${{ set: "allow", to: block.guard }}`}</code>, or add this to <code>acks.yaml</code>:</p>
<pre><code>- { ${ackFields(block, report.ackUntil).join(",\n    ")} }</code></pre>
</div>`;
  });
  return sectionOf(`Approvals missing${on}`, html`${items}`);
}

function approvedItem(block: JudgedBlock, door: Door): Html {
  const reason = block.reason === undefined ? "" : html`: <bdi>${escapeControl(block.reason)}</bdi>`;
  return html`<li><code>${zoneText(block)}</code> ${guardText(block)} ${approvalText(block, door)}${reason}</li>`;
}

function zoneText({ zone }: JudgedBlock): string {
  return zone === "*" ? "all zones" : nameText(zone);
}

function zoneTable(zones: readonly ZoneChanges[], first: number): Html {
  const kinds = lineKinds.map((kind) => ({ title: kind, className: `number kind ${kind}` }));
  return tableHtml({
    caption: "Changes by zone",
    className: "compact cards",
    columns: [{ title: "zone" }, ...kinds, { title: "old answers for up to", className: "number" }],
    rows: zones.map(({ name, lines }, index) => {
      const settling = countSettling(lines);
      const counts = lineKinds.map(
        (kind) => html`<td class="number" data-label="${kind}">${countLines(lines, kind) || ""}</td>`,
      );
      return html`<tr><th scope="row"><a class="mono" href="#${zoneId(first + index)}">${nameText(name)}</a></th>${counts}<td class="number" data-label="old answers for up to">${settling > 0 ? durationInWords(settling) : ""}</td></tr>`;
    }),
  });
}
