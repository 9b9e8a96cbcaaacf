import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { printError } from "../../src/cli/print-error.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { ProblemError, problem } from "../../src/diagnostics/problem.ts";
import { type ProblemId, problemIds } from "../../src/diagnostics/registry.ts";
import { exitCodeOf } from "../../src/workflow/apply/outcome.ts";

/** The exit codes of ids (docs: Exit codes); what is not listed here is about the user's input: 3. */
const codes: Readonly<Record<number, readonly string[]>> = {
  1: [
    ...["api/grant", "api/invalid", "api/not-found", "api/other", "api/scope", "api/server", "api/token"],
    ...["backup-damaged", "backup-exists", "backup-postgres", "backup-write"],
    ...[
      "client/list-changed",
      "client/list-too-long",
      "copy-differs",
      "copy-filled",
      "dependency-failed",
      "file-write",
      "files/folder",
      "files/program",
      "files/read",
      "files/reload",
      "files/write",
      "git-write",
      "github/connect",
      "github/invalid",
      "github/locked",
      "github/not-found",
      "github/permission",
      "github/reply",
      "github/server",
      "github/token",
      "job-failed",
      "job-unknown",
      "journal-write",
      "listen",
      "live-record",
      "mail-folder",
      "node-access",
      "not-rendered",
      "package-missing",
    ],
    ...["powerdns/failed", "powerdns/key", "powerdns/notify", "powerdns/records", "powerdns/rectify"],
    ...["powerdns/reply", "powerdns/serial", "powerdns/server"],
    ...["remote-failed", "secret-key"],
    ...["store-early", "store-failed", "store-link", "store-missing", "store-newer", "store-open"],
    ...["transfer/aborted", "transfer/answer", "transfer/behind", "transfer/connect", "transfer/incomplete"],
    ...["transfer/lost", "transfer/message", "transfer/rcode", "transfer/servfail", "transfer/timeout"],
    ...["transport/aborted", "transport/connect", "transport/dns", "transport/failed", "transport/proxy"],
    ...[
      "transport/refused",
      "transport/reply",
      "transport/reset",
      "transport/timeout",
      "transport/tls",
      "transport/too-long",
    ],
    ...["update/badkey", "update/badsig", "update/badtime", "update/badtrunc"],
    ...["update/notauth", "update/notimp", "update/rcode", "update/refused", "update/servfail", "update/unserved"],
    "write-invalid",
    "zone-gone",
    "zone-not-served",
  ],
  4: [
    ...[
      "account-changed",
      "approval/artifact",
      "approval/bound",
      "approval/comment",
      "approval/commit",
      "approval/direct-push",
      "approval/expired",
      "approval/fork",
      "approval/not-shown",
      "approval/people",
      "approval/replay",
      "approval/withdrawn",
      "files/changed",
      "keys-differ",
      "live-changed",
      "plan-approved",
      "plan-consumed",
      "plan-digest",
      "plan-edited",
      "plan-effects",
    ],
    ...["plan-events", "plan-expired", "plan-files", "plan-format", "plan-rolled-back", "plan-shape"],
    ...["plan-signature", "plan-skipped", "plan-stale", "plan-superseded", "plan-syntax", "plan-target"],
    ...["powerdns/changed", "powerdns/presigned", "powerdns/secondary", "primary-changed"],
  ],
  8: ["api/busy", "api/maintenance", "api/rate", "client/wait-timeout", "github/rate", "node-busy", "run-locked"],
  64: ["action-input", "usage"],
};

test("exit code of every id", () => {
  const found: Record<number, string[]> = {};
  for (const id of [...problemIds].sort()) {
    const code = exitCodeOf(failure(id));
    if (code !== 3) found[code] = [...(found[code] ?? []), id];
  }
  expect(found).toEqual(codes);
});

test.each<[ids: ProblemId[], code: number]>([
  [["cname-alone"], 3],
  [["cname-alone", "file-write"], 1],
  [["file-write", "plan-stale", "cname-alone"], 4],
  [["plan-stale", "api/rate", "file-write"], 8],
])("exit code of several problems: %j: %i", (ids, code) => {
  expect(exitCodeOf(failure(...ids))).toBe(code);
});

function failure(...ids: ProblemId[]): ProblemError {
  return new ProblemError(ids.map((id) => problem(id, "no")));
}

test("exit code 64 for an invalid call, 1 for an internal error", () => {
  expect([
    exitCodeOf(new ProblemError(problem("usage", "no"))),
    exitCodeOf(new TypeError("no")),
    exitCodeOf("no"),
  ]).toEqual([64, 1, 1]);
});

test("prints an internal error with its stack, without token and terminal control sequences", () => {
  let talk = "";
  const terminal = {
    cwd: "/",
    env: { ZONEWRIGHT_TOKEN: "secret-for-tests" },
    log: (text: string) => {
      talk += text;
    },
  } as unknown as Terminal;
  const error = new TypeError("no \u001b[2J with secret-for-tests");
  error.stack = `${error}\n    at somewhere`;
  expect(printError(terminal, error)).toBe(1);
  expect(talk).toBe(
    "internal error in zonewright; please report it with this text:\nTypeError: no \\x1b[2J with [token]\n    at somewhere\n",
  );
});

test("a missing file of the program is no error to report", async () => {
  let talk = "";
  const terminal = { cwd: "/", env: {}, log: (text: string) => (talk += text) } as unknown as Terminal;
  const file = pathToFileURL(join(tmpdir(), "zonewright-chunk-missing.js")).href;
  printError(terminal, await import(file).catch((error) => error));
  expect(talk.split("\n")[0]).toBe("a file of zonewright is missing; install zonewright again");
});

test("the stack of an unexpected error names places in the sources of the bundle", async () => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-stack-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "source.ts"),
    'type Unused = 1;\n\nexport function fail(): never {\n  throw new Error("unexpected");\n}\n',
  );
  const outfile = join(folder, "bundle.js");
  await build({ entryPoints: [join(folder, "source.ts")], outfile, minify: true, sourcemap: true, format: "esm" });
  const code = readFileSync(outfile, "utf8");
  let talk = "";
  const terminal = { cwd: "/", env: {}, log: (text: string) => (talk += text) } as unknown as Terminal;
  const error = new Error("unexpected");
  error.stack = `${error}\n    at e (${pathToFileURL(outfile).href}:1:${code.indexOf("new Error") + 1})\n    at file:///missing.js:1:2`;
  printError(terminal, error);
  expect(talk).toBe(`internal error in zonewright; please report it with this text:
Error: unexpected
    at e (${pathToFileURL(join(folder, "source.ts")).href}:4:9)
    at file:///missing.js:1:2
`);
});
