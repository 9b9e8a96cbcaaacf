import { expect, test } from "vitest";
import { broken, FakeApi, refused, type Trouble } from "./fake-api.ts";
import { applied, planned } from "./run.ts";

const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
const html = { status: 502, body: "<h1>Bad gateway</h1>" };
const after = (what: object) => ({ ...broken, ...what, afterwards: true });

/** A trouble for the first requests that fit, one after the other. */
const inTurn = (when: RegExp, ...troubles: ReturnType<Trouble>[]): Trouble => {
  return (line) => (when.test(line) ? troubles.shift() : undefined);
};

async function run(records: string[], desired: string, trouble: Trouble) {
  const api = new FakeApi();
  api.add("example.com", records, { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": desired });
  api.trouble = trouble;
  const begun = api.clock.now();
  const events = await applied(api, plan);
  const writes = api.log.map((line) => line.split(" ")[0]);
  const seconds = Math.round((api.clock.now() - begun) / 1000);
  return { end: events.at(-1)?.replace(/^example.com /, ""), stored: api.show(1), writes, seconds };
}

const www = ["A www 192.0.2.1"];

test.each<[string, Trouble, object]>([
  [
    "reset, and the write took effect",
    inTurn(/^POST/, after(html)),
    { end: "done", stored: www, writes: ["POST"], seconds: 0 },
  ],
  [
    "500, and the write took effect",
    inTurn(/^POST/, after({})),
    { end: "done", stored: www, writes: ["POST"], seconds: 0 },
  ],
  [
    "500 without effect: sent again after a minute",
    inTurn(/^POST/, broken),
    { end: "done", stored: www, writes: ["POST", "POST"], seconds: 60 },
  ],
  ["reset without effect", inTurn(/^POST/, reset), { end: "done", stored: www, writes: ["POST", "POST"], seconds: 60 }],
  [
    "502 with HTML, without effect",
    inTurn(/^POST/, html),
    { end: "done", stored: www, writes: ["POST", "POST"], seconds: 60 },
  ],
  [
    "lost twice, with effect the second time",
    inTurn(/^POST/, reset, after({})),
    { end: "done", stored: www, writes: ["POST", "POST"], seconds: 60 },
  ],
  [
    "429: sent again",
    inTurn(/^POST/, { status: 429, body: {} }),
    { end: "done", stored: www, writes: ["POST", "POST"], seconds: 0 },
  ],
  [
    "refused: the zone stops",
    inTurn(/^POST/, refused("No")),
    { end: "failed at 0 of 1: POST /v4/domains/1/records: 400 No", stored: [], writes: ["POST"], seconds: 0 },
  ],
])("POST: %s", async (_, trouble, expected) => {
  expect(await run([], "www A 192.0.2.1", trouble)).toEqual(expected);
});

test("POST: a conflict after a retry means that the first attempt succeeded", async () => {
  let posts = 0;
  let hidden = true;
  const nothing = { status: 200, body: { data: [], page: 1, pages: 1, results: 0 } };
  const trouble: Trouble = (line) => {
    if (line.startsWith("POST")) {
      if (posts++ === 0) return after({});
      hidden = false;
    }
    return hidden && line.startsWith("GET /domains/1/records") ? nothing : undefined;
  };
  const { end, stored, writes } = await run([], "www CNAME other.example.net.", trouble);
  expect({ end, stored, writes }).toEqual({
    end: "done",
    stored: ["CNAME www other.example.net"],
    writes: ["POST", "POST"],
  });
});

test.each<[string, Trouble, object]>([
  ["took effect", inTurn(/^PUT/, after({})), { end: "done", stored: ["A www 192.0.2.2"], writes: ["PUT"] }],
  ["did not take effect", inTurn(/^PUT/, reset), { end: "done", stored: ["A www 192.0.2.2"], writes: ["PUT", "PUT"] }],
  [
    "lost three times",
    inTurn(/^PUT/, reset, broken, html),
    { end: "done", stored: ["A www 192.0.2.2"], writes: ["PUT", "PUT", "PUT", "PUT"] },
  ],
])("PUT: %s", async (_, trouble, expected) => {
  expect(await run(www, "www A 192.0.2.2", trouble)).toMatchObject(expected);
});

test.each<[string, Trouble, object]>([
  ["took effect", inTurn(/^DELETE/, after({})), { end: "done", stored: [], writes: ["DELETE"] }],
  ["did not take effect", inTurn(/^DELETE/, reset), { end: "done", stored: [], writes: ["DELETE", "DELETE"] }],
  [
    "gone already",
    inTurn(/^DELETE/, { status: 404, body: { errors: [{ reason: "Not found" }] }, afterwards: true }),
    { end: "done", stored: [], writes: ["DELETE"] },
  ],
])("DELETE: %s", async (_, trouble, expected) => {
  expect(await run(www, "", trouble)).toMatchObject(expected);
});

/** Another client writes when the run sends a request. */
async function edited(when: RegExp, edit: (api: FakeApi) => void, desired: string, records = www) {
  const api = new FakeApi();
  api.add("example.com", records, { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": desired });
  let isDone = false;
  api.trouble = (line) => {
    if (!isDone && when.test(line)) {
      isDone = true;
      edit(api);
    }
    return undefined;
  };
  return { end: (await applied(api, plan)).at(-1)?.replace(/^example.com /, ""), stored: api.show(1), writes: api.log };
}

const setWww = (api: FakeApi) => Object.assign(api.records.get(1)?.get(2) ?? {}, { target: "192.0.2.66" });
const changed = "www.example.com. A 192.0.2.1 was changed or deleted by someone else after the plan was made";

test.each([
  ["before the zone is read", /^GET .domains.1$/, "www A 192.0.2.2"],
  ["right before a PUT", /^GET .domains.1.records.2$/, "www A 192.0.2.2"],
  ["before a DELETE", /^GET .domains.1.records.2$/, ""],
  ["before a swap", /^GET .domains.1.records.2$/, "www CNAME other.example.net."],
])("keeps writes of others: %s", async (_, when, desired) => {
  expect(await edited(when, setWww, desired)).toEqual({
    end: `failed at 0 of ${desired.includes("CNAME") ? 2 : 1}: ${changed}`,
    stored: ["A www 192.0.2.66"],
    writes: [],
  });
});

test("counts planned changes that others made as done", async () => {
  const done = (api: FakeApi) => {
    api.records.get(1)?.delete(2);
    const record = { ...api.records.get(1)?.get(3), id: 99, name: "new", target: "192.0.2.7" };
    api.records.get(1)?.set(99, record as never);
  };
  const records = ["A www 192.0.2.1", "A kept 192.0.2.1"];
  expect(await edited(/^GET .domains.1$/, done, "kept A 192.0.2.1\nnew A 192.0.2.7", records)).toEqual({
    end: "done",
    stored: ["A kept 192.0.2.1", "A new 192.0.2.7"],
    writes: [],
  });
});

test("maintenance stops the whole run", async () => {
  const api = new FakeApi();
  for (const name of ["a.example", "b.example"]) api.add(name, [], { ttl_sec: 3600 });
  const plan = await planned(api, { "a.example": "x A 192.0.2.1\ny A 192.0.2.1", "b.example": "x A 192.0.2.1" });
  api.trouble = (line) =>
    line.startsWith("POST") ? { status: 503, body: {}, headers: { "X-Maintenance-Mode": "1" } } : undefined;
  expect(await applied(api, plan)).toEqual([
    "a.example begun, 2 writes",
    "a.example failed at 0 of 2: POST /v4/domains/1/records: 503 Under maintenance. Nothing was changed. Try again later.",
  ]);
});

test.each<[string, Trouble]>([
  ["took effect", inTurn(/^POST/, after({}))],
  ["did not take effect", inTurn(/^POST/, reset)],
])("a new zone with unknown outcome: %s", async (_, trouble) => {
  const api = new FakeApi();
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  api.trouble = trouble;
  expect((await applied(api, plan)).at(-1)).toBe("example.com done");
  expect([api.domains.size, api.domains.get(1)?.status, api.show(1)]).toEqual([1, "active", www]);
});

test("a new zone that appears late: the second creation is refused, and the zone is found", async () => {
  const api = new FakeApi();
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  let posts = 0;
  api.trouble = (line) => {
    if (/^POST .domains /.test(line) && posts++ === 0) return after({});
    const nothing = { status: 200, body: { data: [], page: 1, pages: 1, results: 0 } };
    return posts === 1 && line === "GET /domains" ? nothing : undefined;
  };
  expect(await applied(api, plan)).toEqual([
    "example.com begun, 3 writes",
    "example.com ambiguous: zone",
    "example.com resolved: zone not done",
    "example.com created as 1",
    "example.com written: create www A",
    "example.com written: status",
    "example.com done",
  ]);
  expect([api.domains.size, posts]).toEqual([1, 2]);
});

test("keeps a new zone that someone else created meanwhile", async () => {
  const api = new FakeApi();
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  let posts = 0;
  api.trouble = (line) => {
    if (!line.startsWith("POST") || posts++ > 0) return undefined;
    api.add("example.com", ["A theirs 192.0.2.1"]);
    return reset;
  };
  expect((await applied(api, plan)).at(-1)).toBe(
    "example.com failed at 0 of 3: example.com was created by someone else after the plan was made, as domain 1",
  );
});

test("skips and reports writes that depend on a failed zone", async () => {
  const api = new FakeApi();
  for (const name of ["a.example", "b.example"]) api.add(name, [], { ttl_sec: 3600 });
  const plan = await planned(api, {
    "a.example": "www CNAME host.b.example.\nfree A 192.0.2.1",
    "b.example": "host A 192.0.2.1",
  });
  api.trouble = (line) => (/^POST .*host/.test(line) && !line.includes("CNAME") ? refused("No") : undefined);
  expect((await applied(api, plan)).filter((line) => line.includes("failed")).sort()).toEqual([
    "a.example failed at 1 of 2: skipped 1 write: it depends on b.example, which failed",
    "b.example failed at 0 of 1: POST /v4/domains/2/records: 400 No",
  ]);
});
