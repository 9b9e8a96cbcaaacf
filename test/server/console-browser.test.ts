import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, test as always, beforeAll, expect } from "vitest";
import { type Listening, listen } from "../../src/server/http/node.ts";
import { findProgram, isMissing } from "../judges.ts";
import { givePassword } from "./browser.ts";
import { start } from "./start.ts";

const isSkipped = isMissing("chromium");
const test = always.skipIf(isSkipped);

const password = "correct horse battery";
const hostile = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

let browser: Browser;
let listening: Listening;
beforeAll(async () => {
  if (isSkipped) return;
  const api = await start({ hasConsole: true });
  await givePassword(api.store, "admin", password);
  await api.domain("example.com", [
    { type: "TXT", name: "text", target: hostile },
    { type: "TXT", name: "long", target: "x".repeat(2000) },
    { type: "A", name: "a".repeat(60), target: "192.0.2.1" },
  ]);
  listening = await listen(api.server, { port: 0 });
  // Chromium's sandbox does not work for root, nor in most containers.
  browser = await chromium.launch({ executablePath: findProgram("chromium") ?? "", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser?.close();
  await listening?.close();
});

/** Problems that axe-core finds on the page, with the elements. */
async function problemsOf(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))",
  );
}

const sizes = [
  ["a desktop, light", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }],
  ["a phone, dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
] as const;

test.each(sizes)(
  "%s: a person signs in, looks around by links alone, and signs out, without scripts",
  async (_, size) => {
    const context = await browser.newContext({ ...size, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${listening.url}/domains`);
    await page.getByLabel("User name").fill("admin");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(new URL(page.url()).pathname).toBe("/domains");
    await page.getByRole("link", { name: "example.com" }).click();
    await page.getByRole("link", { name: "Rendered zone" }).click();
    for (const name of ["Overview", "Events", "Tokens", "Health", "API"]) {
      await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name, exact: true }).click();
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    }
    await page.getByRole("button", { name: "Sign out admin" }).click();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Sign in");
    await context.close();
  },
);

test.each(sizes)(
  "%s: axe finds nothing, the browser logs nothing, and nothing is wider than the screen",
  async (_, size) => {
    const context = await browser.newContext(size);
    const page = await context.newPage();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    page.on("dialog", (dialog) => messages.push(dialog.message()));
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    const seen: Record<string, unknown> = { "/sign-in": undefined };
    await page.goto(`${listening.url}/sign-in`);
    seen["/sign-in"] = await problemsOf(page);
    await page.getByLabel("User name").fill("admin");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    const paths = [
      "/",
      "/domains",
      "/domains/1",
      "/domains/1/zone-file",
      "/events",
      "/tokens",
      "/health",
      "/domains/9",
    ];
    for (const path of paths) {
      await page.goto(listening.url + path);
      seen[path] = await problemsOf(page);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
    }
    expect(seen).toEqual(Object.fromEntries(["/sign-in", ...paths].map((path) => [path, []])));
    expect(messages.filter((text) => !text.includes("404"))).toEqual([]);
    expect(new Set(requests)).toEqual(new Set(["/sign-in", ...paths]));
    await context.close();
  },
);
