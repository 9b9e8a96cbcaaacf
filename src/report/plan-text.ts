import { sendingRate } from "../client/rate.ts";
import { count, plain } from "../diagnostics/plain.ts";
import { type Name, nameKey } from "../dns/name.ts";
import { isEmpty, type Plan } from "../planner/change.ts";
import { effectDigest, effectsOf } from "../planner/effects.ts";
import type { PlanReport } from "../workflow/plan-report.ts";
import type { Line, LineKind } from "./line.ts";
import { type Palette, palette, type Style } from "./palette.ts";
import { guardLines, guardNotes } from "./plan-guards.ts";
import { linesOf, linesOfDeletion } from "./plan-lines.ts";

const kinds: readonly LineKind[] = ["create", "change", "swap", "delete"];
/** Where the counts of a zone begin, and the widest columns; what is longer moves the rest of its line. */
const widths = { zone: 40, owner: 32, type: 8, ttl: 14, body: 72 };

/**
 * A plan as people review it: one line for each effect with symbol, word and consequence; zones in sync are counted.
 */
export function planText(report: PlanReport, style: Style): string {
  const { plan, notes, guards, ackUntil } = report;
  const colors = palette(style);
  const zones = plan.zones.map((zone) => {
    const notesAt = guardNotes(nameKey(zone.zone.name), guards);
    return { name: zone.zone.name, lines: linesOf(zone, colors, notesAt) };
  });
  for (const zone of plan.deletions)
    zones.push({ name: zone.name, lines: linesOfDeletion(zone, guardNotes(nameKey(zone.name), guards)) });
  const changes = zones.reduce((sum, { lines }) => sum + lines.length, 0);
  return [
    ...zones.flatMap(({ name, lines }) => zoneLines(name, lines, colors)),
    ...notes.map(({ severity, summary }) => `${severity}  ${plain(summary)}`),
    ...guardLines(guards, ackUntil, colors),
    ...aside(plan, colors),
    total(report, changes, colors),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function zoneLines(zone: Name, lines: readonly Line[], colors: Palette): string[] {
  const counts = kinds
    .map((kind) => ({ kind, number: lines.filter((line) => line.kind === kind).length }))
    .filter(({ number }) => number > 0)
    .map(({ kind, number }) => paint(kind, `${symbol(kind, colors)}${number}`, colors));
  const name = plain(zone.slice(0, -1));
  const head = `${colors.bold(name)}${" ".repeat(Math.max(0, widths.zone - name.length))}  ${counts.join("  ")}`;
  return [head, ...rows(lines, colors)];
}

function rows(lines: readonly Line[], colors: Palette): string[] {
  const tables = lines.flatMap(({ cells }) => (cells.length === 3 ? [cells] : []));
  const type = widest(
    tables.map(([type]) => type),
    widths.type,
  );
  const ttl = widest(
    tables.map(([, ttl]) => ttl),
    widths.ttl,
  );
  const owner = widest(
    lines.map(({ owner }) => owner),
    widths.owner,
  );
  const bodies = lines.map(({ cells }) =>
    cells.length === 1 ? cells[0] : `${cells[0].padEnd(type)}  ${cells[1].padEnd(ttl)}  ${cells[2]}`,
  );
  const body = widest(bodies, widths.body);
  return lines.map((line, index) => {
    const mark = symbol(line.kind, colors).padEnd(colors.swap.length);
    const head = paint(line.kind, `${mark} ${line.kind.padEnd(6)}`, colors);
    const text = `${line.owner.padEnd(owner)}  ${bodies[index]?.padEnd(line.comment === "" ? 0 : body)}`;
    return `  ${head}  ${text}${line.comment === "" ? "" : `  ${colors.dim(line.comment)}`}`;
  });
}

function widest(texts: readonly string[], most: number): number {
  return texts.reduce((width, { length }) => Math.max(width, Math.min(length, most)), 0);
}

/** Counts of the zones and records that the plan leaves alone. */
function aside(plan: Plan, { dot }: Palette): string[] {
  const { inSync, ignored, unmanaged } = plan;
  const others = `${count(unmanaged.length, "zone")} of the account not in git, left alone: ${names(unmanaged)}`;
  const left = [
    ...(!isEmpty(plan) && inSync > 0 ? [`${count(inSync, "zone")} in sync`] : []),
    ...(ignored > 0 ? [`${count(ignored, "live record")} left alone by rule`] : []),
  ];
  return [...(unmanaged.length > 0 ? [others] : []), ...(left.length > 0 ? [left.join(` ${dot} `)] : [])];
}

function total({ plan, reads, writes, applyReads, limit, next }: PlanReport, changes: number, colors: Palette): string {
  const changing = plan.zones.length + plan.deletions.length;
  const all = count(plan.inSync + changing, "zone");
  if (isEmpty(plan)) return colors.green(`in sync: ${all}, nothing to do`);
  const cost = `apply: ${count(writes, "write")} and ${count(applyReads, "read")}${paceOf(writes + applyReads, limit, colors)}`;
  const digest = effectDigest(effectsOf(plan)).slice(0, 8);
  const parts = [
    `effects ${digest}`,
    count(reads, "read"),
    cost,
    `${count(changes, "change")} in ${changing} of ${all}`,
  ];
  return parts.join(` ${colors.dot} `) + (next === undefined ? "" : `   next: ${plain(next)}`);
}

/** Time that the requests take under the announced rate limit; empty without a limit. */
function paceOf(requests: number, limit: PlanReport["limit"], { approximately }: Palette): string {
  if (limit === undefined) return "";
  if (limit === "unlimited") return ", no rate limit";
  const perMinute = sendingRate(limit);
  const seconds = Math.ceil((requests * 60) / perMinute);
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return ` ${approximately} ${time} at ${count(perMinute, "request")}/min`;
}

function names(list: readonly Name[]): string {
  const shown = list.slice(0, 3).map((name) => plain(name.slice(0, -1)));
  return shown.length < list.length ? `${shown.join(", ")} and ${list.length - shown.length} more` : shown.join(", ");
}

function symbol(kind: LineKind, { swap }: Palette): string {
  return { create: "+", change: "~", swap, delete: "-" }[kind];
}

function paint(kind: LineKind, text: string, { green, yellow, red, cyan }: Palette): string {
  return { create: green, change: yellow, swap: cyan, delete: red }[kind](text);
}
