import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { adviceText } from "../../src/diagnostics/advice.ts";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import { driftText } from "../../src/report/drift/text.ts";
import { planText } from "../../src/report/plan/text.ts";
import { createMemoryTarget } from "../../src/targets/memory/memory-target.ts";
import { apply } from "../../src/workflow/apply/apply.ts";
import { findDrift } from "../../src/workflow/drift/drift.ts";
import { checkPublished } from "../../src/workflow/drift/known-primaries.ts";
import { planZones } from "../../src/workflow/plan/plan.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { parseSnapshot } from "../../src/workflow/project/snapshot-target.ts";
import { liveZonesOf, publishSnapshot, readSnapshot, takeSnapshot } from "../../src/workflow/snapshot/snapshot.ts";
import { validateZones } from "../../src/workflow/snapshot/validate.ts";
import { findSnapshotToValidate } from "../../src/workflow/snapshot/validation-snapshot.ts";
import { everyTypeZone, masterText } from "../dns/every-type.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { domainName } from "../names.ts";
import { zoneOf } from "../planner/world.ts";
import { newFolder, runContext } from "../targets/conformance.ts";

const name = domainName("example.com.");
const allow = guards.map(({ guard }) => guard);
const style = { color: false, unicode: false };
const apex = "@ 3600 NS ns1.example.net.\n";
const ref = "refs/zonewright/targets/office";

/** A project with a target whose records have no ids, and its zone on the service. */
function open(live = `${apex}www 3600 A 192.0.2.1\n`) {
  const office = createMemoryTarget({ apex: "ours", ids: "content", zones: "neither", lock: "rrset" });
  office.addZone(name, zoneOf(live).records);
  const root = newFolder();
  const context = runContext(root);
  mkdirSync(join(root, "zones"));
  writeFileSync(join(root, "zonewright.yaml"), "targets: { office: { kind: rfc2136, server: ns0.example.net } }\n");
  execFileSync("git", ["init", "--quiet", root]);
  const service = { target: office, kind: "rfc2136", api: "dns://ns0.example.net", name: "office" } as const;
  const moved = { ...service, api: "dns://ns9.example.net" } as const;
  const view = () => {
    const opened = openProject(context, { config: "zonewright.yaml", kinds: { office }, target: ["office"] });
    const [only] = opened.selected;
    return { ...opened, ...(only && { view: only }) };
  };
  const take = () => takeSnapshot(context, service, [nameKey(name)]);
  return {
    office,
    root,
    context,
    take,
    moved,
    publish: async () => {
      const taken = await take();
      await checkPublished(view(), taken);
      publishSnapshot(context, JSON.stringify(taken), { ref, time: new Date(taken.time), isPushed: false });
    },
    write: (text: string) => writeFileSync(join(root, "zones", "example.com.zone"), `$TTL 1h\n${text}`),
    edit: (add: string, remove = "") =>
      office.edit(name, [
        ...[...zoneOf(remove).records].map((record) => ({ remove: record })),
        ...[...zoneOf(add).records].map((record) => ({ add: record })),
      ]),
    validate: () => validateZones(view(), [], (one) => findSnapshotToValidate(context, one)),
    plan: async (from: Parameters<typeof planZones>[2] = service) =>
      planText((await planZones(context, view(), from, { names: [], allow })).report, style),
    run: () => apply(context, view(), service, { names: [], allow, confirm: async () => true }),
    drift: async (snapshot?: string, from: typeof service | typeof moved = service) => {
      const { report } = await findDrift(context, view(), from, { names: [], snapshot });
      return driftText({ ...report, requests: 2 }, style);
    },
  };
}

test("a snapshot has the records of each zone in the form of master files", async () => {
  const { take, edit } = open();
  edit('txt 60 TXT "a\\"b" "c"\n');
  const record = (owner: string, ttl: number, type: string, rdata: string) => ({ owner, type, ttl, rdata });
  expect(await take()).toEqual({
    format: "zonewright.snapshot/2",
    time: "2026-03-04T12:02:00Z",
    target: { name: "office", kind: "rfc2136", api: "dns://ns0.example.net", account: null },
    zones: ["example.com."],
    contents: [
      {
        zone: "example.com.",
        records: [
          record(
            "example.com.",
            3600,
            "SOA",
            "ns1.zonewright.invalid. ns1.zonewright.invalid. 1 14400 14400 1209600 3600",
          ),
          record("example.com.", 3600, "NS", "ns1.example.net."),
          record("www.example.com.", 3600, "A", "192.0.2.1"),
          record("txt.example.com.", 60, "TXT", '"a\\"b" "c"'),
        ],
      },
    ],
  });
});

