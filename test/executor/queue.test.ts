import { expect, test } from "vitest";
import { Queue } from "../../src/executor/queue.ts";

test("what was pushed before the reader came is read in order, then the end", async () => {
  const queue = new Queue<number>();
  queue.push(1);
  queue.push(2);
  queue.end();
  expect(await read(queue)).toEqual([1, 2]);
});

test("what is pushed while the reader waits, or is busy, is read in order", async () => {
  const queue = new Queue<number>();
  const reading = read(queue, (value) => value === 2 && queue.push(3));
  await Promise.resolve();
  queue.push(1);
  await Promise.resolve();
  queue.push(2);
  await turn();
  queue.push(4);
  queue.end();
  expect(await reading).toEqual([1, 2, 3, 4]);
});

test("a value pushed while the last one is read is not lost to the end", async () => {
  const queue = new Queue<number>();
  queue.push(1);
  const reading = read(queue, (value) => {
    if (value === 1) {
      queue.push(2);
      queue.end();
    }
  });
  expect(await reading).toEqual([1, 2]);
});

test("an end without values", async () => {
  const queue = new Queue<number>();
  const reading = read(queue);
  await turn();
  queue.end();
  expect(await reading).toEqual([]);
});

test("a failure comes after the values that came before it", async () => {
  const queue = new Queue<number>();
  const values: number[] = [];
  queue.push(1);
  queue.fail(new Error("broken"));
  await expect(read(queue, (value) => values.push(value))).rejects.toThrow("broken");
  expect(values).toEqual([1]);
});

test("even a failure that is undefined is one", async () => {
  const queue = new Queue<number>();
  queue.fail(undefined);
  await expect(read(queue)).rejects.toBeUndefined();
});

async function read(queue: Queue<number>, onValue: (value: number) => unknown = () => {}): Promise<number[]> {
  const values: number[] = [];
  for await (const value of queue) {
    values.push(value);
    onValue(value);
  }
  return values;
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
