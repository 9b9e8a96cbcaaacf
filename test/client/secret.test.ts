import { inspect } from "node:util";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { type Answer, errorOf, fakeSend, json, refusal, text } from "./fake-send.ts";

const token = "f00dcafe0123456789abcdef";
const echo = `you sent Authorization: Bearer ${token}`;

const hostile: Record<string, () => Answer> = {
  "a reason": refusal(400, echo),
  "a field": json({ errors: [{ field: token, reason: "no" }] }, 400),
  "a long reason, cut inside the token": refusal(400, `${"x".repeat(290)}${token}`),
  "the scopes of a token": refusal(401, "Your OAuth token is not authorized to use this endpoint.", {
    "X-OAuth-Scopes": token,
  }),
  "a page": text(`<pre>${echo}</pre>`, 502),
  "a page, cut inside the token": text(`${"x".repeat(70)}${token}`, 502),
  "broken JSON": text(`{"a": ${token}`, 200),
  "a redirect": text("", 302, { Location: `https://elsewhere.example/?token=${token}` }),
  "a content type": text("?", 502, { "Content-Type": token }),
  "another shape": json({ [token]: token }),
  "an error": () => new Error(echo),
  "an error with a code": () => Object.assign(new Error(echo), { code: "ECONNRESET" }),
  "the cause of an error": () => new TypeError("fetch failed", { cause: new Error(echo) }),
  "a property of an error": () => Object.assign(new Error("failed"), { options: { headers: [echo] } }),
  "a stack": () => Object.assign(new Error("failed"), { stack: `Error: failed\n    at ${echo}` }),
};

const calls: ((client: Client) => Promise<unknown>)[] = [
  (client) => client.listDomains(),
  (client) => client.createDomain({ body: { type: "master", domain: "example.com" } }),
];

test.each(Object.entries(hostile))("an error that quotes %s omits the token", async (_, answer) => {
  for (const call of calls) {
    const client = createClient({ baseUrl: "http://api", token, send: fakeSend(answer).send, retries: 0 });
    const error = await errorOf(call(client));
    const surfaces = [String(error), inspect(error, { depth: 9, showHidden: true, maxStringLength: null })];
    expect(surfaces.join("\n")).not.toMatch(/f00dcafe/);
  }
});

test("printing a client omits the token", () => {
  const client = createClient({ baseUrl: "http://api", token, send: fakeSend().send });
  expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(token);
});
