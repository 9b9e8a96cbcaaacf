import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { findProgram } from "../judges.ts";

export function launchChromium(): Promise<Browser> {
  // Chromium's sandbox does not work for root, nor in most containers.
  return chromium.launch({ executablePath: findProgram("chromium") ?? "", args: ["--no-sandbox"] });
}

export const sizes = [
  ["a desktop, light", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }],
  ["a phone, dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
] as const;

/** Problems of the page: those that axe-core finds, with the elements, and the pixels that do not fit. */
export async function problemsOf(page: Page): Promise<unknown[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<unknown[]>(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))",
  );
  const excess = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  return excess > 0 ? [...found, `${excess} pixels wider than the screen`] : found;
}

/** The names in cells of tables that are broken over lines; those that no cell has room for are not counted. */
export function brokenNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll("td")].flatMap((cell) => {
    const broken = [];
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { index, 0: word } of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => top));
        if (/^[\\w.:]{2,30}$/.test(word) && lines.size > 1) broken.push(word);
      }
    }
    return broken;
  })`);
}

/** Records the messages and dialogs of a page, and the paths of its requests. */
export function watch(page: Page): { readonly messages: string[]; readonly requests: string[] } {
  const messages: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  page.on("dialog", (dialog) => messages.push(dialog.message()));
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  return { messages, requests };
}
