import { largestPage as defaultLargestPage } from "../contract/bounds.ts";
import type { Page } from "../contract/page.ts";
import type { CallOptions } from "./client.ts";
import { ClientError } from "./client-error.ts";

/** A method of the client that returns pages, such as `client.listRecords`. */
export interface List<I, T> {
  (input: I, options?: CallOptions): Promise<Page<T>>;
  /** The largest page size; 500 by default. */
  readonly largestPage?: number;
}
/** The input of a method that returns pages. */
export type PagedInput = { query?: { page?: number | undefined; page_size?: number | undefined } } | undefined;
/** An item of a list. */
export type ListItem = { id: number | string };

/** The number of pages requested concurrently. */
const pagesAtOnce = 4;
/** The number of attempts to read a list that keeps changing. */
const readings = 3;

/** Limit on the results of a list: more would fill the memory, or take the service's word for a list without end. */
const mostResults = 1_000_000;

/** The service claims more results than are read. */
class ListTooLongError extends ClientError {
  constructor(results: number) {
    const summary = `the service says that the list has ${results} items; at most ${mostResults} are read`;
    super("client/list-too-long", summary, "Read single pages, or narrow the list with a filter.");
    this.name = "ListTooLongError";
  }
}

/** The pages are not of one state of the list: together they could lack an item that existed all the time. */
export class ListChangedError extends ClientError {
  constructor(what: string) {
    const summary = `the list changed while it was read: ${what}`;
    super("client/list-changed", summary, "Try again when no one else is writing.");
    this.name = "ListChangedError";
  }
}

/**
 * Reads all items of a list in one consistent state: `all(client.listRecords, { domainId })`. A list that changes
 * meanwhile is read again from its start, at most three times. @throws {ListChangedError} if it changed each time, and
 * the errors of `list`; {ClientError} `client/list-too-long`.
 */
export async function all<I extends PagedInput, T extends ListItem>(
  list: List<I, T>,
  input: Omit<NonNullable<I>, "query">,
  options: CallOptions = {},
): Promise<T[]> {
  for (let reading = 1; ; reading++) {
    try {
      const items: T[] = [];
      for await (const page of pages(list, input, options)) for (const item of page) items.push(item);
      return items;
    } catch (error) {
      if (!(error instanceof ListChangedError) || reading === readings) throw error;
    }
  }
}

/**
 * The pages of a list in order, at the largest page size (decisions/service#paging), some of them fetched concurrently.
 * n pages cost n reads.
 *
 * Pages are cut by position, so a deletion between two reads can move an item from an unread page to one that was
 * already read, and it would be missed. Therefore the last page is read directly after the first: since new items come
 * last, the later reads can only miss an item by returning another one twice, which is detected. A change between the
 * first two reads is detected at an overlap: if it costs no further read, the pages after the first are one item
 * smaller, so that the second starts with the last item of the first. If all pages are full, one deletion and one
 * addition between exactly these two reads go unnoticed; the executor reads again before each write.
 * @throws {ListChangedError} possibly only before the last page: the pages until then are not the whole list.
 * @throws {ClientError} `client/list-too-long` for more than 1,000,000 results.
 */
export async function* pages<I extends PagedInput, T extends ListItem>(
  list: List<I, T>,
  input: Omit<NonNullable<I>, "query">,
  { signal }: CallOptions = {},
): AsyncGenerator<T[], void> {
  const stop = new AbortController();
  let isWhole = false;
  const abort = () => stop.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  const { largestPage = defaultLargestPage } = list;
  const get = (page: number, page_size: number = largestPage) =>
    list({ ...input, query: { page, page_size } } as I, { signal: stop.signal });
  try {
    const first = await get(1);
    const { results, pages } = first;
    if (results > mostResults) throw new ListTooLongError(results);
    const ids = new Set<ListItem["id"]>();
    const hasSeam = pages > 1 && Math.ceil(results / (largestPage - 1)) === pages;
    const size = first.data.length;
    if (pages > 1 && pages !== Math.ceil(results / size)) throw uneven(first, 1);
    const read = async (page: number): Promise<T[]> => {
      const now = page === 1 ? first : await get(page, hasSeam ? largestPage - 1 : largestPage);
      if (now.results !== results) throw new ListChangedError(`it had ${results} items, then ${now.results}`);
      if (page > 1 && page < pages && now.data.length !== (hasSeam ? size - 1 : size)) throw uneven(now, page);
      if (page !== 2 || !hasSeam) return now.data;
      if (now.data[0]?.id !== first.data.at(-1)?.id) throw new ListChangedError("its items moved");
      return now.data.slice(1);
    };
    const note = (page: T[]) => {
      for (const { id } of page) {
        if (ids.has(id)) throw new ListChangedError("an item was read twice");
        ids.add(id);
      }
    };
    const last = await read(pages > 1 ? pages : 1);
    for await (const page of readInOrder(pages - 1, read)) {
      note(page);
      yield page;
    }
    note(last);
    if (ids.size !== results) throw new ListChangedError(`it has ${results} items, but ${ids.size} could be read`);
    isWhole = true;
    yield last;
  } finally {
    signal?.removeEventListener("abort", abort);
    if (!isWhole) stop.abort(); // the reads in progress when a page fails, or when the caller stops
  }
}

/** The error for a page before the last that has fewer or more items than it should: such pages may never end. */
function uneven({ data, pages, results }: Page<ListItem>, page: number): ListChangedError {
  return new ListChangedError(`page ${page} of ${pages} has ${data.length} of its ${results} items`);
}

/** The results of `read` for 1 to `count` in order, with some of them read concurrently. */
async function* readInOrder<T>(count: number, read: (page: number) => Promise<T>): AsyncGenerator<T, void> {
  const underWay: Promise<T>[] = [];
  for (let next = 1; next <= count || underWay.length > 0; ) {
    while (next <= count && underWay.length < pagesAtOnce) {
      const page = read(next++);
      page.catch(() => {}); // reported in order, or never if an earlier page fails
      underWay.push(page);
    }
    const page = await underWay.shift();
    if (page !== undefined) yield page;
  }
}
