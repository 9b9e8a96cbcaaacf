import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { problem } from "../../src/diagnostics/problem.ts";
import { findingsSarif } from "../../src/report/findings/sarif.ts";
import { planSarif } from "../../src/report/plan/sarif.ts";
import { isMissing } from "../judges.ts";
import { runJudge } from "../openapi/installed.ts";
import { isNightly } from "../properties.ts";
import { goldenPlans, refusal } from "./golden-plans.ts";
import { exampleReport } from "./plans.ts";

const version = "1.2.3";

/** Problems at lines of their own, notes before errors. */
function problems(notes: number, errors: number, summary = "x") {
  const place = { file: "zones/example.com.zone", column: 1, length: 1 };
  return Array.from({ length: notes + errors }, (_, at) =>
    problem("glue", summary, { severity: at < notes ? "note" : "error", place: { ...place, line: at + 1 } }),
  );
}

/** The levels of the results with their numbers, and the notification. */
function summaryOf(sarif: string) {
  const [{ results, invocations }] = JSON.parse(sarif).runs;
  const levels: Record<string, number> = {};
  for (const { level } of results) levels[level] = (levels[level] ?? 0) + 1;
  return {
    levels,
    notifications: invocations?.[0].toolExecutionNotifications,
    properties: invocations?.[0].properties,
  };
}

describe("a log within the limits of GitHub", () => {
  test("has every finding, and no notification", () => {
    const sarif = findingsSarif({ problems: problems(15_000, 10_000) }, version);
    expect(summaryOf(sarif)).toEqual({ levels: { note: 15_000, error: 10_000 } });
  });

  test("keeps errors, and counts what it leaves out", () => {
    expect(summaryOf(findingsSarif({ problems: problems(20_000, 10_000) }, version))).toEqual({
      levels: { note: 15_000, error: 10_000 },
      notifications: [
        { level: "warning", message: { text: "5000 further findings left out: code hosts accept a limited number." } },
      ],
      properties: { omitted: 5000 },
    });
  });

  test("has at most 10 MB, and counts what it leaves out", () => {
    const sarif = findingsSarif({ problems: problems(0, 2_000, "long ".repeat(2_000)) }, version);
    expect(Buffer.byteLength(sarif)).toBeLessThanOrEqual(10_000_000);
    expect(Buffer.byteLength(sarif)).toBeGreaterThan(9_950_000);
    const { levels, properties } = summaryOf(sarif);
    expect((levels.error ?? 0) + properties.omitted).toBe(2_000);
  });

  test.each([
    [0, []],
    [1, ["planned-delete"]],
    [3, ["planned-delete", "planned-gap", "ttl-rounded"]],
    [5, ["planned-delete", "planned-gap", "ttl-rounded", "planned-change", "planned-change"]],
    [9, ["planned-delete", "planned-gap", "ttl-rounded", "planned-change", "planned-change", "planned-create"]],
  ])("keeps the most important of %i results of a plan", (most, rules) => {
    const sarif = planSarif(exampleReport(), version, undefined, { results: most, octets: 1_000_000 });
    expect(JSON.parse(sarif).runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(rules);
  });
});

describe.skipIf(isMissing("sarif-multitool"))("the validator of Microsoft's SARIF SDK finds no fault in", () => {
  test("the logs of plans and findings", () => {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-sarif-"));
    try {
      // The largest one takes the validator longer than all others.
      const plans = Object.entries(goldenPlans).filter(([name]) => isNightly || name !== "5000-changes");
      const logs = {
        ...Object.fromEntries(plans.map(([name, make]) => [name, planSarif(make(), version)])),
        refused: findingsSarif({ problems: refusal }, version),
        omitted: planSarif(exampleReport(), version, undefined, { results: 3, octets: 1_000_000 }),
      };
      for (const [name, text] of Object.entries(logs)) writeFileSync(join(folder, `${name}.sarif`), text);
      const { text } = runJudge(["sarif-multitool", "validate", "*.sarif"], folder);
      expect(text.split("\n").filter((line) => /\b(?:error|warning)\b/i.test(line))).toEqual([]);
      expect(text).toContain(`${Object.keys(logs).length} files scanned.`);
      // It does find a fault.
      writeFileSync(join(folder, "wrong.sarif"), (logs.refused ?? "").replace('"ruleIndex"', '"ruleNumber"'));
      expect(runJudge(["sarif-multitool", "validate", "wrong.sarif"], folder).text).toContain("error JSON1005");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
