import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { listenDns } from "../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../src/server/nameserver/stored-zones.ts";
import { readSettings } from "../../src/server/server.ts";
import { examine as examineAll } from "../../src/workflow/doctor.ts";
import { createRunContext } from "../../src/workflow/run-context.ts";
import { deafPort, httpServer, tlsServer } from "../client/sockets.ts";
import { waitForCurrent } from "../server/nameserver/wait-for-current.ts";
import { Program } from "./process.ts";
import { type ApiDesk, apiDesk, Desk, noon, type RunOptions } from "./run.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";

/** A desk whose clock agrees with the server's, which is that of this machine. */
async function newDesk(files: Record<string, string>): Promise<ApiDesk> {
  const desk = await apiDesk(files);
  desk.now = new Date();
  return desk;
}

const json = { "Content-Type": "application/json" };

/** Serves the zones of the desk by DNS; returns the address, which is shown as SERVICE. */
async function serveDns(desk: ApiDesk): Promise<string> {
  const settings = readSettings({ store: desk.store, clock: () => noon });
  const zones = new StoredZones(settings, () => noon, { waitForCurrent });
  const onError = (error: unknown) => expect.fail(String(error));
  const service = await listenDns({ host: "127.0.0.1", port: 0, zones, onError });
  onTestFinished(() => service.close());
  const address = `127.0.0.1:${service.port}`;
  desk.shown.push([address, "SERVICE"]);
  return address;
}

/** The lines of `doctor` by subject: state, text, and what to do. */
async function examine(
  desk: Desk,
  args = "",
  env: RunOptions["env"] = {},
): Promise<{ code: number; lines: Record<string, string> }> {
  const { code, out, talk } = await desk.run(`doctor --report json${args}`, { env });
  expect(talk).toBe("");
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Record<string, string>[] };
  expect(ok).toBe(code === 0);
  const lines = checks.map(({ subject, state, text, next }) => [
    subject,
    [state, text, next].filter(Boolean).join(" | "),
  ]);
  return { code, lines: Object.fromEntries(lines) };
}

test("prints a line per check, with a fix for each that fails", async () => {
  const desk = await newDesk({ "zonewright.yaml": "zones: zones\n", "zones/example.com.yaml": zone });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const dns = await serveDns(desk);
  const { code, out } = await desk.run(`doctor --nameserver 127.0.0.1:1 --nameserver ${dns}`);
  expect(code).toBe(0);
  expect(out.replace(/zonewright [\d.]+, Node v[\d.]+/, "VERSIONS")).toBe(`\
ok    versions      VERSIONS
ok    config        zonewright.yaml
warn  git           this folder is not in a repository
                    Run \`git init\`, so that changes of zones can be reviewed.
ok    zone files    1 zone, 1 record
ok    runs          /desk/.zonewright can be written; 1 run
ok    API           http://api/v4: 1 zone in the account
ok    token         valid, with all scopes
ok    clock         agrees with the clock of the API
warn  name servers  127.0.0.1:1: the server is unreachable (ECONNREFUSED)
                    Run \`zonewright verify\` to ask for every record.
ok    name servers  SERVICE answers for 1 zone
`);
  const [run = ""] = readdirSync(join(desk.folder, ".zonewright/runs"));
  const journal = `.zonewright/runs/${run}/journal.jsonl`;
  desk.write(journal, desk.read(journal).replace(/.*"end".*\n$/, ""));
  expect((await examine(desk, " --nameserver 127.0.0.1:1")).lines.runs).toBe(
    `warn | run ${run} was interrupted | Run \`zonewright apply --resume\`.`,
  );
});

test("an empty folder without a token: says what to run, exit code 1", async () => {
  const { code, lines } = await examine(new Desk());
  expect(code).toBe(1);
  expect(lines.config).toBe("warn | zonewright.yaml does not exist, so the defaults apply | Run `zonewright init`.");
  expect(lines["zone files"]).toMatch(/^fail \| there is no project here: .* \| Run `zonewright init`/);
  expect(lines.token).toMatch(/^fail \| no API token is set \| Set ZONEWRIGHT_TOKEN/);
});

