import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitIn } from "../cli/git.ts";
import { isMissing } from "../judges.ts";
import { startFileServer } from "../targets/files/file-servers.ts";
import { Fleet, master } from "../targets/files/fleet.ts";
import { runStep } from "./step.ts";

test.skipIf(isMissing("named", "dig"))("the action works on a folder of zone files that BIND loads", async () => {
  const fleet = new Fleet({ "example.com.zone": master() });
  const server = await startFileServer("bind", { "example.com": join(fleet.folder, "srv/example.com.zone") });
  const words = (list: readonly string[]) => JSON.stringify(list);
  const { check, reload, port } = server;
  fleet.configure(`check: ${words(check)}, reload: ${words(reload)}, verify_at: "127.0.0.1:${port}"`);
  fleet.now = new Date();
  const served = () =>
    execFileSync("dig", ["@127.0.0.1", "-p", String(port), "www.example.com", "A", "+short"], { encoding: "utf8" });
  const git = gitIn(fleet.folder);
  git("init", "-q");
  git("init", "-q", "--bare", "origin.git");
  git("remote", "add", "origin", join(fleet.folder, "origin.git"));
  const step = async (inputs: Record<string, string>) => {
    const { code, outputs, summary } = await runStep(fleet, inputs, { env: {} });
    return { code, result: outputs.result, summary };
  };
  try {
    const allow = "G01";
    expect(await step({ command: "plan", plan: "plan.json", allow })).toMatchObject({ code: 0, result: "changes" });
    expect(await step({ command: "apply", plan: "plan.json" })).toMatchObject({ code: 0, result: "applied" });
    expect(served()).toBe("192.0.2.3\n");
    expect(await step({ command: "plan" })).toMatchObject({ code: 0, result: "in-sync" });
    expect(await step({ command: "verify", verify: "api" })).toMatchObject({ code: 0, result: "in-sync" });
    expect(await step({ command: "snapshot" })).toMatchObject({ code: 0, result: "published" });

    fleet.write("zones/example.com.zone", master("192.0.2.4"));
    const against = { command: "plan", against: "ref:refs/zonewright/targets/{target}", comment: "off" };
    const planned = await step(against);
    expect(planned).toMatchObject({ code: 0, result: "changes" });
    expect(planned.summary).toMatch(/^Planned against the snapshot of /);
    fleet.write("zones/example.com.zone", master());

    // A runner that applied nothing.
    rmSync(join(fleet.folder, ".zonewright"), { recursive: true });
    fleet.write("srv/example.com.zone", fleet.read("srv/example.com.zone").replace("192.0.2.3", "203.0.113.9"));
    const drift = await step({ command: "drift", "fail-on": "drift" });
    expect(drift).toMatchObject({ code: 2, result: "drift" });
    expect(drift.summary.match(/^### .*/gm)).toEqual(["### Drift: 1 change outside git in 1 of 1 zone"]);

    fleet.write("zones/example.com.zone", master("192.0.2.4"));
    expect(await step({ command: "apply" })).toMatchObject({ code: 0, result: "applied" });
    expect(served()).toBe("192.0.2.4\n");
  } finally {
    await server.stop();
  }
});
