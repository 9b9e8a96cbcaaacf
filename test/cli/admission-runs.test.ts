import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commitZones, gitIn } from "./git.ts";
import { anew, before, planned } from "./reviewed.ts";
import { type ApiDesk, apiDesk } from "./run.ts";

describe("earlier runs", () => {
  const journal = (desk: ApiDesk, begin: object, end?: object) => {
    const at = {
      kind: "begin",
      format: "zonewright.journal/1",
      run: "20260304T120500Z-1",
      at: "2026-03-04T12:05:00.000Z",
    };
    const text = [
      { ...at, zones: [{ zone: "example.com.", writes: 2 }], ...begin },
      ...(end ? [{ kind: "end", at: at.at, ...end }] : []),
    ];
    desk.write(
      ".zonewright/runs/20260304T120500Z-1/journal.jsonl",
      text.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
  };
  const nonce = "00000000000000000000000000000001";
  const approvedPlans = [{ nonce, effectDigest: "1", planDigest: "2" }];
  const run = "20260304T120500Z-1 of 2026-03-04T12:05:00.000Z";

  const unfinished = (next: string) =>
    `run 20260304T120500Z-1 is not finished (0 of 2 writes): continue it with \`${next}\`, or revert it with \`zonewright undo 20260304T120500Z-1\`\n`;

  test.each<[string, object, object | undefined, refused: string | undefined, named?: string]>([
    [
      "the plan was applied",
      { approvedPlans },
      { state: "done" },
      `error[plan-consumed] plan.json was already applied: run ${run}`,
    ],
    [
      "the plan was partly applied: it continues",
      { approvedPlans },
      { state: "partly" },
      undefined,
      unfinished("zonewright apply FILE"),
    ],
    [
      "the run was interrupted: it continues",
      { approvedPlans },
      undefined,
      undefined,
      unfinished("zonewright apply FILE"),
    ],
    [
      "a run of version 0.1 was interrupted: it continues",
      { nonce, planDigest: "2" },
      undefined,
      undefined,
      unfinished("zonewright apply FILE"),
    ],
    ["a later run in the same zone, which changed nothing that the files want", {}, { state: "done" }, undefined],
    ["a later run that was interrupted", {}, undefined, undefined, unfinished("zonewright apply --resume")],
    ["a later run in another zone", { zones: [{ zone: "example.net.", writes: 1 }] }, { state: "done" }, undefined],
    ["a run before the plan", { at: "2026-03-04T11:59:00.000Z" }, { state: "done" }, undefined],
  ])("%s", async (_, begin, end, refused, named = "") => {
    const desk = await planned();
    journal(desk, begin, end);
    const { code, talk } = await desk.run("apply plan.json --yes");
    expect({ code, talk }).toEqual(
      refused === undefined
        ? { code: 0, talk: `${named}example.com: 2 writes\nexample.com: done\n` }
        : { code: 4, talk: `${refused}\n${anew}` },
    );
  });

  test("takes the order of commits from git, not from the time of the runs", async () => {
    const desk = await apiDesk({ "zones/example.com.yaml": before });
    const git = gitIn(desk.folder);
    const commit = () => {
      git("commit", "--allow-empty", "-qm", "x");
      return git("rev-parse", "HEAD").trim();
    };
    mkdirSync(desk.folder, { recursive: true });
    git("init", "-q");
    const older = commit();
    const own = commit();
    await desk.run("apply --yes");
    desk.write("zones/example.com.yaml", before.replace("192.0.2.10", "192.0.2.11"));
    await desk.run("plan --out plan.json");
    // A record that a run added, or a person: without a later run it is kept.
    await desk.call("POST", "/domains/1/records", { type: "A", name: "lab", target: "192.0.2.99" });
    const later = commit();
    git("checkout", "-q", older);
    const aside = commit();
    const refused = async (begin: object) => {
      journal(desk, begin, { state: "done" });
      return (await desk.run("apply plan.json")).talk.split("\n")[0];
    };
    const question = "error: no terminal to confirm on: review the plan, then run the same command with --yes.";
    const past = { at: "2026-03-04T11:00:00.000Z" };
    expect(await refused({ commit: later, ...past })).toBe(
      `error[plan-superseded] plan.json is older than a run of the commit ${later.slice(0, 12)} in the same zones: 20260304T120500Z-1 of 2026-03-04T11:00:00.000Z`,
    );
    expect(await refused({ commit: older })).toBe(question);
    expect(await refused({ commit: own })).toBe(question);
    expect(await refused({ commit: aside })).toBe(question);
    expect(await refused({ commit: "0".repeat(40) })).toMatch(/^error\[plan-superseded\]/);
  });
});

test("compares files, not commits: an approval survives squash and rebase", async () => {
  const desk = await planned();
  commitZones(desk.folder);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});
