import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { FilterQuery } from "../../contract/filter.ts";
import { type Attributes, attributeOf, condition } from "./filter.ts";
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

type Listed = "domains" | "records" | "events";

/**
 * The wanted part of `all`, a table narrowed down by an index. Rows before the page are passed over in the index; of a page in
 * the second half, those behind it are, so that the last page costs what the first does.
 */
export async function slice<T extends Listed>(
  all: SelectQueryBuilder<Tables, T, object>,
  attributes: Attributes,
  { filter, page, page_size, newestFirst = false }: Slice,
): Promise<Rows<Selectable<Tables[T]>>> {
  const matching = all.where(condition(filter.where, attributes));
  const counted = await matching.select(({ fn }) => fn.countAll<number>().as("results")).executeTakeFirstOrThrow();
  const results = Number(counted.results);
  const before = (page - 1) * page_size;
  if (before >= results) return { rows: [], results };
  const size = Math.min(page_size, results - before);
  const behind = results - before - size;
  const isBackwards = behind < before;
  const { orderBy } = filter;
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
