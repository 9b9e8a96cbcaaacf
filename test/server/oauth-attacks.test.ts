// @suite nightly-postgres

import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { addUser } from "../../src/server/areas/account/users-operator.ts";
import { Browser, formOf, givePassword, signInEnd, textOf, type View } from "./browser.ts";
import { iss, password, pkce, redirect_uri, startOAuth, type TokenReply, verifier } from "./oauth-desk.ts";

type Desk = Awaited<ReturnType<typeof startOAuth>>;

/** One server for the attacks that leave nothing behind. Its user is signed in. */
let desk: Desk;
beforeAll(async () => {
  desk = await startOAuth();
  await desk.browser.signIn("/sign-in", "admin", password);
});

const outcome = (view: View) => [view.status, view.location ?? textOf(view)];
const page = (title: string, text: string) => `${title} ${text}`;
const otherAddress = page(
  "This link is not valid",
  "The redirect address is not registered for this application. You were not redirected.",
);
const unknown = page("This link is not valid", "Unknown or disabled application.");
const refusal = (status: number, error: string, error_description: string) => ({
  status,
  body: { error, error_description },
});
const badClient = refusal(401, "invalid_client", "the client is not known, is disabled, or its secret is wrong");
const badCode = refusal(
  400,
  "invalid_grant",
  "the code is not known, was used, has expired, or belongs to another request",
);
const badRefresh = refusal(400, "invalid_grant", "the refresh token is not known, was used, or was revoked");

const refusedWith = ({ status, body }: TokenReply) => ({ status, body });
const codeOf = ({ location }: View) => new URL(location ?? "").searchParams.get("code") ?? "";

describe("an open redirect: the browser is not redirected", () => {
  test.each([
    "https://evil.example/",
    "https://evil.example/callback",
    "//dashboard.example/callback",
    "/callback",
    "https://dashboard.example/callback/",
    "https://dashboard.example/callback/../evil",
    "https://dashboard.example/callback/..%2fevil",
    "https://dashboard.example/callback?next=https://evil.example",
    "https://dashboard.example/callback#",
    "https://dashboard.example/callback#fragment",
    "https://dashboard.example/",
    "https://dashboard.example",
    "https://dashboard.example:444/callback",
    "https://dashboard.example:443/callback",
    "https://dashboard.example.evil.example/callback",
    "https://evil.example/https://dashboard.example/callback",
    "https://evil.example?https://dashboard.example/callback",
    "https://evil.example#https://dashboard.example/callback",
    "https://dashboard.example@evil.example/callback",
    "https://dashboard.example:x@evil.example/callback",
    "https://evil.example\\@dashboard.example/callback",
    "https://evil.example\\.dashboard.example/callback",
    "https:\\\\dashboard.example\\callback",
    "https:/dashboard.example/callback",
    "https:dashboard.example/callback",
    "http://dashboard.example/callback",
    "HTTPS://dashboard.example/callback",
    "https://DASHBOARD.example/callback",
    "https://dashboard.example./callback",
    "https://dashboard%2eexample/callback",
    "https://dashboard.example/%63allback",
    "https://dashboard.example/callback%00",
    "https://dashboard.example/callback\0",
    "https://dashboard.example/callback ",
    " https://dashboard.example/callback",
    "https://dashboard.example/callback\r\nLocation: https://evil.example",
    "https://dashboard\t.example/callback",
    "https://dashboard.example。evil.example/callback",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
  ])("%j", async (uri) => {
    const refused = [400, otherAddress];
    for (const fields of [{}, { response_type: "token" }, { scope: "nothing" }])
      expect(outcome(await desk.browser.get(desk.requestOf({ redirect_uri: uri, ...fields })))).toEqual(refused);
    const consent = formOf(await desk.browser.get(desk.requestOf()), "/oauth/authorize");
    const request = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(consent.fields.request)),
      redirect_uri: uri,
    });
    expect(outcome(await desk.browser.submit(consent, { request: `${request}`, decision: "allow" }))).toEqual(refused);
  });

  test("two redirect URIs, the first of them right", async () => {
    const view = await desk.browser.get(`${desk.requestOf({ redirect_uri })}&redirect_uri=https://evil.example/`);
    expect(outcome(view)).toEqual([
      400,
      page("This request is not valid", "The server says: redirect_uri is given more than once."),
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ["no client", { client_id: "" }],
    ["an unknown client", { client_id: "0".repeat(20) }],
    ["a client with a wildcard", { client_id: "%" }],
    ["a client in capitals", { client_id: "ABCDEF01234567890000" }],
    ["a client with SQL", { client_id: "' or 1=1 --" }],
    ["a client with NUL", { client_id: "\0" }],
  ])("%s", async (_, fields) => {
    expect(outcome(await desk.browser.get(desk.requestOf({ ...fields, redirect_uri })))).toEqual([400, unknown]);
  });

  test("two clients", async () => {
    const view = await desk.browser.get(`${desk.requestOf()}&client_id=${desk.publicClient.id}`);
    expect(outcome(view)).toEqual([
      400,
      page("This request is not valid", "The server says: client_id is given more than once."),
    ]);
  });
});

