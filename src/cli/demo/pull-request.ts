import { createClient } from "../../client/client.ts";
import { DemoError, type DemoStage } from "./stage.ts";

/** The world of the demo outside of its repository. */
export interface DemoWorld {
  /** A folder for the repository that everybody pushes to. */
  readonly folder: string;
  /** Changes the address of mail.example.com in the API, as the user "sam". */
  readonly handEdit: () => Promise<void>;
}

const publish = ["snapshot", "--ref", "refs/zonewright/snapshot", "--push"];

/** A pull request: plan, review, squash merge, apply; then a change outside of git, found and written back. */
export async function runPullRequest(stage: DemoStage, { folder, handEdit }: DemoWorld): Promise<void> {
  stage.narrate(
    "Three zones are in a git repository with a bare origin. They are applied, and a snapshot is published as a git ref.",
  );
  stage.git("init", "--quiet", "--bare", "--initial-branch=main", `${folder}/origin.git`);
  stage.git("init", "--quiet", "--initial-branch=main");
  for (const [name, value] of [
    ["user.name", "Demo"],
    ["user.email", "demo@zonewright.invalid"],
    ["commit.gpgsign", "false"],
    ["remote.origin.url", `${folder}/origin.git`],
  ] as const)
    stage.git("config", name, value);
  stage.git("add", "zones");
  stage.git("commit", "--quiet", "--message", "Add three zones");
  stage.git("push", "--quiet", "origin", "main");
  await stage.apply();
  await stage.show(publish);

  stage.narrate("A branch moves shop from an alias to an address, and deletes rack-7.");
  stage.showGit("checkout", "--quiet", "-b", "move-shop");
  stage.edit("zones/example.com.yaml", "CNAME: shops.example.net.", "A: 198.51.100.20");
  stage.edit("zones/example.com.yaml", "  rack-7:\n    PTR: host-7.example.net.\n", "");
  stage.showGit("commit", "--quiet", "--all", "--message", "Move shop, delete rack-7");
  await stage.show(["plan", "--out", "plan.json", "--report", "github=comment.md"]);
  stage.narrate("The comment on the pull request:");
  stage.showFile("comment.md");

  stage.narrate(
    "Main moves on, and the branch is merged by squash. The commits differ, but the effects are those that were approved.",
  );
  stage.showGit("checkout", "--quiet", "main");
  stage.edit("zones/example.net.zone", "; may move at short notice", "; moves with the platform");
  stage.showGit("commit", "--quiet", "--all", "--message", "Correct a comment");
  stage.showGit("merge", "--quiet", "--squash", "move-shop");
  stage.showGit("commit", "--quiet", "--message", "Move shop, delete rack-7 (#1)");
  stage.showGit("push", "--quiet", "origin", "main");
  await stage.show(["apply", "plan.json", "--yes"]);
  await stage.show(publish);

  stage.narrate("Sam changes the address of mail.example.com in the API, outside of git.");
  await handEdit();
  await stage.show(["drift"]);
  stage.narrate("A plan says whose change it would undo.");
  await stage.show(["plan"]);
  stage.narrate("The change is written into the zone file on a branch, to be reviewed like any other.");
  await stage.show(["drift", "--write", "--branch", "drift"]);
  stage.showGit("show", "--format=%an: %B", "drift");
  stage.showGit("merge", "--quiet", "--ff-only", "drift");
  await stage.show(["plan", "--detailed-exitcode"]);
  await stage.show(publish);
  await stage.show(["drift", "--detailed-exitcode"]);
}

/** Changes the address of mail.example.com in the API, outside of the repository. */
export async function changeByHand(baseUrl: string, token: string): Promise<void> {
  const client = createClient({ baseUrl, token });
  const domains = await client.listDomains({ filter: { domain: "example.com" } });
  const domainId = domains.data[0]?.id ?? 0;
  const { data } = await client.listRecords({ domainId });
  const mail = data.find(({ name, type }) => name === "mail" && type === "A");
  if (mail === undefined) throw new DemoError("the service has no address of mail.example.com");
  await client.updateRecord({ domainId, recordId: mail.id, body: { target: "192.0.2.26" } });
}
