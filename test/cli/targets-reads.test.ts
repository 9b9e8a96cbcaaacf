import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { titled } from "../titles.ts";
import { gitIn } from "./git.ts";
import { type Service, targetDesk } from "./target-desk.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";
const both = "TARGETS\nzones: { path: zones, targets: [public, office] }\n";
const down = (): Server => async () => new Response("{}", { status: 503 });

/** A project whose zone is on both targets, with a snapshot of each. */
async function appliedProject() {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  gitIn(desk.folder)("init", "-q");
  await desk.run("apply --yes");
  return desk;
}

async function changeRecord(service: Service, target: string): Promise<void> {
  const [{ id }] = (await service.call("GET", "/domains")).data;
  const [{ id: record }] = (await service.call("GET", `/domains/${id}/records`)).data;
  await service.call("PUT", `/domains/${id}/records/${record}`, { target });
}

test("snapshot saves one for each target, and drift looks since the one of each", async () => {
  const desk = await appliedProject();
  const saved = await desk.run("snapshot --out live-{target}.json --ref refs/zonewright/targets/{target}");
  expect([saved.code, saved.talk.replace(/\([0-9a-f]{12}\)/g, "(COMMIT)")]).toEqual([
    0,
    `\
on public:
1 zone with 1 record in live-public.json
1 zone with 1 record in refs/zonewright/targets/public (COMMIT)
on office:
1 zone with 1 record in live-office.json
1 zone with 1 record in refs/zonewright/targets/office (COMMIT)
`,
  ]);
  await changeRecord(desk.services.office, "192.0.2.9");
  const found = await desk.run("drift --detailed-exitcode");
  expect([found.code, found.talk, found.out]).toEqual([
    2,
    "",
    `\
on public
snapshot ref:refs/zonewright/targets/public of 2026-03-04T12:00:00Z; 0 events since then, 0 zones read
in sync: 1 zone · 1 request

on office
snapshot ref:refs/zonewright/targets/office of 2026-03-04T12:00:00Z; 1 event since then, 1 zone read
example.com
  drift     www A  86400 192.0.2.1 → 86400 192.0.2.9
            by "admin" at 2026-03-04T12:00:00Z
warning  1 change was made as this user, but not by a run of this checkout: admin changed www.example.com A at 2026-03-04T12:00:00
  If you did not make them, revoke the token. If another checkout made them, they are in its journals.
drift: 1 change outside git in 1 of 1 zone · 4 requests
`,
  ]);
  const reports = ["json=d.json", "markdown=d.md", "html=d.html"].map((file) => `--report ${file}`).join(" ");
  expect((await desk.run(`drift ${reports} --snapshot live-{target}.json`)).code).toBe(0);
  const { format, reports: parts } = JSON.parse(desk.read("d.json"));
  expect([format, parts.map(({ target, inSync }: { target: string; inSync: number }) => [target, inSync])]).toEqual([
    "zonewright.drifts/1",
    [
      ["public", 1],
      ["office", 0],
    ],
  ]);
  expect(desk.read("d.md").match(/^### .*/gm)).toEqual([
    "### Drift on public: in sync",
    "### Drift on office: 1 change outside git in 1 of 1 zone",
  ]);
  expect(desk.read("d.html").match(/<h2 id="[^"]*">[^<]*/g)).toEqual([
    '<h2 id="zone-example.com_on_office">example.com on office',
    '<h2 id="notes-on-office">Notes on office',
  ]);
});

