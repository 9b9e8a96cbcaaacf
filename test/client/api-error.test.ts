import { expect, test } from "vitest";
import { ApiError } from "../../src/client/api-error.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import { formatProblem } from "../../src/diagnostics/frame.ts";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { type Answer, errorOf, fakeSend, json, refusal, text } from "./fake-send.ts";

const newDomain = { type: "master", domain: "example.com" } as const;

interface Case {
  reply: () => Answer;
  method?: "GET" | "POST" | "LIST";
  message: string;
  kind: string;
  outcome: string;
  retryAfterMs?: number;
}

const cases: Record<string, Case> = {
  "an unknown token": {
    reply: refusal(401, "Invalid Token"),
    method: "POST",
    message:
      "POST /v4/domains: 401 Invalid Token. It is unknown, expired or revoked. " + "Replace it with a valid one.",
    kind: "token",
    outcome: "refused",
  },
  "a missing scope": {
    reply: refusal(401, "Your OAuth token is not authorized to use this endpoint.", {
      "X-OAuth-Scopes": "account:read_only domains:read_only",
    }),
    method: "POST",
    message:
      "POST /v4/domains: 401 Your OAuth token is not authorized to use this endpoint. It needs the scope " +
      "domains:read_write; it has account:read_only domains:read_only. Replace it with one that has it.",
    kind: "scope",
    outcome: "refused",
  },
  "a user without grant": {
    reply: refusal(403, "Unauthorized"),
    message:
      "GET /v4/domains/12/records/7: 403 Unauthorized. The token's user is restricted. Ask an unrestricted user for a " +
      "grant on domain 12. On `npx zonewright serve`, the operator gives it: `npx zonewright server user grant`.",
    kind: "grant",
    outcome: "refused",
  },
  "a user without grant, on a list": {
    reply: refusal(403, "Unauthorized"),
    method: "LIST",
    message:
      "GET /v4/domains: 403 Unauthorized. The token's user is restricted. Ask an unrestricted user for a grant. " +
      "On `npx zonewright serve`, the operator gives it: `npx zonewright server user grant`.",
    kind: "grant",
    outcome: "refused",
  },
  "a user who may not create domains": {
    reply: refusal(403, "Unauthorized"),
    method: "POST",
    message:
      "POST /v4/domains: 403 Unauthorized. The token's user is restricted. Ask an unrestricted user for the right to " +
      "create domains. On `npx zonewright serve`, the operator gives it: `npx zonewright server user access <name> --add-domains`. " +
      "Above or below a domain of the account, the user also needs read_write on that one.",
    kind: "grant",
    outcome: "refused",
  },
  "no such record": {
    reply: refusal(404, "Not found"),
    message:
      "GET /v4/domains/12/records/7: 404 Not found. The record 7 of domain 12 does not exist, or this token may not access it.",
    kind: "not-found",
    outcome: "refused",
  },
  "no such path": {
    reply: refusal(404, "Not found"),
    method: "LIST",
    message: "GET /v4/domains: 404 Not found. The service at http://api has no such path. Check the base URL.",
    kind: "not-found",
    outcome: "refused",
  },
  "several fields at once": {
    reply: json(
      {
        errors: [
          { field: "domain", reason: "Domain is required." },
          { field: "type", reason: "type is required" },
        ],
      },
      400,
    ),
    method: "POST",
    message: "POST /v4/domains: 400 domain: Domain is required; type is required",
    kind: "invalid",
    outcome: "refused",
  },
  "more reasons than a person reads": {
    reply: json({ errors: Array.from({ length: 100_000 }, () => ({ reason: "No." })) }, 400),
    method: "POST",
    message: `POST /v4/domains: 400 ${"No; ".repeat(20)}and 99980 more`,
    kind: "invalid",
    outcome: "refused",
  },
  "a busy domain": {
    reply: refusal(400, "Linode busy."),
    message:
      "GET /v4/domains/12/records/7: 400 Linode busy. Another change of the domain is under way, and this one was not made. Try again later.",
    kind: "busy",
    outcome: "refused",
  },
  "the wrong method": {
    reply: refusal(405, "Method Not Allowed"),
    message: "GET /v4/domains/12/records/7: 405 Method Not Allowed",
    kind: "other",
    outcome: "refused",
  },
  "too many, with Retry-After": {
    reply: refusal(429, "Too many requests", { "Retry-After": "37", "X-RateLimit-Reset": "9" }),
    message:
      "GET /v4/domains/12/records/7: 429 Too many requests. Try again in 37 seconds, at 2026-01-01 00:00:37 UTC.",
    kind: "rate",
    outcome: "refused",
    retryAfterMs: 37_000,
  },
  "too many, until a date": {
    reply: refusal(429, "Too many requests", { "Retry-After": "Thu, 01 Jan 2026 00:00:30 GMT" }),
    message:
      "GET /v4/domains/12/records/7: 429 Too many requests. Try again in 30 seconds, at 2026-01-01 00:00:30 UTC.",
    kind: "rate",
    outcome: "refused",
    retryAfterMs: 30_000,
  },
  "too many, X-RateLimit-Reset since 1970": {
    reply: refusal(429, "Too many requests", { "X-RateLimit-Reset": String(Date.UTC(2026, 0, 1) / 1000 + 12) }),
    message:
      "GET /v4/domains/12/records/7: 429 Too many requests. Try again in 12 seconds, at 2026-01-01 00:00:12 UTC.",
    kind: "rate",
    outcome: "refused",
    retryAfterMs: 12_000,
  },
  "too many, X-RateLimit-Reset from now": {
    reply: refusal(429, "Too many requests", { "X-RateLimit-Reset": "90" }),
    message:
      "GET /v4/domains/12/records/7: 429 Too many requests. Try again in 1 minute 30 seconds, at 2026-01-01 00:01:30 UTC.",
    kind: "rate",
    outcome: "refused",
    retryAfterMs: 90_000,
  },
  "too many, for longer than a date can tell": {
    reply: refusal(429, "Too many requests", { "Retry-After": "9".repeat(15) }),
    message:
      "GET /v4/domains/12/records/7: 429 Too many requests. Try again in 1653439153 weeks 3 days 1 hour 46 minutes " +
      "39 seconds, at +275760-09-13 00:00:00 UTC.",
    kind: "rate",
    outcome: "refused",
    retryAfterMs: 999_999_999_999_999_000,
  },
  "too many, from a proxy": {
    reply: text("<h1>slow down</h1>", 429, { "Retry-After": "soon" }),
    message: "GET /v4/domains/12/records/7: 429 Too many requests. Try again later.",
    kind: "rate",
    outcome: "refused",
  },
  maintenance: {
    reply: text("<h1>back soon</h1>", 503, { "X-Maintenance-Mode": "all" }),
    method: "POST",
    message: "POST /v4/domains: 503 Under maintenance. Nothing was changed. Try again later.",
    kind: "maintenance",
    outcome: "refused",
  },
  "maintenance of an hour": {
    reply: text("<h1>back soon</h1>", 503, { "X-Maintenance-Mode": "all", "Retry-After": "3600" }),
    method: "POST",
    message:
      "POST /v4/domains: 503 Under maintenance. Nothing was changed. Try again in 1 hour, at 2026-01-01 01:00:00 UTC.",
    kind: "maintenance",
    outcome: "refused",
    retryAfterMs: 3_600_000,
  },
  "a service failure during a write": {
    reply: refusal(500, "Internal Server Error"),
    method: "POST",
    message: "POST /v4/domains: 500 Internal Server Error. It may have taken effect: check before sending it again.",
    kind: "server",
    outcome: "ambiguous",
  },
  "a service failure during a read": {
    reply: refusal(500, "Internal Server Error"),
    message: "GET /v4/domains/12/records/7: 500 Internal Server Error",
    kind: "server",
    outcome: "ambiguous",
  },
  "too busy for an hour": {
    reply: refusal(503, "Busy", { "Retry-After": "3600" }),
    method: "POST",
    message:
      "POST /v4/domains: 503 Busy. It may have taken effect: check before sending it again. " +
      "Try again in 1 hour, at 2026-01-01 01:00:00 UTC.",
    kind: "server",
    outcome: "ambiguous",
    retryAfterMs: 3_600_000,
  },
  "a request that timed out in the service": {
    reply: refusal(408, "Request Timeout"),
    method: "POST",
    message: "POST /v4/domains: 408 Request Timeout. It may have taken effect: check before sending it again.",
    kind: "other",
    outcome: "ambiguous",
  },
  "no reason at all": {
    reply: json({ errors: [] }, 400),
    method: "POST",
    message: "POST /v4/domains: 400 without a reason",
    kind: "invalid",
    outcome: "refused",
  },
  "hostile text is escaped and truncated": {
    reply: refusal(400, `\u001b[2J\u202e${"x".repeat(400)}`),
    method: "POST",
    message: `POST /v4/domains: 400 \\x1b[2J\\u202e${"x".repeat(295)}…`,
    kind: "invalid",
    outcome: "refused",
  },
};

