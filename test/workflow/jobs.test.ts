import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { apply } from "../../src/workflow/apply/apply.ts";
import { readRuns } from "../../src/workflow/apply/runs.ts";
import { undo } from "../../src/workflow/apply/undo.ts";
import { connect } from "../../src/workflow/connect/connect.ts";
import { exportLive } from "../../src/workflow/export/export.ts";
import { formatZones, writeFormatted } from "../../src/workflow/export/fmt.ts";
import { importZones, writeImported } from "../../src/workflow/import/import.ts";
import { planZones } from "../../src/workflow/plan/plan.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import type { RunContext } from "../../src/workflow/project/run-context.ts";
import { snapshotSize } from "../../src/workflow/project/snapshot-target.ts";
import { takeSnapshot } from "../../src/workflow/snapshot/snapshot.ts";
import { validateZones } from "../../src/workflow/snapshot/validate.ts";
import { explain } from "../../src/workflow/start/explain.ts";
import { apiDesk, noon } from "../cli/run.ts";

test("every job runs without a terminal and returns its result", async () => {
  const desk = await apiDesk({
    "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords:\n  www: {A: 192.0.2.1}\n",
  });
  const context: RunContext = {
    cwd: desk.folder,
    env: desk.env,
    signal: new AbortController().signal,
    now: () => noon,
    nonce: () => randomBytes(16).toString("hex"),
    sleep: async () => {},
    pid: 4711,
    repeat: () => () => {},
    isAlive: () => false,
    resolvers: () => [],
  };
  const open = () => openProject(context, { config: "zonewright.yaml" });
  const project = open();
  expect(await validateZones(project, [])).toEqual({
    problems: [],
    files: ["zones/example.com.yaml"],
    zones: 1,
    templates: 0,
    records: 1,
  });

  await connect(context, project, {}, async (connection) => {
    const planned = await planZones(context, project, connection, { names: [], lifeSeconds: 3600 });
    expect([planned.isEmpty, planned.isBlocked, planned.report.writes]).toEqual([false, false, 3]);
    expect(planned.file?.format).toMatch(/^zonewright\.plan\//);

    const declined = await apply(context, project, connection, { names: [], confirm: async () => false });
    expect([declined.state, desk.writes]).toEqual(["declined", []]);

    const events: string[] = [];
    const applied = await apply(context, project, connection, {
      names: [],
      confirm: async ({ writes }) => writes === 3,
      onEvent: ({ kind }) => events.push(kind),
    });
    if (applied.state !== "run") throw new Error(applied.state);
    expect(applied.run).toMatchObject({ zones: 1, done: 1, errors: [], differing: [], isInterrupted: false });
    expect([events[0], events.at(-1)]).toEqual(["zone-begun", "zone-done"]);
    const again = await apply(context, project, connection, { names: [], confirm: async () => true });
    expect(again.state).toBe("empty");

    const {
      zones: [exported],
    } = await exportLive(project, connection.target, ["example.com"], { to: "records" });
    expect(exported?.text).toBe("www.example.com. 86400 IN A 192.0.2.1\n");
    const snapshot = await takeSnapshot(context, connection);
    expect(snapshotSize(snapshot)).toEqual({ zones: 1, records: 1 });

    desk.write("zones/example.com.yaml", "soa_email: hostmaster@example.com\nrecords: {}\n");
    const { value: imported } = await (await importZones(open(), connection.target, [], { to: "yaml" })).next();
    if (imported?.state !== "changed") throw new Error(imported?.state);
    await writeImported(project, imported);
    expect(desk.read("zones/example.com.yaml")).toBe(imported.text);

    const [first] = readRuns(project);
    const undone = await undo(context, project, connection, {
      run: first?.id ?? "",
      allow: ["G03,G06"],
      confirm: async () => true,
    });
    expect(undone.state).toBe("run");
  });

  const sorted = "soa_email: hostmaster@example.com\nrecords:\n  a: {A: 192.0.2.1}\n  b: {A: 192.0.2.1}\n";
  const unsorted = sorted.replace("  a: {A: 192.0.2.1}\n", "").concat("  a: {A: 192.0.2.1}\n");
  desk.write("zones/example.com.yaml", unsorted);
  const { changes, files } = await formatZones(open(), [], { sort: true });
  expect([changes.map(({ file }) => file), files]).toEqual([["zones/example.com.yaml"], 1]);
  expect(desk.read("zones/example.com.yaml")).toBe(unsorted);
  await writeFormatted(project, changes);
  expect(desk.read("zones/example.com.yaml")).toBe(Buffer.from(changes[0]?.after ?? []).toString());
  expect((await formatZones(open(), [], { sort: true })).changes).toEqual([]);
  expect(explain("g05").kind).toBe("guard");
});
