import { html } from "hono/html";
import { count, plain } from "../diagnostics/plain.ts";
import { durationInWords } from "../dns/duration.ts";
import { findingTexts, guardText, type JudgedBlock, remedy } from "../planner/acks.ts";
import { isEmpty } from "../planner/change.ts";
import { effectDigest, effectsOf } from "../planner/effects.ts";
import type { PlanReport } from "../workflow/plan-report.ts";
import { type Html, htmlPage } from "./html-page.ts";
import type { Line, LineKind, Value } from "./line.ts";
import { nameText } from "./name-text.ts";
import { palette } from "./palette.ts";
import { changesOf, countKind, lineKinds, ownerText, settlingOf, type ZoneChanges } from "./plan-changes.ts";
import { type CachedAnswer, cachePicture, pointerPicture, pointersOf } from "./plan-pictures.ts";

const symbols = palette({ color: false, unicode: true });
const signs: Readonly<Record<LineKind, string>> = { create: "+", change: "~", swap: symbols.swap, delete: "−" };

/**
 * A plan as one page of HTML: the verdict, missing approvals, counts by zone, changes with a filter, the order of the
 * writes with their gaps, how long old answers live, and which names point to changed ones.
 */
export function planHtml(report: PlanReport): Promise<string> {
  const { plan, guards, ackUntil, notes, writes, applyReads } = report;
  const { zones } = changesOf(report, symbols);
  const lines = zones.flatMap((zone) => zone.lines);
  const all = count(plan.inSync + zones.length, "zone");
  const blocked = guards.filter(({ state }) => state === "blocked");
  const approved = guards.filter(({ state }) => state !== "blocked");
  const isDone = isEmpty(plan);
  const title = isDone
    ? `Plan of zones: in sync`
    : `Plan of zones: ${count(lines.length, "change")} in ${zones.length} of ${all}`;
  const verdict = isDone
    ? `${all}, nothing to do`
    : blocked.length > 0
      ? `${count(blocked.length, "approval")} missing`
      : "no approval missing";
  return htmlPage(
    title,
    html`<header>
<h1>${title}</h1>
<p class="verdict ${blocked.length > 0 ? "blocked" : ""}">${verdict}</p>
${isDone ? "" : html`<p>${countsText(lines)} · effects <code>${effectDigest(effectsOf(plan)).slice(0, 8)}</code> · apply sends ${count(writes, "write")} and ${count(applyReads, "read")}</p>`}
</header>
<main>
${blocked.length > 0 ? section("Approvals missing", html`<ul>${blocked.map((block) => blockItem(block, ackUntil))}</ul>`) : ""}
${isDone ? "" : section("Zones", zoneTable(zones))}
${isDone ? "" : section("Changes", html`${filterForm()}${zones.map(zoneDetails)}`)}
${isDone ? "" : section("Order of the writes", orderTable(zones))}
${cachesSection(zones)}
${pointersSection(report)}
${approved.length > 0 ? section("Approved", html`<ul>${approved.map(approvedItem)}</ul>`) : ""}
${notes.length > 0 ? section("Notes", html`<ul>${notes.map(({ severity, summary }) => html`<li>${severity}: ${plain(summary)}</li>`)}</ul>`) : ""}
</main>`,
  );
}

function section(title: string, content: Html): Html {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;
}

/** A table that scrolls sideways on narrow screens, also with the keyboard. */
function table(caption: string, head: readonly string[], rows: readonly Html[], form = ""): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="${form}">
<caption>${caption}</caption>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function countsText(lines: readonly Line[]): string {
  return lineKinds
    .map((kind) => ({ kind, number: countKind(lines, kind) }))
    .filter(({ number }) => number > 0)
    .map(({ kind, number }) => `${signs[kind]}${number} ${kind}`)
    .join(" · ");
}

function blockItem(block: JudgedBlock, until: string): Html {
  return html`<li><code>${zoneText(block)}</code> ${guardText(block)}<ul>
${findingTexts(block).map((text) => html`<li>${text}</li>`)}
<li>approve: <code>${plain(remedy(block, until))}</code></li></ul></li>`;
}

function approvedItem(block: JudgedBlock): Html {
  return html`<li><code>${zoneText(block)}</code> ${guardText(block)} ${block.state}${block.reason === undefined ? "" : `: ${plain(block.reason)}`}</li>`;
}

function zoneText({ zone }: JudgedBlock): string {
  return zone === "*" ? "all zones" : nameText(zone);
}

function zoneTable(zones: readonly ZoneChanges[]): Html {
  const rows = zones.map(({ name, lines }) => {
    const counts = lineKinds.map((kind) => countKind(lines, kind) || "");
    const settling = settlingOf(lines);
    return html`<tr><th scope="row">${nameText(name)}</th>${counts.map((number) => html`<td class="number">${number}</td>`)}<td>${settling > 0 ? durationInWords(settling) : ""}</td></tr>`;
  });
  return table("Changes by zone", ["zone", ...lineKinds, "old answers for up to"], rows);
}

