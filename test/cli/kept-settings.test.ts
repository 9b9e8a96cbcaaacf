import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { type ApiDesk, apiDesk } from "./run.ts";

const zone = (settings: string, records = '"@": { A: 192.0.2.1 }') =>
  `soa_email: h@a.test\n${settings}records: { ${records} }\n`;

/** An account with the domain `a.test`, and the domain's settings and records. */
async function deskWith(domain: object, files: Record<string, string>) {
  const desk = await apiDesk(files);
  const { id } = await desk.call("POST", "/domains", { domain: "a.test", soa_email: "h@a.test", ...domain });
  return { desk, state: () => stateOf(desk, id) };
}

async function stateOf(desk: ApiDesk, id: number) {
  const { type, status, description } = await desk.call("GET", `/domains/${id}`);
  const { data } = await desk.call("GET", `/domains/${id}/records`);
  return [type, status, description, data.length];
}

const slave = { type: "slave", master_ips: ["192.0.2.53"] };

test.each([
  [
    "a YAML file",
    "zones/a.test.yaml",
    zone(""),
    ["  zones/a.test.yaml:1:1", "    1 | soa_email: h@a.test", "      | ^"],
    '`type: slave` and `master_ips: ["192.0.2.53"]`,',
    "`type: master`",
  ],
  [
    "a BIND file",
    "zones/a.test.zone",
    "$TTL 1h\n@ SOA ns.a.test. h.a.test. 1 1h 1h 1w 1h\nwww A 192.0.2.1\n",
    ["  zones/a.test.zone:2:1", "    2 | @ SOA ns.a.test. h.a.test. 1 1h 1h 1w 1h", `      | ${"^".repeat(40)}`],
    '`;@ type: slave` and `;@ master_ips: ["192.0.2.53"]`,',
    "`;@ type: master`",
  ],
])("%s with records and no type is no plan for a secondary zone", async (_, file, text, frame, keep, replace) => {
  const { desk, state } = await deskWith(slave, { [file]: text });
  const planned = await desk.run("plan");
  expect([planned.code, planned.out, planned.talk]).toEqual([
    3,
    "",
    [
      "error[zone-type] a.test is a secondary zone in the account, and its file has records but no type",
      ...frame,
      `  To keep it, write ${keep} and remove the records. To serve the records of the file instead, write ${replace}.`,
      "",
    ].join("\n"),
  ]);
  expect((await desk.run("apply --yes")).code).toBe(3);
  expect(await state()).toEqual(["slave", "active", "", 0]);
});

test("both forms of the advice lead to an empty plan", async () => {
  const { desk, state } = await deskWith(slave, {
    "zones/a.test.yaml": "type: slave\nmaster_ips: [192.0.2.53]\n",
  });
  expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
  desk.write("zones/a.test.yaml", zone("type: master\n"));
  const blocked = await desk.run("apply --yes");
  expect([blocked.code, blocked.out]).toEqual([
    3,
    expect.stringContaining("replaces the records that the zone transfers with its own"),
  ]);
  expect(await state()).toEqual(["slave", "active", "", 0]);
  expect((await desk.run("apply --yes --allow G06")).code).toBe(0);
  expect(await state()).toEqual(["master", "active", "", 1]);
  expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
});

