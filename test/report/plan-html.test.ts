import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { plain } from "../../src/diagnostics/plain.ts";
import { problem } from "../../src/diagnostics/problem.ts";
import { planHtml } from "../../src/report/plan-html.ts";
import { isMissing } from "../judges.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { exampleReport, reportOf } from "./plans.ts";

test("a plan is one page of HTML", async () => {
  await expect(await planHtml(exampleReport())).toMatchFileSnapshot("../cases/reports/plan.html");
});

test("a plan without changes is a short page", async () => {
  const html = await planHtml(reportOf([desiredOf("www A 192.0.2.1")], [liveOf("www A 192.0.2.1")]));
  expect(html.match(/<body>.*<\/main>/s)?.[0]).toMatchInlineSnapshot(`
    "<body>
    <header>
    <h1>Plan of zones: in sync</h1>
    <p class="verdict ">1 zone, nothing to do</p>

    </header>
    <main>








    </main>"
  `);
});

describe.skipIf(isMissing("chromium"))("in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-html-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("hostile text is shown, and makes nothing: no element, script or request; the console stays empty", async () => {
    const notes = (texts: readonly string[]) => texts.map((text) => problem("ttl-rounded", text));
    const { plan, ...rest } = exampleReport();
    const hostile = load(folder, await planHtml({ plan, ...rest, notes: notes(hostileTexts) }));
    const harmless = load(folder, await planHtml({ plan, ...rest, notes: notes(hostileTexts.map(() => "x")) }));
    expect(hostile.tags).toEqual(harmless.tags);
    expect(hostile.items.slice(-hostileTexts.length)).toEqual(hostileTexts.map((text) => `note: ${plain(text)}`));
    expect([hostile.console, harmless.console]).toEqual([[], []]);
  });

  test("the script shows the filter, which no page without scripts has", async () => {
    const html = await planHtml(exampleReport());
    expect(load(folder, html).dom).toContain("5 of 5 changes</output>");
    expect(html).toContain('aria-label="Filter of the changes" hidden');
  });
});

/** The page as Chromium builds it, from a file. */
function load(folder: string, html: string) {
  const file = join(folder, "plan.html");
  writeFileSync(file, html);
  const flags = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-logging=stderr",
    `--user-data-dir=${folder}/user`,
  ];
  const { stdout, stderr } = spawnSync("chromium", [...flags, "--dump-dom", `file://${file}`], { encoding: "utf8" });
  expect(stdout).toContain("</html>");
  const items = [...stdout.matchAll(/<li>(.*?)<\/li>/gs)].map(([, text = ""]) => text);
  return {
    dom: stdout,
    tags: stdout.match(/<[a-z!/][^>]*>/gi),
    items: items.map((text) =>
      text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&nbsp;", "\u00a0").replaceAll("&amp;", "&"),
    ),
    console: stderr.split("\n").filter((line) => line.includes("CONSOLE")),
  };
}
