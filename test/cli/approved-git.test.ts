// @suite long

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Git, gitIn } from "./git.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const file = "zones/example.com.yaml";
const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.10 }

    mail: { A: 192.0.2.25 }

    api: { A: 192.0.2.80 }
`;

interface Repository extends ApiDesk {
  readonly git: Git;
  /** Commits the zone file with another text for a part of it. */
  commit(from: string, to: string): void;
  /** Plans the checked-out branch into a file outside of git, as a pull request does. */
  plan(name: string): Promise<void>;
}

/** A repository whose main branch is applied. */
async function open(): Promise<Repository> {
  const desk = await apiDesk({ [file]: zone, ".gitignore": "*.json\n.zonewright\n" });
  const git = gitIn(desk.folder);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "zones");
  expect((await desk.run("apply --yes")).code).toBe(0);
  const commit = (from: string, to: string) => {
    const text = desk.read(file);
    expect(text).toContain(from);
    desk.write(file, text.replace(from, to));
    git("commit", "-qam", to);
  };
  const plan = async (name: string) => {
    expect((await desk.run(`plan --out ${name}.json`)).code).toBe(0);
  };
  return Object.assign(desk, { git, commit, plan });
}

/** The journal stays on the machine that applied: each job begins in a fresh checkout. */
function freshCheckout(desk: ApiDesk): void {
  rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
  desk.writes.length = 0;
}

test.each<[string, (desk: Repository) => void]>([
  [
    "a squash",
    ({ git }) => {
      git("merge", "--squash", "-q", "change");
      git("commit", "-qm", "change");
    },
  ],
  ["a merge commit", ({ git }) => git("merge", "-q", "--no-ff", "-m", "merge", "change")],
  [
    "a rebase",
    ({ git }) => {
      git("checkout", "-q", "change");
      git("rebase", "-q", "main");
      git("checkout", "-q", "main");
      git("merge", "-q", "--ff-only", "change");
    },
  ],
  ["a cherry-pick", ({ git }) => git("cherry-pick", "change~1", "change")],
])("an approval survives %s, after another change was merged and applied", async (_, merge) => {
  const desk = await open();
  const { git, commit, plan } = desk;
  git("checkout", "-qb", "change");
  commit("192.0.2.10", "192.0.2.99");
  commit("192.0.2.99", "192.0.2.11");
  await plan("change");
  git("checkout", "-q", "main");
  commit("192.0.2.80", "192.0.2.81");
  await plan("other");
  expect((await desk.run("apply other.json --yes")).code).toBe(0);
  freshCheckout(desk);
  merge(desk);
  const { code, out } = await desk.run("apply change.json --yes");
  expect({ code, changes: out.match(/ [~+-] \w+ +\S+ .*→ \S+/g) }).toEqual({
    code: 0,
    changes: [" ~ change  www  A  3600  192.0.2.10 → 192.0.2.11"],
  });
  expect(desk.writes).toHaveLength(1);
  expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
});

test("a merge queue applies several pull requests with the approval of each, and no fewer", async () => {
  const desk = await open();
  const { git, commit, plan } = desk;
  const changes = [
    ["a", "192.0.2.10", "192.0.2.11"],
    ["b", "192.0.2.80", "192.0.2.81"],
    ["c", "192.0.2.25", "192.0.2.26"],
  ] as const;
  for (const [name, from, to] of changes) {
    git("checkout", "-qb", name, "main");
    commit(from, to);
    await plan(name);
  }
  git("checkout", "-q", "main");
  for (const [name] of changes) git("merge", "-q", "--no-ff", "-m", name, name);
  freshCheckout(desk);
  const { code, talk } = await desk.run("apply a.json c.json --yes");
  expect({ code, errors: talk.match(/^error.*$/gm) }).toEqual({
    code: 4,
    errors: [
      "error[plan-effects] api.example.com A: changing 192.0.2.80 to 192.0.2.81 (the zone's TTL 3600) is not approved",
    ],
  });
  expect(desk.writes).toEqual([]);
  expect((await desk.run("apply a.json b.json c.json --yes")).code).toBe(0);
  expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
});

test("a change that is pushed after the approval is refused", async () => {
  const desk = await open();
  const { git, commit, plan } = desk;
  git("checkout", "-qb", "change");
  commit("192.0.2.10", "192.0.2.11");
  await plan("change");
  commit("192.0.2.25", "192.0.2.66");
  git("checkout", "-q", "main");
  git("merge", "-q", "--squash", "change");
  git("commit", "-qm", "change");
  freshCheckout(desk);
  const { code, talk } = await desk.run("apply change.json --yes");
  expect({ code, error: talk.split("\n")[0] }).toEqual({
    code: 4,
    error:
      "error[plan-effects] mail.example.com A: changing 192.0.2.25 to 192.0.2.66 (the zone's TTL 3600) is not approved",
  });
  expect(desk.writes).toEqual([]);
});