test("a plan against a snapshot is that against the service, without its reads", async () => {
  const { root, context, take, write, plan } = open();
  write(`${apex}www A 192.0.2.2\nnew A 192.0.2.3\n`);
  writeFileSync(join(root, "live.json"), JSON.stringify(await take()));
  const changes = (text: string) => text.replace(/ - \d+ reads$|(?<=5 reads) .*$/gm, "");
  const live = await plan();
  expect(live).toContain("~  change  www  A  3600  192.0.2.1 -> 192.0.2.2");
  expect(changes(await plan(readSnapshot(context, "live.json")))).toBe(changes(live));
});

const head = "last known state of 1 of 1 zone; 1 zone read, without a log of events\n";

const rejection = (action: Promise<unknown>) =>
  action.then(
    () => [],
    (error) => {
      if (!(error instanceof ProblemError)) throw error;
      return error.problems.map(({ summary, fix = "" }) => [adviceText(summary, "cli"), adviceText(fix, "cli")]);
    },
  );

test("a checkout without runs knows zones by the published snapshot, until its own run is newer", async () => {
  const { root, publish, write, plan, run, drift, edit } = open();
  write(`${apex}www A 192.0.2.1\n`);
  await publish();
  expect(await plan()).toBe("in sync: 1 zone, nothing to do\n");
  edit("www 3600 A 192.0.2.9\n", "www A 192.0.2.1\n");
  expect(await drift(), "an edit by someone else").toBe(`${head}\
example.com
  drift     www A  3600 192.0.2.1 -> 3600 192.0.2.9
            author unknown: the service keeps no log of events
drift: 1 change outside git in 1 of 1 zone - 2 requests
`);
  expect(await plan(), "whose author is unknown, without a request").toMatchInlineSnapshot(`
    "example.com                               ~1 change
      1 ~  change  www  A  3600  192.0.2.9 -> 192.0.2.1  undoes a change made outside git, author unknown: the service keeps no log of events  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.zone:3
    note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
    plan: 1 change in 1 of 1 zone - effects 068ac851 - 2 reads
    apply sends 1 write and 5 reads (no rate limit)
    "
  `);
  edit("@ 3600 NS ns2.example.net.\n");
  expect(await rejection(plan()), "the name servers of another view").toEqual([
    [
      "example.com: the name servers are ns1.example.net, ns2.example.net, and were ns1.example.net in the published snapshot",
      `If git has the change, update the checkout, and the snapshot with \`git fetch origin +${ref}:${ref}\`. Otherwise \`zonewright drift example.com\` shows the changes. If that is meant, \`zonewright drift example.com --accept-primary\` accepts the primary and name servers, and \`zonewright snapshot --ref ${ref}\` publishes them; if not, check the server and ZONEWRIGHT_OFFICE_TSIG_KEY: another key can select another view.`,
    ],
  ]);
  expect(await rejection(publish()), "a snapshot of them").toEqual(await rejection(plan()));
  execFileSync("git", ["-C", root, "update-ref", "-d", ref]);
  expect(await plan(), "without the snapshot").toContain("no apply to these zones is known here yet");
  await publish();
  expect(await plan(), "the change is published").toContain("plan: 2 changes in 1 of 1 zone");
  await run();
  write(`${apex}www A 192.0.2.7\n`);
  await run();
  write(`${apex}www A 192.0.2.1\n`);
  expect(await plan(), "its own run is no change by someone else").toMatch(
    /^ +1 ~ +change +www +A +3600 +192\.0\.2\.7 -> 192\.0\.2\.1 +updated in place/m,
  );
  await run();
  expect(await drift(), "the state after the run").toBe(`${head}in sync: 1 zone - 2 requests\n`);
  await publish();
  rmSync(join(root, ".zonewright"), { recursive: true });
  expect(await drift(), "the snapshot again").toBe(`${head}in sync: 1 zone - 2 requests\n`);
  edit("www 3600 A 192.0.2.8\n", "www A 192.0.2.1\n");
  expect(
    await drift(`ref:${ref}`),
    "a named snapshot",
  ).toBe(`snapshot ref:${ref} of 2026-03-04T12:02:00Z; all zones read (the service keeps no log of events)
example.com
  drift     www A  3600 192.0.2.1 -> 3600 192.0.2.8
            author unknown: the service keeps no log of events
drift: 1 change outside git in 1 of 1 zone - 2 requests
`);
});

