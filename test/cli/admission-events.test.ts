import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { before } from "./reviewed.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const after = before
  .replace("192.0.2.10", "192.0.2.11")
  .replace("  old: { A: 192.0.2.44 }\n", "  new: { TXT: hello }\n")
  .replace("hostmaster@", "dns@");
const at = "at 2026-03-04T12:00:00";

/** A desk with the plan file and without the runs. */
function otherCheckout(desk: ApiDesk): void {
  rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
  desk.writes.length = 0;
}

async function planned(between?: (server: Server) => Server, options = "", env = {}): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": before }, between);
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", after);
  expect((await desk.run(`plan --out plan.json ${options}`, { env })).code).toBe(0);
  otherCheckout(desk);
  return desk;
}

async function idOf(desk: ApiDesk, name: string): Promise<number> {
  const { data } = await desk.call("GET", "/domains/1/records?page_size=500");
  return data.find((record: { name: string }) => record.name === name).id;
}

const records = "/domains/1/records";
const notes = (out: string) =>
  out.split("\n").filter((line) => line.startsWith("note") && !line.includes("plan.json approves"));

test("reports events since the plan in its own zone, not in other zones", async () => {
  const desk = await planned();
  await desk.call("POST", "/domains", { domain: "example.net", type: "master", soa_email: "a@example.net" });
  const { id } = await desk.call("POST", records, { type: "A", name: "lab", target: "192.0.2.99" });
  await desk.call("PUT", `${records}/${id}`, { name: "lab2" });
  await desk.call("DELETE", `${records}/${await idOf(desk, "api")}`);
  const { code, out } = await desk.run("apply plan.json --yes");
  expect({ code, notes: notes(out) }).toEqual({
    code: 0,
    notes: [
      `note  example.com was changed after the plan was made: admin created lab.example.com A ${at}, admin changed lab2.example.com A that was lab.example.com A ${at}, admin deleted api.example.com A ${at}`,
    ],
  });
});

test("reports only the newest of many events", async () => {
  const desk = await planned();
  for (let index = 0; index < 5; index++)
    await desk.call("POST", records, { type: "A", name: `n${index}`, target: "192.0.2.1" });
  expect(notes((await desk.run("apply plan.json --yes")).out)).toEqual([
    `note  example.com was changed after the plan was made: 2 earlier events, then admin created n2.example.com A ${at}, admin created n3.example.com A ${at}, admin created n4.example.com A ${at}`,
  ]);
});

test("a refusal names who made the change", async () => {
  const desk = await planned();
  await desk.call("PUT", `${records}/${await idOf(desk, "www")}`, { target: "192.0.2.99" });
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 4,
    out: "",
    talk: lines`
      error[plan-stale] www.example.com A: 192.0.2.99 with the zone's TTL was added after the plan was made
        Nothing was written. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.

      note[plan-events] example.com was changed after the plan was made: admin changed www.example.com A ${at}
    `,
  });
});

/** Changes that are made by hand and reverted, and the start of the refusal. */
test.each<[string, (desk: ApiDesk) => Promise<unknown>, string]>([
  [
    "a changed record",
    async (desk) => {
      const path = `${records}/${await idOf(desk, "www")}`;
      await desk.call("PUT", path, { target: "192.0.2.11" });
      await desk.call("PUT", path, { target: "192.0.2.10" });
    },
    `www.example.com A was changed after the plan was made and then changed back: admin changed www.example.com A ${at}, admin changed www.example.com A ${at}`,
  ],
  [
    "a created record",
    async (desk) => {
      const { id } = await desk.call("POST", records, { type: "TXT", name: "new", target: "hello" });
      await desk.call("DELETE", `${records}/${id}`);
    },
    `new.example.com TXT was changed after the plan was made and then changed back: admin created new.example.com TXT ${at}, admin deleted new.example.com TXT ${at}`,
  ],
  [
    "a deleted record",
    async (desk) => {
      await desk.call("DELETE", `${records}/${await idOf(desk, "old")}`);
      await desk.call("POST", records, { type: "A", name: "old", target: "192.0.2.44" });
    },
    `old.example.com A was changed after the plan was made and then changed back: admin deleted old.example.com A ${at}, admin created old.example.com A ${at}`,
  ],
  [
    "a record that had another name meanwhile",
    async (desk) => {
      const path = `${records}/${await idOf(desk, "old")}`;
      await desk.call("PUT", path, { name: "away" });
      await desk.call("PUT", path, { name: "old" });
    },
    `old.example.com A was changed after the plan was made and then changed back: admin changed away.example.com A that was old.example.com A ${at}, admin changed old.example.com A that was away.example.com A ${at}`,
  ],
  [
    "a setting",
    async (desk) => {
      await desk.call("PUT", "/domains/1", { soa_email: "dns@example.com" });
      await desk.call("PUT", "/domains/1", { soa_email: "hostmaster@example.com" });
    },
    `example.com soa_email was changed after the plan was made and then changed back: admin changed the settings ${at}, admin changed the settings ${at}`,
  ],
])("refuses %s", async (_, change, summary) => {
  const desk = await planned();
  await change(desk);
  desk.writes.length = 0;
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 4,
    out: "",
    talk: `error[plan-rolled-back] ${summary}\n  Nothing was written. Ask who reverted it and why. Make a new plan with \`zonewright plan --out FILE\`.\n`,
  });
  expect(desk.writes).toEqual([]);
  // The advice: a new plan is admitted.
  expect((await desk.run("plan --out plan.json")).code).toBe(0);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});

