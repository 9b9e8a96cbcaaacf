import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { digestJson } from "../../src/planner/changes/digests.ts";
import type { PlanSet } from "../../src/planner/plan-file/plan-schema.ts";
import type { Server } from "../../src/server/http/router.ts";
import { titled } from "../titles.ts";
import { gitIn } from "./git.ts";
import { targetDesk } from "./target-desk.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";
const both = "TARGETS\nzones: { path: zones, targets: [public, office] }\n";
const down = (): Server => async () => new Response("{}", { status: 503 });

const project = () => targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
type Desk = Awaited<ReturnType<typeof project>>;

const setOf = (desk: Desk) => JSON.parse(desk.read("plan.json")) as PlanSet;
const recordsOf = async ({ services }: Desk) => [
  await services.public.records("example.com"),
  await services.office.records("example.com"),
];

test("every report of one plan: targets that change alike are shown once", async () => {
  const desk = await project();
  desk.write("zones/example.net.yaml", `targets: office\n${zone}`);
  const files = ["markdown=p.md", "html=p.html", "junit=p.xml", "sarif=p.sarif", "codequality=p.cq", "json=p.json"];
  const one = await desk.run(`plan --detailed-exitcode ${files.map((file) => `--report ${file}`).join(" ")}`);
  expect([one.code, one.talk]).toEqual([2, ""]);
  expect(one.out).toMatch(
    /^example\.com on public, office [\s\S]*\nexample\.net on office [\s\S]*\nchanges on 2 of 2 targets/,
  );
  expect(desk.read("p.md").match(/^### .*/gm)).toEqual(["### Plan of zones on public, office: 4 changes in 2 zones"]);
  expect(desk.read("p.xml").match(/testsuite name="[^"]*/g)).toEqual([
    'testsuite name="example.com on public',
    'testsuite name="(all zones) on public',
    'testsuite name="example.com on office',
    'testsuite name="example.net on office',
    'testsuite name="(all zones) on office',
  ]);
  const ids = [...desk.read("p.html").matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const set = JSON.parse(desk.read("p.json")) as PlanSet;
  expect(set.plans.map(({ target, changes }) => [target.name, changes.length])).toEqual([
    ["public", 3],
    ["office", 6],
  ]);
  desk.write("zones/example.net.yaml", zone);
  await desk.run("plan --report markdown=p.md --report junit=p.xml --report sarif=p.sarif");
  for (const file of ["p.md", "p.xml", "p.sarif"]) {
    expect(desk.read(file).match(/www\.example\.com A 86400 192\.0\.2\.1/g)).toHaveLength(1);
    expect(desk.read(file)).toContain("on public, office");
  }
});

test("a target that cannot be planned is told in each report, and its part is missing in the file", async () => {
  const desk = await project();
  desk.services.public.between = down;
  const reports = "--report markdown=p.md --report junit=p.xml --report sarif=p.sarif";
  const { code, out, talk } = await desk.run(`plan --out plan.json ${reports}`);
  expect([code, talk]).toEqual([5, expect.stringMatching(/^on public:\nerror\[/)]);
  expect(out).toMatch(
    /^example\.com on office .*\n[\s\S]*\non office: .*\n\nchanges on 1 of 2 targets, effects \w+\nnext: zonewright apply plan\.json\n$/,
  );
  expect(desk.read("p.md")).toContain("### Plan of zones on public: stopped by 1 error\n");
  expect(desk.read("p.xml")).toContain('<testsuite name="(all zones) on public" tests="1" failures="1">');
  expect(desk.read("p.sarif")).toContain("(on public)");
  const { plans, failed = [] } = setOf(desk);
  expect([plans.map(({ target }) => target.name), failed.map(({ target }) => target)]).toEqual([
    ["office"],
    ["public"],
  ]);
  desk.services.public.between = undefined;
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
  expect(await recordsOf(desk)).toEqual([undefined, ["www A 192.0.2.1"]]);
  desk.services.public.between = down;
  desk.services.office.between = down;
  const none = await desk.run("plan --out none.json --report json");
  expect([none.code, (JSON.parse(none.out) as PlanSet).failed?.length]).toEqual([1, 2]);
  expect(Object.keys(desk.files())).not.toContain("none.json");
});

test("one plan file: each part is applied on its target, once", async () => {
  const desk = await project();
  const { code, out } = await desk.run("plan --out plan.json");
  const { effectDigest } = setOf(desk);
  expect([code, out.split("\n").slice(-3)]).toEqual([
    0,
    [`changes on 2 of 2 targets, effects ${effectDigest.slice(0, 8)}`, "next: zonewright apply plan.json", ""],
  ]);
  expect((await desk.run("apply plan.json --target office --yes")).code).toBe(0);
  expect(await recordsOf(desk)).toEqual([undefined, ["www A 192.0.2.1"]]);
  const rest = await desk.run("apply plan.json --yes");
  expect([rest.code, rest.talk]).toEqual([0, "on public:\nexample.com: 3 writes\nexample.com: done\non office:\n"]);
  expect(rest.out).toContain("note  plan.json (public) approves all 2 changes\n");
  expect(await recordsOf(desk)).toEqual([["www A 192.0.2.1"], ["www A 192.0.2.1"]]);
});

test("each part is admitted by itself: an edit on one target refuses its part, and the other is applied", async () => {
  const desk = await project();
  await desk.run("apply --yes");
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1", "192.0.2.2"));
  await desk.run("plan --out plan.json");
  const { public: outer } = desk.services;
  const [{ id }] = (await outer.call("GET", "/domains")).data;
  const [{ id: record }] = (await outer.call("GET", `/domains/${id}/records`)).data;
  await outer.call("PUT", `/domains/${id}/records/${record}`, { target: "192.0.2.9" });
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, talk]).toEqual([5, expect.stringMatching(/^on public:\nerror\[plan-stale\][\s\S]*\non office:\n/)]);
  expect(await recordsOf(desk)).toEqual([["www A 192.0.2.9"], ["www A 192.0.2.2"]]);
});

test("a file with a part of a target that no longer exists is refused as a whole", async () => {
  const desk = await project();
  await desk.run("plan --out plan.json");
  await desk.run("plan --out office.json --target office");
  const config = desk.read("zonewright.yaml");
  const refused = "plan.json has a part for the target public, which zonewright.yaml does not have";
  for (const [name, command] of [
    ["lab", "apply plan.json --yes"],
    ["lab", "apply plan.json --yes --target office"],
  ]) {
    desk.write("zonewright.yaml", config.replaceAll("public", name ?? ""));
    const { code, talk } = await desk.run(command ?? "");
    expect([code, talk]).toEqual([4, expect.stringContaining(refused)]);
  }
  desk.write("zonewright.yaml", config.replace(/ {2}public.*\n/, "").replace("public, ", ""));
  expect((await desk.run("apply plan.json --yes")).talk).toContain(refused);
  desk.write("zonewright.yaml", `api_url: ${desk.services.office.url}\n`);
  const env = { ZONEWRIGHT_TOKEN: desk.env.ZONEWRIGHT_OFFICE_TOKEN };
  expect((await desk.run("apply plan.json --yes", { env })).talk).toContain(refused);
  expect(await recordsOf(desk)).toEqual([undefined, undefined]);
});

test("a target without a part in the file is left alone, and named if it is asked for", async () => {
  const desk = await project();
  desk.write("zones/example.com.yaml", `targets: office\n${zone}`);
  await desk.run("plan example.com --out plan.json");
  expect(setOf(desk).plans.map(({ target }) => target.name)).toEqual(["office"]);
  const { code, talk } = await desk.run("apply plan.json --yes --target public");
  expect([code, talk]).toEqual([4, expect.stringContaining("plan.json has no part for the target public")]);
  expect((await desk.run("apply plan.json --yes")).talk).toMatch(/^on office:\n/);
});

type Forge = (set: PlanSet) => object;
const refit = ({ planDigest, ...rest }: PlanSet) => ({ ...rest, planDigest: digestJson(rest) });
const forgeries: [what: string, forge: Forge, says: string][] = [
  ["a part that was removed", (set) => ({ ...set, plans: set.plans.slice(1) }), "plan.json was edited after"],
  [
    "a part that was removed, with a new digest of the file",
    (set) => refit({ ...set, plans: set.plans.slice(1) }),
    "plan.json was edited after",
  ],
  [
    "a part that is there twice",
    (set) => refit({ ...set, plans: [...set.plans, ...set.plans] }),
    "plan.json was edited after",
  ],
  [
    "a value that was edited, with a new digest of the file",
    (set) => refit(JSON.parse(JSON.stringify(set).replaceAll("192.0.2.1", "192.0.2.9")) as PlanSet),
    "plan.json (public) was edited after",
  ],
  [
    "a part whose target was renamed",
    (set) => refit(JSON.parse(JSON.stringify(set).replace('"name":"public"', '"name":"lab"')) as PlanSet),
    "plan.json was edited after",
  ],
  [
    "another version",
    (set) => refit({ ...set, format: "zonewright.plans/2" as PlanSet["format"] }),
    "a plan of another",
  ],
  ["a part that is missing", (set) => refit({ ...set, plans: [{} as PlanSet["plans"][number]] }), "plan.json is not a"],
];

test.each(titled(forgeries, ([what]) => `refuses ${what}`))("%s", async (_, __, forge, says) => {
  const desk = await project();
  await desk.run("plan --out plan.json");
  const set = setOf(desk);
  desk.write("plan.json", JSON.stringify(forge(set)));
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code === 3 || code === 4, talk]).toEqual([true, expect.stringContaining(says)]);
  expect(await recordsOf(desk)).toEqual([undefined, undefined]);
});

