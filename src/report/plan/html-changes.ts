import { html } from "hono/html";
import type { Html } from "../format/html-page.ts";
import { tableHtml } from "../format/html-parts.ts";
import { differenceOf } from "../text/difference.ts";
import type { Line, LineKind, Value } from "../text/line.ts";
import { nameText } from "../text/name-text.ts";
import { palette } from "../text/palette.ts";
import { countLines, lineKinds, type ZoneChanges } from "./changes.ts";

export const symbols = palette({ color: false, unicode: true });
export const signs: Readonly<Record<LineKind, string>> = { create: "+", change: "~", swap: symbols.swap, delete: "−" };

/** `+2 create · −1 delete` */
export function countsText(lines: readonly Line[]): string {
  return lineKinds
    .map((kind) => ({ kind, number: countLines(lines, kind) }))
    .filter(({ number }) => number > 0)
    .map(({ kind, number }) => `${signs[kind]}${number} ${kind}`)
    .join(" · ");
}

/** The id of a zone's changes in the page. */
export function zoneId(index: number): string {
  return `zone-${index + 1}`;
}

/** The changes of each zone, before and after, with a filter for the whole page. `first` zones stand before them. */
export function changesHtml(
  zones: readonly ZoneChanges[],
  { first, hasFilter }: { readonly first: number; readonly hasFilter: boolean },
): Html {
  const changes = zones.reduce((sum, { lines }) => sum + lines.length, 0);
  const isLazy = changes > rowsOfPart;
  return html`${hasFilter ? filterForm() : ""}${zones.map((zone, index) => zoneDetails(zone, first + index, isLazy))}`;
}

function filterForm(): Html {
  const boxes = lineKinds.map(
    (kind) =>
      html`<label><input type="checkbox" value="${kind}" checked><span class="kind ${kind}">${signs[kind]} ${kind}</span></label>`,
  );
  return html`<form class="filter" role="search" aria-label="Filter of the changes" autocomplete="off" hidden>
<label>Filter <input type="search" name="text" autocomplete="off" spellcheck="false" placeholder="name, type, value or file"></label>
<fieldset><legend class="hidden-text">Kinds of changes</legend>${boxes}</fieldset>
<button type="button">Show all</button>
<output aria-live="polite"></output>
</form>`;
}

/** The most rows of one table. On a page with more, browsers lay out only the tables that are in view. */
const rowsOfPart = 500;

const columns = [
  { title: "step", className: "step number" },
  { title: "change", className: "action" },
  { title: "name, file", className: "name" },
  { title: "type", className: "type" },
  { title: "TTL", className: "ttl" },
  { title: "before" },
  { title: "after" },
  { title: "consequences", className: "why" },
];

function zoneDetails({ name, lines }: ZoneChanges, index: number, isLazy: boolean): Html {
  const zone = nameText(name);
  const parts: Html[] = [];
  for (let start = 0; start < lines.length; start += rowsOfPart) {
    const some = lines.slice(start, start + rowsOfPart);
    const range = `${start + 1} to ${start + some.length} of ${lines.length}`;
    const isCaptionShown = lines.length > rowsOfPart;
    const caption = isCaptionShown ? `Changes ${range} of ${zone}` : `Changes of ${zone}`;
    parts.push(
      html`<div class="part${isLazy ? (some.length === rowsOfPart ? " lazy full" : " lazy") : ""}">${tableHtml({ caption, isCaptionShown, columns, rows: some.map(row), className: "changes cards" })}</div>`,
    );
  }
  return html`<details class="zone" id="${zoneId(index)}" open><summary><strong class="mono">${zone}</strong>${countsText(lines)}</summary>
${parts}</details>`;
}

function row(line: Line): Html {
  const { step, kind, owner, typeAndTtl: [type = "", ttl = ""] = [], place } = line;
  const { before, after } = sides(line);
  return html`<tr class="${kind}" data-kind="${kind}"><td class="number" data-label="step">${step}</td><td class="kind">${signs[kind]} ${kind}</td><th scope="row" class="mono"><bdi>${owner}</bdi>${place === "" ? "" : html`<span class="place">${place}</span>`}</th><td class="mono" data-label="type">${type}</td><td class="mono" data-label="TTL">${ttl}</td><td class="mono wide" data-label="before">${before}</td><td class="mono wide" data-label="after">${after}</td><td class="wide">${consequences(line)}</td></tr>
`;
}

function consequences({ marks = [], gaps = [], effects }: Line): Html {
  const item = (className: string) => (text: string) => html`<div class="${className}">${text}</div>`;
  return html`${marks.map(item("mark"))}${gaps.map(item("gap"))}${effects.map(item(""))}`;
}

/** The values before and after a change. */
function sides({ kind, values }: Line): { before: Html | ""; after: Html | "" } {
  const arrow = values.findIndex(({ joint }) => joint === symbols.arrow);
  const [first, second] = values;
  if (arrow === -1) {
    const all = list(values);
    // A change without new RDATA changes the TTL.
    return { before: kind === "create" ? "" : all, after: kind === "delete" ? "" : all };
  }
  if (kind === "change" && values.length === 2 && first && second && !first.isProse) {
    const { head, before, after, tail } = differenceOf(first.text, second.text);
    return {
      before: html`<bdi>${head}<del>${before}</del>${tail}</bdi>`,
      after: html`<bdi>${head}<ins>${after}</ins>${tail}</bdi>`,
    };
  }
  return { before: list(values.slice(0, arrow)), after: list(values.slice(arrow)) };
}

function list(values: readonly Value[]): Html {
  return html`${values.map(({ text, joint }) => html`<div>${joint === "+" ? "+ " : ""}<bdi>${text}</bdi></div>`)}`;
}
