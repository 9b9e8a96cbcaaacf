import { once } from "node:events";
import { Agent, get, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { hashSecret } from "../../src/server/areas/users/tokens-rows.ts";
import { RequestTurns } from "../../src/server/http/lanes.ts";
import { listen } from "../../src/server/http/node.ts";
import { noteConnection } from "../../src/server/store/event-loop.ts";
import { start } from "./start.ts";

test("requests begin for 5 ms in each turn of the event loop, those of one sender after those of others", async () => {
  let now = 0;
  const turns = new RequestTurns(() => now);
  const inTurns: string[][] = [[]];
  const done = new Promise<void>((resolve) => {
    const countTurns = () => {
      if (inTurns.flat().length === 10) return resolve();
      inTurns.push([]);
      setImmediate(countTurns);
    };
    for (const name of ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1", "c2", "c3"])
      turns.add(name.charAt(0), () => {
        inTurns.at(-1)?.push(name);
        now += 2;
      });
    setImmediate(countTurns);
  });
  await done;
  expect(inTurns.filter((names) => names.length > 0)).toEqual([
    ["a1", "b1", "c1"],
    ["a2", "b2", "c2"],
    ["a3", "c3", "a4"],
    ["a5"],
  ]);
});

test("the tokens of an account take turns together, as those without a known token do", async () => {
  const { server, mint, call } = await start();
  const admins = [await mint(), await mint()];
  const other = await mint({ username: "other" });
  for (const as of [...admins, other]) expect((await call("GET", "/profile", undefined, { as })).status).toBe(200);
  const begun: string[] = [];
  const ended = [
    ["admin 1", admins[0], "192.0.2.1"],
    ["admin 2", admins[1], "192.0.2.2"],
    ["admin 3", admins[0], "192.0.2.3"],
    ["other", other, "192.0.2.1"],
    ["unknown 1", "none", "198.51.100.1"],
    ["unknown 2", "not one", "198.51.100.1"],
    ["no token", undefined, "198.51.100.2"],
  ].map(
    ([name, token, remoteAddress]) =>
      new Promise<void>((resolve) =>
        server.takeTurn?.(
          token && hashSecret(token),
          () => String(remoteAddress),
          () => {
            begun.push(String(name));
            resolve();
          },
        ),
      ),
  );
  await Promise.all(ended);
  expect(begun).toEqual(["admin 1", "other", "unknown 1", "no token", "admin 2", "unknown 2", "admin 3"]);
});

test("waiting requests leave 30 turns to new connections, of which the event loop takes one in each", async () => {
  const turns = new RequestTurns(() => 0);
  let count = 0;
  const begun: number[] = [];
  const connect = () => {
    count++;
    noteConnection();
    if (begun.length < 3) setImmediate(connect);
  };
  connect();
  for (let n = 0; n < 2; n++) turns.add("a", () => begun.push(count));
  while (begun.length < 2) await new Promise(setImmediate);
  turns.add("a", () => begun.push(count));
  while (begun.length < 3) await new Promise(setImmediate);
  // After 30 turns without requests, and again.
  expect(begun).toEqual([32, 32, 63]);
});

test("each request of a connection is that of its own token", async () => {
  const { server, mint } = await start();
  const tokens = [await mint(), await mint({ username: "other" })] as const;
  const port = await listen(server, { port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (headers: OutgoingHttpHeaders) => {
    const request = get(`${port.url}/v4/profile`, { agent, headers });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const { username } = JSON.parse(await text(response));
    return username ?? response.statusCode;
  };
  const [admin, other] = tokens.map((token) => `Bearer ${token}`);
  const told = [];
  for (const headers of [
    { authorization: admin },
    { authorization: other },
    {},
    { AUTHORIZATION: other },
    { authorization: "Bearer none" },
    { Authorization: admin },
    { authorization: [admin, admin] },
    { authorization: admin },
  ])
    told.push(await ask(headers as OutgoingHttpHeaders));
  agent.destroy();
  await port.close();
  expect(told).toEqual(["admin", "other", 401, "other", 401, "admin", 401, "admin"]);
});

test("the access log counts the wait for the turn", async () => {
  // The clock when the request comes, and from its turn on.
  const readings = [0];
  const milliseconds: number[] = [];
  const { server } = await start({
    monotonic: () => readings.shift() ?? 10,
    onAccess: (access) => milliseconds.push(access.milliseconds),
  });
  const port = await listen(server, { port: 0 });
  await (await fetch(`${port.url}/healthz`)).text();
  await port.close();
  expect(milliseconds).toEqual([10]);
});
