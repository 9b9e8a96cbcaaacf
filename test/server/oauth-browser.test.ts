import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, test as always, beforeAll, expect } from "vitest";
import { addUser } from "../../src/server/areas/account/users-operator.ts";
import { type Listening, listen } from "../../src/server/http/node.ts";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { givePassword, Browser as PlainBrowser } from "./browser.ts";
import { launchChromium, problemsOf, sizes, watch } from "./chromium.ts";
import { password, startOAuth } from "./oauth-desk.ts";

/** Outside of the nightly run, the phone alone. */
const chosen = isNightly ? sizes : sizes.slice(1);

const isSkipped = isMissing("chromium");
const test = always.skipIf(isSkipped);

/** The label of a client that would be markup, a dialog or too wide if the pages did not escape and break it. */
const label = `"><img src=x onerror=alert(1)><script>alert(2)</script>${"w".repeat(400)}`;

let browser: Browser;
let listening: Listening;
/** The application, to which browsers return; it leads them on from `leadingOn` to its home on another site. */
let application: Server;
let callback: string;
let leadingOn: string;
let home: string;
/** Requests for authorization by the application, and by one that the server does not know. */
let authorize: string;
let authorizeLeadingOn: string;
let unknown: string;
beforeAll(async () => {
  if (isSkipped) return;
  application = createServer(({ url = "" }, reply) => {
    if (url.startsWith("/on")) reply.writeHead(302, { Location: home });
    reply.end("back");
  }).listen(0, "127.0.0.1");
  await once(application, "listening");
  const { port } = application.address() as AddressInfo;
  callback = `http://127.0.0.1:${port}/callback`;
  leadingOn = `http://127.0.0.1:${port}/on`;
  home = `http://localhost:${port}/home`;
  const api = await startOAuth();
  const { id } = await api.register({ label: label.slice(0, 512), redirect_uri: callback });
  listening = await listen(api.server, { port: 0 });
  const other = await api.register({ redirect_uri: leadingOn });
  authorizeLeadingOn = listening.url + api.requestOf({ client_id: other.id });
  authorize = listening.url + api.requestOf({ client_id: id, scope: "domains:* events:read_only", state: "s" });
  unknown = listening.url + api.requestOf({ client_id: "0".repeat(20) });
  await addUser(api.store, { username: "guessed", account: "admin", restricted: true, now: api.clock.now });
  await givePassword(api.store, "guessed", password);
  const guesser = new PlainBrowser(api.server);
  guesser.address = "127.0.0.1";
  for (let attempt = 0; attempt < 10; attempt++) await guesser.signIn("/sign-in", "guessed", "wrong");
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await listening?.close();
  application?.close();
});

const headingOf = (page: Page) => page.getByRole("heading", { level: 1 }).innerText();

async function signIn(page: Page, username: string, word: string): Promise<void> {
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password").fill(word);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test.each(chosen)("%s: a person signs in and allows access by the keyboard alone, without scripts", async (_, size) => {
  const context = await browser.newContext({ ...size, javaScriptEnabled: false });
  const page = await context.newPage();
  const { keyboard } = page;
  const focused = () => page.locator(":focus").innerText();
  await page.goto(authorize);
  await page.locator("#username:focus").waitFor(); // the page focuses it, which may take a moment
  await keyboard.type("admin");
  await keyboard.press("Tab");
  await keyboard.type(password);
  expect(await page.getByLabel("User name").inputValue()).toBe("admin");
  expect(await page.getByLabel("Password").inputValue()).toBe(password);
  await keyboard.press("Tab");
  expect(await focused()).toBe("Sign in");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Allow access?" }).waitFor();
  await keyboard.press("Tab");
  expect(await focused()).toBe("Allow");
  await keyboard.press("Tab");
  expect(await focused()).toBe("Deny");
  await keyboard.press("Tab");
  expect(await focused()).toBe("Sign in as another user");
  await keyboard.press("Shift+Tab");
  await keyboard.press("Shift+Tab");
  await keyboard.press("Enter");
  await page.waitForURL(`${callback}?**`);
  expect(page.url().slice(callback.length)).toMatch(/^\?code=[0-9a-f]{64}&state=s&iss=/);
  await context.close();
});

test.each(chosen)("%s: a person who denies access returns to the application with the error", async (_, size) => {
  const context = await browser.newContext({ ...size, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(authorize);
  await signIn(page, "admin", password);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.waitForURL(`${callback}?**`);
  const iss = encodeURIComponent(listening.url);
  expect(page.url()).toBe(
    `${callback}?error=access_denied&error_description=the+user+denied+access&state=s&iss=${iss}`,
  );
  await context.close();
});

test("a sign-in with an error, Allow and Deny lead to an application that leads on to another site", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${authorizeLeadingOn}&scopes=*`);
  expect(await headingOf(page)).toBe("Sign in");
  await signIn(page, "admin", password);
  await page.waitForURL(home);
  for (const name of ["Allow", "Deny"]) {
    await page.goto(authorizeLeadingOn);
    await page.getByRole("button", { name }).click();
    await page.waitForURL(home);
  }
  await context.close();
});

test.each(chosen)("%s: axe finds nothing on any page, and no page runs or loads anything else", async (_, size) => {
  const context = await browser.newContext(size);
  const page = await context.newPage();
  const { messages, requests } = watch(page);
  const seen: [heading: string, text: string, problems: unknown[]][] = [];
  const look = async () => {
    const shown = page.getByRole("alert");
    seen.push([
      await headingOf(page),
      (await shown.count()) > 0 ? await shown.innerText() : "",
      await problemsOf(page),
    ]);
  };
  await page.goto(unknown);
  await look();
  await page.goto(authorize);
  await look();
  await signIn(page, "admin", "wrong");
  await look();
  await signIn(page, "guessed", password);
  await look();
  await page.goto(authorize);
  await signIn(page, "admin", password);
  await look();
  expect(await page.getByText(label.slice(0, 512)).count()).toBe(1);
  await context.clearCookies();
  await page.getByRole("button", { name: "Sign in as another user" }).click();
  await look();
  expect(seen).toEqual([
    ["This link is not valid", "Unknown or disabled application.", []],
    ["Sign in", "", []],
    ["Sign in", "The user name or the password is wrong.", []],
    ["Too many attempts", "Wait 60 seconds before you try to sign in again.", []],
    ["Allow access?", "", []],
    [
      "This form is no longer valid",
      "It is older than an hour, or your browser did not send the cookie of this site. Go back and try again.",
      [],
    ],
  ]);
  const statuses = messages.map((text) => /a status of (\d+)/.exec(text)?.[1] ?? text);
  expect(statuses).toEqual(["400", "403", "429", "403"]);
  expect(new Set(requests)).toEqual(new Set(["/oauth/authorize", "/sign-in", "/sign-out"]));
  await context.close();
});
