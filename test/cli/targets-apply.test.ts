import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import type { Server } from "../../src/server/http/router.ts";
import { gitIn } from "./git.ts";
import { noon } from "./run.ts";
import { targetDesk } from "./target-desk.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";
const both = "TARGETS\nzones: { path: zones, targets: [public, office] }\n";
const split = "TARGETS\nzones:\n  - { path: outside, targets: public }\n  - { path: inside, targets: office }\n";

const down = (): Server => async () => new Response("{}", { status: 503 });
const writesOf = (requests: readonly string[]) => requests.filter((one) => !one.startsWith("GET"));

test("the same zone on both: once in the plan, one run each, then in sync", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  const planned = await desk.run("plan --detailed-exitcode");
  expect([planned.code, planned.talk]).toEqual([2, ""]);
  expect(planned.out).toMatch(/^example\.com on public, office .*\+/);
  expect(planned.out.match(/192\.0\.2\.1/g)?.length).toBe(1);
  expect(planned.out).toMatch(/\nchanges on 2 of 2 targets, effects [0-9a-f]{8}\n$/);
  const applied = await desk.run("apply --yes");
  expect([applied.code, applied.talk]).toEqual([0, expect.stringMatching(/^on public:\n[\s\S]*^on office:\n/m)]);
  const { public: outer, office } = desk.services;
  expect(await outer.records("example.com")).toEqual(["www A 192.0.2.1"]);
  expect(await office.records("example.com")).toEqual(["www A 192.0.2.1"]);
  expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
  const ids = (await desk.run("runs --report json")).out;
  const runs = (JSON.parse(ids) as { runs: { id: string; target: string }[] }).runs;
  expect(runs.map(({ target }) => target).sort()).toEqual(["office", "public"]);
  const files = Object.keys(desk.files()).filter((file) => file.endsWith("journal.jsonl"));
  expect(files.map((file) => file.split("/").slice(0, 4).join("/")).sort()).toEqual([
    ".zonewright/targets/office/runs",
    ".zonewright/targets/public/runs",
  ]);
  for (const file of files) expect(desk.read(file)).toContain(`"target":"${file.split("/")[2]}"`);
});

test("a target in sync has a total of its own", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  await desk.run("apply --yes --target office");
  expect(desk.services.public.requests).toEqual([]);
  const { out } = await desk.run("plan");
  expect(out).toMatch(
    /^example\.com on public [\s\S]*\non public: 2 changes .*\non office: 1 zone in sync, nothing to do\n/,
  );
  expect(out).toMatch(/changes on 1 of 2 targets/);
});

test("split and narrowed: each zone goes to its target only", async () => {
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml": split,
    "outside/example.com.yaml": zone,
    "inside/example.com.yaml": zone.replace("192.0.2.1", "192.0.2.9"),
    "inside/example.net.yaml": zone,
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const { public: outer, office } = desk.services;
  expect(await outer.records("example.com")).toEqual(["www A 192.0.2.1"]);
  expect(await office.records("example.com")).toEqual(["www A 192.0.2.9"]);
  expect([await outer.records("example.net"), await office.records("example.net")]).toEqual([
    undefined,
    ["www A 192.0.2.1"],
  ]);
  desk.write(
    "zonewright.yaml",
    desk.read("zonewright.yaml").replace("targets: public }", "targets: [public, office] }"),
  );
  desk.write("outside/example.org.yaml", `targets: [public]\n${zone}`);
  desk.write("inside/example.com.yaml", "");
  const named = await desk.run("plan example.org --detailed-exitcode");
  expect([named.code, named.out]).toEqual([2, expect.stringMatching(/^example\.org on public /)]);
  expect(named.out).not.toContain("on office");
  const unknown = await desk.run("plan example.invalid");
  expect([unknown.code, unknown.talk]).toEqual([
    3,
    expect.stringContaining("neither a file nor a zone of this project"),
  ]);
});

