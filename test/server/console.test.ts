import { beforeAll, describe, expect, test } from "vitest";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { replyToTicket } from "../../src/server/areas/support/handlers/tickets-operator.ts";
import { Browser, formOf, givePassword, textOf, type View } from "./browser.ts";
import { startOAuth } from "./oauth-desk.ts";
import { start } from "./start.ts";

const password = "correct horse battery";

/** Texts that would be markup, attributes or links if a page did not escape them. */
const hostile = `"><img src=x onerror=alert(1)><a href='javascript:alert(2)'>&lt;b&gt;`;

async function begin() {
  const api = await start({ hasConsole: true, nameservers: ["ns1.example.net", "ns2.example.net"] });
  await givePassword(api.store, "admin", password);
  await api.domain("example.com", [
    { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 },
    { type: "MX", target: "mail.example.com", priority: 10 },
    { type: "TXT", name: "text", target: hostile },
    { type: "SRV", service: "sip", protocol: "tcp", priority: 1, weight: 5, port: 5060, target: "sip.example.org" },
    { type: "CAA", tag: "issue", target: "ca.example" },
  ]);
  await api.call("PUT", "/domains/1", { description: hostile, tags: ["web"], ttl_sec: 3600, retry_sec: 7200 });
  await api.call("POST", "/support/tickets", { summary: "Lookups fail", description: hostile, domain_id: 1 });
  await api.call("POST", "/support/tickets", { summary: hostile.slice(0, 64), description: "One.\n\n  Two." });
  await api.call("POST", "/support/tickets/2/close");
  const form = new FormData();
  form.set("file", new File(["timeout"], "a<b>&.txt"));
  await api.call("POST", "/support/tickets/1/attachments", form);
  await api.call("POST", "/support/tickets/1/replies", { description: "Still <b>none</b>." });
  await replyToTicket(api.store, 1, "Served again.", api.clock.now);
  return { ...api, browser: new Browser(api.server) };
}

let api: Awaited<ReturnType<typeof begin>>;
beforeAll(async () => {
  api = await begin();
});

let browsers = 0;

/** A browser with an address of its own, because sign-ins from one are limited. */
function newBrowser(): Browser {
  const browser = new Browser(api.server);
  browser.address = `198.51.100.${++browsers}`;
  return browser;
}

async function signedIn(username = "admin"): Promise<Browser> {
  const browser = newBrowser();
  await browser.signIn("/sign-in", username, password);
  return browser;
}

/** The rows of a page's tables, as texts. */
function rowsOf({ html }: View): string[] {
  return [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell.replace(/<[^>]*>/g, "")).join(" | "),
  );
}

const pages = [
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
];

/** `noon` as pages show it. */
const shownNoon = "2026-03-04 12:00:00 UTC";

describe("without a sign-in", () => {
  test.each(pages.filter((path) => path !== "/api"))("%s leads to the sign-in, and from there back", async (path) => {
    const browser = newBrowser();
    const first = await browser.get(`${path}?page=2`);
    const to = `/sign-in?to=${encodeURIComponent(`${path}?page=2`)}`;
    expect([first.status, first.location, first.html]).toEqual([303, to, ""]);
    const { status, location } = await browser.signIn(to, "admin", password);
    expect([status, location]).toEqual([303, `${path}?page=2`]);
    expect((await browser.get(location ?? "")).status).toBe(200);
  });

  test("the reference of the API is shown", async () => {
    const view = await new Browser(api.server).get("/api");
    expect(view.status).toBe(200);
    expect(rowsOf(view)).toContain("domainId | path | integer | yes | Id of the domain");
    expect(rowsOf(view)).toEqual(
      expect.arrayContaining([
        "domain | list of objects | yes | The domains that the user has a grant on",
        "domain[].label | string | yes | Name of the domain",
        "master_ips | list of strings | yes | Addresses that a slave domain is transferred from",
      ]),
    );
    const document = JSON.parse(await (await api.ask("GET", "/v4/openapi.json")).text());
    for (const { operationId } of operations(document)) expect(view.html).toContain(`id="${operationId}"`);
  });
});

