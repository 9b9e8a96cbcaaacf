// @suite long

import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commitZones, type Git } from "../cli/git.ts";
import { type ApiDesk, apiDesk, lines } from "../cli/run.ts";
import { actionsToken, startWorld, type World } from "../github/world.ts";
import { runStep, type StepResult } from "./step.ts";

const file = "zones/example.com.yaml";
const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    # our site
    www: { A: 192.0.2.1 }
    mail: { A: 192.0.2.25 }
`;
const branch = "zonewright/drift/example.com";

interface Repository extends ApiDesk {
  readonly world: World;
  readonly git: Git;
  /** Runs drift in a fresh checkout of main, as a job has it. */
  drift(inputs?: Readonly<Record<string, string>>): Promise<StepResult>;
}

/** A repository with a bare origin, whose zone is applied and published. */
async function start(isPublished = true, files: Readonly<Record<string, string>> = {}): Promise<Repository> {
  const [desk, world] = await Promise.all([apiDesk({ [file]: zone, ...files }), startWorld()]);
  desk.secrets.push(actionsToken);
  world.clientOf(actionsToken, { contents: "write", pull_requests: "write" });
  const origin = `${desk.folder}.git`;
  onTestFinished(() => rmSync(origin, { recursive: true, force: true }));
  const git = commitZones(desk.folder);
  git("init", "-q", "--bare", origin);
  git("remote", "add", "origin", origin);
  git("push", "-q", "origin", "main");
  expect((await desk.run("apply --yes")).code).toBe(0);
  if (isPublished) expect((await desk.run("snapshot --ref refs/zonewright/snapshot --push")).code).toBe(0);
  desk.writes.length = 0;
  const env = { GITHUB_API_URL: world.api.url, GITHUB_REPOSITORY: "octo-org/zones" };
  const drift = async (inputs: Readonly<Record<string, string>> = {}) => {
    // A job begins without the branches of the last one.
    const made = git("for-each-ref", "--format=%(refname)", "refs/heads/zonewright").split("\n").filter(Boolean);
    for (const ref of made) git("update-ref", "-d", ref);
    const tips = git("ls-remote", origin, "refs/heads/*").trim().split("\n");
    for (const line of tips) world.repository.branches.set(line.replace(/.*refs\/heads\//, ""), line.slice(0, 40));
    const usual = { command: "drift", token: desk.token, "api-url": desk.url, "github-token": actionsToken };
    return runStep(desk, { ...usual, ...inputs }, { env });
  };
  return Object.assign(desk, { world, git, drift });
}

const noticeOf = ({ annotations }: StepResult) => annotations.find((text) => text.startsWith("notice"));

test("a zone as it was applied is in sync", async () => {
  const desk = await start();
  const step = await desk.drift();
  expect([step.code, step.outputs.result, step.outputs.zones, step.annotations]).toEqual([0, "in-sync", "0", []]);
});

test("a change outside git is drift, and fails the step if it is asked to", async () => {
  const desk = await start();
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.7" });
  const step = await desk.drift();
  expect([step.code, step.outputs.result, step.outputs.zones]).toEqual([0, "drift", "1"]);
  expect(step.annotations).toEqual([
    "warning zones/example.com.yaml:1 drift: example.com: 1 change made outside git; the summary of the job lists it",
    expect.stringMatching(/^warning drift-own-write: /),
  ]);
  expect(step.summary).toContain("**Changed outside git**");
  expect((await desk.drift({ "fail-on": "drift" })).code).toBe(2);
  const page = await desk.drift({ "fail-on": "changes", html: "drift.html" });
  expect([page.code, page.outputs["report-path"], desk.read("drift.html").slice(0, 15)]).toEqual([
    2,
    "drift.html",
    "<!doctype html>",
  ]);
  expect((await desk.drift({ "fail-on": "never" })).code).toBe(0);
});

test("a plan that undoes a change made outside git fails the step if it is asked to", async () => {
  const desk = await start();
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.7" });
  const inputs = { command: "plan", token: desk.token, "api-url": desk.url };
  const plain = await runStep(desk, inputs);
  expect([plain.code, plain.outputs.result, plain.outputs.changes]).toEqual([0, "changes", "1"]);
  expect((await runStep(desk, { ...inputs, "fail-on": "drift" })).code).toBe(2);
  expect((await runStep(desk, { ...inputs, "fail-on": "drift", snapshot: "live.json" })).code).toBe(3);
  expect((await runStep(desk, { ...inputs, "fail-on": "drift", base: "live.json" })).code).toBe(3);
});

test("a change that only git has is no drift", async () => {
  const desk = await start();
  desk.write(file, zone.replace("192.0.2.25", "192.0.2.26"));
  const step = await desk.drift({ "fail-on": "drift" });
  expect([step.code, step.outputs.result, step.annotations]).toEqual([0, "changes", []]);
});

test("drift is pushed on a branch and proposed in one pull request, which later runs update", async () => {
  const desk = await start();
  const { world, git } = desk;
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.7" });
  const push = () => {
    const [tip = ""] = git("ls-remote", "origin", `refs/heads/${branch}`).split("\t");
    world.repository.branches.set(branch, tip);
    return tip;
  };
  // The stand-in knows the branches that it is told of, so the first run only pushes.
  const pushed = await desk.drift({ write: "true" });
  expect([pushed.code, pushed.outputs.result]).toEqual([0, "drift"]);
  const first = push();
  git("fetch", "-q", "origin", branch);
  expect(git("show", `FETCH_HEAD:${file}`)).toBe(zone.replace("192.0.2.25", "192.0.2.7"));
  expect(world.api.pulls).toHaveLength(1); // of the world itself

  const opened = await desk.drift({ "open-pr": "true" });
  expect(noticeOf(opened)).toMatch(/^notice drift: pull request #2 opened: /);
  expect(push()).toBe(first);
  const again = await desk.drift({ "open-pr": "true" });
  expect(noticeOf(again)).toMatch(/^notice drift: pull request #2 is up to date: /);

  await desk.call("POST", "/domains/1/records", { type: "A", name: "lab", target: "192.0.2.8" });
  const more = await desk.drift({ "open-pr": "true" });
  expect(noticeOf(more)).toMatch(/^notice drift: pull request #2 updated: /);
  expect(push()).not.toBe(first);
  expect(world.api.pulls.map(({ title }) => title)).toEqual([
    "Change zones",
    "Adopt changes of example.com made outside git",
  ]);
  expect(git("status", "--porcelain", "--untracked-files=no")).toBe("");
});

test("a branch with commits of a person is left alone", async () => {
  const desk = await start();
  const { git } = desk;
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.7" });
  expect((await desk.drift({ write: "true" })).code).toBe(0);
  git("fetch", "-q", "origin", `${branch}:mine`);
  git("checkout", "-q", "mine");
  git("commit", "-q", "--allow-empty", "-m", "my own work");
  git("push", "-q", "origin", `mine:${branch}`);
  git("checkout", "-q", "main");
  const before = git("ls-remote", "origin", branch);
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.8" });
  const step = await desk.drift({ write: "true" });
  expect([step.code, step.outputs.result]).toEqual([3, "drift"]);
  expect(step.annotations[0]).toBe(
    `error git-branch: the branch "${branch}" of origin has commits that zonewright did not make. Merge or delete the branch.`,
  );
  expect(git("ls-remote", "origin", branch)).toBe(before);
});

test.each(["write", "open-pr"])("a branch with commits of a person stops no other zone (%s)", async (input) => {
  const desk = await start(true, { "zones/example.net.yaml": zone });
  const { git, world } = desk;
  const other = "zonewright/drift/example.net";
  const mine = git("commit-tree", "-p", "main", "-m", "my own work", "main^{tree}").trim();
  git("push", "-q", "origin", `${mine}:refs/heads/${branch}`);
  world.repository.branches.set(other, mine);
  const [first, second] = await Promise.all(
    [1, 2].map(async (id) => (await desk.call("GET", `/domains/${id}/records`)).data[0].id),
  );
  await desk.call("PUT", `/domains/1/records/${first}`, { target: "192.0.2.7" });
  await desk.call("PUT", `/domains/2/records/${second}`, { target: "192.0.2.7" });
  const step = await desk.drift({ [input]: "true", "fail-on": "never" });
  expect([step.code, step.outputs.result, step.outputs.zones]).toEqual([5, "drift", "2"]);
  expect(step.annotations[0]).toMatch(/^error git-branch: .*\. Merge or delete the branch\.$/);
  expect(git("ls-remote", "origin", branch)).toContain(mine);
  git("fetch", "-q", "origin", other);
  expect(git("show", "FETCH_HEAD:zones/example.net.yaml")).toContain("192.0.2.7");
});

test("a push that another one overtakes looks again, and replaces what it finds only if it may", async () => {
  const desk = await start();
  const { git } = desk;
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.7" });
  expect((await desk.drift({ write: "true" })).code).toBe(0);
  git("fetch", "-q", "origin", branch);
  const message = git("show", "-s", "--format=%B", "FETCH_HEAD");
  const ours = ["-c", "user.name=zonewright", "-c", "user.email=zonewright@localhost"];
  const earlier = git(...ours, "commit-tree", "-p", "main", "-m", message, "main^{tree}").trim();
  const mine = git("commit-tree", "-p", "main", "-m", "my own work", "main^{tree}").trim();
  // git runs it after it has asked origin for its branches, and before it sends ours.
  const overtake = (commit: string) => {
    git("push", "-q", "origin", `+${commit}:refs/heads/overtaking`);
    const hook = `#!/bin/sh\nunset GIT_DIR\ngit -C '${desk.folder}.git' update-ref refs/heads/${branch} ${commit}\nrm "$0"\n`;
    desk.write(".git/hooks/pre-push", hook);
    chmodSync(`${desk.folder}/.git/hooks/pre-push`, 0o755);
  };
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.8" });
  overtake(earlier);
  expect((await desk.drift({ write: "true" })).code).toBe(0);
  git("fetch", "-q", "origin", branch);
  expect(git("show", `FETCH_HEAD:${file}`)).toContain("192.0.2.8");

  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.9" });
  overtake(mine);
  const step = await desk.drift({ write: "true" });
  expect(step.annotations[0]).toContain("of origin has commits that zonewright did not make");
  expect(git("ls-remote", "origin", branch)).toContain(mine);
});

