import { expect, test } from "vitest";
import { readLive } from "../../src/targets/read-live.ts";
import { plan } from "../planner/plan-now.ts";
import { desiredOf } from "../planner/world.ts";
import { broken, FakeApi, refused, type Trouble } from "./fake-api.ts";
import { applied } from "./run.ts";

/** One zone in git, which pointed into the other one, that is to go. */
async function run(trouble: Trouble, edit: (api: FakeApi) => void = () => {}) {
  const api = new FakeApi();
  api.add("example.com", ["CNAME www www.example.org"], { ttl_sec: 3600 });
  const going = api.add("example.org", ["A www 192.0.2.1"], { ttl_sec: 3600 });
  const live = await readLive(api.target.read, () => true);
  const deletions = [...live.zones.values()].filter(({ id }) => id === going);
  const made = plan([desiredOf("www CNAME www.example.net.", "example.com.")], live.zones, { deletions });
  edit(api);
  api.log.length = 0;
  api.trouble = trouble;
  const events = await applied(api, made);
  const writes = api.log.map((line) => line.split(" ").slice(0, 2).join(" "));
  return { events: events.filter((line) => line.startsWith("example.org")), writes, isThere: api.domains.has(going) };
}

const [pointer, deletion] = ["PUT /domains/1/records/2", "DELETE /domains/3"];
const begun = "example.org begun, 1 writes";
const gone = [begun, "example.org deleted, it was 3", "example.org done"];
const once =
  (when: RegExp, ...replies: ReturnType<Trouble>[]): Trouble =>
  (line) =>
    when.test(line) ? replies.shift() : undefined;

test("deletes a domain last", async () => {
  expect(await run(() => undefined)).toEqual({ events: gone, writes: [pointer, deletion], isThere: false });
});

test("lost reply: checks the outcome, and 404 is success", async () => {
  const { events, isThere } = await run(once(/^DELETE/, { ...broken, afterwards: true }));
  expect({ end: events.at(-1), isThere }).toEqual({ end: "example.org done", isThere: false });
});

test("lost reply without effect: sends the write again", async () => {
  const { events, isThere } = await run(once(/^DELETE/, broken, broken));
  expect({ end: events.at(-1), isThere }).toEqual({ end: "example.org done", isThere: false });
});

test("refused: keeps the domain and reports it", async () => {
  const { events, isThere } = await run(once(/^DELETE/, refused("No")));
  expect({ events, isThere }).toEqual({
    events: [begun, "example.org failed at 0 of 1: DELETE /v4/domains/3: 400 No"],
    isThere: true,
  });
});

test("does not start while a pointer into the domain remains", async () => {
  const { events, writes, isThere } = await run(once(/^PUT/, refused("No")));
  expect({ events, writes, isThere }).toEqual({
    events: [
      begun,
      "example.org failed at 0 of 1: the domain was not deleted: it is deleted only after all other changes of the plan succeeded",
    ],
    writes: [pointer],
    isThere: true,
  });
});

test("keeps a domain that was edited after planning", async () => {
  const { events, writes } = await run(
    () => undefined,
    (api) => [...(api.records.get(3)?.values() ?? [])].map((record) => Object.assign(record, { target: "192.0.2.9" })),
  );
  expect({ events, writes }).toEqual({
    events: [
      begun,
      "example.org failed at 0 of 1: example.org, which the plan deletes, was changed or deleted by someone else after the plan was made",
    ],
    writes: [pointer],
  });
});

test("already deleted: succeeds without a request", async () => {
  const { events, writes } = await run(
    () => undefined,
    (api) => {
      api.domains.delete(3);
      api.records.delete(3);
    },
  );
  expect({ events, writes }).toEqual({ events: gone, writes: [pointer] });
});

test.each<[string, Trouble, string[]]>([
  [
    "one fails: the next one is still deleted",
    once(/^DELETE .domains.1$/, refused("No")),
    [
      "a.example begun, 1 writes",
      "a.example failed at 0 of 1: DELETE /v4/domains/1: 400 No",
      "b.example begun, 1 writes",
      "b.example deleted, it was 2",
      "b.example done",
    ],
  ],
  [
    "maintenance: the next one is not started",
    once(/^DELETE .domains.1$/, { status: 503, body: {}, headers: { "X-Maintenance-Mode": "1" } }),
    [
      "a.example begun, 1 writes",
      "a.example failed at 0 of 1: DELETE /v4/domains/1: 503 Under maintenance. Nothing was changed. Try again later.",
    ],
  ],
  [
    "maintenance from the start: none is started",
    once(/^POST/, { status: 503, body: {}, headers: { "X-Maintenance-Mode": "1" } }),
    [
      "c.example begun, 1 writes",
      "c.example failed at 0 of 1: POST /v4/domains/3/records: 503 Under maintenance. Nothing was changed. Try again later.",
    ],
  ],
])("deletes two domains: %s", async (_, trouble, lines) => {
  const api = new FakeApi();
  for (const name of ["a.example", "b.example", "c.example"]) api.add(name, [], { ttl_sec: 3600 });
  const { zones } = await readLive(api.target.read, () => true);
  const going = [...zones.values()].filter(({ name }) => name !== "c.example.");
  const text = /POST/.test(lines.join()) ? "www A 192.0.2.1" : "";
  const made = plan([desiredOf(text, "c.example.")], zones, { deletions: going });
  api.trouble = trouble;
  expect(await applied(api, made)).toEqual(lines);
});