/** The operations of an OpenAPI document. */
function operations({ paths }: { paths: Record<string, Record<string, { operationId: string }>> }) {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

describe("every page", () => {
  test.each(pages)("%s has no script, its policy, and a navigation that names it", async (path) => {
    const { status, html, headers } = await (await signedIn()).get(path);
    expect(status).toBe(200);
    expect(html).not.toMatch(/<script|<img|<iframe|<[^>]* (?:on\w+|style)=|="javascript:/i);
    expect(html.match(/aria-current="page"/g)).toHaveLength(1);
    expect(Object.fromEntries(headers)).toEqual({
      "cache-control": "no-store",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  });

  test.each(pages)("%s is read only: other methods are refused", async (path) => {
    for (const method of ["POST", "PUT", "DELETE"]) expect((await api.ask(method, path)).status).toBe(405);
  });
});

test("the overview names account, user and the latest events", async () => {
  const view = await (await signedIn()).get("/");
  expect(textOf(view)).toMatch(
    /^Overview Account admin Active since 2026-03-04 12:00:00 UTC EUUID \S+ Signed in as admin Domains 1 Latest events /,
  );
  expect(rowsOf(view)[0]).toBe("Time | User | Action | Entity | Details | Job");
  expect(rowsOf(view)[2]).toBe(`${shownNoon} | admin | ticket_update | Lookups fail |  | `);
  expect(rowsOf(view)).toHaveLength(1 + 10);
});

test("domains are listed and searched by name", async () => {
  const browser = await signedIn();
  expect(rowsOf(await browser.get("/domains"))).toEqual([
    "Name | Type | Status | Tags | Updated",
    `example.com | master | active | web | ${shownNoon}`,
  ]);
  expect(rowsOf(await browser.get("/domains?search=EXAMPLE.C"))).toHaveLength(2);
  // A text that databases cannot search for is none.
  expect(rowsOf(await browser.get("/domains?search=%00"))).toEqual(rowsOf(await browser.get("/domains")));
  // 255 characters are searched for; no character is cut in two.
  for (const text of [hostile, `${"x".repeat(254)}😀`, "😀".repeat(256)]) {
    const nothing = await browser.get(`/domains?search=${encodeURIComponent(text)}`);
    const asked = [...text].slice(0, 255).join("");
    expect(textOf(nothing)).toBe(`Domains Name contains Search No name contains " ${asked} ".`);
    expect(nothing.html).not.toContain("<img");
  }
});

test("a domain shows its fields and records, with texts of others escaped", async () => {
  const view = await (await signedIn()).get("/domains/1");
  expect(rowsOf(view)).toEqual([
    "Name | Type | Data | TTL",
    "www | A | 192.0.2.1 | 300",
    "@ | MX | 10 mail.example.com | default",
    "text | TXT | &quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;a href=&#39;javascript:alert(2)&#39;&gt;&amp;lt;b&amp;gt; | default",
    "_sip._tcp | SRV | 1 5 5060 sip.example.org | default",
    "@ | CAA | 0 issue &quot;ca.example&quot; | default",
  ]);
  expect(textOf(view)).toContain(
    "Contact hostmaster@example.com Default TTL 3600 s SOA refresh 14400 s SOA retry 7200 s SOA expire 1209600 s",
  );
  expect(textOf(view)).toContain(`Description ${hostile}`);
});

test("texts of users have no characters that hide or reorder others, and are isolated", async () => {
  const { store, server, domain, call } = await start({ hasConsole: true });
  await givePassword(store, "admin", password);
  await domain("example.com");
  await call("PUT", "/domains/1", { description: "nuls\u202eon\u001b[2J", tags: ["web", "\u202egat"] });
  await store.write((db) => db.updateTable("tags").set({ label: "w\u001bb" }).where("label", "=", "web").execute());
  const ticket = { summary: "\u202eLookups\u001b[2J", description: "One.\n\u202e  Two.\u0007" };
  await call("POST", "/support/tickets", ticket);
  const browser = new Browser(server);
  await browser.signIn("/sign-in", "admin", password);
  const { html: domains } = await browser.get("/domains");
  expect(domains).toContain("<td><bdi>w\\x1bb</bdi>, <bdi>\\u202egat</bdi></td>");
  const { html: one } = await browser.get("/domains/1");
  expect(one).toContain("<dt>Description</dt><dd><bdi>nuls\\u202eon\\x1b[2J</bdi></dd>");
  expect(one).toContain("<dt>Tags</dt><dd><bdi>w\\x1bb</bdi>, <bdi>\\u202egat</bdi></dd>");
  const summary = "\\u202eLookups\\x1b[2J";
  const { html: tickets } = await browser.get("/tickets");
  expect(tickets).toContain(`<a href="/tickets/1"><bdi>${summary}</bdi></a>`);
  const { html: shown } = await browser.get("/tickets/1");
  expect(shown).toContain(`<title>${summary} · zonewright</title>`);
  expect(shown).toContain(`<h1><bdi>${summary}</bdi></h1>`);
  expect(shown).toContain('<p class="text"><bdi>One.\n\\u202e  Two.\\x07</bdi></p>');
  const { html: events } = await browser.get("/events");
  expect(events).toContain(`<td><bdi>${summary}</bdi></td>`);
  for (const html of [domains, one, tickets, shown, events]) expect(html).not.toMatch(/[\u202e\u001b\u0007]/);
});

test("texts of users keep the characters that scripts, emoji and plain text need", async () => {
  const { store, server, domain, call } = await start({ hasConsole: true });
  await givePassword(store, "admin", password);
  const persian = "می\u200cخواهم";
  const emoji = "👩\u200d💻 ❤\ufe0f";
  await domain("example.com", [{ type: "TXT", name: "text", target: "v=##[x]; ❤\ufe0f" }]);
  await call("PUT", "/domains/1", { description: `${persian} ${emoji}` });
  await call("POST", "/support/tickets", { summary: `##vso[x] ${persian}`, description: `${emoji}\r\n\tOne.` });
  const browser = new Browser(server);
  await browser.signIn("/sign-in", "admin", password);
  const { html: one } = await browser.get("/domains/1");
  expect(one).toContain(`<dt>Description</dt><dd><bdi>${persian} ${emoji}</bdi></dd>`);
  expect(one).toContain("<td><bdi>v=##[x]; ❤\ufe0f</bdi></td>");
  const { html: ticket } = await browser.get("/tickets/1");
  expect(ticket).toContain(`<title>##vso[x] ${persian} · zonewright</title>`);
  expect(ticket).toContain(`<p class="text"><bdi>${emoji}\n\tOne.</bdi></p>`);
});

test("the rendered zone is that of the zone file", async () => {
  const { body } = await api.call("GET", "/domains/1/zone-file");
  const { html } = await (await signedIn()).get("/domains/1/zone-file");
  const shown = /<pre[^>]*>(.*?)<\/pre>/s.exec(html)?.[1] ?? "";
  const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  const lines = shown.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? "").split("\n");
  expect(lines).toEqual(body.zone_file);
});

test("events without a user are shown as the operator's", async () => {
  expect(rowsOf(await (await signedIn()).get("/events"))).toContain(
    `${shownNoon} | operator | ticket_update | Lookups fail |  | `,
  );
});

test("tokens are listed as the API lists them: valid personal access tokens, page by page, without their values", async () => {
  const { token, mint, codeFor, exchange, browser, clock } = await startOAuth({ hasConsole: true, profile: "live" });
  await mint({ scopes: "nodes:read_only", label: "ci", expires: new Date("2026-03-04T12:00:01Z") });
  await mint({
    scopes: "nodes:read_only events:read_only",
    label: "monitor",
    expires: new Date("2026-03-05T12:00:00Z"),
  });
  await exchange(await codeFor());
  clock.now = new Date("2026-03-04T12:00:01Z");
  const view = await browser.get("/tokens");
  expect(rowsOf(view)).toEqual([
    "Id | Label | Scopes | Created | Expires",
    `1 |  | everything | ${shownNoon} | never`,
    `3 | monitor | linodes:read_only events:read_only | ${shownNoon} | 2026-03-05 12:00:00 UTC`,
  ]);
  expect(view.html).not.toContain(token);
  for (let count = 0; count < 49; count++) await mint({ label: `more ${count}` });
  expect(textOf(await browser.get("/tokens?page=2"))).toContain("Page 2 of 2 (51 total)");
});

test("tickets are listed, open ones first", async () => {
  const view = await (await signedIn()).get("/tickets");
  expect(rowsOf(view)).toEqual([
    "Id | Summary | Status | About | Updated | By",
    `1 | Lookups fail | open | example.com | ${shownNoon} | operator`,
    `2 | &quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;a href=&#39;javascript:alert(2)&#39;&gt;&amp;lt; | closed |  | ${shownNoon} | admin`,
  ]);
  expect(view.html).toContain('<a href="/tickets/1"><bdi>Lookups fail</bdi></a>');
  expect(view.html).toContain('<a href="/domains/1"><bdi>example.com</bdi></a>');
});

test("a ticket shows its text, its files without their contents, and its replies", async () => {
  const browser = await signedIn();
  expect(textOf(await browser.get("/tickets/1"))).toBe(
    `Lookups fail Status open About example.com Opened ${shownNoon} by admin Updated ${shownNoon} by operator ` +
      `${hostile} Files Name Size Added a<b>&.txt 7 octets ${shownNoon} ` +
      `Replies admin, ${shownNoon} Still <b>none</b>. The operator, ${shownNoon} Served again. Page 1 of 1 (2 total)`,
  );
  const closed = await browser.get("/tickets/2");
  expect(textOf(closed)).toBe(
    `${hostile.slice(0, 64)} Status closed Opened ${shownNoon} by admin Updated ${shownNoon} by admin ` +
      `Closed ${shownNoon} One. Two.`,
  );
  expect(closed.html).toContain('<p class="text"><bdi>One.\n\n  Two.</bdi></p>');
});

test("a long list has pages of 50, which link to each other", async () => {
  const { store, server, domain } = await start({ hasConsole: true });
  await givePassword(store, "admin", password);
  for (let number = 101; number <= 201; number++) await domain(`zone-${number}.example`);
  const browser = new Browser(server);
  await browser.signIn("/sign-in", "admin", password);
  const summaryOf = (view: View) => [
    rowsOf(view)
      .map((row) => row.split(" | ")[0])
      .filter((_, index, names) => index === 1 || index === names.length - 1),
    [...view.html.matchAll(/<a rel="(\w+)" href="([^"]+)">/g)].map(([, rel, href]) => `${rel} ${href}`),
    /Page.*total\)/.exec(textOf(view))?.[0],
  ];
  expect(summaryOf(await browser.get("/domains"))).toEqual([
    ["zone-101.example", "zone-150.example"],
    ["next /domains?page=2"],
    "Page 1 of 3 (101 total)",
  ]);
  expect(summaryOf(await browser.get("/domains?page=2"))).toEqual([
    ["zone-151.example", "zone-200.example"],
    ["prev /domains?page=1", "next /domains?page=3"],
    "Page 2 of 3 (101 total)",
  ]);
  expect(summaryOf(await browser.get("/domains?page=3"))).toEqual([
    ["zone-201.example"],
    ["prev /domains?page=2"],
    "Page 3 of 3 (101 total)",
  ]);
  expect(summaryOf(await browser.get("/domains?search=zone-1"))).toEqual([
    ["zone-101.example", "zone-150.example"],
    ["next /domains?search=zone-1&amp;page=2"],
    "Page 1 of 2 (99 total)",
  ]);
});

test("a page past the end links to the last one", async () => {
  const view = await (await signedIn()).get("/domains?page=7");
  expect(textOf(view)).toBe(
    "Domains Name contains Search Page 7 does not exist; the list has 1 page (1 total) Last page",
  );
  expect(view.html).toContain('<a rel="prev" href="/domains?page=1">Last page</a>');
});

const notFound = [404, "Not found This page does not exist, or it belongs to another account."];
const nothing = [404, { errors: [{ reason: "Not found" }] }];

test.each(["/domains/9", "/domains/9/zone-file", "/domains/999999999999999", "/tickets/9"])(
  "%s is not found",
  async (path) => {
    const view = await (await signedIn()).get(path);
    expect([view.status, textOf(view)]).toEqual(notFound);
  },
);

describe.each(["/domains/0", "/domains/1/", "/domains/x", "/domains/-1", "/tickets/1/replies", "/console", "/v4x"])(
  "%s, which is no page,",
  (path) => {
    test("is not found in a browser, with or without a sign-in", async () => {
      for (const browser of [newBrowser(), await signedIn()]) {
        const view = await browser.get(path);
        expect([view.status, textOf(view)]).toEqual(notFound);
      }
    });

    test("has the reply of the API for programs", async () => {
      const reply = await api.ask("GET", path);
      expect([reply.status, await reply.json()]).toEqual(nothing);
    });
  },
);

test.each(["/v4", "/v4/", "/v4/nothing", "/v4beta/domains/1/x"])("%s is the API's in a browser too", async (path) => {
  const reply = await api.ask("GET", path, undefined, { Accept: "text/html" });
  expect([reply.status, await reply.json()]).toEqual(nothing);
});

test("a restricted user sees what the API shows them", async () => {
  await addUser(api.store, { username: "reader", account: "admin", restricted: true, now: api.clock.now });
  await givePassword(api.store, "reader", password);
  const browser = await signedIn("reader");
  expect(rowsOf(await browser.get("/domains"))).toEqual([]);
  const refused = [403, "This page cannot be shown Your grants do not allow it."];
  for (const path of ["/domains/1", "/tickets/1", "/tickets/2"]) {
    const view = await browser.get(path);
    expect([view.status, textOf(view)]).toEqual(refused);
  }
  expect(rowsOf(await browser.get("/tickets"))).toEqual([]);
  await setGrant(api.store, "reader", "example.com", "read_only", api.clock.now);
  for (const path of ["/domains/1", "/tickets/1"]) expect((await browser.get(path)).status).toBe(200);
  expect(rowsOf(await browser.get("/tickets"))).toHaveLength(2);
  expect((await browser.get("/tickets/2")).status).toBe(403);
});

test("another account sees nothing of this one", async () => {
  await api.mint({ username: "stranger" });
  await givePassword(api.store, "stranger", password);
  const browser = await signedIn("stranger");
  expect(rowsOf(await browser.get("/domains"))).toEqual([]);
  expect(textOf(await browser.get("/events"))).toBe("Events Nothing to show.");
  expect(textOf(await browser.get("/tickets"))).toBe("Tickets Nothing to show.");
  for (const path of ["/domains/1", "/domains/1/zone-file", "/tickets/1"])
    expect((await browser.get(path)).status).toBe(404);
});

test("after twelve hours a user signs in again, and is back on the page", async () => {
  const { store, server, clock } = await start({ hasConsole: true });
  await givePassword(store, "admin", password);
  const browser = new Browser(server);
  await browser.signIn("/sign-in", "admin", password);
  expect((await browser.get("/events?page=1")).status).toBe(200);
  clock.now = new Date(clock.now.getTime() + 12 * 3_600_000);
  const to = "/sign-in?to=%2Fevents%3Fpage%3D1";
  expect((await browser.get("/events?page=1")).location).toBe(to);
  expect((await browser.signIn(to, "admin", password)).location).toBe("/events?page=1");
});

test("pages without items say so", async () => {
  const { store, server } = await start({ hasConsole: true });
  await givePassword(store, "admin", password);
  const browser = new Browser(server);
  await browser.signIn("/sign-in", "admin", password);
  const texts = ["/domains", "/events", "/tickets"].map(async (path) => textOf(await browser.get(path)));
  expect(await Promise.all(texts)).toEqual([
    "Domains Name contains Search Nothing to show.",
    "Events Nothing to show.",
    "Tickets Nothing to show.",
  ]);
});

test("signing out ends the session", async () => {
  const browser = await signedIn();
  const stolen = new Map(browser.cookies);
  const page = await browser.get("/domains");
  expect((await browser.submit(formOf(page, "/sign-out"))).location).toBe("/");
  browser.cookies = stolen;
  expect((await browser.get("/domains")).status).toBe(303);
});

test("a token does not open pages, and a session does not open the API", async () => {
  const browser = await signedIn();
  expect((await api.ask("GET", "/domains")).status).toBe(303);
  expect((await browser.get("/v4/domains")).status).toBe(401);
});

test("pages count as requests, of the user or else of the address", async () => {
  const { store, server } = await start({ hasConsole: true, rateLimit: { requests: 3, seconds: 120 } });
  await givePassword(store, "admin", password);
  const visitor = new Browser(server);
  const statuses = async (browser: Browser, paths: readonly string[]) => {
    const views: View[] = [];
    for (const path of paths) views.push(await browser.get(path));
    return views.map(({ status }) => status);
  };
  expect(await statuses(visitor, ["/api", "/nowhere", "/api", "/api", "/nowhere"])).toEqual([200, 404, 200, 429, 429]);
  const refused = await visitor.get("/api");
  expect(textOf(refused)).toBe("Too many requests Wait 120 seconds before you try again.");
  expect(refused.headers.get("Retry-After")).toBe("120");
  const user = new Browser(server);
  user.address = "198.51.100.200";
  await user.signIn("/sign-in", "admin", password);
  expect(await statuses(user, ["/", "/domains", "/api", "/domains", "/api"])).toEqual([200, 200, 200, 429, 429]);
});

test("without the console the API answers on its paths", async () => {
  const without = await start();
  for (const path of [...pages, "/console"]) {
    const reply = await without.ask("GET", path, undefined, { Accept: "text/html" });
    expect([reply.status, await reply.json()]).toEqual(nothing);
  }
});
