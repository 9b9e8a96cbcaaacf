import { escapeControl } from "../../diagnostics/escape.ts";
import {
  approvalLine,
  commentDigest,
  type Marker,
  type Push,
  shortHashes,
  splitHashes,
  writeMarker,
} from "../../github/marker.ts";
import type { OtherPullRequest } from "../../github/others.ts";
import { type Effect, effectsOf } from "../../planner/changes/effects.ts";
import { codeSpan, prose } from "../format/markdown.ts";
import { shorten } from "../text/columns.ts";
import { nameText } from "../text/name-text.ts";
import { isOfTargets } from "../text/on-targets.ts";
import { fitPlan, githubComment } from "./markdown.ts";
import { digestPlanned, type Planned, type TargetPlans } from "./sections.ts";

/** The pull request that a plan is commented on. */
export interface CommentContext {
  /** Separates the comments of several configurations. */
  readonly key: string;
  /** The head commit of the pull request, in full. */
  readonly commit: string;
  /** Grows with each run; 0 if unknown. */
  readonly run: number;
  readonly now: Date;
  /**
   * Gives the digest of the plan file that is uploaded, for the digest of the comment that it has to contain. That file
   * is the only one that is approved.
   */
  readonly planOf?: ((comment: string) => string) | undefined;
  /** The marker of the comment that this one replaces, or of the last one before it. */
  readonly previous: Marker | undefined;
  readonly others: readonly OtherPullRequest[];
  /** A sentence above the plan, without its full stop. */
  readonly lead?: string | undefined;
  /** Whether later runs write new comments instead of this one. */
  readonly isFinal?: boolean;
  /** The address of the full report (http or https). */
  readonly reportUrl?: string | undefined;
  /** Most octets of the comment, its marker included. */
  readonly budget?: number;
}

/** The most effects, zones and texts that a marker holds: 20,000 octets at most. */
const most = { effects: 1000, zones: 200, texts: 100, textOctets: 6000, pushes: 20 };
/** The most octets of each part below the plan. */
const partBudget = 4000;

/**
 * The comment on a pull request: the plan, what has changed since the last push, other pull requests that change the
 * same zones, and the plans of earlier pushes. All of it fits into the budget; what does not is counted.
 */
export function pullRequestComment(planned: Planned, context: CommentContext): { body: string; isEmpty: boolean } {
  const { key, commit, previous, others, reportUrl, planOf, budget = githubComment.budget ?? 60_000 } = context;
  const effects = effectsIn(planned);
  const marker = markerOf(digestPlanned(planned), effects, context);
  const lead = context.lead === undefined ? "" : `${sentence(context.lead)}\n\n`;
  const start = (isWhole: boolean, plan = planOf && "0".repeat(64)) =>
    writeMarker(key, { ...(plan !== undefined && { plan }), ...marker, isWhole }) + lead;
  const end = [
    previous === undefined ? "" : changesSince(previous, marker, effects),
    othersPart(others),
    historyPart(marker.history),
    configPart(key),
  ].join("");
  const left = budget - Buffer.byteLength(start(false)) - Buffer.byteLength(end);
  // The checkout, and so the commit of the report, may be a merge of the pull request.
  const limits = { ...githubComment, reportUrl, budget: left, door: "action" } as const;
  const { text, isWhole } = fitPlan(ofCommit(planned, commit), limits, notShownPart(marker));
  const shown = text + end;
  const plan = planOf?.(commentDigest(start(isWhole) + shown));
  return { body: start(isWhole, plan) + shown, isEmpty: effects.length === 0 };
}

function ofCommit(planned: Planned, commit: string): Planned {
  if (!isOfTargets<TargetPlans>(planned)) return { ...planned, commit };
  const plans = planned.plans.map(({ target, report }) => ({ target, report: { ...report, commit } }));
  return { ...planned, plans };
}

/** An effect, and its target as the end of a text: ` on office`; empty for a project with at most one. */
interface PlacedEffect extends Effect {
  readonly on: string;
}

function effectsIn(planned: Planned): PlacedEffect[] {
  const plans = isOfTargets<TargetPlans>(planned)
    ? planned.plans.map(({ target, report }) => ({ report, on: ` on ${target}` }))
    : [{ report: planned, on: "" }];
  return plans.flatMap(({ report, on }) => effectsOf(report.plan).map((effect) => ({ ...effect, on })));
}

/** How to approve effects that the comment does not show. */
function notShownPart({ digest }: Marker): string {
  return `**This comment does not show every change in full, so it approves nothing by itself.** Read the full report. A reviewer who may push then approves all of it with a comment that has this line:\n\n\`\`\`text\n${approvalLine(digest)}\n\`\`\`\n\n`;
}