test("without a token: tries the API, its clock and the name servers that are named", async () => {
  const desk = await newDesk({ "zones/example.com.yaml": zone });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const dns = await serveDns(desk);
  const without = await examine(desk, ` --nameserver ${dns}`, { ZONEWRIGHT_TOKEN: undefined });
  expect(without.code).toBe(1);
  expect(without.lines).toMatchObject({
    API: "ok | http://api/v4 answers",
    token: expect.stringMatching(/^fail \| no API token is set \| /),
    clock: "ok | agrees with the clock of the API",
    "name servers": "ok | SERVICE answers for 1 zone",
  });
  const unset = await examine(desk, "", { ZONEWRIGHT_TOKEN: undefined });
  expect(unset.lines["name servers"]).toBe(undefined);
});

test("asks the name servers that the API names for the first zone, by their addresses", async () => {
  const desk = await newDesk({ "zones/example.com.yaml": zone });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const port = Number((await serveDns(desk)).split(":")[1]);
  const context = createRunContext({ ...process, cwd: () => desk.folder, env: desk.env });
  const asked: string[] = [];
  const serversOf = async (resolve: (name: string) => readonly ServerAddress[]) => {
    const options = { config: "zonewright.yaml", node: "v20.19.0" };
    const found = await examineAll(context, {
      ...options,
      resolve: async (name) => {
        asked.push(name);
        return [...resolve(name)];
      },
    });
    return found.filter(({ subject }) => subject === "name servers").map(({ state, text }) => `${state} ${text}`);
  };
  expect(await serversOf((name) => (name.startsWith("ns1.") ? [{ host: "127.0.0.1", port }] : []))).toEqual([
    `ok 127.0.0.1:${port} answers for 1 zone`,
  ]);
  expect(asked).toEqual(["ns1.zonewright.invalid", "ns2.zonewright.invalid"]);
  expect(await serversOf(() => [])).toEqual([
    `warn no address found for ns1.zonewright.invalid, ns2.zonewright.invalid`,
  ]);
});

const html = { "Content-Type": "text/html" };

test.each<[what: string, serve: () => Promise<string>, line: RegExp]>([
  [
    "nobody",
    deafPort,
    /^fail \| GET \/v4\/domains: no server listens at \S+ \| .*ZONEWRIGHT_API_URL\. Start the server/,
  ],
  [
    "a server that never replies",
    () => httpServer(() => {}),
    /^fail \| .*: no complete reply from \S+ within 0\.2 s \| /,
  ],
  [
    "a self-signed certificate",
    () => tlsServer(() => {}),
    /^fail \| .* certificate of \S+ is not trusted .* \| .*NODE_EXTRA/,
  ],
  [
    "HTTP where HTTPS is expected",
    async () => (await httpServer((_, reply) => reply.end())).replace("http:", "https:"),
    /^fail \| .*cannot establish TLS with .* \| .*plain HTTP/,
  ],
  [
    "a web page",
    () => httpServer((_, reply) => reply.writeHead(200, html).end("<h1>Welcome</h1>")),
    /^fail \| .* that is not the API's: <h1>Welcome<\/h1> \| /,
  ],
  [
    "a web page that asks for a password",
    () => httpServer((_, reply) => reply.writeHead(401, html).end("<h1>Sign in</h1>")),
    /^fail \| .*401 with a body \(text\/html\) that is not the API's/,
  ],
  [
    "a redirect",
    () => httpServer((_, reply) => reply.writeHead(301, { Location: "https://example.com/" }).end()),
    /^fail \| .*301, a redirect to https:\/\/example\.com\/ \| /,
  ],
  [
    "an internal error",
    () => httpServer((_, reply) => reply.writeHead(500, json).end('{"errors": [{"reason": "Oops"}]}')),
    /^fail \| .*500 Oops \| Try again later/,
  ],
  [
    "a rate limit",
    () =>
      httpServer((_, r) => r.writeHead(429, { ...json, "Retry-After": "90" }).end('{"errors": [{"reason": "Slow"}]}')),
    /^fail \| .*429 Slow \| Try again in 1 minute 30 seconds, at /,
  ],
])("reports %s once, at once, with and without a token", async (_, serve, line) => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  const url = await serve();
  const lines = async (env: Record<string, string>) => {
    const context = createRunContext({ ...process, cwd: () => desk.folder, env: { ZONEWRIGHT_API_URL: url, ...env } });
    const found = await examineAll(context, { config: "zonewright.yaml", node: "v20.19.0", timeoutMs: 200 });
    return found
      .filter(({ subject }) => subject === "API")
      .map(({ state, text, next }) => [state, text, next].filter(Boolean).join(" | "));
  };
  for (const env of [{}, { ZONEWRIGHT_TOKEN: "0123456789abcdef" }] as Record<string, string>[])
    expect(await lines(env)).toEqual([expect.stringMatching(line)]);
  const [proxied] = await lines({ https_proxy: "http://127.0.0.1:1" });
  const isReply = /500|429/.test(line.source);
  expect(proxied?.includes("https_proxy is set, but zonewright connects without a proxy.")).toBe(!isReply);
});

