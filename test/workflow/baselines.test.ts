import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adviceText } from "../../src/diagnostics/advice.ts";
import { canonical } from "../../src/dns/zone/zone.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import { driftText } from "../../src/report/drift/text.ts";
import { createMemoryTarget, type MemoryOptions } from "../../src/targets/memory/memory-target.ts";
import { apply } from "../../src/workflow/apply/apply.ts";
import { undo } from "../../src/workflow/apply/undo.ts";
import { findDrift } from "../../src/workflow/drift/drift.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { domainName } from "../names.ts";
import { zoneOf } from "../planner/world.ts";
import { newFolder, runContext } from "../targets/conformance.ts";

const name = domainName("example.com.");
const allow = guards.map(({ guard }) => guard);

/** A project with a zone on a service without a log of events. `beforeRead`: called before each read of the zone. */
function open(options: MemoryOptions, beforeRead: { call?: (fail: () => Error) => void } = {}) {
  const target = createMemoryTarget({
    ...options,
    onMessage: async (message, carryOut, fail) => {
      if (message.name === "read zone") beforeRead.call?.(() => fail("refused"));
      return carryOut();
    },
  });
  const root = newFolder();
  const context = runContext(root);
  mkdirSync(join(root, "zones"));
  const project = () => openProject(context, { config: "zonewright.yaml", kind: target });
  const connection = { target, api: "memory" };
  const request = { allow, confirm: async () => true };
  return {
    target,
    write: (text: string) => writeFileSync(join(root, "zones", "example.com.zone"), `$TTL 1h\n${text}`),
    run: () => apply(context, project(), connection, { ...request, names: [] }),
    undo: async (run = "last") => {
      const notes: string[] = [];
      const found = await undo(context, project(), connection, {
        ...request,
        run,
        onPlan: (report) => {
          const own = report.notes.filter(({ id }) => id === "undo-skipped");
          notes.push(...own.map(({ summary }) => adviceText(summary, "cli")));
        },
      });
      return found.state === "nothing-left" ? found.notes.map((note) => adviceText(note, "cli")) : notes;
    },
    edit: (add: string, remove = "") =>
      target.edit(name, [
        ...[...zoneOf(remove).records].map((record) => ({ remove: record })),
        ...[...zoneOf(add).records].map((record) => ({ add: record })),
      ]),
    drift: async (more: object = {}) => {
      const { report } = await findDrift(context, project(), connection, { names: [], ...more });
      return driftText({ ...report, requests: 2 }, { color: false, unicode: false });
    },
    lines: async () => {
      const [zone] = await target.read.listZones();
      const records = zone ? await target.read.readRecords(zone) : [];
      return records.map((record) => `${record.owner.split(".")[0]} ${record.type} ${canonical(record)}`).sort();
    },
    baselines: () => {
      const runs = join(root, ".zonewright", "runs");
      return readdirSync(runs)
        .map((run) => join(runs, run, "after", "example.com.json"))
        .filter(existsSync);
    },
  };
}

const services: MemoryOptions[] = (["stored", "content"] as const).flatMap((ids) =>
  (["none", "zone"] as const).map((changeSets) => ({ ids, changeSets })),
);

const unknown = "author unknown: the service keeps no log of events";
const head = (known: number) => `last known state of ${known} of 1 zone; 1 zone read, without a log of events\n`;

test.each(services)("undo leaves the SOA record to a service whose apex is ours: %j", async (options) => {
  const { target, write, run, undo, lines } = open({ ...options, apex: "ours" });
  const before = "@ NS ns1.example.net.\n@ NS ns2.example.net.\nwww A 192.0.2.1\n";
  write(before);
  await run();
  const stored = await lines();
  write("@ NS ns1.example.net.\n@ NS ns3.example.net.\nwww CNAME example.net.\n");
  await run();
  target.edit(
    name,
    [...zoneOf("x 3600 A 192.0.2.9\n").records].map((add) => ({ add })),
  );
  expect(await undo()).toEqual([]);
  expect(await lines()).toEqual([...stored, "x A 192.0.2.9"]);
});

