// @suite long

import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { isMissing } from "../judges.ts";
import { startCluster } from "../server/cluster.ts";
import { apiOf, Program } from "./process.ts";
import { Desk, lines } from "./run.ts";

/** Waits for the URL of a server that starts, and for what it says with it. */
async function started(program: Pick<Program, "says">) {
  const { url } = await apiOf(program);
  await program.says(/Ctrl-C stops the server\)\n/);
  return url;
}

async function get(url: string, token: string) {
  const reply = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  // biome-ignore lint/suspicious/noExplicitAny: tests take from it what they need.
  return { status: reply.status, body: (await reply.json()) as any };
}

async function post(url: string, token: string, body: object) {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

const domain = { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" };

test("a server says that its records are open", async () => {
  const server = new Desk().start("serve --ephemeral --port 0 --records open --token a-token");
  await server.says(/Ctrl-C stops the server\)\n/);
  const { talk } = await server.end();
  expect(talk.split("\n").filter((line) => line.startsWith("records"))).toEqual([
    "records: open, of every type and with any TTL",
  ]);
});

test("the first start prints a token, the second keeps the token and the data", async () => {
  const desk = new Desk();
  const first = new Program(desk.folder, "serve --port 0");
  const url = await started(first);
  const [, token = ""] = await first.says(/ZONEWRIGHT_TOKEN=(\w{64})\n/);
  expect(await post(`${url}/v4/domains`, token, domain)).toBe(200);
  first.kill("SIGINT");
  expect(await first.end()).toEqual({
    code: 0,
    out: `${url}\n`,
    talk: lines`
      data: .zonewright/data (Ctrl-C stops the server)
      console: ${url}/ (first set a password: ${"`zonewright server user password admin`"})
      first token, of user "admin", shown only once. Paste this into another terminal:

      export ZONEWRIGHT_API_URL=${url}
      export ZONEWRIGHT_TOKEN=${token}

      finishing the requests under way
    `,
  });
  expect(await desk.run("server user password admin", { answer: "five random words together" })).toMatchObject({
    code: 0,
  });
  const second = new Program(desk.folder, "serve --port 0");
  const again = await started(second);
  expect((await get(`${again}/v4/domains`, token)).body.data[0].domain).toBe("example.com");
  second.kill("SIGTERM");
  expect(await second.end()).toEqual({
    code: 0,
    out: `${again}\n`,
    talk: lines`
      data: .zonewright/data (Ctrl-C stops the server)
      console: ${again}/
      tokens exist already; ${"`zonewright server token create`"} creates another one
      finishing the requests under way
    `,
  });
});

test("prints the first token even if users exist", async () => {
  const desk = new Desk();
  await desk.run("server user add ci --account admin --restricted");
  const program = desk.start("serve --port 0");
  const url = await started(program);
  const [, token = ""] = await program.says(/ZONEWRIGHT_TOKEN=(\w{64})\n/);
  expect(await post(`${url}/v4/domains`, token, domain)).toBe(200);
});

test("prints no token where a log would keep it", async () => {
  const desk = new Desk();
  const program = desk.start("serve --port 0 --no-first-token");
  await started(program);
  const { talk } = await program.end();
  expect(talk.replace(/^console: .*\n/m, "")).toBe(lines`
    data: .zonewright/data (Ctrl-C stops the server)
    ${"`zonewright server token create`"} creates a token
    finishing the requests under way
  `);
  expect((await desk.run("server token create")).out).toMatch(/^\w{64}\n$/);
});

const argvWarning =
  "warning: every user of this machine can read --token in the process list; use --token-file or ZONEWRIGHT_SERVE_TOKEN.\n";

test("accepts a given token at every start and does not print it", async () => {
  const desk = new Desk({ token: "  secret-for-tests\n" });
  for (const [flags, warning, env] of [
    ["--token-file token", "", {}],
    ["--token secret-for-tests", argvWarning, {}],
    ["--token second-for-tests", argvWarning, {}],
    ["", "", { ZONEWRIGHT_SERVE_TOKEN: "third-for-tests" }],
    ["", "tokens exist already; `zonewright server token create --data data` creates another one\n", {}],
  ] as const) {
    const program = desk.start(`serve --port 0 --data data ${flags}`, env);
    const url = await started(program);
    expect((await get(`${url}/v4/domains`, "secret-for-tests")).status).toBe(200);
    expect(await program.end()).toEqual({
      code: 0,
      out: `${url}\n`,
      talk:
        "data: data (Ctrl-C stops the server)\n" +
        `console: ${url}/ (first set a password: \`zonewright server user password admin --data data\`)\n` +
        `${warning}finishing the requests under way\n`,
    });
  }
});

test.each<[flags: string, env: Record<string, string>, code: number, talk: string]>([
  ["--token a --token-file token", {}, 64, "error: use either --token or --token-file, not both.\n"],
  ["--token-file two", {}, 64, "error: the token of --token-file must be one word of printable ASCII characters.\n"],
  ["--token-file empty", {}, 64, "error: the token of --token-file must be one word of printable ASCII characters.\n"],
  [
    "",
    { ZONEWRIGHT_SERVE_TOKEN: "a b" },
    64,
    "error: the token of ZONEWRIGHT_SERVE_TOKEN must be one word of printable ASCII characters.\n",
  ],
  [
    "--token-file none",
    {},
    3,
    "error[file-read] none cannot be read: it does not exist\n  Name a file that contains the token.\n",
  ],
])("serve refuses %s with %j", async (flags, env, code, talk) => {
  const desk = new Desk({ token: "good", two: "two words", empty: "\n" });
  expect(await desk.run(`serve --ephemeral ${flags}`, { env })).toEqual({ code, out: "", talk });
});

const plainHttp =
  "warning: the API is served as plain HTTP on 0.0.0.0, so tokens can be read on the network. Put a proxy with TLS and limits in front of it (`zonewright help operate.md` has examples), and name it with --trust-proxy.\n";
const publicDns =
  "warning: DNS is served on a public address. Run this server as a hidden primary, with BIND, Knot or NSD as public secondaries.\n";

test.each<[flags: string, warnings: string]>([
  ["--host localhost", ""],
  ["--host 0.0.0.0", plainHttp],
  ["--host 0.0.0.0 --trust-proxy 10.0.0.2", ""],
  ["--dns 127.0.0.1:0", ""],
  ["--dns 0.0.0.0:0", publicDns],
  ["--dns [::]:0 --host 0.0.0.0", plainHttp + publicDns],
])("serve %s warns about the required companion", async (flags, warnings) => {
  const program = new Desk({ token: "secret" }).start(`serve --port 0 --ephemeral --token-file token ${flags}`);
  await started(program);
  const { code, talk } = await program.end();
  expect({
    code,
    talk: talk.replace(/^names are answered on (\S+); check them with `zonewright verify --nameserver \1`\n/m, ""),
  }).toEqual({
    code: 0,
    talk: `data: in memory only (Ctrl-C stops the server)\n${warnings}finishing the requests under way\n`,
  });
});

test("git ignores data folders that serve made; the user's own folders stay unchanged", async () => {
  const desk = new Desk({ "mine/notes": "kept", "other/.gitignore": "logs\n" });
  for (const folder of ["", "--data new", "--data mine", "--data other"])
    await desk.run(`server user add u --account u ${folder}`);
  const ignoring = Object.entries(desk.files()).filter(([file]) => file.endsWith(".gitignore"));
  expect(ignoring).toEqual([
    [".zonewright/.gitignore", "*\n"],
    ["new/.gitignore", "*\n"],
    ["other/.gitignore", "logs\n"],
  ]);
});

test("--ephemeral keeps nothing", async () => {
  const desk = new Desk();
  const program = desk.start("serve --port 0 --ephemeral --token secret-for-tests");
  const url = await started(program);
  expect(await post(`${url}/v4/domains`, "secret-for-tests", domain)).toBe(200);
  expect(await program.end()).toEqual({
    code: 0,
    out: `${url}\n`,
    talk: `data: in memory only (Ctrl-C stops the server)\n${argvWarning}finishing the requests under way\n`,
  });
  expect(desk.files()).toEqual({});
});

test("reports a port in use and still prints the token at the next start", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  const desk = new Desk();
  expect(await desk.run(`serve --port ${port}`)).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[listen] cannot listen on 127.0.0.1 port ${port}
        Another program already uses this port. Stop the other program, or choose another port or address.
    `,
  });
  expect(desk.files()).toEqual({});
  holder.close();
  await once(holder, "close");
  const program = desk.start(`serve --port ${port}`);
  await program.says(/export ZONEWRIGHT_TOKEN=\w{64}\n/);
});

test("finishes the current request before it exits", async () => {
  const desk = new Desk();
  const program = new Program(desk.folder, "serve --port 0 --ephemeral --token secret-for-tests");
  const url = await started(program);
  const headers = { Authorization: "Bearer secret-for-tests", Expect: "100-continue" };
  const sending = request(`${url}/v4/domains`, { method: "POST", headers });
  sending.flushHeaders();
  await once(sending, "continue"); // the server has the request, and waits for its body
  program.kill("SIGINT");
  await program.says(/finishing the requests under way/);
  sending.end(JSON.stringify(domain));
  const [reply] = await once(sending, "response");
  expect(reply.statusCode).toBe(200);
  reply.resume();
  expect((await program.end()).code).toBe(0);
});

test("--access-log writes one JSON line per request, without query and token", async () => {
  const desk = new Desk();
  const program = desk.start("serve --port 0 --ephemeral --token secret-for-tests --access-log");
  const url = await started(program);
  await get(`${url}/v4/domains?page=1&token=secret-for-tests`, "secret-for-tests");
  await get(`${url}/v4/nothing`, "wrong");
  await get(`${url}/healthz`, "");
  const { talk } = await program.end();
  const entries = talk.split("\n").filter((line) => line.startsWith("{"));
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const every = { time, method: "GET", milliseconds: expect.any(Number), address: "127.0.0.1" };
  expect(entries.map((line) => JSON.parse(line))).toEqual([
    { ...every, path: "/v4/domains", status: 200, username: "admin" },
    { ...every, path: "/v4/nothing", status: 404, username: null },
    { ...every, path: "/healthz", status: 200, username: null },
  ]);
  expect(talk).not.toContain("secret-for-tests");
});

test("--rate-limit", async () => {
  const desk = new Desk();
  const program = desk.start("serve --port 0 --ephemeral --token secret-for-tests --rate-limit 2");
  const url = await started(program);
  const replies = [];
  for (let n = 0; n < 5; n++) replies.push((await get(`${url}/v4/domains`, "secret-for-tests")).status);
  expect(replies.join(" ")).toBe("200 200 429 429 429");
});

test.each([
  ["--rate-limit 800", "800 800"],
  ["--rate-limit 800 --profile live", "100 800"],
  ["--profile live", "unlimited unlimited"],
  ["--profile live --host 0.0.0.0", "200 1600"],
  ["--rate-limit 0 --profile live", "unlimited unlimited"],
  ["--rate-limit 0", "unlimited unlimited"],
  ["", "unlimited unlimited"],
  ["--trust-proxy 10.0.0.2", "1600 1600"],
  ["--host 0.0.0.0", "1600 1600"],
])("%s: rate limit headers of a list and another reply: %s", async (flags, expected) => {
  const program = new Desk().start(`serve --port 0 --ephemeral --token secret-for-tests ${flags}`);
  const url = await started(program);
  const limits = [];
  for (const path of ["domains", "account"]) {
    const reply = await fetch(`${url.replace("0.0.0.0", "127.0.0.1")}/v4/${path}`, {
      headers: { Authorization: "Bearer secret-for-tests" },
    });
    limits.push(reply.headers.get("X-RateLimit-Limit"));
  }
  expect(limits.join(" ")).toBe(expected);
});

test("--trust-proxy takes the client's address from the proxy", async () => {
  const targets: string[] = [];
  for (const flags of ["", "--trust-proxy 127.0.0.1"]) {
    const program = new Desk().start(`serve --port 0 --ephemeral --token secret-for-tests ${flags}`);
    const url = await started(program);
    await post(`${url}/v4/domains`, "secret-for-tests", domain);
    const headers = { Authorization: "Bearer secret-for-tests", "X-Forwarded-For": "198.51.100.7" };
    const body = JSON.stringify({ type: "A", target: "[remote_addr]" });
    await fetch(`${url}/v4/domains/1/records`, { method: "POST", headers, body });
    targets.push((await get(`${url}/v4/domains/1/records/1`, "secret-for-tests")).body.target);
  }
  expect(targets).toEqual(["127.0.0.1", "198.51.100.7"]);
});

test("--auth-url is the address of OAuth in the OpenAPI document", async () => {
  const program = new Desk().start(
    "serve --port 0 --ephemeral --token secret-for-tests --auth-url https://dns.example.com/",
  );
  const { components } = (await get(`${await started(program)}/v4/openapi.json`, "secret-for-tests")).body;
  const { authorizationUrl } = components.securitySchemes.authorizationCode.flows.authorizationCode;
  expect(authorizationUrl).toBe("https://dns.example.com/oauth/authorize");
});

test("--render-delay serves a change only after the delay", async () => {
  const lines: unknown[] = [];
  for (const flags of ["", "--render-delay 3600"]) {
    const program = new Desk().start(`serve --port 0 --ephemeral --token secret-for-tests ${flags}`);
    const url = await started(program);
    await post(`${url}/v4/domains`, "secret-for-tests", domain);
    lines.push((await get(`${url}/v4/domains/1/zone-file`, "secret-for-tests")).body.zone_file[0]);
  }
  expect(lines).toEqual(["; example.com [1]", undefined]);
});

test.each<[string, Record<string, string>, number, string]>([
  ["serve --ephemeral --data data", {}, 64, "error: --ephemeral keeps the database in memory: leave out --data.\n"],
  ["serve --rate-limit many", {}, 64, 'error: --rate-limit needs a whole number of at least 0, not "many".\n'],
  [
    "serve --trust-proxy balancer",
    {},
    64,
    'error: --trust-proxy must be a network or an address, such as 10.0.0.0/8 or fd00::/8, not "balancer".\n',
  ],
  ["serve --render-delay soon", {}, 64, 'error: --render-delay needs a whole number of at least 0, not "soon".\n'],
  ...["0", "-1", "1e3", "many"].map((number): [string, Record<string, string>, number, string] => [
    `serve --max-records=${number}`,
    {},
    64,
    `error: --max-records needs a whole number of at least 1, not "${number}".\n`,
  ]),
  [
    "serve",
    { DATABASE_URL: "mysql://user:secret@db.example/zones" },
    64,
    "error: DATABASE_URL must be a PostgreSQL URL, such as postgres://user:password@host:port/database.\n",
  ],
  [
    "serve --port 0",
    { DATABASE_URL: "postgres://user:secret@localhost/zones?host=/nowhere" },
    1,
    lines`
      error[store-open] cannot open the database postgres://user@localhost/zones
        no server is listening there. Start PostgreSQL, and check the user, password and database in the URL.
    `,
  ],
  [
    "serve --port 0 --data /proc/zonewright",
    {},
    1,
    lines`
      error[store-open] cannot open the database /proc/zonewright/zonewright.db
        it does not exist. With --data, name a folder that this user may write, on a disk with space left.
    `,
  ],
])("refuses %s with %j", async (command, env, code, talk) => {
  const desk = new Desk();
  desk.secrets.push("secret");
  expect(await desk.run(command, { env })).toEqual({ code, out: "", talk });
});

test.skipIf(isMissing("postgres"))("DATABASE_URL: two servers on one database, with tokens of their own", async () => {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const desk = new Desk();
  const env = { DATABASE_URL: cluster.url("postgres"), ZONEWRIGHT_SERVE_TOKEN: "secret-for-tests" };
  const [one, two] = [0, 1].map(() => new Program(desk.folder, "serve --port 0", env));
  if (!one || !two) throw new Error("no program");
  const urls = [await started(one), await started(two)];
  expect(await post(`${urls[0]}/v4/domains`, "secret-for-tests", domain)).toBe(200);
  expect((await get(`${urls[1]}/v4/domains/1`, "secret-for-tests")).body.domain).toBe("example.com");
  const token = (await desk.run("server token create", { env })).out.trim();
  expect((await get(`${urls[1]}/v4/domains/1`, token)).status).toBe(200);
  const [number] = (await desk.run("server token list", { env })).out.trim().split("\n").at(-1)?.split(" ") ?? [];
  await desk.run(`server token revoke ${number}`, { env });
  expect((await get(`${urls[0]}/v4/domains/1`, token)).status).toBe(401);
  expect(desk.files()).toEqual({});
  one.kill("SIGTERM");
  two.kill("SIGTERM");
  const talk = (url: string) =>
    "data: postgres://zonewright@localhost/postgres (Ctrl-C stops the server)\n" +
    `console: ${url}/\n` +
    "warning: users cannot sign in, because ZONEWRIGHT_SECRET_KEY is not set. Set it to the same 64 hexadecimal " +
    "digits on all servers of the database; `openssl rand -hex 32` prints new ones.\n" +
    "finishing the requests under way\n";
  expect([await one.end(), await two.end()]).toEqual(
    urls.map((url) => ({ code: 0, out: `${url}\n`, talk: talk(url) })),
  );
});
