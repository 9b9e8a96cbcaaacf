import {
  type Expression,
  type Selectable,
  type SelectQueryBuilder,
  type Simplify,
  type SqlBool,
  sql,
  TableNode,
} from "kysely";
import type { FilterNode, FilterQuery } from "../../contract/filter.ts";
import { longestSlice, TimeSlice, yieldToEventLoop } from "./event-loop.ts";
import { type Attributes, attributeOf, condition, splitByIndex } from "./filter.ts";
import { checkBudget, estimateCost, type FilterCost, type FilteredSize } from "./filter-cost.ts";
import { isShort, longestShort, requireLong } from "./long-work.ts";
import { type Compare, compareSortKeys, type SortKey, sortInSteps } from "./sort-in-steps.ts";
import type { Database, Tables } from "./tables.ts";

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

/** Costs of reading a row, and of sorting it where an index finds the rows in another order, in nanoseconds. */
const costs = { row: 200, sorting: 1500 };

/**
 * Selects a page of a list. Short work leaves long lists to long work, which reads the largest in steps, between which
 * the event loop turns.
 * @throws {LongWork} @throws {FilterError} if the filter costs too much.
 */
export async function slice<T extends ListName>(
  db: Database,
  list: NarrowedQuery<T>,
  attributes: Attributes,
  wanted: Slice,
): Promise<Rows<Row<T>>> {
  const search: Search<T> = { db, list, attributes, wanted };
  const found = await pageWithin(search, isShort(db) ? longestShort : longestSlice);
  if (found) return found;
  requireLong(db);
  return scan(search);
}

interface Search<T extends ListName> {
  readonly db: Database;
  readonly list: NarrowedQuery<T>;
  readonly attributes: Attributes;
  readonly wanted: Slice;
}

/** The page, if that takes no more than these nanoseconds: as many rows are counted as can be read in that time. */
async function pageWithin<T extends ListName>(
  search: Search<T>,
  nanoseconds: number,
): Promise<Rows<Row<T>> | undefined> {
  const { db, list, attributes, wanted } = search;
  const { indexed, rest } = splitByIndex(wanted.filter.where, attributes);
  const all = indexed.reduce((query, node) => query.where(condition(node, attributes)), list.rows);
  const cost = costOf(search, rest);
  const row = costs.row + (list.nanoseconds ?? 0) + (indexed.length > 0 ? costs.sorting : 0);
  const most = Math.floor(nanoseconds / (row + cost.row));
  const size = await measure(db, all.limit(most + 1), cost);
  if (size.rows > most || size.rows * row + checkBudget(cost, size) > nanoseconds) return undefined;
  const matching = narrow(all, search, rest);
  const isWhole = list.condition === undefined && matchesAll(rest);
  return page(matching, search, isWhole ? size.rows : await count(matching));
}

function costOf<T extends ListName>({ attributes, wanted }: Search<T>, where: FilterNode): FilterCost {
  return estimateCost({ ...wanted.filter, where }, (name) => attributeOf(attributes, name));
}

function narrow<T extends ListName>(rows: Query<T>, { list, attributes }: Search<T>, where: FilterNode): Query<T> {
  const narrowed = list.condition === undefined ? rows : rows.where(list.condition);
  return narrowed.where(condition(where, attributes));
}

async function count<T extends ListName>(rows: Query<T>): Promise<number> {
  const counted = await rows.select(({ fn }) => fn.countAll<number>().as("results")).executeTakeFirstOrThrow();
  return Number(counted.results);
}

/** The number of rows and the highest id, and the octets of all their texts together and of the longest. */
async function measure<T extends ListName>(
  db: Database,
  part: Query<T>,
  { octets }: Pick<FilterCost, "octets">,
): Promise<FilteredSize & { readonly last: number }> {
  const ids = part.select(sql.ref<number>("id").as("id"));
  const rows = octets ? ids.select(sql<number>`${octets}`.as("octets")) : ids;
  const sums = octets ? sql`, sum(octets) as octets, max(octets) as longest` : sql``;
  // A query builder takes longer to make it than the database to count the rows of most lists.
  const statement = sql<Measured>`select count(*) as rows, max(id) as last${sums} from (${rows}) as part`;
  const [size] = (await statement.execute(db)).rows;
  return {
    rows: Number(size?.rows ?? 0),
    last: Number(size?.last ?? 0),
    octets: Number(size?.octets ?? 0),
    longest: Number(size?.longest ?? 0),
  };
}

/** PostgreSQL counts in large numbers, which may be texts. */
type Measured = Readonly<Partial<Record<"rows" | "last" | "octets" | "longest", number | string | null>>>;

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
  return orderBy === undefined && matchesAll(where);
}

/** Whether a filter has no condition. An empty +or matches no row. */
function matchesAll(where: FilterNode): boolean {
  return where.kind === "and" && where.parts.every(matchesAll);
}

