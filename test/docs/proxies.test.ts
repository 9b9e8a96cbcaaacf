// @suite long

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/server/operate.md"), "utf8");

/** The configuration of a proxy on the page. */
function exampleOf(kind: string): string {
  return new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? expect.fail(kind);
}

const host = "dns.example.com";
const token = "secret-for-tests";

/** Ports of the proxy and of the API behind it. */
interface Ports {
  readonly own: number;
  readonly api: number;
}

/** A server behind a proxy that `start` configures, and gives the command of. */
async function begin(start: (desk: Desk, ports: Ports) => string[]) {
  const desk = new Desk();
  const server = desk.start(`serve --port 0 --ephemeral --token ${token} --trust-proxy 127.0.0.1 --access-log`);
  const [, api = ""] = await server.says(/^http:\/\/127\.0\.0\.1:(\d+)\n/m);
  const files = ["-keyout", join(desk.folder, "key.pem"), "-out", join(desk.folder, "cert.pem")];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-days", "2"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], { stdio: "ignore" });
  const own = await freePort();
  const [program = "", ...words] = start(desk, { own, api: Number(api) });
  const env = { ...process.env, HOME: desk.folder };
  const proxy = spawn(program, words, { cwd: desk.folder, env, stdio: "ignore" });
  const ended = once(proxy, "close");
  const agent = new Agent({ ca: desk.read("cert.pem"), servername: host, keepAlive: true });
  onTestFinished(async () => {
    agent.destroy();
    proxy.kill("SIGTERM");
    await ended;
  });
  const open = (method: string, path: string, headers: Record<string, string | number> = {}) => {
    const sent = { Host: host, Authorization: `Bearer ${token}`, ...headers };
    return request({ host: "127.0.0.1", port: own, agent, method, path, headers: sent });
  };
  /** The status of the reply, or the code of the error if the proxy closes the connection. */
  const call = async (method: string, path: string, body = "", headers = {}): Promise<number | string> => {
    const sent = open(method, path, headers);
    try {
      sent.end(body);
      const [reply] = (await once(sent, "response")) as [IncomingMessage];
      reply.resume();
      return reply.statusCode ?? 0;
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : expect.fail(String(error));
    }
  };
  while ((await call("GET", "/v4/regions")) !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  return { open, call, server };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** Checks what both examples promise. */
async function expectProtected({ call, server }: Begun): Promise<void> {
  const domain = JSON.stringify({ domain: "example.com", type: "master", soa_email: "hostmaster@example.com" });
  expect(await call("POST", "/v4/domains", domain, { "X-Forwarded-For": "192.0.2.1" })).toBe(200);
  const internal = ["/healthz", "/readyz", "/metrics", "/%6detrics"];
  expect(await Promise.all(internal.map((path) => call("GET", path)))).toEqual(internal.map(() => 404));
  expect(await call("POST", "/v4/domains", "x".repeat(2 ** 20 + 1))).toBe(413);
  // Caddy's limit may cut a request that it passes on already: its reply is then 502.
  expect([413, 502, "EPIPE", "ECONNRESET"]).toContain(await call("POST", "/v4/domains", "x".repeat(7 * 2 ** 20)));
  const { talk } = await server.end();
  const lines = talk.split("\n").filter((line) => line.startsWith("{"));
  const accesses = lines.map((line) => JSON.parse(line) as Record<"path" | "address", string>);
  expect(new Set(accesses.map(({ address }) => address))).toEqual(new Set(["127.0.0.1"])); // no client chooses its own
  expect(accesses.filter(({ path }) => !path.startsWith("/v4/"))).toEqual([]);
}

test.skipIf(isMissing("nginx") || isMissing("openssl"))("the configuration of nginx", async () => {
  const begun = await begin((desk, { own, api }) => {
    const server = exampleOf("nginx")
      .replace("listen 443 ssl", `listen 127.0.0.1:${own} ssl`)
      .replace("127.0.0.1:4119", `127.0.0.1:${api}`)
      .replace("rate=50r/s", "rate=1r/m") // so that the burst is the limit, however slow the machine is
      .replace("/etc/ssl/dns.example.com.pem", join(desk.folder, "cert.pem"))
      .replace("/etc/ssl/dns.example.com.key", join(desk.folder, "key.pem"));
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${kind};\n`);
    const http = `http {\naccess_log off;\n${paths.join("")}${server}}\n`;
    desk.write("nginx.conf", `user ${userInfo().username};\npid nginx.pid;\nevents {}\n${http}`);
    return ["nginx", "-p", desk.folder, "-c", "nginx.conf", "-g", "daemon off; error_log stderr;"];
  });
  // 40 connections of one address whose requests are under way
  const waiting = Array.from({ length: 40 }, () => begun.open("POST", "/v4/domains", { "Content-Length": 10 }));
  const refused: (number | undefined)[] = [];
  await new Promise<void>((resolve) => {
    for (const sent of waiting) {
      sent.on("error", () => {}); // destroyed below
      sent.on("response", ({ statusCode }) => refused.push(statusCode) === 8 && resolve());
      sent.write("x");
    }
  });
  expect(refused).toEqual(Array(8).fill(429));
  for (const sent of waiting) sent.destroy();
  await expectProtected(begun);
  for (let requests = 0; requests < 180; requests += 20)
    await Promise.all(Array.from({ length: 20 }, () => begun.call("GET", "/v4/regions")));
  expect(await begun.call("GET", "/v4/regions")).toBe(429);
});

test.skipIf(isMissing("caddy") || isMissing("openssl"))("the configuration of Caddy", async () => {
  const begun = await begin((desk, { own, api }) => {
    const config = exampleOf("caddy")
      .replace(/^\{\n/, "{\n  admin off\n  auto_https off\n")
      .replace("dns.example.com {", `https://dns.example.com:${own} {\n  bind 127.0.0.1\n  tls cert.pem key.pem`)
      .replace("127.0.0.1:4119", `127.0.0.1:${api}`);
    desk.write("Caddyfile", config);
    return ["caddy", "run", "--config", "Caddyfile"];
  });
  await expectProtected(begun);
});
