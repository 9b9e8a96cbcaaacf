// @suite postgres

import { expect, test } from "vitest";
import type { Access } from "../../src/server/http/access-log.ts";
import { listRateFor } from "../../src/server/kit/rate-limit.ts";
import { start } from "./start.ts";

const limited = { status: 429, body: { errors: [{ reason: "Too many requests" }] } };

test("/healthz: outside of the API, without a token, not limited", async () => {
  const { ask } = await start({ rateLimit: { requests: 1, seconds: 60 } });
  for (let n = 0; n < 3; n++) {
    const reply = await ask("GET", "/healthz", undefined, { as: "" });
    expect([reply.status, await reply.json()]).toEqual([200, { status: "ok" }]);
  }
});

test("lists have a rate limit window of their own, which their headers report", async () => {
  const { ask, call, domain } = await start({
    rateLimit: { requests: 3, seconds: 120 },
    listLimit: { requests: 1, seconds: 60 },
  });
  const id = await domain("example.com"); // 1 of 3
  expect((await call("GET", "/domains")).status).toBe(200);
  expect(await call("GET", `/domains/${id}/records`)).toEqual(limited);
  expect((await call("GET", `/domains/${id}`)).status).toBe(200);
  expect((await call("GET", `/domains/${id}`)).status).toBe(200);
  expect(await call("GET", `/domains/${id}`)).toEqual(limited);
  const headers = async (path: string) => {
    const reply = await ask("GET", path);
    return ["X-RateLimit-Limit", "X-RateLimit-Remaining", "Retry-After"].map((name) => reply.headers.get(name));
  };
  expect(await headers("/v4/domains")).toEqual(["1", "0", "60"]);
  expect(await headers("/v4/domains/1")).toEqual(["3", "0", "120"]);
});

test.each([
  [1600, 200],
  [16_000, 2000],
  [800, 100],
  [12, 2],
  [2, 1],
  [1, 1],
])("a limit of %i in two minutes gives lists %i a minute", (requests, lists) => {
  expect(listRateFor(requests)).toEqual({ requests: lists, seconds: 60 });
});

test("every request is logged once, without its query", async () => {
  const accesses: Access[] = [];
  const { ask, clock } = await start({ onAccess: (access) => accesses.push(access) });
  await ask("GET", "/v4/domains?page=0&token=secret");
  clock.now = new Date("2026-03-04T12:00:01Z");
  await ask("POST", "/v4/domains", "{", { as: "secret" });
  const common = { milliseconds: 0, address: "192.0.2.99", path: "/v4/domains" };
  expect(accesses).toEqual([
    { ...common, time: "2026-03-04T12:00:00.000Z", method: "GET", status: 400, username: "admin" },
    { ...common, time: "2026-03-04T12:00:01.000Z", method: "POST", status: 401, username: null },
  ]);
});

test.each([
  ["GET", "/v4/account/entity-transfers/0A1B", 404],
  ["DELETE", "/v4beta/account/service-transfers/0A1B", 404],
  ["POST", "/v4/account/entity-transfers/0A1B/accept", 404],
  ["PATCH", "/v4/account/entity-transfers/0A1B/accept", 405],
  ["POST", "/v4/account/entity-transfers/0A1B/acept", 404],
  ["GET", "/v4/account/entity%2Dtransfers/0A1B", 404],
  ["GET", "/v4/account/entity-transfers%2F0A1B", 404],
  ["GET", "/v4/account/entity-transfers//0A1B", 404],
])("%s %s is logged without the token, which others could accept", async (method, path, status) => {
  const accesses: Access[] = [];
  const { ask } = await start({ onAccess: (access) => accesses.push(access) });
  await ask(method, path);
  const shown = decodeURIComponent(path).replace("0A1B", "{token}");
  expect(accesses.map((access) => [access.method, access.path, access.status])).toEqual([[method, shown, status]]);
});
