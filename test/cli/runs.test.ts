import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  records:
    www:
      A: 192.0.2.10
    shop:
      CNAME: www
`;
const changed = zone.replace("CNAME: www", "A: 192.0.2.20").replace("192.0.2.10", "192.0.2.11");

/** The runs, the oldest first, with ids that stay. */
function named(desk: ApiDesk): string[] {
  const ids = readdirSync(join(desk.folder, ".zonewright/runs")).sort();
  for (const [index, id] of ids.entries()) desk.shown.push([id, `run-${index + 1}`]);
  return ids;
}

test("a run writes its journal and the old zones, readable by this user only and ignored by git", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  desk.write("zones/example.com.yaml", changed);
  desk.waited += 1_000;
  await desk.run("apply --yes");
  const [, second] = named(desk);
  expect(desk.read(".zonewright/.gitignore")).toBe("*\n");
  expect(statSync(join(desk.folder, ".zonewright")).mode & 0o777).toBe(0o700);
  expect(statSync(join(desk.folder, `.zonewright/runs/${second}/journal.jsonl`)).mode & 0o777).toBe(0o600);
  const backup = desk.read(`.zonewright/runs/${second}/backup/example.com.zone`);
  desk.write("backup/example.com.zone", backup);
  const restored = await desk.run("export --zones backup --to records");
  expect(restored.out.split("\n").filter((line) => / (A|CNAME) /.test(line))).toEqual([
    "shop.example.com. 86400 IN CNAME www.example.com.",
    "www.example.com. 86400 IN A 192.0.2.10",
  ]);
  expect(await desk.run("runs")).toEqual({
    code: 0,
    out: "run-2  done  3 of 3 writes  example.com\nrun-1  done  4 of 4 writes  example.com\n",
    talk: "",
  });
  expect(await desk.run("runs last")).toEqual(await desk.run(`runs ${second}`));
  const told = (await desk.run(`runs ${second}`)).out.replaceAll(/^2026\S+Z/gm, "<moment>").split("\n");
  expect(told.sort()).toEqual([
    "",
    "  done: change www.example.com. A",
    "  done: create shop.example.com. A",
    "  done: delete shop.example.com. CNAME",
    "  done: example.com",
    "<moment>  ended: done",
    "<moment>  sent: change www.example.com. A 192.0.2.10 → 192.0.2.11",
    "<moment>  sent: create shop.example.com. A 192.0.2.20",
    "<moment>  sent: delete shop.example.com. CNAME www.example.com.",
    "<moment>  started: example.com",
  ]);
});

test("reports that no run, or no such run, exists", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect(await desk.run("runs")).toEqual({ code: 0, out: "no runs yet\n", talk: "" });
  expect(await desk.run("undo 2026")).toEqual({
    code: 3,
    out: "",
    talk: 'error[run-unknown] run "2026" does not exist\n  Run `zonewright runs` to list the runs.\n',
  });
  expect((await desk.run("undo last")).talk).toBe(
    "error[run-unknown] this project has no runs yet\n  Runs are stored beside the config file; use --config for another project.\n",
  );
  expect((await desk.run("apply --resume --yes")).talk).toBe(
    "error[run-unknown] nothing to resume: there is no run yet\n  Run apply without --resume.\n",
  );
});

test("undo restores the old state, and undoing that restores the new one", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  const before = (await desk.run("export --live --to records")).out;
  desk.write("zones/example.com.yaml", changed);
  desk.waited += 1_000;
  await desk.run("apply --yes");
  const after = (await desk.run("export --live --to records")).out;
  desk.waited += 1_000;
  expect((await desk.run(`undo ${named(desk)[1]} --yes`)).code).toBe(0);
  expect((await desk.run("export --live --to records")).out).toBe(before);
  desk.waited += 1_000;
  expect((await desk.run(`undo ${named(desk)[2]} --yes`)).code).toBe(0);
  expect((await desk.run("export --live --to records")).out).toBe(after);
});

test("a second undo, or one of a deleted zone, has nothing to do and reports why", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  desk.write("zones/example.com.yaml", changed);
  desk.waited += 1_000;
  await desk.run("apply --yes");
  desk.waited += 1_000;
  const [, second] = named(desk);
  expect((await desk.run(`undo ${second} --yes`)).out.split("\n").at(-4)).toBe(
    "plan: 2 changes in 1 of 1 zone · effects 39557069 · 2 reads",
  );
  named(desk);
  expect(await desk.run(`undo ${second} --yes`)).toEqual({
    code: 0,
    out: lines`
      note  run run-3 undid it: 3 of 3 writes
      note  shop.example.com. A 192.0.2.20: it was changed or deleted after the run
      note  www.example.com. A 192.0.2.11: it was changed or deleted after the run
      nothing of the run is left to undo
    `,
    talk: "",
  });
  await desk.call("DELETE", "/domains/1");
  expect((await desk.run(`undo ${second} --yes`)).out).toBe(lines`
    note  run run-3 undid it: 3 of 3 writes
    note  example.com: the zone no longer exists
    nothing of the run is left to undo
  `);
});

test("undo keeps and reports later changes of others", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  const { data } = await desk.call("GET", "/domains/1/records");
  const www = data.find(({ name }: { name: string }) => name === "www");
  await desk.call("PUT", `/domains/1/records/${www.id}`, { target: "192.0.2.66" });
  const { code, out } = await desk.run(`undo ${named(desk)[0]} --yes --allow G03`);
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => line.startsWith("note"))).toEqual([
    "note  www.example.com. A 192.0.2.10: it was changed or deleted after the run",
    "note  example.com: this run created the zone: undo deletes its records, not the zone",
    "note  example.com: records were written to it after the run, so it is not disabled",
  ]);
  const left = await desk.call("GET", "/domains/1/records");
  expect(left.data.map(({ target }: { target: string }) => target)).toEqual(["192.0.2.66"]);
  expect((await desk.call("GET", "/domains/1")).status).toBe("active");
});

const refusing =
  (name: string) =>
  (server: Server): Server =>
  async (request, connection) => {
    const body = request.method === "POST" ? await request.clone().text() : "";
    const refusal = new Response(JSON.stringify({ errors: [{ reason: "No" }] }), { status: 400 });
    const isRefused = ["name", "domain"].some((field) => body.includes(`"${field}":"${name}"`));
    return isRefused ? refusal : server(request, connection);
  };

test("apply --resume continues the zones of the last run", async () => {
  let between = (server: Server) => refusing("shop")(server);
  const desk = await apiDesk(
    { "zones/a.example.yaml": zone, "zones/b.example.yaml": zone },
    (server) => (request, connection) => between(server)(request, connection),
  );
  expect((await desk.run("apply a.example --yes")).code).toBe(5);
  between = (server) => server;
  desk.waited += 1_000;
  const { code, out } = await desk.run("apply --resume --yes");
  expect([code, out.split("\n").at(-2)]).toEqual([0, "applied and verified: 1 zone is as planned"]);
  named(desk);
  expect((await desk.run("apply --resume --yes")).talk).toContain("the last run, run-2, is done");
});

test("a partly applied plan file continues as that file, not as an unreviewed plan", async () => {
  let between = refusing("shop");
  const desk = await apiDesk(
    { "zones/example.com.yaml": zone },
    (server) => (request, connection) => between(server)(request, connection),
  );
  expect((await desk.run("plan --out plan.json")).code).toBe(0);
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, talk.split("\n").at(-2)]).toEqual([
    5,
    "1 of 1 zone failed. Fix the error above, then run `zonewright apply plan.json`.",
  ]);
  between = (server) => server;
  named(desk);
  expect(await desk.run("apply --resume --yes")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[run-unknown] the last run, run-1, applied plan files: --resume alone would apply changes that were not reviewed
        To continue it, apply the same files: ${"`"}zonewright apply FILE${"`"}.
    `,
  });
  desk.waited += 1_000;
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});

