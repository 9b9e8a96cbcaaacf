// @suite long

import { expect, test } from "vitest";
import { unansweredText } from "../../src/report/apply/unanswered-text.ts";
import type { Server } from "../../src/server/http/router.ts";
import { Program } from "./process.ts";
import { apiDesk } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nrecords:\n  www: { A: 192.0.2.1 }\n";

/** Answers the first requests that fit with these replies, and lets all others through. */
function troubled(when: RegExp, ...replies: (() => Response)[]) {
  return (server: Server): Server =>
    (request, connection) => {
      const reply = when.test(`${request.method} ${request.url}`) ? replies.shift() : undefined;
      return reply ? Promise.resolve(reply()) : server(request, connection);
    };
}

const refusal = (reason: string, status: number, headers: Record<string, string>) => () =>
  Response.json({ errors: [{ reason }] }, { status, headers });
const maintenance = { "X-Maintenance-Mode": "all", "Retry-After": "1" };

test.each<[string, () => Response, string]>([
  ["garbled JSON", () => new Response('{"data": [{"id": 1, "dom'), ""],
  ["JSON of another shape", () => Response.json({ data: [{ id: "one" }], page: 1, pages: 1, results: 1 }), ""],
  ["a page of a proxy", () => new Response("<h1>Welcome</h1>"), ""],
  ["maintenance", refusal("Maintenance", 503, { "X-Maintenance-Mode": "all" }), ""],
  ["maintenance with its end", refusal("Maintenance", 503, maintenance), "503 Maintenance; trying again in 1 s\n"],
  ["busy", refusal("Too much to do", 503, { "Retry-After": "1" }), "503 Too much to do; trying again in 1 s\n"],
  ["429", refusal("Too many requests", 429, { "Retry-After": "1" }), "429 Too many requests; trying again in 1 s\n"],
])(
  "retries after a single bad reply to a list read: %s",
  async (_, reply, said) => {
    for (const [path, line] of [
      ["/v4/domains\\?", "GET /v4/domains"],
      ["/records\\?", "GET /v4/domains/1/records"],
    ]) {
      const desk = await apiDesk({ "zones/example.com.yaml": zone }, troubled(new RegExp(`^GET .*${path}`), reply));
      await desk.call("POST", "/domains", {
        domain: "example.com",
        type: "master",
        soa_email: "hostmaster@example.com",
      });
      const { code, talk } = await desk.run("plan");
      expect(code).toBe(0);
      expect(talk).toMatch(new RegExp(`^${said && `${line}: ${said}`}$`));
    }
  },
  60_000,
);

test('long maintenance ends with "try later", a garbled reply with its content', async () => {
  const all = Array.from({ length: 5 }, () => refusal("Maintenance", 503, { "X-Maintenance-Mode": "all" }));
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, troubled(/^GET/, ...all));
  expect(await desk.run("plan")).toEqual({
    code: 8,
    out: "",
    talk: "error[api/maintenance] GET /v4/domains: 503 Maintenance\n  Nothing was changed. Try again later.\n",
  });
  const other = await apiDesk(
    { "zones/example.com.yaml": zone },
    troubled(/^GET/, ...all.map(() => () => new Response("{", { headers: { "content-type": "text/plain" } }))),
  );
  expect((await other.run("plan")).talk).toMatch(
    /^error\[transport\/reply\] GET \/v4\/domains: 200 with a body \(text\/plain\) that is not the API's: \{\n/,
  );
}, 60_000);

test("killed during a create: the next apply reports the pending write", async () => {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, (server) => (request, connection) => {
    if (request.method !== "POST" || !request.url.endsWith("/records")) return server(request, connection);
    isAsked();
    return new Promise<never>(() => {}); // it never answers
  });
  await desk.call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" });
  const first = new Program(desk.folder, "apply --yes", desk.env);
  await asked;
  first.kill("SIGKILL");
  await first.end();
  const next = new Program(desk.folder, "apply --yes", desk.env);
  const [line] = await next.says(/^the last run.*\n/m);
  expect(line.replace(/\b\d+ s\b/, "N s")).toBe(
    "the last run got no reply to 1 write: create www.example.com. A 192.0.2.1; waiting for up to N s until it is known whether it took effect\n",
  );
  next.kill("SIGKILL");
}, 60_000);

test.each([
  [["one"], "1 write: one; waiting for up to 3 s until it is known whether it took effect"],
  [["one", "two"], "2 writes: one, two; waiting for up to 3 s until it is known whether they took effect"],
  [
    ["one", "two", "three", "four"],
    "4 writes: one, two, three and 1 more; waiting for up to 3 s until it is known whether they took effect",
  ],
])("the next apply reports unanswered writes: %j", (writes, text) => {
  expect(unansweredText(2001, writes)).toBe(`the last run got no reply to ${text}\n`);
});
