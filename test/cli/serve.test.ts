import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { Program } from "./process.ts";
import { Desk, lines } from "./run.ts";

/** Waits for the URL of a server that starts, and for what it says with it. */
async function started(program: Program) {
  const [, url = ""] = await program.says(/^(http:\/\/\S+)\n/);
  await program.says(/Ctrl-C stops it\n(?!$)|Ctrl-C stops it\n$/);
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

test("the first start shows a token, the second keeps it and the data", async () => {
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
      zonewright serves .zonewright/data; Ctrl-C stops it
      first start; this token is shown once:

      export ZONEWRIGHT_TOKEN=${token}

      finishing the requests under way
    `,
  });
  const second = new Program(desk.folder, "serve --port 0");
  const again = await started(second);
  expect((await get(`${again}/v4/domains`, token)).body.data[0].domain).toBe("example.com");
  second.kill("SIGTERM");
  expect(await second.end()).toEqual({
    code: 0,
    out: `${again}\n`,
    talk: "zonewright serves .zonewright/data; Ctrl-C stops it\nfinishing the requests under way\n",
  });
});

test("a token of one's own is not shown, and works at every start", async () => {
  const desk = new Desk();
  for (const command of ["--token secret-for-tests", "--token secret-for-tests", "--token second-for-tests", ""]) {
    const program = new Program(desk.folder, `serve --port 0 --data data ${command}`);
    const url = await started(program);
    expect((await get(`${url}/v4/domains`, "secret-for-tests")).status).toBe(200);
    program.kill("SIGINT");
    expect(await program.end()).toEqual({
      code: 0,
      out: `${url}\n`,
      talk: "zonewright serves data; Ctrl-C stops it\nfinishing the requests under way\n",
    });
  }
});

test("--ephemeral keeps nothing", async () => {
  const desk = new Desk();
  const program = new Program(desk.folder, "serve --port 0 --ephemeral --token secret-for-tests");
  const url = await started(program);
  expect(await post(`${url}/v4/domains`, "secret-for-tests", domain)).toBe(200);
  program.kill("SIGINT");
  expect(await program.end()).toEqual({
    code: 0,
    out: `${url}\n`,
    talk: "zonewright serves from memory; Ctrl-C stops it\nfinishing the requests under way\n",
  });
  expect(desk.files()).toEqual({});
});

test("a port in use: a sentence, and the token is still to come", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  const desk = new Desk();
  expect(await desk.run(`serve --port ${port}`)).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[listen] cannot listen on 127.0.0.1 port ${port}
        Another program listens there. Stop what holds it, or choose another port or address.
    `,
  });
  holder.close();
  await once(holder, "close");
  const program = new Program(desk.folder, `serve --port ${port}`);
  await program.says(/export ZONEWRIGHT_TOKEN=\w{64}\n/);
});

test("a request under way is finished before the end", async () => {
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