describe.each(services)("with ids: $ids, changeSets: $changeSets", (options) => {
  test("drift compares the file, the live zone and the state after the last run", async () => {
    const { write, run, edit, drift } = open(options);
    write("a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\nd A 192.0.2.1\ne A 192.0.2.1\n");
    await run();
    expect(await drift()).toBe(`${head(1)}in sync: 1 zone - 2 requests\n`);
    edit(
      "x 3600 A 192.0.2.9\nb 3600 A 192.0.2.2\nd 3600 A 192.0.2.2\ne 3600 A 192.0.2.2\n",
      "a A 192.0.2.1\nb A 192.0.2.1\nd A 192.0.2.1\ne A 192.0.2.1\n",
    );
    write("a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.3\nd A 192.0.2.3\ne A 192.0.2.2\nnew A 192.0.2.1\n");
    expect(await drift()).toBe(`${head(1)}\
example.com
  conflict  d A
            snapshot 3600 192.0.2.1
            git      3600 192.0.2.3
            live     3600 192.0.2.2
            ${unknown}
  drift     a A  3600 192.0.2.1 -> (none)
            ${unknown}
  drift     b A  3600 192.0.2.1 -> 3600 192.0.2.2
            ${unknown}
  foreign   x A  3600 192.0.2.9
            ${unknown}
  converged e A  3600 192.0.2.1 -> 3600 192.0.2.2
            ${unknown}
drift: 1 conflict, 2 changes outside git, 1 addition outside git, 1 converged change, 2 pending changes in 1 of 1 zone - 2 requests
\`zonewright plan\` lists the pending changes
`);
  });

  test("undo restores what the run wrote unless it was changed since, and tells the rest", async () => {
    const { target, write, run, edit, undo, lines, drift } = open(options);
    target.addZone(name, [...zoneOf("a 3600 A 192.0.2.1\nb 3600 A 192.0.2.1\nc 3600 A 192.0.2.1\n").records]);
    write("a A 192.0.2.2\nb A 192.0.2.2\nd A 192.0.2.1\ne A 192.0.2.1\n");
    await run();
    edit("b 3600 A 192.0.2.9\nx 3600 A 192.0.2.9\n", "b A 192.0.2.2\ne A 192.0.2.1\n");
    expect(await undo()).toEqual([
      "b.example.com. A 192.0.2.2: it was changed or deleted after the run",
      "e.example.com. A 192.0.2.1: it was changed or deleted after the run",
    ]);
    expect(await lines()).toEqual(["a A 192.0.2.1", "b A 192.0.2.9", "c A 192.0.2.1", "x A 192.0.2.9"]);
    expect(await drift()).toBe(`${head(1)}\
example.com
  drift     b A  3600 192.0.2.2 -> 3600 192.0.2.9
            ${unknown}
  drift     e A  3600 192.0.2.1 -> (none)
            ${unknown}
  foreign   x A  3600 192.0.2.9
            ${unknown}
drift: 2 changes outside git, 1 addition outside git, 3 pending changes in 1 of 1 zone - 2 requests
\`zonewright plan\` lists the pending changes
`);
  });

  test("what another client writes before the zone is read back is no part of the baseline", async () => {
    const before: { call?: () => void } = {};
    const { write, run, edit, drift } = open(options, before);
    write("a A 192.0.2.1\n");
    await run();
    write("a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\n");
    let reads = 0;
    before.call = () => {
      if (++reads === 2) edit("x 3600 A 192.0.2.9\n", "b A 192.0.2.1\n");
    };
    await run();
    expect(await drift()).toBe(`${head(1)}\
example.com
  drift     b A  3600 192.0.2.1 -> (none)
            ${unknown}
  foreign   x A  3600 192.0.2.9
            ${unknown}
drift: 1 change outside git, 1 addition outside git in 1 of 1 zone - 2 requests
`);
  });

  test("a run that ended before it saved the state leaves that of the run before with its writes", async () => {
    const before: { call?: (fail: () => Error) => void } = {};
    const { write, run, drift, edit, baselines } = open(options, before);
    write("a A 192.0.2.1\n");
    await run();
    write("a A 192.0.2.2\nb A 192.0.2.1\n");
    let reads = 0;
    before.call = (fail) => {
      if (++reads === 2) throw fail();
    };
    await run();
    delete before.call;
    edit("x 3600 A 192.0.2.9\n");
    expect(baselines().length).toBe(1);
    const foreign = `${head(1)}\
example.com
  foreign   x A  3600 192.0.2.9
            ${unknown}
drift: 1 addition outside git in 1 of 1 zone - 2 requests
`;
    expect(await drift()).toBe(foreign);
    edit("", "x A 192.0.2.9\n");
    expect((await run()).state).toBe("empty");
    expect(baselines().length).toBe(2);
    edit("x 3600 A 192.0.2.9\n");
    expect(await drift()).toBe(foreign);
    const [latest = ""] = baselines().slice(-1);
    writeFileSync(latest, readFileSync(latest, "utf8").replace('"name":"example.com."', '"name":"example.net."'));
    expect(await drift(), "the file of another zone").toBe(foreign);
    for (const file of baselines()) truncateSync(file, 20);
    expect((await drift()).replace(/run \S+ left/, "run ID left")).toBe(`${head(0)}\
example.com
  differs   x A  git (none), live 3600 192.0.2.9
note  example.com has no baseline, so changes in git cannot be told from changes elsewhere: how run ID left the zone is not saved: the run was interrupted or failed before, or the file was removed
  The next apply saves one.
drift: 1 difference in 1 of 1 zone - 2 requests
`);
  });
});

test("a zone that no run wrote to has no baseline", async () => {
  const { target, write, drift } = open({});
  target.addZone(name, [...zoneOf("a 3600 A 192.0.2.1\n").records]);
  write("a A 192.0.2.2\n");
  expect(await drift()).toBe(`${head(0)}\
example.com
  differs   a A  git 3600 192.0.2.2, live 3600 192.0.2.1
note  example.com has no baseline, so changes in git cannot be told from changes elsewhere: no run of this checkout has written to it
  The next apply that writes to it saves one.
drift: 1 difference in 1 of 1 zone - 2 requests
`);
});

test("a state of polls, which consists of events, is refused", async () => {
  const { write, drift } = open({});
  write("a A 192.0.2.2\n");
  await expect(drift({ state: "state.json" })).rejects.toThrow(
    "needs a log of events, which the service does not keep",
  );
});

test("the NS records of an apex that is ours are compared, and those of the service are not", async () => {
  for (const apex of ["ours", "service"] as const) {
    const { write, run, edit, drift } = open({ apex });
    write("@ NS ns1.example.net.\n@ NS ns2.example.net.\na A 192.0.2.1\n");
    await run();
    edit("@ 3600 NS ns3.example.net.\n", "@ NS ns2.example.net.\n");
    expect(await drift()).toBe(
      `${head(1)}${
        apex === "service"
          ? "in sync: 1 zone - 2 requests\n"
          : `example.com
  drift     @ NS  3600 ns2.example.net. -> 3600 ns3.example.net.
            ${unknown}
drift: 1 change outside git in 1 of 1 zone - 2 requests
`
      }`,
    );
  }
});
