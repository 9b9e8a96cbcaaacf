import { largestPage, type Page } from "../contract/page.ts";
import type { CallOptions } from "./client.ts";
import { ClientError } from "./client-error.ts";

/** A method of the client that answers with pages, like `client.listRecords`. */
export type List<I, T> = (input: I, options?: CallOptions) => Promise<Page<T>>;
/** An input of a method that answers with pages. */
export type PagedInput = { query?: { page?: number | undefined; page_size?: number | undefined } } | undefined;
/** An item of a list. */
export type ListItem = { id: number | string };

/** Pages asked for at the same time. */
const together = 4;
/** How often a list is read before it counts as one that does not stand still. */
const readings = 3;

/**
 * Pages that do not belong to one state of a list: used together, they could lack an item that was there all the time.
 */
export class ListChangedError extends ClientError {
  constructor(what: string) {
    const summary = `the list changed while it was read: ${what}`;
    super("client/list-changed", summary, "Try again when no one else is writing.");
    this.name = "ListChangedError";
  }
}

/**
 * All items of a list, as they were at one moment: `all(client.listRecords, { domainId })`. A list that changes
 * meanwhile is read again from its start, three times at most.
 * @throws {ListChangedError} when it changed each time; and what `list` rejects with.
 */
export async function all<I extends PagedInput, T extends ListItem>(
  list: List<I, T>,
  input: Omit<NonNullable<I>, "query">,
  options: CallOptions = {},
): Promise<T[]> {
  for (let reading = 1; ; reading++) {
    try {
      const items: T[] = [];
      for await (const page of pages(list, input, options)) items.push(...page);
      return items;
    } catch (error) {
      if (!(error instanceof ListChangedError) || reading === readings) throw error;
    }
  }
}

/**
 * The pages of a list in order, at the largest page size (service: Paging), a few of them fetched at the same time. n
 * pages cost n reads.
 *
 * Pages are cut by position, so a deletion between two reads moves an item from a page that is still to come into one
 * that is past, and it would be missed. So the last page is read right after the first, before all others: as new items
 * come last, what is read after it can only lack an item by showing another one twice, and that is counted. What
 * happened between the first two reads shows at a seam: where it takes no further read, the pages after the first are
 * one item smaller, so that the second begins with the last item of the first. Where all pages are full, one item
 * deleted and another one added between just these two reads stay unseen; who writes looks again before (executor).
 * @throws {ListChangedError} as late as before the last page: what was read until then is no whole list.
 */
export async function* pages<I extends PagedInput, T extends ListItem>(
  list: List<I, T>,
  input: Omit<NonNullable<I>, "query">,
  { signal }: CallOptions = {},
): AsyncGenerator<T[], void> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  const get = (page: number, page_size: number = largestPage) =>
    list({ ...input, query: { page, page_size } } as I, { signal: stop.signal });
  try {
    const first = await get(1);
    const { results, pages } = first;
    const ids = new Set<ListItem["id"]>();
    const hasSeam = pages > 1 && Math.ceil(results / (largestPage - 1)) === pages;
    const read = async (page: number): Promise<T[]> => {
      const now = page === 1 ? first : await get(page, hasSeam ? largestPage - 1 : largestPage);
      if (now.results !== results) throw new ListChangedError(`it had ${results} items, then ${now.results}`);
      if (page !== 2 || !hasSeam) return now.data;
      if (now.data[0]?.id !== first.data.at(-1)?.id) throw new ListChangedError("its items moved");
      return now.data.slice(1);
    };
    const last = await read(pages > 1 ? pages : 1);
    for await (const page of inOrder(pages - 1, read)) {
      for (const { id } of page) ids.add(id);
      yield page;
    }
    for (const { id } of last) ids.add(id);
    if (ids.size !== results) throw new ListChangedError(`it has ${results} items, but ${ids.size} could be read`);
    yield last;
  } finally {
    signal?.removeEventListener("abort", abort);
    stop.abort(); // what is still under way when a page fails, or when nobody wants more
  }
}

/** The results of `read` for 1 to `count` in order, with a few of them under way at the same time. */
async function* inOrder<T>(count: number, read: (page: number) => Promise<T>): AsyncGenerator<T, void> {
  const underWay: Promise<T>[] = [];
  for (let next = 1; next <= count || underWay.length > 0; ) {
    while (next <= count && underWay.length < together) {
      const page = read(next++);
      page.catch(() => {}); // reported when its turn comes; if an earlier page fails, never
      underWay.push(page);
    }
    const page = await underWay.shift();
    if (page !== undefined) yield page;
  }
}
