import { expect, test, vi } from "vitest";
import { formatZones, writeFormatted } from "../../src/workflow/export/fmt.ts";
import { planZones } from "../../src/workflow/plan/plan.ts";
import { mapItems, type ProgressEvent } from "../../src/workflow/project/progress.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import { readSnapshot } from "../../src/workflow/snapshot/snapshot.ts";
import { Output } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";

const names = ["a", "b", "c"].map((name) => `zones/${name}.example.yaml`);
const zone = "soa_email: a@example.com\nrecords:\n  b: {A: 192.0.2.1}\n  a: {A: 192.0.2.1}\n";
const files = Object.fromEntries(names.map((name) => [name, zone]));

test("a long task lets the event loop run every 50 ms, and ends when it aborts", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const interruption = new AbortController();
  setImmediate(() => interruption.abort());
  const done: number[] = [];
  const working = mapItems({ signal: interruption.signal }, ["counting", "item"], [...Array(1000).keys()], (item) => {
    done.push(item);
    now += 20;
  });
  await expect(working).rejects.toMatchObject({ name: "AbortError" });
  expect(done).toEqual([0, 1, 2]);
});

test("a short task never waits for the event loop", async () => {
  let isPassed = false;
  setImmediate(() => {
    isPassed = true;
  });
  vi.spyOn(performance, "now").mockReturnValue(0);
  const { signal } = new AbortController();
  expect(await mapItems({ signal }, ["doubling", "item"], [1, 2, 3], (item) => 2 * item)).toEqual([2, 4, 6]);
  expect(isPassed).toBe(false);
});

test.each([
  ["reading zone files", []],
  ["formatting files", []],
  ["writing files", names],
])("fmt that is interrupted while %s leaves every file as it was", async (task, formatted) => {
  const desk = new Desk(files);
  const interruption = new AbortController();
  const context = {
    ...createRunContext({ ...process, cwd: () => desk.folder }, interruption.signal),
    onProgress: (event: { readonly task: string; readonly done: number }) => {
      if (event.task === task && event.done === 2) interruption.abort();
    },
  };
  const project = openProject(context, { config: "zonewright.yaml" });
  const changed: string[] = [];
  const run = async () => {
    const { changes } = await formatZones(project, [], { sort: true });
    changed.push(...changes.map(({ file }) => file));
    await writeFormatted(project, changes);
  };
  await expect(run()).rejects.toMatchObject({ name: "AbortError" });
  expect(changed).toEqual(formatted);
  expect(desk.files()).toEqual(files);
});

test("planning reports every zone and name in each of its tasks, and ends there when it aborts", async () => {
  const desk = new Desk(files);
  const live = { format: "zonewright.snapshot/1", time: "2026-03-04T12:00:00Z", domains: [] };
  desk.write("live.json", JSON.stringify({ ...live, target: { api: "https://api.example", account: null } }));
  const planUntil = async (last?: string) => {
    const interruption = new AbortController();
    const counts = new Map<string, number[]>();
    const context = {
      ...createRunContext({ ...process, cwd: () => desk.folder }, interruption.signal),
      onProgress: ({ task, unit, done, total }: ProgressEvent) => {
        const name = `${task}: ${total} ${unit}s`;
        counts.set(name, [...(counts.get(name) ?? []), done]);
        if (name === last && done === 1) interruption.abort();
      },
    };
    const project = openProject(context, { config: "zonewright.yaml" });
    const planning = planZones(context, project, readSnapshot(context, "live.json"), { names: [] });
    if (last === undefined) await planning;
    else await expect(planning, last).rejects.toMatchObject({ name: "AbortError" });
    return counts;
  };
  const whole = [...(await planUntil())];
  expect(whole.map(([task]) => task)).toEqual([
    "reading zone files: 3 files",
    "checking zones: 3 zones",
    "reading live zones: 0 zones",
    "comparing zones: 3 zones",
    "sorting changes: 3 zones",
    "ordering writes: 3 zones",
    "indexing pointers: 3 zones",
    "collecting names: 3 zones",
    "looking up names: 18 names",
    "simulating writes: 3 zones",
    "listing effects: 3 zones",
    "checking guards: 3 zones",
  ]);
  for (const [index, [task, counts]] of whole.entries()) {
    expect(counts).toEqual([...counts.keys()]);
    if (counts.length > 1) expect([...(await planUntil(task))]).toEqual([...whole.slice(0, index), [task, [0, 1]]]);
  }
});

test.each([
  ["validate", 3, { "zones/a.example.yaml": "records: {}\n" }],
  ["validate", 0, {}],
  ["fmt --check --sort", 3, {}],
  ["export a.example --to bind", 0, {}],
])("%s that is interrupted while it prints its result ends with %d", async (command, code, changed) => {
  const desk = new Desk({ ...files, ...changed });
  const interruption = new AbortController();
  const output = new Output();
  vi.spyOn(output, "addOut").mockImplementation(() => interruption.abort());
  expect((await desk.run(command, { interruption, output })).code).toBe(code);
  expect(interruption.signal.aborted).toBe(true);
});

test.each([
  ["validate", "nothing was changed"],
  ["expand a.example", "no further writes are sent"],
  ["fmt", "no file was written"],
])("%s that is interrupted ends with 130", async (command, rest) => {
  const desk = new Desk(files);
  const interruption = new AbortController();
  interruption.abort();
  expect(await desk.run(command, { interruption })).toEqual({ code: 130, out: "", talk: `interrupted: ${rest}\n` });
  expect(desk.files()).toEqual(files);
});
