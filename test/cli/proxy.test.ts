import { spawn } from "node:child_process";
import { createServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen, selfSigned } from "../client/sockets.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";
import { apiOf, Program } from "./process.ts";
import { Desk } from "./run.ts";

const zone =
  "$ORIGIN example.com.\n@ 300 IN SOA ns1.example.net. hostmaster 1 3600 600 86400 60\nwww 300 A 192.0.2.1\n";
const token = "secret-for-tests";

/** A desk whose API has a name that only a proxy reaches, with TLS and without, and the certificate of the former. */
async function openDesk() {
  const desk = new Desk({ "zones/example.com.zone": zone });
  const serving = new Program(desk.folder, "serve --port 0 --ephemeral", { ZONEWRIGHT_SERVE_TOKEN: token });
  const { url } = await apiOf(serving, token);
  const { key, cert } = selfSigned("DNS:api.test");
  desk.write("cert.pem", cert.toString());
  const pass = (incoming: import("node:http").IncomingMessage, reply: import("node:http").ServerResponse) => {
    const { pathname, search } = new URL(incoming.url ?? "/", "http://api.test");
    const onward = request(`${url}${pathname}${search}`, { method: incoming.method, headers: incoming.headers });
    onward.on("response", (answer) => {
      reply.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(reply);
    });
    incoming.pipe(onward);
  };
  const secure = await listen(createTlsServer({ key, cert }, pass));
  const hosts: string[] = [];
  // In place of DNS: every host is this API.
  const internet = createServer((incoming, reply) => {
    hosts.push(`${incoming.method} ${incoming.url}`);
    pass(incoming, reply);
  });
  internet.on("connect", ({ url: host }, socket) => {
    hosts.push(`CONNECT ${host}`);
    const onward = connect(Number(new URL(secure).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket);
      socket.pipe(onward);
    });
    for (const one of [socket, onward]) one.on("error", () => {});
  });
  return { desk, upstream: new URL(await listen(internet)).host, hosts };
}

/** tinyproxy before another proxy. */
async function startTinyproxy(desk: Desk, upstream: string, settings = ""): Promise<string> {
  const port = await freePort();
  const lines = [`Port ${port}`, "Listen 127.0.0.1", `Upstream http ${upstream}`, "Timeout 600", "Allow 127.0.0.1"];
  desk.write("tinyproxy.conf", `${lines.join("\n")}\n${settings}\n`);
  const child = spawn("tinyproxy", ["-d", "-c", "tinyproxy.conf"], { cwd: desk.folder });
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => {
        log += text;
        if (/Accepting connections/.test(log)) resolve();
      });
    child.on("exit", () => reject(new Error(log)));
  });
  return `127.0.0.1:${port}`;
}

async function run(desk: Desk, command: string, env: Record<string, string>) {
  const all = { ZONEWRIGHT_TOKEN: token, ...env };
  return new Program(desk.folder, command, all).end();
}

describe.skipIf(isMissing("tinyproxy", "openssl"))("a real proxy", () => {
  test.each(["https", "http"])("carries plan and apply over %s, with its user and password", async (scheme) => {
    const { desk, upstream, hosts } = await openDesk();
    const address = await startTinyproxy(desk, upstream, "BasicAuth me pass_word");
    const proxy = `http://me:pass%5Fword@${address}`;
    const env = {
      ZONEWRIGHT_API_URL: `${scheme}://api.test`,
      NODE_EXTRA_CA_CERTS: "cert.pem",
      [`${scheme.toUpperCase()}_PROXY`]: proxy,
    };
    const applied = await run(desk, "apply --yes", env);
    expect([applied.code, applied.out.match(/^applied.*/m)?.[0]]).toEqual([
      0,
      "applied and verified: 1 zone is as planned",
    ]);
    expect((await run(desk, "plan --detailed-exitcode", env)).code).toBe(0);
    const seen = scheme === "https" ? "CONNECT api.test:443" : "POST http://api.test:80/v4/domains";
    expect(hosts).toContain(seen);
    const examined = await run(desk, "doctor", env);
    expect(examined.out.match(/^.*(?:_PROXY|NODE_EXTRA_CA_CERTS).*$/gm)).toEqual([
      expect.stringContaining(`http://${address} (${scheme.toUpperCase()}_PROXY)`),
      expect.stringContaining("also those of cert.pem (NODE_EXTRA_CA_CERTS)"),
    ]);
    expect(applied.out + applied.talk + examined.out + examined.talk).not.toMatch(/pass_word|pass%5Fword|bWU6/);
  });

  test.each([
    {
      title: "without a password",
      settings: "BasicAuth me password",
      credentials: "",
      error:
        /^error\[transport\/proxy\] GET \/v4\/domains: the proxy http:\/\/HOST wants a user and password, or others \(407\)$/m,
    },
    {
      title: "with a wrong password",
      settings: "BasicAuth me password",
      credentials: "me:secret-of-mine@",
      error:
        /^error\[transport\/proxy\] GET \/v4\/domains: the proxy http:\/\/HOST wants a user and password, or others \(401\)$/m,
    },
    {
      title: "to a port that it does not allow",
      settings: "ConnectPort 563",
      credentials: "",
      error:
        /^error\[transport\/proxy\] GET \/v4\/domains: the proxy http:\/\/HOST refuses to connect to api\.test \(403\)$/m,
    },
  ])("refuses $title", async ({ settings, credentials, error }) => {
    const { desk, upstream } = await openDesk();
    const address = await startTinyproxy(desk, upstream, settings);
    const env = { ZONEWRIGHT_API_URL: "https://api.test", HTTPS_PROXY: `http://${credentials}${address}` };
    const { code, out, talk } = await run(desk, "plan", env);
    expect([code, (out + talk).replaceAll(address, "HOST").match(error)?.[0]]).toEqual([1, expect.any(String)]);
    expect(out + talk).not.toMatch(/secret-of-mine/);
  });

  test("is not asked for hosts of NO_PROXY and for this machine", async () => {
    const { desk, upstream, hosts } = await openDesk();
    const HTTPS_PROXY = `http://${await startTinyproxy(desk, upstream)}`;
    const direct = { ZONEWRIGHT_API_URL: "https://api.test", HTTPS_PROXY, NO_PROXY: "api.test" };
    const { talk } = await run(desk, "plan", direct);
    expect(talk).toMatch(/^error\[transport\/dns\] GET \/v4\/domains: the name api\.test does not resolve/m);
    expect(hosts).toEqual([]);
  });
});

test("a proxy that is not there is named, without its password", async () => {
  const desk = new Desk({ "zones/example.com.zone": zone });
  const env = { ZONEWRIGHT_API_URL: "https://api.test", https_proxy: "http://me:secret-of-mine@127.0.0.1:1" };
  const { code, talk } = await run(desk, "plan", env);
  expect([code, talk]).toEqual([
    1,
    `error[transport/proxy] GET /v4/domains: cannot reach the proxy http://127.0.0.1:1 (ECONNREFUSED)
  The base URL is from ZONEWRIGHT_API_URL. Correct https_proxy. If api.test is reached without it, add the name to NO_PROXY.
`,
  ]);
});
