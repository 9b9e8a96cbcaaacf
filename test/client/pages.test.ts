import fc from "fast-check";
import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { all, ListChangedError, pages } from "../../src/client/pages.ts";
import type { Page } from "../../src/contract/page.ts";
import { samples } from "../properties.ts";
import { domain, errorOf, fakeSend, json, refusal } from "./fake-send.ts";

interface Item {
  id: number;
}
type Query = { query?: { page?: number; page_size?: number } };

/**
 * A list as a service holds it: pages are cut when they are asked for. `before` runs before each read, counted from 1.
 */
function fakeList(items: Item[], before: (read: number) => void = () => {}) {
  const reads: number[] = [];
  const list = async ({ query: { page = 1, page_size = 100 } = {} }: Query): Promise<Page<Item>> => {
    reads.push(page);
    before(reads.length);
    const data = items.slice((page - 1) * page_size, page * page_size);
    return { data, page, pages: Math.max(1, Math.ceil(items.length / page_size)), results: items.length };
  };
  return { list, reads };
}

const wait = "Try again when no one else is writing.";
const upTo = (count: number): Item[] => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

test.each([
  ["empty", 0, [1]],
  ["one page", 500, [1]],
  ["two pages", 501, [1, 2]],
  ["two full pages", 1_000, [1, 2]],
  ["five pages: the last is read before the middle ones", 2_400, [1, 5, 2, 3, 4]],
  ["24 full pages", 12_000, [1, 24, ...Array.from({ length: 22 }, (_, index) => index + 2)]],
])("%s", async (_, count, expected) => {
  const { list, reads } = fakeList(upTo(count));
  expect(await all(list, {})).toEqual(upTo(count));
  expect(reads).toEqual(expected);
});

test("with a client: passes the other input on and asks for the largest page size", async () => {
  const { send, requests } = fakeSend(json({ data: [domain], page: 1, pages: 1, results: 1 }));
  const client = createClient({ baseUrl: "http://api", send });
  expect(await all(client.listDomains, { filter: { group: "dns" } })).toEqual([domain]);
  expect(requests.map(({ url, headers }) => [url, headers.get("x-filter")])).toEqual([
    ["http://api/v4/domains?page=1&page_size=500", '{"group":"dns"}'],
  ]);
});

test("asks for no more items than the method's largest page size", async () => {
  const { list } = fakeList(upTo(101));
  const sizes: unknown[] = [];
  const noting = (input: Query) => {
    sizes.push(input.query?.page_size);
    return list(input);
  };
  expect(await all(Object.assign(noting, { largestPage: 100 }), {})).toEqual(upTo(101));
  expect(sizes).toEqual([100, 99]);
});

test("yields pages in order although later ones may arrive first, with bounded concurrency", async () => {
  const { list } = fakeList(upTo(5_000));
  const open: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  const slow = async (input: Query) => {
    most = Math.max(most, ++underWay);
    await new Promise<void>((resolve) => {
      open.push(resolve);
      setImmediate(() => {
        for (const answer of open.splice(0).reverse()) answer();
      });
    });
    underWay--;
    return list(input);
  };
  expect([await all(slow, {}), most]).toEqual([upTo(5_000), 4]);
});

test.each<[string, (items: Item[]) => void, string]>([
  ["longer", (items) => items.push({ id: items.length + 1 }), "it had 1200 items, then 1201"],
  ["shorter", (items) => items.splice(3, 1), "it had 1200 items, then 1199"],
  [
    "no longer, but another: item 501 moved into the page that was read, and would be missed",
    (items) => {
      items.splice(3, 1);
      items.push({ id: 9_999 });
    },
    "its items moved",
  ],
  [
    "no longer, but another in the pages behind the first",
    (items) => {
      items.splice(700, 1);
      items.push({ id: 9_999 });
    },
    "an item was read twice",
  ],
])("reads a list again that becomes %s while it is read", async (_, change, message) => {
  const items = upTo(1_200);
  const { list, reads } = fakeList(items, (read) => read === 3 && change(items));
  expect(await all(list, {})).toEqual(items);
  expect(reads).toEqual([1, 3, 2, 1, 3, 2]);

  const again = upTo(1_200);
  const error = await errorOf(collect(pages(fakeList(again, (read) => read === 3 && change(again)).list, {})));
  expect(error).toBeInstanceOf(ListChangedError);
  expect((error as Error).message).toBe(`the list changed while it was read: ${message}. ${wait}`);
});

test("gives up on an unstable list after three readings", async () => {
  const items = upTo(600);
  const { list, reads } = fakeList(items, () => items.push({ id: items.length + 1 }));
  expect(await errorOf(all(list, {}))).toMatchObject({
    message: `the list changed while it was read: it had 605 items, then 606. ${wait}`,
    problems: [{ id: "client/list-changed", fix: wait }],
  });
  expect(reads).toEqual([1, 2, 1, 2, 1, 2]);
});

test.each([
  ["lacks an item that it counts", [1, 2], 3, "it has 3 items, but 2 could be read"],
  ["shows an item twice", [1, 2, 2], 3, "an item was read twice"],
])("rejects a page that %s", async (_, ids, results, message) => {
  const list = async (_: Query): Promise<Page<Item>> => ({
    data: ids.map((id) => ({ id })),
    page: 1,
    pages: 1,
    results,
  });
  expect(await errorOf(all(list, {}))).toMatchObject({
    message: `the list changed while it was read: ${message}. ${wait}`,
  });
});