test("a push that the server refuses shows its reason", async () => {
  const desk = await start();
  const hook = `${desk.folder}.git/hooks/update`;
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\necho 'error: GH006: branches of robots are frozen' >&2\nexit 1\n", { mode: 0o755 });
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.7" });
  const step = await desk.drift({ write: "true" });
  expect([step.code, step.outputs.result]).toEqual([1, "drift"]);
  expect(step.annotations[0]).toMatch(
    /^error git-write: git push failed: error: GH006: branches of robots are frozen; .*! \[remote rejected\] .* \(hook declined\)\. /,
  );
});

test("without a snapshot nothing is proposed, and the step says so", async () => {
  const desk = await start(false);
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.7" });
  const step = await desk.drift({ "open-pr": "true" });
  expect([step.code, step.outputs.result]).toEqual([0, "drift"]);
  expect(noticeOf(step)).toMatch(/^notice no snapshot: Nothing is proposed: /);
  expect(step.annotations).toContainEqual(expect.stringMatching(/ drift: example\.com: 1 difference; /));
  const page = await desk.drift({ html: "drift.html" });
  for (const text of [...page.annotations, page.log, page.summary, desk.read("drift.html").replace(/.*<header>/s, "")])
    expect(text.replaceAll(/unknown whether a difference was made in git or outside/g, "")).not.toMatch(/outside/);
  expect(desk.git("ls-remote", "origin", "refs/heads/zonewright/*")).toBe("");
});

test("snapshot publishes the live zones of the project on origin", async () => {
  const desk = await start(false);
  const step = await runStep(desk, { command: "snapshot", token: desk.token, "api-url": desk.url });
  expect([step.code, step.outputs.result, step.outputs.zones]).toEqual([0, "published", "1"]);
  expect(desk.git("ls-remote", "origin", "refs/zonewright/snapshot")).toMatch(/^[0-9a-f]{40}\t/);
  expect((await desk.drift()).outputs.result).toBe("in-sync");
});
