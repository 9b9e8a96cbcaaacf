import { expect, test } from "vitest";
import { type WalkNode, walk } from "../../src/executor/write/graph.ts";

interface Node extends WalkNode<Node> {
  readonly name: string;
}

/**
 * Walks a graph given as words, like `b2 needs a1 b1 lazy`, and returns the names in the order in which they began;
 * with several at once their ends too, with a dot. The letter of a name is its group. `troubles` are what goes wrong in
 * a node.
 */
async function trace(graph: readonly string[], troubles: Record<string, string> = {}, atOnce = 1): Promise<string> {
  const nodes = new Map<string, Node>();
  for (const text of graph) {
    const [name = "", ...words] = text.split(" ");
    const follows = nodes.get(words[words.indexOf("follows") + 1] ?? "");
    const needs = words.slice(words.indexOf("needs") + 1).filter((word) => nodes.has(word) && words.includes("needs"));
    nodes.set(name, {
      name,
      group: name[0],
      needs: new Set(needs.map((need) => nodes.get(need) as Node).filter((need) => need !== follows)),
      follows: words.includes("follows") ? follows : undefined,
      isFirst: words.includes("first"),
      isLazy: words.includes("lazy"),
      isReading: words.includes("reading"),
    });
  }
  const lines: string[] = [];
  let isInterrupted = false;
  const end = await walk([...nodes.values()], {
    atOnce,
    isInterrupted: () => isInterrupted,
    work: async ({ name }, checkpoint) => {
      lines.push(name);
      const trouble = troubles[name];
      if (trouble?.startsWith("interrupt")) isInterrupted = true;
      await undefined;
      if (trouble === "interrupt between") checkpoint();
      if (trouble === "fail" || trouble === "fatal") throw new Error(trouble);
      if (atOnce > 1) lines.push(`${name}.`);
    },
    isFatal: (error) => (error as Error).message === "fatal",
    failure: () => (lines.some((line) => troubles[line] === "journal") ? new Error("journal") : undefined),
    onFailed: async (group, error, isHalted) => {
      lines.push(`(${group} ${(error as Error).message}${isHalted ? ", all stop" : ""})`);
    },
  });
  const left = [...nodes.values()].filter((node) => !end.done.has(node) && !end.failedGroups.has(node.group));
  return [...lines, ...(left.length > 0 ? [`left: ${left.map(({ name }) => name).join(" ")}`] : [])].join(" ");
}

const two = ["a1 first", "a2 needs a1", "a3 needs a1", "b1 first", "b2 needs b1"];

test.each<[string, readonly string[], Record<string, string>, string]>([
  ["a group that has started runs before others", two, {}, "a1 a2 a3 b1 b2"],
  ["a dependency in another group", ["a1 first", "b1 first", "b2 needs b1", "a2 needs a1 b2"], {}, "a1 b1 b2 a2"],
  [
    "lazy: starts once a dependent waits for nothing else",
    ["a1 first lazy", "b1 first", "b2 needs b1", "a2 needs a1 b2", "a3 needs a2"],
    {},
    "b1 b2 a1 a2 a3",
  ],
  [
    "lazy, and no dependent ever waits for it alone",
    ["a1 first lazy", "b1 first", "a2 needs a1 b1"],
    { b1: "fail" },
    "b1 (b fail) left: a1 a2",
  ],
  ["a failure stops its group only", two, { a2: "fail" }, "a1 a2 (a fail) b1 b2"],
  [
    "a failure stops its dependents",
    ["a1", "b1 needs a1", "c1 needs b1", "d1"],
    { a1: "fail" },
    "a1 (a fail) d1 left: b1 c1",
  ],
  ["a follower starts even after a failure", ["a1", "b1 follows a1"], { a1: "fail" }, "a1 (a fail) b1"],
  ["a fatal error stops all groups", two, { a2: "fatal" }, "a1 a2 (a fatal, all stop) left: b1 b2"],
  ["a failure from elsewhere stops all groups", two, { a2: "journal" }, "a1 a2 (a journal, all stop) left: b1 b2"],
  ["interrupted: running nodes finish", two, { a2: "interrupt" }, "a1 a2 left: a3 b1 b2"],
  ["interrupted: reads still run", ["a1", "a2 needs a1 reading", "b1 needs a1"], { a1: "interrupt" }, "a1 a2 left: b1"],
  ["interrupted before its next write: not a failure", two, { a2: "interrupt between" }, "a1 a2 left: a2 a3 b1 b2"],
  ["nothing to do", [], {}, ""],
])("%s", async (_, graph, troubles, expected) => {
  expect(await trace(graph, troubles)).toBe(expected);
});

test.each([
  [1, "a1 b1 c1"],
  [2, "a1 b1 a1. b1. c1 c1."],
  [3, "a1 b1 c1 a1. b1. c1."],
])("runs at most %i at once", async (atOnce, expected) => {
  expect(await trace(["a1", "b1", "c1"], {}, atOnce)).toBe(expected);
});

test("a group fails once none of its nodes is running", async () => {
  expect(await trace(["a1", "a2", "a3", "b1"], { a1: "fail" }, 2)).toBe("a1 a2 a2. b1 (a fail) b1.");
});
