import { once } from "node:events";
import { expect, test } from "vitest";
import { FairLimiter } from "../../src/server/kit/fair-limiter.ts";
import type { Store } from "../../src/server/store/store.ts";
import { emptyStore } from "./stores.ts";

/** Work that ends when it is told to; `now` is what is under way, in the order in which it began. */
function begin(most: number, ofOne?: number) {
  const slots = new FairLimiter(most, ofOne);
  const running = new Map<string, () => void>();
  const settled = () => new Promise(setImmediate);
  return {
    async run(...names: string[]) {
      for (const name of names)
        void slots.run(name.charAt(0), () => new Promise<void>((resolve) => running.set(name, resolve)));
      await settled();
      return [...running.keys()].join(" ");
    },
    async end(...names: string[]) {
      for (const name of names) {
        running.get(name)?.();
        running.delete(name);
      }
      await settled();
      return [...running.keys()].join(" ");
    },
  };
}

test("work is limited in total and per owner, and waiting owners rotate", async () => {
  const { run, end } = begin(4, 3);
  expect(await run("a1", "a2", "a3", "a4", "a5")).toBe("a1 a2 a3");
  expect(await run("b1", "b2", "b3", "c1", "c2")).toBe("a1 a2 a3 b1");
  expect(await end("b1")).toBe("a1 a2 a3 b2");
  expect(await end("b2")).toBe("a1 a2 a3 c1");
  expect(await end("a1")).toBe("a2 a3 c1 a4");
  expect(await end("a2", "a3", "a4")).toBe("c1 b3 c2 a5");
  expect(await end("c1", "b3", "c2", "a5")).toBe("");
  expect(await run("a6")).toBe("a6");
});

test("results and errors are passed on, and both release the limit", async () => {
  const slots = new FairLimiter(1);
  const failed = slots.run("a", () => Promise.reject(new Error("no")));
  const given = slots.run("a", async () => 5);
  await expect(failed).rejects.toThrow("no");
  expect(await given).toBe(5);
});

test("work that is aborted while it waits never runs, and no longer counts", async () => {
  const limiter = new FairLimiter(1, 1, { all: 3, ofOne: 2 });
  const ran: string[] = [];
  const end = new AbortController();
  const first = limiter.run("a", () => once(end.signal, "abort"));
  await new Promise(setImmediate);
  const aborts = new Map(["a2", "a3", "b1"].map((name) => [name, new AbortController()]));
  const outcomes = [...aborts].map(([name, { signal }]) =>
    limiter.run(name.charAt(0), async () => ran.push(name), signal).catch((error: unknown) => error),
  );
  expect(["a", "b", "c"].map((owner) => limiter.isFull(owner))).toEqual([true, true, true]);
  aborts.get("b1")?.abort("gone");
  expect(["a", "b", "c"].map((owner) => limiter.isFull(owner))).toEqual([true, false, false]);
  aborts.get("a2")?.abort("gone");
  expect(limiter.isFull("a")).toBe(false);
  end.abort();
  await first;
  expect(await Promise.all(outcomes)).toEqual(["gone", 1, "gone"]);
  expect(ran).toEqual(["a3"]);
});

/** A limiter of one piece of work, and a function that makes room for the next. */
function beginOne() {
  const later: (() => void)[] = [];
  const limiter = new FairLimiter(1, 1, undefined, (makeRoom) => later.push(makeRoom));
  return { limiter, makeRoom: () => later.shift()?.() };
}

test("work that is aborted before it waits, or as its turn comes, does not run", async () => {
  const { limiter, makeRoom } = beginOne();
  const ran: string[] = [];
  const work = async () => ran.push("work");
  await expect(limiter.run("a", work, AbortSignal.abort("gone"))).rejects.toBe("gone");
  const abort = new AbortController();
  const first = limiter.run("a", async () => {});
  const second = limiter.run("a", work, abort.signal);
  await first;
  makeRoom();
  abort.abort("gone");
  await expect(second).rejects.toBe("gone");
  makeRoom();
  expect(await limiter.run("a", work)).toBe(1);
});

test("room is made when the limiter is told to, such as in the next turn", async () => {
  const { limiter, makeRoom } = beginOne();
  const ran: string[] = [];
  const [first, second] = ["first", "second"].map((name) => limiter.run("a", async () => ran.push(name)));
  await first;
  await new Promise(setImmediate);
  expect(ran).toEqual(["first"]);
  makeRoom();
  await second;
  expect(ran).toEqual(["first", "second"]);
});

test("a limited store lets a single statement pass the transactions that wait for room", async () => {
  const store = await emptyStore();
  const begun: string[] = [];
  const read: Store["read"] = (work, options) => {
    begun.push(options?.isSingle ? "single" : "transaction");
    return options?.isSingle ? store.read(work, options) : new Promise(() => {});
  };
  const limited = new FairLimiter(1).limitStore({ ...store, read });
  for (let reads = 0; reads < 2; reads++) void limited.read(async () => {});
  expect(await limited.read(async () => "answer", { isSingle: true })).toBe("answer");
  expect(begun).toEqual(["transaction", "single"]);
});
