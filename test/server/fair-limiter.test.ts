import { expect, test } from "vitest";
import { FairLimiter } from "../../src/server/kit/fair-limiter.ts";

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