async function page<T extends ListName>(
  matching: Query<T>,
  { attributes, wanted }: Search<T>,
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

/** Rows that are counted in one step. */
const countedAtOnce = 20_000;

/** A part of a list by id: the id before its first row, and the number of rows before it. */
interface Part {
  readonly from: number;
  readonly before: number;
}

/** Selects a page by reading the whole list, one range of ids after another. */
async function scan<T extends ListName>(search: Search<T>): Promise<Rows<Row<T>>> {
  const { db, list, wanted } = search;
  const cost = costOf(search, wanted.filter.where);
  const size = { rows: 0, octets: 0, longest: 0 };
  const parts: Part[] = [];
  for (let from = 0; ; await yieldToEventLoop()) {
    parts.push({ from, before: size.rows });
    const part = await measure(db, after(list.rows, from).orderBy(sql.ref("id")).limit(countedAtOnce), cost);
    size.rows += part.rows;
    size.octets += part.octets;
    size.longest = Math.max(size.longest, part.longest);
    if (part.rows < countedAtOnce) break;
    from = part.last;
  }
  checkBudget(cost, size);
  if (list.condition === undefined && isOfAll(wanted)) return pageOfParts(search, parts, size.rows);
  return searchParts(search, cost);
}

function after<T extends ListName>(rows: Query<T>, id: number): Query<T> {
  return rows.where(sql.ref("id"), ">", id);
}

/** A page of all rows: only those of one part are skipped. */
async function pageOfParts<T extends ListName>(
  { list, wanted }: Search<T>,
  parts: readonly Part[],
  results: number,
): Promise<Rows<Row<T>>> {
  const before = (wanted.page - 1) * wanted.page_size;
  const limit = Math.min(wanted.page_size, results - before);
  if (limit <= 0) return { rows: [], results };
  const first = wanted.newestFirst ? results - before - limit : before;
  const part = parts.findLast(({ before }) => before <= first) ?? { from: 0, before: 0 };
  const rows = await after(list.rows, part.from)
    .orderBy(sql.ref("id"))
    .selectAll()
    .$castTo<Columns<T>>()
    .limit(limit)
    .offset(first - part.before)
    .execute();
  return { rows: wanted.newestFirst ? rows.reverse() : rows, results };
}

/** A matching row, and its key in the order of the list. */
interface Match {
  readonly id: number;
  readonly key: SortKey;
}

/** Limit on the rows that are read in one step: an object for each costs more than the comparison. */
const mostRows = 2000;

async function searchParts<T extends ListName>(search: Search<T>, cost: FilterCost): Promise<Rows<Row<T>>> {
  const { db, list, attributes, wanted } = search;
  const { filter, page, page_size, newestFirst = false } = wanted;
  const { where, orderBy } = filter;
  const key = orderBy ? attributeOf(attributes, orderBy.attribute).order : sql<SortKey>`0`;
  const runs: Match[][] = [];
  for await (const { from, to } of idRanges(list.rows, {
    ...cost,
    row: cost.row + costs.row + (list.nanoseconds ?? 0),
  })) {
    const range = after(list.rows, from).where(sql.ref("id"), "<=", to);
    const found = await narrow(onlyThese(db, range), search, where)
      .select([sql.ref<number>("id").as("id"), sql<SortKey>`${key}`.as("key")])
      .$castTo<Match>()
      .execute();
    runs.push(found);
    await yieldToEventLoop();
  }
  const byId: Compare<Match> = newestFirst ? (a, b) => b.id - a.id : (a, b) => a.id - b.id;
  const sign = orderBy?.descending ? -1 : 1;
  const matches = await sortInSteps(runs, (a, b) => sign * compareSortKeys(a.key, b.key) || byId(a, b));
  const before = (page - 1) * page_size;
  const ids = matches.slice(before, before + page_size).map(({ id }) => id);
  return { rows: await rowsOf(list.rows, ids), results: matches.length };
}

/**
 * The same rows as a table of its own, in which no index finds others: a planner may prefer one of an attribute to that
 * of the ids, and would read all of its rows for each range. Databases keep a query with a limit apart.
 */
function onlyThese<T extends ListName>(db: Database, rows: Query<T>): Query<T> {
  const { from } = rows.toOperationNode();
  const [table] = from?.froms ?? [];
  if (table === undefined || !TableNode.is(table)) throw new Error("a list of several tables");
  const name = table.table.identifier.name as T;
  return db.selectFrom(rows.selectAll().limit(Number.MAX_SAFE_INTEGER).as(name)) as unknown as Query<T>;
}

/** Ranges of ids, each of which costs at most one step; the caller yields between them. */
async function* idRanges<T extends ListName>(
  all: Query<T>,
  { row, octet, octets }: FilterCost,
): AsyncGenerator<{ from: number; to: number }> {
  const budget = new TimeSlice();
  for (let from = 0, seen = 0; ; ) {
    const sized = await after(all, seen)
      .select([sql.ref<number>("id").as("id"), sql<number>`${octets ?? sql`0`}`.as("octets")])
      .orderBy(sql.ref("id"))
      .limit(Math.max(1, Math.min(mostRows, Math.floor(longestSlice / row))))
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
