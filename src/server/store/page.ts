import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { FilterQuery } from "../../contract/filter.ts";
import { step } from "./event-loop.ts";
import { type Attributes, attributeOf, condition } from "./filter.ts";
import { keepBudget, weigh } from "./filter-cost.ts";
import { scan } from "./scan.ts";
import type { Tables } from "./tables.ts";

/** Which part of a list is wanted: the page of those that the filter lets through, in its order, else by id. */
export interface Slice {
  readonly filter: FilterQuery;
  readonly page: number;
  readonly page_size: number;
  /** By id the other way round. */
  readonly newestFirst?: boolean;
}

/** A part of a list: its rows, and how many the whole list has. */
export interface Rows<T> {
  readonly rows: T[];
  readonly results: number;
}

export type Listed = "domains" | "records" | "events";

/** A table narrowed down by an index, and perhaps by conditions that cost so many nanoseconds for each row. */
export interface Narrowed<T extends Listed> {
  readonly rows: SelectQueryBuilder<Tables, T, object>;
  readonly nanoseconds?: number;
}

/** How long it takes to come to a row, in nanoseconds. */
const rowCost = 200;

/**
 * The wanted part of a list. Where finding it may take longer than one step of work, the rows are looked at in steps, between
 * which the event loop turns.
 * @throws {ApiError} 400 where the filter costs more than any may.
 */
export async function slice<T extends Listed>(
  { rows: all, nanoseconds = 0 }: Narrowed<T>,
  attributes: Attributes,
  wanted: Slice,
): Promise<Rows<Selectable<Tables[T]>>> {
  const { filter } = wanted;
  const cost = weigh(filter, attributes);
  const matches = () => all.where(condition(filter.where, attributes));
  // Also where nothing is compared: an empty +or matches no row.
  if (cost.row + nanoseconds === 0) return page(matches(), attributes, wanted, await count(matches()));
  const rows = await count(all);
  const texts = cost.octets && rows > 0 ? await measure(all, cost.octets) : { octets: 0, longest: 0 };
  const work = keepBudget(cost, { rows, ...texts });
  const matching = matches();
  const isQuick = work + rows * (rowCost + nanoseconds) <= step;
  if (isQuick) return page(matching, attributes, wanted, await count(matching));
  return scan(all, matching, attributes, wanted, { ...cost, row: cost.row + rowCost + nanoseconds });
}

async function count<T extends Listed>(rows: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const counted = await rows.select(({ fn }) => fn.countAll<number>().as("results")).executeTakeFirstOrThrow();
  return Number(counted.results);
}

/** How many octets the texts have together, and the longest of them. */
async function measure<T extends Listed>(
  rows: SelectQueryBuilder<Tables, T, object>,
  size: NonNullable<Attributes[string]["octets"]>,
): Promise<{ octets: number; longest: number }> {
  const { octets, longest } = await rows
    .select(({ fn }) => [fn.sum<number | null>(size).as("octets"), fn.max<number | null>(size).as("longest")])
    .executeTakeFirstOrThrow();
  return { octets: Number(octets ?? 0), longest: Number(longest ?? 0) };
}

/**
 * Rows before the page are passed over in the index; of a page in the second half, those behind it are, so that the last page
 * costs what the first does.
 */
async function page<T extends Listed>(
  matching: SelectQueryBuilder<Tables, T, object>,
  attributes: Attributes,
  { filter: { orderBy }, page, page_size, newestFirst = false }: Slice,
  results: number,
): Promise<Rows<Selectable<Tables[T]>>> {
  const before = (page - 1) * page_size;
  if (before >= results) return { rows: [], results };
  const size = Math.min(page_size, results - before);
  const behind = results - before - size;
  const isBackwards = behind < before;
  const ordered = orderBy
    ? matching.orderBy(attributeOf(attributes, orderBy.attribute).order, (order) =>
        // Databases differ in where they put null unless told.
        orderBy.descending !== isBackwards ? order.desc().nullsLast() : order.asc().nullsFirst(),
      )
    : matching;
  const found = await ordered
    .orderBy(sql.ref("id"), newestFirst !== isBackwards ? "desc" : "asc")
    .selectAll()
    .limit(size)
    .offset(isBackwards ? behind : before)
    .execute();
  const rows = found as unknown as Selectable<Tables[T]>[];
  return { rows: isBackwards ? rows.reverse() : rows, results };
}
