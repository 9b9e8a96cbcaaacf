import { expect, test } from "vitest";
import { lost, StoreWatch } from "../../../src/server/nameserver/zones/store-watch.ts";
import type { StoreVersion } from "../../../src/server/store/driver.ts";

type Step = "ask" | "commit" | "pass" | `${"answer" | "answer last"} ${number | "none"}`;

/**
 * A watched store whose version is read when the test says so, and time that passes when the test says so. `take`
 * carries out a step, and tells what was read, waited for, no longer waited for and got by questions.
 */
function begin() {
  let log: string[] = [];
  let committed = 0;
  const reads: ((version: StoreVersion | undefined) => void)[] = [];
  const waits = new Set<() => void>();
  const store = {
    version: () => {
      log.push("read");
      return new Promise<StoreVersion | undefined>((resolve) => reads.push(resolve));
    },
    committed: () => committed,
  };
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      log.push(`wait ${ms}`);
      waits.add(resolve);
      signal.addEventListener("abort", () => {
        if (waits.delete(resolve)) log.push(`no wait ${ms}`);
      });
    });
  const watch = new StoreWatch(store, wait);
  const ask = async () => {
    const version = await watch.version();
    log.push(`got ${version === lost ? "lost" : String(version)}`);
  };
  return async (step: Step) => {
    log = [];
    const [, which, version] = /^answer( last)? (.*)$/.exec(step) ?? [];
    if (version !== undefined) (which ? reads.pop() : reads.shift())?.(version === "none" ? undefined : +version);
    else if (step === "ask") void ask();
    else if (step === "commit") committed++;
    else
      for (const end of [...waits]) {
        waits.delete(end);
        end();
      }
    await new Promise(setImmediate);
    return log.join(", ");
  };
}

test.each<[string, [Step, string][]]>([
  [
    "each question reads the version, and its wait ends with that",
    [
      ["ask", "read, wait 1000"],
      ["answer 1", "no wait 1000, got 1"],
      ["ask", "read, wait 1000"],
      ["answer 2", "no wait 1000, got 2"],
    ],
  ],
  [
    "while the database hangs, one read and one wait are enough for all questions",
    [
      ["ask", "read, wait 1000"],
      ["pass", "wait 100, got lost"],
      ["ask", ""],
      ["ask", ""],
      ["pass", "got lost, got lost"],
      ["ask", "got lost"],
      ["answer 1", ""],
      ["ask", "read, wait 1000"],
      ["answer 2", "no wait 1000, got 2"],
    ],
  ],
  [
    "when it answers again, those who wait read once more, as the answer may be older than they are",
    [
      ["ask", "read, wait 1000"],
      ["pass", "wait 100, got lost"],
      ["ask", ""],
      ["answer 1", "no wait 100, read, wait 1000"],
      ["answer 2", "no wait 1000, got 2"],
    ],
  ],
  [
    "while the database is down, each question tries again",
    [
      ["ask", "read, wait 1000"],
      ["answer none", "no wait 1000, got lost"],
      ["ask", "read, wait 100"],
      ["answer none", "no wait 100, got lost"],
      ["ask", "read, wait 100"],
      ["answer 1", "no wait 100, read, wait 1000"],
      ["answer 2", "no wait 1000, got 2"],
    ],
  ],
  [
    "after a write that was committed here, no question gets an older version, although the database was lost before",
    [
      ["ask", "read, wait 1000"],
      ["pass", "wait 100, got lost"],
      ["commit", ""],
      ["ask", "read, wait 1000"],
      ["answer last 7", "no wait 1000, got 7"],
    ],
  ],
  [
    "a database that commits meanwhile is not lost, however long its version takes",
    [
      ["ask", "read, wait 1000"],
      ["commit", ""],
      ["pass", "read, wait 1000"],
      ["answer last 8", "no wait 1000, got 8"],
    ],
  ],
  [
    "a version that cannot be read while the database commits is read again",
    [
      ["ask", "read, wait 1000"],
      ["commit", ""],
      ["answer none", "no wait 1000, read, wait 1000"],
      ["answer 9", "no wait 1000, got 9"],
    ],
  ],
])("%s", async (_, steps) => {
  const take = begin();
  const taken: [Step, string][] = [];
  for (const [step] of steps) taken.push([step, await take(step)]);
  expect(taken).toEqual(steps);
});

test("a version that is known at once needs no wait", () => {
  const wait = () => expect.fail();
  expect(new StoreWatch({ version: () => 1, committed: () => 0 }, wait).version()).toBe(1);
});
