// @suite long
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { isNightly } from "../../properties.ts";
import { startUpdateServer, type UpdateServer } from "../../updates/servers.ts";
import { type Judge, startJudge } from "./edits.ts";
import { changes, type Kill, KillDesk } from "./kills.ts";

/** The last command, and the commands that go on after it was killed, with the changes that the zone has then. */
const ways: readonly (readonly [last: string, next: string, changes: number])[] = [
  ["apply", "apply", changes],
  ["apply", "apply --resume", changes],
  ["apply", "undo last", 0],
  ["undo last", "undo last", 0],
  ["undo last", "apply", changes],
];

/** Goes on after a kill; false if the command ended before it. */
async function tryKill(desk: KillDesk, at: Kill, [last, next, end]: (typeof ways)[number]): Promise<boolean> {
  await desk.reset(last === "apply" ? [] : ["apply"]);
  const [before, from] = [await desk.runs(), await desk.made()];
  if (!(await desk.kill(last, at))) return false;
  const [killed] = (await desk.runs()).slice(0, -before.length || undefined);
  const made = Math.abs((await desk.made()) - from);
  // It may be killed before its journal begins.
  const { state, written, without_reply } = killed ?? { state: "unfinished", written: 0, without_reply: 0 };
  if (state === "done") {
    expect(made).toBe(changes);
    return true;
  }
  expect(state).toBe("unfinished");
  expect(made).toBeGreaterThanOrEqual(written);
  expect(made).toBeLessThanOrEqual(written + without_reply);
  if (killed === undefined && next !== "apply") return true;
  await desk.must(next);
  expect(await desk.made()).toBe(end);
  if (next !== "apply --resume") return true;
  for (const { id } of await desk.runs()) await desk.must(`undo ${id}`);
  expect(await desk.made()).toBe(0);
  return true;
}

describe.skipIf(isMissing("named", "knotd", "venv")).each(["BIND", "Knot, signed"] as const)("%s", (configuration) => {
  let server: UpdateServer;
  let judge: Judge;
  beforeAll(async () => {
    server = await startUpdateServer(configuration, 1);
    judge = startJudge();
  });
  afterAll(async () => {
    judge.stop();
    await server.stop();
  });

  test("a command killed after any line of its journal is told as it is, continued or undone exactly", async () => {
    const desk = await KillDesk.open(server, judge);
    let open = [...ways];
    for (let line = 0, turn = 0; open.length > 0; line += isNightly ? 1 : 10, turn++)
      for (const way of isNightly ? open : open.slice(turn % open.length).slice(0, 1))
        if (!(await tryKill(desk, { line }, way))) open = open.filter(([last]) => last !== way[0]);
  }, 3_600_000);

  // In CI, each server has its part of them.
  const tried = ways.filter((_, index) => isNightly || (index % 2 === 0) === (configuration === "BIND"));
  test.each(tried)(
    "`%s`, killed before or after the server has an update, then `%s`",
    async (...way) => {
      const desk = await KillDesk.open(server, judge);
      const page: string[] = [];
      for (const update of [1, 2] as const)
        for (const isServed of [false, true]) {
          expect(await tryKill(desk, { update, isServed }, way)).toBe(true);
          const title = `${isServed ? "after" : "before"} the server has the ${update === 1 ? "first" : "second"} update`;
          page.push(`## Killed ${title}\n\n\`\`\`console\n${desk.screens.join("")}\`\`\`\n`);
        }
      const file = `${way[0]}-then-${way[1]}`.replaceAll(/[ -]+/g, "-");
      const head = `# \`${way[0]}\` is killed, then \`${way[1]}\``;
      await expect(`${head}\n\n${page.join("\n")}`).toMatchFileSnapshot(`../../cases/kills/${file}.md`);
    },
    120_000,
  );
});
