import { html } from "hono/html";
import { durationInWords } from "../dns/duration.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import { targets } from "../dns/zone.ts";
import { type Plan, subject, writesOf } from "../planner/change.ts";
import { shorten } from "./columns.ts";
import type { Html } from "./html-page.ts";
import { nameText } from "./name-text.ts";

/** An answer that resolvers may still give after the plan, for up to `seconds`. */
export interface CachedAnswer {
  readonly name: string;
  readonly type: string;
  readonly seconds: number;
}

/** A record that points to a name that the plan changes; both without the final dot. */
export interface Pointer {
  readonly from: string;
  readonly type: string;
  readonly to: string;
}

/** Rows of a picture; its table has all. */
const mostRows = 30;
const rowHeight = 22;
const width = 860;
const labelWidth = 380;

/** Bars of how long old answers live, on a logarithmic scale: one second is left, the longest right. */
export function cachePicture(answers: readonly CachedAnswer[]): Html {
  const shown = answers.slice(0, mostRows);
  const longest = Math.max(2, ...shown.map(({ seconds }) => seconds));
  const bars = shown.map(({ name, type, seconds }, row) => {
    const length = Math.max(2, (Math.log(seconds) / Math.log(longest)) * (width - labelWidth - 110));
    const y = row * rowHeight;
    return html`<text x="0" y="${y + 15}">${label(`${name} ${type}`)}</text><rect class="bar" x="${labelWidth}" y="${y + 4}" width="${length.toFixed(1)}" height="14"/><text x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 15}">${durationInWords(seconds)}</text>`;
  });
  return picture("Bars of how long old answers live; the table below has the same", shown.length, bars);
}

/** Lines from names to the changed names that they point to. */
export function pointerPicture(pointers: readonly Pointer[]): Html {
  const shown = pointers.slice(0, mostRows);
  const goals = [...new Set(shown.map(({ to }) => to))];
  const rows = Math.max(shown.length, goals.length);
  const goalY = new Map(goals.map((goal, index) => [goal, ((index + 0.5) * rows * rowHeight) / goals.length]));
  const goalX = width - labelWidth + 20;
  const edges = shown.map(({ from, type, to }, row) => {
    const y = row * rowHeight + rowHeight / 2;
    const end = goalY.get(to) ?? y;
    return html`<text x="0" y="${y + 4}">${label(`${from} ${type}`)}</text><path class="edge" d="M ${labelWidth} ${y} C ${labelWidth + 50} ${y}, ${goalX - 60} ${end.toFixed(1)}, ${goalX - 10} ${end.toFixed(1)}"/>`;
  });
  const names = goals.map(
    (goal) =>
      html`<text class="changed" x="${goalX}" y="${((goalY.get(goal) ?? 0) + 4).toFixed(1)}">${label(goal)}</text>`,
  );
  return picture("Lines from names to the changed names that they point to; the table below has the same", rows, [
    ...edges,
    ...names,
  ]);
}

function picture(description: string, rows: number, content: readonly Html[]): Html {
  return html`<div class="scroll" role="region" aria-label="${description}" tabindex="0"><svg role="img" aria-label="${description}" viewBox="0 0 ${width} ${rows * rowHeight}" width="${width}" height="${rows * rowHeight}">${content}</svg></div>`;
}

function label(text: string): string {
  return shorten(text, { width: 50, ellipsis: "…" });
}

/** The records of the plan's zones that point to a changed name, after the plan. */
export function pointersOf({ zones, deletions }: Plan): Pointer[] {
  const changed = new Set<NameKey>([
    ...zones.flatMap((zone) => writesOf(zone).map((write) => nameKey(subject(write).owner))),
    ...deletions.map(({ name }) => nameKey(name)),
  ]);
  return zones.flatMap(({ zone }) =>
    zone.records.flatMap((record) =>
      targets(record)
        .filter((target) => changed.has(nameKey(target)))
        .map((target) => ({ from: nameText(record.owner), type: record.type, to: nameText(target) })),
    ),
  );
}