test.each(Object.entries(cases))("%s", async (_, { reply, method, ...expected }) => {
  const now = () => Date.UTC(2026, 0, 1);
  const client = createClient({ baseUrl: "http://api", token: "t", send: fakeSend(reply).send, retries: 0, now });
  const call = {
    GET: () => client.getRecord({ domainId: 12, recordId: 7 }),
    LIST: () => client.listDomains(),
    POST: () => client.createDomain({ body: newDomain }),
  }[method ?? "GET"];
  const error = await errorOf(call());
  if (!(error instanceof ApiError)) throw error;
  const { message, kind, outcome, retryAfterMs } = error;
  expect({ message, kind, outcome, ...(retryAfterMs !== undefined && { retryAfterMs }) }).toEqual(expected);
});

test("the service knows best which scope it needs", async () => {
  const headers = { "X-OAuth-Scopes": "domains:read_only", "X-Accepted-OAuth-Scopes": "zones:write" };
  const { send } = fakeSend(refusal(401, "Your OAuth token is not authorized to use this endpoint.", headers));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  expect(await errorOf(client.deleteDomain({ domainId: 12 }))).toMatchObject({
    message: expect.stringContaining("It needs the scope zones:write; it has domains:read_only."),
  });
});

test("an object that is not found is named by its kind", async () => {
  const { send } = fakeSend(refusal(404, "Not found"));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  const adviceOf = async (call: Promise<unknown>) => String(await errorOf(call)).replace(/^.*Not found\. /, "");
  const orRefused = "does not exist, or this token may not access it.";
  expect(await adviceOf(client.deleteTag({ label: "web" }))).toBe(`The tag web ${orRefused}`);
  expect(await adviceOf(client.getOAuthClient({ clientId: "2737bf16" }))).toBe(
    `The OAuth client 2737bf16 ${orRefused}`,
  );
  expect(await adviceOf(client.getUser({ username: "ci" }))).toBe(`The user ci ${orRefused}`);
  expect(await adviceOf(client.getTicket({ ticketId: 3 }))).toBe(`The ticket 3 ${orRefused}`);
  expect(await adviceOf(client.getRegion({ regionId: "lab" }))).toBe("The region lab does not exist.");
});

