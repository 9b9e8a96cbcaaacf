import { spawnSync } from "node:child_process";
import axe from "axe-core";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planHtml } from "../../src/report/plan/html.ts";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { TestBrowser } from "./browser.ts";
import { goldenPlans } from "./golden-plans.ts";
import { htmlPlans, manyChanges } from "./html-plans.ts";

const phone: BrowserContextOptions = { viewport: { width: 360, height: 780 } };
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
const everyRule = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
const contrast = { type: "rule", values: ["color-contrast"] };
/**
 * Colours change neither elements nor places, so that contrast is judged in each mode, and the rest once for a size.
 */
const modes: readonly (readonly [string, BrowserContextOptions, rules: typeof everyRule])[] = [
  ["desktop, light", { ...desktop, colorScheme: "light" }, everyRule],
  ["desktop, dark", { ...desktop, colorScheme: "dark" }, contrast],
  ["phone, light", { ...phone, colorScheme: "light" }, contrast],
  ["phone, dark", { ...phone, colorScheme: "dark" }, everyRule],
  ["forced colours", { ...desktop, forcedColors: "active" }, contrast],
];
const plans = Object.entries(htmlPlans);
// A test below filters thousands of changes; axe would take minutes for them.
const allPlans = [...plans, ...Object.entries(goldenPlans).filter(([name]) => name !== "5000-changes")];
// "many-zones" repeats few elements ten thousand times.
const mostPlans = allPlans.filter(([title]) => isNightly || title !== "many-zones");
/** Plans that together have every kind of part, and are small. */
const somePlans = allPlans.filter(([title]) => isNightly || /blocked|drift|each kind/.test(title));

