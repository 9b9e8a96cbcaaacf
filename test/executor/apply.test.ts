import { expect, test } from "vitest";
import { countWrites } from "../../src/executor/journal/writes.ts";
import { desiredOf } from "../planner/world.ts";
import { FakeApi, refused } from "./fake-api.ts";
import { applied, byZone, planned } from "./run.ts";

test("creates a new zone disabled, fills it, activates it", async () => {
  const api = new FakeApi();
  const text = "www 300 A 192.0.2.1\n@ MX 10 mail.example.net.\n;@ tags: shop, europe\n;@ axfr_ips: 192.0.2.53";
  const plan = await planned(api, { "example.com": text });
  expect(await applied(api, plan)).toEqual([
    "example.com begun, 4 writes",
    "example.com created as 1",
    "example.com written: create www A",
    "example.com written: create @ MX",
    "example.com written: status",
    "example.com done",
  ]);
  expect(api.log).toEqual([
    'POST /domains {"ttl_sec":3600,"soa_email":"ops@example.com","type":"master","tags":["shop","europe"],"axfr_ips":["192.0.2.53"],"domain":"example.com","status":"disabled"}',
    'POST /domains/1/records {"type":"A","ttl_sec":300,"target":"192.0.2.1","name":"www"}',
    'POST /domains/1/records {"type":"MX","ttl_sec":0,"priority":10,"target":"mail.example.net","name":""}',
    'PUT /domains/1 {"status":"active"}',
  ]);
  expect(await planned(api, { "example.com": text })).toMatchObject({ zones: [], inSync: 1 });
});

test("keeps a new disabled zone disabled", async () => {
  const api = new FakeApi();
  const plan = await planned(api, { "example.com": "www A 192.0.2.1\n;@ status: disabled" });
  expect(await applied(api, plan)).toEqual([
    "example.com begun, 2 writes",
    "example.com created as 1",
    "example.com written: create www A",
    "example.com done",
  ]);
  expect(api.domains.get(1)?.status).toBe("disabled");
});

test("an update keeps the record's id and resets omitted fields", async () => {
  const api = new FakeApi();
  api.add("example.com", ["A www 192.0.2.1"]);
  await applied(api, await planned(api, { "example.com": "www A 192.0.2.9" }));
  expect(api.log).toEqual([
    'PUT /domains/1/records/2 {"type":"A","ttl_sec":0,"target":"192.0.2.9","name":"www"}',
    'PUT /domains/1 {"ttl_sec":3600}',
  ]);
  expect([...(api.records.get(1)?.keys() ?? [])]).toEqual([2]);
});

test("writes settings last", async () => {
  const api = new FakeApi();
  api.add("example.com", ["A old 192.0.2.1"], { status: "disabled" });
  const plan = await planned(api, { "example.com": "www A 192.0.2.1\n;@ status: active\n;@ tags: new" });
  expect(await applied(api, plan)).toEqual([
    "example.com begun, 3 writes",
    "example.com written: create www A",
    "example.com written: delete old A",
    "example.com written: status, tags, ttl_sec",
    "example.com done",
  ]);
});

test("turns a slave into a master first, because slaves refuse records, but serves it last", async () => {
  const api = new FakeApi();
  api.add("example.com", [], { type: "slave", master_ips: ["192.0.2.53"], status: "disabled" });
  const plan = await planned(api, { "example.com": "www A 192.0.2.1\n;@ type: master\n;@ status: active" });
  expect(await applied(api, plan)).toEqual([
    "example.com begun, 3 writes",
    "example.com written: ttl_sec, type",
    "example.com written: create www A",
    "example.com written: status",
    "example.com done",
  ]);
});

test("turns a master into a slave in one write; its records come from the new master", async () => {
  const api = new FakeApi();
  api.add("example.com", ["A www 192.0.2.1"]);
  const slave = desiredOf(";@ type: slave\n;@ master_ips: 192.0.2.53");
  expect(await applied(api, await planned(api, { "example.com": slave }))).toEqual([
    "example.com begun, 1 writes",
    "example.com written: master_ips, ttl_sec, type",
    "example.com done",
  ]);
  expect(api.show(1)).toEqual(["A www 192.0.2.1"]);
});

