import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { summaryText } from "../../diagnostics/problem.ts";
import { count, durationInWords } from "../../diagnostics/quantities.ts";
import { ackFields, findingTexts, guardText, type JudgedBlock } from "../../planner/blocks/acks.ts";
import { isEmpty, type Plan, unsupportedSets } from "../../planner/changes/change.ts";
import { digestPlan } from "../../planner/changes/effects.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { failuresMarkdown, noteRows } from "../findings/markdown.ts";
import { codeSpan, link, prose, shortenValue, tableRow } from "../format/markdown.ts";
import { fitRows, type Row, section, shareBudget, utf8Length } from "../format/markdown-sections.ts";
import type { LineKind } from "../text/line.ts";
import { nameText } from "../text/name-text.ts";
import { isOfTargets } from "../text/on-targets.ts";
import { palette } from "../text/palette.ts";
import { absoluteOwner, changesOf, countLines, countSettling, lineKinds, type ZoneChanges } from "./changes.ts";
import { dangerRank, defaultRank } from "./danger.ts";
import { approvalText } from "./guards.ts";
import { countChanging, digestPlanned, type Planned, type PlanSection, type TargetPlans } from "./sections.ts";
import { skippedTexts } from "./skipped.ts";

/** The size of a report in Markdown, and where to find all of it. */
export interface MarkdownLimits {
  /** Most octets in UTF-8; what does not fit is counted. */
  readonly budget?: number;
  /** Most columns of a value; longer ones are shortened in the middle. */
  readonly valueWidth?: number;
  /** The address of the full report (http or https), for what does not fit. */
  readonly reportUrl?: string | undefined;
  /** The door whose words advice uses; the command line by default. */
  readonly door?: Door;
}

/** GitHub refuses comments of more than 65,536 characters. */
export const githubComment: MarkdownLimits = { budget: 60_000, valueWidth: 200 };

/** GitLab refuses notes of more than 1,000,000 characters. */
export const gitlabNote: MarkdownLimits = { budget: 950_000, valueWidth: 200 };

const symbols = palette({ color: false, unicode: true });

/**
 * A plan as Markdown, for a comment on a pull request: the verdict, missing approvals, the counts of each zone,
 * deletions, gaps, changes, creates and notes. The budget is spent in this order.
 */
export function planMarkdown(planned: Planned, limits: MarkdownLimits = {}): string {
  return fitPlan(planned, limits).text;
}

/** A plan in Markdown, and whether it shows every change in full. */
export interface FittedPlan {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * Fits a plan in Markdown into a number of octets: if not all of it fits, values are shortened, and the most dangerous
 * changes get their place first. `partial` is text at the top of a plan that is not whole.
 */
export function fitPlan(planned: Planned, limits: MarkdownLimits, partial = ""): FittedPlan {
  const render = (limits: MarkdownLimits) =>
    isOfTargets<TargetPlans>(planned)
      ? renderTargets(planned, limits)
      : renderPlan({ report: planned, on: "" }, limits);
  const whole = render({ ...limits, valueWidth: Number.POSITIVE_INFINITY });
  if (whole.isWhole) return whole;
  const budget = limits.budget === undefined ? {} : { budget: limits.budget - Buffer.byteLength(partial) };
  const { text } = render({ ...limits, ...budget });
  return { text: partial + text, isWhole: false };
}

/** A part for each section, of which each has its share of the room that those before it leave. */
function renderTargets(planned: TargetPlans, { budget, ...limits }: MarkdownLimits): FittedPlan {
  const { plans, failed, sections } = planned;
  const { door = "cli" } = limits;
  const digest = codeSpan(digestPlanned(planned).slice(0, 8));
  const changing = countChanging(planned);
  const all = count(plans.length, "target");
  const facts = [
    ...(changing === 0 ? [] : [`Changes on ${changing} of ${all}`]),
    ...(failed.length === 0 ? [] : [`not planned on ${failed.map(({ target }) => target).join(", ")}`]),
    ...(changing === 0 ? [] : [`effects ${digest}`]),
  ];
  const head = facts.length === 0 ? "" : `${facts.join(" · ")}\n\n`;
  const failures = failuresMarkdown("Plan of zones", failed, door);
  const left = budget === undefined ? undefined : budget - utf8Length([head, ...failures].join("\n"));
  const parts = shareBudget(
    left,
    sections.map((section) => (share) => renderPlan(section, { ...limits, ...share })),
  );
  const text = head + [...parts.map(({ text }) => text), ...failures].join("\n");
  return { text, isWhole: parts.every(({ isWhole }) => isWhole) };
}

/** The rank of rows that get what room is left. */
const last = defaultRank + 1;

function renderPlan({ report, on }: PlanSection, limits: MarkdownLimits): FittedPlan {
  const { guards, ackUntil, notes } = report;
  const { door = "cli" } = limits;
  const { zones } = changesOf(report, symbols);
  const blocked = guards.filter(({ state }) => state === "blocked");
  const approved = guards.filter(({ state }) => state !== "blocked");
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
      blocked.map((block) => blockRow(block, ackUntil, door)),
    ),
    section(
      "Left out",
      "zone",
      (report.skipped ?? []).map((zone) => skippedRow(zone, door)),
    ),
    { head: zoneHead, rows: zones.map(zoneRow), what: "zone" },
    deletions,
    section("Gaps", "gap", zones.flatMap(gapRows), defaultRank),
    changes,
    creates,
    section(
      "Not sent: the service cannot store these",
      "record set",
      unsupportedSets(report.plan).map(({ name, type }) => `- ${codeSpan(nameText(name))} ${type}\n`),
      last,
    ),
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
  const { text, cut } = fitRows(limits.budget, head({ report, on }, zones, limits), sections, allText(report, limits));
  return { text, isWhole: !effects.some((part) => cut.has(part)) };
}

