import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { TransportError } from "../../src/client/transport-error.ts";
import { domain, errorOf, fakeSend, json, text } from "./fake-send.ts";

const html = { "Content-Type": "text/html; charset=utf-8" };
const look = "It may have taken effect: check before sending it again.";
const proxy = "Check the base URL http://api, and any proxy between.";
const version = "The service uses another version of the API, or the reply was changed in transit.";

test.each<[string, () => Response, string]>([
  [
    "HTML of a proxy without backend",
    text("<html>\n  <body>\n    <h1>502 Bad Gateway</h1>", 502, html),
    `502 with a body (text/html; charset=utf-8) that is not the API's: <html> <body> <h1>502 Bad Gateway</h1>. ${proxy}`,
  ],
  [
    "a login page",
    text(`<title>Sign in</title>${"<p>".repeat(100)}`, 200, html),
    `200 with a body (text/html; charset=utf-8) that is not the API's: <title>Sign in</title>${"<p>".repeat(19)}<…. ${proxy}`,
  ],
  [
    "terminal sequences",
    text("\u001b]0;owned\u0007 \u202eevil", 403, { "Content-Type": "text/plain" }),
    `403 with a body (text/plain) that is not the API's: \\x1b]0;owned\\x07 \\u202eevil. ${proxy}`,
  ],
  ["an empty body", text("", 500), `500 with an empty body. ${proxy}`],
  ["an empty success", () => new Response(null, { status: 204 }), `204 with an empty body. ${proxy}`],
  [
    "truncated JSON",
    text('{"id":12,"type":"mas', 200, { "Content-Type": "application/json" }),
    `200 with a body (application/json) that is not the API's: {"id":12,"type":"mas. ${proxy}`,
  ],
  [
    "JSON of another service",
    json({ error: "no such app" }, 404),
    `404 with a body (application/json) that is not the API's: {"error":"no such app"}. ${proxy}`,
  ],
  [
    "a redirect is not followed, so the token is not passed on",
    text("", 301, { Location: "https://api.example.com/v4/domains\u007f" }),
    "301, a redirect to https://api.example.com/v4/domains\\x7f. Set the base URL to the address of the service itself.",
  ],
  [
    "another shape",
    json({ ...domain, id: "12", tags: undefined, axfr_ips: null }),
    "200, but the reply does not match this endpoint: id: Invalid input: expected number, received string, and 2 more. " +
      version,
  ],
  [
    "not an object",
    json(null),
    `200, but the reply does not match this endpoint: Invalid input: expected object, received null. ${version}`,
  ],
])("%s", async (_, reply, what) => {
  const client = createClient({ baseUrl: "http://api", token: "t", send: fakeSend(reply).send, retries: 0 });
  const body = { type: "master", domain: "example.com" } as const;
  const [read, write] = [
    await errorOf(client.getDomain({ domainId: 12 })),
    await errorOf(client.createDomain({ body })),
  ];
  const { status } = reply();
  expect([read, write].map(facts)).toEqual([
    { message: `GET /v4/domains/12: ${what}`, kind: "reply", outcome: "ambiguous", status },
    { message: `POST /v4/domains: ${what} ${look}`, kind: "reply", outcome: "ambiguous", status },
  ]);
});

function facts(error: unknown) {
  if (!(error instanceof TransportError)) throw error;
  const { message, kind, outcome, status } = error;
  return { message, kind, outcome, status };
}
