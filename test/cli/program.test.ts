// @suite long

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Program, programWords } from "./process.ts";
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
        zonewright serve             run a DNS API locally; prints its URL and a token
        export ZONEWRIGHT_TOKEN=...
        zonewright init              write zone files: of the account, or an example
        zonewright plan              show what would change, and in which order
        zonewright apply             ask, write and verify

      Usage: zonewright [options] [command]

      DNS zones in git: validate, plan and apply changes without ever leaving a name
      unresolvable.

      Options:
        -V, --version  output the version number
        -h, --help     display help for command

      Commands:
        init           set up a folder: config, zone files, approvals
        validate       check zone files: syntax, DNS rules, limits of the API
        set            set the values of a record in its zone file
        unset          remove a record, or some of its values, from its zone file
        explain        describe a rule, guard or exit code
        plan           show what apply would write, in order; writes nothing
        apply          plan, ask, write and verify; or only what plan files approve
        verify         check that the zones' name servers answer as the files say
        snapshot       save the live zones of the account as one file, to plan against
        drift          show what changed outside git, and who did it
        compare        show which records and answers of two sides differ
        runs           list past runs, or show what happened in one
        undo           plan the inverse of a run, ask, write and verify
        expand         print a zone with its templates and defaults written out
        export         write zones in another form; files need no project
        fmt            normalise zone files; order, sections and comments stay
        import         import zones into git
        doctor         check config, API, token, clock, git and name servers
        api            call any operation of the API
        serve          run the API server locally
        server         tokens, users, backups and operation of that server
        completion     print completion for bash, zsh or fish
        help           show the help of a command, or a topic
        man            open the manual page
        demo           show plan, apply and export on a temporary server
    `,
  });
});

test.each([
  ["token", "list"],
  ["user", "list"],
  ["backup", "copy.db"],
  ["operator", "account list"],
])("%s of earlier versions runs as a command of the server, with a note", async (first, rest) => {
  const now = await new Desk().run(`server ${first} ${rest}`);
  expect(await new Desk().run(`${first} ${rest}`)).toEqual({
    ...now,
    talk: `note: \`zonewright ${first}\` is now \`zonewright server ${first}\`; the old form ends with the next version\n${now.talk}`,
  });
});

test("an unknown command is refused with --help too", async () => {
  const { code, out, talk } = await new Desk().run("doktor --help");
  expect({ code, out, talk }).toMatchObject({ code: 64, out: "", talk: expect.stringContaining("unknown command") });
});

/** Every command but `help`, with those of a group. */
async function allCommands(): Promise<string[]> {
  const namesIn = async (command: string) => {
    const [, list = ""] = (await new Desk().run(`${command} --help`)).out.split("\nCommands:\n");
    return [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = ""]) => name).filter((name) => name !== "help");
  };
  const below = async (command: string): Promise<string[]> => {
    const names = (await namesIn(command)).map((name) => `${command} ${name}`.trim());
    return [...names, ...(await Promise.all(names.map(below))).flat()];
  };
  return below("");
}

test("every command's help fits into 80 columns, and its example calls the command", async () => {
  const commands = await allCommands();
  expect(commands).toContain("server token create");
  for (const command of commands) {
    const { code, out, talk } = await new Desk().run(`${command} --help`);
    expect({ code, talk }, command).toEqual({ code: 0, talk: "" });
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(out).toMatch(new RegExp(`^Example:\\n(?:  .*\\n)*  zonewright ${command}\\b`));
    expect((await new Desk().run(`help ${command}`)).out.split("\n")[0], command).toBe(out.split("\n")[0]);
  }
});

/** A zone whose records fill more than the buffer of a pipe. */
const large = `soa_email: hostmaster@example.com\nrecords:\n${Array.from({ length: 6000 }, (_, index) => `  host-${index}:\n    A: 192.0.2.${index % 256}\n`).join("")}`;

test("a reader that closes the pipe early causes no error", async () => {
  const desk = new Desk({ "zones/example.com.yaml": large });
  const command = `${programWords.map((word) => `"${word}"`).join(" ")} export --to records`;
  const script = `{ ${command}; echo "code $?" >&2; } | head -1`;
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile("sh", ["-c", script], { cwd: desk.folder, env: { PATH: process.env.PATH } }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
  expect({ stdout, stderr }).toEqual({ stdout: "host-0.example.com. 86400 IN A 192.0.2.0\n", stderr: "code 0\n" });
});

test("writes all of a large output to a pipe", async () => {
  const { code, out } = await new Program(
    new Desk({ "zones/example.com.yaml": large }).folder,
    "export --to records",
  ).end();
  expect([code, out.split("\n").length]).toEqual([0, 6001]);
});

test("colour and control characters are for terminals, not for pipes", async () => {
  const desk = await apiDesk({
    "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n",
  });
  const run = async (command: string, env = {}) => new Program(desk.folder, command, { ...desk.env, ...env }).end();
  for (const command of ["apply --yes --verbose", "plan nowhere"]) {
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

test("prints an error as one sentence on standard error, and exits with its code", async () => {
  const { folder } = new Desk({ "zonewright.yaml": "", "notes/today.txt": "" });
  expect(await new Program(join(folder, "notes"), "plan").end()).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[project-missing] there is no project here: ${folder}/notes has neither zonewright.yaml nor a folder zones
        Run the command in ${folder}, which has a zonewright.yaml.
    `,
  });
});

test("questions about many zones at once cause no warning of Node", async () => {
  const zone = "$TTL 1h\n@ SOA ns1 hostmaster 1 1h 1h 1w 1h\n@ NS ns1\nns1 A 192.0.2.1\n";
  const zones = Array.from({ length: 14 }, (_, index) => [`zones/z${index}.example.zone`, zone]);
  const desk = new Desk({
    "zonewright.yaml": 'targets: { office: { kind: rfc2136, server: "127.0.0.1:9" } }\n',
    ...Object.fromEntries(zones),
  });
  const { code, talk } = await new Program(desk.folder, "plan").end();
  expect([code, talk]).toEqual([1, expect.not.stringContaining("Warning")]);
  expect(talk).toContain("error[transfer/connect] z0.example, 127.0.0.1:9: the server is unreachable (ECONNREFUSED)");
});