/** The line below a report from which something was left out. */
function allText({ plan }: PlanReport, { reportUrl }: MarkdownLimits): string {
  if (reportUrl === undefined) return "";
  return `\n${link("The full report", reportUrl)} shows all changes, with the effects ${digestSpan(plan)}.\n`;
}

function digestSpan(plan: Plan): string {
  return codeSpan(digestPlan(plan).slice(0, 8));
}

const signs: Readonly<Record<LineKind, string>> = { create: "+", change: "~", swap: "⇄", delete: "−" };

function head({ report, on }: PlanSection, zones: readonly ZoneChanges[], limits: MarkdownLimits): string {
  const { plan, guards, writes, applyReads } = report;
  const all = count(plan.inSync + zones.length, "zone");
  const origin = originFacts(report, limits);
  const leftOut = skippedTexts(report);
  if (isEmpty(plan)) {
    const facts = [`${all}, nothing to do`, ...origin].join(" · ");
    return `### Plan of zones${on}: ${["in sync", ...leftOut].join(", ")}\n\n${facts}\n`;
  }
  const lines = zones.flatMap((zone) => zone.lines);
  const missing = guards.filter(({ state }) => state === "blocked").length;
  const verdict = [
    `${count(lines.length, "change")} in ${zones.length} of ${all}`,
    ...(missing > 0 ? [`${count(missing, "approval")} missing`] : []),
    ...leftOut,
  ];
  const counts = lineKinds.flatMap((kind) => {
    const number = countLines(lines, kind);
    return number > 0 ? [`${signs[kind]}${number} ${kind}`] : [];
  });
  const facts = [
    ...counts,
    `effects ${digestSpan(plan)}`,
    `apply sends ${count(writes, "write")} and ${count(applyReads, "read")}`,
    ...origin,
  ];
  return `### Plan of zones${on}: ${verdict.join(", ")}\n\n${facts.join(" · ")}\n`;
}

/** Unsupported records, the commit and the live zones that the plan compares, and the address of its full report. */
function originFacts({ plan, commit, observed }: PlanReport, { reportUrl }: MarkdownLimits): string[] {
  const unsupported = plan.unsupported.length;
  return [
    ...(unsupported > 0 ? [`${count(unsupported, "unsupported record")} not sent`] : []),
    ...(commit === undefined ? [] : [`commit ${codeSpan(commit.slice(0, 7))}`]),
    ...(observed ? [observedText(observed)] : []),
    ...(reportUrl === undefined ? [] : [link("full report", reportUrl)]),
  ];
}

