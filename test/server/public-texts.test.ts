import { beforeAll, describe, expect, test } from "vitest";
import { openApi } from "../../src/contract/openapi.ts";
import { openApi30 } from "../../src/contract/openapi-3.0.ts";
import type { HttpReply } from "../../src/server/http/reply.ts";
import { Browser, givePassword } from "./browser.ts";
import { start } from "./start.ts";

const profiles = ["documented", "live"] as const;
const authUrl = "https://dns.example.com";

/** A server in each profile. */
const servers = {} as Record<(typeof profiles)[number], Awaited<ReturnType<typeof start>>>;
beforeAll(async () => {
  for (const profile of profiles) servers[profile] = await start({ profile, authUrl, hasConsole: true });
});

/** The reply as the port sends it, whose body is the same object if it was not made again. */
function ask(profile: (typeof profiles)[number], path: string, method = "GET", headers = {}): Promise<HttpReply> {
  const reply = servers[profile].server.reply?.(new Request(`http://api${path}`, { method, headers }), {});
  return reply ?? expect.fail("the server has no direct replies");
}

const octetsOf = (body: HttpReply["body"]) => Buffer.concat(body as Uint8Array[]);

const paths = ["/v4/openapi.json", "/v4beta/openapi.json", "/v4/openapi-3.0.json", "/v4beta/openapi-3.0.json", "/api"];
const each = profiles.flatMap((profile) => paths.map((path) => [profile, path] as const));

test.each(each)("in profile %s, %s is made once for 100 requests that come together", async (...of) => {
  const replies = await Promise.all(Array.from({ length: 100 }, () => ask(...of)));
  const [first, ...others] = replies.map(({ body }) => body as Uint8Array[]);
  for (const body of others) for (const [index, piece] of body.entries()) expect(piece).toBe(first?.[index]);
});

test.each(profiles)("in profile %s, the documents are those of the contract under both prefixes", async (profile) => {
  for (const prefix of ["/v4", "/v4beta"]) {
    const [newer, older] = [
      await ask(profile, `${prefix}/openapi.json`),
      await ask(profile, `${prefix}/openapi-3.0.json`),
    ];
    expect(octetsOf(newer.body).equals(Buffer.from(JSON.stringify(openApi(profile, authUrl))))).toBe(true);
    expect(octetsOf(older.body).equals(Buffer.from(JSON.stringify(openApi30(profile, authUrl))))).toBe(true);
  }
});

test.each(each)("in profile %s, HEAD of %s has the headers of GET and the length of its body", async (...of) => {
  const { headers, body } = await ask(...of);
  expect(await ask(...of, "HEAD")).toEqual({
    status: 200,
    headers: { ...headers, "Content-Length": String(octetsOf(body).length) },
    body: null,
  });
});

test("each document has an ETag of its own, which both prefixes share", async () => {
  const tags = await Promise.all(each.map(async ([profile, path]) => (await ask(profile, path)).headers.ETag));
  expect(tags).toEqual(tags.map(() => expect.stringMatching(/^"[\w-]{43}"$/)));
  expect(new Set(tags).size).toBe(2 * 3);
});

describe("If-None-Match (RFC 9110 §13.1.2)", () => {
  const all = { "Cache-Control": "no-cache", ETag: expect.any(String) };

  test.each<[string, boolean]>([
    ["TAG", true],
    ["W/TAG", true],
    ["*", true],
    [" * ", true],
    ['"other", TAG', true],
    ['"a,b" ,\tW/"c" , W/TAG', true],
    [",TAG,,", true],
    ['"other"', false],
    ["w/TAG", false],
    ['"", W/""', false],
    ["UNQUOTED", false],
    ['TAG"x"', false],
    ['"TAG', false],
    ["", false],
    ['"*"', false],
    ['*, "a"', false],
  ])("%s is met: %s", async (form, isMet) => {
    for (const [profile, path] of each)
      for (const method of ["GET", "HEAD"]) {
        const etag = String((await ask(profile, path)).headers.ETag);
        const sent = form.replace("TAG", etag).replace("UNQUOTED", etag.slice(1, -1));
        const { status } = await ask(profile, path, method, { "If-None-Match": sent });
        expect([path, method, status]).toEqual([path, method, isMet ? 304 : 200]);
      }
  });

  test.each(each)("in profile %s, the 304 of %s has the headers of the 200 but those of its body", async (...of) => {
    const { headers } = await ask(...of);
    expect(headers).toMatchObject({ ...all, Vary: of[1] === "/api" ? "Cookie" : "Authorization, X-Filter" });
    const { "Content-Type": type, ...others } = headers;
    expect(type).toMatch(/^application\/json$|^text\/html; charset=utf-8$/);
    for (const method of ["GET", "HEAD"])
      expect(await ask(...of, method, { "If-None-Match": headers.ETag })).toEqual({
        status: 304,
        headers: others,
        body: null,
      });
  });

  test("does not help against the limit on requests", async () => {
    const { ask } = await start({ rateLimit: { requests: 1, seconds: 60 } });
    const headers = { as: "", "If-None-Match": "*" };
    expect((await ask("GET", "/v4/openapi.json", undefined, headers)).status).toBe(304);
    expect((await ask("GET", "/v4/openapi.json", undefined, headers)).status).toBe(429);
  });
});

test("a user who is signed in gets a reference of their own, which is not kept", async () => {
  const { server, store } = servers.documented;
  await givePassword(store, "admin", "correct horse battery");
  const browser = new Browser(server);
  const everybody = await browser.get("/api");
  await browser.signIn("/sign-in", "admin", "correct horse battery");
  const own = await browser.get("/api");
  expect(own.html.replace(/<div class="end">.*?<\/div>/s, '<a class="end" href="/sign-in">Sign in</a>')).toBe(
    everybody.html,
  );
  expect([own.headers.get("Cache-Control"), own.headers.get("ETag")]).toEqual(["no-store", null]);
});