test.each(["undo", "by hand"])(
  "refuses a plan that was applied from another checkout and rolled back %s",
  async (how) => {
    const desk = await planned();
    expect((await desk.run("apply plan.json --yes")).code).toBe(0);
    if (how === "undo") {
      const [, run = ""] = /^(\S+)/m.exec((await desk.run("runs")).out) ?? [];
      expect((await desk.run(`undo ${run} --yes`)).code).toBe(0);
    } else {
      await desk.call("PUT", `${records}/${await idOf(desk, "www")}`, { target: "192.0.2.10" });
      await desk.call("DELETE", `${records}/${await idOf(desk, "new")}`);
      await desk.call("POST", records, { type: "A", name: "old", target: "192.0.2.44" });
      await desk.call("PUT", "/domains/1", { soa_email: "hostmaster@example.com" });
    }
    otherCheckout(desk);
    const { code, talk } = await desk.run("apply plan.json --yes");
    expect({ code, lines: talk.split("\n").filter((line) => line.startsWith("error")).length }).toEqual({
      code: 4,
      lines: 4,
    });
    expect(talk).toContain("error[plan-rolled-back] www.example.com A was changed after the plan was made");
    expect(desk.writes).toEqual([]);
  },
);

test("refuses when a new zone was created and deleted since the plan", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": before });
  await desk.run("plan --out plan.json");
  const { id } = await desk.call("POST", "/domains", {
    domain: "example.com",
    type: "master",
    soa_email: "a@example.com",
  });
  await desk.call("DELETE", `/domains/${id}`);
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect({ code, talk }).toEqual({
    code: 4,
    talk: `error[plan-rolled-back] the zone example.com was changed after the plan was made and then changed back: admin created the zone ${at}, admin deleted the zone ${at}\n  Nothing was written. Ask who reverted it and why. Make a new plan with \`zonewright plan --out FILE\`.\n`,
  });
});

test("continues a plan that was partly applied from this checkout, despite its own events in the log", async () => {
  let isBroken = true;
  const desk = await planned((server) => async (request, connection) => {
    const isPut = request.method === "PUT" && request.url.endsWith("/records/3");
    if (isPut && isBroken) return Response.json({ errors: [{ reason: "Not now" }] }, { status: 400 });
    return server(request, connection);
  });
  expect((await desk.run("apply plan.json --yes")).code).toBe(5);
  isBroken = false;
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});

describe("in a fresh checkout, after a run of an RRset that failed half-way", () => {
  const failed = async () => {
    let creates = 0;
    const desk = await apiDesk(
      { "zones/example.com.yaml": before },
      (server) => async (request, connection) =>
        request.method === "POST" && request.url.endsWith("/records") && ++creates === 5
          ? Response.json({ errors: [{ reason: "Not now" }] }, { status: 400 })
          : server(request, connection),
    );
    expect((await desk.run("apply --yes")).code).toBe(0);
    desk.write("zones/example.com.yaml", `${before}  lab: { A: [192.0.2.1, 192.0.2.2] }\n`);
    await desk.run("plan --out plan.json");
    expect((await desk.run("apply plan.json --yes")).code).toBe(5);
    otherCheckout(desk);
    return desk;
  };

  test.each(["apply plan.json"])("%s continues", async (command) => {
    const desk = await failed();
    expect((await desk.run(`${command} --yes`)).code).toBe(0);
    expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
  });

  test.each(["apply plan.json"])("%s refuses if it was reverted", async (command) => {
    const desk = await failed();
    await desk.call("DELETE", `${records}/${await idOf(desk, "lab")}`);
    const { code, talk } = await desk.run(`${command} --yes`);
    expect({ code, error: talk.split("\n")[0] }).toEqual({
      code: 4,
      error: `error[plan-rolled-back] lab.example.com A was changed after the plan was made and then changed back: admin created lab.example.com A ${at}, admin deleted lab.example.com A ${at}`,
    });
  });
});