test("an endpoint for some users only says for which", async () => {
  const { send } = fakeSend(refusal(403, "Unauthorized"));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  expect(await errorOf(client.deleteTag({ label: "web" }))).toMatchObject({
    message: "DELETE /v4/tags/web: 403 Unauthorized. Only an unrestricted user of the account may do this.",
  });
  expect(await errorOf(client.listOAuthClients())).toMatchObject({
    message:
      "GET /v4/account/oauth-clients: 403 Unauthorized. The token's user is restricted. Ask an unrestricted user for access to the account. On `npx zonewright serve`, the operator gives it: `npx zonewright server user access`.",
  });
});

test("a clone needs a grant on its source and the right to create domains", async () => {
  const { send } = fakeSend(refusal(403, "Unauthorized"));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  expect(await errorOf(client.cloneDomain({ domainId: 12, body: { domain: "example.net" } }))).toMatchObject({
    message:
      "POST /v4/domains/12/clone: 403 Unauthorized. The token's user is restricted. Ask an unrestricted user for the " +
      "right to create domains, and a grant on domain 12. On `npx zonewright serve`, the operator gives it: " +
      "`npx zonewright server user access <name> --add-domains`. Above or below a domain of the account, the user also needs " +
      "read_write on that one.",
  });
});

const image = { image: "node/debian12", root_pass: "correct Horse 7" };
const firewall = { label: "web", rules: { inbound_policy: "DROP", outbound_policy: "ACCEPT" } } as const;
const access = (objects: string, flag: string) =>
  `the right to create ${objects}. On \`npx zonewright serve\`, the operator gives it: \`npx zonewright server user access <name> ${flag}\`.`;
