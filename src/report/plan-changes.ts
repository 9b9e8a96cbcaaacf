import { type Name, type NameKey, nameKey } from "../dns/name.ts";
import type { JudgedBlock } from "../planner/acks.ts";
import type { Deletion, ZonePlan } from "../planner/change.ts";
import type { PlanReport } from "../workflow/plan-report.ts";
import type { Line, LineKind, Symbols } from "./line.ts";
import { guardMarks } from "./plan-guards.ts";
import { lineOfDeletion, linesOf } from "./plan-lines.ts";
import { numberSteps } from "./step-numbers.ts";

/** The changes of one zone, as every report shows them. */
export interface ZoneChanges {
  readonly name: Name;
  /** In the order of their writes. */
  readonly lines: readonly Line[];
  /** Changes that guards block, and their approvals. */
  readonly blocks: readonly JudgedBlock[];
  /** The longest time that resolvers may keep old answers, in seconds. */
  readonly settling: number;
}

/** The changes of each zone, and the blocks of no zone of the plan. */
export interface PlanChanges {
  readonly zones: readonly ZoneChanges[];
  readonly otherBlocks: readonly JudgedBlock[];
}

export const lineKinds: readonly LineKind[] = ["create", "change", "swap", "delete"];

export function changesOf({ plan, guards }: Pick<PlanReport, "plan" | "guards">, symbols: Symbols): PlanChanges {
  const numbers = numberSteps(plan);
  const blocks = new Map<NameKey | "*", JudgedBlock[]>();
  for (const block of guards) {
    const list = blocks.get(block.zone);
    if (list) list.push(block);
    else blocks.set(block.zone, [block]);
  }
  const blocksOf = (name: Name) => blocks.get(nameKey(name)) ?? [];
  const zones = [
    ...plan.zones.map((zone): ZoneChanges => {
      const { name } = zone.zone;
      const own = blocksOf(name);
      return { name, lines: linesOf(zone, symbols, guardMarks(own), numbers), blocks: own, settling: settlingOf(zone) };
    }),
    ...plan.deletions.map((zone): ZoneChanges => {
      const own = blocksOf(zone.name);
      const lines = [lineOfDeletion(zone, guardMarks(own), numbers)];
      return { name: zone.name, lines, blocks: own, settling: settlingOfDeletion(zone) };
    }),
  ];
  const isAbout = new Set<NameKey | "*">(zones.map(({ name }) => nameKey(name)));
  return { zones, otherBlocks: guards.filter(({ zone }) => !isAbout.has(zone)) };
}

export function countKind(lines: readonly Line[], wanted: LineKind): number {
  return lines.filter(({ kind }) => kind === wanted).length;
}

function settlingOf({ steps, activation, defaultTtl }: ZonePlan): number {
  const ttls = steps.flatMap(({ writes }) =>
    writes.map((write) => (write.kind === "create" ? 0 : (write.before.ttl ?? defaultTtl.before))),
  );
  const gaps = [...steps.flatMap(({ gaps = [] }) => gaps), ...(activation?.gaps ?? [])];
  return longest([...ttls, ...gaps.map(({ seconds }) => seconds)]);
}

function settlingOfDeletion({ records, settings, defaultTimes }: Deletion): number {
  return longest(records.map(({ ttl }) => ttl ?? (settings.ttl_sec || defaultTimes.ttl_sec)));
}

function longest(seconds: readonly number[]): number {
  return seconds.reduce((most, next) => Math.max(most, next), 0);
}
