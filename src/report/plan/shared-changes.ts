import { type Name, nameKey } from "../../dns/name/name.ts";
import { findingTexts, type JudgedBlock } from "../../planner/blocks/acks.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import type { Line, Symbols } from "../text/line.ts";
import { onTargets, shareItems, shareTexts } from "../text/shared-items.ts";
import { changesOf, type ZoneChanges } from "./changes.ts";
import { type ShownBlock, shownBlock } from "./guards.ts";

/** The plan of a target. */
export interface TargetPlan {
  readonly target: string;
  readonly report: PlanReport;
}

/** The changes of a zone as a report shows them: those of one plan, or of all targets that change it. */
export interface ShownZone {
  readonly name: Name;
  /** The targets that change it: `on public, office`; empty for a project with at most one. */
  readonly on: string;
  readonly lines: readonly Line[];
  readonly blocks: readonly ShownBlock[];
}

/** The zones with changes, and the blocks of no such zone. */
export interface ShownChanges {
  readonly zones: readonly ShownZone[];
  readonly otherBlocks: readonly ShownBlock[];
}

/** The changes of one plan. */
export function shownChanges(
  report: Pick<PlanReport, "plan" | "guards" | "handEdits">,
  symbols: Symbols,
): ShownChanges {
  const { zones, otherBlocks } = changesOf(report, symbols);
  return {
    zones: zones.map(({ name, lines, blocks }) => ({ name, on: "", lines, blocks: blocks.map(shownBlock) })),
    otherBlocks: otherBlocks.map(shownBlock),
  };
}

/**
 * The changes of several targets: each zone of a file, change and finding once, with its targets where not all have it.
 * `targets` are all of the plan. The number of a step is that of the first target that has it.
 */
export function sharedChanges(
  plans: readonly TargetPlan[],
  targets: readonly string[],
  symbols: Symbols,
): ShownChanges {
  const changes = plans.map(({ target, report }) => ({ target, ...changesOf(report, symbols) }));
  const zones = shareItems(
    changes.map(({ target, zones }) => ({ target, items: zones })),
    ({ name, file = "" }) => `${nameKey(name)} ${file}`,
  );
  return {
    zones: zones.map(({ targets, items }) => sharedZone(items[0].name, targets, items)),
    otherBlocks: sharedBlocks(
      changes.map(({ target, otherBlocks }) => ({ target, items: otherBlocks })),
      targets,
    ),
  };
}

function sharedZone(name: Name, targets: readonly string[], zones: readonly ZoneChanges[]): ShownZone {
  const of = <T>(itemsOf: (zone: ZoneChanges) => readonly T[]) =>
    zones.map((zone, index) => ({ target: targets[index] ?? "", items: itemsOf(zone) }));
  const lines = shareItems(
    of(({ lines }) => lines),
    ({ kind, owner, typeAndTtl, values, place }) => JSON.stringify([kind, owner, typeAndTtl, values, place]),
    ({ kind, owner, typeAndTtl: [type] = [""] }) => `${kind} ${type} ${owner}`,
  );
  return {
    name,
    on: onTargets(targets),
    lines: lines.map(({ targets: on, items }) => sharedLine(on, items, targets)),
    blocks: sharedBlocks(
      of(({ blocks }) => blocks),
      targets,
    ),
  };
}

/** A change of some targets of a zone; a consequence that not all of them have names those that do. */
function sharedLine(on: readonly string[], lines: readonly [Line, ...Line[]], targets: readonly string[]): Line {
  const texts = (of: (line: Line) => readonly string[] | undefined) =>
    shareTexts(
      lines.map((line, index) => ({ target: on[index] ?? "", items: of(line) ?? [] })),
      on,
    );
  return {
    ...lines[0],
    ...(on.length < targets.length && { on: onTargets(on) }),
    marks: texts(({ marks }) => marks),
    gaps: texts(({ gaps }) => gaps),
    effects: texts(({ effects }) => effects),
    settling: Math.max(...lines.map(({ settling }) => settling)),
  };
}

/** Blocks of a guard that are approved alike as one, with each finding once. */
function sharedBlocks(
  lists: readonly { readonly target: string; readonly items: readonly JudgedBlock[] }[],
  targets: readonly string[],
): ShownBlock[] {
  const shared = shareItems(lists, ({ guard, zone, state, reason }) => JSON.stringify([guard, zone, state, reason]));
  return shared.map(({ targets: on, items: blocks }) => ({
    ...blocks[0],
    ...(on.length < targets.length && { on: onTargets(on) }),
    texts: shareTexts(
      blocks.map((block, index) => ({ target: on[index] ?? "", items: findingTexts(block) })),
      targets,
    ),
    blocks,
  }));
}
