import type { Plan } from "../../../src/planner/changes/change.ts";
import { Random } from "../../executor/random.ts";
import { applyWorld } from "./by-executor.ts";
import { declaredGaps } from "./declared.ts";
import { atRandom, byId } from "./order.ts";
import { Orders } from "./orders.ts";
import { printPage } from "./page.ts";
import type { DarkService } from "./service.ts";
import { type Outcome, runPlan } from "./trial.ts";
import { type DarkWorld, planWorld } from "./world.ts";

/**
 * A fault in the plan of a world: a gap that it does not declare, a declared gap that does not occur, a gap that
 * another order avoids, a new pointer before its target although another order has it after, an order that is blocked
 * although a good one exists, or a failure.
 */
export type Kind = "undeclared" | "not dark" | "avoidable" | "dangling" | "held" | "failed";

export interface Finding {
  readonly kind: Kind;
  readonly page: string;
}

export interface Judged {
  readonly findings: readonly Finding[];
  readonly writes: number;
  readonly gaps: number;
  readonly hasAllOrders: boolean;
  readonly isBlocked: boolean;
}

export interface JudgeOptions {
  readonly seed: number;
  /** The number of random orders to try besides that of the ids. */
  readonly orders: number;
  /** Whether the executor applies it too. */
  readonly isApplied?: boolean;
  /** The only kind to look for, if given. */
  readonly kind?: Kind;
}

/** Carries a world out in the order of the ids and in some random ones, and looks at all orders where they are few. */
export async function judge(
  service: DarkService,
  world: DarkWorld,
  { seed, orders, isApplied = false, kind }: JudgeOptions,
): Promise<Judged> {
  const random = new Random(seed);
  const findings: Finding[] = [];
  let first: Outcome | undefined;
  try {
    first = await runPlan(service, world, byId);
    const { undeclared, unseen } = first;
    const isBlocked = first.plan.unproved.length > 0;
    const isWanted =
      kind === undefined || kind === "avoidable" || kind === "dangling" || (kind === "held" && isBlocked);
    const all = isWanted ? await allOrders(service, world, first) : { findings: [], orders: undefined };
    const hasAllOrders = all.orders !== undefined;
    const result = { writes: first.writes.length, gaps: first.moments.length, hasAllOrders, isBlocked };
    if (isBlocked) return { ...result, findings: all.findings };
    const lookAtPointers = (outcome: Outcome, ran: string) => {
      const dangling = all.orders && avoidableDangling(all.orders, outcome);
      if (dangling) findings.push(newFinding("dangling", world, outcome, { ran, ...dangling }));
    };
    if (undeclared.length > 0)
      findings.push(newFinding("undeclared", world, first, { ran: "in the order of the ids" }));
    if (unseen.length > 0) findings.push(newFinding("not dark", world, first));
    findings.push(...all.findings);
    lookAtPointers(first, "in the order of the ids");
    for (let order = 0; order < orders && findings.length === 0 && kind !== "avoidable"; order++) {
      const other = await runPlan(service, world, atRandom(random), first);
      if (other.undeclared.length > 0)
        findings.push(newFinding("undeclared", world, other, { ran: "in a random order" }));
      lookAtPointers(other, "in a random order");
    }
    if (findings.length === 0 && isApplied) {
      const applied = await applyWorld(service, world, first);
      if (applied.undeclared.length > 0)
        findings.push(newFinding("undeclared", world, applied, { ran: "by the executor" }));
      lookAtPointers(applied, "by the executor");
    }
    return { ...result, findings };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const none = {
      plan: planWorld(world, await service.begin(world)),
      writes: [],
      moments: [],
      undeclared: [],
      unseen: [],
      dangling: [],
    };
    const page = printPage(world, first ?? none, { kind: "failed", message });
    return { findings: [{ kind: "failed", page }], writes: 0, gaps: 0, hasAllOrders: false, isBlocked: false };
  }
}

async function allOrders(
  service: DarkService,
  world: DarkWorld,
  outcome: Outcome,
): Promise<{ findings: Finding[]; orders: Orders | undefined }> {
  const stored = await service.begin(world);
  const plan = planWorld(world, stored);
  const orders = await Orders.of(world, plan, stored);
  if (orders === undefined) return { findings: [], orders };
  if (plan.unproved.length > 0) {
    const order = orders.within(new Set());
    if (order === undefined) return { findings: [], orders };
    return { findings: [newFinding("held", world, outcome, { good: orders.describe(order) })], orders };
  }
  const declared = declaredKeys(plan);
  for (const one of declared) {
    const order = orders.within(new Set(declared.filter((other) => other !== one)));
    if (order === undefined) continue;
    const finding = newFinding("avoidable", world, outcome, { avoidable: one, good: orders.describe(order) });
    return { findings: [finding], orders };
  }
  return { findings: [], orders };
}

/**
 * A new pointer that came before its target, and an order in which it does not, with no other gap and no other such
 * pointer.
 */
function avoidableDangling(
  orders: Orders,
  { plan, dangling }: Outcome,
): { dangling: string; good: string[] } | undefined {
  const gaps = new Set(declaredKeys(plan));
  for (const one of dangling) {
    const order = orders.within(gaps, new Set(dangling.filter((other) => other !== one)));
    if (order) return { dangling: one, good: orders.describe(order) };
  }
  return undefined;
}

function declaredKeys(plan: Plan): string[] {
  return [...declaredGaps(plan)].flatMap(([owner, types]) => [...types].map((type) => `${owner} ${type}`));
}

function newFinding(kind: Kind, world: DarkWorld, outcome: Outcome, more: object = {}): Finding {
  return { kind, page: printPage(world, outcome, { kind, ...more }) };
}
