import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { planHtml } from "../../src/report/plan/html.ts";
import { findProgram } from "../judges.ts";
import { manyChanges } from "../report/html-plans.ts";
import { type Case, count, ms, type Numbers, ratio } from "./case.ts";

/**
 * The HTML report of large plans: its size, the time to write it, and, with Chromium, the times until it is shown and
 * until a word in its filter has an effect.
 */
export async function* run(): AsyncGenerator<Case> {
  const executablePath = findProgram("chromium");
  if (executablePath === undefined) yield { name: "pages in Chromium", note: "not measured: it is not on PATH" };
  let smallest: number | undefined;
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    for (const size of [500, 5_000, 20_000, 100_000]) {
      const report = manyChanges(size);
      const begin = performance.now();
      const html = await planHtml(report);
      const written = performance.now() - begin;
      const file = join(folder, "plan.html");
      writeFileSync(file, html);
      const megabytes = Buffer.byteLength(html) / 1e6;
      const loaded = executablePath === undefined ? {} : await load(file, executablePath);
      smallest ??= written / size;
      yield {
        name: `${size} changes`,
        numbers: { size: count(megabytes, "MB"), written: ms(written), ...loaded },
        ratios: {
          "time of a change": ratio(written / size, smallest, { to: "of the smallest plan", better: "lower" }),
        },
      };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The times in a browser that has nothing else to do. */
async function load(file: string, executablePath: string): Promise<Numbers> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(600_000);
    const begin = performance.now();
    await page.goto(`file://${file}`);
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
    const shown = performance.now() - begin;
    const filter = (text: string) =>
      page.evaluate<number>(`new Promise((resolve) => {
        const begin = performance.now();
        const form = document.querySelector("form.filter");
        form.elements.text.value = ${JSON.stringify(text)};
        form.dispatchEvent(new Event("input"));
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
      })`);
    const first = await filter("h49");
    const next = await filter("h499");
    const all = await filter("");
    return { shown: ms(shown), filtered: ms(first), "filtered again": ms(next), "all again": ms(all) };
  } finally {
    await browser.close();
  }
}
