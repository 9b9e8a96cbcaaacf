import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findProgram } from "../judges.ts";

/** A page that Chromium loaded from a file. */
export interface LoadedPage {
  readonly page: Page;
  /** The address of the file. */
  readonly address: string;
  /** The addresses of all requests that were sent, by the events of the protocol. */
  readonly requests: () => string[];
  /** Messages of the console, and uncaught errors. */
  readonly messages: readonly string[];
  /** The directives of the page's policy that were violated. */
  violations(): Promise<string[]>;
}

const recordViolations = `
globalThis.violations = [];
document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
`;

/** Headless Chromium, and pages of HTML in files of a temporary folder. */
export class TestBrowser {
  readonly #folder = mkdtempSync(join(tmpdir(), "zonewright-html-"));
  #browser: Promise<Browser> | undefined;
  /** One for all pages with the same options: files share nothing that it keeps. */
  readonly #contexts = new Map<string, Promise<BrowserContext>>();
  #files = 0;

  async load(html: string, options: BrowserContextOptions = {}): Promise<LoadedPage> {
    const page = await (await this.#contextOf(options)).newPage();
    const requests = new Map<string, string>();
    const messages: string[] = [];
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    session.on("Network.requestWillBeSent", ({ requestId, request }) => requests.set(requestId, request.url));
    // The policy stopped it.
    session.on("Network.loadingFailed", ({ requestId, blockedReason }) => {
      if (blockedReason === "csp") requests.delete(requestId);
    });
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    const file = join(this.#folder, `${++this.#files}.html`);
    writeFileSync(file, html);
    const address = pathToFileURL(file).href;
    await page.goto(address);
    const violations = () => page.evaluate<string[]>("violations");
    return { page, address, requests: () => [...requests.values()], messages, violations };
  }

  #contextOf(options: BrowserContextOptions): Promise<BrowserContext> {
    const key = JSON.stringify(options);
    const context = this.#contexts.get(key) ?? this.#newContext(options);
    this.#contexts.set(key, context);
    return context;
  }

  async #newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    // Chromium's sandbox does not work for root, nor in most containers.
    this.#browser ??= chromium.launch({
      executablePath: findProgram("chromium") ?? "",
      args: ["--no-sandbox"],
    });
    const context = await (await this.#browser).newContext(options);
    await context.addInitScript(recordViolations);
    return context;
  }

  /** A file beside the pages. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
