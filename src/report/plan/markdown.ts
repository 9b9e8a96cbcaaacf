import { count } from "../../diagnostics/quantities.ts";
import { isEmpty, type Plan, unsupportedSets } from "../../planner/changes/change.ts";
import { digestPlan } from "../../planner/changes/effects.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { failuresMarkdown } from "../findings/markdown.ts";
import { codeSpan, link } from "../format/markdown.ts";
import { type MarkdownLimits, section, utf8Length } from "../format/markdown-sections.ts";
import { nameText } from "../text/name-text.ts";
import { isOfTargets } from "../text/on-targets.ts";
import { palette } from "../text/palette.ts";
import { onTargets, shareItems, shareTexts } from "../text/shared-items.ts";
import { shownBlock } from "./guards.ts";
import { countTexts, type FittedPlan, type PlanContent, renderPlan, skippedRow } from "./markdown-parts.ts";
import { changingTargets, digestPlanned, namesOfTargets, type Planned, type TargetPlans } from "./sections.ts";
import { type ShownChanges, sharedChanges, shownChanges, type TargetPlan } from "./shared-changes.ts";
import { differenceTexts, sharedNotes } from "./shared-notes.ts";
import { skippedTexts } from "./skipped.ts";
import { countChanges, sendsText, setsText } from "./text.ts";

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

/**
 * Fits a plan in Markdown into a number of octets: if not all of it fits, values are shortened, and the most dangerous
 * changes get their place first. `partial` is text at the top of a plan that is not whole.
 */
export function fitPlan(planned: Planned, limits: MarkdownLimits, partial = ""): FittedPlan {
  const render = (limits: MarkdownLimits) =>
    isOfTargets<TargetPlans>(planned) ? renderTargets(planned, limits) : renderPlan(contentOf(planned, limits), limits);
  const whole = render({ ...limits, valueWidth: Number.POSITIVE_INFINITY });
  if (whole.isWhole) return whole;
  const budget = limits.budget === undefined ? {} : { budget: limits.budget - Buffer.byteLength(partial) };
  const { text } = render({ ...limits, ...budget });
  return { text: partial + text, isWhole: false };
}

/** The plans of several targets as one, with a total for each, and why the others could not be planned. */
function renderTargets(planned: TargetPlans, { budget, ...limits }: MarkdownLimits): FittedPlan {
  const { failed, plans } = planned;
  const { door = "cli" } = limits;
  const changing = changingTargets(planned);
  const facts = [
    ...(changing === undefined ? [] : [`Changes on ${changing}`]),
    ...(failed.length === 0 ? [] : [`not planned ${onTargets(failed.map(({ target }) => target))}`]),
    ...(changing === undefined ? [] : [`effects ${digestSpan(digestPlanned(planned))}`]),
  ];
  const head = facts.length === 0 ? "" : `${facts.join(" · ")}\n\n`;
  const failures = failuresMarkdown(title, failed, door);
  const left = budget === undefined ? {} : { budget: budget - utf8Length([head, "", ...failures].join("\n")) };
  const parts = plans.length === 0 ? [] : [renderPlan(contentOfTargets(planned, limits), { ...limits, ...left })];
  const text = head + [...parts.map(({ text }) => text), ...failures].join("\n");
  return { text, isWhole: parts.every(({ isWhole }) => isWhole) };
}

function contentOfTargets(planned: TargetPlans, limits: MarkdownLimits): PlanContent {
  const { plans } = planned;
  const { door = "cli" } = limits;
  const targets = namesOfTargets(planned);
  const { zones, otherBlocks } = sharedChanges(plans, targets, symbols);
  const blocks = [...zones.flatMap((zone) => zone.blocks), ...otherBlocks];
  const skipped = shareItems(
    plans.map(({ target, report }) => ({ target, items: report.skipped ?? [] })),
    (zone) => JSON.stringify(zone),
  );
  return {
    head: headOfTargets(plans, { zones, blocks }, limits),
    zones,
    blocks,
    until: plans[0]?.report.ackUntil ?? "",
    skipped: skipped.map(({ targets: on, items: [zone] }) =>
      skippedRow(zone, door, on.length < targets.length ? ` (${onTargets(on)})` : ""),
    ),
    stored: section(
      "Differences by target",
      "target",
      differenceTexts(planned, (sets) => setsText(sets, codeSpan)).map((text) => `- ${text}\n`),
    ),
    notes: sharedNotes(planned),
    end: allText(digestPlanned(planned), limits),
  };
}

