import { expect, test } from "vitest";
import { executePlan } from "../../src/executor/apply.ts";
import { FakeApi } from "./fake-api.ts";
import { applied, byZone, planned } from "./run.ts";

/** Applies, and asks to stop as soon as a request goes out that fits. */
async function stopped(api: FakeApi, zones: Record<string, string>, when: RegExp) {
  const plan = await planned(api, zones);
  const stop = new AbortController();
  api.trouble = (line) => {
    if (when.test(line)) stop.abort();
    return undefined;
  };
  const events = await applied(api, plan, stop.signal);
  return { events, log: api.log };
}

test("an abort before the start writes nothing", async () => {
  const api = new FakeApi();
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  expect([await applied(api, plan, AbortSignal.abort()), api.log]).toEqual([[], []]);
});

test("finishes the current write and starts no other", async () => {
  const api = new FakeApi();
  api.add("example.com", [], { ttl_sec: 3600 });
  expect(await stopped(api, { "example.com": "a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1" }, /"b"/)).toEqual({
    events: [
      "example.com begun, 3 writes",
      "example.com written: create a A",
      "example.com written: create b A",
      "example.com stopped at 2 of 3",
    ],
    log: [
      'POST /domains/1/records {"type":"A","ttl_sec":0,"target":"192.0.2.1","name":"a"}',
      'POST /domains/1/records {"type":"A","ttl_sec":0,"target":"192.0.2.1","name":"b"}',
    ],
  });
});

test("finishes a started swap", async () => {
  const api = new FakeApi();
  api.add("example.com", ["CNAME b x.example.net"], { ttl_sec: 3600 });
  expect(await stopped(api, { "example.com": "a A 192.0.2.1\nb A 192.0.2.1\nb A 192.0.2.2" }, /^DELETE/)).toMatchObject(
    {
      events: [
        "example.com begun, 4 writes",
        "example.com written: create a A",
        "example.com written: delete b CNAME",
        "example.com written: create b A",
        "example.com written: create b A",
        "example.com done",
      ],
    },
  );
});

test("does not activate a zone that is being filled; the next run finishes it", async () => {
  const api = new FakeApi();
  const zones = { "example.com": "a A 192.0.2.1\nb A 192.0.2.1" };
  const { events } = await stopped(api, zones, /^POST .*records/);
  expect(events).toEqual([
    "example.com begun, 4 writes",
    "example.com created as 1",
    "example.com written: create a A",
    "example.com stopped at 2 of 4",
  ]);
  expect(api.domains.get(1)?.status).toBe("disabled");
  api.trouble = () => undefined;
  expect(await applied(api, await planned(api, zones))).toEqual([
    "example.com begun, 2 writes",
    "example.com written: create b A",
    "example.com written: status",
    "example.com done",
  ]);
  expect(api.domains.get(1)?.status).toBe("active");
});

test("does not start a write of settings either", async () => {
  const api = new FakeApi();
  api.add("example.com");
  expect(await stopped(api, { "example.com": "a A 192.0.2.1" }, /^POST/)).toMatchObject({
    events: ["example.com begun, 2 writes", "example.com written: create a A", "example.com stopped at 1 of 2"],
  });
});

test("with many zones, those running stop and the others do not start", async () => {
  const api = new FakeApi();
  const numbers = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, "0"));
  const zones = Object.fromEntries(numbers.map((number) => [`z${number}.example`, "a A 192.0.2.1"]));
  const { events, log } = await stopped(api, zones, /"domain":"z01/);
  // The runtime decides how many of the eight had begun by then. None of them may stay unfinished, and no other
  // begins.
  const begun = numbers.slice(0, log.length);
  expect(begun).toContain("01");
  expect(byZone(events)).toEqual(
    begun.flatMap((number) => [
      `z${number}.example begun, 3 writes`,
      `z${number}.example created as ${Number(number)}`,
      `z${number}.example stopped at 1 of 3`,
    ]),
  );
  expect(log.length).toBeLessThanOrEqual(8);
});

test("a reader that stops iterating stops the run after the current writes", async () => {
  const api = new FakeApi();
  api.add("example.com", [], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1" });
  api.pace = turn;
  for await (const event of executePlan(plan, api.target, { atOnce: 1 })) if (event.kind === "record-written") break;
  expect(api.show(1)).toEqual(["A a 192.0.2.1", "A b 192.0.2.1"]);
  await turn();
  await turn();
  expect(api.show(1)).toEqual(["A a 192.0.2.1", "A b 192.0.2.1"]);
});

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
