import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { type Problem, summaryText } from "../../diagnostics/problem.ts";
import { durationInWords } from "../../diagnostics/quantities.ts";
import { ackFields, guardText } from "../../planner/blocks/acks.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { noteRows } from "../findings/markdown.ts";
import { codeSpan, prose, shortenValue, tableRow } from "../format/markdown.ts";
import { fitRows, type MarkdownLimits, type Row, type Section, section } from "../format/markdown-sections.ts";
import type { LineKind } from "../text/line.ts";
import { nameText } from "../text/name-text.ts";
import { absoluteOwner, countLines, countSettling, lineKinds } from "./changes.ts";
import { dangerRank, defaultRank } from "./danger.ts";
import { approvalText, type ShownBlock } from "./guards.ts";
import type { ShownZone } from "./shared-changes.ts";

/** The rank of rows that get what room is left. */
const last = defaultRank + 1;

/** The content of a plan in Markdown. */
export interface PlanContent {
  /** The verdict and facts. */
  readonly head: string;
  readonly zones: readonly ShownZone[];
  readonly blocks: readonly ShownBlock[];
  /** The proposed last day of an acknowledgement. */
  readonly until: string;
  /** Rows for zones that are left out. */
  readonly skipped: readonly string[];
  /** Records that are not stored as the files state them. */
  readonly stored: Section;
  readonly notes: readonly Problem[];
  /** The line below a report from which something was left out. */
  readonly end: string;
}

/** A plan in Markdown, and whether it shows every change in full. */
export interface FittedPlan {
  readonly text: string;
  readonly isWhole: boolean;
}

/** As much of a plan as fits: the head, and sections in the order of their importance. */
export function renderPlan(content: PlanContent, limits: MarkdownLimits): FittedPlan {
  const { zones, blocks, until, skipped, stored, notes } = content;
  const { door = "cli" } = limits;
  const blocked = blocks.filter(({ state }) => state === "blocked");
  const approved = blocks.filter(({ state }) => state !== "blocked");
  const rows = (kinds: readonly LineKind[]) => foldRows(zones.flatMap((zone) => changeRows(zone, kinds, limits)));
  const effects = [
    section("Deletions", "deletion", rows(["delete"])),
    section("Changes", "change", rows(["swap", "change"])),
    section("Creates", "create", rows(["create"])),
  ] as const;
  const [deletions, changes, creates] = effects;
  const sections = [
    section(
      "Approvals missing",
      "approval",
      blocked.map((block) => blockRow(block, until, door)),
    ),
    section("Left out", "zone", skipped),
    { head: zoneHead, rows: zones.map(zoneRow), what: "zone" },
    deletions,
    section("Gaps", "gap", zones.flatMap(gapRows), defaultRank),
    changes,
    creates,
    { ...stored, rank: last },
    section(
      "Approved",
      "approval",
      approved.map((block) => approvedRow(block, door)),
      last,
    ),
    section(
      "Notes",
      "note",
      noteRows(
        notes.filter(({ id }) => id !== "zone-skipped"),
        door,
      ),
      last,
    ),
  ];
  const { text, cut } = fitRows(limits.budget, content.head, sections, content.end);
  return { text, isWhole: !effects.some((part) => cut.has(part)) };
}

/** `+2 create`, for each kind of changes. */
export function countTexts(zones: readonly ShownZone[]): string[] {
  const lines = zones.flatMap((zone) => zone.lines);
  return lineKinds.flatMap((kind) => {
    const number = countLines(lines, kind);
    return number > 0 ? [`${signs[kind]}${number} ${kind}`] : [];
  });
}

const signs: Readonly<Record<LineKind, string>> = { create: "+", change: "~", swap: "⇄", delete: "−" };

const zoneHead = `\n${tableRow(["zone", ...lineKinds, "old answers for up to"])}|---|--:|--:|--:|--:|--:|\n`;

function zoneRow({ name, on, lines }: ShownZone): string {
  const settling = countSettling(lines);
  const counts = lineKinds.map((kind) => {
    const number = countLines(lines, kind);
    return number > 0 ? `${number}` : "";
  });
  return tableRow([
    [codeSpan(nameText(name)), on].filter(Boolean).join(" "),
    ...counts,
    settling > 0 ? durationInWords(settling) : "",
  ]);
}

/** A zone that is left out, with its targets (` (on office)`) if they are not all, and the errors of its file. */
export function skippedRow(
  { name, reason, errors }: NonNullable<PlanReport["skipped"]>[number],
  door: Door,
  on = "",
): string {
  const shown = errors.slice(0, mostFindings).map((error) => {
    const { place } = error;
    return `  - ${prose(summaryText(error, door))}${place ? ` · ${codeSpan(`${place.file}:${place.line}`)}` : ""}\n`;
  });
  const more = errors.length > shown.length ? [`  - and ${errors.length - shown.length} more\n`] : [];
  return `- ${codeSpan(nameText(name))}: ${prose(reason)}${on}\n${[...shown, ...more].join("")}`;
}

