import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { runStep } from "../../action/step.ts";
import { gitIn } from "../../cli/git.ts";
import { isMissing } from "../../judges.ts";
import { nsOf, twoServers, zoneText } from "./two-servers.ts";

test.skipIf(isMissing("named", "dig"))(
  "a second target gets the zone before any NS record names its server, in one apply",
  async () => {
    const { desk, office, fleet, run } = await twoServers();
    desk.write("zones/z01.example.zone", zoneText("ns1 ns2"));
    const planned = await run("plan --out plan.json");
    expect([planned.code, planned.out.match(/^warning.*$/gm)]).toEqual([
      0,
      [
        "warning  z01.example: ns2.example.net does not answer with the zone yet (127.0.0.1:FLEET: the server failed (SERVFAIL), often because it has not loaded the zone); its NS record is left out until it does (on office)",
      ],
    ]);
    expect(planned.out).toMatch(/\+ create {2}@ +NS {2,3}300 {2}ns2\.example\.net\. +blocked by G04 \(on office\)/);
    const applied = await run("apply plan.json --yes --allow G04");
    expect([applied.code, applied.talk.match(/^(?:on|z01).*$/gm)]).toEqual([
      0,
      [
        "on office:",
        "on fleet:",
        "z01.example: 5 writes",
        "z01.example: done",
        "on office:",
        "z01.example: 1 write",
        "z01.example: done",
      ],
    ]);
    expect([nsOf(office.port), nsOf(fleet.port)]).toEqual([
      ["ns1.example.net.", "ns2.example.net."],
      ["ns1.example.net.", "ns2.example.net."],
    ]);
    expect((await run("plan --detailed-exitcode")).code).toBe(0);
  },
);

test.skipIf(isMissing("named", "dig"))(
  "a server with other records, or none, does not enter: the rest is applied, exit code 5, and the next apply adds it",
  async () => {
    const { desk, office, run, text } = await twoServers();
    desk.write("zones/z01.example.zone", zoneText("ns1 ns2", "192.0.2.7"));
    const alone = await run("apply --yes --allow G04 --target office");
    expect([alone.code, nsOf(office.port), wwwOf(office.port)]).toEqual([5, ["ns1.example.net."], "192.0.2.7\n"]);
    desk.write("zonewright.yaml", desk.read("zonewright.yaml").replace(/reload: .*/, 'reload: ["false"]'));
    const failed = await run("apply --yes --wait 1s --allow G04");
    expect([failed.code, nsOf(office.port)]).toEqual([5, ["ns1.example.net."]]);
    desk.write("zonewright.yaml", text);
    const mended = await run("apply --yes --allow G04");
    expect([mended.code, nsOf(office.port)]).toEqual([0, ["ns1.example.net.", "ns2.example.net."]]);
  },
);

test.skipIf(isMissing("named", "dig"))(
  "a leaving server is replaced only when the new one answers: the zone never has an empty or a dead set",
  async () => {
    const { desk, office, run, text } = await twoServers();
    desk.write("zones/z01.example.zone", zoneText("ns2"));
    desk.write("zonewright.yaml", text.replace(/reload: .*/, 'reload: ["false"]'));
    const failed = await run("apply --yes --wait 1s --allow G04");
    expect([failed.code, nsOf(office.port)]).toEqual([5, ["ns1.example.net."]]);
    desk.write("zonewright.yaml", text);
    const mended = await run("apply --yes --allow G04");
    expect([mended.code, nsOf(office.port)]).toEqual([0, ["ns2.example.net."]]);
  },
);

test.skipIf(isMissing("named", "dig"))("a step of the action adds the server as well", async () => {
  const { desk, office } = await twoServers();
  desk.write("zones/z01.example.zone", zoneText("ns1 ns2"));
  desk.env.PATH = process.env.PATH;
  desk.env.ZONEWRIGHT_OFFICE_TSIG_KEY = desk.read("office.key");
  const git = gitIn(desk.folder);
  git("init", "-q");
  const { ZONEWRIGHT_OFFICE_TSIG_KEY } = desk.env;
  const env = { ZONEWRIGHT_OFFICE_TSIG_KEY };
  const planned = await runStep(desk, { command: "plan", allow: "G04" }, { env });
  const step = await runStep(desk, { command: "apply", allow: "G04" }, { env });
  const { "effect-digest": digest, creates, zones } = step.outputs;
  expect([digest, creates, zones]).toEqual([planned.outputs["effect-digest"], "6", "2"]);
  expect([step.code, step.outputs.result, nsOf(office.port)]).toEqual([
    0,
    "applied",
    ["ns1.example.net.", "ns2.example.net."],
  ]);
  expect(step.log.match(/^on \w+:$/gm)).toEqual(["on office:", "on fleet:", "on office:"]);
});

function wwwOf(port: number): string {
  return execFileSync("dig", ["@127.0.0.1", "-p", `${port}`, "+short", "A", "www.z01.example"]).toString();
}
