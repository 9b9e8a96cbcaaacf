import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isNightly } from "../properties.ts";
import { checkOutcome, useBundle, ZoneForge } from "./forge.ts";
import { outcomes } from "./runner.ts";
import { root } from "./workflow-files.ts";

useBundle();

const file = ".github/workflows/zones.yml";

/** A repository with the zones and the actions of this one; npm takes packages and build from this checkout. */
function createCopy(): Promise<ZoneForge> {
  const folders = ["zones", ".github/actions"];
  const tracked = execFileSync("git", ["ls-files", ...folders], { cwd: root, encoding: "utf8" }).split("\n");
  const files = tracked.filter(Boolean).map((path) => [path, readFileSync(join(root, path), "utf8")]);
  const npm = `case "$1" in
    ci) ln -s '${root}/node_modules' node_modules ;;
    run) [ "$2" = build ] && ln -s '${root}/dist' dist ;;
    *) exit 1 ;;
  esac`;
  const ignored = { ".gitignore": ".zonewright/\nnode_modules\ndist\n" };
  return ZoneForge.create({ ...Object.fromEntries(files), ...ignored }, { npm });
}

const setUp = (server: string) => ["actions/checkout: success", "actions/setup-node: success", `${server}: success`];

const zone = readFileSync(join(root, "zones/example.com.yaml"), "utf8");
const changed = (address: string) => ({ "zones/example.com.yaml": zone.replace("192.0.2.25", address) });

/** Each server is a process that is built, started and filled. */
const timeout = 180_000;

test.skipIf(!isNightly)(
  `${file} checks, plans and looks for drift in a pull request, with servers of its own`,
  { timeout },
  async () => {
    const forge = await createCopy();
    const pull = forge.openPull("new-address", changed("192.0.2.26"));
    const jobs = await forge.runFile(file, forge.pullEvent(pull));
    expect(outcomes(jobs)).toEqual({
      check: checkOutcome("valid", "skipped"),
      plan: ["success", ...setUp("Serve the zones of the base"), "Plan: changes", "Keep the plan: success"],
      apply: ["skipped"],
      publish: ["skipped"],
      drift: [
        "success",
        ...setUp("Serve the zones"),
        "Save a snapshot, and then change a record outside git: success",
        "Find drift: drift",
        "Expect to have found it: success",
      ],
    });
    expect(jobs.plan?.summary).toContain("192.0.2.25 → 192.0.2.26");
  },
);

test.skipIf(!isNightly)(`${file} applies main, and publishes it for the check of forks`, { timeout }, async () => {
  const forge = await createCopy();
  const pull = forge.openPull("new-address", changed("192.0.2.26"));
  forge.squash(pull);
  expect(outcomes(await forge.runFile(file, forge.mainEvent("push")))).toMatchObject({
    plan: ["skipped"],
    apply: [
      "success",
      ...setUp("Serve the zones before the newest commit"),
      "Plan: changes",
      "Apply the plan: applied",
    ],
    publish: ["success", ...setUp("Serve the zones"), "Publish the snapshot: published"],
    drift: ["skipped"],
  });
  const fork = forge.openPull("mail", changed("192.0.2.27"), "fork");
  const checked = await forge.runFile(file, forge.pullEvent(fork), ["check", "plan"]);
  expect(outcomes(checked)).toMatchObject({
    check: ["success", ...Array(3).fill(expect.any(String)), "Plan against the snapshot: changes"],
    plan: ["skipped"],
  });
  expect(checked.check?.summary).toContain("192.0.2.26 → 192.0.2.27");
});
