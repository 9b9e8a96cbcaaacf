import { expect, test } from "vitest";
import { planHtml } from "../../src/report/plan/html.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { manyChanges } from "./html-plans.ts";
import { withoutFrame } from "./page-frame.ts";
import { exampleReport, reportOf } from "./plans.ts";

test("a plan is one page of HTML", async () => {
  await expect(await withoutFrame(await planHtml(exampleReport()))).toMatchFileSnapshot("../cases/reports/plan.html");
});

test("a plan without changes is a short page", async () => {
  const html = await planHtml(reportOf([desiredOf("www A 192.0.2.1")], [liveOf("www A 192.0.2.1")]));
  expect(html.match(/<body>.*<\/main>/s)?.[0].replaceAll(/\n+/g, "\n")).toBe(`<body>
<header>
<h1>Plan of zones: in sync</h1>
<p class="verdict ">1 zone, nothing to do</p>
</header>
<main>
</main>`);
});

test("tables and pictures say how many rows they leave out; the changes are complete", async () => {
  const html = await planHtml(manyChanges(1200));
  expect(html.match(/<tr [^>]*data-kind/g)).toHaveLength(1201);
  expect(html.match(/<p>[\d,]+ more [^<]*<\/p>/g)).toEqual([
    "<p>701 more changes are listed only under Changes, where each has its step</p>",
    "<p>101 more changes are not listed; none of them takes longer</p>",
  ]);
  expect(html.match(/>Changes \d+ to \d+ of \d+ of [^<]*/g)).toEqual([
    ">Changes 1 to 500 of 1201 of example.com",
    ">Changes 501 to 1000 of 1201 of example.com",
    ">Changes 1001 to 1201 of 1201 of example.com",
  ]);
});

test("the timeline has each step with a gap, also beyond its other rows", async () => {
  const html = await planHtml(manyChanges(1200));
  const timeline = html.slice(html.indexOf('<h2 id="order-of-the-writes"'), html.indexOf('<h2 id="how-long'));
  expect(timeline.match(/<tr class/g)).toHaveLength(500);
  expect(timeline).toMatch(/⇄ swap<\/td><th[^>]*><bdi>last\.example\.com</);
});