function contentOf(report: PlanReport, limits: MarkdownLimits): PlanContent {
  const { plan, guards, ackUntil, notes, skipped = [] } = report;
  const { door = "cli" } = limits;
  const { zones } = shownChanges(report, symbols);
  return {
    head: head(report, zones, limits),
    zones,
    blocks: guards.map(shownBlock),
    until: ackUntil,
    skipped: skipped.map((zone) => skippedRow(zone, door)),
    stored: section(
      "Not sent: the service cannot store these",
      "record set",
      unsupportedSets(plan).map(({ name, type }) => `- ${codeSpan(nameText(name))} ${type}\n`),
    ),
    notes,
    end: allText(digestPlan(plan), limits),
  };
}

/** The line below a report from which something was left out. */
function allText(digest: string, { reportUrl }: MarkdownLimits): string {
  if (reportUrl === undefined) return "";
  return `\n${link("The full report", reportUrl)} shows all changes, with the effects ${digestSpan(digest)}.\n`;
}

function digestSpan(digest: string): string {
  return codeSpan(digest.slice(0, 8));
}

const title = "Plan of zones";

function head(report: PlanReport, zones: ShownChanges["zones"], limits: MarkdownLimits): string {
  const { plan, guards } = report;
  const all = count(plan.inSync + zones.length, "zone");
  const origin = [...unsupportedTexts(plan), ...originFacts(report), ...reportFacts(limits)];
  const leftOut = skippedTexts(report);
  if (isEmpty(plan)) {
    const facts = [`${all}, nothing to do`, ...origin].join(" · ");
    return `### ${title}: ${["in sync", ...leftOut].join(", ")}\n\n${facts}\n`;
  }
  const verdict = [changesText(plan, { zones }), ...missingTexts(guards), ...leftOut];
  const facts = [...countTexts(zones), `effects ${digestSpan(digestPlan(plan))}`, sendsText(report), ...origin];
  return `### ${title}: ${verdict.join(", ")}\n\n${facts.join(" · ")}\n`;
}

/** The verdict and facts of all targets, then a total for each. */
function headOfTargets(
  plans: readonly TargetPlan[],
  { zones, blocks }: Pick<PlanContent, "zones" | "blocks">,
  limits: MarkdownLimits,
): string {
  const targets = plans.map(({ target }) => target);
  const verdict =
    zones.length === 0
      ? ["in sync"]
      : [`${count(countChanges({ zones }), "change")} in ${count(zones.length, "zone")}`, ...missingTexts(blocks)];
  const origins = plans.map(({ target, report }) => ({ target, items: originFacts(report) }));
  const facts = [...countTexts(zones), ...shareTexts(origins, targets), ...reportFacts(limits)].join(" · ");
  const totals = plans.map(({ target, report }) => `- ${onTargets([target])}: ${totalText(report)}\n`).join("");
  return `### ${title} ${onTargets(targets)}: ${verdict.join(", ")}\n\n${facts === "" ? "" : `${facts}\n\n`}${totals}`;
}

/** The changes on a target and the requests, on one line. */
function totalText(report: PlanReport): string {
  const { plan } = report;
  const leftOut = skippedTexts(report);
  if (isEmpty(plan)) return [`${count(plan.inSync, "zone")} in sync, nothing to do`, ...leftOut].join(" · ");
  const { zones } = shownChanges(report, symbols);
  const verdict = changesText(plan, { zones });
  return [verdict, ...leftOut, `effects ${digestSpan(digestPlan(plan))}`, sendsText(report)].join(" · ");
}

function changesText({ inSync }: Plan, { zones }: Pick<ShownChanges, "zones">): string {
  return `${count(countChanges({ zones }), "change")} in ${zones.length} of ${count(inSync + zones.length, "zone")}`;
}

function missingTexts(blocks: readonly Pick<PlanContent["blocks"][number], "state">[]): string[] {
  const missing = blocks.filter(({ state }) => state === "blocked").length;
  return missing > 0 ? [`${count(missing, "approval")} missing`] : [];
}

function unsupportedTexts({ unsupported: { length } }: Plan): string[] {
  return length > 0 ? [`${count(length, "unsupported record")} not sent`] : [];
}

/** The commit and the live zones that the plan compares. */
function originFacts({ commit, observed }: PlanReport): string[] {
  return [
    ...(commit === undefined ? [] : [`commit ${codeSpan(commit.slice(0, 7))}`]),
    ...(observed ? [observedText(observed)] : []),
  ];
}

/** The address of the full report. */
function reportFacts({ reportUrl }: MarkdownLimits): string[] {
  return reportUrl === undefined ? [] : [link("full report", reportUrl)];
}

function observedText({ from, time }: NonNullable<PlanReport["observed"]>): string {
  const text = `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return from === "service" ? `live zones as of ${text}` : `compared with a snapshot of ${text}`;
}
