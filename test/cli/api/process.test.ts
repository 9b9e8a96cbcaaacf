// @suite long

import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import type { Server } from "../../../src/server/http/router.ts";
import { isMissing } from "../../judges.ts";
import { Program, programWords } from "../process.ts";
import { type ApiDesk, apiDesk, lines } from "../run.ts";

const domain = { domain: "example.com", type: "master", soa_email: "admin@example.com" };

/** Runs a program on a terminal of 60 columns, and types each answer when its question appears. */
const onTerminal = `
import fcntl, json, os, pty, struct, sys, termios
command, answers = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    os.execvp(command[0], command)
seen = b""
asked = 0
while True:
    try:
        read = os.read(terminal, 65536)
    except OSError:
        break
    seen += read
    if asked < len(answers) and answers[asked][0].encode() in seen:
        os.write(terminal, answers[asked][1].encode())
        asked += 1
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status))
sys.stdout.write(seen.decode().replace("\\r", ""))
`;

/** The output on a terminal, after the exit code; `answers` are pairs of a question and keys. */
async function type(desk: ApiDesk, words: string, answers: [question: string, keys: string][] = []): Promise<string> {
  const command = [...programWords, "api", ...words.split(" ")];
  const env = { PATH: process.env.PATH, ...desk.env, TERM: "xterm", NO_COLOR: "1", LC_ALL: "C.UTF-8" };
  const args = ["-c", onTerminal, JSON.stringify([command, answers])];
  return new Promise((resolve) => {
    execFile("python3", args, { cwd: desk.folder, env }, (_, stdout) => resolve(stdout));
  });
}

test.skipIf(isMissing("python3"))("on a terminal: fits its width, asks, and reads what is typed", async () => {
  const desk = await apiDesk();
  await desk.call("POST", "/domains", domain);
  expect(await type(desk, "list-domains")).toBe(lines`
    0
    id  type    domain       status  soa_email          ttl_sec
    1   master  example.com  active  admin@example.com  0
    columns not shown (terminal too narrow): refresh_sec,
        retry_sec, expire_sec, created, updated; choose with
        --columns, or use --json
  `);
  const typed = await type(desk, "update-domain 1 --body @- --json", [["Ctrl-D:", '{"group":"b"}\n\u0004']]);
  expect(typed).toMatch(/^0\nbody as JSON, then Ctrl-D:\n[\s\S]*"group": "b",\n/);
  const question = "Delete a domain and all its records: domain 1 (DELETE /domains/1)? [y/N] ";
  const declined = await type(desk, "delete-domain 1", [["[y/N]", "\r"]]);
  expect(withoutKeys(declined)).toBe(`1\n${question}\nnothing was sent\n`);
  const interrupted = await type(desk, "delete-domain 1", [["[y/N]", "\u0003"]]);
  expect(withoutKeys(interrupted)).toMatch(/^130\nDelete .*\n*interrupted: nothing was sent\n$/);
  expect(desk.writes).toEqual(["PUT /v4/domains/1"]);
  const confirmed = await type(desk, "delete-domain 1", [["[y/N]", "y\r"]]);
  expect(withoutKeys(confirmed)).toBe(`0\n${question}y\ndomain 1 deleted\n`);
});

/** Without the sequences with which readline moves the cursor. */
function withoutKeys(text: string): string {
  return text.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, "");
}

test("reads the body from a pipe, and a reader that leaves early causes no error", async () => {
  const desk = await apiDesk();
  await desk.call("POST", "/domains", domain);
  for (let index = 0; index < 300; index++)
    await desk.call("POST", "/domains/1/records", { type: "TXT", name: `t-${index}`, target: "x".repeat(200) });
  const program = `${programWords.map((word) => `"${word}"`).join(" ")} api`;
  const script = `echo '{"group":"from a pipe"}' | ${program} update-domain 1 --body @- | grep ^group
{ ${program} list-records 1 --all --json; echo "code $?" >&2; } | head -1`;
  const output = await new Promise((resolve) => {
    execFile("sh", ["-c", script], { env: { PATH: process.env.PATH, ...desk.env } }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
  expect(output).toEqual({ stdout: "group        from a pipe\n{\n", stderr: "code 0\n" });
});

/** A server that does not answer requests of a method until it is told to. */
function slowServer(method: string) {
  let arrive = () => {};
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const between =
    (server: Server): Server =>
    async (request, connection) => {
      if (request.method === method) {
        arrive();
        await released;
      }
      return server(request, connection);
    };
  return { between, arrived, release };
}

test.each([
  ["GET", "list-domains", "nothing was changed"],
  [
    "POST",
    "create-domain --set domain=example.com",
    "the request may have taken effect: check before sending it again",
  ],
])("Ctrl-C during a %s", async (method, command, end) => {
  const { between, arrived, release } = slowServer(method);
  const desk = await apiDesk({}, between);
  const program = new Program(desk.folder, `api ${command}`, desk.env);
  await arrived;
  program.kill("SIGINT");
  expect(await program.end()).toEqual({ code: 130, out: "", talk: `interrupted: ${end}\n` });
  release();
});
