import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { ProgressDisplay, type ProgressMode, progressMode } from "../../src/cli/progress-display.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import { Output } from "./process.ts";
import { apiDesk, Desk } from "./run.ts";

test.each<[env: Record<string, string>, width: number | undefined, isQuiet: boolean, ProgressMode]>([
  [{}, 80, false, "bar"],
  [{}, undefined, false, "waits"],
  [{ CI: "true" }, undefined, false, "lines"],
  [{ CI: "1" }, 80, false, "lines"],
  [{ CI: "false" }, undefined, false, "waits"],
  [{ TERM: "dumb" }, 80, false, "waits"],
  [{}, 80, true, "none"],
  [{ CI: "true" }, undefined, true, "none"],
])("progress with %j, %s columns, --quiet %s: %s", (env, width, isQuiet, mode) => {
  expect(progressMode({ env, logWidth: () => width }, isQuiet)).toBe(mode);
});

/** A display on a terminal whose clock and width the test sets. */
function displayOf(mode: ProgressMode) {
  const world = { seconds: 0, width: 40, texts: [] as string[], ticks: [] as (() => void)[] };
  const style = { color: false, unicode: false };
  const write = (to: string) => (text: string) => void world.texts.push(`${to}${text}`);
  const display = new ProgressDisplay(
    {
      ...createRunContext(process),
      now: () => new Date(world.seconds * 1000),
      print: write("out "),
      log: write(""),
      printStyle: style,
      logStyle: style,
      ask: async (question) => {
        world.texts.push(question);
        return "yes";
      },
      readInput: async () => "",
      repeat: (ms, action) => {
        expect(ms).toBe(1_000);
        world.ticks.push(action);
        return () => void world.ticks.splice(world.ticks.indexOf(action), 1);
      },
      printWidth: () => world.width,
      logWidth: () => world.width,
    },
    mode,
  );
  const at = (seconds: number, done: number, task = "reading") => {
    world.seconds = seconds;
    display.terminal.onProgress?.({ task, unit: "file", done, total: 100 });
    return world.texts.splice(0);
  };
  /** Time without progress. */
  const wait = (seconds: number) => {
    world.seconds = seconds;
    for (const tick of world.ticks) tick();
    return world.texts.splice(0);
  };
  return { world, display, at, wait };
}

test("draws a bar after two seconds, at most four times a second, and at once for a new task", () => {
  const { at } = displayOf("bar");
  expect([at(0, 0), at(1.9, 10)]).toEqual([[], []]);
  expect(at(2, 20)).toEqual(["reading  ##-----------  20 of 100 files"]);
  expect([at(2.1, 21), at(2.2, 22)]).toEqual([[], []]);
  expect(at(2.25, 23)).toEqual(["\r\u001b[Kreading  ##-----------  23 of 100 files"]);
  expect(at(2.3, 0, "planning")).toEqual(["\r\u001b[Kplanning  -------------  0 of 100 files"]);
});

test("a bar is removed before other output and at the end", () => {
  const { at, world, display } = displayOf("bar");
  at(0, 0);
  at(3, 30);
  display.terminal.print("a plan\n");
  display.terminal.log("an error\n");
  expect(world.texts.splice(0)).toEqual(["\r\u001b[K", "out a plan\n", "an error\n"]);
  expect(at(4, 40)).toEqual(["reading  #####--------  40 of 100 files"]);
  display.terminal.onWait?.("busy", 3);
  expect(world.texts.splice(0)).toEqual(["\r\u001b[K", "busy; trying again in 3 s\n"]);
  at(5, 50);
  void display.terminal.ask?.("Apply 3 writes?");
  expect(world.texts.splice(0)).toEqual(["\r\u001b[K", "Apply 3 writes?"]);
  at(6, 60);
  display.clear();
  display.clear();
  expect(world.texts.splice(0)).toEqual(["\r\u001b[K"]);
});

test("shows how long a request takes that hangs; not over a question, nor after the end", () => {
  const { at, wait, world, display } = displayOf("bar");
  world.width = 60;
  at(0, 0);
  expect(wait(1)).toEqual([]);
  expect(wait(2)).toEqual(["reading  ------------------------  0 of 100 files"]);
  at(3, 10);
  expect(wait(9)).toEqual(["\r\u001b[Kreading  ---------  10 of 100 files - waiting for 6 seconds"]);
  display.terminal.log("example.com: done\n");
  world.texts.length = 0;
  expect(wait(10)).toEqual(["reading  ---------  10 of 100 files - waiting for 7 seconds"]);
  void display.terminal.ask?.("Apply 3 writes?");
  world.texts.length = 0;
  expect(wait(20)).toEqual([]);
  expect(at(21, 0, "applying")).toHaveLength(1);
  display.end();
  world.texts.length = 0;
  expect([wait(30), world.ticks]).toEqual([[], []]);
});

