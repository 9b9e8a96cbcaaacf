import { sendingRate } from "../../client/rate.ts";
import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, summaryText } from "../../diagnostics/problem.ts";
import { count, durationInWords, listFirst } from "../../diagnostics/quantities.ts";
import type { Name } from "../../dns/name/name.ts";
import { isEmpty, type Plan, unsupportedSets } from "../../planner/changes/change.ts";
import { digestPlan } from "../../planner/changes/effects.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { groupNotes, placeAfter } from "../findings/findings.ts";
import { columns, packItems, pad, shorten, wrap } from "../text/columns.ts";
import type { Line, LineKind, Value } from "../text/line.ts";
import { nameText } from "../text/name-text.ts";
import { type Palette, palette, type Style } from "../text/palette.ts";
import { countLines, lineKinds } from "./changes.ts";
import { blockLines, guardCounts, type ShownBlock, zoneMark } from "./guards.ts";
import { type ShownChanges, type ShownZone, shownChanges } from "./shared-changes.ts";
import { skippedTexts } from "./skipped.ts";

/** The level of detail of a plan. */
export interface PlanView {
  /** Columns of the terminal; if absent, each change is one line with its full values. */
  readonly width?: number | undefined;
  /** Whether to print one line per zone; by default only for a plan of many changes on a terminal. */
  readonly isSummary?: boolean | undefined;
}

/** The column of the counts of a zone. */
const zoneWidth = 40;
/** The narrowest terminal that lines are fitted to, in columns. */
const leastWidth = 40;
/** Changes beyond which a terminal shows a summary. */
const mostChanges = 200;
/** Blocks of zones beyond which a summary counts them. */
const mostBlocks = 10;

