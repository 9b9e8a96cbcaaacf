// @suite long

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Program } from "./process.ts";
import { apiDesk, Desk, lines } from "./run.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";

/** Ways to put something that is not a regular file at a path, and what a message calls it. */
const kinds: readonly [what: string, put: (path: string) => unknown][] = [
  ["a named pipe", (path) => execFileSync("mkfifo", [path])],
  ["a device", (path) => symlinkSync("/dev/zero", path)],
  ["a folder", (path) => mkdirSync(path)],
  [
    "a socket",
    (path) =>
      new Promise<void>((resolve) => {
        const server = createServer().listen(path, resolve);
        onTestFinished(() => void server.close());
      }),
  ],
];

/** Files that commands read. The rest of a message says what the file is, and what to do. */
const readings: readonly [file: string, command: string, message: string][] = [
  ["zonewright.yaml", "validate", "error[config-read] the config zonewright.yaml cannot be read: "],
  ["other.yaml", "validate --config other.yaml", "error[config-read] the config other.yaml cannot be read: "],
  ["acks.yaml", "plan --against live.json", "error[file-read] acks.yaml cannot be read: "],
  ["snapshot.json", "plan --against snapshot.json", "error[file-read] snapshot.json cannot be read: "],
  ["plan.json", "apply plan.json", "error[file-read] plan.json cannot be read: "],
  ["token", "plan --token-file token", "error[token-missing] the token file token (--token-file) cannot be read: "],
];

test.each(kinds)("reads no config, approvals, plan, snapshot or token from %s", async (what, put) => {
  const live = (await (await apiDesk()).run("snapshot")).out;
  for (const [file, command, message] of readings) {
    const desk = new Desk({ "zones/example.com.yaml": zone, "live.json": live });
    await put(join(desk.folder, file));
    const { code, talk } = await desk.run(command, { env: { ZONEWRIGHT_TOKEN: "token" } });
    const [first = "", next = ""] = talk.split("\n");
    expect([command, code, first]).toEqual([command, 3, `${message}it is ${what}`]);
    expect(next).toMatch(/^ {2}Name a (?:regular file, or put one in its place|file that contains only the token)\.$/);
  }
});

test.each(readings.slice(0, 3))("does not take a link to a missing %s for no file", async (file, command, message) => {
  const desk = new Desk({ "zones/example.com.yaml": zone, "live.json": (await (await apiDesk()).run("snapshot")).out });
  symlinkSync("nowhere.yaml", join(desk.folder, file));
  const { code, talk } = await desk.run(command);
  expect([code, talk.split("\n")[0]]).toEqual([3, expect.stringContaining(`${message}it `)]);
});

test.each(kinds.filter(([what]) => what !== "a folder"))("reads no zone file from %s", async (what, put) => {
  const desk = new Desk();
  await put(join(desk.folder, "example.com.yaml"));
  for (const command of ["validate example.com.yaml", "fmt example.com.yaml", "export --to bind example.com.yaml"]) {
    const { code, talk } = await desk.run(command);
    expect([command, code, talk]).toEqual([
      command,
      3,
      `error[file-read] example.com.yaml cannot be read: it is ${what}\n  Make it a regular file that this user may read, or remove it.\n`,
    ]);
  }
  expect((await desk.run("validate --zones example.com.yaml")).talk).toMatch(
    /^error\[zones-folder] .* a file is in the/,
  );
});

test("completes nothing from a config that is a pipe", async () => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  execFileSync("mkfifo", [join(desk.folder, "zonewright.yaml")]);
  expect((await desk.run("__complete zones")).out).toBe("example.com\n");
});

test("a pipe in place of a journal or a lock stops no command", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone, ".zonewright/runs/20260101T000000/plan.json": "" });
  for (const file of ["lock", "runs/20260101T000000/journal.jsonl"])
    execFileSync("mkfifo", [join(desk.folder, ".zonewright", file)]);
  expect((await desk.run("runs")).code).toBe(0);
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("runs last")).out).toContain("example.com");
});

test("a pipe in place of the progress of an import is rejected", async () => {
  const desk = new Desk({ ".zonewright/import/x": "" });
  execFileSync("mkfifo", [join(desk.folder, ".zonewright/import/import.jsonl")]);
  expect(await desk.run("import axfr example.com --from 127.0.0.1:9")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[file-read] /desk/.zonewright/import/import.jsonl cannot be read: it is a named pipe
        Make it a regular file that this user may read, or remove it.
    `,
  });
});

test("reads what a shell passes: a zone and a config by <(command), a token by standard input", async () => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  const bind = "$ORIGIN example.com.\n@ 3600 SOA ns1 a 1 2 3 4 5\nwww 3600 A 192.0.2.1\n";
  const script = `"$0" "$@" --config <(echo 'zones: zones') <(printf '${bind.replaceAll("\n", "\\n")}')`;
  const program = new Program(desk.folder, "export --to records", {}, ["bash", "-c", script]);
  expect(await program.end()).toEqual({
    code: 0,
    out: expect.stringContaining("www.example.com. 3600 IN A 192.0.2.1\n"),
    talk: "",
  });
  const env = { ZONEWRIGHT_API_URL: "http://127.0.0.1:1" };
  const piped = ["bash", "-c", 'echo token | "$0" "$@"'];
  const { talk } = await new Program(desk.folder, "plan --token-file /dev/stdin", env, piped).end();
  expect(talk).toMatch(/^error\[transport\/refused\]/);
  expect((await desk.run("validate --config /dev/null --zones zones")).code).toBe(0);
}, 30_000);

const long = "a".repeat(300);
const unknown = lines`
  error[zone-unknown] LONG is neither a file nor a zone of this project
    Write the path of a zone file, or the name of a zone of this project.
`;
const unread = lines`
  error[file-read] LONG.json cannot be read: its name is too long for the file system
    Check the path.
`;

test.each([
  [`apply ${long}`, unknown],
  [`plan ${long}`, unknown],
  [`validate ${long}`, unknown],
  [`fmt ${long}`, unknown],
  [`expand ${long}`, unknown],
  [`verify ${long}`, unknown],
  [`export --to bind ${long}`, unknown],
  [`apply ${long}.json`, unread],
  [
    `plan --config ${long}/zonewright.yaml`,
    "error[config-read] the config LONG/zonewright.yaml cannot be read: its name is too long for the file system\n  Check the path.\n",
  ],
  [
    `compare live ${long}`,
    "error[file-read] LONG does not exist\n  Name a zone file or a folder of zone files, `live`, `rendered`, `live:TARGET`, a name server such as `@192.0.2.53`, or a snapshot.\n",
  ],
])("an argument that is too long for a file name, %#", async (command, talk) => {
  const desk = new Desk({ "zones/example.com.yaml": "soa_email: a@example.com\nrecords: { www: { A: 192.0.2.1 } }\n" });
  desk.env.ZONEWRIGHT_TOKEN = "none";
  desk.shown.push([long, "LONG"]);
  expect(await desk.run(command)).toEqual({ code: 3, out: "", talk });
});
