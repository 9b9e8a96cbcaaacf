import { type Expression, type Selectable, type SelectQueryBuilder, type Simplify, type SqlBool, sql } from "kysely";
import type { FilterQuery } from "../../contract/filter.ts";
import { longestStep, StepBudget, yieldToEventLoop } from "./event-loop.ts";
import { type Attributes, attributeOf, condition, splitByIndex } from "./filter.ts";
import { checkBudget, estimateCost, type FilterCost, type FilteredSize } from "./filter-cost.ts";
import { type Compare, compareKeys, type Key, sortInSteps } from "./sort-in-steps.ts";
import type { Tables } from "./tables.ts";

/** A page of the rows that match a filter, in its order, by default by id. */
export interface Slice {
  readonly filter: FilterQuery;
  readonly page: number;
  readonly page_size: number;
  /** By descending id. */
  readonly newestFirst?: boolean;
}

/** The rows of a page, and the number of rows in the whole list. */
export interface Rows<T> {
  readonly rows: T[];
  readonly results: number;
}

export type ListName =
  | "addresses"
  | "disks"
  | "domains"
  | "firewall_devices"
  | "firewalls"
  | "invoice_items"
  | "invoices"
  | "node_configs"
  | "nodes"
  | "records"
  | "entity_transfers"
  | "events"
  | "logins"
  | "maintenance"
  | "managed_contacts"
  | "managed_credentials"
  | "managed_issues"
  | "managed_services"
  | "oauth_clients"
  | "tags"
  | "tickets"
  | "ticket_replies"
  | "tokens"
  | "users"
  | "volumes";

type Query<T extends ListName> = SelectQueryBuilder<Tables, T, object>;

/** All columns of a list's table, which has ids. */
type Columns<T extends ListName> = Selectable<Tables[T]> & { id: number };

type Row<T extends ListName> = Simplify<Columns<T>>;

/** Rows selected by an index, and optionally by a condition. */
export interface NarrowedQuery<T extends ListName> {
  readonly rows: Query<T>;
  readonly condition?: Expression<SqlBool>;
  /** Cost of conditions, for each row. */
  readonly nanoseconds?: number;
}

/** Cost of reading a row, in nanoseconds. */
const rowCost = 200;

/**
 * Selects a page of a list. If that may take longer than one step, the rows are scanned in steps, between which the
 * event loop turns.
 * @throws {FilterError} if the filter costs too much.
 */
export async function slice<T extends ListName>(
  { rows, condition: narrowing, nanoseconds = 0 }: NarrowedQuery<T>,
  attributes: Attributes,
  given: Slice,
): Promise<Rows<Row<T>>> {
  const { indexed, rest } = splitByIndex(given.filter.where, attributes);
  const all = indexed.reduce((query, node) => query.where(condition(node, attributes)), rows);
  const wanted = { ...given, filter: { ...given.filter, where: rest } };
  const { filter } = wanted;
  const cost = estimateCost(filter, (name) => attributeOf(attributes, name));
  const matches = () => {
    const narrowed = narrowing === undefined ? all : all.where(narrowing);
    return narrowed.where(condition(filter.where, attributes));
  };
  // Also without comparisons: an empty +or matches no row.
  if (cost.row + nanoseconds === 0) return page(matches(), attributes, wanted, await count(matches()));
  const size = cost.octets ? await measure(all, cost.octets) : { rows: await count(all), octets: 0, longest: 0 };
  const work = checkBudget(cost, size);
  const matching = matches();
  const isQuick = work + size.rows * (rowCost + nanoseconds) <= longestStep;
  if (isQuick) return page(matching, attributes, wanted, await count(matching));
  return scan(all, matching, attributes, wanted, { ...cost, row: cost.row + rowCost + nanoseconds });
}

async function count<T extends ListName>(rows: Query<T>): Promise<number> {
  const counted = await rows.select(({ fn }) => fn.countAll<number>().as("results")).executeTakeFirstOrThrow();
  return Number(counted.results);
}

/** Rows whose texts are measured in one step. */
const measuredAtOnce = 20_000;

/** The number of rows, and the octets of all their texts together and of the longest. */
async function measure<T extends ListName>(
  all: Query<T>,
  size: NonNullable<Attributes[string]["octets"]>,
): Promise<FilteredSize> {
  let [rows, octets, longest] = [0, 0, 0];
  for (let from = 0; ; await yieldToEventLoop()) {
    const left = all.where(sql.ref("id"), ">", from);
    const last = await left
      .select(sql.ref<number>("id").as("id"))
      .orderBy(sql.ref("id"))
      .limit(1)
      .offset(measuredAtOnce - 1)
      .executeTakeFirst();
    const part = await (last === undefined ? left : left.where(sql.ref("id"), "<=", last.id))
      .select(({ fn }) => [
        fn.countAll<number>().as("rows"),
        fn.sum<number | null>(size).as("octets"),
        fn.max<number | null>(size).as("longest"),
      ])
      .executeTakeFirstOrThrow();
    rows += Number(part.rows);
    octets += Number(part.octets ?? 0);
    longest = Math.max(longest, Number(part.longest ?? 0));
    if (last === undefined) return { rows, octets, longest };
    from = last.id;
  }
}