test.each<[refused: string, state: string, writes: string]>([
  ["example.com", "failed", "0 of 4 writes"],
  ["www", "partly", "1 of 4 writes"],
])("a run in which %s is refused is listed as %s  %s", async (refused, state, writes) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, refusing(refused));
  await desk.run("apply --yes");
  named(desk);
  expect(await desk.run("runs")).toEqual({
    code: 0,
    out: `run-1  ${state}  ${writes}  example.com\n`,
    talk: `run run-1 is not finished (${writes}): continue it with \`zonewright apply --resume\`, or revert it with \`zonewright undo run-1\`\n`,
  });
});

test("a partial undo continues as undo, not as apply", async () => {
  let between = (server: Server) => server;
  const desk = await apiDesk(
    { "zones/example.com.yaml": zone },
    (server) => (request, connection) => between(server)(request, connection),
  );
  await desk.run("apply --yes");
  desk.write("zones/example.com.yaml", zone.slice(0, zone.indexOf("  shop:")));
  desk.waited += 1_000;
  expect((await desk.run("apply --yes")).code).toBe(0);
  between = refusing("shop");
  desk.waited += 1_000;
  const [, second] = named(desk);
  const { talk } = await desk.run(`undo ${second} --yes`);
  expect(talk.split("\n").at(-2)).toBe("1 of 1 zone failed. Fix the error above, then run `zonewright undo run-2`.");
  named(desk);
  expect(await desk.run("apply --resume --yes")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[run-unknown] the last run, run-3, reverts run run-2: resuming with apply would repeat the changes that it reverts
        To continue it: ${"`"}zonewright undo run-2${"`"}.
    `,
  });
});

test.each([
  ["a running process of this machine", { pid: 1, host: hostname() }, true, 8],
  ["a process that has ended: its lock is taken over", { pid: 1, host: hostname() }, false, 0],
  ["one of another machine, which cannot be probed", { pid: 1, host: "elsewhere.example" }, false, 8],
])("concurrent applies: %s", async (_, holder, isAlive, code) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  mkdirSync(join(desk.folder, ".zonewright"));
  writeFileSync(join(desk.folder, ".zonewright/lock"), JSON.stringify(holder));
  desk.isAlive = isAlive;
  const result = await desk.run("apply --yes");
  expect(result.code).toBe(code);
  expect(desk.writes.length).toBe(code === 0 ? 4 : 0);
  if (code === 8)
    expect(result.talk.replace(holder.host, "<host>")).toBe(
      "error[run-locked] process 1 on <host> is changing this project\n  Wait until it ends. If you are certain that it no longer runs, delete /desk/.zonewright/lock.\n",
    );
  else expect(readdirSync(join(desk.folder, ".zonewright")).sort()).toEqual([".gitignore", "runs"]);
});

test("--jsonl: writes one JSON line per event and nothing else to standard output", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  const { out } = await desk.run("apply --yes --jsonl");
  const events = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.slice(0, 2)).toEqual([
    { event: "zone-begun", zone: "example.com", writes: 4 },
    { event: "zone-created", zone: "example.com", domain_id: 1 },
  ]);
  expect(events.slice(2, 4)).toContainEqual({
    event: "record-written",
    zone: "example.com",
    change: "create",
    name: "shop",
    type: "CNAME",
    after: { value: "www.example.com." },
  });
  expect(events.slice(4)).toEqual([
    { event: "settings-written", zone: "example.com", settings: ["status"] },
    { event: "zone-done", zone: "example.com", left: 0 },
  ]);
});

const unfinished =
  "run run-2 is not finished (1 of 1 write): continue it with `zonewright apply --resume`, or revert it with `zonewright undo run-2`\n";

test.each([
  ["runs last", 0, unfinished],
  ["undo last --yes", 0, unfinished],
  ["apply --resume --yes", 0, "example.com: 1 write\nexample.com: done\n"],
])("%s skips lines of an edited journal whose record type does not exist", async (command, code, talk) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  desk.waited += 1_000;
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.10", "192.0.2.11"));
  await desk.run("apply --yes");
  const path = `.zonewright/runs/${named(desk)[1]}/journal.jsonl`;
  const edited = desk
    .read(path)
    .replaceAll('"type":"A"', '"type":"NOTYPE"')
    .replace(/\{"kind":"end".*\n/, "");
  expect(edited).toContain("NOTYPE");
  desk.write(path, edited);
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.10", "192.0.2.12"));
  const result = await desk.run(command);
  named(desk);
  expect({ code: result.code, talk: result.talk }).toEqual({ code, talk });
});

test("--report json lists runs, and the events of one in words", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.10", "192.0.2.11"));
  desk.waited += 1_000;
  await desk.run("apply --yes");
  named(desk);
  const about = (id: string, writes: number) => ({
    id,
    begun: expect.stringMatching(/^2026-03-04T12:00:0\d\.000Z$/),
    ended: expect.stringMatching(/^2026-03-04T12:00:0\d\.000Z$/),
    state: "done",
    zones: ["example.com"],
    writes,
    written: writes,
    without_reply: 0,
  });
  expect(JSON.parse((await desk.run("runs --report json")).out)).toEqual({
    runs: [about("run-2", 1), about("run-1", 4)],
  });
  const { out } = await desk.run("runs last --report json");
  const change = { zone: "example.com", write: "change", name: "www.example.com.", type: "A" };
  const values = { before: { value: "192.0.2.10" }, after: { value: "192.0.2.11" } };
  const at = "2026-03-04T12:00:01.000Z";
  expect(JSON.parse(out)).toEqual({
    ...about("run-2", 1),
    events: [
      { at, event: "started", zones: ["example.com"] },
      { at, event: "sent", ...change, ...values },
      { event: "done", ...change, ...values },
      { event: "done", zone: "example.com" },
      { at, event: "ended", state: "done" },
    ],
  });
});