describe("a loopback address may have another port, and nothing else", () => {
  const registered = "http://127.0.0.1:8080/callback";
  let id: string;
  beforeAll(async () => {
    id = (await desk.register({ redirect_uri: registered })).id;
  });

  test.each(["http://127.0.0.1:8080/callback", "http://127.0.0.1:53124/callback", "http://127.0.0.1/callback"])(
    "%s",
    async (uri) => {
      const view = await desk.browser.get(desk.requestOf({ client_id: id, redirect_uri: uri }));
      expect(textOf(view)).toContain("Allow access?");
    },
  );

  test.each([
    "http://127.0.0.1:53124/",
    "http://127.0.0.1:53124/callback/more",
    "http://127.0.0.1:53124/callback?x=1",
    "http://127.0.0.2:53124/callback",
    "http://127.1:53124/callback",
    "http://localhost:53124/callback",
    "http://[::1]:53124/callback",
    "https://127.0.0.1:53124/callback",
    "http://127.0.0.1.evil.example:53124/callback",
    "http://127.0.0.1:53124@evil.example/callback",
    "http://127.0.0.1:99999/callback",
    "http://127.0.0.1:/callback",
    "http://evil.example/callback",
  ])("not %s", async (uri) => {
    const view = await desk.browser.get(desk.requestOf({ client_id: id, redirect_uri: uri }));
    expect(outcome(view)).toEqual([400, otherAddress]);
  });
});

describe("profile live accepts redirect URIs below the registered path only", () => {
  const live = startOAuth({ profile: "live" });
  test.each([
    [`${redirect_uri}/done`, true],
    [`${redirect_uri}/a/b.c`, true],
    [`${redirect_uri}/`, true],
    [`${redirect_uri}/../evil`, false],
    [`${redirect_uri}/%2e%2e/evil`, false],
    [`${redirect_uri}/..%2fevil`, false],
    [`${redirect_uri}/.%2e/evil`, false],
    [`${redirect_uri}/a//b`, false],
    [`${redirect_uri}/\\evil.example`, false],
    [`${redirect_uri}/a?next=https://evil.example`, false],
    [`${redirect_uri}/a#b`, false],
    [`${redirect_uri}more`, false],
    [`${redirect_uri}?x=1`, false],
    ["https://dashboard.example.evil.example/callback/", false],
    ["https://dashboard.example@evil.example/callback/", false],
    ["http://dashboard.example/callback/a", false],
  ])("%s: %s", async (uri, isAccepted) => {
    const { browser, requestOf } = await live;
    const view = await browser.get(requestOf({ redirect_uri: uri }));
    expect(view.status).toBe(isAccepted ? 200 : 400);
    if (!isAccepted) expect(textOf(view)).toBe(otherAddress);
  });
});

describe("a request with another error is sent back to the client, with its state", () => {
  const back = (error: string, description: string) => [
    303,
    `${redirect_uri}?error=${error}&error_description=${description.replaceAll(" ", "+")}&state=x&${iss}`,
  ];
  test.each<[string, Record<string, string>, [string, string]]>([
    ["the implicit flow", { response_type: "token" }, ["unsupported_response_type", "response_type must be code"]],
    ["two flows", { response_type: "code token" }, ["unsupported_response_type", "response_type must be code"]],
    ["no flow", { response_type: "" }, ["invalid_request", "response_type is missing"]],
    ["no scope", { scope: "" }, ["invalid_scope", "scope is missing"]],
    ["only separators", { scope: " , " }, ["invalid_scope", "scope is missing"]],
    ["an unknown scope", { scope: "domains:read_only root" }, ["invalid_scope", "scope has an unknown word"]],
    ["an unknown access", { scope: "domains:admin" }, ["invalid_scope", "scope has an unknown word"]],
    ["a scope in capitals", { scope: "DOMAINS:READ_ONLY" }, ["invalid_scope", "scope has an unknown word"]],
    ["a word of the hosted service", { scope: "linodes:read_only" }, ["invalid_scope", "scope has an unknown word"]],
    ["scope and scopes", { scopes: "*" }, ["invalid_request", "scope and scopes are both given"]],
    [
      "the method plain",
      { code_challenge: verifier, code_challenge_method: "plain" },
      ["invalid_request", "code_challenge_method must be S256"],
    ],
    [
      "no method, which means plain",
      { code_challenge: verifier },
      ["invalid_request", "code_challenge_method must be S256"],
    ],
    ["a method alone", { code_challenge_method: "S256" }, ["invalid_request", "code_challenge is missing"]],
    [
      "a challenge that is no hash",
      { ...pkce, code_challenge: "x" },
      ["invalid_request", "code_challenge must be a SHA-256 in base64url"],
    ],
  ])("%s", async (_, fields, [error, description]) => {
    const view = await desk.browser.get(desk.requestOf({ state: "x", ...fields }));
    expect(outcome(view)).toEqual(back(error, description));
  });

  test("a public client without PKCE", async () => {
    const path = desk.requestOf({ client_id: desk.publicClient.id, state: "x" });
    expect(outcome(await desk.browser.get(path))).toEqual(back("invalid_request", "code_challenge is missing"));
  });

  test.each(["response_type=code", "scope=*", "scopes=*&scopes=*", "code_challenge=a&code_challenge=b"])(
    "a parameter twice: %s",
    async (more) => {
      const view = await desk.browser.get(`${desk.requestOf({ state: "x" })}&${more}`);
      const name = more.split("=")[0] ?? "";
      expect(outcome(view)).toEqual(back("invalid_request", `${name} is given more than once`));
    },
  );

  test("two states, of which neither is sent back", async () => {
    const view = await desk.browser.get(`${desk.requestOf({ state: "x" })}&state=y`);
    expect(outcome(view)).toEqual([
      303,
      `${redirect_uri}?error=invalid_request&error_description=state+is+given+more+than+once&${iss}`,
    ]);
  });
});