/** The rows of a page in an order that may be the reverse of the list's. */
export interface PageWindow {
  readonly limit: number;
  readonly offset: number;
  readonly isBackwards: boolean;
}

/**
 * Rows before the page are skipped in the index; for a page in the second half, those after it, so that the last page
 * costs as little as the first. Undefined for a page behind the last one.
 */
export function windowOf({ page, page_size }: Slice, results: number): PageWindow | undefined {
  const before = (page - 1) * page_size;
  if (before >= results) return undefined;
  const limit = Math.min(page_size, results - before);
  const behind = results - before - limit;
  const isBackwards = behind < before;
  return { limit, offset: isBackwards ? behind : before, isBackwards };
}

/** Whether the list is of all rows in their own order. */
export function isOfAll({ filter: { where, orderBy } }: Slice): boolean {
  return orderBy === undefined && where.kind === "and" && where.parts.length === 0;
}

async function page<T extends ListName>(
  matching: Query<T>,
  attributes: Attributes,
  wanted: Slice,
  results: number,
): Promise<Rows<Row<T>>> {
  const window = windowOf(wanted, results);
  if (window === undefined) return { rows: [], results };
  const { limit, offset, isBackwards } = window;
  const { orderBy } = wanted.filter;
  const ordered = orderBy
    ? matching.orderBy(attributeOf(attributes, orderBy.attribute).order, (order) =>
        // Databases order null differently by default.
        orderBy.descending !== isBackwards ? order.desc().nullsLast() : order.asc().nullsFirst(),
      )
    : matching;
  const found = await ordered
    .orderBy(sql.ref("id"), (wanted.newestFirst ?? false) !== isBackwards ? "desc" : "asc")
    .selectAll()
    .$castTo<Columns<T>>()
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows: isBackwards ? found.reverse() : found, results };
}

/** A matching row, and its key in the order of the list. */
interface Match {
  readonly id: number;
  readonly key: Key;
}

/** Limit on the rows that are read in one step: an object for each costs more than the comparison. */
const mostRows = 2000;

/** Selects a page of `matching` by scanning one range of ids after another. */
async function scan<T extends ListName>(
  all: Query<T>,
  matching: Query<T>,
  attributes: Attributes,
  { filter: { orderBy }, page, page_size, newestFirst = false }: Slice,
  cost: FilterCost,
): Promise<Rows<Row<T>>> {
  const key = orderBy ? attributeOf(attributes, orderBy.attribute).order : sql<Key>`0`;
  const runs: Match[][] = [];
  for await (const { from, to } of idRanges(all, cost)) {
    const found = await matching
      .where(sql.ref("id"), ">", from)
      .where(sql.ref("id"), "<=", to)
      .select([sql.ref<number>("id").as("id"), sql<Key>`${key}`.as("key")])
      .$castTo<Match>()
      .execute();
    runs.push(found);
    await yieldToEventLoop();
  }
  const byId: Compare<Match> = newestFirst ? (a, b) => b.id - a.id : (a, b) => a.id - b.id;
  const sign = orderBy?.descending ? -1 : 1;
  const matches = await sortInSteps(runs, (a, b) => sign * compareKeys(a.key, b.key) || byId(a, b));
  const before = (page - 1) * page_size;
  const ids = matches.slice(before, before + page_size).map(({ id }) => id);
  return { rows: await rowsOf(all, ids), results: matches.length };
}

/** Ranges of ids, each of which costs at most one step; the caller yields between them. */
async function* idRanges<T extends ListName>(
  all: Query<T>,
  { row, octet, octets }: FilterCost,
): AsyncGenerator<{ from: number; to: number }> {
  const budget = new StepBudget();
  for (let from = 0, seen = 0; ; ) {
    const sized = await all
      .where(sql.ref("id"), ">", seen)
      .select([sql.ref<number>("id").as("id"), sql<number>`${octets ?? sql`0`}`.as("octets")])
      .orderBy(sql.ref("id"))
      .limit(Math.max(1, Math.min(mostRows, Math.floor(longestStep / row))))
      .$castTo<{ id: number; octets: number }>()
      .execute();
    for (const { id, octets } of sized) {
      seen = id;
      if (!budget.isSpent(row + octets * octet)) continue;
      yield { from, to: seen };
      from = seen;
    }
    if (sized.length === 0) return;
    if (from < seen) yield { from, to: seen };
    from = seen;
  }
}

async function rowsOf<T extends ListName>(all: Query<T>, ids: readonly number[]): Promise<Row<T>[]> {
  if (ids.length === 0) return [];
  const found = await all.where(sql.ref("id"), "in", ids).selectAll().$castTo<Columns<T>>().execute();
  const rows = new Map<unknown, Row<T>>(found.map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
}
