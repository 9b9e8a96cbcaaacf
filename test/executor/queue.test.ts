import { expect, test } from "vitest";
import { Queue } from "../../src/executor/apply.ts";

test("delivers values pushed before reading in order, then ends", async () => {
  const queue = new Queue<number>();
  queue.push(1);
  queue.push(2);
  queue.end();
  expect(await read(queue)).toEqual([1, 2]);
});

test("delivers values pushed to a waiting or busy reader in order", async () => {
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

test("delivers a value pushed while the last one is read", async () => {
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

test("ends without values", async () => {
  const queue = new Queue<number>();
  const reading = read(queue);
  await turn();
  queue.end();
  expect(await reading).toEqual([]);
});

test("delivers a failure after the values before it", async () => {
  const queue = new Queue<number>();
  const values: number[] = [];
  queue.push(1);
  queue.fail(new Error("broken"));
  await expect(read(queue, (value) => values.push(value))).rejects.toThrow("broken");
  expect(values).toEqual([1]);
});

test("delivers a failure with an undefined reason", async () => {
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
