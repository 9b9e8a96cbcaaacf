import type { FilterNode, Operator, Scalar } from "../../contract/filter.ts";
import type { Page } from "../../contract/page.ts";
import { TimeSlice, yieldToEventLoop } from "../store/event-loop.ts";
import { checkBudget, estimateCost } from "../store/filter-cost.ts";
import type { Slice } from "../store/page.ts";
import { compareSortKeys, type SortKey, sortInSteps } from "../store/sort-in-steps.ts";
import { envelope } from "./envelope.ts";

/**
 * A page of a list in memory, in its own order unless the filter has one. Filters have the same meaning as for
 * rows (`store/filter.ts`), but can also compare booleans.
 * @throws {FilterError} if the filter costs too much.
 */
export async function pageList<T extends object>(
  items: readonly T[],
  { filter, page, page_size }: Pick<Slice, "filter" | "page" | "page_size">,
): Promise<Page<T>> {
  const cost = estimateCost(filter, () => ({}));
  checkBudget(cost, { rows: items.length, octets: 0, longest: 0 });
  const runs = await matchesInSteps(items, filter.where, cost.row);
  const { orderBy } = filter;
  const sign = orderBy?.descending ? -1 : 1;
  const matches = orderBy
    ? await sortInSteps(
        runs,
        (a, b) => sign * compareSortKeys(keyOf(a, orderBy.attribute), keyOf(b, orderBy.attribute)),
      )
    : runs.flat();
  const before = (page - 1) * page_size;
  return envelope(matches.slice(before, before + page_size), matches.length, { page, page_size });
}

/** The matching items of one step after another; the event loop turns between them. */
async function matchesInSteps<T extends object>(
  items: readonly T[],
  where: FilterNode,
  nanoseconds: number,
): Promise<T[][]> {
  const budget = new TimeSlice();
  const runs: T[][] = [];
  let run: T[] = [];
  for (const item of items) {
    if (isMatch(item, where)) run.push(item);
    if (!budget.isSpent(nanoseconds)) continue;
    runs.push(run);
    run = [];
    await yieldToEventLoop();
  }
  return [...runs, run];
}

function isMatch(item: object, node: FilterNode): boolean {
  if (node.kind !== "compare") {
    const matches = (part: FilterNode) => isMatch(item, part);
    return node.kind === "and" ? node.parts.every(matches) : node.parts.some(matches);
  }
  const { attribute, operator, value } = node;
  const found = attributeOf(item, attribute);
  if (!Array.isArray(found)) return compare(found, operator, value);
  // An array matches by any of its entries, and `+neq` if it has no such entry.
  return operator === "+neq" ? !found.includes(value) : found.some((entry) => compare(entry, operator, value));
}

/** The value of an attribute such as `entity.id`; null if the item has none. */
function attributeOf(item: object, attribute: string): unknown {
  let value: unknown = item;
  for (const key of attribute.split(".")) value = value instanceof Object ? Reflect.get(value, key) : undefined;
  return value ?? null;
}

/** Values of different types are neither equal nor in any order. */
function compare(found: unknown, operator: Operator, value: Scalar): boolean {
  if (operator === "=") return found === value;
  if (operator === "+neq") return found !== value;
  if (operator === "+contains") return typeof found === "string" && typeof value === "string" && found.includes(value);
  if (!isOrdered(found) || !isOrdered(value) || typeof found !== typeof value) return false;
  const difference = compareSortKeys(found, value);
  if (operator === "+gt") return difference > 0;
  if (operator === "+gte") return difference >= 0;
  return operator === "+lt" ? difference < 0 : difference <= 0;
}

function isOrdered(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** The key that orders an item: of an array, its first entry. */
function keyOf(item: object, attribute: string): SortKey {
  const value = attributeOf(item, attribute);
  const key: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof key === "boolean") return Number(key);
  return isOrdered(key) ? key : null;
}
