import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { SendError } from "../../src/client/transport.ts";
import { type Answer, domain, errorOf, failing, fakeSend, fakeSleep, json, refusal, text } from "./fake-send.ts";

const calls: Record<string, (client: Client) => Promise<unknown>> = {
  GET: (client) => client.getDomain({ domainId: 12 }),
  POST: (client) => client.cloneDomain({ domainId: 12, body: { domain: "example.org" } }),
  PUT: (client) => client.updateDomain({ domainId: 12, body: {} }),
  DELETE: (client) => client.deleteDomain({ domainId: 12 }),
};

const again = "again";
const once = "once";

/** A failure of the first attempt; whether a read and a write are sent again after it. */
test.each<[string, read: string, write: string, () => Answer]>([
  ["refused connection", again, again, failing("ECONNREFUSED", "connect")],
  ["no such name", again, again, failing("ENOTFOUND", "getaddrinfo")],
  ["no network", again, again, failing("ENETUNREACH", "connect")],
  ["connect timeout", again, again, failing("UND_ERR_CONNECT_TIMEOUT")],
  ["connection timed out by the system", again, again, failing("ETIMEDOUT", "connect")],
  ["429", again, again, refusal(429, "Too many requests")],
  ["429 of a proxy", again, again, text("slow down", 429)],
  ["reset", again, once, failing("ECONNRESET")],
  ["reset while sending", again, once, failing("EPIPE", "write")],
  ["closed without a reply", again, once, failing("UND_ERR_SOCKET")],
  ["no headers in time", again, once, failing("UND_ERR_HEADERS_TIMEOUT")],
  ["no body in time", again, once, failing("UND_ERR_BODY_TIMEOUT")],
  ["timed out by the system, connected", again, once, failing("ETIMEDOUT", "read")],
  ["500", again, once, refusal(500, "Internal Server Error")],
  ["502 of a proxy", again, once, text("<h1>Bad Gateway</h1>", 502)],
  ["503", again, once, refusal(503, "Unavailable")],
  ["408", again, once, refusal(408, "Request Timeout")],
  ["maintenance", again, once, refusal(503, "Maintenance", { "X-Maintenance-Mode": "all" })],
  ["busy, with Retry-After", again, once, refusal(503, "Busy", { "Retry-After": "1" })],
  ["certificate", once, once, failing("DEPTH_ZERO_SELF_SIGNED_CERT")],
  ["400", once, once, refusal(400, "Not valid")],
  ["busy domain", again, again, refusal(400, "Linode busy.")],
  ["a value that ends in busy", once, once, json({ errors: [{ field: "target", reason: "target is busy" }] }, 400)],
  ["401", once, once, refusal(401, "Invalid Token")],
  ["404", once, once, refusal(404, "Not found")],
  ["a garbled reply", again, once, text('{"id": 12, "dom', 200)],
  ["a reply of another shape", again, once, json({ id: "twelve" })],
  ["an empty reply", again, once, text("", 200)],
  ["a refusal from a proxy's page", once, once, text("<h1>Sign in</h1>", 403)],
  ["a redirect", once, once, text("", 302)],
  ["an unknown error", once, once, () => new Error("boom")],
])("%s: a read is sent %s, a write %s", async (_, read, write, answer) => {
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
  ["exponential, with full jitter", [reset], { random: 1 }, [250, 500, 1000, 2000]],
  ["jitter down to zero", [reset], { random: 0 }, [0, 0, 0, 0]],
  ["bounded", [reset], { random: 1, retries: 8 }, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]],
  ["no retries", [reset], { retries: 0 }, []],
  ["until it works", [reset, reset, json(domain)], { random: 0.5 }, [125, 250]],
  ["429 with Retry-After, plus jitter", [asking(37), json(domain)], { random: 0.5 }, [37_125]],
  ["429 without a header", [refusal(429, "Too many requests")], { random: 1 }, [250, 500, 1000, 2000]],
  ["429 that asks for a window", [asking(120), json(domain)], { random: 0 }, [120_000]],
  ["429 that asks for an hour is not retried", [asking(3600)], {}, []],
  ["503 with Retry-After", [refusal(503, "Busy", { "Retry-After": "20" }), json(domain)], {}, [20_000]],
  [
    "maintenance with Retry-After",
    [refusal(503, "Maintenance", { "X-Maintenance-Mode": "all", "Retry-After": "90" }), json(domain)],
    {},
    [90_000],
  ],
  [
    "maintenance of an hour is not retried",
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

test.each<[retries: number, tries: string]>([
  [0, ""],
  [2, " (3 attempts in 1 minute 30 seconds)"],
])("a service that never replies, with %i retries: the message has the time", async (retries, tries) => {
  let now = 0;
  const send = async () => {
    now += 30_000;
    throw new SendError(true, 30_000, failing("UND_ERR_HEADERS_TIMEOUT")());
  };
  const policy = { retries, sleep: fakeSleep().sleep, random: () => 0, now: () => now };
  const error = await errorOf(createClient({ baseUrl: "http://api", send, ...policy }).getDomain({ domainId: 12 }));
  expect(error).toMatchObject({
    message: `GET /v4/domains/12: no complete reply from http://api within 30 s${tries}`,
  });
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