test("sends a request for each 500 zones of the account, and asks name servers for 20", async () => {
  let domain: object = {};
  let requests = 0;
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, (server) => async (request, connection) => {
    const url = new URL(request.url);
    requests++;
    if (request.method !== "GET" || url.pathname !== "/v4/domains") return server(request, connection);
    const [page, size] = ["page", "page_size"].map((name) => Number(url.searchParams.get(name) ?? 1)) as [
      number,
      number,
    ];
    const data = Array.from({ length: size }, (_, index) => (page - 1) * size + index + 1)
      .filter((id) => id <= 4000)
      .map((id) => ({ ...domain, id, domain: `zone-${id}.example` }));
    return Response.json({ data, page, pages: Math.ceil(4000 / size), results: 4000 });
  });
  domain = await desk.call("POST", "/domains", {
    domain: "zone-1.example",
    type: "master",
    soa_email: "a@example.com",
  });
  requests = 0;
  const { lines } = await examine(desk, ` --nameserver ${await serveDns(desk)}`);
  expect(lines.API).toBe("ok | http://api/v4: 4000 zones in the account");
  expect(lines["name servers"]).toMatch(/^warn \| SERVICE: /);
  expect(requests).toBe(8);
});

test("a config with several errors, and no git", async () => {
  const desk = new Desk({ "zonewright.yaml": "zone: zones\nrule: {}\n" });
  const { code, lines } = await examine(desk);
  expect([code, lines.config]).toEqual([
    1,
    'fail | zonewright.yaml:1: "zone" is not a setting, and 1 more error | Did you mean "zones"?',
  ]);
  const program = new Program(desk.folder, "doctor", { PATH: "" });
  expect((await program.end()).out).toContain("warn  git       git is not installed\n");
});

test("finds a wrong token, one without the scope to write, and an API that does not answer", async () => {
  const desk = await newDesk({ "zones/example.com.yaml": zone });
  desk.env.ZONEWRIGHT_TOKEN = "wrong-token";
  desk.secrets.push("wrong-token");
  const wrong = await examine(desk);
  expect([wrong.code, wrong.lines.token]).toEqual([1, expect.stringMatching(/^fail \| .*ZONEWRIGHT_TOKEN/)]);
  desk.env.ZONEWRIGHT_TOKEN = await desk.mint({ scopes: "domains:read_only" });
  expect((await examine(desk)).lines.token).toBe(
    "warn | valid, with the scopes domains:read_only | `plan` works; `apply` needs a token with domains:read_write.",
  );
  const away = await examine(desk, " --api-url http://127.0.0.1:1");
  expect([away.code, away.lines.API]).toEqual([
    1,
    expect.stringMatching(/^fail \| .* \| The base URL is from --api-url\./),
  ]);
});

test("finds a wrong clock, invalid files and schemas of another version", async () => {
  const desk = await newDesk({
    "zones/example.com.yaml": zone.replace("192.0.2.1", "300.0.2.1"),
    "schemas/zone.schema.json": "{}",
    "schemas/config.schema.json": "{}",
  });
  desk.now = new Date(desk.now.getTime() + 3_600_000);
  const { code, lines } = await examine(desk);
  expect([code, lines["zone files"]]).toEqual([
    1,
    "fail | 1 zone, 0 records, 1 error | Run `zonewright validate` to list them.",
  ]);
  expect(lines.clock).toMatch(/^warn \| 3\d\d\d seconds ahead of the clock of the API \| Set the clock/);
  expect(lines.schemas).toMatch(
    /^warn \| schemas\/zone.schema.json belongs to another version of zonewright \| Remove it/,
  );
});