const never = (objects: string) =>
  `the right to create ${objects}. On \`npx zonewright serve\`, only unrestricted users have it.`;
const grant = (object: string, type: string) =>
  `a grant on ${object}. On \`npx zonewright serve\`, the operator gives it: \`npx zonewright server user grant --on ${type}\`.`;

test.each<[right: string, needed: string, call: (client: Client) => Promise<unknown>]>([
  ["nodes", access("nodes", "--add-nodes"), (api) => api.createNode({ body: { region: "a", type: "b" } })],
  [
    "a clone of a node",
    "the right to create nodes, and a grant on node 5. On `npx zonewright serve`, the operator gives it: `npx zonewright server user access <name> --add-nodes`.",
    (api) => api.cloneNode({ nodeId: 5, body: {} }),
  ],
  ["other images of a node", grant("node 5", "node"), (api) => api.rebuildNode({ nodeId: 5, body: image })],
  ["volumes", never("volumes"), (api) => api.createVolume({ body: { label: "data" } })],
  ["firewalls", never("firewalls"), (api) => api.createFirewall({ body: firewall })],
  ["a change of a node", grant("node 5", "node"), (api) => api.updateNode({ nodeId: 5, body: { label: "web" } })],
  ["a change of a volume", grant("volume 5", "volume"), (api) => api.detachVolume({ volumeId: 5 })],
  ["a view of a firewall", grant("firewall 5", "firewall"), (api) => api.getFirewall({ firewallId: 5 })],
])("the advice names the right that a restricted user needs: %s", async (_, needed, call) => {
  const { send } = fakeSend(refusal(403, "Unauthorized"));
  const error = await errorOf(call(createClient({ baseUrl: "http://api", token: "t", send })));
  expect(String(error).split(": 403 ")[1]).toBe(
    `Unauthorized. The token's user is restricted. Ask an unrestricted user for ${needed}`,
  );
});

test("a ticket needs a grant on the domain that it is about", async () => {
  const { send } = fakeSend(refusal(403, "Unauthorized"));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  expect(await errorOf(client.listTicketReplies({ ticketId: 5 }))).toMatchObject({
    message:
      "GET /v4/support/tickets/5/replies: 403 Unauthorized. The token's user is restricted. Ask an unrestricted user " +
      "for a grant on the domain that ticket 5 is about. On `npx zonewright serve`, the operator gives it: " +
      "`npx zonewright server user grant`.",
  });
});

test("an endpoint that only profile live has names that profile if the service does not know its path", async () => {
  const { send } = fakeSend(refusal(404, "Not found"));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  const advice =
    "Only a server with profile live has this path. Start it with `npx zonewright serve --profile live`, or check the base URL.";
  expect(await errorOf(client.listNodeTypes())).toMatchObject({
    message: `GET /v4/node/types: 404 Not found. ${advice}`,
  });
  expect(await errorOf(client.listImages())).toMatchObject({ message: `GET /v4/images: 404 Not found. ${advice}` });
});

test("advises to set a token if none is set", async () => {
  const { send } = fakeSend(refusal(401, "Invalid Token"));
  expect(await errorOf(createClient({ baseUrl: "http://api", send }).listDomains())).toMatchObject({
    message: "GET /v4/domains: 401 Invalid Token. No token was sent. Set ZONEWRIGHT_TOKEN.",
  });
});

test("an ApiError prints as a refusal and keeps the API's reasons unchanged", async () => {
  const reasons = [{ field: "soa_email", reason: "soa_email required\u0007 when type=master" }];
  const { send } = fakeSend(json({ errors: reasons }, 400));
  const error = await errorOf(createClient({ baseUrl: "http://api", send }).createDomain({ body: newDomain }));
  if (!(error instanceof ApiError)) throw error;
  expect(error).toBeInstanceOf(ProblemError);
  expect([error.name, error.request, error.status, error.reasons]).toEqual([
    "ApiError",
    "POST /v4/domains",
    400,
    reasons,
  ]);
  expect(error.problems.map((found) => formatProblem(found))).toEqual([
    "error[api/invalid] POST /v4/domains: 400 soa_email required\\x07 when type=master",
  ]);
});
