import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ZoneEvent } from "../../src/dns/zone/zone-event.ts";
import { findOwnEvents, warnOfUnknownWrites } from "../../src/workflow/drift/own-writes.ts";
import type { Project } from "../../src/workflow/project/project.ts";
import { makeHistory } from "./own-history.ts";

test("of 200 histories with hand edits, no event of others is one of a run, and the alarm counts each", async () => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-own-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tally: Record<string, number> = {};
  const add = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1;
  };
  const wrong: string[] = [];
  for (let seed = 1; seed <= 200; seed++) {
    const root = join(folder, String(seed));
    const { request, events: all, truth, isPlain } = makeHistory(seed, root);
    const own = await findOwnEvents({ root, config: {} } as Project, request);
    const { events } = request.log;
    for (const { id, username } of events) {
      const run = truth.get(id);
      const found = own.runOf.get(id);
      // "probably" needs a reason: an unknown user, a lost reply, or an incomplete log.
      const isClaimed = found?.certainty === "proven" || (found?.certainty === "probable" && isPlain);
      const isWrong = isClaimed && found?.run !== run;
      if (isWrong) wrong.push(`seed ${seed}: event ${id} of ${username} in ${run} is called one of ${found.run}`);
      add(`${run === undefined ? "hand" : "run"} ${found?.certainty ?? "none"}`);
    }
    const [alarm] = warnOfUnknownWrites(events, "admin", own);
    const counted = Number(/^\d+/.exec(alarm?.summary ?? "0")?.[0]);
    const byHand = (list: readonly ZoneEvent[]) =>
      list.filter(({ id, username }) => username === "admin" && !truth.has(id)).length;
    // Of equal events before and after the snapshot, the journal may not tell which is the one by hand.
    if (counted > byHand(all) || (isPlain && counted < byHand(events)))
      wrong.push(`seed ${seed}: the alarm counts ${counted}, not ${byHand(events)}`);
    add(counted < byHand(events) ? "alarm low" : "alarm complete");
  }
  expect(wrong).toEqual([]);
  expect(tally).toEqual({
    "alarm complete": 192,
    "alarm low": 8,
    "hand none": 456,
    "hand possible": 41,
    "hand probable": 6,
    "run possible": 49,
    "run probable": 269,
    "run proven": 413,
  });
});