test("drift on a target without a snapshot tells how to publish its own; one that fails does not stop the others", async () => {
  const desk = await appliedProject();
  desk.services.public.between = down;
  const { code, out, talk } = await desk.run("drift --report json");
  expect([code, talk]).toEqual([5, expect.stringContaining("--ref refs/zonewright/targets/{target}`")]);
  const { reports, failed } = JSON.parse(out);
  expect([reports.length, failed[0].target, talk]).toEqual([
    1,
    "public",
    expect.stringMatching(/^on public:\nerror\[/m),
  ]);
});

test("export writes the live zones of each target into a folder of its own", async () => {
  const desk = await appliedProject();
  await changeRecord(desk.services.office, "192.0.2.9");
  const { code, talk } = await desk.run("export --live --to bind --out live/{target}");
  expect([code, talk]).toEqual([0, "on public:\n1 file in live/public\non office:\n1 file in live/office\n"]);
  expect([desk.read("live/public/example.com.zone"), desk.read("live/office/example.com.zone")]).toEqual([
    expect.stringContaining("192.0.2.1"),
    expect.stringContaining("192.0.2.9"),
  ]);
  expect((await desk.run("export example.com --to bind")).out).toContain("192.0.2.1");
});

test("compare compares the files with the live zones of each target", async () => {
  const desk = await appliedProject();
  await changeRecord(desk.services.office, "192.0.2.9");
  const { code, out, talk } = await desk.run("compare zones live");
  expect([code, talk, out]).toEqual([2, "", expect.stringMatching(/^on public\nA zones\nB live\n[\s\S]*1 equal/)]);
  expect(out).toMatch(/\non office\nA zones\nB live\nexample\.com: differs\n/);
  const { targets } = JSON.parse((await desk.run("compare zones live --report json")).out);
  expect(
    targets.map(({ target, zones }: { target: string; zones: { verdict: string }[] }) => [target, zones[0]?.verdict]),
  ).toEqual([
    ["public", "equal"],
    ["office", "differs"],
  ]);
  expect((await desk.run("compare zones live --report markdown")).out.match(/^###.*/gm)).toEqual([
    "### On public",
    "### On office",
  ]);
  desk.services.office.between = down;
  expect((await desk.run("compare zones live")).code).toBe(5);
});

const refused: [command: string, says: string][] = [
  ["drift --write", "--write works with one target at a time: set --target to one of public, office"],
  ["drift --write --branch auto", "--write works with one target at a time"],
  ["drift --state s.json", "--state works with one target at a time"],
  [
    "drift --snapshot live.json",
    "--snapshot live.json is one place for the targets public, office: write {target} in it",
  ],
  ["snapshot", "standard output is for one target: add --out live-{target}.json, or set --target to one of"],
  ["snapshot --ref refs/zonewright/snapshot", "--ref refs/zonewright/snapshot is one place for the targets public"],
  ["export --live --to yaml", "standard output is for one target: add --out FOLDER/{target}"],
  ["export --rendered --to bind --out live", "--out live is one place for the targets"],
  ["import api", "this works with one target at a time: set --target to one of public, office"],
  ["compare live zones --token-file t", "--token-file works with one target at a time"],
];

test.each(titled(refused, ([command]) => `refuses ${command} for several targets, before any request`))(
  "%s",
  async (_, command, says) => {
    const desk = await appliedProject();
    const { public: outer, office } = desk.services;
    const before = [outer.requests.length, office.requests.length];
    const { code, talk } = await desk.run(command);
    expect([code, talk]).toEqual([64, expect.stringContaining(says)]);
    expect([outer.requests.length, office.requests.length]).toEqual(before);
  },
);

test("{target} in a name is the only target too", async () => {
  const desk = await appliedProject();
  rmSync(join(desk.folder, ".zonewright"), { recursive: true });
  expect((await desk.run("snapshot --target office --out live-{target}.json")).talk).toContain("in live-office.json\n");
  expect((await desk.run("drift --target office --snapshot live-{target}.json --detailed-exitcode")).code).toBe(0);
});

const interruptions: [command: string, out: string, talk: string][] = [
  ["plan", "", "interrupted: nothing was changed\n"],
  ["drift", "", "interrupted: nothing was changed\n"],
  ["compare live zones", "", "interrupted: nothing was changed\n"],
  ["verify", "on public\n", "on public:\ninterrupted: nothing was changed\n"],
  ["apply --yes", "on public\n", "on public:\ninterrupted: no further writes are sent\n"],
  ["snapshot --out live-{target}.json", "", "on public:\ninterrupted: no further writes are sent\n"],
];

test.each(interruptions)("Ctrl-C during %s is not an error of the targets", async (command, ...shown) => {
  const desk = await appliedProject();
  const interruption = new AbortController();
  desk.services.public.between = () => {
    interruption.abort();
    // Answered at the end: a server that closes waits for replies that it owes.
    return () => new Promise((resolve) => onTestFinished(() => resolve(new Response())));
  };
  desk.services.office.requests.length = 0;
  const { code, out, talk } = await desk.run(command, { interruption });
  expect([code, out, talk]).toEqual([130, ...shown]);
  expect(desk.services.office.requests).toEqual([]);
});