describe("without a sign-in no request leads to the application", () => {
  test.each<[string, () => string, string]>([
    [
      "another flow",
      () => desk.requestOf({ response_type: "x" }),
      "unsupported_response_type&error_description=response_type+must+be+code",
    ],
    [
      "an unknown scope",
      () => desk.requestOf({ scope: "root" }),
      "invalid_scope&error_description=scope+has+an+unknown+word",
    ],
    [
      "two states",
      () => `${desk.requestOf({ state: "x" })}&state=y`,
      "invalid_request&error_description=state+is+given+more+than+once",
    ],
    [
      "a public client without PKCE",
      () => desk.requestOf({ client_id: desk.publicClient.id }),
      "invalid_request&error_description=code_challenge+is+missing",
    ],
  ])("%s", async (_, pathOf, error) => {
    const browser = new Browser(desk.server);
    browser.address = "198.51.100.1";
    const path = pathOf();
    const signInShown = [200, `Sign in ${signInEnd}`];
    const request = path.slice("/oauth/authorize?".length);
    expect(outcome(await browser.post("/oauth/authorize", { request, decision: "allow" }))).toEqual(signInShown);
    const first = await browser.get(path);
    expect(outcome(first)).toEqual(signInShown);
    const signedIn = await browser.submit(formOf(first, "/sign-in"), { username: "admin", password });
    expect(outcome(await browser.get(signedIn.location ?? ""))).toEqual([303, `${redirect_uri}?error=${error}&${iss}`]);
  });

  test("an unknown client and another address are refused at once", async () => {
    const browser = new Browser(desk.server);
    expect(outcome(await browser.get(desk.requestOf({ client_id: "x" })))).toEqual([400, unknown]);
    const uri = "https://evil.example/";
    expect(outcome(await browser.get(desk.requestOf({ redirect_uri: uri })))).toEqual([400, otherAddress]);
  });
});

describe("a client of several servers learns which one responds, and sends it the code alone (RFC 9207)", () => {
  const hex64 = expect.stringMatching(/^[0-9a-f]{64}$/);
  const responseTo = ({ location }: View) => [...new URL(location ?? "").searchParams];
  /** The responses to a request that the user allows, to one that they deny, and to an invalid one. */
  const responsesOf = async ({ browser, decide, requestOf }: Desk, fields: Record<string, string> = {}) => [
    responseTo(await decide(requestOf(fields))),
    responseTo(await decide(requestOf(fields), "deny")),
    responseTo(await browser.get(requestOf({ scope: "root", ...fields }))),
  ];
  const expected = (issuer: string) => [
    [
      ["code", hex64],
      ["iss", issuer],
    ],
    [
      ["error", "access_denied"],
      ["error_description", "the user denied access"],
      ["iss", issuer],
    ],
    [
      ["error", "invalid_scope"],
      ["error_description", "scope has an unknown word"],
      ["iss", issuer],
    ],
  ];

  test("the address that the browser asked", async () => {
    expect(await responsesOf(desk)).toEqual(expected("http://api"));
  });

  test("the address before a proxy that ends the encryption", async () => {
    const own = await startOAuth();
    own.browser.isEncrypted = true;
    expect(await responsesOf(own)).toEqual(expected("https://api"));
  });

  test("the address that the operator names", async () => {
    const own = await startOAuth({ authUrl: "https://dns.example.com" });
    expect(await responsesOf(own)).toEqual(expected("https://dns.example.com"));
  });

  test("not the one that a link names", async () => {
    expect(await responsesOf(desk, { iss: "https://evil.example" })).toEqual(expected("http://api"));
  });
});

