import { adviceText, inWordsOf } from "../../diagnostics/advice.ts";
import { summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type DriftClass, driftClasses } from "../../workflow/drift/classes.ts";
import type { DriftReport, ZoneDrift } from "../../workflow/drift/drift.ts";
import { columns, pad, shorten, wrap } from "../text/columns.ts";
import { type FindingText, findingText, readingTexts, verdictText } from "../text/drift-words.ts";
import { nameText } from "../text/name-text.ts";
import { sectionsOf } from "../text/on-targets.ts";
import { type Palette, palette, type Style } from "../text/palette.ts";
import type { Drifts } from "./markdown.ts";

/** The column of names, after the class. */
const indent = 12;

/** The most findings of a zone on a terminal; further ones are counted. */
const mostShown = 200;

/** The narrowest terminal that lines are fitted to, in columns. */
const leastWidth = 40;

/** Drift for review: by zone, conflicts first. Pending changes are counted, because a plan shows them in full. */
export function driftText(found: Drifts, style: Style, columnsOfTerminal?: number): string {
  const { bold } = palette(style);
  const texts = sectionsOf(found).map(
    ({ report, on }) => `${on === "" ? "" : `${bold(on.trim())}\n`}${reportText(report, style, columnsOfTerminal)}`,
  );
  return texts.join("\n");
}

function reportText(report: DriftReport, style: Style, columnsOfTerminal?: number): string {
  const width = columnsOfTerminal === undefined ? undefined : Math.max(leastWidth, columnsOfTerminal);
  const colors = palette(style);
  const lines = [
    ...readingTexts(report, colors.door).flatMap((line) => wrap(line, width, 2)),
    ...report.zones.flatMap((zone) => zoneLines(zone, colors, width)),
    ...report.notes.flatMap((note) => [
      ...wrap(`${note.severity}  ${summaryText(note, colors.door)}`, width, 2),
      ...(note.fix === undefined ? [] : wrap(`  ${adviceText(note.fix, colors.door)}`, width, 2)),
    ]),
    ...totals(report, colors).flatMap((line) => wrap(line, width, 2)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function zoneLines({ zone, findings }: ZoneDrift, colors: Palette, width: number | undefined): string[] {
  const shown = findings.filter(({ class: found }) => found !== "pending");
  if (shown.length === 0) return [];
  const rank = (found: DriftClass) => driftClasses.indexOf(found);
  const sorted = shown.toSorted((a, b) => rank(a.class) - rank(b.class));
  const most = width === undefined ? sorted.length : mostShown;
  const more = sorted.length - most;
  return [
    colors.bold(nameText(zone)),
    ...sorted.slice(0, most).flatMap((finding) => findingLines(findingText(finding, zone), colors, width)),
    ...(more > 0 ? [`  and ${more} more; a pipe shows all`] : []),
  ];
}

function findingLines(finding: FindingText, colors: Palette, width: number | undefined): string[] {
  const { class: found, subject, sides, by } = finding;
  const head = `  ${paintClass(pad(found, indent - 3), found, colors)} `;
  const room = width === undefined ? undefined : width - indent;
  const fitted = (text: string, used: number) =>
    room === undefined ? text : shorten(text, { width: Math.max(8, room - used), ellipsis: colors.ellipsis });
  const body = oneLine(finding, colors);
  const isOneLine = found !== "conflict" && (room === undefined || columns(body) <= room);
  const labels = sides.map(({ side }) => (side === "" ? "" : `${pad(side, found === "differs" ? 4 : 8)} `));
  const below = isOneLine
    ? []
    : sides.map(({ text }, index) => `${labels[index]}${fitted(text, labels[index]?.length ?? 0)}`);
  return [
    `${head}${isOneLine ? body : fitted(subject, 0)}`,
    ...[...below, ...(by === "" ? [] : wrap(by, room, 2).map(colors.dim))].map((line) => " ".repeat(indent) + line),
  ];
}

/** A finding with its contents on one line. */
function oneLine({ class: found, subject, sides }: FindingText, { arrow }: Palette): string {
  const texts = sides.map(({ side, text }) => (found === "differs" ? `${side} ${text}` : text));
  const joint = found === "differs" ? ", " : ` ${arrow} `;
  const isLost = found === "removed" && sides[0]?.side === "snapshot";
  return `${subject}  ${texts.join(joint)}${isLost ? `${joint}(none)` : ""}`;
}

function paintClass(text: string, found: DriftClass, { red, yellow, magenta, dim }: Palette): string {
  if (found === "conflict") return red(text);
  if (found === "drift") return yellow(text);
  return found === "foreign" || found === "differs" ? magenta(text) : dim(text);
}

function totals(report: DriftReport, { dot, door }: Palette): string[] {
  const { zones, compared, requests } = report;
  const sent = count(requests, "request");
  const all = count(compared, "zone");
  if (zones.length === 0) return [`in sync: ${all} ${dot} ${sent}`];
  const hasPending = zones.some(({ findings }) => findings.some((finding) => finding.class === "pending"));
  return [
    `drift: ${verdictText(report)} in ${zones.length} of ${all} ${dot} ${sent}`,
    ...(hasPending ? [inWordsOf(door)`${{ run: "plan" }} lists the pending changes`] : []),
  ];
}
