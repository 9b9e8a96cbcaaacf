import { ancestors, isWildcard, type NameKey, parent, wildcardBelow, withLabel } from "../../dns/name/name.ts";
import { subject } from "../changes/change.ts";
import { Answers } from "./answers.ts";
import type { NameChange, PlannedStep } from "./draft.ts";
import { afterAll, beforeAll, type Milestones, type OverlayZone, type Phase } from "./overlay.ts";
import { anyLabel, gapCost, type Probe, typesAnswered } from "./probes.ts";

/**
 * Orders the writes of swaps so that as few types as possible lose their answer. While a name has any record, no
 * wildcard matches it (RFC 4592 §3.3.1). Therefore, of the types that a CNAME record replaces, the last one deleted may
 * keep its answer, and of those that replace a CNAME, the first one created.
 *
 * `overlay` is no longer valid if the result is true.
 */
export function orderSwaps(overlay: ReadonlyMap<NameKey, OverlayZone>, milestones: Milestones): boolean {
  const answers = new Answers(overlay, milestones);
  let isReordered = false;
  for (const zone of overlay.values()) {
    for (const nameChange of zone.nameChanges.values()) {
      for (const swap of nameChange.drafts) {
        const types = milestones.of(swap).kind === "swap" ? typesOf(swap) : [];
        if (types.length < 2 || !hasWildcardAbove(zone, nameChange)) continue;
        const best = bestOrder(swap, types, { probes: probesAt(nameChange.owner, answers), answers });
        if (best.every((write, index) => write === swap.writes[index])) continue;
        swap.writes = best;
        isReordered = true;
      }
    }
  }
  return isReordered;
}

/** The types other than CNAME in a swap of a CNAME record; empty for other steps. */
function typesOf({ kind, writes }: PlannedStep): string[] {
  const types = new Set(kind === "swap" ? writes.map((write) => subject(write).type) : []);
  return types.delete("CNAME") ? [...types] : [];
}

/** Whether a wildcard, before or after, matches the name or the names below it once its records are deleted. */
function hasWildcardAbove({ apex, draft }: OverlayZone, { owner }: NameChange): boolean {
  for (const below of ancestors(isWildcard(owner) ? parent(owner) : owner, apex)) {
    const wildcard = wildcardBelow(parent(below));
    if (draft?.before.has(wildcard) || draft?.after.has(wildcard)) return true;
  }
  return false;
}

function probesAt(owner: NameKey, answers: Answers): Probe[] {
  const name = isWildcard(owner) ? withLabel(anyLabel, parent(owner)) : owner;
  return typesAnswered(answers, name, owner).map((type) => ({ name, type, shown: owner }));
}

interface Question {
  readonly probes: readonly Probe[];
  readonly answers: Answers;
}

function bestOrder(swap: PlannedStep, types: readonly string[], question: Question): PlannedStep["writes"] {
  let best = swap.writes;
  let least = orderCost(swap, best, question);
  for (const type of types) {
    const order = withOutermost(swap.writes, type);
    const cost = orderCost(swap, order, question);
    if (cost < least) [best, least] = [order, cost];
  }
  return best;
}

/** Moves the deletes of a type after the other deletes, and its creates before the other creates. */
function withOutermost(writes: PlannedStep["writes"], type: string): PlannedStep["writes"] {
  const rank = (write: PlannedStep["writes"][number]) => {
    const isOutermost = subject(write).type === type;
    if (write.kind === "delete") return isOutermost ? 1 : 0;
    if (write.kind === "update") return 2;
    return isOutermost ? 3 : 4;
  };
  return writes.toSorted((a, b) => rank(a) - rank(b));
}

/** The cost of an order of a swap's writes: the lower one of doing the other steps after or before it. */
function orderCost(swap: PlannedStep, order: PlannedStep["writes"], { probes, answers }: Question): number {
  const milestone = answers.milestones.of(swap);
  const costs = [beforeAll, afterAll].map((others) => {
    const done = new Set<PlannedStep["writes"][number] | undefined>();
    const phase: Phase = (other, index) => (other === milestone ? done.has(swap.writes[index]) : others(other, index));
    const dark = new Set<Probe>();
    for (const write of order.slice(0, -1)) {
      done.add(write);
      for (const probe of probes) if (answers.end(probe.name, probe.type, phase) === undefined) dark.add(probe);
    }
    return [...dark].reduce((sum, probe) => sum + gapCost(probe), 0);
  });
  return Math.min(...costs);
}