/** An approval that is missing, with its reasons and how it is given. */
function blockRow(block: ShownBlock, until: string, door: Door): string {
  const { texts } = block;
  const shown = texts.slice(0, mostFindings).map((text) => `  - ${prose(text)}\n`);
  const more = texts.length > shown.length ? [`  - and ${texts.length - shown.length} more\n`] : [];
  return `- ${zoneText(block)}${guardText(block)}\n${[...shown, ...more].join("")}  - approve: ${approval(block, until, door)}\n`;
}

const mostFindings = 10;

/** The two ways to approve a block; several targets have an entry each. */
function approval({ guard, blocks }: ShownBlock, until: string, door: Door): string {
  const entries = blocks.map((block) => codeSpan(`- { ${ackFields(block, until).join(", ")} }`));
  const list = entries.length === 1 ? ` ${entries[0]}` : entries.map((entry) => `\n    - ${entry}`).join("");
  return `${codeSpan(inWordsOf(door)`${{ set: "allow", to: guard }}`)}, or in ${codeSpan("acks.yaml")}:${list}`;
}

function approvedRow(block: ShownBlock, door: Door): string {
  const reason = block.reason === undefined ? "" : `: ${codeSpan(block.reason)}`;
  const on = block.on === undefined ? "" : ` ${block.on}`;
  return `- ${zoneText(block)}${guardText(block)} ${approvalText(block, door)}${on}${reason}\n`;
}

function zoneText({ zone }: ShownBlock): string {
  return zone === "*" ? "" : `${codeSpan(nameText(zone))} `;
}

/** A change as a row, in parts, so that equal ones can share a row. */
interface ChangeRow {
  readonly owner: string;
  /** Type, TTL and values. */
  readonly data: string;
  readonly sign: string;
  /** Targets, marks and consequences. */
  readonly notes: readonly string[];
  readonly place: readonly string[];
  readonly rank: number;
  /** Equal for changes that differ in their owners only. */
  readonly key: string;
}

function changeRows(
  { name, lines }: ShownZone,
  wanted: readonly LineKind[],
  { valueWidth }: MarkdownLimits,
): ChangeRow[] {
  return lines
    .filter(({ kind }) => wanted.includes(kind))
    .map((line) => {
      const { kind, owner, typeAndTtl = [], values, on, marks = [], effects, place } = line;
      const texts = values.map(({ text, joint }) =>
        [...(joint ? [joint] : []), shortenValue(text, valueWidth)].join(" "),
      );
      const data = [...typeAndTtl, ...texts].join(" ");
      const sign = kind === "swap" ? `${signs.swap} ` : "";
      const notes = [...(on === undefined ? [] : [on]), ...[...marks, ...effects].map(prose)];
      // Other data may contain names that are relative to the zone.
      const isAbsolute = ["A", "AAAA", "CAA", "TXT"].includes(typeAndTtl[0] ?? "");
      return {
        owner: absoluteOwner(owner, name),
        data,
        sign,
        notes,
        place: place === "" ? [] : [codeSpan(place)],
        rank: dangerRank(line),
        key: JSON.stringify([isAbsolute ? "" : name, sign, data, notes]),
      };
    });
}

/** Equal changes share rows if they are more than this. */
const mostEqual = 3;
/** The most names in a row. */
const mostOwners = 20;

/** Rows for changes; equal ones of several names share rows, with all of the names. */
function foldRows(changes: readonly ChangeRow[]): Row[] {
  const equal = new Map<string, ChangeRow[]>();
  for (const change of changes) {
    const list = equal.get(change.key);
    if (list) list.push(change);
    else equal.set(change.key, [change]);
  }
  return changes.flatMap((change) => {
    const { owner, data, sign, notes, place, rank, key } = change;
    const all = equal.get(key) ?? [];
    if (all.length <= mostEqual) {
      const text = `- ${sign}${[codeSpan([owner, data].filter(Boolean).join(" ")), ...notes, ...place].join(" · ")}\n`;
      return [{ text, count: 1, rank }];
    }
    if (all[0] !== change) return [];
    const ranked = all.toSorted((a, b) => a.rank - b.rank);
    const rows: Row[] = [];
    for (let at = 0; at < ranked.length; at += mostOwners) {
      const part = ranked.slice(at, at + mostOwners);
      const owners = part.map(({ owner }) => codeSpan(owner)).join(", ");
      const text = `- ${sign}${[codeSpan(data), ...notes].join(" · ")} · at ${owners}\n`;
      rows.push({ text, count: part.length, rank: part[0]?.rank ?? rank });
    }
    return rows;
  });
}

/** The names that a change leaves without an answer. */
function gapRows({ name, lines }: ShownZone): string[] {
  return lines.flatMap(({ owner, on, gaps = [] }) =>
    gaps.map(
      (text) => `- ${codeSpan(absoluteOwner(owner, name))} ${prose(text)}${on === undefined ? "" : ` (${on})`}\n`,
    ),
  );
}