// Each test loads many pages.
describe.skipIf(isMissing("chromium"))("the page of a plan in Chromium", { timeout: 240_000 }, () => {
  const browser = new TestBrowser();
  const pages = new Map<string, string>();
  beforeAll(async () => {
    for (const [title, report] of allPlans) pages.set(title, await planHtml(report()));
  });
  afterAll(() => browser.close());
  const pageOf = (title: string) => pages.get(title) ?? "";
  const blocked = "a blocked plan with long names and values";

  test.each(modes.filter(([mode]) => isNightly || /desktop, light|phone, dark/.test(mode)))(
    "%s: axe finds nothing, the console is silent, and nothing is requested",
    async (mode, options, rules) => {
      const chosen = isNightly && mode === "phone, dark" ? mostPlans : somePlans;
      const all: Record<string, unknown> = {};
      for (const [title] of chosen) {
        const { page, address, requests, messages, violations } = await browser.load(pageOf(title), options);
        await page.evaluate(axe.source);
        const found = await page.evaluate<string[]>(
          `axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
        );
        const others = requests().filter((url) => url !== address);
        all[title] = { found, messages, requests: others, violations: await violations() };
        await page.close();
      }
      const nothing = { found: [], messages: [], requests: [], violations: [] };
      expect(all).toEqual(Object.fromEntries(chosen.map(([title]) => [title, nothing])));
    },
  );

  test("from the smallest phone to a large screen, no page is wider than the window", async () => {
    const wide: string[] = [];
    for (const [title] of isNightly ? mostPlans : somePlans) {
      const { page } = await browser.load(pageOf(title));
      // At 768 pixels rows become cards; above 1408 the page grows no more.
      for (const width of [320, 768, 769, 1408]) {
        await page.setViewportSize({ width, height: 800 });
        const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
        if (needed > width) wide.push(`${title}: ${needed} of ${width} pixels`);
      }
      await page.close();
    }
    expect(wide).toEqual([]);
  });

  test("nothing moves or fades", async () => {
    const { page } = await browser.load(pageOf(blocked), desktop);
    expect(
      await page.evaluate(`[...document.querySelectorAll("*")].map((element) => getComputedStyle(element))
        .filter((style) => style.animationName !== "none" || style.transitionDuration !== "0s" || style.scrollBehavior !== "auto").length`),
    ).toBe(0);
  });

  test("screen readers get this page", async () => {
    const { page } = await browser.load(pageOf(blocked), desktop);
    const tree = await page.locator("body").ariaSnapshot();
    await expect(`${tree}\n`).toMatchFileSnapshot("../cases/reports/plan-aria.txt");
  });

  test("on a phone, screen readers still get tables", async () => {
    const roles = async (options: BrowserContextOptions) => {
      const { page } = await browser.load(pageOf(blocked), options);
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      const counts: Record<string, number> = {};
      for (const { role } of nodes)
        if (/^(?:table|row|cell|gridcell|rowheader|columnheader|caption)$/.test(role?.value))
          counts[role?.value] = (counts[role?.value] ?? 0) + 1;
      return counts;
    };
    const [small, large] = [await roles(phone), await roles(desktop)];
    expect(large).toMatchObject({ table: 6 });
    // Cells without content are not shown.
    expect({ ...small, cell: 0 }).toEqual({ ...large, cell: 0 });
  });

  test("without scripts, the same text is shown, and no filter", async () => {
    for (const [title] of somePlans) {
      const textOf = async (javaScriptEnabled: boolean) => {
        const { page } = await browser.load(pageOf(title), { ...desktop, javaScriptEnabled });
        const text = await page.locator("body").innerText();
        const filter = page.locator("form");
        const shown = { text, filter: (await filter.count()) > 0 && (await filter.isVisible()) };
        await page.close();
        return shown;
      };
      const [off, on] = [await textOf(false), await textOf(true)];
      const words = (text: string) => text.split(/\s+/);
      expect(off.filter).toBe(false);
      if (!on.filter) expect(off.text).toBe(on.text);
      else expect(words(on.text.replace(/Filter\n.*?\d+ changes?\n/s, "")), title).toEqual(words(off.text));
      expect(on.filter).toBe(pageOf(title).includes("<form"));
    }
  });

  describe("its policy", () => {
    const unreachable = "http://127.0.0.1:9";
    /** In a frame that is refused, Chromium shows a page of its own with pictures. */
    const ofErrorPages = "data:image/png;";
    test.each([
      ["a script", "<script>document.title = 'x'</script>", ["script-src-elem"]],
      ["a script from elsewhere", `<script src="${unreachable}/x.js"></script>`, ["script-src-elem"]],
      ["a handler", `<img src="x" onerror="document.title = 'x'">`, ["img-src", "script-src-attr"]],
      ["a style", "<style>body { display: none }</style>", ["style-src-elem"]],
      ["a style attribute", `<p style="position: fixed">x</p>`, ["style-src-attr"]],
      ["a style sheet", `<link rel="stylesheet" href="${unreachable}/x.css">`, ["style-src-elem"]],
      ["an image", `<img src="${unreachable}/x.png">`, ["img-src"]],
      ["a frame", `<iframe src="${unreachable}/"></iframe>`, ["frame-src"]],
      ["an object", `<object data="${unreachable}/"></object>`, ["object-src"]],
      ["a video", `<video src="${unreachable}/x.mp4"></video>`, ["media-src"]],
      ["a base", `<base href="${unreachable}/">`, ["base-uri"]],
      ["a manifest", `<link rel="manifest" href="${unreachable}/x.json">`, []],
    ])("refuses %s", async (_, injected, directives) => {
      const html = pageOf("one change").replace("</main>", `${injected}</main>`);
      const { page, address, requests, violations } = await browser.load(html, desktop);
      expect(await violations()).toEqual(expect.arrayContaining(directives));
      expect({
        requests: requests().filter((url) => url !== address && !url.startsWith(ofErrorPages)),
        title: await page.title(),
      }).toEqual({
        requests: [],
        title: "Plan of zones: 1 change in 1 of 1 zone",
      });
      expect(await page.evaluate("document.baseURI")).toBe(address);
      await page.close();
    });

    test.each([
      ["a request", `fetch("${unreachable}/").catch(() => {})`, "connect-src"],
      [
        "a font",
        "document.styleSheets[0].insertRule(\"@font-face { font-family: evil; src: url(x.woff2) }\"); document.body.style.fontFamily = 'evil'; document.fonts.load('1rem evil').catch(() => {})",
        "font-src",
      ],
      [
        "a form",
        `const form = document.createElement("form"); form.action = "${unreachable}/"; document.body.append(form); form.submit()`,
        "form-action",
      ],
      ["code as text", "(() => { try { (0, eval)('1'); } catch {} })(); setTimeout('1')", "script-src"],
      ["a worker", `(() => { try { new Worker("data:text/javascript,1"); } catch {} })()`, "worker-src"],
    ])("refuses %s by a script", async (_, script, directive) => {
      const { page, address, requests } = await browser.load(pageOf("one change"), desktop);
      const violation = page.evaluate<string>(
        `new Promise((resolve) => document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective)))`,
      );
      await page.evaluate(`{ ${script}; undefined }`);
      expect(await violation).toBe(directive);
      await expect.poll(requests).toEqual([address]);
      await page.close();
    });
  });

  describe("its filter", () => {
    const open = async (title = "changes of each kind", options = desktop) => {
      const { page } = await browser.load(pageOf(title), options);
      const names = () =>
        page.evaluate<string[]>(
          `[...document.querySelectorAll("tr[data-kind]")].filter((row) => row.checkVisibility()).map((row) => row.querySelector("th bdi").textContent)`,
        );
      const result = () => page.getByRole("status").innerText();
      return { page, names, result, search: page.getByRole("searchbox", { name: "Filter" }) };
    };

    test.each([
      ["", ["api", "@", "www", "shop", "old-vpn"], "5 changes"],
      ["shop", ["shop"], "1 of 5 changes"],
      ["SHOP", ["shop"], "1 of 5 changes"],
      ["shop.example.com", ["shop"], "1 of 5 changes"],
      ["example.com", ["api", "@", "www", "shop", "old-vpn"], "5 changes"],
      ["a 198.51.100", ["www", "shop"], "2 of 5 changes"],
      ["zone:3 aaaa", ["api"], "1 of 5 changes"],
      ["brief gap", ["shop"], "1 of 5 changes"],
      ["  ", ["api", "@", "www", "shop", "old-vpn"], "5 changes"],
      ["no such text", [], "No change matches"],
    ])("%j", async (text, shown, message) => {
      const { page, names, result, search } = await open();
      await search.pressSequentially(text);
      expect({ names: await names(), result: await result() }).toEqual({ names: shown, result: message });
      await page.close();
    });

    test("works with the keyboard alone", async () => {
      const { page, names, result } = await open();
      const focused = () =>
        page.evaluate(
          `(() => { const { activeElement: one } = document; return (one.labels?.[0] ?? one).textContent.trim(); })()`,
        );
      const outline = () => page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      const stops: unknown[] = [];
      const rings: unknown[] = [];
      for (let stop = 0; stop < 13; stop++) {
        await page.keyboard.press("Tab");
        stops.push(await focused());
        rings.push(await outline());
      }
      expect(stops).toEqual([
        "Zones",
        "Changes",
        "Order of the writes",
        "How long old answers live",
        "Names that point to changed ones",
        "Notes",
        "Left alone",
        "example.com",
        "Filter",
        "+ create",
        "~ change",
        "⇄ swap",
        "− delete",
      ]);
      expect(new Set(rings)).toEqual(new Set(["solid"]));
      await page.keyboard.press("Space");
      expect({ names: await names(), result: await result() }).toEqual({
        names: ["api", "@", "www", "shop"],
        result: "4 of 5 changes",
      });
      for (let stop = 0; stop < 4; stop++) await page.keyboard.press("Shift+Tab");
      expect(await focused()).toBe("Filter");
      await page.keyboard.type("vpn");
      expect({ names: await names(), result: await result() }).toEqual({ names: [], result: "No change matches" });
      await page.keyboard.press("Escape");
      expect({ names: await names(), result: await result() }).toEqual({
        names: ["api", "@", "www", "shop", "old-vpn"],
        result: "5 changes",
      });
      expect(await focused()).toBe("Filter");
      await page.keyboard.type("www");
      await page.keyboard.press("Enter");
      expect(await names()).toEqual(["www"]);
      for (let stop = 0; stop < 5; stop++) await page.keyboard.press("Tab");
      expect(await focused()).toBe("Show all");
      await page.keyboard.press("Enter");
      expect(await result()).toBe("5 changes");
    });

    test("opens the zones with matches, and hides those without", async () => {
      const { page, names, result, search } = await open("thirty zones");
      const zones = page.locator("details.zone");
      await zones.nth(0).locator("summary").click();
      expect(await names()).toHaveLength(58);
      await search.fill("zone-0.customer-0 mail");
      expect({ names: await names(), result: await result() }).toEqual({ names: ["mail"], result: "1 of 60 changes" });
      expect(await zones.filter({ visible: true }).count()).toBe(1);
      await page.close();
    });

    test.skipIf(!isNightly)("filters thousands of changes", async () => {
      const { page } = await browser.load(await planHtml(manyChanges(2000)), desktop);
      await page.getByRole("searchbox").fill("h1321");
      expect(await page.getByRole("status").innerText()).toBe("1 of 2001 changes");
      await page.close();
    });
  });

  describe.skipIf(isMissing("pdftotext"))("on paper", () => {
    const sheets = [
      ["Letter", "dark", true, somePlans],
      ["A4", "light", true, plans],
      ["A4", "dark", false, somePlans],
    ] as const;
    test.each(isNightly ? sheets : sheets.slice(0, 1))(
      "%s, from a %s screen, scripts %s: everything is there, black on white",
      async (format, colorScheme, javaScriptEnabled, printed) => {
        for (const [title] of printed) {
          // Closed parts are printed as well.
          const html = pageOf(title).replaceAll(/(<details class="zone"[^>]*) open>/g, "$1>");
          const { page } = await browser.load(html, { ...desktop, colorScheme, javaScriptEnabled });
          const path = browser.file("plan.pdf");
          await page.pdf({ path, format });
          const cells = await page.evaluate<string[]>(
            `[...document.querySelectorAll("h1, h2, p, li:not(nav *), td, th")].filter((cell) => !cell.closest("form")).map((cell) => cell.textContent)`,
          );
          const text = withoutSpaces(spawnSync("pdftotext", ["-raw", path, "-"], { encoding: "utf8" }).stdout);
          expect(cells.filter((cell) => !text.includes(withoutSpaces(cell)))).toEqual([]);
          expect(text).not.toContain("Showall");
          const { white, dark } = shades(path);
          expect({ title, isWhite: white > 0.75, hasText: dark > 0.001 }).toEqual({
            title,
            isWhite: true,
            hasText: true,
          });
          await page.close();
        }
      },
    );

    test.skipIf(!isNightly)("nothing is cut off", async () => {
      const cut: string[] = [];
      for (const [title] of isNightly ? plans : somePlans) {
        const { page } = await browser.load(pageOf(title));
        await page.emulateMedia({ media: "print" });
        // The widths of A4 and Letter without margins.
        for (const width of [688, 710]) {
          await page.setViewportSize({ width, height: 1000 });
          const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
          if (needed > width) cut.push(`${title}: ${needed} of ${width} pixels`);
        }
        await page.close();
      }
      expect(cut).toEqual([]);
    });

    test.each(isNightly ? ["A4", "Letter"] : ["A4"])(
      "%s: the head of a table is repeated on each page",
      async (format) => {
        const { page } = await browser.load(await planHtml(manyChanges(200)), desktop);
        const path = browser.file("long.pdf");
        await page.pdf({ path, format });
        const sheets = spawnSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" }).stdout.split("\f");
        const withChanges = sheets.filter((text) => /~ change +h\d+ +A +300/.test(text));
        expect(withChanges.length).toBeGreaterThan(2);
        expect(withChanges.filter((text) => !/step +change +name, file +type +TTL +before/.test(text))).toEqual([]);
        await page.close();
      },
    );

    test("a filtered page says how many changes are left out", async () => {
      const { page } = await browser.load(pageOf("changes of each kind"), desktop);
      await page.getByRole("searchbox").fill("shop");
      const path = browser.file("filtered.pdf");
      await page.pdf({ path, format: "A4" });
      const text = spawnSync("pdftotext", ["-raw", path, "-"], { encoding: "utf8" }).stdout;
      expect(text.match(/^(?:.* of .* changes|Show all)$/gm)).toEqual(["1 of 5 changes"]);
      await page.close();
    });
  });
});

/** Only ASCII: other scripts may lack a font, or are written from the right. */
function withoutSpaces(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/g, "");
}

/** The shares of white and of dark pixels of a document's first page. */
function shades(path: string): { white: number; dark: number } {
  const { stdout } = spawnSync("pdftoppm", ["-r", "50", "-l", "1", "-gray", path]);
  const [head = ""] = /^P5\s+\d+\s+\d+\s+255\s/.exec(stdout.subarray(0, 40).toString("latin1")) ?? [];
  const pixels = stdout.subarray(head.length);
  const share = (test: (value: number) => boolean) => pixels.filter(test).length / pixels.length;
  return { white: share((value) => value > 250), dark: share((value) => value < 100) };
}