function observedText({ from, time }: NonNullable<PlanReport["observed"]>): string {
  const text = `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return from === "service" ? `live zones as of ${text}` : `compared with a snapshot of ${text}`;
}

const zoneHead = `\n${tableRow(["zone", ...lineKinds, "old answers for up to"])}|---|--:|--:|--:|--:|--:|\n`;

function zoneRow({ name, lines }: ZoneChanges): string {
  const settling = countSettling(lines);
  const counts = lineKinds.map((kind) => {
    const number = countLines(lines, kind);
    return number > 0 ? `${number}` : "";
  });
  return tableRow([codeSpan(nameText(name)), ...counts, settling > 0 ? durationInWords(settling) : ""]);
}

/** A zone that is left out, with the errors of its file. */
function skippedRow({ name, reason, errors }: NonNullable<PlanReport["skipped"]>[number], door: Door): string {
  const shown = errors.slice(0, mostFindings).map((error) => {
    const { place } = error;
    return `  - ${prose(summaryText(error, door))}${place ? ` · ${codeSpan(`${place.file}:${place.line}`)}` : ""}\n`;
  });
  const more = errors.length > shown.length ? [`  - and ${errors.length - shown.length} more\n`] : [];
  return `- ${codeSpan(nameText(name))}: ${prose(reason)}\n${[...shown, ...more].join("")}`;
}

/** An approval that is missing, with its reasons and how it is given. */
function blockRow(block: JudgedBlock, until: string, door: Door): string {
  const texts = findingTexts(block);
  const shown = texts.slice(0, mostFindings).map((text) => `  - ${prose(text)}\n`);
  const more = texts.length > shown.length ? [`  - and ${texts.length - shown.length} more\n`] : [];
  return `- ${zoneText(block)}${guardText(block)}\n${[...shown, ...more].join("")}  - approve: ${approval(block, until, door)}\n`;
}

const mostFindings = 10;

/** The two ways to approve a block. */
function approval(block: JudgedBlock, until: string, door: Door): string {
  const entry = `- { ${ackFields(block, until).join(", ")} }`;
  return `${codeSpan(inWordsOf(door)`${{ set: "allow", to: block.guard }}`)}, or in ${codeSpan("acks.yaml")}: ${codeSpan(entry)}`;
}

function approvedRow(block: JudgedBlock, door: Door): string {
  const reason = block.reason === undefined ? "" : `: ${codeSpan(block.reason)}`;
  return `- ${zoneText(block)}${guardText(block)} ${approvalText(block, door)}${reason}\n`;
}

function zoneText({ zone }: JudgedBlock): string {
  return zone === "*" ? "" : `${codeSpan(nameText(zone))} `;
}

/** A change as a row, in parts, so that equal ones can share a row. */
interface ChangeRow {
  readonly owner: string;
  /** Type, TTL and values. */
  readonly data: string;
  readonly sign: string;
  /** Marks and consequences. */
  readonly notes: readonly string[];
  readonly place: readonly string[];
  readonly rank: number;
  /** Equal for changes that differ in their owners only. */
  readonly key: string;
}

function changeRows(
  { name, lines }: ZoneChanges,
  wanted: readonly LineKind[],
  { valueWidth }: MarkdownLimits,
): ChangeRow[] {
  return lines
    .filter(({ kind }) => wanted.includes(kind))
    .map((line) => {
      const { kind, owner, typeAndTtl = [], values, marks = [], effects, place } = line;
      const texts = values.map(({ text, joint }) =>
        [...(joint ? [joint] : []), shortenValue(text, valueWidth)].join(" "),
      );
      const data = [...typeAndTtl, ...texts].join(" ");
      const sign = kind === "swap" ? `${signs.swap} ` : "";
      const notes = [...marks, ...effects].map(prose);
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
function gapRows({ name, lines }: ZoneChanges): string[] {
  return lines.flatMap(({ owner, gaps = [] }) =>
    gaps.map((text) => `- ${codeSpan(absoluteOwner(owner, name))} ${prose(text)}\n`),
  );
}
