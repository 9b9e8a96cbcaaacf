import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitZones } from "../cli/git.ts";
import { apiDesk } from "../cli/run.ts";

const zone = "soa_email: hostmaster@example.com\nrecords:\n  www: { A: 192.0.2.1 }\n";

type Desk = Awaited<ReturnType<typeof apiDesk>>;

test.each<[string, (desk: Desk) => void]>([
  ["a lock", (desk) => desk.write(".zonewright/lock", "{}")],
  ["a journal", (desk) => desk.write(".zonewright/runs/2026-01-01-abcd/journal.jsonl", '{"kind":"begin"}\n')],
  ["a file instead of the folder", (desk) => desk.write(".zonewright", "text")],
  [
    "a link instead of the folder",
    (desk) => {
      mkdirSync(join(desk.folder, "elsewhere"));
      symlinkSync("elsewhere", join(desk.folder, ".zonewright"));
    },
  ],
  [
    "a link in the folder",
    (desk) => {
      mkdirSync(join(desk.folder, ".zonewright"));
      symlinkSync("../elsewhere", join(desk.folder, ".zonewright/runs"));
    },
  ],
])("%s that is committed is not trusted, and the advice helps", async (_, add) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  add(desk);
  const git = commitZones(desk.folder);
  git("add", "-f", ".zonewright");
  git("commit", "-q", "-m", "The state of runs");
  expect((await desk.run("validate")).out).toContain("error[state-committed] .zonewright");
  const refused = await desk.run("apply --yes");
  expect([refused.code === 0, refused.talk.includes("error[state-committed] .zonewright")]).toEqual([false, true]);
  expect(desk.writes).toEqual([]);
  git("rm", "-r", "-q", "--cached", ".zonewright");
  rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
  expect((await desk.run("validate")).code).toBe(0);
  expect((await desk.run("apply --yes")).code).toBe(0);
});
