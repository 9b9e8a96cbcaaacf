import { expect, test } from "vitest";
import { lost, StoreWatch } from "../../../src/server/nameserver/store-watch.ts";
import type { StoreVersion } from "../../../src/server/store/driver.ts";

/** A store whose version is read when the test says so, and time that passes when the test says so. */
function begin() {
  const reads: ((version: StoreVersion | undefined) => void)[] = [];
  const waits: (() => void)[] = [];
  let committed = 0;
  const store = {
    version: () => new Promise<StoreVersion | undefined>((resolve) => reads.push(resolve)),
    committed: () => committed,
  };
  const watch = new StoreWatch(store, () => new Promise((resolve) => waits.push(resolve)));
  return {
    watch,
    reads,
    commit: () => void committed++,
    /** All waits so far are over. */
    pass: () => waits.splice(0).forEach((end) => void end()),
  };
}

test("while the database hangs, questions get the last version known, and one read waits", async () => {
  const { watch, reads, pass } = begin();
  const first = watch.version();
  pass();
  expect(await first).toBe(lost);
  const others = [watch.version(), watch.version()];
  pass();
  expect(await Promise.all(others)).toEqual([lost, lost]);
  expect(reads.length).toBe(1);
  const waiting = watch.version();
  reads.shift()?.(1); // may be from before the question
  await new Promise(setImmediate);
  reads.shift()?.(2);
  expect(await waiting).toBe(2);
  const next = watch.version();
  reads.shift()?.(3);
  expect(await next).toBe(3);
});

test("after a write that was committed here, no question gets an older version, although the database was lost before", async () => {
  const { watch, reads, commit, pass } = begin();
  const first = watch.version();
  pass();
  expect(await first).toBe(lost);
  commit();
  const question = watch.version();
  expect(reads.length).toBe(2);
  reads.pop()?.(7);
  expect(await question).toBe(7);
});

test("a database that commits meanwhile is not lost, however long its version takes", async () => {
  const { watch, reads, commit, pass } = begin();
  const question = watch.version();
  commit();
  pass();
  await new Promise(setImmediate);
  expect(reads.length).toBe(2);
  reads.pop()?.(8);
  expect(await question).toBe(8);
});