test("one service is down, or one token is wrong: its part fails, the other is written, exit code 5", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  const { public: outer, office } = desk.services;
  outer.between = down;
  const planned = await desk.run("plan");
  expect([planned.code, planned.talk]).toEqual([5, expect.stringMatching(/^on public:\nerror\[/)]);
  expect(planned.out).toMatch(/^example\.com on office /);
  const applied = await desk.run("apply --yes");
  expect([applied.code, applied.talk]).toEqual([5, expect.stringMatching(/^on public:\nerror\[[\s\S]*^on office:\n/m)]);
  expect(await office.records("example.com")).toEqual(["www A 192.0.2.1"]);
  outer.between = undefined;
  const wrong = { ZONEWRIGHT_PUBLIC_TOKEN: desk.env.ZONEWRIGHT_OFFICE_TOKEN };
  const refused = await desk.run("apply --yes", { env: wrong });
  expect([refused.code, refused.talk]).toEqual([
    5,
    expect.stringContaining("The token is from ZONEWRIGHT_PUBLIC_TOKEN."),
  ]);
  expect(writesOf(outer.requests)).toEqual([]);
  expect((await desk.run("apply --yes")).code).toBe(0);
});

test("an acknowledgement is for one target, and adding targets voids those without one", async () => {
  const many = Array.from({ length: 9 }, (_, index) => `  h${index}:\n    A: 192.0.2.${index}\n`).join("");
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml": both,
    "zones/example.com.yaml": `soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n${many}`,
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", zone);
  const { out } = await desk.run("plan");
  const [entry = ""] = /- \{ guard: G01, .*target: office, .*\}/.exec(out) ?? [];
  expect(entry).not.toBe("");
  const ack = `${entry.replace("reason: …", "reason: moved")}\n`;
  desk.write("acks.yaml", ack.replace(" target: office,", ""));
  const voided = await desk.run("plan --detailed-exitcode");
  expect([voided.code, voided.out]).toEqual([3, expect.stringContaining("names no target, so it approves nothing")]);
  desk.write("acks.yaml", ack);
  const applied = await desk.run("apply --yes");
  expect(applied.code).toBe(5);
  expect(applied.talk).toMatch(/^on public:[\s\S]*`zonewright apply --target public --allow G01`[\s\S]*^on office:/m);
  expect((await desk.services.office.records("example.com"))?.length).toBe(1);
  expect((await desk.services.public.records("example.com"))?.length).toBe(10);
});

test("a plan file of one target, and apply with those of several", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  for (const name of ["public", "office"])
    expect((await desk.run(`plan --target ${name} --out ${name}.json`)).code).toBe(0);
  expect(JSON.parse(desk.read("office.json")).target.name).toBe("office");
  const other = await desk.run("apply public.json --yes --target office");
  expect([other.code, other.talk]).toEqual([
    4,
    expect.stringContaining("is for the target public, but this is the target office"),
  ]);
  expect(writesOf(desk.services.office.requests)).toEqual([]);
  expect((await desk.run("apply office.json --yes")).code).toBe(0);
  expect(await desk.services.public.records("example.com")).toBe(undefined);
  expect((await desk.run("apply office.json public.json --yes")).code).toBe(0);
  expect(await desk.services.public.records("example.com")).toEqual(["www A 192.0.2.1"]);
  desk.write("zonewright.yaml", `api_url: ${desk.services.public.url}\n`);
  const env = { ZONEWRIGHT_TOKEN: desk.env.ZONEWRIGHT_PUBLIC_TOKEN };
  expect((await desk.run("apply public.json --yes", { env })).talk).toContain(
    "is for the target public, but this project has no targets",
  );
});

test("zones beside a plan file are those of each target, and a target without one is left alone", async () => {
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml": both,
    "zones/both.example.yaml": zone,
    "zones/one.example.yaml": `targets: [public]\n${zone}`,
    "zones/two.example.yaml": `targets: [office]\n${zone}`,
  });
  expect((await desk.run("plan --out plan.json")).code).toBe(0);
  const { public: outer, office } = desk.services;
  const stored = () =>
    Promise.all([outer, office].flatMap((on) => ["both", "one", "two"].map((one) => on.records(`${one}.example`))));
  const www = ["www A 192.0.2.1"];
  const applied = await desk.run("apply plan.json one.example --yes");
  expect([applied.code, applied.talk.match(/^on .*$/gm)]).toEqual([0, ["on public:"]]);
  expect(applied.out + applied.talk).toContain("done already, or left out\n");
  expect(await stored()).toEqual([undefined, www, undefined, undefined, undefined, undefined]);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
  expect(await stored()).toEqual([www, www, undefined, www, undefined, www]);
});

test("a plan file without changes on the targets of the zones beside it is refused", async () => {
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml": both,
    "zones/both.example.yaml": zone,
    "zones/one.example.yaml": `targets: [public]\n${zone}`,
  });
  expect((await desk.run("plan --target office --out plan.json")).code).toBe(0);
  const { code, talk } = await desk.run("apply plan.json one.example --yes");
  expect([code, talk]).toEqual([
    64,
    expect.stringContaining("plan.json has no changes on the targets of one.example: leave these zones out."),
  ]);
  expect(writesOf([...desk.services.public.requests, ...desk.services.office.requests])).toEqual([]);
});

