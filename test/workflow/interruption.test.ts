import { expect, test, vi } from "vitest";
import { formatZones, writeFormatted } from "../../src/workflow/fmt.ts";
import { mapItems } from "../../src/workflow/progress.ts";
import { openProject } from "../../src/workflow/project.ts";
import { createRunContext } from "../../src/workflow/run-context.ts";
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

test.each([
  ["validate", "no further writes are sent"],
  ["expand a.example", "no further writes are sent"],
  ["fmt", "no file was written"],
])("%s that is interrupted ends with 130", async (command, rest) => {
  const desk = new Desk(files);
  const interruption = new AbortController();
  interruption.abort();
  expect(await desk.run(command, { interruption })).toEqual({ code: 130, out: "", talk: `interrupted: ${rest}\n` });
  expect(desk.files()).toEqual(files);
});
