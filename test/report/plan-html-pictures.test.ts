import { expect, test } from "vitest";
import { planHtml } from "../../src/report/plan/html.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { reportOf } from "./plans.ts";

/** The cells of a table below a heading as text, a line for each row. */
async function rowsOf(report: PlanReport, id: string): Promise<string[]> {
  const html = await planHtml(report);
  const from = html.indexOf(`<h2 id="${id}"`);
  if (from === -1) return [];
  const section = html.slice(from, html.indexOf("</section>", from));
  const body = section.slice(section.indexOf("<tbody>"), section.indexOf("</tbody>"));
  return [...body.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<(td|th)[ >].*?<\/\1>/gs)]
      .map(([cell]) => cell.replaceAll(/<[^>]*>/g, "").trim())
      .filter((text) => text !== "")
      .join(" | "),
  );
}

test("the timeline shows the round of each step: targets first, then the records that point to them", async () => {
  const report = reportOf(
    [desiredOf("new A 192.0.2.1\nwww CNAME new\nfree TXT x")],
    [liveOf("old A 192.0.2.9\nwww CNAME old")],
  );
  expect(await rowsOf(report, "order-of-the-writes")).toEqual([
    "1 | + create | free.example.com | 1",
    "2 | + create | new.example.com | 1",
    "3 | ~ change | www.example.com | 2",
    "4 | − delete | old.example.com | 3",
  ]);
});

test("a gap is part of the timeline, and of the time that answers live", async () => {
  const report = reportOf(
    [desiredOf("shop 300 A 192.0.2.1\nwww 3600 A 192.0.2.1")],
    [liveOf("shop 7200 CNAME shops.example.net.\nwww 3600 A 192.0.2.2")],
  );
  expect(await rowsOf(report, "order-of-the-writes")).toEqual([
    "1 | ~ change | www.example.com | 1",
    "2 | ⇄ swap | shop.example.com | 1 | brief gap: A of shop: a resolver that asks during the change may cache &quot;no such record&quot; for up to 1 hour",
  ]);
  expect(await rowsOf(report, "how-long-old-answers-live")).toEqual([
    "shop.example.com | 2 hours | 1 hour",
    "www.example.com | A | 1 hour",
  ]);
});

test("creates leave no old answers", async () => {
  const report = reportOf([desiredOf("www A 192.0.2.1")], [liveOf("")]);
  expect(await rowsOf(report, "how-long-old-answers-live")).toEqual([]);
});

test("names that point to changed ones are found through aliases and from zones in sync, not through other records", async () => {
  const other = "www CNAME host.example.com.\nshop CNAME www\n@ MX 10 www\nelsewhere CNAME same.example.com.";
  const files = [
    desiredOf("host A 192.0.2.2\nsame A 192.0.2.3\nmx MX 10 host\nviamx CNAME mx"),
    desiredOf(other, "other.example."),
  ];
  const live = [
    liveOf("host A 192.0.2.1\nsame A 192.0.2.3\nmx MX 10 host\nviamx CNAME mx"),
    liveOf(other, "documented", "other.example."),
  ];
  expect(await rowsOf({ ...reportOf(files, live), desired: files }, "names-that-point-to-changed-ones")).toEqual([
    "mx.example.com | MX | host.example.com | ~ change A",
    "www.other.example | CNAME | host.example.com | ~ change A",
    "shop.other.example | CNAME | www.other.example | leads to a changed name",
    "other.example | MX | www.other.example | leads to a changed name",
  ]);
});

test("aliases in a circle are drawn", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `n${index} CNAME n${(index + 1) % 60}`).join("\n");
  const report = reportOf([desiredOf(`${lines}\nn0 300 TXT x`.replace("n0 CNAME n1\n", ""))], [liveOf("")]);
  const html = await planHtml(report);
  expect(html).toContain("<p>19 more records are not in the picture</p>");
  expect(html).not.toMatch(/NaN|Infinity|undefined/);
});
