import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { asName } from "../../src/dns/name/name.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import type { ApplyEvent } from "../../src/executor/journal/event.ts";
import { writesOf } from "../../src/planner/changes/change.ts";
import { applyText, runText } from "../../src/report/apply/apply-text.ts";
import { eventJson } from "../../src/report/apply/events-jsonl.ts";
import { problemsJson, problemsText } from "../../src/report/findings/findings.ts";
import { findingsJunit } from "../../src/report/findings/junit.ts";
import { failureMarkdown } from "../../src/report/findings/markdown.ts";
import { findingsSarif } from "../../src/report/findings/sarif.ts";
import { jsonText } from "../../src/report/format/json-text.ts";
import { findingsCodeQuality, planCodeQuality } from "../../src/report/plan/code-quality.ts";
import { planHtml } from "../../src/report/plan/html.ts";
import { planJunit } from "../../src/report/plan/junit.ts";
import { githubComment, gitlabNote, planMarkdown } from "../../src/report/plan/markdown.ts";
import { planSarif } from "../../src/report/plan/sarif.ts";
import { type Planned, targetPlans } from "../../src/report/plan/sections.ts";
import { targetPlansText } from "../../src/report/plan/targets-text.ts";
import { planText } from "../../src/report/plan/text.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { fileOf, goldenPlans, refusal } from "./golden-plans.ts";
import { withoutFrame } from "./page-frame.ts";

const folder = "../cases/reports/plans";
const style = { color: false, unicode: true };
const version = "1.2.3";
const reportUrl = "https://ci.example/jobs/7/plan.html?a=1&b=2";

/** The reports of one plan or several, by the end of their file's name. */
const shared: Readonly<Record<string, (planned: Planned) => string | Promise<string>>> = {
  md: (report) => planMarkdown(report),
  "github.md": (report) => planMarkdown(report, { ...githubComment, reportUrl }),
  "gitlab.md": (report) => planMarkdown(report, { ...gitlabNote, reportUrl }),
  html: async (report) => withoutFrame(await planHtml(report)),
  "junit.xml": planJunit,
  sarif: (report) => planSarif(report, version),
  "codequality.json": planCodeQuality,
};

/** The reports of one plan. */
const formats: Readonly<Record<string, (report: PlanReport) => string | Promise<string>>> = {
  txt: (report) => planText(report, style),
  json: (report) => jsonText(fileOf(report)),
  ...shared,
};

/** The reports of a plan that cannot be made; it has no page of HTML. */
const refusals: Readonly<Record<string, () => string>> = {
  txt: () => problemsText(refusal, () => undefined, style),
  json: () => problemsJson(refusal),
  md: () => failureMarkdown("Plan of zones", refusal),
  "junit.xml": () => findingsJunit({ problems: refusal, files: [], lineOf: () => undefined }, "zonewright plan"),
  sarif: () => findingsSarif({ problems: refusal }, version),
  "codequality.json": () => findingsCodeQuality({ problems: refusal }),
};

/** The largest report that is stored whole, in octets. */
const mostStored = 150_000;
const shownLines = 60;

/** A large report as its first and last lines, between them the number of its lines and octets, and its SHA-256. */
function abridged(text: string): string {
  if (Buffer.byteLength(text) <= mostStored) return text;
  const lines = text.split("\n");
  const digest = createHash("sha256").update(text).digest("hex");
  const facts = `[${lines.length - 2 * shownLines} of ${lines.length} lines left out; ${Buffer.byteLength(text)} octets; SHA-256 ${digest}]`;
  return [...lines.slice(0, shownLines), facts, ...lines.slice(-shownLines)].join("\n");
}

describe.each(Object.entries(goldenPlans))("the reports of the plan %s", (name, make) => {
  const report = make();
  test.each(Object.entries(formats))("%s", async (end, print) => {
    await expect(abridged(await print(report))).toMatchFileSnapshot(`${folder}/${name}.${end}`);
  });
});

describe("the reports of a plan for several targets, of which one cannot be planned", () => {
  const [report, other] = [goldenPlans.guards?.(), goldenPlans["one-change"]?.()];
  if (!report || !other) throw new Error("these plans exist");
  const plans = [
    { target: "public", report: other },
    { target: "lab", report },
    { target: "office", report: other },
  ];
  const planned = targetPlans(plans, [{ target: "attic", problems: refusal }]);
  test.each(Object.entries(shared))("%s", async (end, print) => {
    await expect(await print(planned)).toMatchFileSnapshot(`${folder}/targets.${end}`);
  });

  test("txt", async () => {
    const text = targetPlansText(planned, style, { next: "zonewright apply plan.json" });
    await expect(text).toMatchFileSnapshot(`${folder}/targets.txt`);
  });
});

describe("the reports of a plan that cannot be made", () => {
  test.each(Object.entries(refusals))("%s", async (end, print) => {
    await expect(print()).toMatchFileSnapshot(`${folder}/refused.${end}`);
  });
});

/**
 * A plan is made before its writes, so it has no failures: the reports above show the plan of the records that are
 * still missing. These are the reports of the run that failed.
 */
describe("the reports of an apply that failed in part", () => {
  const [zone] = goldenPlans["partial-failure"]?.().plan.zones ?? [];
  const [change] = zone ? writesOf(zone) : [];
  const [failed, done] = [asName("example.com."), asName("example.net.")];
  const error = new ProblemError(refusal.slice(0, 1));
  const events: ApplyEvent[] = [
    { kind: "zone-begun", zone: failed, writes: 2 },
    { kind: "zone-begun", zone: done, writes: 1 },
    ...(change ? [{ kind: "record-written", zone: failed, change } as const] : []),
    { kind: "ambiguous", zone: failed, change, error },
    { kind: "resolved", zone: failed, change, isDone: false },
    { kind: "zone-created", zone: done, domainId: asId(7) },
    { kind: "zone-failed", zone: failed, written: 1, writes: 2, error },
    { kind: "zone-done", zone: done, left: undefined },
  ];
  const result = {
    id: "1",
    zones: 2,
    done: 1,
    written: 2,
    differing: [],
    errors: [error],
    unanswered: [],
    isInterrupted: false,
  };
  const texts = events.map((event) => applyText(event, style, "verbose")).join("");

  test.each([
    ["apply.txt", `${texts}${runText({ ...result, journalFailure: undefined })}\n`],
    ["apply.jsonl", events.map(eventJson).join("")],
  ])("%s", async (end, text) => {
    await expect(text).toMatchFileSnapshot(`${folder}/partial-failure.${end}`);
  });
});

test("each file of reports is that of a plan and a format", () => {
  const files = [
    ...Object.keys(goldenPlans).flatMap((name) => Object.keys(formats).map((end) => `${name}.${end}`)),
    ...Object.keys(refusals).map((end) => `refused.${end}`),
    ...["txt", ...Object.keys(shared)].map((end) => `targets.${end}`),
    "partial-failure.apply.txt",
    "partial-failure.apply.jsonl",
  ];
  expect(readdirSync(join(import.meta.dirname, folder)).sort()).toEqual(files.sort());
});