test("undo finds the target of a run, and resume is for one target", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1", "192.0.2.2"));
  desk.now = new Date(desk.now.getTime() + 60_000);
  await desk.run("apply --yes");
  const { runs } = JSON.parse((await desk.run("runs --report json")).out) as { runs: { id: string; target: string }[] };
  const run = runs.find(({ target }) => target === "public")?.id ?? "";
  expect((await desk.run(`runs ${run}`)).code).toBe(0);
  expect((await desk.run(`undo ${run} --yes`)).code).toBe(0);
  expect(await desk.services.public.records("example.com")).toEqual(["www A 192.0.2.1"]);
  expect(await desk.services.office.records("example.com")).toEqual(["www A 192.0.2.2"]);
  expect((await desk.run("undo last --yes --target office")).code).toBe(0);
  expect(await desk.services.office.records("example.com")).toEqual(["www A 192.0.2.1"]);
  expect((await desk.run("undo 1999 --yes")).talk).toContain('run "1999" does not exist');
  expect((await desk.run("apply --resume")).talk).toContain("--resume works with one target at a time");
});

test("`undo last` reverts the newest run, and names the last ones of other targets", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1", "192.0.2.2"));
  desk.now = new Date(desk.now.getTime() + 60_000);
  await desk.run("apply --yes");
  const { talk } = await desk.run("undo last --yes");
  const [, target = "", command = ""] =
    /^the last run on (\w+) is .*`zonewright (undo \S+)` reverts it$/m.exec(talk) ?? [];
  const names = target === "public" ? (["public", "office"] as const) : (["office", "public"] as const);
  const records = () => Promise.all(names.map((name) => desk.services[name].records("example.com")));
  expect(await records()).toEqual([["www A 192.0.2.2"], ["www A 192.0.2.1"]]);
  expect((await desk.run(`${command} --yes`)).code).toBe(0);
  expect(await records()).toEqual([["www A 192.0.2.1"], ["www A 192.0.2.1"]]);
  // The last run of the other target is an undo now: to revert it would bring the change back.
  expect((await desk.run("undo last --yes")).talk).not.toContain("the last run on");
});

test("an only target is never named, and its approvals need no name", async () => {
  const desk = await targetDesk(["office"], { "zonewright.yaml": "TARGETS\n", "zones/example.com.yaml": zone });
  for (const command of ["validate", "plan", "plan --out p.json", "apply p.json --yes", "plan"]) {
    const { code, out, talk } = await desk.run(command);
    expect([command, code]).toEqual([command, 0]);
    expect((out + talk).replaceAll("http://office", "")).not.toContain("office");
  }
});

test("a target stays with its account: a token of another one is refused before any plan", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  const { public: outer, office } = desk.services;
  expect((await desk.run("plan")).out).toContain("no account is known here yet");
  expect(Object.keys(desk.files())).not.toContain(".zonewright/targets/office/account.json");
  await desk.run("apply --yes");
  expect((await desk.run("plan")).out).not.toContain("no account is known");
  const written = writesOf(office.requests).length;
  desk.write("zones/example.com.yaml", zone.replace("www", "new"));
  const other = await createToken(office.store, { username: "other", account: "else", now: noon });
  desk.secrets.push(other);
  const env = { ZONEWRIGHT_OFFICE_TOKEN: other };
  for (const command of ["plan --target office", "apply --yes --target office", "undo last --yes --target office"]) {
    const { code, talk } = await desk.run(command, { env });
    expect([command, code, talk]).toEqual([
      command,
      4,
      expect.stringContaining("Check the url and ZONEWRIGHT_OFFICE_TOKEN."),
    ]);
  }
  expect(writesOf(office.requests).length).toBe(written);
  // The other target goes on.
  expect((await desk.run("apply --yes --allow G01,G02,G03,G04,G05,G06", { env })).code).toBe(5);
  expect(await outer.records("example.com")).toEqual(["new A 192.0.2.1"]);
  expect(await office.records("example.com")).toEqual(["www A 192.0.2.1"]);
});

test("on a fresh checkout, the account comes from the published snapshot of the target", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  gitIn(desk.folder)("init", "-q");
  await desk.run("apply --yes");
  const taken = await desk.run("snapshot --target office --ref refs/zonewright/targets/office");
  expect(taken.code).toBe(0);
  rmSync(join(desk.folder, ".zonewright"), { recursive: true });
  expect((await desk.run("plan --target office")).out).not.toContain("no account is known");
  desk.write(
    "zonewright.yaml",
    desk.read("zonewright.yaml").replace(desk.services.office.url, desk.services.public.url),
  );
  const env = { ZONEWRIGHT_OFFICE_TOKEN: desk.env.ZONEWRIGHT_PUBLIC_TOKEN };
  const { code, talk } = await desk.run("plan --target office", { env });
  expect([code, talk]).toEqual([4, expect.stringContaining("the published snapshot is of the account")]);
});
