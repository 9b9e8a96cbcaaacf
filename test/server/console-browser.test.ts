import type { Browser } from "playwright-core";
import { afterAll, test as always, beforeAll, expect } from "vitest";
import { type Listening, listen } from "../../src/server/http/node.ts";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { givePassword } from "./browser.ts";
import { brokenNames, launchChromium, problemsOf, sizes, watch } from "./chromium.ts";
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
  const description = `${hostile}\n\n${"x".repeat(400)}`;
  await api.call("POST", "/support/tickets", { summary: "Lookups fail", description, domain_id: 1 });
  await api.call("POST", "/support/tickets", { summary: "W".repeat(64), description });
  await api.call("POST", "/support/tickets/1/replies", { description });
  const form = new FormData();
  form.set("file", new File(["text"], `${"w".repeat(200)}.txt`));
  await api.call("POST", "/support/tickets/1/attachments", form);
  listening = await listen(api.server, { port: 0 });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await listening?.close();
});

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
    for (const name of ["Overview", "Events", "Tokens", "Health", "API", "Tickets"]) {
      await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name, exact: true }).click();
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    }
    await page.getByRole("link", { name: "Lookups fail" }).click();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Lookups fail");
    await page.getByRole("button", { name: "Sign out admin" }).click();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Sign in");
    await context.close();
  },
);

test.each(isNightly ? sizes : sizes.slice(1))(
  "%s: axe finds nothing, the browser logs nothing, nothing is wider than the screen, and tables keep names whole",
  async (_, size) => {
    const context = await browser.newContext(size);
    const page = await context.newPage();
    const { messages, requests } = watch(page);
    await page.goto(`${listening.url}/sign-in`);
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
      "/tickets",
      "/tickets/1",
      "/health",
      "/api",
      "/domains/9",
      "/nowhere",
    ];
    const problems: Record<string, unknown> = {};
    for (const path of paths) {
      await page.goto(listening.url + path);
      problems[path] = [...(await problemsOf(page)), ...(await brokenNames(page))];
    }
    expect(problems).toEqual(Object.fromEntries(paths.map((path) => [path, []])));
    expect(messages.filter((text) => !text.includes("404"))).toEqual([]);
    expect(new Set(requests)).toEqual(new Set(["/sign-in", ...paths]));
    await context.close();
  },
);
