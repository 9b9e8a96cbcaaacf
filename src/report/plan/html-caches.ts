import { html } from "hono/html";
import { durationInWords } from "../../diagnostics/quantities.ts";
import type { Html } from "../format/html-page.ts";
import { notShown, tableHtml } from "../format/html-parts.ts";
import { absoluteOwner, type ZoneChanges } from "./changes.ts";
import { keyItem } from "./html-order.ts";

/** Answers of a changed name that resolvers may still give after its write, each for up to some seconds. */
interface CachedAnswer {
  readonly name: string;
  readonly type: string;
  /** The records as they were before; 0 if there were none. */
  readonly old: number;
  /** "no such record", asked for in a gap; 0 without a gap. */
  readonly none: number;
}

const mostRows = 500;

const ticks = [
  [60, "1 min"],
  [3600, "1 h"],
  [86400, "1 day"],
  [604800, "1 week"],
] as const;

/** Old answers as a Gantt chart: a bar for each change, from its write on. Undefined if nothing is cached. */
export function cachesHtml(zones: readonly ZoneChanges[]): Html | undefined {
  const answers = zones
    .flatMap(({ name, lines }) =>
      lines
        .filter(({ settling }) => settling > 0)
        .map(
          ({ owner, typeAndTtl, oldSeconds = 0, gapSeconds = 0 }): CachedAnswer => ({
            name: absoluteOwner(owner, name),
            type: typeAndTtl?.[0] ?? "",
            old: oldSeconds,
            none: gapSeconds,
          }),
        ),
    )
    .sort((a, b) => endOf(b) - endOf(a));
  const [longest] = answers;
  if (longest === undefined) return undefined;
  const most = endOf(longest);
  const hasGaps = answers.some(({ none }) => none > 0);
  return html`<p>After a write, resolvers may return the old answer until their cached copy expires.</p>
<ul class="key">${keyItem("old", "old answer")}${hasGaps ? keyItem("none", '"no such record", cached during a gap') : ""}</ul>
${tableHtml({
  caption: "Longest time that resolvers may keep an answer from before or during the change",
  className: "caches cards",
  columns: [
    { title: "name", className: "name" },
    { title: "type", className: "type" },
    { title: "old answer", className: "time" },
    ...(hasGaps ? [{ title: "no such record", className: "time" }] : []),
    { title: "time since the write", className: "plot", scale: scale(most) },
  ],
  rows: answers.slice(0, mostRows).map((answer) => answerRow(answer, most, hasGaps)),
})}${notShown(answers.length - mostRows, "change", "not listed; none of them takes longer")}`;
}

function endOf({ old, none }: CachedAnswer): number {
  return Math.max(old, none);
}

/** The place of a time on a logarithmic scale from 0 to `most` seconds, in percent. */
function percent(seconds: number, most: number): string {
  return `${((Math.log1p(seconds / 60) / Math.log1p(most / 60)) * 100).toFixed(1)}%`;
}

/** The labels of times above the bars. */
function scale(most: number): Html {
  const labels = ticks
    .filter(([seconds]) => seconds <= most)
    .map(
      ([seconds, text]) =>
        html`<text class="tick" x="${percent(seconds, most)}" y="12" text-anchor="end">${text}</text>`,
    );
  return html`<svg height="16" aria-hidden="true">${labels}</svg>`;
}

function answerRow({ name, type, old, none }: CachedAnswer, most: number, hasGaps: boolean): Html {
  const bar = (className: string, seconds: number, y: number) =>
    seconds > 0
      ? html`<rect class="${className}" x="0" y="${y}" width="${percent(seconds, most)}" height="10" rx="2"/>`
      : "";
  const grid = ticks
    .filter(([seconds]) => seconds <= most)
    .map(([seconds]) => {
      const x = percent(seconds, most);
      return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="100%"/>`;
    });
  const words = (seconds: number) => (seconds > 0 ? durationInWords(seconds) : "");
  return html`<tr><th scope="row" class="mono"><bdi>${name}</bdi></th><td class="mono" data-label="type">${type}</td><td data-label="old answer">${words(old)}</td>${hasGaps ? html`<td data-label="no such record">${words(none)}</td>` : ""}<td class="plot wide"><svg height="${none > 0 && old > 0 ? 28 : 16}" aria-hidden="true">${grid}${bar("old", old, 3)}${bar("none", none, old > 0 ? 15 : 3)}</svg></td></tr>
`;
}
