import { expect, test } from "vitest";
import { FakeApi, refused } from "./fake-api.ts";
import { applied, planned } from "./run.ts";

/** A wildcard whose names a new zone takes over, and a pointer to one of them that it does not have. */
async function takenOver(api: FakeApi) {
  api.add("example.com", ["A * 192.0.2.9", "CNAME www a.lab.example.com"], { ttl_sec: 3600 });
  return planned(api, { "example.com": "* A 192.0.2.9\nwww CNAME b", "lab.example.com": "@ A 192.0.2.1" });
}

/** A zone that is to be disabled, and a pointer into it from one that comes later by its name. */
async function disabled(api: FakeApi) {
  api.add("a.example", ["A host 192.0.2.1"], { ttl_sec: 3600 });
  api.add("b.example", ["CNAME www host.a.example"], { ttl_sec: 3600 });
  return planned(api, {
    "a.example": ";@ status: disabled\nhost A 192.0.2.2",
    "b.example": "www CNAME host.example.net.",
  });
}

test.each<[string, (api: FakeApi) => ReturnType<typeof planned>, string[]]>([
  [
    "a new zone is activated once no record points to names it lacks",
    takenOver,
    [
      'PUT /domains/1/records/3 {"type":"CNAME","ttl_sec":0,"target":',
      'POST /domains {"ttl_sec":3600,"soa_email":"ops@example.com","t',
      'POST /domains/4/records {"type":"A","ttl_sec":0,"target":"192.',
      'PUT /domains/4 {"status":"active"}',
    ],
  ],
  [
    "a zone is disabled once no record points into it; then its records change",
    disabled,
    [
      'PUT /domains/3/records/4 {"type":"CNAME","ttl_sec":0,"target":',
      'PUT /domains/1 {"status":"disabled"}',
      'PUT /domains/1/records/2 {"type":"A","ttl_sec":0,"target":"192',
    ],
  ],
])("%s", async (_, made, writes) => {
  const api = new FakeApi();
  const plan = await made(api);
  await applied(api, plan);
  expect(api.log.map((line) => line.slice(0, 62))).toEqual(writes);
});

test.each<[string, (api: FakeApi) => ReturnType<typeof planned>, string[]]>([
  [
    "a new zone is not activated while a record points to names it lacks",
    takenOver,
    [
      "example.com begun, 1 writes",
      "example.com failed at 0 of 1: PUT /v4/domains/1/records/3: 400 No",
      "lab.example.com begun, 3 writes",
      "lab.example.com created as 4",
      "lab.example.com written: create @ A",
      "lab.example.com failed at 2 of 3: skipped 1 write: it depends on example.com, which failed",
    ],
  ],
  [
    "a zone is not disabled while a record points into it",
    disabled,
    [
      "b.example begun, 1 writes",
      "b.example failed at 0 of 1: PUT /v4/domains/3/records/4: 400 No",
      "a.example begun, 2 writes",
      "a.example failed at 0 of 2: skipped 2 writes: they depend on b.example, which failed",
    ],
  ],
])("%s", async (_, made, lines) => {
  const api = new FakeApi();
  const plan = await made(api);
  api.trouble = (line) => (line.includes("www") ? refused("No") : undefined);
  expect(await applied(api, plan)).toEqual(lines);
});
