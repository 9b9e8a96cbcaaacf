import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { nextTurn, Pace, step } from "./event-loop.ts";
import { type Attributes, attributeOf } from "./filter.ts";
import type { FilterCost } from "./filter-cost.ts";
import type { Listed, Rows, Slice } from "./page.ts";
import { type Compare, compareKeys, type Key, sortInSteps } from "./sort-in-steps.ts";
import type { Tables } from "./tables.ts";

type Query<T extends Listed> = SelectQueryBuilder<Tables, T, object>;

/** A row that matches, and what the list is ordered by. */
interface Match {
  readonly id: number;
  readonly key: Key;
}

/** More rows are not read in one step: an object for each costs more than looking at it. */
const mostRows = 2000;

/** The wanted part of `matching`, which is looked at one stretch of ids after another. */
export async function scan<T extends Listed>(
  all: Query<T>,
  matching: Query<T>,
  attributes: Attributes,
  { filter: { orderBy }, page, page_size, newestFirst = false }: Slice,
  cost: FilterCost,
): Promise<Rows<Selectable<Tables[T]>>> {
  const key = orderBy ? attributeOf(attributes, orderBy.attribute).order : sql<Key>`0`;
  const runs: Match[][] = [];
  for await (const { from, to } of stretches(all, cost)) {
    const found = await matching
      .where(sql.ref("id"), ">", from)
      .where(sql.ref("id"), "<=", to)
      .select([sql.ref<number>("id").as("id"), sql<Key>`${key}`.as("key")])
      .execute();
    runs.push(found as unknown as Match[]);
    await nextTurn();
  }
  const byId: Compare<Match> = newestFirst ? (a, b) => b.id - a.id : (a, b) => a.id - b.id;
  const sign = orderBy?.descending ? -1 : 1;
  const matches = await sortInSteps(runs, (a, b) => sign * compareKeys(a.key, b.key) || byId(a, b));
  const before = (page - 1) * page_size;
  const ids = matches.slice(before, before + page_size).map(({ id }) => id);
  return { rows: await rowsOf(all, ids), results: matches.length };
}

/** Stretches of ids, each of which costs at most one step. Its own turns of the event loop are the caller's. */
async function* stretches<T extends Listed>(
  all: Query<T>,
  { row, octet, octets }: FilterCost,
): AsyncGenerator<{ from: number; to: number }> {
  const pace = new Pace();
  for (let from = 0, seen = 0; ; ) {
    const sized = await all
      .where(sql.ref("id"), ">", seen)
      .select([sql.ref<number>("id").as("id"), sql<number>`${octets ?? sql`0`}`.as("octets")])
      .orderBy(sql.ref("id"))
      .limit(Math.max(1, Math.min(mostRows, Math.floor(step / row))))
      .execute();
    for (const { id, octets } of sized as unknown as { id: number; octets: number }[]) {
      seen = id;
      if (!pace.isSpent(row + octets * octet)) continue;
      yield { from, to: seen };
      from = seen;
    }
    if (sized.length === 0) return;
    if (from < seen) yield { from, to: seen };
    from = seen;
  }
}

async function rowsOf<T extends Listed>(all: Query<T>, ids: readonly number[]): Promise<Selectable<Tables[T]>[]> {
  if (ids.length === 0) return [];
  const found = (await all.where(sql.ref("id"), "in", ids).selectAll().execute()) as unknown as { id: number }[];
  const rows = new Map(found.map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id)) as unknown as Selectable<Tables[T]>[];
}
