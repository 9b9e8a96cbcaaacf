import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { problem } from "../../src/diagnostics/problem.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import { planHtml } from "../../src/report/plan/html.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { type LoadedPage, TestBrowser } from "./browser.ts";
import { hostileTexts, shownTexts } from "./hostile-texts.ts";
import { reportOf } from "./plans.ts";

/** Stands in each place where text from outside can be. */
const word = "hostile-word";

/** A report with the word in names, values, settings, files, notes, findings and reasons. */
function reportWithWord(): PlanReport {
  const zone = `${word}.example.`;
  const file = `zones/${word}.zone`;
  const live = `;@ description: old ${word}
${word} 300 A 192.0.2.1
gone-${word} TXT "${word}"
swap-${word} CNAME ${word}.example.net.
text TXT "a ${word} b"`;
  const desired = `;@ description: new ${word}
;@ tags: ${word}
${word} 300 A 192.0.2.2
alias-${word} CNAME ${word}
swap-${word} TXT "${word}"
text TXT "a ${word} c"`;
  const effect = { zone: nameKey(domainName(zone)), kind: "delete", type: "A", before: word, after: null } as const;
  const block = {
    zone: nameKey(domainName(zone)),
    findings: [
      { text: word, isWide: true as const, effects: [{ ...effect, name: nameKey(domainName(`${word}.${zone}`)) }] },
    ],
    effectDigest: "0123456789abcdef".repeat(4),
  };
  return reportOf(
    [desiredOf(desired, zone, file), desiredOf("www A 192.0.2.1", `new-${word}.example.`, file)],
    [liveOf(live, "documented", zone)],
    {
      unmanaged: [`left-${word}.example.`],
      notes: [problem("ttl-rounded", word, { place: { file, line: 1, column: 1, length: 1 } })],
      guards: [
        { ...block, guard: "G08", state: "blocked" },
        { ...block, guard: "G05", state: "acknowledged", reason: word },
      ],
    },
  );
}

/** The same with another text for the word, in every string of it. */
function withText(value: unknown, text: string): unknown {
  if (typeof value === "string") return value.replaceAll(word, () => text);
  if (Array.isArray(value)) return value.map((item) => withText(item, text));
  if (typeof value !== "object" || value === null || value instanceof Map) return value;
  if (value instanceof SourceText)
    return new SourceText(
      value.file.replaceAll(word, () => text),
      value.text,
      value.encoding,
      value.via,
    );
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withText(inner, text)]));
}

function pageWith(text: string): Promise<string> {
  return planHtml(withText(reportWithWord(), text) as PlanReport);
}

/** The elements of a page with their attributes; values of attributes only where no text from outside may stand. */
const treeOf = `(html) => {
  const all = new DOMParser().parseFromString(html, "text/html").querySelectorAll("*");
  const valueOf = ({ name, value }) => (["aria-label"].includes(name) ? name : name + "=" + value);
  return [...all].map((one) => one.parentElement?.tagName + ">" + one.tagName + " " + [...one.attributes].map(valueOf).join(" "));
}`;

describe.skipIf(isMissing("chromium"))("hostile text in the page of a plan, in Chromium", () => {
  const browser = new TestBrowser();
  let parser: LoadedPage;
  beforeAll(async () => {
    parser = await browser.load("<title>parser</title>");
  });
  afterAll(() => browser.close());

  test("stands in each place where text from outside can be", async () => {
    const html = await pageWith(word);
    expect(html.split(word).length).toBeGreaterThan(40);
    expect(html).not.toMatch(/id="[^"]*hostile|href="[^"]*hostile/);
  });

  test("leaves the elements and attributes as harmless text does", async () => {
    const treesOf = (pages: readonly string[]) =>
      parser.page.evaluate<string[][]>(`${JSON.stringify(pages)}.map(${treeOf})`);
    const [harmless] = await treesOf([await pageWith("harmless")]);
    for (let from = 0; from < hostileTexts.length; from += 40) {
      const texts = hostileTexts.slice(from, from + 40);
      const trees = await treesOf(await Promise.all(texts.map(pageWith)));
      for (const [index, tree] of trees.entries()) expect(tree, JSON.stringify(texts[index])).toEqual(harmless);
    }
  });

  test("is shown as it is, and makes no script run, no request and no message", async () => {
    const notes = hostileTexts.map((text) => problem("ttl-rounded", text));
    const { page, address, requests, messages, violations } = await browser.load(
      await planHtml({ ...reportWithWord(), notes }),
    );
    const shown = await page.locator("#notes + ul > li > bdi").allInnerTexts();
    expect(shown).toEqual(shownTexts);
    expect({ requests: requests(), messages, violations: await violations() }).toEqual({
      requests: [address],
      messages: [],
      violations: [],
    });
    expect(
      await page.evaluate(
        `[...document.querySelectorAll("a")].filter((one) => !one.getAttribute("href").startsWith("#")).length`,
      ),
    ).toBe(0);
    expect(await page.locator("img, iframe, object, embed, base, link, video, audio").count()).toBe(0);
  });

  test("keeps right-to-left text inside its value", async () => {
    const { page } = await browser.load(await pageWith("שלום"));
    // A value in another direction must not move its neighbours: the place stays left-aligned below the name.
    const lefts = await page.evaluate<number[]>(
      `[...document.querySelectorAll("#changes ~ details tbody th")].map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell.querySelector("bdi"));
        return Math.round(range.getBoundingClientRect().left - cell.getBoundingClientRect().left);
      })`,
    );
    expect(lefts.length).toBeGreaterThan(3);
    expect(new Set(lefts).size).toBe(1);
  });
});