test("each part is signed, so that a part of another file needs a signature too", async () => {
  const desk = await project();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const env = {
    ZONEWRIGHT_SIGNING_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    ZONEWRIGHT_VERIFY_KEYS: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
  await desk.run("plan --out unsigned.json");
  const signed = await desk.run("plan --out plan.json --sign", { env });
  expect([signed.code, signed.talk]).toEqual([
    0,
    expect.stringMatching(/^the plan file is signed with the key \w{16}\n/),
  ]);
  const set = setOf(desk);
  const unsigned = JSON.parse(desk.read("unsigned.json")) as PlanSet;
  desk.write(
    "mixed.json",
    JSON.stringify(refit({ ...set, plans: [...set.plans.slice(0, 1), ...unsigned.plans.slice(1)] })),
  );
  const mixed = await desk.run("apply mixed.json --yes", { env });
  expect([mixed.code, mixed.talk]).toEqual([4, expect.stringContaining("mixed.json (office) is not signed")]);
  expect(await recordsOf(desk)).toEqual([undefined, undefined]);
  expect((await desk.run("apply plan.json --yes", { env })).code).toBe(0);
});

test("a snapshot for each target: {target} stands for its name", async () => {
  const desk = await project();
  gitIn(desk.folder)("init", "-q");
  await desk.run("apply --yes");
  for (const name of ["public", "office"])
    await desk.run(`snapshot --target ${name} --out live-${name}.json --ref refs/zonewright/targets/${name}`);
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1", "192.0.2.2"));
  const requests = desk.services.public.requests.length;
  for (const place of ["live-{target}.json", "ref:refs/zonewright/targets/{target}"]) {
    const { code, out } = await desk.run(`plan --detailed-exitcode --against ${place}`);
    expect([code, out]).toEqual([2, expect.stringMatching(/^example\.com on public, office /)]);
    expect((await desk.run(`plan --target office --against ${place}`)).code).toBe(0);
  }
  expect(desk.services.public.requests.length).toBe(requests);
  for (const option of ["--against live-public.json", "--snapshot live-public.json"]) {
    const { code, talk } = await desk.run(`plan ${option}`);
    expect([code, talk]).toEqual([
      64,
      `error: ${option} is one place for the targets public, office: write {target} in it, which stands for the name of each, or set --target to one of them.\n`,
    ]);
  }
  expect((await desk.run("plan --snapshot live-{target}.json")).code).toBe(0);
});
