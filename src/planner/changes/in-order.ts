/**
 * The strength of a dependency: mandatory, mandatory for a name to keep its answer, preferred, or only if it causes no
 * cycle.
 */
export type Strength = (typeof strengths)[number];

const strengths = ["weak-hint", "hint", "preferred", "strong", "required"] as const;

/** A way to break a cycle of dependencies: which strengths are dropped first, and from which end of the cycle. */
export interface CycleBreaking {
  readonly dropped: readonly Strength[];
  readonly isBackward?: boolean;
}

const usual: CycleBreaking = { dropped: ["weak-hint", "hint"] };

/** The ways to try, in order; without cycles they are equivalent. */
export const ways: readonly CycleBreaking[] = [
  usual,
  { dropped: ["hint", "weak-hint"] },
  { ...usual, isBackward: true },
  { dropped: ["hint", "weak-hint"], isBackward: true },
  { dropped: ["weak-hint", "hint", "preferred"] },
];

export function isStronger(one: Strength, other: Strength): boolean {
  return strengths.indexOf(one) > strengths.indexOf(other);
}

export interface WithNeeds<T> {
  readonly needs: Map<T, Strength>;
}

/**
 * Sorts the items so that each follows its dependencies, otherwise in the given order, in linear time. Cycles are
 * broken by removing dependencies in this order: those inside the cycle that the way drops, one strength after the
 * other; each preferred one that closes a cycle on a walk from the cycle's first item; the preferred ones of the first
 * item that has any; then the sure ones of the first item that has any. Required dependencies must not form a cycle.
 * Each item of a broken cycle gets a required dependency on the item before it, because only this order was chosen.
 */
export function sortByNeeds<T extends WithNeeds<T>>(items: readonly T[], breaking = usual): T[] {
  return findCycles(items).flatMap((circle) => {
    if (circle.length === 1) return circle;
    const order = breakCycle(breaking.isBackward ? circle.reverse() : circle, breaking);
    for (const [index, item] of order.entries()) {
      const before = order[index - 1];
      if (before) item.needs.set(before, "required");
    }
    return order;
  });
}

/** The items of one cycle, in order. */
function breakCycle<T extends WithNeeds<T>>(items: readonly T[], breaking: CycleBreaking): T[] {
  const inside = new Set(items);
  const found = new Set(
    items.flatMap(({ needs }) => [...needs].flatMap(([need, how]) => (inside.has(need) ? how : []))),
  );
  const least = breaking.dropped.find((strength) => found.has(strength));
  const strongest = found.has("preferred") ? "preferred" : "strong";
  if (least) dropNeeds(items, least, inside);
  else if (strongest === "strong" || !dropBackward(items, inside)) {
    const first = items.find(({ needs }) => [...needs].some(([need, how]) => how === strongest && inside.has(need)));
    if (first === undefined) throw new Error("required dependencies form a cycle");
    dropNeeds([first], strongest, inside);
  }
  // Items outside the cycle are already in place.
  return sortByNeeds(items, breaking);
}

function dropNeeds<T extends WithNeeds<T>>(items: readonly T[], strength: Strength, inside: ReadonlySet<T>): void {
  for (const { needs } of items)
    for (const [need, how] of needs) if (how === strength && inside.has(need)) needs.delete(need);
}

/** Drops the preferred dependencies that lead back on a walk. Returns false if there are none. */
function dropBackward<T extends WithNeeds<T>>(items: readonly T[], inside: ReadonlySet<T>): boolean {
  const seen = new Set<T>();
  const onPath = new Set<T>();
  let dropped = false;
  for (const root of items) {
    const path: { item: T; waiting: Iterator<[T, Strength]> }[] = [];
    const enter = (item: T) => {
      seen.add(item);
      onPath.add(item);
      path.push({ item, waiting: [...item.needs][Symbol.iterator]() });
    };
    if (!seen.has(root)) enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { value, done } = top.waiting.next();
      if (done) {
        onPath.delete(top.item);
        path.pop();
      } else if (inside.has(value[0])) {
        if (onPath.has(value[0]) && value[1] === "preferred") dropped = top.item.needs.delete(value[0]);
        else if (!seen.has(value[0])) enter(value[0]);
      }
    }
  }
  return dropped;
}

/**
 * The strongly connected components of the items, each after its dependencies (Tarjan 1972). Dependencies on other
 * items are ignored.
 */
export function findCycles<T extends WithNeeds<T>>(items: readonly T[]): T[][] {
  const search = new CycleSearch(items);
  for (const item of items) search.visit(item);
  return search.circles;
}

interface Visit<T> {
  readonly item: T;
  readonly at: number;
  readonly waiting: Iterator<T>;
}

class CycleSearch<T extends WithNeeds<T>> {
  readonly circles: T[][] = [];
  readonly #rank: ReadonlyMap<T, number>;
  readonly #low = new Map<T, number>();
  readonly #open: T[] = [];
  readonly #path: Visit<T>[] = [];

  constructor(items: readonly T[]) {
    this.#rank = new Map(items.map((item, index) => [item, index]));
  }

  visit(root: T): void {
    if (!this.#low.has(root)) this.#enter(root);
    for (let top = this.#path.at(-1); top; top = this.#path.at(-1)) {
      const { value, done } = top.waiting.next();
      if (done) this.#leave(top);
      else if (this.#low.has(value)) this.#lower(top, this.#low.get(value));
      else if (this.#rank.has(value)) this.#enter(value);
    }
  }

  #enter(item: T): void {
    this.#path.push({ item, at: this.#low.size, waiting: item.needs.keys() });
    this.#low.set(item, this.#low.size);
    this.#open.push(item);
  }

  #lower({ item }: Visit<T>, to = 0): void {
    this.#low.set(item, Math.min(this.#low.get(item) ?? 0, to));
  }

  #leave({ item, at }: Visit<T>): void {
    this.#path.pop();
    const lowest = this.#low.get(item) ?? 0;
    const above = this.#path.at(-1);
    if (above) this.#lower(above, lowest);
    if (lowest < at) return;
    const circle = this.#open.splice(this.#open.lastIndexOf(item));
    for (const one of circle) this.#low.set(one, Number.POSITIVE_INFINITY);
    this.circles.push(circle.sort((a, b) => (this.#rank.get(a) ?? 0) - (this.#rank.get(b) ?? 0)));
  }
}
