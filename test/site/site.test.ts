// @suite long

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, test as always, beforeAll, expect } from "vitest";
import { problemIds } from "../../src/diagnostics/registry.ts";
import { groupBy } from "../../src/group-by.ts";
import { guardIds } from "../../src/planner/blocks/guards.ts";
import { isRule } from "../../src/workflow/project/switchable.ts";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { launchChromium, problemsOf, sizes, watch } from "../server/chromium.ts";

const isSkipped = isMissing("vitepress", "chromium");
const test = always.skipIf(isSkipped);

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "site/dist");
const types: Readonly<Record<string, string>> = { css: "text/css", html: "text/html", js: "text/javascript" };

let server: Server;
let url: string;
let browser: Browser;

beforeAll(async () => {
  if (isSkipped) return;
  const env = { ...process.env, NODE_OPTIONS: `--require=${join(import.meta.dirname, "no-network.cjs")}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "site/main.ts"], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  server = createServer((request, reply) => {
    const path = new URL(request.url ?? "/", "http://site").pathname.replace(/\/$/, "/index.html");
    const type = types[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    try {
      const octets = readFileSync(join(dist, posix.normalize(path)));
      reply.writeHead(200, { "Content-Type": type }).end(octets);
    } catch {
      reply.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
}, 600_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

const pages = () =>
  readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".html") && file !== "404.html",
  );

test("every link leads to a page of the site and to a heading in it", () => {
  const texts = new Map(pages().map((file) => [`/${file}`, readFileSync(join(dist, file), "utf8")]));
  const anchors = new Map(
    [...texts].map(([path, text]) => [path, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
  );
  const broken = [...texts].flatMap(([from, text]) =>
    [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].flatMap(([, link = ""]) => {
      if (/^https?:|^mailto:/.test(link)) return [];
      const { pathname, hash } = new URL(link, `http://site${from}`);
      const path = pathname.replace(/\/$/, "/index.html");
      const isThere = hash === "" ? texts.has(path) : anchors.get(path)?.has(decodeURIComponent(hash.slice(1)));
      return isThere ? [] : [`${from}: ${link}`];
    }),
  );
  expect([...new Set(broken)]).toEqual([]);
  expect(texts.size).toBeGreaterThan(problemIds.length + guardIds.length);
});

test("the search finds the page of every guard and of every id of a message", async () => {
  // The library and the settings of the search box of the generator.
  const MiniSearch = createRequire(join(root, "site/package.json"))("minisearch");
  const file = readdirSync(join(dist, "assets/chunks")).find((name) => name.startsWith("@localSearchIndexroot"));
  const { default: json } = await import(join(dist, "assets/chunks", file ?? ""));
  const index = MiniSearch.loadJSON(json, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  });
  const found = (word: string): string[] =>
    index.search(word).map(({ id }: { id: string }) => id.replace(/^\/(.*)\.html.*$/, "$1"));
  const wanted: readonly (readonly [string, string])[] = [
    ...guardIds.map((id) => [id, `reference/guards/${id}`] as const),
    ...problemIds.map((id) => [id, `reference/${isRule(id) ? "rules" : "errors"}/${id.replace("/", "-")}`] as const),
  ];
  const missed = wanted.filter(([id, page]) => !found(id).slice(0, 3).includes(page));
  expect(missed).toEqual([]);
});

/** Opens the search by its key, types a word, and follows the first result with Enter once it is this page. */
async function searchFor(page: Page, word: string, path: string): Promise<void> {
  await page.keyboard.press("/");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.type(word);
  const first = page.locator("#localsearch-list a").first();
  await expect.poll(async () => (await first.getAttribute("href"))?.replace(/#.*/, "")).toBe(path);
  await page.keyboard.press("Enter");
  await page.waitForURL((address) => address.pathname === path);
}

const searches = {
  G05: "/reference/guards/G05.html",
  "target-needs-dot": "/reference/rules/target-needs-dot.html",
  octoDNS: "/migrate-from-octodns.html",
  rfc2136: "/reference/targets/rfc2136.html",
};

test.each(sizes)("%s: the search opens pages by keys alone, in silence", async (_, size) => {
  const origins = new Set<string>();
  for (const [word, path] of Object.entries(searches)) {
    // A page of its own: the box keeps the last word of a session.
    const page = await browser.newPage(size);
    const { messages } = watch(page);
    page.on("request", (request) => origins.add(new URL(request.url()).origin));
    await page.goto(`${url}/`, { waitUntil: "networkidle" });
    await searchFor(page, word, path);
    expect(messages).toEqual([]);
    await page.close();
  }
  expect([...origins]).toEqual([url]);
});

/** All guides, and two pages of each kind of reference: each at one size, and nightly at both. */
function examined(isPhone: boolean): string[] {
  const [reference, guides] = [true, false].map((is) => pages().filter((file) => file.startsWith("reference/") === is));
  const kinds = groupBy(reference ?? [], (file) => posix.dirname(file));
  const some = [...(guides ?? []), ...[...kinds.values()].flatMap((files) => files.slice(0, 2))];
  return some.filter((_, index) => isNightly || (index % 2 === 0) === isPhone);
}

test.each(sizes)(
  "%s: axe finds nothing, and nothing is wider than the screen",
  async (name, size) => {
    const page = await browser.newPage(size);
    const { messages } = watch(page);
    const found: Record<string, unknown> = {};
    for (const file of examined(name.includes("phone"))) {
      await page.goto(`${url}/${file}`, { waitUntil: "load" });
      const problems = await problemsOf(page);
      if (problems.length > 0) found[file] = problems;
    }
    expect(found).toEqual({});
    expect(messages).toEqual([]);
  },
  600_000,
);
