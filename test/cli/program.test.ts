import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Program, programArgs } from "./process.ts";
import { apiDesk, Desk, lines } from "./run.ts";

const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");

test("--version", async () => {
  const { version } = JSON.parse(manifest);
  expect(await new Program(new Desk().folder, "--version").end()).toEqual({ code: 0, out: `${version}\n`, talk: "" });
});

test("--help", async () => {
  expect(await new Program(new Desk().folder, "--help").end()).toEqual({
    code: 0,
    talk: "",
    out: lines`
      Example:
        zonewright serve                 run a DNS API locally; prints its URL and a token
        export ZONEWRIGHT_TOKEN=...
        zonewright plan                  show what would change, and in which order
        zonewright apply                 ask, write and verify

      Usage: zonewright [options] [command]

      DNS zones in git: validate, plan and apply changes without ever leaving a name
      unresolvable.

      Options:
        -V, --version                  output the version number
        -h, --help                     display help for command

      Commands:
        validate [options] [zones...]  check zone files: syntax, DNS rules, limits of
                                       the API
        explain [options] [word]       describe a rule, guard or exit code
        plan [options] [zones...]      show what apply would write, in order; writes
                                       nothing
        apply [options] [zones...]     plan, ask, write and verify; or apply a plan
                                       file
        verify [options] [zones...]    ask the zones' name servers whether they answer
                                       as the files say
        snapshot [options]             save the live zones of the account as one file,
                                       to plan against
        runs [options] [run]           list past runs, or show what happened in one
        undo [options] <run>           plan the inverse of a run, ask, write and
                                       verify
        export [options] [zones...]    write zones in another form; files need no
                                       project
        fmt [options] [zones...]       normalise the layout and spelling of zone
                                       files; order, sections and comments stay
        import                         import zones into git
        serve [options]                run the API server locally
        backup [options] <file>        save the server's SQLite database as one file,
                                       also while it serves
        token                          manage the server's tokens
        user                           manage the server's users and their grants
        demo [options]                 show the whole workflow on a server of its own:
                                       plan, apply, change, export
        help [command]                 display help for command
    `,
  });
});

test.each(["validate", "plan", "apply", "export", "import", "import api", "serve"])(
  "%s --help starts with an example",
  async (command) => {
    const { code, out, talk } = await new Desk().run(`${command} --help`);
    expect({ code, talk, head: out.split("\n").slice(0, 2).join("\n") }).toEqual({
      code: 0,
      talk: "",
      head: expect.stringMatching(new RegExp(`^Example:\n  zonewright ${command}\\b`)),
    });
  },
);

/** A zone whose records fill more than the buffer of a pipe. */
const large = `soa_email: hostmaster@example.com\nrecords:\n${Array.from({ length: 6000 }, (_, index) => `  host-${index}:\n    A: 192.0.2.${index % 256}\n`).join("")}`;

test("a reader that leaves early ends nothing with an error", async () => {
  const desk = new Desk({ "zones/example.com.yaml": large });
  const command = `"${process.execPath}" ${programArgs.map((arg) => `"${arg}"`).join(" ")} export --to records`;
  const script = `{ ${command}; echo "code $?" >&2; } | head -1`;
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile("sh", ["-c", script], { cwd: desk.folder, env: { PATH: process.env.PATH } }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
  expect({ stdout, stderr }).toEqual({ stdout: "host-0.example.com. 86400 IN A 192.0.2.0\n", stderr: "code 0\n" });
});

test("all of a large output arrives in a pipe", async () => {
  const { code, out } = await new Program(
    new Desk({ "zones/example.com.yaml": large }).folder,
    "export --to records",
  ).end();
  expect([code, out.split("\n").length]).toEqual([0, 6001]);
});

test("a pipe gets no colour and no control character; a person gets both", async () => {
  const desk = await apiDesk({
    "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n",
  });
  const run = async (command: string, env = {}) => new Program(desk.folder, command, { ...desk.env, ...env }).end();
  for (const command of ["plan", "apply --yes --verbose", "validate", "plan nowhere"]) {
    const { out, talk } = await run(command);
    expect(out + talk).toMatch(/\w/);
    expect(out + talk).not.toMatch(/[^\n -~\u00a0-\uffff]/);
  }
  expect((await run("validate", { FORCE_COLOR: "1" })).out).toContain("\u001b[");
  expect((await run("validate", { FORCE_COLOR: "1", NO_COLOR: "1" })).out).not.toContain("\u001b[");
  desk.write("zones/example.com.yaml", "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.2\n");
  expect((await run("plan")).out).toContain("→");
  expect((await run("plan", { LC_ALL: "C" })).out).toMatch(/^[\n -~]+$/);
});

test("an error is one sentence on standard error, with its exit code", async () => {
  expect(await new Program(new Desk().folder, "plan").end()).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[token-missing] there is no API token
        Set ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file that holds it; zonewright serve shows one at its first start.
    `,
  });
});