/** A plan for review: by zone, one row per change in the order of the writes; zones in sync are counted. */
export function planText(report: PlanReport, style: Style, view: PlanView = {}): string {
  const { plan, notes, ackUntil, purpose } = report;
  const width = fittedWidth(view);
  const colors = palette(style);
  const changes = shownChanges(report, colors);
  const { lines, more } = changeLines(changes, ackUntil, colors, view);
  return [
    ...(purpose === undefined ? [] : wrap(escapeControl(purpose), width, 2)),
    ...lines,
    ...[
      ...noteLines(notes, colors.door),
      ...unaffectedLines(plan, colors),
      ...(plan.unsupported.length > 0 ? [unsupportedText(plan)] : []),
      ...more,
      ...totals(report, countChanges(changes), colors),
    ].flatMap((line) => wrap(line, width, 2)),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** The columns that lines are fitted to; undefined in a pipe. */
export function fittedWidth({ width }: PlanView): number | undefined {
  return width === undefined ? undefined : Math.max(leastWidth, width);
}

export function countChanges({ zones }: Pick<ShownChanges, "zones">): number {
  return zones.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** The lines of changes and blocks, and `more`: how to see those that a summary leaves out. */
export function changeLines(
  { zones, otherBlocks }: ShownChanges,
  until: string,
  colors: Palette,
  view: PlanView,
): { readonly lines: readonly string[]; readonly more: readonly string[] } {
  const width = fittedWidth(view);
  const changes = countChanges({ zones });
  const isSummary = view.isSummary ?? (width !== undefined && changes > mostChanges);
  const textOf = (blocks: readonly ShownBlock[], indent: string) =>
    blocks.flatMap((block) => blockLines(block, { indent, until, width, colors }));
  const ofZones = zones.flatMap(({ blocks }) => blocks);
  const words = inWordsOf(colors.door);
  const isCounted = isSummary && ofZones.length > mostBlocks;
  const all = isCounted ? "each change and why it is blocked" : "every change";
  const more = view.isSummary
    ? words`${{ set: "wide" }} instead of ${{ set: "summary" }} shows ${all}`
    : words`${{ set: "wide" }} and pipes show ${all}`;
  const lines = [
    ...zones.flatMap(({ name, on, lines, blocks }) => [
      ...headLines({ name, on, lines, mark: isCounted ? zoneMark(blocks) : "" }, colors, width),
      ...(isSummary ? [] : planRows(lines, colors, width)),
      ...(isCounted ? [] : textOf(blocks, "  ")),
    ]),
    ...(isCounted ? guardCounts(ofZones, colors) : []),
    ...textOf(otherBlocks, ""),
  ];
  return { lines, more: isSummary && changes > 0 ? [`one line per zone; ${more}`] : [] };
}

/** The head of a zone in a plan. */
interface Head extends Pick<ShownZone, "name" | "on" | "lines"> {
  /** The guards that block it; empty if they are printed after the zone. */
  readonly mark: string;
}

/** The name of a zone with its targets, the counts of its changes, and its mark. */
function headLines({ name: zone, on, lines, mark }: Head, colors: Palette, width: number | undefined): string[] {
  const counts = lineKinds
    .map((kind) => ({ kind, number: countLines(lines, kind) }))
    .filter(({ number }) => number > 0)
    .map(({ kind, number }) => ({ kind, text: `${symbol(kind, colors)}${number} ${kind}` }));
  const end = mark === "" ? [] : [mark];
  const painted = [...counts.map(({ kind, text }) => paint(kind, text, colors)), ...end.map(colors.red)].join("  ");
  const used = columns([...counts.map(({ text }) => text), ...end].join("  "));
  const name = [colors.bold(escapeControl(zone.slice(0, -1))), on].filter(Boolean).join(" ");
  const most = width === undefined ? Number.POSITIVE_INFINITY : width - used - 2;
  if (columns(name) > most) return [...wrap(name, width, 2), `  ${painted}`];
  return [`${name}${pad("", Math.min(zoneWidth, most) - columns(name))}  ${painted}`];
}

/** Notes and warnings. Of the notes of one rule about files, the first few. */
export function noteLines(notes: readonly Problem[], door: Door): string[] {
  const groups = groupNotes(notes.filter(({ severity, place }) => severity === "note" && place !== undefined));
  const left = new Set(groups.flatMap(({ rest }) => rest));
  const all = inWordsOf(door)`${{ run: "plan", with: { report: "json" } }}`;
  return [
    ...notes
      .filter((note) => !left.has(note))
      .map((note) => `${note.severity}  ${escapeControl(summaryText(note, door))}${placeAfter(note)}`),
    ...groups
      .filter(({ rest }) => rest.length > 0)
      .map(({ rule, rest }) => `note  and ${rest.length} more of ${rule}; ${all} lists all`),
  ];
}

/** Counts of the zones and records that the plan leaves alone. */
export function unaffectedLines(plan: Plan, { dot, door }: Palette): string[] {
  const { inSync, ignored, unmanaged } = plan;
  const others = `${count(unmanaged.length, "zone")} of the account not in git, left alone: ${names(unmanaged)}`;
  const left = [
    ...(!isEmpty(plan) && inSync > 0 ? [`${count(inSync, "zone")} in sync`] : []),
    ...(ignored > 0
      ? [
          inWordsOf(
            door,
          )`${count(ignored, "live record")} outside the scope of the files, left alone (${{ run: "help", args: ["zone-files"] }}: Scope)`,
        ]
      : []),
  ];
  return [...(unmanaged.length > 0 ? [others] : []), ...(left.length > 0 ? [left.join(` ${dot} `)] : [])];
}

/** RRsets that the text names; the other forms of a plan name all. */
const mostUnsupported = 50;

/** The number of records that the service cannot store, with their RRsets. */
function unsupportedText(plan: Plan): string {
  return `${count(plan.unsupported.length, "unsupported record")} not sent: ${setsText(unsupportedSets(plan))}`;
}

/** RRsets by their names and types; the first ones if they are many. */
export function setsText(
  sets: ReturnType<typeof unsupportedSets>,
  show: (name: string) => string = (name) => name,
): string {
  const shown = sets.slice(0, mostUnsupported).map(({ name, type }) => `${show(nameText(name))} ${type}`);
  const rest = sets.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${count(rest, "other")}` : ""}`;
}

function totals(report: PlanReport, changes: number, colors: Palette): string[] {
  const { plan, next } = report;
  const all = count(plan.inSync + plan.zones.length + plan.deletions.length, "zone");
  if (isEmpty(plan)) return [[`in sync: ${all}, nothing to do`, ...skippedTexts(report)].join("; ")];
  return [
    `plan: ${effectParts(report, changes).join(` ${colors.dot} `)}`,
    costText(report),
    ...(next === undefined ? [] : [`next: ${escapeControl(next)}`]),
  ];
}

/** The number of changes, and what a plan left out, affects and cost. */
export function effectParts(report: PlanReport, changes: number): string[] {
  const { plan, reads } = report;
  const changing = plan.zones.length + plan.deletions.length;
  return [
    `${count(changes, "change")} in ${changing} of ${count(plan.inSync + changing, "zone")}`,
    ...skippedTexts(report),
    `effects ${digestPlan(plan).slice(0, 8)}`,
    count(reads, "read"),
  ];
}

/** The requests of `apply`. A change set carries several writes in one. */
export function sendsText({ writes, writeRequests, applyReads }: PlanReport): string {
  const carried = writes === writeRequests ? "" : ` in ${count(writeRequests, "request")}`;
  return `apply sends ${count(writes, "write")}${carried} and ${count(applyReads, "read")}`;
}

/** The requests of `apply`, and the time that they take. */
export function costText(report: PlanReport): string {
  const { writeRequests, applyReads, limit } = report;
  return `${sendsText(report)}${requestTimeText(writeRequests + applyReads, limit)}`;
}

/** The time that the requests take under the announced rate limit; empty if it is unknown. */
function requestTimeText(requests: number, limit: PlanReport["limit"]): string {
  if (limit === undefined) return "";
  if (limit === "unlimited") return " (no rate limit)";
  const perMinute = sendingRate(limit);
  const seconds = Math.ceil((requests * 60) / perMinute);
  const time = durationInWords(seconds < 120 ? seconds : Math.ceil(seconds / 60) * 60);
  return ` (about ${time} at ${count(perMinute, "request")} per minute)`;
}

function names(list: readonly Name[]): string {
  return listFirst(list.map((name) => escapeControl(name.slice(0, -1))));
}

/** Maximum widths of the columns; longer text shifts the rest of its line. `body` is type, TTL and value. */
const widest = { owner: 32, type: 10, ttl: 14, body: 72 };

/** Minimum width for values that are wrapped beside the owner name. */
const leastRoom = 24;

/**
 * Rows of a zone's changes: symbol, word, owner name, type, TTL, value, consequences and place. With a width, long
 * values are shortened and the rest is wrapped below them. Without one, each change is one line with its full values.
 */
export function planRows(lines: readonly Line[], colors: Palette, width: number | undefined): string[] {
  const table = tableOf(lines, width);
  const most = width ?? Number.POSITIVE_INFINITY;
  const rows = lines.map((line) => {
    const number = `${line.step}`.padStart(table.step);
    const kind = `${pad(symbol(line.kind, colors), columns(colors.swap))} ${pad(line.kind, 6)}`;
    const row = { head: `  ${number} ${kind}  `, line, ...table };
    const cells = width === undefined ? [ownerAndType(row) + valueText(line)] : fitRow(row, width, colors);
    const [first = ""] = cells;
    const indent = columns(row.head);
    const { on = "", marks = [], gaps = [], effects, place } = line;
    const items = [on, ...marks, ...gaps, ...effects, place].filter(Boolean);
    const start = Math.min(columns(first), width ?? table.owner + widest.body);
    // The last column where consequences and place fit beside the change.
    const end = cells.length > 1 ? -1 : most - indent - columns(`  ${items.join("  ")}`);
    return { head: `  ${number} ${paint(line.kind, kind, colors)}  `, indent, cells, items, start, end };
  });
  const body = commonColumn(rows.filter(({ items }) => items.length > 0));
  return rows.flatMap(({ head, indent, cells: [first = "", ...more], items, start, end }) => {
    const isBeside = items.length > 0 && start <= body && body <= end;
    const text = isBeside ? `${pad(first, body)}  ${colors.dim(items.join("  "))}` : first;
    const below = isBeside ? [] : packItems(items, ` ${colors.dot} `, most - indent).map(colors.dim);
    return [`${head}${text}`.trimEnd(), ...[...more, ...below].map((line) => " ".repeat(indent) + line)];
  });
}

/** The column that lies in the most of the ranges. */
function commonColumn(ranges: readonly { readonly start: number; readonly end: number }[]): number {
  let [best, most] = [0, 0];
  for (const column of new Set(ranges.map(({ start }) => start))) {
    const number = ranges.filter(({ start, end }) => start <= column && column <= end).length;
    if (number > most) [best, most] = [column, number];
  }
  return best;
}

/** Widths of the columns. */
interface Table {
  readonly step: number;
  readonly owner: number;
  readonly type: number;
  readonly ttl: number;
}

interface Row extends Table {
  readonly head: string;
  readonly line: Line;
}

function tableOf(lines: readonly Line[], width: number | undefined): Table {
  const widestOf = (texts: readonly string[], most: number) =>
    texts.reduce((wide, text) => Math.max(wide, Math.min(columns(text), most)), 0);
  const owner = width === undefined ? widest.owner : Math.min(widest.owner, Math.max(8, Math.floor(width / 5)));
  const records = lines.flatMap(({ typeAndTtl }) => (typeAndTtl ? [typeAndTtl] : []));
  return {
    step: lines.reduce((wide, { step }) => Math.max(wide, `${step}`.length), 0),
    owner: widestOf(
      lines.map(({ owner }) => owner),
      owner,
    ),
    type: widestOf(
      records.map(([type]) => type),
      widest.type,
    ),
    ttl: widestOf(
      records.map(([, ttl]) => ttl),
      widest.ttl,
    ),
  };
}

/** The columns before the value, each followed by two spaces. */
function ownerAndType({ line: { owner, typeAndTtl }, ...table }: Row): string {
  const cells = [pad(owner, table.owner)];
  if (typeAndTtl) cells.push(pad(typeAndTtl[0], table.type), pad(typeAndTtl[1], table.ttl));
  return cells.map((cell) => `${cell}  `).join("");
}

function valueText({ values }: Pick<Line, "values">): string {
  return values.map(({ text, joint }) => (joint === undefined ? text : `${joint} ${text}`)).join(" ");
}

/**
 * The cells of a change as lines; all but the first are indented to the owner name. Values that do not fit beside it
 * are put below it, where they have more room.
 */
function fitRow(row: Row, width: number, { ellipsis }: Palette): string[] {
  const { line, head } = row;
  const before = ownerAndType(row);
  const most = width - columns(head);
  const room = most - columns(before);
  const all = valueText(line);
  if (columns(all) <= room) return [before + all];
  const isProse = line.values.some((value) => value.isProse);
  if (room >= leastRoom && (isProse || line.values.every((value) => columns(valueText({ values: [value] })) <= room))) {
    const [first = "", ...more] = valueLines(line.values, room, ellipsis);
    return [before + first, ...more.map((text) => " ".repeat(columns(before)) + text)];
  }
  const cells = [line.owner, ...(line.typeAndTtl ?? [])];
  return [
    ...(columns(before.trimEnd()) <= most ? [before.trimEnd()] : packItems(cells, "  ", most)),
    ...(columns(all) <= most ? [all] : valueLines(line.values, most, ellipsis)),
  ];
}

function valueLines(values: readonly Value[], width: number, ellipsis: string): string[] {
  return values.flatMap(({ text, joint, isProse }, index) => {
    const before = joint === undefined ? "" : `${joint} `;
    const room = width - columns(before);
    const unlike = (values[index - 1] ?? values[index + 1])?.text;
    const lines = isProse
      ? wrap(text, room).map((word) => shorten(word, { width: room, ellipsis }))
      : [shorten(text, { width: room, ellipsis, unlike })];
    return lines.map((line, at) => (at === 0 ? before + line : line));
  });
}

function symbol(kind: LineKind, { swap }: Palette): string {
  return { create: "+", change: "~", swap, delete: "-" }[kind];
}

function paint(kind: LineKind, text: string, { blue, red, magenta, bold }: Palette): string {
  return bold({ create: blue, change: (text: string) => text, swap: magenta, delete: red }[kind](text));
}
