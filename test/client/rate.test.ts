import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { Rate } from "../../src/client/rate.ts";
import { domain, fakeSend, json } from "./fake-send.ts";

/** A clock that advances only during waits. */
function fakeClock() {
  let time = Date.parse("2026-03-04T12:00:00Z");
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    sleep: async (ms: number) => {
      waits.push(ms);
      time += ms;
    },
  };
}

const window = (remaining: number, limit = 100, after = 30) => ({
  status: 200,
  headers: new Headers({
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "Retry-After": String(after),
  }),
});

async function use(rate: Rate, reply: { status: number; headers: Headers }, tookMs = 10, kind = "writes" as const) {
  const turn = await rate.enter(kind);
  turn.reportReply(reply, tookMs);
  turn.leave();
}

test("leaves a fifth of the limit to others: the next request waits for the window's end", async () => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  await use(rate, window(22));
  await use(rate, window(21));
  await use(rate, window(20));
  expect(clock.waits).toEqual([]);
  await use(rate, window(99));
  expect(clock.waits).toEqual([30_000]);
});

test("counts running requests before their replies arrive", async () => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  await use(rate, window(22));
  const turns = [await rate.enter("writes"), await rate.enter("writes")];
  expect(clock.waits).toEqual([]);
  await rate.enter("writes");
  expect(clock.waits).toEqual([30_000]);
  for (const turn of turns) turn.leave();
});

test("a late reply does not refill the bucket", async () => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  const late = await rate.enter("writes");
  await use(rate, window(20));
  late.reportReply(window(40), 10);
  late.leave();
  await rate.enter("writes");
  expect(clock.waits).toEqual([30_000]);
});

test("does not wait for a service without rate limit headers", async () => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  for (let request = 0; request < 1_000; request++) await use(rate, window(100));
  expect(clock.waits).toEqual([]);
});

test("reads and writes have separate buckets", async () => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  await use(rate, window(0));
  (await rate.enter("reads")).leave();
  expect(clock.waits).toEqual([]);
});

test("an urgent request uses the headroom", async () => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  await use(rate, window(20));
  await rate.enter("writes", { urgent: true });
  expect(clock.waits).toEqual([]);
});

test.each<[string, Record<string, string>, number[]]>([
  ["seconds since 1970", { "X-RateLimit-Reset": String(Date.parse("2026-03-04T12:00:45Z") / 1000) }, [45_000]],
  ["seconds from now", { "X-RateLimit-Reset": "45" }, [45_000]],
  [
    "a clock an hour ahead: longer than any window",
    { "X-RateLimit-Reset": String(Date.parse("2026-03-04T13:00:00Z") / 1000) },
    [150_000],
  ],
  ["a time in the past", { "X-RateLimit-Reset": String(Date.parse("2026-03-04T11:00:00Z") / 1000) }, []],
  ["no header about it", {}, []],
])("the window's end: %s", async (_, headers, waits) => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  const reply = {
    status: 200,
    headers: new Headers({ "X-RateLimit-Limit": "9", "X-RateLimit-Remaining": "0", ...headers }),
  };
  await use(rate, reply);
  await use(rate, reply);
  expect(clock.waits).toEqual(waits);
});

test("a 429 halves the concurrency once for all requests sent before it; good replies raise it again", async () => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  const refused = { status: 429, headers: new Headers() };
  const good = { status: 200, headers: new Headers() };
  const turns = await Promise.all([1, 2, 3, 4].map(() => rate.enter("writes")));
  await clock.sleep(1_000);
  for (const turn of turns) {
    turn.reportReply(refused, 1_000);
    turn.leave();
  }
  expect(rate.bound).toBe(2);
  await clock.sleep(1_000);
  await use(rate, refused);
  expect(rate.bound).toBe(1);
  for (let round = 0; round < 50; round++) await use(rate, good);
  expect(rate.bound).toBe(8);
});

test("slower replies count as overload", async () => {
  const clock = fakeClock();
  const rate = new Rate(clock);
  await use(rate, window(90), 20);
  await clock.sleep(5_000);
  await use(rate, window(90), 500);
  expect(rate.bound).toBe(2);
});

test("waiting requests run in order, urgent ones first; an abort ends the wait", async () => {
  const rate = new Rate(fakeClock());
  const turns = await Promise.all([1, 2, 3, 4].map(() => rate.enter("writes")));
  const order: string[] = [];
  const stop = new AbortController();
  const waiting = [
    rate.enter("reads").then((turn) => [order.push("first"), turn.leave()]),
    rate.enter("reads", { signal: stop.signal }).then((turn) => [order.push("aborted"), turn.leave()]),
    rate.enter("reads", { urgent: true }).then((turn) => [order.push("urgent"), turn.leave()]),
  ];
  stop.abort();
  await waiting[1];
  turns[0]?.leave();
  await Promise.all(waiting);
  expect(order).toEqual(["aborted", "urgent", "first"]);
});

test("a client goes no faster than the rate limit headers allow", async () => {
  const clock = fakeClock();
  const headers = { "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "2", "Retry-After": "7" };
  const { send } = fakeSend(json(domain, 200, headers));
  const client = createClient({ baseUrl: "http://api", send, now: clock.now, sleep: clock.sleep });
  await client.getDomain({ domainId: 12 });
  await client.getDomain({ domainId: 12 });
  expect(clock.waits).toEqual([7_000]);
});