test("a snapshot of another server says nothing about the zones of this one", async () => {
  const { publish, write, drift, edit, moved } = open();
  write(`${apex}@ NS ns2.example.net.\nwww A 192.0.2.1\n`);
  await publish();
  edit("@ 3600 NS ns2.example.net.\n");
  expect(await drift(undefined, moved)).toMatchInlineSnapshot(`
    "last known state of 0 of 1 zone; 1 zone read, without a log of events
    note  example.com has no baseline, so changes in git cannot be told from changes elsewhere: no run of this checkout has written to it
      The next apply that writes to it saves one.
    in sync: 1 zone - 2 requests
    "
  `);
  expect(await rejection(drift(`ref:${ref}`, moved))).toEqual([
    [
      `ref:${ref} is a snapshot of dns://ns0.example.net, not of dns://ns9.example.net`,
      "Name a snapshot of the target office.",
    ],
  ]);
});

test("zone files are checked without the published snapshot of a service that has no nodes", async () => {
  const { publish, write, validate } = open();
  write(`${apex}www A 192.0.2.1\n`);
  await publish();
  expect(await validate()).toEqual({
    problems: [],
    files: ["zones/example.com.zone"],
    zones: 1,
    records: 2,
    templates: 0,
  });
});

test("damaged snapshots are refused with their fault", async () => {
  const { take, root, context } = open();
  const taken = JSON.stringify(await take());
  const rows: readonly (readonly [before: string, after: string, fault: string])[] = [
    [
      "zonewright.snapshot/2",
      "zonewright.snapshot/3",
      "live.json is not a valid snapshot: format: must be zonewright.snapshot/1 or zonewright.snapshot/2",
    ],
    [
      '"kind":"rfc2136"',
      '"kind":"ftp"',
      'live.json is not a valid snapshot: target.kind: Invalid option: expected one of "api"|"rfc2136"|"powerdns"|"files"',
    ],
    [
      '"ttl":3600',
      '"ttl":-1',
      "live.json is not a valid snapshot: contents.0.records.0.ttl: Too small: expected number to be >=0",
    ],
    [
      '"rdata":"192.0.2.1"',
      '"rdata":"192.0.2.256"',
      "the snapshot contains www.example.com. A, which is not valid: not an IPv4 address",
    ],
    [
      '"rdata":"192.0.2.1"',
      '"rdata":"192.0.2.1 x"',
      "the snapshot contains www.example.com. A, which is not valid: A record has too many fields",
    ],
    [
      '"type":"A"',
      '"type":"AXFR"',
      "the snapshot contains www.example.com. AXFR, which is not valid: no record has this type",
    ],
    [
      '"owner":"www.example.com."',
      '"owner":"www..example.com."',
      "the snapshot contains www..example.com. A, which is not valid: the name has an empty label",
    ],
    [
      '"owner":"www.example.com."',
      '"owner":"\u202ewww.example.com."',
      "live.json is not a valid snapshot: contents.0.records.2.owner: must consist of octets",
    ],
    [
      '"zone":"example.com."',
      `"zone":"${"x".repeat(64)}."`,
      `the snapshot contains ${"x".repeat(64)}., which is not valid: a label is 64 octets long; the limit is 63`,
    ],
    [
      '"contents":[{',
      '"contents":[{"zone":"EXAMPLE.com.","records":[]},{',
      "the snapshot contains the zone example.com. twice",
    ],
  ];
  for (const [before, after, fault] of rows) {
    expect(taken).toContain(before);
    writeFileSync(join(root, "live.json"), taken.replace(before, after));
    expect(await rejection((async () => readSnapshot(context, "live.json"))()), after).toEqual([
      [fault, expect.stringMatching(/^Create a new one with `zonewright snapshot/)],
    ]);
  }
});

test("every type and value comes back from a snapshot", async () => {
  await fc.assert(
    fc.asyncProperty(everyTypeZone("example.com."), async (lines) => {
      const office = createMemoryTarget({ apex: "ours", ids: "content", zones: "neither" });
      office.addZone(name, readZone(masterText(lines), "example.com").records);
      const service = { target: office, kind: "rfc2136", api: "dns://ns0.example.net", name: "office" } as const;
      const text = JSON.stringify(await takeSnapshot(runContext(newFolder()), service));
      const [zone] = (await liveZonesOf(parseSnapshot("live.json", text))).values();
      const [head] = await office.read.listZones();
      expect(head && zone?.records).toEqual(head && (await office.read.readRecords(head)));
    }),
    { numRuns: 20 },
  );
});
