import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitIn } from "../cli/git.ts";
import { primaryDesk } from "../cli/primary-desk.ts";
import { Desk } from "../cli/run.ts";
import { isMissing } from "../judges.ts";
import { keyText, stored } from "../targets/rfc2136/error-desk.ts";
import { startViews } from "../targets/rfc2136/error-servers.ts";
import { key } from "../updates/servers.ts";
import { runStep } from "./step.ts";

/** The addresses of a name in a view, asked with the key that selects it. */
function addressesIn(name: string, port: number, keyName: string): string[] {
  const words = ["@127.0.0.1", "-p", String(port), "-y", `hmac-sha256:${keyName}:${key.secret}`];
  return execFileSync("dig", [...words, `${name}.z01.example`, "A", "+short", "+tcp"], { encoding: "utf8" })
    .trim()
    .split("\n")
    .sort();
}

test.skipIf(isMissing("named", "dig"))("the action works on two views of one BIND, each with its key", async () => {
  const { host, port } = await startViews();
  const server = `${host}:${port}`;
  const desk = new Desk({
    "zonewright.yaml": `targets:
  inside: { kind: rfc2136, server: "${server}" }
  outside: { kind: rfc2136, server: "${server}" }
zones:
  - { path: inside, targets: inside }
  - { path: outside, targets: outside }
`,
    "inside/z01.example.zone": `$TTL 300\n${stored}new A 192.0.2.40\n`,
    "outside/z01.example.zone": `$TTL 300\n${stored.replaceAll("ns1", "ns9")}new A 198.51.100.40\n`,
  });
  desk.now = new Date(); // the server compares clocks
  const other = "other.";
  const env = {
    ZONEWRIGHT_INSIDE_TSIG_KEY: keyText(),
    ZONEWRIGHT_OUTSIDE_TSIG_KEY: keyText({ name: other }),
  };
  const git = gitIn(desk.folder);
  const origin = join(desk.folder, "origin.git");
  git("init", "-q");
  git("init", "-q", "--bare", origin);
  git("remote", "add", "origin", origin);
  const step = async (inputs: Record<string, string>, options = { env }) => {
    const { code, outputs, log, summary } = await runStep(desk, inputs, options);
    expect(`${log}${summary}`).not.toContain(key.secret);
    return { code, result: outputs.result, log, summary };
  };
  const both = () => [key.name, other].map((name) => addressesIn("new", port, name));

  expect(await step({ command: "plan", plan: "plan.json" })).toMatchObject({ code: 0, result: "changes" });
  expect(await step({ command: "apply", plan: "plan.json" })).toMatchObject({ code: 0, result: "applied" });
  expect(both()).toEqual([["192.0.2.40"], ["198.51.100.40"]]);
  expect(await step({ command: "plan" })).toMatchObject({ code: 0, result: "in-sync" });
  expect(await step({ command: "verify", verify: "api" })).toMatchObject({ code: 0, result: "in-sync" });
  expect(await step({ command: "snapshot" })).toMatchObject({ code: 0, result: "published" });

  const update = `server ${host} ${port}\nzone z01.example\nupdate add new.z01.example 300 A 203.0.113.9\nsend\n`;
  execFileSync("nsupdate", ["-y", `hmac-sha256:${other}:${key.secret}`], { input: update });
  const drift = await step({ command: "drift", "fail-on": "drift" });
  expect(drift).toMatchObject({ code: 2, result: "drift" });
  expect(drift.summary.match(/^### .*/gm)).toEqual([
    "### Drift on inside: in sync",
    "### Drift on outside: 1 addition outside git in 1 of 1 zone",
  ]);

  desk.write("inside/z01.example.zone", `$TTL 300\n${stored}new A 192.0.2.41\n`);
  const against = { command: "plan", against: "ref:refs/zonewright/targets/{target}", comment: "off" };
  const forked = await step(against, { env: { ZONEWRIGHT_INSIDE_TSIG_KEY: "", ZONEWRIGHT_OUTSIDE_TSIG_KEY: "" } });
  expect(forked).toMatchObject({ code: 0, result: "changes" });
  expect(forked.summary).toMatch(/^Planned against the snapshot of /);

  // A runner that applied nothing: with the keys exchanged, each would write into the other view.
  execFileSync("rm", ["-r", join(desk.folder, ".zonewright")]);
  const { ZONEWRIGHT_INSIDE_TSIG_KEY: ofInside, ZONEWRIGHT_OUTSIDE_TSIG_KEY: ofOutside } = env;
  const exchanged = { env: { ZONEWRIGHT_INSIDE_TSIG_KEY: ofOutside, ZONEWRIGHT_OUTSIDE_TSIG_KEY: ofInside } };
  const refused = await step({ command: "apply" }, exchanged);
  expect(refused.code).toBe(4);
  expect(refused.log.match(/^error\[primary-changed\].*$/gm)).toHaveLength(2);
  expect(both()).toEqual([["192.0.2.40"], ["198.51.100.40", "203.0.113.9"]]);
});

test.skipIf(isMissing("named"))(
  "runners without runs plan, apply and publish other name servers of a zone",
  async () => {
    const { desk, at } = await primaryDesk("BIND");
    const init = `init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --target office --format yaml --yes`;
    expect(await desk.run(init)).toMatchObject({ code: 0 });
    const git = gitIn(desk.folder);
    const origin = join(desk.folder, "origin.git");
    git("init", "-q");
    git("init", "-q", "--bare", origin);
    git("remote", "add", "origin", origin);
    const env = { ZONEWRIGHT_OFFICE_TSIG_KEY: desk.read("keys/office") };
    /** The step of a job, on a runner that has the published snapshot and nothing of the jobs before. */
    const job = async (inputs: Record<string, string>) => {
      execFileSync("rm", ["-rf", join(desk.folder, ".zonewright")]);
      const { code, outputs, log } = await runStep(desk, inputs, { env });
      return `${log}[${code}] ${outputs.result}`;
    };
    const published = /\n\[0\] published$/;
    expect(await job({ command: "snapshot" })).toMatch(published);
    const file = "zones/z01.example.yaml";
    const check = { command: "plan", against: "ref:refs/zonewright/targets/{target}", comment: "off" };
    for (const [from, to] of [
      ["      - ns2\n", "      - ns9.example.net.\n"],
      ["      - ns9.example.net.\n", "      - ns2\n"],
    ] as const) {
      desk.write(file, desk.read(file).replace(from, to));
      expect(await job({ ...check, allow: "G04" })).toMatch(/\[0\] changes$/);
      expect(await job({ command: "plan", plan: "plan.json", allow: "G04" })).toMatch(/\[0\] changes$/);
      expect(await job({ command: "apply", plan: "plan.json" })).toMatch(/\[0\] applied$/);
      expect(await job({ command: "drift" })).toContain("1 converged change");
      expect(await job({ command: "snapshot" })).toMatch(published);
      expect(await job({ command: "plan" })).toMatch(/\[0\] in-sync$/);
    }
  },
);
