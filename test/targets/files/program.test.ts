import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { looksLikeOption, runWithLimit, wordsFor } from "../../../src/targets/files/program.ts";
import { createRunContext } from "../../../src/workflow/project/run-context.ts";
import { domainName } from "../../names.ts";

const { endGroup } = createRunContext(process);

const run = (words: readonly string[], env: Record<string, string> = {}, limitMs = 10_000) =>
  runWithLimit(words, { cwd: "/tmp", env: { PATH: process.env.PATH, ...env }, limitMs, endGroup });

describe("a program", () => {
  test.each<[title: string, script: string, end: object]>([
    ["ends well, with its output", "echo one; echo two >&2", { state: "done", output: expect.stringMatching(/one\n/) }],
    ["fails", "exit 7", { state: "failed", reason: "exit code 7" }],
    ["has its standard input closed", "cat; exit 1", { state: "failed", reason: "exit code 1" }],
    ["starts in the given folder", "pwd; exit 1", { state: "failed", reason: "exit code 1: /tmp" }],
    [
      "prints a line that never ends",
      "head -c 100000 /dev/zero | tr '\\0' x; exit 1",
      { state: "failed", reason: `exit code 1: ${"x".repeat(600)}` },
    ],
    [
      "has started another one, which keeps its output open",
      "sleep 20 & echo ready; exit 2",
      { state: "failed", reason: "exit code 2: ready" },
    ],
  ])("%s", async (_, script, end) => {
    expect(await run(["sh", "-c", script])).toEqual(end);
  });

  test("that cannot be started with its arguments", async () => {
    const missing = (reason: string) => ({ state: "missing", reason: expect.stringContaining(reason) });
    expect(await run(["echo", "a\0b"])).toEqual(missing("without null bytes"));
    expect(await run(["echo", "x".repeat(3_000_000)])).toEqual(missing("E2BIG"));
  });

  test("that does not end is ended", async () => {
    expect(await run(["sh", "-c", "echo waiting; exec sleep 30"], {}, 300)).toEqual({
      state: "late",
      reason: "no end within 0.3 seconds: waiting",
    });
  });

  test("that does not end is ended with the programs that it has started", async () => {
    const end = await run(["sh", "-c", "sleep 30 & echo $!; wait"], {}, 500);
    expect(end).toEqual({ state: "late", reason: expect.stringMatching(/^no end within 0\.5 seconds: \d+$/) });
    const { reason } = end as { reason: string };
    // It has been killed, and may wait for its parent to notice.
    const state = spawnSync("ps", ["-o", "stat=", "-p", reason.split(": ")[1] ?? ""], { encoding: "utf8" }).stdout;
    expect(state.trim()).toMatch(/^Z?$|^Z/);
  });

  test("gets the environment without tokens and keys of zonewright", async () => {
    const env = {
      ZONEWRIGHT_OFFICE_TSIG_KEY: "a:b:c",
      ZONEWRIGHT_TOKEN: "token",
      ZONEWRIGHT_NOTE: "note",
      OTHER: "other",
    };
    const end = await run(["env"], env);
    const { output } = end as { output: string };
    expect(
      output
        .split("\n")
        .filter((line) => /ZONEWRIGHT|OTHER/.test(line))
        .sort(),
    ).toEqual(["OTHER=other", "ZONEWRIGHT_NOTE=note"]);
  });

  test("prints a secret of several lines, whose lines are not shown", async () => {
    const env = { SIGNING_KEY: "-----BEGIN-----\nMIGHAgEAMBMG\n-----END-----" };
    expect(await run(["sh", "-c", 'echo "it is: $SIGNING_KEY"; exit 1'], env)).toEqual({
      state: "failed",
      reason: "exit code 1: it is: ***; ***; ***",
    });
  });
});

const secrets =
  "A_TOKEN GITHUB_TOKEN githubToken APIKEY API_KEY KUBE_SECRET PGPASSWORD PASSWD DB_PASS DBPASS PASS DB_PASS_2 MYSQL_PWD DB_PW" +
  " SSH_PASSPHRASE GH_PAT PAT BASIC_AUTH AUTH npm_config__auth AUTH_HEADER AWS_CREDENTIALS DB_CREDS PRIVATE_PEM SIGN_WITH" +
  " CODE_SIGNING JWT AZURE_SAS BEARER SESSION_COOKIE";
const others =
  "HOME OLDPWD MY_PATH AUTHOR GIT_AUTHOR_NAME XAUTHORITY PATTERN COMPASS BYPASS PASSAGE DESIGN SIGNAL ASSIGNED CI COOKIES_OFF";

test.each([
  ...secrets.split(" ").map((name) => [name, "***"]),
  ...others.split(" ").map((name) => [name, "a-value-of-it"]),
])("a program that prints the variable %s: %s", async (name, shown) => {
  const end = await run(["sh", "-c", `printf %s "$${name}"; exit 1`], { [name]: "a-value-of-it" });
  expect(end).toEqual({ state: "failed", reason: `exit code 1: ${shown}` });
});

describe("a secret at the place where the output is cut", () => {
  const secret = "hunter22-secret";
  test.each([0, 1, 7, 14, 15, 16, 17])("%i octets after its beginning", async (cut) => {
    // The last 4,096 octets begin within the secret, or beside it.
    const script = `head -c 100000 /dev/zero | tr '\\0' x; printf '%s' "$MY_KEY"; head -c ${4096 - secret.length + cut} /dev/zero | tr '\\0' '\\n'; exit 1`;
    const end = await run(["sh", "-c", script], { MY_KEY: secret });
    const { reason } = end as { reason: string };
    expect(reason).toMatch(/^exit code 1(?:: (?:x*\**|\*+))?$/);
  });

  test("after others, whose shown form is shorter", async () => {
    const script = `head -c 100000 /dev/zero | tr '\\0' x; for n in $(seq 400); do printf '%s' "$MY_KEY"; done; exit 1`;
    expect(await run(["sh", "-c", script], { MY_KEY: secret })).toEqual({
      state: "failed",
      reason: "exit code 1: ***",
    });
  });
});

test.each<[template: string[], zone: string, words: string[]]>([
  [["rndc", "reload", "{zone}"], "example.com.", ["rndc", "reload", "example.com"]],
  [["x", "{zone}={file}", "{zone}{zone}"], "a.", ["x", "a=/srv/a.zone", "aa"]],
  [["x", "$(id)", "`id`; rm"], "a.", ["x", "$(id)", "`id`; rm"]],
  [["x", "{zone}"], "0\\/25.2.0.192.in-addr.arpa.", ["x", "0/25.2.0.192.in-addr.arpa"]],
])("%j for %s", (template, zone, words) => {
  expect(wordsFor(template, { zone: domainName(zone), file: "/srv/a.zone" })).toEqual(words);
});

test.each<[template: string[], zone: string, isOption: boolean]>([
  [["x", "{zone}"], "-x.example.", true],
  [["x", "zone={zone}"], "-x.example.", false],
  [["x", "{file}"], "-x.example.", false],
  [["x", "{zone}"], "x-.example.", false],
])("%j takes %s for an option: %s", (template, zone, isOption) => {
  expect(looksLikeOption(template, domainName(zone))).toBe(isOption);
});
