import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { type Answer, domain, errorOf, failing, fakeSend, fakeSleep, json, refusal, text } from "./fake-send.ts";

const calls: Record<string, (client: Client) => Promise<unknown>> = {
  GET: (client) => client.getDomain({ domainId: 12 }),
  POST: (client) => client.cloneDomain({ domainId: 12, body: { domain: "example.org" } }),
  PUT: (client) => client.updateDomain({ domainId: 12, body: {} }),
  DELETE: (client) => client.deleteDomain({ domainId: 12 }),
};

const again = "again";
const once = "once";

/** What happened at the first attempt; is a read sent again after it; is a write? */
test.each<[string, () => Answer, read: string, write: string]>([
  ["refused connection", failing("ECONNREFUSED", "connect"), again, again],
  ["no such name", failing("ENOTFOUND", "getaddrinfo"), again, again],
  ["no network", failing("ENETUNREACH", "connect"), again, again],
  ["connect timeout", failing("UND_ERR_CONNECT_TIMEOUT"), again, again],
  ["connection timed out by the system", failing("ETIMEDOUT", "connect"), again, again],
  ["429", refusal(429, "Too many requests"), again, again],
  ["429 of a proxy", text("slow down", 429), again, again],
  ["reset", failing("ECONNRESET"), again, once],
  ["reset while sending", failing("EPIPE", "write"), again, once],
  ["closed without a reply", failing("UND_ERR_SOCKET"), again, once],
  ["no headers in time", failing("UND_ERR_HEADERS_TIMEOUT"), again, once],
  ["no body in time", failing("UND_ERR_BODY_TIMEOUT"), again, once],
  ["timed out by the system, connected", failing("ETIMEDOUT", "read"), again, once],
  ["500", refusal(500, "Internal Server Error"), again, once],
  ["502 of a proxy", text("<h1>Bad Gateway</h1>", 502), again, once],
  ["503", refusal(503, "Unavailable"), again, once],
  ["408", refusal(408, "Request Timeout"), again, once],
  ["maintenance", refusal(503, "Maintenance", { "X-Maintenance-Mode": "all" }), again, once],
  ["busy, and says when to come back", refusal(503, "Busy", { "Retry-After": "1" }), again, once],
  ["certificate", failing("DEPTH_ZERO_SELF_SIGNED_CERT"), once, once],
  ["400", refusal(400, "Not valid"), once, once],
  ["401", refusal(401, "Invalid Token"), once, once],
  ["404", refusal(404, "Not found"), once, once],
  ["a garbled reply", text('{"id": 12, "dom', 200), again, once],
  ["a reply of another shape", json({ id: "twelve" }), again, once],
  ["an empty reply", text("", 200), again, once],
  ["a page of somebody else, refused", text("<h1>Sign in</h1>", 403), once, once],
  ["a redirect", text("", 302), once, once],
  ["what nobody knows", () => new Error("boom"), once, once],
])("%s: a read %s %s, a write %s", async (_, answer, read, write) => {
  const sent: Record<string, string> = {};
  for (const [method, call] of Object.entries(calls)) {
    const { send, requests } = fakeSend(answer, json(domain));
    const { sleep } = fakeSleep();
    const client = createClient({ baseUrl: "http://api", token: "t", send, sleep });
    await call(client).catch(() => {});
    sent[method] = requests.length > 1 ? again : once;
  }
  expect(sent).toEqual({ GET: read, POST: write, PUT: write, DELETE: write });
});

test("sends the whole request again at each attempt", async () => {
  const { send, requests } = fakeSend(failing("ECONNREFUSED", "connect"), failing("ENOTFOUND"), json(domain));
  const client = createClient({ baseUrl: "http://api", token: "t", send, sleep: fakeSleep().sleep });
  await client.cloneDomain({ domainId: 12, body: { domain: "example.org" } });
  const bodies = await Promise.all(requests.map((request) => request.text()));
  expect(bodies).toEqual(['{"domain":"example.org"}', '{"domain":"example.org"}', '{"domain":"example.org"}']);
});

const reset = failing("ECONNRESET");
const asking = (seconds: number) => refusal(429, "Too many requests", { "Retry-After": String(seconds) });

test.each<[string, (() => Answer)[], { retries?: number; random?: number }, waits: number[]]>([
  ["exponential, with all the jitter there is", [reset], { random: 1 }, [250, 500, 1000, 2000]],
  ["jitter goes down to nothing", [reset], { random: 0 }, [0, 0, 0, 0]],
  ["bounded", [reset], { random: 1, retries: 8 }, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]],
  ["no retries", [reset], { retries: 0 }, []],
  ["until it works", [reset, reset, json(domain)], { random: 0.5 }, [125, 250]],
  ["429 says when, and not all come back at once", [asking(37), json(domain)], { random: 0.5 }, [37_125]],
  ["429 without a header", [refusal(429, "Too many requests")], { random: 1 }, [250, 500, 1000, 2000]],
  ["429 that asks for a window", [asking(120), json(domain)], { random: 0 }, [120_000]],
  ["429 that asks for an hour is an answer", [asking(3600)], {}, []],
  ["503 says when", [refusal(503, "Busy", { "Retry-After": "20" }), json(domain)], {}, [20_000]],
  [
    "maintenance says when",
    [refusal(503, "Maintenance", { "X-Maintenance-Mode": "all", "Retry-After": "90" }), json(domain)],
    {},
    [90_000],
  ],
  [
    "maintenance of an hour is an answer",
    [refusal(503, "Maintenance", { "X-Maintenance-Mode": "all", "Retry-After": "3600" })],
    {},
    [],
  ],
  ["a reply that stays garbled", [text("{", 200)], { random: 1 }, [250, 500, 1000, 2000]],
])("waits: %s", async (_, answers, { retries, random = 0 }, expected) => {
  const { send, requests } = fakeSend(...answers);
  const { sleep, waits } = fakeSleep();
  const policy = { sleep, random: () => random, ...(retries !== undefined && { retries }) };
  await createClient({ baseUrl: "http://api", send, ...policy })
    .getDomain({ domainId: 12 })
    .catch(() => {});
  expect([waits, requests.length]).toEqual([expected, expected.length + 1]);
});

test("throws the last error", async () => {
  const { send } = fakeSend(failing("ECONNREFUSED", "connect"), reset);
  const client = createClient({ baseUrl: "http://api", send, retries: 1, sleep: fakeSleep().sleep });
  expect(await errorOf(client.getDomain({ domainId: 12 }))).toMatchObject({ kind: "reset", outcome: "ambiguous" });
});

test("an abort ends the wait", async () => {
  const controller = new AbortController();
  const { send, requests } = fakeSend(asking(100));
  const sleep = (ms: number, signal?: AbortSignal) => {
    controller.abort();
    return delay(ms, undefined, signal && { signal });
  };
  const client = createClient({ baseUrl: "http://api", send, sleep });
  const error = await errorOf(client.deleteDomain({ domainId: 12 }, { signal: controller.signal }));
  expect(error).toMatchObject({ kind: "aborted", outcome: "not-sent", message: "DELETE /v4/domains/12: aborted" });
  expect(requests.length).toBe(1);
});
