// @suite nightly-postgres

import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { addUser, hasPasswords, setPassword } from "../../src/server/areas/account/users-operator.ts";
import { hashPassword, isPassword } from "../../src/server/kit/passwords.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { Browser, type Form, formOf, givePassword, signInEnd, textOf, type View } from "./browser.ts";
import { noon, start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const password = "correct horse battery";

/** A server with the users admin and ci, who is restricted. */
async function begin(options: Parameters<typeof start>[0] = {}) {
  const api = await start(options);
  await addUser(api.store, { username: "ci", account: "admin", restricted: true, now: api.clock.now });
  for (const username of ["admin", "ci"]) await givePassword(api.store, username, password);
  const browser = new Browser(api.server);
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  /** Whether the browser is signed in: the page that asks for a password leads on at once. */
  const isSignedIn = async (one = browser) => (await one.get("/sign-in?to=/x")).location === "/x";
  return { ...api, browser, pass, isSignedIn };
}

const wrong = `Sign in The user name or the password is wrong. ${signInEnd}`;
const outcome = (view: View) => [view.status, view.location ?? textOf(view)];

describe("a sign-in", () => {
  test("leads to the page that the user wanted, with a session of 12 hours", async () => {
    const api = await begin();
    expect(outcome(await api.browser.signIn("/sign-in?to=%2Fdomains%3Fpage%3D2", "admin", password))).toEqual([
      303,
      "/domains?page=2",
    ]);
    api.pass(12 * 3600 - 1);
    expect(await api.isSignedIn()).toBe(true);
    api.pass(1);
    expect(await api.isSignedIn()).toBe(false);
  });

  test("leads to the console by default", async () => {
    const api = await begin({ hasConsole: true });
    expect(outcome(await api.browser.signIn("/sign-in", "admin", password))).toEqual([303, "/"]);
    expect(outcome(await api.browser.get("/sign-in"))).toEqual([303, "/"]);
  });

  test("without a console leads to a page that signs out", async () => {
    const api = await begin();
    expect(outcome(await api.browser.signIn("/sign-in", "admin", password))).toEqual([303, "/sign-in"]);
    const page = await api.browser.get("/sign-in");
    expect(outcome(page)).toEqual([
      200,
      "You are signed in Applications can now ask for access to the account as admin. Sign out",
    ]);
    expect(outcome(await api.browser.submit(formOf(page, "/sign-out")))).toEqual([303, "/sign-in"]);
    expect(await api.isSignedIn()).toBe(false);
  });

  test("stores neither the key of the session nor the password", async () => {
    const api = await begin();
    await api.browser.signIn("/sign-in", "admin", password);
    const stored = await api.store.read(async (db) =>
      JSON.stringify([
        await db.selectFrom("sessions").selectAll().execute(),
        await db.selectFrom("users").selectAll().execute(),
      ]),
    );
    expect(stored).not.toContain(api.browser.cookies.get("zonewright"));
    expect(stored).not.toContain(password);
  });

  test("ends with the next one in the same browser, for every holder of the cookie", async () => {
    const api = await begin();
    await api.browser.signIn("/sign-in", "admin", password);
    const copy = new Browser(api.server);
    copy.cookies = new Map(api.browser.cookies);
    const close = (closed: string | null) =>
      api.store.write((db) => db.updateTable("accounts").set({ closed }).execute());
    await close(noon); // only then does the page ask for a password again
    const form = formOf(await api.browser.get("/sign-in"), "/sign-in");
    await close(null);
    expect(await api.isSignedIn(copy)).toBe(true);
    expect(outcome(await api.browser.submit(form, { username: "ci", password }))).toEqual([303, "/sign-in"]);
    expect([await api.isSignedIn(), await api.isSignedIn(copy)]).toEqual([true, false]);
  });

  test("ends with a sign-out, for every holder of the cookie", async () => {
    const api = await begin();
    await api.browser.signIn("/sign-in", "admin", password);
    const copy = new Browser(api.server);
    copy.cookies = new Map(api.browser.cookies);
    const client = await api.call("POST", "/account/oauth-clients", {
      label: "dashboard",
      redirect_uri: "https://dashboard.example/",
    });
    const consent = await api.browser.get(`/oauth/authorize?response_type=code&scope=*&client_id=${client.body.id}`);
    await api.browser.submit(formOf(consent, "/sign-out"));
    expect(await api.isSignedIn(copy)).toBe(false);
  });
});

describe("the list of sign-ins", () => {
  test("has one for each, with its address", async () => {
    const api = await begin();
    const other = new Browser(api.server);
    other.address = "2001:db8::7";
    await api.browser.signIn("/sign-in", "admin", password);
    api.pass(60);
    await other.signIn("/sign-in", "ci", password);
    await new Browser(api.server).signIn("/sign-in", "ci", "wrong");
    const logins = [
      { id: 1, datetime: noon, ip: "192.0.2.99", username: "admin", restricted: false },
      { id: 2, datetime: "2026-03-04T12:01:00", ip: "2001:db8::7", username: "ci", restricted: true },
    ];
    expect(await api.call("GET", "/account/logins")).toEqual({
      status: 200,
      body: { data: logins, page: 1, pages: 1, results: 2 },
    });
    expect(await api.call("GET", "/account/logins/2")).toEqual({ status: 200, body: logins[1] });
    expect(Object.keys((await api.call("GET", "/account/logins/2")).body)).toEqual([
      "id",
      "datetime",
      "ip",
      "username",
      "restricted",
    ]);
  });

  test("has the status in profile live", async () => {
    const api = await begin({ profile: "live" });
    await api.browser.signIn("/sign-in", "admin", password);
    expect((await api.call("GET", "/account/logins/1")).body).toEqual({
      id: 1,
      datetime: noon,
      ip: "192.0.2.99",
      username: "admin",
      status: "successful",
      restricted: false,
    });
  });

  test("has those of 90 days, then they are deleted", async () => {
    const api = await begin();
    await api.browser.signIn("/sign-in", "admin", password);
    const list = async () => (await api.call("GET", "/account/logins")).body.results;
    api.pass(90 * 86_400);
    expect(await list()).toBe(1);
    expect((await api.call("GET", "/account/logins/1")).status).toBe(200);
    api.pass(1);
    expect(await list()).toBe(0);
    expect((await api.call("GET", "/account/logins/1")).status).toBe(404);
    await new Browser(api.server).signIn("/sign-in", "admin", password);
    expect(await api.store.read((db) => db.selectFrom("logins").select("id").execute())).toEqual([{ id: 2 }]);
  });

  test("is of the account alone", async () => {
    const api = await begin();
    await api.browser.signIn("/sign-in", "admin", password);
    const as = await api.mint({ username: "stranger" });
    expect((await api.call("GET", "/account/logins", undefined, { as })).body.data).toEqual([]);
    expect((await api.call("GET", "/account/logins/1", undefined, { as })).status).toBe(404);
  });
});

test("the page asks for a password if users can have one", async () => {
  const inFile = await openStore(await emptyPlace());
  onTestFinished(() => inFile.close());
  const inMemory = await openStore(":memory:");
  onTestFinished(() => inMemory.close());
  const noteOf = async (store: Store, hasConsole: boolean) => {
    const server = createServer({ store, clock: () => new Date(), hasConsole });
    return textOf(await new Browser(server).get("/sign-in"));
  };
  expect([await noteOf(inFile, true), await noteOf(inMemory, true), await noteOf(inMemory, false)]).toEqual([
    `Sign in ${signInEnd}`,
    "Sign in This server keeps its data in memory, so users have no passwords. The reference of the API needs no sign-in.",
    "Sign in This server keeps its data in memory, so users have no passwords.",
  ]);
});

describe("a sign-in is refused", () => {
  test.each<[string, (api: Awaited<ReturnType<typeof begin>>) => Promise<View>, number, string]>([
    ["a wrong password", ({ browser }) => browser.signIn("/sign-in", "admin", "wrong"), 403, wrong],
    ["no password", ({ browser }) => browser.signIn("/sign-in", "admin", ""), 403, wrong],
    ["an unknown user", ({ browser }) => browser.signIn("/sign-in", "root", password), 403, wrong],
    ["a user name in other letters", ({ browser }) => browser.signIn("/sign-in", "Admin", password), 403, wrong],
    [
      "a user without a password",
      async ({ store, clock, browser }) => {
        await addUser(store, { username: "robot", now: clock.now });
        return browser.signIn("/sign-in", "robot", "");
      },
      403,
      wrong,
    ],
    [
      "a user of a closed account",
      async ({ store, browser }) => {
        await store.write((db) => db.updateTable("accounts").set({ closed: noon }).execute());
        return browser.signIn("/sign-in", "admin", password);
      },
      403,
      `Sign in The account of this user is closed. ${signInEnd}`,
    ],
  ])("%s", async (_, attempt, status, text) => {
    const api = await begin();
    expect(outcome(await attempt(api))).toEqual([status, text]);
    expect(await api.isSignedIn()).toBe(false);
    expect(await api.store.read((db) => db.selectFrom("logins").selectAll().execute())).toEqual([]);
  });

  test("a session of an account that was closed meanwhile", async () => {
    const api = await begin();
    await api.browser.signIn("/sign-in", "admin", password);
    await api.store.write((db) => db.updateTable("accounts").set({ closed: noon }).execute());
    expect(await api.isSignedIn()).toBe(false);
  });
});

describe("of 11 attempts in a minute the last is refused, even with the right password", () => {
  const attempt = (browser: Browser, username: string, given: string) => browser.signIn("/sign-in", username, given);
  const tired = "Too many attempts Wait 60 seconds before you try to sign in again.";

  test("for one user and address", async () => {
    const api = await begin();
    for (let attempts = 1; attempts <= 10; attempts++)
      expect(outcome(await attempt(api.browser, "admin", `wrong ${attempts}`))).toEqual([403, wrong]);
    const refused = await attempt(api.browser, "admin", password);
    expect(outcome(refused)).toEqual([429, tired]);
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(outcome(await attempt(new Browser(api.server), "admin", password))).toEqual([429, tired]);
    expect(outcome(await attempt(api.browser, "ci", password))).toEqual([303, "/sign-in"]);
    const elsewhere = new Browser(api.server);
    elsewhere.address = "192.0.2.100";
    expect(outcome(await attempt(elsewhere, "admin", password))).toEqual([303, "/sign-in"]);
    api.pass(60);
    expect(outcome(await attempt(new Browser(api.server), "admin", password))).toEqual([303, "/sign-in"]);
  });

  test("for the addresses of one network of IPv6", async () => {
    const api = await begin();
    for (let attempts = 1; attempts <= 10; attempts++) {
      api.browser.address = `2001:db8::${attempts}`;
      await attempt(api.browser, "admin", "wrong");
    }
    api.browser.address = "2001:db8:0:0:ffff::1";
    expect(outcome(await attempt(api.browser, "admin", password))).toEqual([429, tired]);
    api.browser.address = "2001:db8:0:1::1";
    expect(outcome(await attempt(api.browser, "admin", password))).toEqual([303, "/sign-in"]);
  });
});

test("the passwords from one site of IPv6 are checked one after the other, beside those of others", async () => {
  const { server } = await begin();
  const done: string[] = [];
  const prepare = async (address: string, username: string) => {
    const browser = new Browser(server);
    browser.address = address;
    const form = formOf(await browser.get("/sign-in"), "/sign-in");
    return async () => {
      await browser.submit(form, { username, password });
      done.push(username);
    };
  };
  // The check for a user who does not exist takes as long as a real one.
  const attempts = [
    await prepare("2001:db8::1", "nobody 1"),
    await prepare("2001:db8::2", "nobody 2"),
    await prepare("2001:db8::3", "nobody 3"),
    await prepare("2001:db8:0:1::4", "nobody 4"),
    await prepare("2001:db8:1::1", "admin"),
  ];
  await Promise.all(attempts.map((attempt) => attempt()));
  expect(done.slice(0, 2)).toContain("admin");
  expect(done).toHaveLength(5);
});

test("while a password is checked, 10 more from its network wait, and those whose client hangs up are dropped", async () => {
  const { server } = await begin();
  const browser = new Browser(server);
  const form = formOf(await browser.get("/sign-in"), "/sign-in");
  const client = new AbortController();
  const outcomes = Array.from({ length: 12 }, async (_, index) => {
    const view = await browser.submit(form, { username: `nobody ${index}`, password }, client.signal);
    if (view.status === 429) client.abort();
    return [view.headers.get("Retry-After"), ...outcome(view)];
  });
  const hungUp = [null, 400, "This request is not valid The server says: the client disconnected."];
  expect(await Promise.all(outcomes)).toEqual([
    [null, 403, wrong],
    ...Array.from({ length: 10 }, () => hungUp),
    ["10", 429, "Too many attempts Wait 10 seconds before you try to sign in again."],
  ]);
});

describe("a sign-in leads to no other site", () => {
  const api = begin();
  test.each([
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example/",
    "\\\\evil.example/",
    "/\t/evil.example/",
    "/\n/evil.example/",
    "/.//evil.example/",
    "/..//evil.example/",
    "/%2e//evil.example/",
    "/x/..//evil.example/",
    "javascript:alert(1)",
    "evil.example",
    "@evil.example",
    "http:evil.example",
    " //evil.example/",
    "",
  ])("%j", async (to) => {
    const { browser, isSignedIn } = await api;
    const refused = [400, "This link is not valid A sign-in can only lead to a page of this server."];
    expect(outcome(await browser.get(`/sign-in?to=${encodeURIComponent(to)}`))).toEqual(refused);
    const form = formOf(await browser.get("/sign-in"), "/sign-in");
    expect(outcome(await browser.submit(form, { to, username: "admin", password }))).toEqual(refused);
    expect(await isSignedIn()).toBe(false);
  });

  test.each([
    ["/a/../b", "/b"],
    ["/%2F/evil.example", "/%2F/evil.example"],
    ["/a?to=//evil.example", "/a?to=//evil.example"],
    ["/a b\r\nSet-Cookie: x=y", "/a%20bSet-Cookie:%20x=y"],
    ["/\u00fc", "/%C3%BC"],
  ])("%j is %s", async (to, location) => {
    const { server } = await api;
    const browser = new Browser(server);
    const view = await browser.signIn(`/sign-in?to=${encodeURIComponent(to)}`, "ci", password);
    expect(outcome(view)).toEqual([303, location]);
  });
});

describe("the form of another page is refused", () => {
  const invalid =
    "This form is no longer valid It is older than an hour, or your browser did not send the cookie of this site. " +
    "Go back and try again.";
  let api: Awaited<ReturnType<typeof begin>>;
  let form: Form;
  beforeAll(async () => {
    api = await begin();
    form = formOf(await api.browser.get("/sign-in?to=/domains"), "/sign-in");
  });
  const filled = { username: "admin", password };

  test.each<[string, () => Promise<View>]>([
    ["without a token", () => api.browser.post("/sign-in", { to: "/domains", ...filled })],
    ["with a token of no server", () => api.browser.submit(form, { ...filled, token: `9999999999.${"A".repeat(43)}` })],
    [
      "with a later expiry",
      () => api.browser.submit(form, { ...filled, token: (form.fields.token ?? "").replace(/^\d+/, "9999999999") }),
    ],
    ["that leads elsewhere", () => api.browser.submit(form, { ...filled, to: "/events" })],
    ["from a browser without the cookie", () => new Browser(api.server).submit(form, filled)],
    [
      "from a browser with another cookie",
      async () => {
        const other = new Browser(api.server);
        await other.get("/sign-in");
        return other.submit(form, filled);
      },
    ],
    ["sent as a sign-out", () => api.browser.submit({ ...form, action: "/sign-out" })],
    [
      "after an hour",
      async () => {
        api.pass(3600);
        return api.browser.submit(form, filled);
      },
    ],
  ])("%s", async (_, send) => {
    expect(outcome(await send())).toEqual([403, invalid]);
    expect(await api.isSignedIn()).toBe(false);
  });
});

test("a session that an attacker planted is not the one that the user signs in to", async () => {
  const api = await begin();
  const attacker = new Browser(api.server);
  await attacker.get("/sign-in");
  api.browser.cookies = new Map(attacker.cookies);
  await api.browser.signIn("/sign-in", "admin", password);
  expect(api.browser.cookies).not.toEqual(attacker.cookies);
  expect([await api.isSignedIn(), await api.isSignedIn(attacker)]).toEqual([true, false]);
});

test.each([
  ["a cookie of another form", { zonewright: "x" }],
  ["a key in capitals", { zonewright: "A".repeat(64) }],
  ["two keys in one", { zonewright: "0".repeat(128) }],
])("%s is replaced", async (_, cookies) => {
  const { browser } = await begin();
  browser.cookies = new Map(Object.entries(cookies));
  await browser.get("/sign-in");
  expect(browser.cookies.get("zonewright")).toMatch(/^[0-9a-f]{64}$/);
});

describe("a new password", () => {
  const fix =
    "Choose 12 characters or more, not counting the user name, that are hard to guess; several random words are easy to remember.";

  test.each([
    ["admin", "eleven char", "is shorter than 12 characters"],
    ["admin", "a b".repeat(342), "is longer than 1024 characters"],
    ["admin", "abababababab", "has fewer than 5 different characters"],
    ["admin", "Administrator!", "has fewer than 12 characters besides the user name"],
    ["admin", "admin2026Admin2026", "has fewer than 12 characters besides the user name"],
  ])("of %s is refused: %.20s", async (username, weak, weakness) => {
    const { store, clock } = await start();
    await expect(setPassword(store, username, weak, clock.now)).rejects.toMatchObject({
      problem: { id: "password-weak", summary: `the password ${weakness}`, fix },
    });
  });

  test.each([
    ["a", "correct horse battery"],
    ["ci", "precious velocity walnut"],
    ["test", "latest contest of walnuts"],
  ])("of %s may contain the name: %s", async (username, strong) => {
    const { store, clock } = await start();
    await addUser(store, { username, now: clock.now });
    await setPassword(store, username, strong, clock.now);
    expect(await hasPasswords(store)).toBe(true);
  });
});

describe("a stored password", () => {
  test("is derived by scrypt with a salt of its own", async () => {
    const [one, two] = [await hashPassword(password), await hashPassword(password)];
    expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect(one).not.toBe(two);
    expect(await isPassword(password, one)).toBe(true);
    expect(await isPassword(`${password} `, one)).toBe(false);
  });

  test("is the same however the keyboard composes its letters", async () => {
    expect(await isPassword("cafe\u0301", await hashPassword("caf\u00e9"))).toBe(true);
  });

  test.each([null, "", "plain", "scrypt$1$1$1$$", "scrypt$1$1$1$c2FsdA==$c2hvcnQ="])("is never %j", async (stored) => {
    expect(await isPassword("", stored)).toBe(false);
  });
});