test("writes nothing for an empty plan", async () => {
  const api = new FakeApi();
  api.add("example.com", ["A www 192.0.2.1"], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  expect([await applied(api, plan), api.log]).toEqual([[], []]);
});

test("a failure stops only its zone, and the zone's progress is reported", async () => {
  const api = new FakeApi();
  for (const name of ["a", "b", "c"]) api.add(`${name}.example`);
  const plan = await planned(api, {
    "a.example": "x A 192.0.2.1\ny A 192.0.2.1",
    "b.example": "x A 192.0.2.1\ny A 192.0.2.1\nz A 192.0.2.1",
    "c.example": "x A 192.0.2.1",
  });
  api.trouble = (line) => (/^POST .*2.records .*"y"/.test(line) ? refused("Out of order", "name") : undefined);
  const events = await applied(api, plan);
  expect(byZone(events)).toEqual([
    "a.example begun, 3 writes",
    "a.example written: create x A",
    "a.example written: create y A",
    "a.example written: ttl_sec",
    "a.example done",
    "b.example begun, 4 writes",
    "b.example written: create x A",
    "b.example failed at 1 of 4: POST /v4/domains/2/records: 400 name: Out of order",
    "c.example begun, 2 writes",
    "c.example written: create x A",
    "c.example written: ttl_sec",
    "c.example done",
  ]);
  expect(api.show(2)).toEqual(["A x 192.0.2.1"]);
});

test("creates the other zones if one cannot be created", async () => {
  const api = new FakeApi();
  api.trouble = (line) => (line.includes("taken") ? refused("DNS zone already exists.", "domain") : undefined);
  const events = await applied(api, await planned(api, { "free.example": "", "taken.example": "" }));
  expect(byZone(events.map((line) => line.replace(/ zone already exists.*/, " …")))).toEqual([
    "free.example begun, 2 writes",
    "free.example created as 1",
    "free.example written: status",
    "free.example done",
    "taken.example begun, 2 writes",
    "taken.example failed at 0 of 2: POST /v4/domains: 400 domain: DNS …",
  ]);
  expect([...api.domains.values()].map(({ domain, status }) => [domain, status])).toEqual([["free.example", "active"]]);
});

test("counts a missing record as deleted", async () => {
  const api = new FakeApi();
  api.add("example.com", ["A www 192.0.2.1", "A old 192.0.2.2"], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  api.records.get(1)?.delete(3);
  expect(await applied(api, plan)).toEqual([
    "example.com begun, 1 writes",
    "example.com written: delete old A",
    "example.com done",
  ]);
});

test("reports differences found after writing", async () => {
  const api = new FakeApi();
  api.add("example.com", [], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  api.trouble = (line) => {
    for (const record of line.startsWith("GET") ? (api.records.get(1)?.values() ?? []) : [])
      record.target = "192.0.2.66";
    return undefined;
  };
  expect(await applied(api, plan)).toEqual([
    "example.com begun, 1 writes",
    "example.com written: create www A",
    "example.com done, left: ~ www A 192.0.2.66 -> www A 192.0.2.1",
  ]);
});

test("a zone that cannot be read back has failed, even if all writes succeeded", async () => {
  const api = new FakeApi();
  api.add("example.com", [], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "www A 192.0.2.1" });
  api.trouble = (line) => (line.startsWith("GET") && api.log.length > 0 ? refused("Unauthorized") : undefined);
  expect(await applied(api, plan)).toEqual([
    "example.com begun, 1 writes",
    "example.com written: create www A",
    "example.com failed at 1 of 1: GET /v4/domains/1: 400 Unauthorized",
  ]);
});

test("announces the number of writes before the first", async () => {
  const api = new FakeApi();
  api.add("slave.example", [], { type: "slave", status: "disabled" });
  api.add("same.example", ["A www 192.0.2.1"], { ttl_sec: 3600 });
  const zones = {
    "new.example": "www A 192.0.2.1",
    "same.example": "www A 192.0.2.1",
    "slave.example": "www A 192.0.2.1\n;@ type: master\n;@ status: active",
  };
  const plan = await planned(api, zones);
  expect(plan.zones.map((zone) => [zone.zone.name, countWrites(zone)])).toEqual([
    ["new.example.", 3],
    ["slave.example.", 3],
  ]);
  await applied(api, plan);
  expect(api.log.length).toBe(6);
});
