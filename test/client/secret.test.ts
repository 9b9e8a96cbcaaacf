import { inspect } from "node:util";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { type Answer, errorOf, fakeSend, json, refusal, text } from "./fake-send.ts";

const token = "f00dcafe0123456789abcdef";

/** Replies and failures that quote a secret. */
const hostile = (secret: string): Record<string, () => Answer> => ({
  "a reason": refusal(400, `you sent ${secret}`),
  "a field": json({ errors: [{ field: secret, reason: "no" }] }, 400),
  "a long reason, cut inside the token": refusal(400, `${"x".repeat(290)}${secret}`),
  "the scopes of a token": refusal(401, "Your OAuth token is not authorized to use this endpoint.", {
    "X-OAuth-Scopes": secret,
  }),
  "a page": text(`<pre>you sent ${secret}</pre>`, 502),
  "a page, cut inside the token": text(`${"x".repeat(70)}${secret}`, 502),
  "broken JSON": text(`{"a": ${secret}`, 200),
  "a redirect": text("", 302, { Location: `https://elsewhere.example/?token=${secret}` }),
  "a content type": text("?", 502, { "Content-Type": secret }),
  "another shape": json({ [secret]: secret }),
  "an error": () => new Error(`you sent ${secret}`),
  "an error with a code": () => Object.assign(new Error(`you sent ${secret}`), { code: "ECONNRESET" }),
  "the cause of an error": () => new TypeError("fetch failed", { cause: new Error(`you sent ${secret}`) }),
  "a property of an error": () => Object.assign(new Error("failed"), { options: { headers: [`you sent ${secret}`] } }),
  "a stack": () => Object.assign(new Error("failed"), { stack: `Error: failed\n    at you sent ${secret}` }),
});

function surfacesOf(error: unknown): string {
  return [String(error), inspect(error, { depth: 9, showHidden: true, maxStringLength: null })].join("\n");
}

const calls: ((client: Client) => Promise<unknown>)[] = [
  (client) => client.listDomains(),
  (client) => client.createDomain({ body: { type: "master", domain: "example.com" } }),
];

test.each(Object.entries(hostile(token)))("an error that quotes %s omits the token", async (_, answer) => {
  for (const call of calls) {
    const client = createClient({ baseUrl: "http://api", token, send: fakeSend(answer).send, retries: 0 });
    const error = await errorOf(call(client));
    expect(surfacesOf(error)).not.toMatch(/f00dcafe/);
  }
});

test.each(["4111111111111111", "987", '{"card_number":"4111111111111111","cvv":"987"}'])(
  "an error that quotes %s omits the secret fields of the request",
  async (quoted) => {
    const body = { card_number: "4111111111111111", cvv: "987", expiry_month: 12, expiry_year: 2030 };
    // The reply to a card is an object, whatever its keys are.
    const { "another shape": _, ...replies } = hostile(quoted);
    for (const answer of Object.values(replies)) {
      const client = createClient({ baseUrl: "http://api", token, send: fakeSend(answer).send, retries: 0 });
      const error = await errorOf(client.setCreditCard({ body }));
      expect(surfacesOf(error)).not.toMatch(/4111111111111111|\b987\b/);
    }
  },
);

test("printing a client omits the token", () => {
  const client = createClient({ baseUrl: "http://api", token, send: fakeSend().send });
  expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(token);
});