/** Replies with which a service that does not tell its events may answer. */
const broken: [string, () => Response, string][] = [
  [
    "no such path",
    () => Response.json({ errors: [{ reason: "Not found" }] }, { status: 404 }),
    "this token cannot read events (scope events:read_only)",
  ],
  [
    "an internal error",
    () => Response.json({ errors: [{ reason: "Internal error" }] }, { status: 500 }),
    "the event log cannot be read: GET /v4/account/events: 500 Internal error",
  ],
  [
    "a reply that is not one",
    () => new Response("<h1>", { headers: { "content-type": "text/html" } }),
    "the event log cannot be read: GET /v4/account/events: 200 with a body (text/html) that is not the API's: <h1>",
  ],
  [
    "a refused filter",
    () => Response.json({ errors: [{ reason: "Cannot filter on id" }] }, { status: 400 }),
    "the event log cannot be read: GET /v4/account/events: 400 Cannot filter on id",
  ],
];

test.each(broken)("a plan file is refused, because it may have been used: %s", async (_, reply, why) => {
  let isBroken = false;
  const desk = await planned(
    (server) => (request, connection) =>
      isBroken && request.url.includes("/account/events") ? Promise.resolve(reply()) : server(request, connection),
  );
  isBroken = true;
  const refused = await desk.run("apply plan.json --yes");
  const [first] = refused.talk.split("\n");
  expect([refused.code, first, desk.writes]).toEqual([
    4,
    `error[plan-events] cannot tell whether plan.json was already used, or its changes reverted: ${why}`,
    [],
  ]);
  expect(refused.talk).toContain("Nothing was written. Make a new plan with `zonewright plan --out FILE`.");
  isBroken = false;
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});

test("a plan file is refused after more events than are read, and the advice helps", async () => {
  let isLong = true;
  const desk = await planned((server) => async (request, connection) => {
    const response = await server(request, connection);
    if (!isLong || !request.url.includes("/account/events")) return response;
    return Response.json({ ...((await response.json()) as object), pages: 21 });
  });
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, talk.split("\n")[0]?.split(": ")[1], desk.writes]).toEqual([4, "there are too many events", []]);
  isLong = false;
  expect((await desk.run("plan --out plan.json")).code).toBe(0);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});

test("a plan file is refused without the scope, at plan or apply, and the advice helps", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": before });
  const env = { ZONEWRIGHT_TOKEN: await desk.mint({ scopes: "domains:read_write account:read_only" }) };
  expect((await desk.run("plan --out plan.json", { env })).code).toBe(0);
  desk.writes.length = 0;
  for (const options of [{}, { env }]) expect((await desk.run("apply plan.json --yes", options)).code).toBe(4);
  expect((await desk.run("plan --out plan.json")).code).toBe(0);
  expect((await desk.run("apply plan.json --yes", { env })).code).toBe(4);
  expect(desk.writes).toEqual([]);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});

/** One event as another service may tell it. */
function events(...events: object[]): Response {
  const rest = {
    created: "2026-03-04T12:34:56",
    duration: null,
    secondary_entity: null,
    percent_complete: null,
    rate: null,
    read: false,
    seen: false,
    status: "finished",
    time_remaining: null,
  };
  const entity = { id: 1, type: "domain", label: "example.com", url: "/v4/domains/1" };
  const data = events.map((event, index) => ({
    id: 1000 - index,
    entity,
    message: null,
    username: "bob",
    ...rest,
    ...event,
  }));
  return Response.json({ data, page: 1, pages: 1, results: data.length });
}

test.each<[string, object[], number, string]>([
  [
    "terminal and CI control sequences are escaped",
    [{ action: "dns_record_delete", username: "e\u001b[2Jve\n::error::x", message: "A x\u202ey.example.com" }],
    0,
    "note  example.com was changed after the plan was made: e\\x1b[2Jve\\x0a::error::x deleted x\\226\\128\\174y.example.com A at 2026-03-04T12:34:56",
  ],
  [
    "a record that the log does not name, in an unchanged zone",
    [{ action: "dns_record_update" }, { action: "dns_record_update" }],
    4,
    "error[plan-rolled-back] the zone example.com was changed after the plan was made and then changed back: bob changed a record at 2026-03-04T12:34:56, bob changed a record at 2026-03-04T12:34:56",
  ],
  [
    "an unknown action",
    [{ action: "dns_zone_frozen" }],
    4,
    "error[plan-rolled-back] the zone example.com was changed after the plan was made and then changed back: bob dns_zone_frozen at 2026-03-04T12:34:56",
  ],
  [
    "a message without a record of the zone",
    [{ action: "dns_record_update", message: "A www.example.net" }],
    4,
    "error[plan-rolled-back] the zone example.com was changed",
  ],
])("another service's log: %s", async (_, told, code, text) => {
  let isTold = false;
  const desk = await planned(
    (server) => (request, connection) =>
      isTold && request.url.includes("/account/events")
        ? Promise.resolve(events(...told))
        : server(request, connection),
  );
  isTold = true;
  const result = await desk.run("apply plan.json --yes");
  expect(result.code).toBe(code);
  expect(result.out + result.talk).toContain(text);
});