test("a file of settings alone keeps a secondary zone", async () => {
  const { desk, state } = await deskWith(slave, {
    "zones/a.test.yaml": "soa_email: h@a.test\ndescription: shop\nrecords: {}\n",
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect(await state()).toEqual(["slave", "active", "shop", 0]);
});

test("--skip-invalid leaves the zone out", async () => {
  const { desk, state } = await deskWith(slave, {
    "zones/a.test.yaml": zone(""),
    "zones/b.test.yaml": "soa_email: h@b.test\nrecords: { www: { A: 192.0.2.2 } }\n",
  });
  const { code, out } = await desk.run("apply --yes --skip-invalid");
  expect([code, out.match(/^warning.*/gm)]).toEqual([
    5,
    ["warning  a.test is left out: zones/a.test.yaml does not say its type  zones/a.test.yaml:1"],
  ]);
  expect(await state()).toEqual(["slave", "active", "", 0]);
});

test("a zone that a complete run created disabled stays so when its file no longer says it", async () => {
  const desk = await apiDesk({ "zones/a.test.yaml": zone("status: disabled\n") });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/a.test.yaml", zone(""));
  const { code, out } = await desk.run("plan --detailed-exitcode");
  expect([code, out.match(/^warning.*/gm)]).toEqual([
    0,
    ["warning  a.test is disabled, and stays so: its file does not state a status  zones/a.test.yaml:1"],
  ]);
});

test("a status that is stated needs an approval without a journal of the creation", async () => {
  const { desk } = await deskWith(
    { type: "master", status: "disabled" },
    { "zones/a.test.yaml": zone("status: active\n") },
  );
  expect((await desk.run("apply --yes")).out).toContain("blocked by G06 (domain): a.test: serves the zone again");
});

test("a disabled zone gets its records and stays disabled; the plan says so until the file states a status", async () => {
  const { desk, state } = await deskWith({ type: "master", status: "disabled" }, { "zones/a.test.yaml": zone("") });
  // Someone enabled and disabled it, so its creation is not unfinished.
  await desk.call("PUT", "/domains/1", { status: "active" });
  await desk.call("PUT", "/domains/1", { status: "disabled" });
  const note = "warning  a.test is disabled, and stays so: its file does not state a status  zones/a.test.yaml:1";
  const first = await desk.run("apply --yes");
  expect([first.code, first.out.match(/^warning.*/gm)]).toEqual([0, [note]]);
  expect(await state()).toEqual(["master", "disabled", "", 1]);
  const second = await desk.run("plan --detailed-exitcode");
  expect([second.code, second.out.match(/^warning.*/gm)]).toEqual([0, [note]]);
  desk.write("zones/a.test.yaml", zone("status: disabled\n"));
  expect((await desk.run("plan --detailed-exitcode")).out).not.toContain("warning");
  desk.write("zones/a.test.yaml", zone("status: active\n"));
  expect((await desk.run("apply --yes")).out).toContain("blocked by G06 (domain): a.test: serves the zone again");
  expect((await desk.run("apply --yes --allow G06")).code).toBe(0);
  expect(await state()).toEqual(["master", "active", "", 1]);
});

test("an undo serves a zone that its run disabled without another approval", async () => {
  const { desk, state } = await deskWith({ type: "master" }, { "zones/a.test.yaml": zone("status: disabled\n") });
  expect((await desk.run("apply --yes --allow G06")).code).toBe(0);
  expect(await state()).toEqual(["master", "disabled", "", 1]);
  desk.waited += 1_000;
  expect(await desk.run("undo last --yes --allow G03")).toMatchObject({ code: 0 });
  expect(await state()).toEqual(["master", "active", "", 0]);
});

test.each([
  ["with its journal", false],
  ["on another machine, by the event log", true],
])("a creation that was interrupted is completed %s", async (_, isElsewhere) => {
  let isDown = false;
  const between =
    (server: Server): Server =>
    async (request, connection) =>
      isDown && request.method === "POST" && /records$/.test(new URL(request.url).pathname)
        ? new Response(JSON.stringify({ errors: [{ reason: "No" }] }), { status: 400 })
        : server(request, connection);
  const desk = await apiDesk({ "zones/a.test.yaml": zone("") }, between);
  isDown = true;
  expect((await desk.run("apply --yes")).code).toBe(5);
  expect(await stateOf(desk, 1)).toEqual(["master", "disabled", "", 0]);
  isDown = false;
  if (isElsewhere) rmSync(join(desk.folder, ".zonewright"), { recursive: true });
  desk.waited += 1_000;
  const { code, out } = await desk.run("apply --yes");
  const note =
    "warning  a.test is disabled, and will be served: the user of this token created it and has not changed its settings since, as an unfinished run does  zones/a.test.yaml:1";
  expect([code, out.match(/^warning.*/gm)]).toEqual([0, isElsewhere ? [note] : null]);
  expect(await stateOf(desk, 1)).toEqual(["master", "active", "", 1]);
});

test("a zone that someone else created disabled is not completed", async () => {
  const { desk, state } = await deskWith(
    { type: "master" },
    { "zones/b.test.yaml": "soa_email: h@b.test\nrecords: {}\n" },
  );
  const other = await desk.mint({ username: "bob", account: "admin" });
  const body = { domain: "b.test", type: "master", soa_email: "h@b.test", status: "disabled" };
  const { id } = await desk.call("POST", "/domains", body, other);
  await desk.run("apply --yes");
  expect([await stateOf(desk, id), await state()]).toEqual([
    ["master", "disabled", "", 0],
    ["master", "active", "", 0],
  ]);
});
