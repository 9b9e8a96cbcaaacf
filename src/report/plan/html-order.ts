import { html } from "hono/html";
import { count } from "../../diagnostics/quantities.ts";
import type { Html } from "../format/html-page.ts";
import { notShown, tableHtml } from "../format/html-parts.ts";
import type { Line } from "../text/line.ts";
import { absoluteOwner, type ZoneChanges } from "./changes.ts";
import { signs } from "./html-changes.ts";

/** The most rows of the timeline. */
const mostRows = 500;

interface Row {
  readonly name: string;
  readonly line: Line;
}

/**
 * The writes as a timeline: a row for each step, a column for each round of steps that can be sent at once. Steps with
 * a gap are always among the rows.
 */
export function orderHtml(zones: readonly ZoneChanges[], rounds: ReadonlyMap<number, number>): Html {
  const all = zones
    .flatMap(({ name, lines }) => lines.map((line): Row => ({ name: absoluteOwner(line.owner, name), line })))
    .sort((a, b) => a.line.step - b.line.step);
  const last = [...rounds.values()].reduce((most, round) => Math.max(most, round), 1);
  const shown = all.length > mostRows ? mostTelling(all) : all;
  const gaps = all.filter(hasGap).length;
  const ofGaps = gaps === 0 ? "No name is left without an answer." : `${count(gaps, "change")} with a brief gap.`;
  const ofRounds =
    last === 1
      ? "1 round: all steps can be sent at once."
      : `${last} rounds: the steps of a round can be sent at once, when the rounds before it are done.`;
  return html`<p>${ofRounds} ${ofGaps}</p>
${gaps > 0 ? html`<ul class="key">${keyItem("write", "write")}${keyItem("none", "write during which a name is without an answer")}</ul>` : ""}
${tableHtml({
  caption: "Steps in the order of a sequential run",
  className: "timeline cards",
  columns: [
    { title: "step", className: "step number" },
    { title: "change", className: "action" },
    { title: "name", className: "name" },
    { title: "round", className: "step number" },
    { title: last === 1 ? "round 1" : `rounds 1 to ${last}`, className: "plot" },
    { title: "gap" },
  ],
  rows: shown.map((row) => stepRow(row, rounds.get(row.line.step) ?? 1, last)),
})}${notShown(all.length - shown.length, "change", "listed only under Changes, where each has its step")}`;
}

function hasGap({ line: { gaps = [] } }: Row): boolean {
  return gaps.length > 0;
}

/** The rows with a gap, then the first others, as many as are shown. */
function mostTelling(all: readonly Row[]): Row[] {
  const chosen = [...all.filter(hasGap), ...all.filter((row) => !hasGap(row))].slice(0, mostRows);
  return chosen.sort((a, b) => a.line.step - b.line.step);
}

export function keyItem(className: string, text: string): Html {
  return html`<li><svg width="24" height="12" aria-hidden="true"><rect class="${className}" x="1" y="1" width="22" height="10" rx="2"/></svg>${text}</li>`;
}

function stepRow({ name, line: { step, kind, gaps = [] } }: Row, round: number, last: number): Html {
  const x = ((round - 1) / last) * 100;
  const width = Math.max(100 / last, 1);
  return html`<tr class="${kind}"><td class="number" data-label="step">${step}</td><td class="kind">${signs[kind]} ${kind}</td><th scope="row" class="mono"><bdi>${name}</bdi></th><td class="number" data-label="round">${round}</td><td class="plot wide"><svg height="16" aria-hidden="true"><rect class="${gaps.length > 0 ? "none" : "write"}" x="${Math.min(x, 99).toFixed(2)}%" y="3" width="${width.toFixed(2)}%" height="11" rx="2"/></svg></td><td class="wide">${gaps.map((text) => html`<div class="gap">${text}</div>`)}</td></tr>
`;
}
