import { expect, test } from "vitest";
import { shareLookups } from "../../src/server/http/auth.ts";

/** Lookups that end when they are told to. */
function begin(gather?: (key: string) => Promise<void> | undefined) {
  const begun: { key: string; end(result: string): void; fail(error: Error): void }[] = [];
  const lookUp = shareLookups(
    (key) =>
      new Promise<string>((resolve, reject) => {
        begun.push({ key, end: resolve, fail: reject });
      }),
    gather,
  );
  return { lookUp, begun };
}

test("calls during a lookup share the next one, which begins after them", async () => {
  const { lookUp, begun } = begin();
  const first = lookUp("a");
  const [second, third, other] = [lookUp("a"), lookUp("a"), lookUp("b")];
  expect(begun.map(({ key }) => key)).toEqual(["a", "b"]);
  begun[0]?.end("old");
  expect(await first).toBe("old");
  expect(begun.map(({ key }) => key)).toEqual(["a", "b", "a"]);
  const fourth = lookUp("a");
  begun[2]?.end("new");
  expect(await Promise.all([second, third])).toEqual(["new", "new"]);
  expect(begun.map(({ key }) => key)).toEqual(["a", "b", "a", "a"]);
  begun[3]?.end("newest");
  begun[1]?.end("other");
  expect(await Promise.all([fourth, other])).toEqual(["newest", "other"]);
});

test("a lookup that fails fails its calls only, and nothing of it is kept", async () => {
  const { lookUp, begun } = begin();
  const [first, second] = [lookUp("a"), lookUp("a")];
  begun[0]?.fail(new Error("no connection"));
  await expect(first).rejects.toThrow("no connection");
  begun[1]?.end("found");
  expect(await second).toBe("found");
  const third = lookUp("a");
  begun[2]?.end("again");
  expect(await third).toBe("again");
});

test("a lookup that waits for further calls is shared by all of them", async () => {
  let goOn = () => {};
  const gathered = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { lookUp, begun } = begin((key) => (key === "crowd" ? gathered : undefined));
  const waiting = ["crowd", "crowd", "crowd"].map((key) => lookUp(key));
  const other = lookUp("other");
  await new Promise(setImmediate);
  expect(begun.map(({ key }) => key)).toEqual(["other"]);
  goOn();
  await new Promise(setImmediate);
  expect(begun.map(({ key }) => key)).toEqual(["other", "crowd"]);
  for (const { key, end } of begun) end(`found ${key}`);
  expect(await Promise.all([...waiting, other])).toEqual([...Array(3).fill("found crowd"), "found other"]);
});
