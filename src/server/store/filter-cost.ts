import type { Expression } from "kysely";
import { FilterError, type FilterNode, type FilterQuery } from "../../contract/filter.ts";
import { longestSlice } from "./event-loop.ts";
import type { Attribute } from "./filter.ts";

/**
 * Estimated cost of a filter and its order, in nanoseconds: for each row, and for each octet of the texts that it
 * searches. `octets` is the expression for the octets of a row.
 */
export interface FilterCost {
  readonly conditions: number;
  readonly row: number;
  readonly octet: number;
  readonly octets: Expression<number> | undefined;
}

/** Costs of a comparison with a column, of sorting a row, and of an octet that is searched, compared or sorted. */
const costs = { comparison: 60, sorting: 1500, searching: 5, comparing: 1 };

/** In a repetitive text, a search visits each octet once per octet of the pattern. */
const repeating = 0.007;

/** Limit on the cost of all rows: one second, which is 1,300 conditions on 12,000 ordinary records. */
const filterBudget = 1_000_000_000;

export function estimateCost(
  { where, orderBy }: FilterQuery,
  costOf: (attribute: string) => Pick<Attribute, "cost" | "octets">,
): FilterCost {
  let [conditions, row, octet] = [0, 0, 0];
  let octets: Expression<number> | undefined;
  const visit = (node: FilterNode) => {
    if (node.kind !== "compare") return node.parts.forEach(visit);
    const attribute = costOf(node.attribute);
    conditions++;
    row += attribute.cost ?? costs.comparison;
    if (attribute.octets === undefined) return;
    octets = attribute.octets;
    const length = typeof node.value === "string" ? Buffer.byteLength(node.value) : 0;
    octet += node.operator === "+contains" ? costs.searching + length * repeating : costs.comparing;
  };
  visit(where);
  if (orderBy) {
    const { cost = costs.comparison, octets: sorted } = costOf(orderBy.attribute);
    row += cost + costs.sorting;
    octets ??= sorted;
    if (sorted) octet += costs.searching;
  }
  return { conditions, row, octet, octets };
}

/** Size of a filtered list: its rows, and the octets of their texts, together and of the longest. */
export interface FilteredSize {
  readonly rows: number;
  readonly octets: number;
  readonly longest: number;
}

/**
 * The cost of the filter for all rows, in nanoseconds.
 * @throws {FilterError} over the budget, or where one row alone would take much longer than a step.
 */
export function checkBudget({ conditions, row, octet }: FilterCost, { rows, octets, longest }: FilteredSize): number {
  const work = rows * row + octets * octet;
  if (work <= filterBudget && row + longest * octet <= 2 * longestSlice) return work;
  const searched = octet > 0 ? ` with ${octets} octets of text` : "";
  const reason = `The filter is too expensive: ${conditions} conditions on ${rows} rows${searched}. Use fewer conditions.`;
  throw new FilterError(reason);
}
