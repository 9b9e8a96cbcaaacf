// @suite long

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commitZones } from "../cli/git.ts";
import { apiDesk } from "../cli/run.ts";
import { head, startWorld, tip } from "../github/world.ts";
import { runStep } from "./step.ts";

/** The rows of the table of permissions in docs/action.md. */
const rows = [
  ...readFileSync(join(import.meta.dirname, "../../docs/action.md"), "utf8")
    .split("\n## Permissions\n")
    .slice(1)
    .join("")
    .matchAll(/^\| (`\w+`.*?) \| (.*?) \| (.*?) \|$/gm),
].map(([, command = "", permissions = "", scopes = ""]) => ({
  command: command.replaceAll("`", ""),
  permissions: [...permissions.matchAll(/`([\w-]+): (\w+)`/g)].map(([, name = "", level = ""]) => [
    name.replaceAll("-", "_"),
    level,
  ]),
  scopes: [...scopes.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope).join(" "),
}));

const zone = "soa_email: hostmaster@example.com\nrecords:\n  www: { A: 192.0.2.1 }\n";
const later = zone.replace("192.0.2.1 ", "192.0.2.2 ");

/** The inputs of each row, the zone file of its checkout, and its outcome. */
const scenarios: Readonly<Record<string, readonly [inputs: Record<string, string>, text: string, result: string]>> = {
  validate: [{ command: "validate" }, zone, "valid"],
  plan: [{ command: "plan" }, later, "changes"],
  "plan against a snapshot": [{ command: "plan", against: "live.json" }, later, "changes"],
  apply: [{ command: "apply" }, later, "applied"],
  // test/action/approved.test.ts runs it with a merged pull request.
  "apply with plan: auto": [{ command: "apply", plan: "auto" }, later, "refused"],
  verify: [{ command: "verify", verify: "rendered", wait: "5s" }, zone, "in-sync"],
  drift: [{ command: "drift", base: "live.json" }, later, "drift"],
  "drift with open-pr": [{ command: "drift", "open-pr": "true" }, zone, "drift"],
  import: [{ command: "import" }, later, "imported"],
  snapshot: [{ command: "snapshot" }, zone, "published"],
};

test("the table has every scenario", () => {
  expect(rows.map(({ command }) => command)).toEqual(Object.keys(scenarios));
});

test.each(rows)(
  "$command works with exactly the permissions of the table",
  async ({ command, permissions, scopes }) => {
    const [inputs, text, result] = scenarios[command] ?? expect.fail(command);
    const [desk, world] = await Promise.all([apiDesk({ "zones/example.com.yaml": zone }), startWorld()]);
    const origin = `${desk.folder}.git`;
    onTestFinished(() => rmSync(origin, { recursive: true, force: true }));
    const git = commitZones(desk.folder);
    git("init", "-q", "--bare", origin);
    git("remote", "add", "origin", origin);
    expect((await desk.run("apply --yes")).code).toBe(0);
    expect((await desk.run("snapshot --out live.json")).code).toBe(0);
    if (command === "drift with open-pr") {
      expect((await desk.run("snapshot --ref refs/zonewright/snapshot --push")).code).toBe(0);
      world.repository.branches.set("zonewright/drift/example.com", "9".repeat(40)); // which the stand-in cannot see
    }
    if (command.startsWith("drift")) await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.9" });
    desk.write("zones/example.com.yaml", text);

    world.clientOf("ghs_token-of-the-job", Object.fromEntries(permissions));
    const token = scopes === "" ? {} : { token: await desk.mint({ scopes }), "api-url": desk.url };
    const env = {
      GITHUB_API_URL: world.api.url,
      GITHUB_REPOSITORY: "octo-org/zones",
      GITHUB_RUN_ID: "9",
      GITHUB_SHA: tip,
      GITHUB_REF_NAME: "main",
      GITHUB_REF_TYPE: "branch",
    };
    const { repository } = world;
    world.api.runs.push({ id: 9, repository, workflow: 4, branch: "main", sha: tip, event: "push", conclusion: null });
    const repo = { full_name: "octo-org/zones" };
    const event = command === "plan" ? { pull_request: { number: 1, head: { sha: head, repo }, base: { repo } } } : {};
    const step = await runStep(desk, { ...inputs, ...token, "github-token": "ghs_token-of-the-job" }, { env, event });
    expect([step.outputs.result, step.annotations.filter((text) => /permission|no comment/.test(text))]).toEqual([
      result,
      [],
    ]);
    if (command === "plan") expect(world.api.commentsOf(world.pull)).toHaveLength(1);
    if (command === "drift with open-pr") expect(world.api.pulls).toHaveLength(2);
    if (command === "apply with plan: auto") expect(step.annotations[0]).toContain("error approval/direct-push: ");
  },
);
