import { expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { executePlan } from "../../src/executor/apply.ts";
import { broken, FakeApi, refused, type Trouble } from "./fake-api.ts";
import { applied, planned } from "./run.ts";

const cname = "CNAME shop shops.example.net";
const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
const once = (when: RegExp, what: ReturnType<Trouble>): Trouble => {
  let isDone = false;
  return (line) => {
    if (isDone || !when.test(line)) return undefined;
    isDone = true;
    return what;
  };
};

async function swapping(trouble: Trouble, desired = "shop A 192.0.2.1\nshop A 192.0.2.2", records = [cname]) {
  const api = new FakeApi();
  api.add("example.com", records, { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": desired });
  api.trouble = trouble;
  const events = await applied(api, plan);
  return { events: events.slice(1), stored: api.show(1) };
}

test("deletes first, then creates", async () => {
  expect(await swapping(() => undefined)).toEqual({
    events: [
      "example.com written: delete shop CNAME",
      "example.com written: create shop A",
      "example.com written: create shop A",
      "example.com done",
    ],
    stored: ["A shop 192.0.2.1", "A shop 192.0.2.2"],
  });
});

test("first write after the delete refused: restores the deleted record", async () => {
  expect(await swapping(once(/^POST/, refused("No A today", "target")))).toEqual({
    events: [
      "example.com written: delete shop CNAME",
      "example.com undone: delete shop CNAME",
      "example.com failed at 0 of 3: POST /v4/domains/1/records: 400 target: No A today",
    ],
    stored: [cname],
  });
});

test("later write refused: deletes the created records, then restores the deleted one", async () => {
  expect(await swapping(once(/^POST.*192.0.2.2/, refused("No second A")))).toEqual({
    events: [
      "example.com written: delete shop CNAME",
      "example.com written: create shop A",
      "example.com undone: create shop A",
      "example.com undone: delete shop CNAME",
      "example.com failed at 0 of 3: POST /v4/domains/1/records: 400 No second A",
    ],
    stored: [cname],
  });
});

test("delete refused: restores nothing", async () => {
  expect(await swapping(once(/^DELETE/, refused("Locked")))).toEqual({
    events: ["example.com failed at 0 of 3: DELETE /v4/domains/1/records/2: 400 Locked"],
    stored: [cname],
  });
});

test.each<[string, Trouble]>([
  ["it took effect and the reply was lost", once(/^DELETE/, { ...broken, afterwards: true })],
  ["it did not take effect", once(/^DELETE/, broken)],
  ["the connection broke", once(/^DELETE/, reset)],
])("unknown outcome of a delete: sends it again; %s", async (_, trouble) => {
  expect((await swapping(trouble)).stored).toEqual(["A shop 192.0.2.1", "A shop 192.0.2.2"]);
});

test("own delete with a lost reply: restores the record if the next write is refused", async () => {
  let deletes = 0;
  const { stored } = await swapping((line) => {
    if (line.startsWith("DELETE")) return deletes++ === 0 ? { ...broken, afterwards: true } : undefined;
    return line.includes("192.0.2.1") ? refused("No") : undefined;
  });
  expect(stored).toEqual([cname]);
});

test("retries a delete of unknown outcome for a minute", async () => {
  const api = new FakeApi();
  api.add("example.com", [cname], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "shop A 192.0.2.1" });
  api.trouble = (line) => (line.startsWith("DELETE") ? reset : undefined);
  expect((await applied(api, plan)).at(-1)).toMatch(
    /^example.com failed at 0 of 2: DELETE .v4.domains.1.records.2: the connection to http:..api was lost/,
  );
  expect(api.log).toEqual(new Array(8).fill("DELETE /domains/1/records/2"));
});

test("unknown outcome of a failed create: restores the deleted record and keeps the create open", async () => {
  const { events, stored } = await swapping(once(/^POST/, broken));
  expect(events).toEqual([
    "example.com written: delete shop CNAME",
    "example.com ambiguous: create shop",
    "example.com undone: delete shop CNAME",
    "example.com failed at 0 of 3: POST /v4/domains/1/records: 500 Internal error. It may have taken effect: check before sending it again.",
  ]);
  expect(stored).toEqual([cname]);
});

test("unknown outcome of a successful create: finds it and continues", async () => {
  const { events, stored } = await swapping(once(/^POST/, { ...broken, afterwards: true }), "shop A 192.0.2.1");
  expect(events).toEqual([
    "example.com written: delete shop CNAME",
    "example.com ambiguous: create shop",
    "example.com resolved: create shop done",
    "example.com written: create shop A",
    "example.com done",
  ]);
  expect(stored).toEqual(["A shop 192.0.2.1"]);
});

test("failed restore: reports the missing record and the remedy", async () => {
  const api = new FakeApi();
  api.add("example.com", [cname], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "shop A 192.0.2.1" });
  api.trouble = (line) => (line.startsWith("POST") ? refused("Read only") : undefined);
  const errors: unknown[] = [];
  for await (const event of executePlan(plan, api.target)) if (event.kind === "zone-failed") errors.push(event.error);
  expect(errors).toEqual([expect.any(ProblemError)]);
  expect((errors[0] as ProblemError).problems).toEqual([
    { id: "api/invalid", kind: "failed", severity: "error", summary: "POST /v4/domains/1/records: 400 Read only" },
    {
      id: "restore-failed",
      kind: "input",
      severity: "error",
      summary:
        "shop.example.com. CNAME shops.example.net. could not be restored: POST /v4/domains/1/records: 400 Read only",
      fix: "Continue the run as soon as possible: until then lookups of the name may fail.",
    },
  ]);
});

test("does not restore records that someone else had deleted", async () => {
  const api = new FakeApi();
  api.add("example.com", [cname], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "shop A 192.0.2.1" });
  api.records.get(1)?.clear();
  api.trouble = once(/^POST/, refused("No"));
  expect((await applied(api, plan)).at(-1)).toBe("example.com failed at 1 of 2: POST /v4/domains/1/records: 400 No");
  expect(api.show(1)).toEqual([]);
});

test("deleted records of the same name that are missing are not restored, the others are", async () => {
  const api = new FakeApi();
  api.add("example.com", ["A shop 192.0.2.1", "A shop 192.0.2.2"], { ttl_sec: 3600 });
  const plan = await planned(api, { "example.com": "shop CNAME shops.example.net." });
  api.records.get(1)?.delete(3);
  api.trouble = once(/^POST.*CNAME/, refused("No"));
  await applied(api, plan);
  expect(api.show(1)).toEqual(["A shop 192.0.2.1"]);
});

test("mail moves from two servers to none; a refusal at the end restores both", async () => {
  const records = ["MX @ mx1.example.net", "MX @ mx2.example.net"];
  expect(await swapping(once(/^PUT/, refused("No")), "@ MX 0 .", records)).toEqual({
    events: [
      "example.com written: delete @ MX",
      "example.com undone: delete @ MX",
      "example.com failed at 0 of 2: PUT /v4/domains/1/records/2: 400 No",
    ],
    stored: records,
  });
});

test("mail moves from none to two servers; a refusal at the second restores none", async () => {
  const { stored } = await swapping(once(/^POST/, refused("No")), "@ MX 0 mx1.a.example.\n@ MX 0 mx2.a.example.", [
    "MX @ ",
  ]);
  expect(stored).toEqual(["MX @ "]);
});
