import { expect, test } from "vitest";
import { RequestTurns } from "../../src/server/http/request-turns.ts";
import { start } from "./start.ts";
import { isPostgres } from "./stores.ts";

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

test.skipIf(isPostgres())(
  "the tokens of an account take turns together, as those without a known token do",
  async () => {
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
          server.takeTurn?.(token && `Bearer ${token}`, { remoteAddress }, () => {
            begun.push(String(name));
            resolve();
          }),
        ),
    );
    await Promise.all(ended);
    expect(begun).toEqual(["admin 1", "other", "unknown 1", "no token", "admin 2", "unknown 2", "admin 3"]);
  },
);
