import { count } from "../../diagnostics/quantities.ts";
import type { Name } from "../../dns/name/name.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import type { ChangePlace } from "../text/change-place.ts";
import type { Line, LineKind } from "../text/line.ts";
import { nameText } from "../text/name-text.ts";
import { palette } from "../text/palette.ts";
import { changeText } from "./change-text.ts";
import { changesOf } from "./changes.ts";
import { isBlocking } from "./guards.ts";

/** The changes that one line of a file causes, as text for a person. */
export interface PlacedChanges {
  /** The first of their places in the line; undefined for a zone that no file describes, such as a deleted one. */
  readonly place: ChangePlace | undefined;
  readonly zone: Name;
  /** The changes by their kind; those of a swap count as one. */
  readonly counts: Readonly<Record<LineKind, number>>;
  /** Whether a guard blocks one of the changes. */
  readonly isBlocked: boolean;
  /** Whether a name is briefly without an answer. */
  readonly hasGap: boolean;
  /** `creates 1 record and deletes 3 records` */
  readonly title: string;
  /** A line for each change, with its consequences; the first ten. Without control characters, apart from line ends. */
  readonly text: string;
}

/** Most lines of a text; further changes are counted. */
const mostLines = 10;
/** Most columns of a value; longer ones are shortened in the middle. */
const valueWidth = 100;

const symbols = palette({ color: false, unicode: true });

/** The changes of a plan by the lines of files that cause them: by zone, then by line. */
export function placeChanges(report: Pick<PlanReport, "plan" | "guards" | "handEdits">): PlacedChanges[] {
  const byLine = new Map<string, { readonly zone: Name; readonly lines: Line[] }>();
  for (const { name, lines } of changesOf(report, symbols).zones) {
    const inFile = lines.toSorted((a, b) => (a.cause?.line ?? 0) - (b.cause?.line ?? 0));
    for (const line of inFile) {
      const { cause } = line;
      const key = cause ? `${cause.line} ${cause.file}` : `- ${name}`;
      const known = byLine.get(key);
      if (known) known.lines.push(line);
      else byLine.set(key, { zone: name, lines: [line] });
    }
  }
  return [...byLine.values()].map(({ zone, lines }) => describe(zone, lines));
}

function describe(zone: Name, lines: readonly Line[]): PlacedChanges {
  const counts = { create: 0, change: 0, swap: 0, delete: 0 };
  for (const { kind } of lines) counts[kind]++;
  const shown = lines.slice(0, mostLines).map((line) => changeText(line, zone, valueWidth));
  const more = lines.length - shown.length;
  return {
    place: lines[0]?.cause,
    zone,
    counts,
    isBlocked: lines.some(({ marks = [] }) => marks.some(isBlocking)),
    hasGap: lines.some(({ gaps = [] }) => gaps.length > 0),
    title: titleOf(zone, lines),
    text: [...shown, ...(more > 0 ? [`and ${count(more, "more change")}`] : []), ...substituteTexts(lines)].join("\n"),
  };
}

function titleOf(zone: Name, lines: readonly Line[]): string {
  const [ofZone, ofRecords] = [lines.filter(isOfZone), lines.filter((line) => !isOfZone(line))];
  const number = (list: readonly Line[], wanted: LineKind) => list.filter(({ kind }) => kind === wanted).length;
  const ofKind = (kind: LineKind, verb: string, what: string) => {
    const records = number(ofRecords, kind);
    return records > 0 ? [`${verb} ${count(records, what)}`] : [];
  };
  const settings = number(ofZone, "change");
  const parts = [
    ...(number(ofZone, "create") > 0 ? [`creates the zone ${nameText(zone)}`] : []),
    ...(number(ofZone, "delete") > 0 ? [`deletes the zone ${nameText(zone)}`] : []),
    ...(settings > 0 ? [`changes ${count(settings, "setting")}`] : []),
    ...ofKind("create", "creates", "record"),
    ...ofKind("change", "changes", "record"),
    ...ofKind("swap", "swaps the types of", "name"),
    ...ofKind("delete", "deletes", "record"),
  ];
  const [last = "", ...before] = parts.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`;
}

function isOfZone({ owner }: Line): boolean {
  return owner === "(zone)";
}

/** Why deletions are shown at a line that they are not about. */
const substitutes: Readonly<Record<ChangePlace["shows"], string | undefined>> = {
  change: undefined,
  "same-type": "Deleted records are shown at the remaining records of their name and type.",
  "same-name": "Deleted records are shown at the remaining records of their name.",
  zone: "Deleted records whose name is no longer in the file are shown at its first line.",
};

function substituteTexts(lines: readonly Line[]): string[] {
  const shown = new Set(lines.flatMap((line) => (isOfZone(line) || !line.cause ? [] : [line.cause.shows])));
  return [...shown].flatMap((shows) => substitutes[shows] ?? []);
}
