import { expect, test } from "vitest";
import { shareLookups } from "../../src/server/kit/share-lookups.ts";

/** Lookups that end when they are told to. */
function begin() {
  const begun: { key: string; end(result: string): void; fail(error: Error): void }[] = [];
  const lookUp = shareLookups(
    (key) =>
      new Promise<string>((resolve, reject) => {
        begun.push({ key, end: resolve, fail: reject });
      }),
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