function sentence(text: string): string {
  return prose(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`);
}

/** The names of the zones that a plan changes, sorted. */
export function changedZones(planned: Planned): string[] {
  return zonesOf(effectsIn(planned));
}

function zonesOf(effects: readonly Effect[]): string[] {
  return [...new Set(effects.map(({ zone }) => zone))].sort();
}

function markerOf(digest: string, effects: readonly PlacedEffect[], context: CommentContext): Marker {
  const { commit, run, now, previous, isFinal = false } = context;
  const push: Push = { commit, digest: digest.slice(0, 8), at: Math.floor(now.getTime() / 1000) };
  const before = (previous?.history ?? []).filter((past) => past.commit !== commit);
  const texts: string[] = [];
  let octets = 0;
  for (const effect of effects.slice(0, most.texts)) {
    const text = effectText(effect);
    octets += text.replace(/[^\w .*]/g, "\\u0000").length + 3; // as the marker escapes it
    if (octets > most.textOctets) break;
    texts.push(text);
  }
  return {
    version: 1,
    digest,
    commit,
    effects: effects.length,
    run,
    isFinal,
    history: [...before, push].slice(-most.pushes),
    hashes: shortHashes(effects.slice(0, most.effects).map(effectKey)),
    texts,
    zones: shortHashes(zonesOf(effects).slice(0, most.zones)),
  };
}

function effectKey({ zone, kind, name, type, before, after, on }: PlacedEffect): string {
  return JSON.stringify([zone, kind, name, type, before, after, ...(on === "" ? [] : [on])]);
}

/** An effect without its values: `delete old-vpn.example.com A`. */
function effectText({ kind, name, type, on }: PlacedEffect): string {
  return shorten(escapeControl(`${kind} ${nameText(name)} ${type}${on}`), { width: 100, ellipsis: "…" });
}

/** Effects that are new since the last push, and those that are no longer planned. */
function changesSince(previous: Marker, marker: Marker, effects: readonly PlacedEffect[]): string {
  const last =
    previous.commit === marker.commit
      ? "the last plan of this commit"
      : `the last push (${codeSpan(previous.commit.slice(0, 7))})`;
  if (previous.digest === marker.digest) return `\nSince ${last}: the same effects\n`;
  const past = splitHashes(previous.hashes).map((hash, index) => ({ hash, text: previous.texts[index] }));
  const present = effects.map((effect) => ({ hash: shortHashes([effectKey(effect)]), text: effectText(effect) }));
  const isWhole = past.length === previous.effects;
  const added = findMissing(past, present);
  const removed = findMissing(present, past);
  const rows = [
    ...(isWhole ? added.map(({ text }) => `- new: ${codeSpan(text)}\n`) : []),
    ...removed.flatMap(({ text }) => (text === undefined ? [] : [`- no longer planned: ${codeSpan(text)}\n`])),
  ];
  const untold = removed.filter(({ text }) => text === undefined).length;
  const head =
    effects.length === 0
      ? `**The plan is empty now**: no change of ${last} is planned any more`
      : isWhole
        ? `**Since ${last}**: ${added.length} new, ${removed.length} no longer planned`
        : `**Since ${last}**: at least ${removed.length} no longer planned; that plan was too large to compare all of it`;
  return `\n${head}\n${fitRows(rows, untold)}`;
}

/** The items whose hash occurs more often among them than in the list. */
function findMissing<T extends { readonly hash: string }>(list: readonly { readonly hash: string }[], items: T[]): T[] {
  const left = new Map<string, number>();
  for (const { hash } of list) left.set(hash, (left.get(hash) ?? 0) + 1);
  return items.filter(({ hash }) => {
    const number = left.get(hash) ?? 0;
    if (number > 0) left.set(hash, number - 1);
    return number === 0;
  });
}

const mostNames = 5;

function othersPart(others: readonly OtherPullRequest[]): string {
  if (others.length === 0) return "";
  const rows = others.map(({ number, zones }) => {
    const names = zones.slice(0, mostNames).map((zone) => codeSpan(zone.replace(/\.$/, "")));
    const more = zones.length > mostNames ? [`${zones.length - mostNames} more`] : [];
    return `- #${number}: ${[...names, ...more].join(", ")}\n`;
  });
  return `\n**Other open pull requests that change the same zones**\n${fitRows(rows)}`;
}

function historyPart(history: readonly Push[]): string {
  const [first] = history;
  const last = history.at(-1);
  if (first === undefined || last === undefined || history.length < 2) return "";
  const rows = history.toReversed().map(({ commit, digest, at }) => {
    const time = new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ");
    return `- ${codeSpan(commit.slice(0, 7))} · effects ${codeSpan(digest.slice(0, 8))} · ${time} UTC\n`;
  });
  const title = history.length === 2 ? "1 push ago" : `${history.length - 1} pushes ago`;
  const digests = `<code>${first.digest.slice(0, 8)}</code> → now <code>${last.digest.slice(0, 8)}</code>`;
  return `\n<details><summary>${title} ${digests}</summary>\n\n${rows.join("")}\n</details>\n`;
}

function configPart(key: string): string {
  return key === "default" ? "" : `\nConfig: ${codeSpan(shorten(escapeControl(key), { width: 100, ellipsis: "…" }))}\n`;
}

/** As many rows as fit; the rest is counted, with `untold` further ones. */
function fitRows(rows: readonly string[], untold = 0): string {
  let text = "";
  let shown = 0;
  for (const row of rows) {
    if (Buffer.byteLength(text + row) > partBudget) break;
    text += row;
    shown++;
  }
  const left = rows.length - shown + untold;
  return left === 0 || rows.length === 0 ? text : `${text}- and ${left} more\n`;
}
