import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { JudgedBlock } from "../../planner/blocks/acks.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import type { Line, LineKind, Symbols } from "../text/line.ts";
import { nameText } from "../text/name-text.ts";
import { numberSteps } from "../text/step-numbers.ts";
import { guardMarks } from "./guards.ts";
import { handEditEffects } from "./hand-edit-effects.ts";
import { lineOfDeletion, linesOf } from "./lines.ts";

/** The changes of one zone, as every report shows them. */
export interface ZoneChanges {
  readonly name: Name;
  /** In the order of their writes. */
  readonly lines: readonly Line[];
  /** Changes that guards block, and their approvals. */
  readonly blocks: readonly JudgedBlock[];
}

/** The changes of each zone, and the blocks of no zone of the plan. */
export interface PlanChanges {
  readonly zones: readonly ZoneChanges[];
  readonly otherBlocks: readonly JudgedBlock[];
  /** The round of each step: all steps of a round can be sent at once when those before it are done. */
  readonly rounds: ReadonlyMap<number, number>;
}

export const lineKinds: readonly LineKind[] = ["create", "change", "swap", "delete"];

export function changesOf(
  { plan, guards, handEdits = [] }: Pick<PlanReport, "plan" | "guards" | "handEdits">,
  symbols: Symbols,
): PlanChanges {
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
      const edits = handEditEffects(handEdits, nameKey(name));
      return { name, lines: linesOf(zone, symbols, { marks: guardMarks(own), edits }, numbers), blocks: own };
    }),
    ...plan.deletions.map((zone): ZoneChanges => {
      const own = blocksOf(zone.name);
      return { name: zone.name, lines: [lineOfDeletion(zone, guardMarks(own), numbers)], blocks: own };
    }),
  ];
  const isAbout = new Set<NameKey | "*">(zones.map(({ name }) => nameKey(name)));
  return { zones, otherBlocks: guards.filter(({ zone }) => !isAbout.has(zone)), rounds: numbers.rounds };
}

export function countLines(lines: readonly Line[], wanted: LineKind): number {
  return lines.filter(({ kind }) => kind === wanted).length;
}

/** The longest time that resolvers may keep old answers, in seconds; 0 if there are none. */
export function countSettling(lines: readonly Line[]): number {
  return lines.reduce((most, { settling }) => Math.max(most, settling), 0);
}

/** The absolute owner name of a line, without its final dot. */
export function absoluteOwner(owner: string, zone: Name): string {
  const apex = nameText(zone);
  if (owner === "@") return apex;
  if (owner === "(zone)") return `${apex} (zone)`;
  return owner.endsWith(".") ? owner.slice(0, -1) : `${owner}.${apex}`;
}