function filterForm(): Html {
  return html`<form class="filter" role="search" aria-label="Filter of the changes" hidden>
<label>Filter <input type="search" name="text" autocomplete="off"></label>
${lineKinds.map((kind) => html`<label><input type="checkbox" value="${kind}" checked> ${kind}</label>`)}
<output aria-live="polite"></output>
</form>`;
}

function zoneDetails({ name, lines }: ZoneChanges): Html {
  const rows = lines.map((line) => {
    const { step, kind, owner, typeAndTtl: [type = "", ttl = ""] = [], effects, marks = [], gaps = [], place } = line;
    const { before, after } = sides(line);
    const consequences = [...marks, ...gaps, ...effects];
    return html`<tr class="${kind}" data-kind="${kind}"><td class="number" data-label="step">${step}</td><td class="kind">${signs[kind]} ${kind}</td><th scope="row" class="mono">${owner}</th><td data-label="type">${type}</td><td data-label="TTL">${ttl}</td><td class="long" data-label="before">${before}</td><td class="long" data-label="after">${after}</td><td class="long">${consequences.join("; ")}</td><td class="long">${place}</td></tr>`;
  });
  const zone = nameText(name);
  const head = ["step", "change", "name", "type", "TTL", "before", "after", "consequences", "file"];
  return html`<details class="zone" open><summary><strong>${zone}</strong> ${countsText(lines)}</summary>
${table(`Changes of ${zone}`, head, rows, "cards")}
</details>`;
}

/** The values before and after a change. */
function sides({ kind, values }: Line): { before: string; after: string } {
  const arrow = values.findIndex(({ joint }) => joint === symbols.arrow);
  if (arrow === -1)
    return kind === "delete" ? { before: join(values), after: "" } : { before: "", after: join(values) };
  return { before: join(values.slice(0, arrow)), after: join(values.slice(arrow)) };
}

function join(values: readonly Value[]): string {
  return values.map(({ text, joint }) => (joint === "+" ? `+ ${text}` : text)).join(" ");
}

/** The most rows of a table or picture of the whole plan. */
const mostRows = 500;

function orderTable(zones: readonly ZoneChanges[]): Html {
  const steps = zones
    .flatMap(({ name, lines }) => lines.map((line) => ({ zone: nameText(name), line })))
    .sort((a, b) => a.line.step - b.line.step);
  const rows = steps
    .slice(0, mostRows)
    .map(
      ({ zone, line: { step, kind, owner, gaps = [] } }) =>
        html`<tr class="${kind}"><td class="number">${step}</td><td class="kind">${signs[kind]} ${kind}</td><td>${zone}</td><td>${owner}</td><td class="long">${gaps.join("; ") || "answered throughout"}</td></tr>`,
    );
  return html`<p class="dim">A step waits only for steps with smaller numbers.</p>
${table("Steps in the order of a sequential run", ["step", "change", "zone", "name", "gap"], rows)}${notShown(steps.length, mostRows, "change")}`;
}

function cachesSection(zones: readonly ZoneChanges[]): Html | "" {
  const answers = zones.flatMap(({ name, lines }) =>
    lines
      .filter(({ settling }) => settling > 0)
      .map(
        ({ owner, typeAndTtl, settling }): CachedAnswer => ({
          name: ownerText(owner, name),
          type: typeAndTtl?.[0] ?? "",
          seconds: settling,
        }),
      ),
  );
  if (answers.length === 0) return "";
  const sorted = answers.sort((a, b) => b.seconds - a.seconds);
  const rows = sorted
    .slice(0, mostRows)
    .map(
      ({ name, type, seconds }) =>
        html`<tr><th scope="row" class="mono">${name}</th><td>${type}</td><td>${durationInWords(seconds)}</td></tr>`,
    );
  return section(
    "How long old answers live",
    html`${cachePicture(sorted)}
${table("Longest time that resolvers may keep an old answer", ["name", "type", "up to"], rows)}${notShown(sorted.length, mostRows, "answer")}`,
  );
}

function pointersSection(report: PlanReport): Html | "" {
  const pointers = pointersOf(report.plan);
  if (pointers.length === 0) return "";
  const rows = pointers
    .slice(0, mostRows)
    .map(
      ({ from, type, to }) => html`<tr><th scope="row" class="mono">${from}</th><td>${type}</td><td>${to}</td></tr>`,
    );
  return section(
    "Names that point to changed ones",
    html`${pointerPicture(pointers)}
${table("Records that point to a changed name", ["name", "type", "points to"], rows)}${notShown(pointers.length, mostRows, "record")}`,
  );
}

function notShown(number: number, most: number, what: string): Html | "" {
  return number > most ? html`<p>${count(number - most, `more ${what}`)} not listed</p>` : "";
}