describe("the state is returned as it was sent, and is escaped on pages", () => {
  test.each([
    "x",
    "a b+c%20&d=e;f",
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    "\r\nSet-Cookie: a=b\r\n\r\n<html>",
    "\u202e\u0000\u2028",
    "é日本\u{1f600}",
    "x".repeat(4000),
  ])("%j", async (state) => {
    const consent = await desk.browser.get(desk.requestOf({ state }));
    expect(consent.html).not.toContain("<script");
    expect(consent.html).not.toMatch(/onmouseover='/);
    const { location } = await desk.browser.submit(formOf(consent, "/oauth/authorize"), { decision: "allow" });
    expect(location).toMatch(/^https:\/\/dashboard\.example\/callback\?[\w%&=+.*-]+$/);
    expect(new URL(location ?? "").searchParams.get("state")).toBe(state);
  });
});

describe("the label of an application is text", () => {
  test.each([
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ['"><img src=x onerror=alert(1)>', "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"],
    ["</bdi></p><form action=https://evil.example>", "&lt;/bdi&gt;&lt;/p&gt;&lt;form action=https://evil.example&gt;"],
    ["&lt;b&gt;", "&amp;lt;b&amp;gt;"],
    ["bank\u202egnp.exe", "bank\\u202egnp.exe"],
    ["two\nlines\u0000", undefined],
    ["${process.env}", "${process.env}"],
  ])("%j", async (label, shown) => {
    const created = await desk.call("POST", "/account/oauth-clients", { label, redirect_uri });
    if (shown === undefined) return expect(created.status).toBe(400);
    const { html } = await desk.browser.get(desk.requestOf({ client_id: created.body.id }));
    expect(html).toContain(`<bdi>${shown}</bdi> wants to access the account`);
  });
});

describe("the pages", () => {
  const policy = (style: string, formAction: string) =>
    `default-src 'none'; style-src '${style}'; img-src data:; ${formAction}base-uri 'none'; frame-ancestors 'none'`;
  const expectGuarded = ({ headers, html }: View, formAction = "form-action 'self'; ") => {
    const style = createHash("sha256")
      .update(/<style>(.*)<\/style>/s.exec(html)?.[1] ?? "")
      .digest("base64");
    const { "set-cookie": _, ...others } = Object.fromEntries(headers);
    expect(others).toEqual({
      "cache-control": "no-store",
      "content-security-policy": policy(`sha256-${style}`, formAction),
      "content-type": "text/html; charset=utf-8",
      ...(formAction !== "" && { "cross-origin-opener-policy": "same-origin" }),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(html).not.toMatch(/<script|<iframe|<img|<link(?! rel="icon" href="data:,">)|\son\w+=|javascript:|style="/);
  };

  test("of a sign-in cannot be framed, and send their form to this server alone", async () => {
    for (const path of ["/sign-in", "/sign-in?to=/oauth/authorize", "/sign-in?to=/domains?x=/oauth/authorize?"])
      expectGuarded(await new Browser(desk.server).get(path));
  });

  test("of a sign-in for an application lead on to it with an error", async () => {
    expectGuarded(await new Browser(desk.server).get(desk.requestOf()), "");
  });

  test.each([
    ["https://dashboard.example/callback", "https://dashboard.example"],
    ["https://dashboard.example:8443/callback", "https://dashboard.example:8443"],
    ["http://127.0.0.1:8080/", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/", "http://[::1]:8080"],
    ["com.example.dashboard:/callback", "com.example.dashboard:"],
  ])("of consent say where %s leads, and no policy keeps the application from leading on", async (uri, target) => {
    const { id } = await desk.register({ redirect_uri: uri });
    const consent = await desk.browser.get(desk.requestOf({ client_id: id }));
    expect(textOf(consent)).toContain(`You will be sent to ${target}.`);
    expectGuarded(consent, "");
  });

  test("of errors have the same headers", async () => {
    expectGuarded(await desk.browser.get(desk.requestOf({ client_id: "x" })));
    expectGuarded(await desk.browser.post("/sign-in", {}));
  });
});

describe("a consent that the user did not give", () => {
  const invalid = page(
    "This form is no longer valid",
    "It is older than an hour, or your browser did not send the cookie of this site. Go back and try again.",
  );
  const authorizations = () => desk.store.read((db) => db.selectFrom("authorizations").select("id").execute());
  const formOn = async (browser: Browser, fields: Record<string, string> = {}) =>
    formOf(await browser.get(desk.requestOf(fields)), "/oauth/authorize");
  const query = () => desk.requestOf().split("?")[1] ?? "";

  test.each<[string, () => Promise<View>]>([
    ["without a token", () => desk.browser.post("/oauth/authorize", { request: query(), decision: "allow" })],
    [
      "with the token of another request",
      async () => {
        const { fields } = await formOn(desk.browser, { scope: "events:read_only" });
        return desk.browser.post("/oauth/authorize", { ...fields, request: query(), decision: "allow" });
      },
    ],
    [
      "with more scopes than were shown",
      async () => {
        const form = await formOn(desk.browser);
        const request = (form.fields.request ?? "").replace("read_only", "read_write");
        return desk.browser.submit(form, { request, decision: "allow" });
      },
    ],
    [
      "with what another page showed",
      async () => {
        const other = await formOn(desk.browser, { scope: "events:read_only" });
        return desk.browser.submit(await formOn(desk.browser), { shown: other.fields.shown ?? "", decision: "allow" });
      },
    ],
    [
      "with the token of the attacker's own session",
      async () => {
        await addUser(desk.store, { username: "mallory", now: desk.clock.now });
        await givePassword(desk.store, "mallory", password);
        const attacker = new Browser(desk.server);
        await attacker.signIn("/sign-in", "mallory", password);
        return desk.browser.submit(await formOn(attacker), { decision: "allow" });
      },
    ],
    [
      "with the token of the sign-out on the same page",
      async () => {
        const consent = await desk.browser.get(desk.requestOf());
        const { token = "" } = formOf(consent, "/sign-out").fields;
        return desk.browser.submit(formOf(consent, "/oauth/authorize"), { token, decision: "allow" });
      },
    ],
  ])("%s", async (_, send) => {
    const before = await authorizations();
    expect(outcome(await send())).toEqual([403, invalid]);
    expect(await authorizations()).toEqual(before);
  });

  test.each<[string, object, string]>([
    ["the label", { label: "Your bank" }, "The application Your bank wants to access the account"],
    ["the redirect URI", { redirect_uri: "https://evil.example/" }, "You will be sent to https://evil.example."],
  ])("to %s that changed after the page was shown: it is shown again", async (_, change, text) => {
    const { id } = await desk.register();
    const form = await formOn(desk.browser, { client_id: id });
    const before = await authorizations();
    await desk.call("PUT", `/account/oauth-clients/${id}`, change);
    const again = await desk.browser.submit(form, { decision: "allow" });
    expect([again.status, textOf(again)]).toEqual([200, expect.stringMatching(/^Allow access\?/)]);
    expect(textOf(again)).toContain(text);
    expect(await authorizations()).toEqual(before);
    const { status } = await desk.browser.submit(formOf(again, "/oauth/authorize"), { decision: "allow" });
    expect([status, (await authorizations()).length]).toEqual([303, before.length + 1]);
  });

  test("from another site, whose forms come without the cookie, ends at the sign-in", async () => {
    const form = await formOn(desk.browser);
    const view = await new Browser(desk.server).submit(form, { decision: "allow" });
    expect(textOf(view)).toBe(`Sign in ${signInEnd}`);
  });

  test.each(["", "deny", "ALLOW", "allow "])("a decision %j is no consent", async (decision) => {
    const { location } = await desk.browser.submit(await formOn(desk.browser), { decision });
    expect(location).toBe(`${redirect_uri}?error=access_denied&error_description=the+user+denied+access&${iss}`);
  });

  test("a link cannot allow anything", async () => {
    const form = await formOn(desk.browser);
    const before = await authorizations();
    const path = `${desk.requestOf()}&${new URLSearchParams({ ...form.fields, decision: "allow" })}`;
    expect(textOf(await desk.browser.get(path))).toMatch(/^Allow access\?/);
    expect(await authorizations()).toEqual(before);
  });
});

describe("an exchange of a code is refused", () => {
  const exchangeWith = async (fields: Record<string, string>, request: Record<string, string> = {}) =>
    desk.exchange(await desk.codeFor(request), fields);
  const publicCode = async (request: Record<string, string> = {}) =>
    codeOf(await desk.decide(desk.requestOf({ client_id: desk.publicClient.id, ...pkce, ...request })));
  const ofPublic = (fields: Record<string, string>) =>
    desk.send("/oauth/token", { client_id: desk.publicClient.id, ...fields });

  test.each<[string, () => Promise<TokenReply>, ReturnType<typeof refusal>]>([
    ["no code", () => desk.exchange(""), refusal(400, "invalid_request", "code is missing")],
    ["an unknown code", () => desk.exchange("0".repeat(64)), badCode],
    [
      "a code of another client",
      async () => {
        const other = await desk.register();
        const code = await desk.codeFor();
        return desk.send("/oauth/token", { client_id: other.id, client_secret: other.secret, code });
      },
      badCode,
    ],
    [
      "a code of a public client, by a confidential one",
      async () => desk.exchange(await publicCode(), { code_verifier: verifier }),
      badCode,
    ],
    ["another redirect URI", () => exchangeWith({ redirect_uri: "https://evil.example/" }), badCode],
    ["a redirect URI with a slash more", () => exchangeWith({ redirect_uri: `${redirect_uri}/` }), badCode],
    [
      "a public client without the redirect URI of its request",
      async () => ofPublic({ code: await publicCode({ redirect_uri }), code_verifier: verifier }),
      badCode,
    ],
    [
      "a public client with an empty redirect URI",
      async () => ofPublic({ code: await publicCode({ redirect_uri }), code_verifier: verifier, redirect_uri: "" }),
      badCode,
    ],
    [
      "a public client with another redirect URI than that of its registration",
      async () => ofPublic({ code: await publicCode(), code_verifier: verifier, redirect_uri: `${redirect_uri}/` }),
      badCode,
    ],
    ["no verifier", () => exchangeWith({}, pkce), badCode],
    ["a wrong verifier", () => exchangeWith({ code_verifier: "x".repeat(43) }, pkce), badCode],
    ["the challenge as verifier", () => exchangeWith({ code_verifier: pkce.code_challenge }, pkce), badCode],
    ["a verifier for a request without challenge", () => exchangeWith({ code_verifier: verifier }), badCode],
    ["a public client without verifier", async () => ofPublic({ code: await publicCode() }), badCode],
    [
      "a public client with another's verifier",
      async () => ofPublic({ code: await publicCode(), code_verifier: "y".repeat(43) }),
      badCode,
    ],
    ["a wrong secret", () => exchangeWith({ client_secret: "0".repeat(64) }), badClient],
    ["an empty secret", () => exchangeWith({ client_secret: "" }), badClient],
    ["the hash of the secret", () => exchangeWith({ client_secret: sha256(desk.client.secret) }), badClient],
    ["the masked secret", () => exchangeWith({ client_secret: "<REDACTED>" }), badClient],
    [
      "a public client with a wrong secret",
      async () => ofPublic({ client_secret: "x", code: await publicCode(), code_verifier: verifier }),
      badClient,
    ],
    ["the secret of another client", () => exchangeWith({ client_secret: desk.publicClient.secret }), badClient],
    ["no client", () => exchangeWith({ client_id: "" }), refusal(401, "invalid_client", "client_id is missing")],
    ["an unknown client", () => exchangeWith({ client_id: "0".repeat(20) }), badClient],
    [
      "an unknown grant",
      () => exchangeWith({ grant_type: "password" }),
      refusal(400, "unsupported_grant_type", "grant_type must be authorization_code or refresh_token"),
    ],
    [
      "the client's own credentials as a grant",
      () => exchangeWith({ grant_type: "client_credentials" }),
      refusal(400, "unsupported_grant_type", "grant_type must be authorization_code or refresh_token"),
    ],
    ["a code in place of a refresh token", async () => desk.refresh(await desk.codeFor()), badRefresh],
  ])("%s", async (_, send, expected) => {
    expect(refusedWith(await send())).toEqual(expected);
  });

  test("and none for a redirect URI that equals the one of the request, or that may be left out", async () => {
    const named = { redirect_uri };
    const verified = { code_verifier: verifier };
    const replies = [
      await ofPublic({ code: await publicCode(named), ...verified, ...named }),
      await ofPublic({ code: await publicCode(), ...verified, ...named }),
      await ofPublic({ code: await publicCode(), ...verified }),
      await exchangeWith(named, named),
      await exchangeWith(named),
      // As linode_api4 does.
      await exchangeWith({}, named),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test("a code that is older than 10 minutes", async () => {
    const own = await startOAuth();
    const [one, two] = [await own.codeFor(), await own.codeFor()];
    own.clock.now = new Date(own.clock.now.getTime() + 599_000);
    expect((await own.exchange(one)).status).toBe(200);
    own.clock.now = new Date(own.clock.now.getTime() + 1000);
    expect(refusedWith(await own.exchange(two))).toEqual(badCode);
  });

  test.each<[string, (code: string) => URLSearchParams | FormData | string, Record<string, string>, string]>([
    [
      "a code twice",
      (code) => new URLSearchParams(`${new URLSearchParams(desk.credentials)}&code=${code}&code=${code}`),
      {},
      "code is given more than once",
    ],
    [
      "two clients",
      (code) =>
        new URLSearchParams(`${new URLSearchParams({ ...desk.credentials, code })}&client_id=${desk.publicClient.id}`),
      {},
      "client_id is given more than once",
    ],
    [
      "two secrets",
      (code) => new URLSearchParams(`${new URLSearchParams({ ...desk.credentials, code })}&client_secret=x`),
      {},
      "client_secret is given more than once",
    ],
    [
      "JSON",
      (code) => JSON.stringify({ ...desk.credentials, code }),
      { "Content-Type": "application/json" },
      "the body must be a form: application/x-www-form-urlencoded or multipart/form-data",
    ],
    [
      "a body without a type",
      (code) => `${new URLSearchParams({ ...desk.credentials, code })}`,
      { "Content-Type": "text/plain" },
      "the body must be a form: application/x-www-form-urlencoded or multipart/form-data",
    ],
    ["multipart without a boundary", () => "x", { "Content-Type": "multipart/form-data" }, "the form is not valid"],
    [
      "multipart that ends early",
      () => "--x\r\nContent-Disposition: form-data",
      { "Content-Type": "multipart/form-data; boundary=x" },
      "the form is not valid",
    ],
    [
      "a file",
      (code) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(desk.credentials)) form.set(name, value);
        form.set("code", new File([code], "code.txt"));
        return form;
      },
      {},
      "the form contains a file",
    ],
    [
      "more than 64 KiB",
      (code) => new URLSearchParams({ ...desk.credentials, code, x: "x".repeat(65_536) }),
      {},
      "the form is larger than 64 KiB",
    ],
  ])("%s", async (_, bodyOf, headers, description) => {
    const code = await desk.codeFor();
    const reply = await desk.send("/oauth/token", bodyOf(code), headers);
    expect(refusedWith(reply)).toEqual(refusal(400, "invalid_request", description));
    expect((await desk.exchange(code)).status).toBe(200);
  });

  test("credentials in the query", async () => {
    const reply = await desk.send(
      `/oauth/token?${new URLSearchParams({ ...desk.credentials, code: await desk.codeFor() })}`,
      {},
    );
    expect(refusedWith(reply)).toEqual(refusal(401, "invalid_client", "client_id is missing"));
  });

  test.each<[string, string, ReturnType<typeof refusal>]>([
    [
      "Basic of nothing",
      "Basic Og==",
      refusal(401, "invalid_client", "the Authorization header is not that of a client"),
    ],
    [
      "Basic without a colon",
      `Basic ${btoa("x")}`,
      refusal(401, "invalid_client", "the Authorization header is not that of a client"),
    ],
    [
      "Basic that is not Base64",
      "Basic ###",
      refusal(401, "invalid_client", "the Authorization header is not that of a client"),
    ],
    [
      "a bearer token",
      `Bearer ${"0".repeat(64)}`,
      refusal(401, "invalid_client", "the Authorization header is not that of a client"),
    ],
    ["an unknown client", `Basic ${btoa("x:y")}`, refusal(401, "invalid_client", badClient.body.error_description)],
  ])("an Authorization header with %s", async (_, Authorization, expected) => {
    const reply = await desk.send("/oauth/token", { code: await desk.codeFor() }, { Authorization });
    expect(refusedWith(reply)).toEqual(expected);
    expect(reply.headers.get("WWW-Authenticate")).toBe('Basic realm="zonewright"');
  });

  test("two ways to name the client", async () => {
    const Authorization = `Basic ${btoa(`${desk.client.id}:${desk.client.secret}`)}`;
    const expected = refusal(400, "invalid_request", "the client is given both in the header and in the form");
    const code = await desk.codeFor();
    expect(refusedWith(await desk.send("/oauth/token", { ...desk.credentials, code }, { Authorization }))).toEqual(
      expected,
    );
    const mixed = { client_id: desk.publicClient.id, code };
    expect(refusedWith(await desk.send("/oauth/token", mixed, { Authorization }))).toEqual(expected);
  });
});

describe("a reused code or refresh token ends all tokens of its authorization", () => {
  const valid = async (...tokens: string[]) => Promise.all(tokens.map((token) => desk.statusWith(token)));

  test("a code", async () => {
    const bystander = (await desk.exchange(await desk.codeFor())).body;
    const code = await desk.codeFor();
    const first = (await desk.exchange(code)).body;
    const second = (await desk.refresh(first.refresh_token)).body;
    expect(await valid(first.access_token, second.access_token)).toEqual([200, 200]);
    expect(refusedWith(await desk.exchange(code))).toEqual(badCode);
    expect(await valid(first.access_token, second.access_token, bystander.access_token)).toEqual([401, 401, 200]);
    expect(refusedWith(await desk.refresh(second.refresh_token))).toEqual(badRefresh);
    expect(refusedWith(await desk.exchange(code))).toEqual(badCode);
  });

  test("a refresh token", async () => {
    const first = (await desk.exchange(await desk.codeFor())).body;
    const second = (await desk.refresh(first.refresh_token)).body;
    expect(refusedWith(await desk.refresh(first.refresh_token))).toEqual(badRefresh);
    expect(await valid(first.access_token, second.access_token)).toEqual([401, 401]);
    expect(refusedWith(await desk.refresh(second.refresh_token))).toEqual(badRefresh);
  });

  test("but another client cannot end them", async () => {
    const other = await desk.register();
    const ofOther = { client_id: other.id, client_secret: other.secret };
    const code = await desk.codeFor();
    const { access_token, refresh_token } = (await desk.exchange(code)).body;
    const refresh = { ...ofOther, grant_type: "refresh_token", refresh_token };
    expect(refusedWith(await desk.send("/oauth/token", { ...ofOther, code }))).toEqual(badCode);
    expect(refusedWith(await desk.send("/oauth/token", refresh))).toEqual(badRefresh);
    for (const token of [access_token, refresh_token, desk.token])
      expect(refusedWith(await desk.send("/oauth/revoke", { ...ofOther, token }))).toEqual({ status: 200, body: {} });
    expect(await valid(access_token, desk.token)).toEqual([200, 200]);
    expect((await desk.refresh(refresh_token)).status).toBe(200);
  });
});

describe("a refresh is refused", () => {
  test.each<[string, string, string, string, string]>([
    ["more scopes", "domains:read_only", "domains:read_write", "invalid_scope", "scope has more than the user allowed"],
    ["another area", "domains:*", "events:read_only", "invalid_scope", "scope has more than the user allowed"],
    [
      "everything",
      "domains:* account:* events:* maintenance:* nodes:*",
      "*",
      "invalid_scope",
      "scope has more than the user allowed",
    ],
    ["all of an area", "domains:read_only", "domains:*", "invalid_scope", "scope has more than the user allowed"],
    ["an unknown scope", "*", "root", "invalid_scope", "scope has an unknown word"],
  ])("with %s", async (_, granted, scope, error, description) => {
    const { refresh_token } = (await desk.exchange(await desk.codeFor({ scope: granted }))).body;
    expect(refusedWith(await desk.refresh(refresh_token, { scope }))).toEqual(refusal(400, error, description));
    // It was not used.
    expect((await desk.refresh(refresh_token)).body.scope).toBe(granted);
  });

  test("with scope and scopes", async () => {
    const { refresh_token } = (await desk.exchange(await desk.codeFor())).body;
    const both = { scope: "domains:read_only", scopes: "*" };
    expect(refusedWith(await desk.refresh(refresh_token, both))).toEqual(
      refusal(400, "invalid_request", "scope and scopes are both given"),
    );
    expect((await desk.refresh(refresh_token)).status).toBe(200);
  });

  test("without a token, and with an access token", async () => {
    const { access_token } = (await desk.exchange(await desk.codeFor())).body;
    expect(refusedWith(await desk.refresh(""))).toEqual(refusal(400, "invalid_request", "refresh_token is missing"));
    expect(refusedWith(await desk.refresh(access_token))).toEqual(badRefresh);
  });

  test("with a token that was revoked", async () => {
    const { refresh_token, access_token } = (await desk.exchange(await desk.codeFor())).body;
    await desk.send("/oauth/token/expire", { ...desk.credentials, token: refresh_token });
    expect(await desk.statusWith(access_token)).toBe(401);
    expect(refusedWith(await desk.refresh(refresh_token))).toEqual(badRefresh);
  });
});

test("the revocation of an access token ends all tokens of its authorization", async () => {
  const first = (await desk.exchange(await desk.codeFor())).body;
  const second = (await desk.refresh(first.refresh_token)).body;
  await desk.send("/oauth/revoke", { ...desk.credentials, token: first.access_token, token_type_hint: "access_token" });
  expect([await desk.statusWith(first.access_token), await desk.statusWith(second.access_token)]).toEqual([401, 401]);
  expect(refusedWith(await desk.refresh(second.refresh_token))).toEqual(badRefresh);
});

describe("a client that may no longer be used", () => {
  const stopped: [string, (own: Desk) => Promise<unknown>, (own: Desk) => Promise<unknown>][] = [
    ["disabled", (own) => setStatus(own, "disabled"), (own) => setStatus(own, "active")],
    ["suspended", (own) => setStatus(own, "suspended"), (own) => setStatus(own, "active")],
    ["of a closed account", (own) => close(own, "2026-03-04T12:00:00"), (own) => close(own, null)],
  ];
  const setStatus = ({ store }: Desk, status: "active" | "disabled" | "suspended") =>
    store.write((db) => db.updateTable("oauth_clients").set({ status }).execute());
  const close = ({ store }: Desk, closed: string | null) =>
    store.write((db) => db.updateTable("accounts").set({ closed }).where("name", "=", "admin").execute());

  /** A user of another account than the clients', who has authorised one. */
  async function begin() {
    const own = await startOAuth();
    await addUser(own.store, { username: "visitor", now: own.clock.now });
    await givePassword(own.store, "visitor", password);
    await own.browser.signIn("/sign-in", "visitor", password);
    const { access_token, refresh_token } = (await own.exchange(await own.codeFor())).body;
    return { own, access_token, refresh_token, code: await own.codeFor() };
  }

  test.each(stopped)(
    "%s: no authorization, no exchange, no token, until it is active again",
    async (_, stop, start) => {
      const { own, access_token, refresh_token, code } = await begin();
      const consent = formOf(await own.browser.get(own.requestOf()), "/oauth/authorize");
      await stop(own);
      expect(outcome(await own.browser.get(own.requestOf()))).toEqual([400, unknown]);
      expect(outcome(await own.browser.submit(consent, { decision: "allow" }))).toEqual([400, unknown]);
      expect(refusedWith(await own.exchange(code))).toEqual(badClient);
      expect(refusedWith(await own.refresh(refresh_token))).toEqual(badClient);
      expect(await own.statusWith(access_token)).toBe(401);
      await start(own);
      expect(await own.statusWith(access_token)).toBe(200);
      expect((await own.exchange(code)).status).toBe(200);
    },
  );

  test("deleted, with its codes and tokens", async () => {
    const { own, access_token, refresh_token, code } = await begin();
    await own.call("DELETE", `/account/oauth-clients/${own.client.id}`);
    expect(outcome(await own.browser.get(own.requestOf()))).toEqual([400, unknown]);
    for (const reply of [await own.exchange(code), await own.refresh(refresh_token)])
      expect(refusedWith(reply)).toEqual(badClient);
    expect(await own.statusWith(access_token)).toBe(401);
    const left = await own.store.read(async (db) => [
      await db.selectFrom("authorizations").select("id").execute(),
      await db.selectFrom("refresh_tokens").select("hash").execute(),
      await db.selectFrom("tokens").select("id").where("authorization_id", "is not", null).execute(),
    ]);
    expect(left).toEqual([[], [], []]);
  });

  test("with a new secret, the old one is refused and the tokens stay valid", async () => {
    const { own, access_token, refresh_token } = await begin();
    const { body } = await own.call("POST", `/account/oauth-clients/${own.client.id}/reset-secret`);
    expect(refusedWith(await own.refresh(refresh_token))).toEqual(badClient);
    expect(await own.statusWith(access_token)).toBe(200);
    expect((await own.refresh(refresh_token, { client_secret: body.secret })).status).toBe(200);
  });

  test("of a user whose account was closed: their code and tokens end", async () => {
    const { own, access_token, refresh_token, code } = await begin();
    await own.store.write((db) =>
      db.updateTable("accounts").set({ closed: "2026-03-04T12:00:00" }).where("name", "=", "visitor").execute(),
    );
    expect(refusedWith(await own.exchange(code))).toEqual(badCode);
    expect(refusedWith(await own.refresh(refresh_token))).toEqual(badRefresh);
    expect(await own.statusWith(access_token)).toBe(401);
  });
});

test("the token of a restricted user can do no more than the user", async () => {
  const own = await startOAuth();
  await own.domain("example.com");
  await addUser(own.store, { username: "ci", account: "admin", restricted: true, now: own.clock.now });
  await givePassword(own.store, "ci", password);
  await own.browser.signIn("/sign-in", "ci", password);
  const { body } = await own.exchange(await own.codeFor({ scope: "*" }));
  const as = body.access_token;
  expect((await own.call("GET", "/domains", undefined, { as })).body.data).toEqual([]);
  for (const path of ["/domains/1", "/account/oauth-clients", "/account/logins"])
    expect([path, await own.statusWith(as, "GET", path)]).toEqual([path, 403]);
});

describe("other requests are refused", () => {
  test.each([
    ["GET", "/oauth/token", 405],
    ["GET", "/oauth/revoke", 405],
    ["PUT", "/oauth/authorize", 405],
    ["GET", "/sign-out", 405],
    ["GET", "/oauth", 404],
    ["GET", "/oauth/authorize/", 404],
    ["GET", "/v4/oauth/authorize", 404],
  ])("%s %s: %i", async (method, path, status) => {
    expect((await desk.ask(method, path)).status).toBe(status);
  });

  test("a request that is too long", async () => {
    const view = await desk.browser.get(desk.requestOf({ state: "x".repeat(8192) }));
    expect(outcome(view)).toEqual([400, page("This link is not valid", "It is too long.")]);
  });

  test("an authorization that a token asks for, in place of a browser", async () => {
    const reply = await desk.ask("GET", desk.requestOf());
    expect(await reply.text()).toContain("<h1>Sign in</h1>");
  });
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("requests over the limit are told how long to wait", () => {
  const wait = "Too many requests Wait 1 second before you try again.";

  test.each(["/oauth/token", "/oauth/token/expire", "/oauth/revoke"])("%s", async (path) => {
    const { send } = await startLimited();
    const { status, headers, body } = await send(path, {});
    expect({ status, retryAfter: headers.get("Retry-After"), body }).toEqual({
      status: 429,
      retryAfter: "1",
      body: { error: "temporarily_unavailable", error_description: "Too many requests" },
    });
  });

  test.each(["/oauth/authorize", "/sign-in"])("%s", async (path) => {
    const { browser } = await startLimited();
    const view = await browser.get(path);
    expect([...outcome(view), view.headers.get("Retry-After")]).toEqual([429, wait, "1"]);
  });

  /** A server that takes no further request before 12:02, one second from now. */
  async function startLimited() {
    const limited = await startOAuth({ rateLimit: { requests: 1, seconds: 120 } });
    limited.clock.now = new Date("2026-03-04T12:01:59Z");
    await limited.browser.get("/sign-in");
    return { ...limited, browser: new Browser(limited.server) };
  }
});
