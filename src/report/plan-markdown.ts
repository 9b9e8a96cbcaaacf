import { count } from "../diagnostics/plain.ts";
import { durationInWords } from "../diagnostics/time.ts";
import { ackFields, findingTexts, guardText, type JudgedBlock } from "../planner/acks.ts";
import { isEmpty, type Plan, unsupportedSets } from "../planner/change.ts";
import { planDigest } from "../planner/effects.ts";
import type { PlanReport } from "../workflow/plan-report.ts";
import type { LineKind } from "./line.ts";
import { codeSpan, link, prose, shortenValue, tableRow } from "./markdown.ts";
import { fitSections, section } from "./markdown-sections.ts";
import { nameText } from "./name-text.ts";
import { palette } from "./palette.ts";
import { changesOf, countKind, lineKinds, ownerText, settlingOf, type ZoneChanges } from "./plan-changes.ts";
import { approvalText } from "./plan-guards.ts";
import { skippedTexts } from "./plan-skipped.ts";

/** The size of a report in Markdown, and where to find all of it. */
export interface MarkdownLimits {
  /** Most octets in UTF-8; what does not fit is counted. */
  readonly budget?: number;
  /** Most columns of a value; longer ones are shortened in the middle. */
  readonly valueWidth?: number;
  /** The address of the full report (http or https), for what does not fit. */
  readonly reportUrl?: string | undefined;
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
export function planMarkdown(report: PlanReport, limits: MarkdownLimits = {}): string {
  const { guards, ackUntil, notes } = report;
  const { zones } = changesOf(report, symbols);
  const blocked = guards.filter(({ state }) => state === "blocked");
  const approved = guards.filter(({ state }) => state !== "blocked");
  const rows = (kinds: readonly LineKind[]) => zones.flatMap((zone) => changeRows(zone, kinds, limits));
  const sections = [
    section(
      "Approvals missing",
      "approval",
      blocked.map((block) => blockRow(block, ackUntil)),
    ),
    section("Left out", "zone", (report.skipped ?? []).map(skippedRow)),
    { head: zoneHead, rows: zones.map(zoneRow), what: "zone" },
    section("Deletions", "deletion", rows(["delete"])),
    section("Gaps", "gap", zones.flatMap(gapRows)),
    section("Changes", "change", rows(["swap", "change"])),
    section("Creates", "create", rows(["create"])),
    section(
      "Not sent: the service cannot store these",
      "record set",
      unsupportedSets(report.plan).map(({ name, type }) => `- ${codeSpan(nameText(name))} ${type}\n`),
    ),
    section("Approved", "approval", approved.map(approvedRow)),
    section(
      "Notes",
      "note",
      notes
        .filter(({ id }) => id !== "zone-skipped")
        .map(
          ({ severity, summary, place }) =>
            `- ${severity}: ${prose(summary)}${place ? ` · ${codeSpan(`${place.file}:${place.line}`)}` : ""}\n`,
        ),
    ),
  ];
  return fitSections(limits.budget, head(report, zones, limits), sections, allText(report, limits));
}

/** The line below a report from which something was left out. */
function allText({ plan }: PlanReport, { reportUrl }: MarkdownLimits): string {
  if (reportUrl === undefined) return "";
  return `\n${link("The full report", reportUrl)} shows all changes, with the effects ${digestSpan(plan)}.\n`;
}

function digestSpan(plan: Plan): string {
  return codeSpan(planDigest(plan).slice(0, 8));
}

const signs: Readonly<Record<LineKind, string>> = { create: "+", change: "~", swap: "⇄", delete: "−" };

function head(report: PlanReport, zones: readonly ZoneChanges[], limits: MarkdownLimits): string {
  const { plan, guards, writes, applyReads } = report;
  const all = count(plan.inSync + zones.length, "zone");
  const origin = originFacts(report, limits);
  const leftOut = skippedTexts(report);
  if (isEmpty(plan)) {
    const facts = [`${all}, nothing to do`, ...origin].join(" · ");
    return `### Plan of zones: ${["in sync", ...leftOut].join(", ")}\n\n${facts}\n`;
  }
  const lines = zones.flatMap((zone) => zone.lines);
  const missing = guards.filter(({ state }) => state === "blocked").length;
  const verdict = [
    `${count(lines.length, "change")} in ${zones.length} of ${all}`,
    ...(missing > 0 ? [`${count(missing, "approval")} missing`] : []),
    ...leftOut,
  ];
  const counts = lineKinds.flatMap((kind) => {
    const number = countKind(lines, kind);
    return number > 0 ? [`${signs[kind]}${number} ${kind}`] : [];
  });
  const facts = [
    ...counts,
    `effects ${digestSpan(plan)}`,
    `apply sends ${count(writes, "write")} and ${count(applyReads, "read")}`,
    ...origin,
  ];
  return `### Plan of zones: ${verdict.join(", ")}\n\n${facts.join(" · ")}\n`;
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
  const settling = settlingOf(lines);
  const counts = lineKinds.map((kind) => {
    const number = countKind(lines, kind);
    return number > 0 ? `${number}` : "";
  });
  return tableRow([codeSpan(nameText(name)), ...counts, settling > 0 ? durationInWords(settling) : ""]);
}

/** A zone that is left out, with the errors of its file. */
function skippedRow({ name, reason, errors }: NonNullable<PlanReport["skipped"]>[number]): string {
  const shown = errors.slice(0, mostFindings).map(({ summary, place }) => {
    return `  - ${prose(summary)}${place ? ` · ${codeSpan(`${place.file}:${place.line}`)}` : ""}\n`;
  });
  const more = errors.length > shown.length ? [`  - and ${errors.length - shown.length} more\n`] : [];
  return `- ${codeSpan(nameText(name))}: ${prose(reason)}\n${[...shown, ...more].join("")}`;
}

/** An approval that is missing, with its reasons and how it is given. */
function blockRow(block: JudgedBlock, until: string): string {
  const texts = findingTexts(block);
  const shown = texts.slice(0, mostFindings).map((text) => `  - ${prose(text)}\n`);
  const more = texts.length > shown.length ? [`  - and ${texts.length - shown.length} more\n`] : [];
  return `- ${zoneText(block)}${guardText(block)}\n${[...shown, ...more].join("")}  - approve: ${approval(block, until)}\n`;
}

const mostFindings = 10;

/** The two ways to approve a block. */
function approval(block: JudgedBlock, until: string): string {
  const entry = `- { ${ackFields(block, until).join(", ")} }`;
  return `${codeSpan(`--allow ${block.guard}`)}, or in ${codeSpan("acks.yaml")}: ${codeSpan(entry)}`;
}

function approvedRow(block: JudgedBlock): string {
  const reason = block.reason === undefined ? "" : `: ${codeSpan(block.reason)}`;
  return `- ${zoneText(block)}${guardText(block)} ${approvalText(block)}${reason}\n`;
}

function zoneText({ zone }: JudgedBlock): string {
  return zone === "*" ? "" : `${codeSpan(nameText(zone))} `;
}

function changeRows(
  { name, lines }: ZoneChanges,
  wanted: readonly LineKind[],
  { valueWidth }: MarkdownLimits,
): string[] {
  return lines
    .filter(({ kind }) => wanted.includes(kind))
    .map(({ kind, owner, typeAndTtl = [], values, marks = [], effects, place }) => {
      const texts = values.map(({ text, joint }) =>
        [...(joint ? [joint] : []), shortenValue(text, valueWidth)].join(" "),
      );
      const what = codeSpan([ownerText(owner, name), ...typeAndTtl, ...texts].join(" "));
      const after = [...[...marks, ...effects].map(prose), ...(place === "" ? [] : [codeSpan(place)])];
      return `- ${kind === "swap" ? `${signs.swap} ` : ""}${[what, ...after].join(" · ")}\n`;
    });
}

/** The names that a change leaves without an answer. */
function gapRows({ name, lines }: ZoneChanges): string[] {
  return lines.flatMap(({ owner, gaps = [] }) =>
    gaps.map((text) => `- ${codeSpan(ownerText(owner, name))} ${prose(text)}\n`),
  );
}
