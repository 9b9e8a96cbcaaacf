import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
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

describe("in CI", () => {
  const env = { CI: "true" };
  /** The errors of a command that reads the folder, and of one that lists runs. */
  const errorsOf = async (desk: Desk, more: Record<string, string> = {}) => {
    const given = { env: { ...env, ...more } };
    const validated = await desk.run("validate", given);
    const listed = await desk.run("runs", given);
    return [validated.out, listed.talk].map((text) => /error\[state-committed\] ([^:\n]*)/.exec(text)?.[1]);
  };

  /** A repository with a committed journal. */
  async function committed(): Promise<Desk> {
    const desk = await apiDesk({ "zones/example.com.yaml": zone });
    desk.write(".zonewright/runs/2026-01-01-abcd/journal.jsonl", '{"kind":"begin"}\n');
    const git = commitZones(desk.folder);
    git("add", "-f", ".zonewright");
    git("commit", "-q", "-m", "The state of runs");
    return desk;
  }

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  // As in a clone of another user, git fails before it looks for anything.
  const damage = ({ folder }: Desk) => writeFileSync(join(folder, ".git/config"), "[");

  const unknown = "cannot tell whether .zonewright is committed";

  test.each([
    ["git is missing", () => vi.stubEnv("PATH", "/nonexistent")],
    ["git cannot read the repository", damage],
  ])("a folder is refused if %s", async (_, arrange) => {
    const desk = await committed();
    arrange(desk);
    expect(await errorsOf(desk)).toEqual([unknown, unknown]);
  });

  test("the advice for a folder that git cannot judge helps", async () => {
    const desk = await committed();
    damage(desk);
    rmSync(join(desk.folder, ".zonewright"), { recursive: true });
    expect(await errorsOf(desk)).toEqual([undefined, undefined]);
  });

  test("the folder of an earlier step outside of any repository is read", async () => {
    const desk = await apiDesk({ "zones/example.com.yaml": zone });
    expect((await desk.run("apply --yes", { env })).code).toBe(0);
    expect(await errorsOf(desk)).toEqual([undefined, undefined]);
  });

  test("a link that git does not know is refused", async () => {
    const desk = await apiDesk({ "zones/example.com.yaml": zone, ".gitignore": ".zonewright\n" });
    commitZones(desk.folder);
    mkdirSync(join(desk.folder, "elsewhere"));
    symlinkSync("elsewhere", join(desk.folder, ".zonewright"));
    expect(await errorsOf(desk)).toEqual([".zonewright is a symbolic link", ".zonewright is a symbolic link"]);
    expect((await desk.run("validate")).code).toBe(0);
  });

  test("the folder of an earlier step is read", async () => {
    const desk = await apiDesk({ "zones/example.com.yaml": zone, ".gitignore": ".zonewright/\n" });
    commitZones(desk.folder);
    expect((await desk.run("apply --yes", { env })).code).toBe(0);
    expect(await errorsOf(desk)).toEqual([undefined, undefined]);
  });
});

test("outside of CI, git is not needed", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("runs")).code).toBe(0);
});

test("a folder that is committed in another case is not trusted", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  desk.write(".Zonewright/lock", "{}");
  const git = commitZones(desk.folder);
  git("add", "-f", ".Zonewright");
  git("commit", "-q", "-m", "The state of runs");
  // A disk that ignores case shows it under this name, too.
  mkdirSync(join(desk.folder, ".zonewright"));
  expect((await desk.run("validate")).out).toContain("error[state-committed] .Zonewright/lock is committed");
});