test("reads no list that has more than a million items, as the service says", async () => {
  const reads: (number | undefined)[] = [];
  const list = async ({ query }: NonNullable<Query>): Promise<Page<Item>> => {
    reads.push(query?.page);
    return { data: [{ id: 1 }], page: 1, pages: 1_000_001, results: 1_000_001 };
  };
  const fix = "Read single pages, or narrow the list with a filter.";
  expect(await errorOf(all(list, {}))).toMatchObject({
    message: `the service says that the list has 1000001 items; at most 1000000 are read. ${fix}`,
    problems: [{ id: "client/list-too-long", fix }],
  });
  expect(reads).toEqual([1]);
});

test.each<[string, (page: number) => number[], number, number, string]>([
  ["empty", () => [], 1e5, 1e6, "page 1 of 100000 has 0 of its 1000000 items"],
  ["too short for their number", () => [1], 1e5, 1e6, "page 1 of 100000 has 1 of its 1000000 items"],
  [
    "empty after the first",
    (page) => (page === 1 ? [1] : []),
    1e6,
    1e6,
    "page 2 of 1000000 has 0 of its 1000000 items",
  ],
  ["all the same", () => [1], 1e6, 1e6, "an item was read twice"],
])("stops early at pages that are %s", async (_, idsOf, pages, results, message) => {
  let reads = 0;
  const list = async ({ query: { page = 1 } = {} }: Query): Promise<Page<Item>> => {
    if (++reads > 50) throw new Error("still reading");
    return { data: idsOf(page).map((id) => ({ id })), page, pages, results };
  };
  expect(await errorOf(all(list, {}))).toMatchObject({
    message: `the list changed while it was read: ${message}. ${wait}`,
  });
});

test("reads pages that are smaller than requested", async () => {
  const items = upTo(250);
  const { list } = fakeList(items);
  const limited = ({ query }: Query) => list({ query: { ...query, page_size: 100 } });
  expect(await all(limited, {})).toEqual(items);
});

test("a failed page rejects and stops the running reads", async () => {
  const { list } = fakeList(upTo(5_000));
  const signals: (AbortSignal | undefined)[] = [];
  const failing = async (input: Query, options?: { signal?: AbortSignal | undefined }) => {
    signals.push(options?.signal);
    if (input.query?.page === 2) throw new Error("page 2 failed");
    return list(input);
  };
  expect(await errorOf(all(failing, {}))).toEqual(new Error("page 2 failed"));
  expect(new Set(signals.map((signal) => signal?.aborted))).toEqual(new Set([true]));
});

test("passes the caller's abort to the reads, and refusals unchanged to the caller", async () => {
  const { send } = fakeSend(refusal(404, "Not found"));
  const client = createClient({ baseUrl: "http://api", send });
  const signal = AbortSignal.abort();
  expect(await errorOf(all(client.listRecords, { domainId: 1 }, { signal }))).toMatchObject({ kind: "aborted" });
  expect(await errorOf(all(client.listRecords, { domainId: 1 }))).toMatchObject({ kind: "not-found" });
});

test("property: finds every item that exists throughout, whatever others write", async () => {
  const count = fc.oneof(
    fc.constantFrom(500, 501, 502, 1_000, 1_001, 1_003, 1_500, 1_501),
    fc.integer({ min: 1, max: 1_800 }),
  );
  const edit = fc.record({
    read: fc.integer({ min: 1, max: 14 }),
    remove: fc.option(fc.nat(1_799)),
    add: fc.boolean(),
  });
  const swap = edit.map(({ read, remove }) => ({ read, remove: remove ?? 0, add: true }));
  const edits = fc.oneof(fc.array(edit, { maxLength: 4 }), fc.array(swap, { maxLength: 8 }));
  const shuffle = fc.infiniteStream(fc.nat(3));
  await fc.assert(
    fc.asyncProperty(count, edits, shuffle, async (count, edits, delays) => {
      const items = upTo(count);
      const before = items.map(({ id }) => id);
      let next = count + 1;
      let isBlind = false;
      const { list, reads } = fakeList(items, (read) => {
        const now = edits.filter((edit) => edit.read === read);
        if (reads.at(-2) === 1 && hasFullPages(items.length))
          isBlind ||= now.some(({ remove }) => remove !== null) && now.some(({ add }) => add);
        for (const { remove, add } of now) {
          if (remove !== null) items.splice(remove % Math.max(1, items.length), 1);
          if (add) items.push({ id: next++ });
        }
      });
      const jumbled = async (input: Query) => {
        for (let turn = delays.next().value; turn > 0; turn--) await Promise.resolve();
        return list(input);
      };
      const read = await all(jumbled, {}).catch((error: unknown) => {
        if (error instanceof ListChangedError) return items; // said, not silent
        throw error;
      });
      const ids = new Set(read.map(({ id }) => id));
      fc.pre(!isBlind);
      const still = new Set(items.map(({ id }) => id));
      expect(before.filter((id) => still.has(id) && !ids.has(id))).toEqual([]);
    }),
    samples(1_000),
  );
});

/** A deletion and an addition between the first two reads is the only change that so few reads cannot show. */
function hasFullPages(count: number): boolean {
  return count > 500 && Math.ceil(count / 499) > Math.ceil(count / 500);
}

async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of iterable) values.push(value);
  return values;
}