test("removes every row of a bar that a narrowed terminal has wrapped", () => {
  const { at, world } = displayOf("bar");
  at(0, 0);
  at(3, 30);
  world.width = 20;
  expect(at(4, 40)).toEqual(["\r\u001b[1A\u001b[J40 of 100 files"]);
});

test("a log gets a line every ten seconds, and nothing that moves the cursor", () => {
  const { at, wait, world, display } = displayOf("lines");
  expect([at(0, 0), at(9, 10)]).toEqual([[], []]);
  expect(at(10, 20)).toEqual(["reading: 20 of 100 files, 40 seconds left, 2 per second\n"]);
  expect([at(15, 25), at(16, 0, "planning")]).toEqual([[], []]);
  expect(at(20, 1, "planning")).toEqual(["planning: 1 of 100 files, 7 minutes left, 15 per minute\n"]);
  expect([wait(29), wait(30)]).toEqual([[], ["planning: 1 of 100 files, waiting for 10 seconds\n"]]);
  display.terminal.print("a plan\n");
  expect(world.texts).toEqual(["out a plan\n"]);
});

test.each([
  [
    "",
    ["4: waiting for http://api: no reply for 4 seconds\n", "34: waiting for http://api: no reply for 34 seconds\n"],
  ],
  [" --quiet", []],
])("plan%s, in a pipe: %j while the service does not reply", async (flag, expected) => {
  const events = new EventEmitter();
  const released = once(events, "release");
  const desk = await apiDesk({ "zones/a.test.yaml": zone }, (server) => async (request, connection) => {
    events.emit("held");
    await released;
    return server(request, connection);
  });
  const held = once(events, "held");
  const output = new Output();
  const ended = desk.run(`plan${flag}`, { output });
  await held;
  const said: string[] = [];
  for (let second = 1; second <= 60; second++) {
    const before = output.talk.length;
    desk.waited = second * 1000;
    for (const tick of desk.ticks) tick();
    if (output.talk.length > before)
      said.push(`${second}: ${output.talk.slice(before).replace(desk.url, "http://api")}`);
  }
  events.emit("release");
  expect([said, (await ended).code, desk.ticks.size]).toEqual([expected, 0, 0]);
});

const zone = "soa_email: hostmaster@example.com\nrecords: { www: { A: 192.0.2.1 } }\n";

test("validate shows progress on a terminal only, and never on standard output", async () => {
  const desk = new Desk(Object.fromEntries([1, 2, 3, 4].map((number) => [`zones/z${number}.example.yaml`, zone])));
  desk.obeys = true;
  desk.tick = 1_000;
  const piped = await desk.run("validate");
  expect(piped).toEqual({ code: 0, out: "valid: 4 zones, 4 records\n", talk: "" });
  desk.width = 80;
  const shown = await desk.run("validate");
  expect(shown.out).toBe(piped.out);
  expect(shown.talk).toMatch(/^reading zone files {2}█+░+ {2}\d of 4 files.*\r\u001b\[Kchecking zones.*\r\u001b\[K$/s);
  expect(await desk.run("validate --quiet")).toEqual(piped);
});

test("apply shows how many writes are done above its messages, and leaves no bar behind", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone, "zones/example.net.yaml": zone });
  desk.obeys = true;
  desk.tick = 500;
  desk.width = 100;
  const { code, out, talk } = await desk.run("apply --yes");
  expect({ code, last: out.split("\n").at(-2) }).toEqual({
    code: 0,
    last: "applied and verified: 2 zones are as planned",
  });
  expect(talk).toMatch(/applying {2}█*░* {2}\d of 6 writes · /);
  // The final text on a terminal: each bar is removed by the text that follows it.
  expect(
    talk
      .replaceAll(/[^\n\r]*\r\u001b\[K/g, "")
      .split("\n")
      .sort(),
  ).toEqual(["", "example.com: 3 writes", "example.com: done", "example.net: 3 writes", "example.net: done"]);
});
