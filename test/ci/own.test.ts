import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useBundle, ZoneForge } from "./forge.ts";
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

test(`${file} plans pull requests, applies main and publishes it, with a server of its own`, async () => {
  const forge = await createCopy();
  const zone = readFileSync(join(root, "zones/example.com.yaml"), "utf8");
  const pull = forge.openPull("new-address", { "zones/example.com.yaml": zone.replace("192.0.2.25", "192.0.2.26") });
  const early = await forge.runFile(file, forge.pullEvent(pull));
  expect(outcomes(early)).toEqual({
    check: [
      "success",
      "actions/checkout: success",
      "Fetch the published snapshot: success",
      "Validate: valid",
      "Plan against the snapshot: skipped",
    ],
    plan: ["success", ...setUp("Serve the zones of the base"), "Plan: changes", "Keep the plan: success"],
    apply: ["skipped"],
    publish: ["skipped"],
  });
  expect(early.plan?.summary).toContain("192.0.2.25 → 192.0.2.26");

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
  });

  const fork = forge.openPull("mail", { "zones/example.com.yaml": zone.replace("192.0.2.25", "192.0.2.27") }, "fork");
  const checked = await forge.runFile(file, forge.pullEvent(fork));
  expect(outcomes(checked)).toMatchObject({
    check: ["success", ...Array(3).fill(expect.any(String)), "Plan against the snapshot: changes"],
    plan: ["skipped"],
  });
  expect(checked.check?.summary).toContain("192.0.2.26 → 192.0.2.27");
});
