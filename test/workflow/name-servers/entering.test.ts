import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runStep } from "../../action/step.ts";
import { gitIn } from "../../cli/git.ts";
import { Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { isMissing } from "../../judges.ts";
import { startFileServer } from "../../targets/files/file-servers.ts";
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
  "a plan file approves both passes, also if the first one writes to the target that waits",
  async () => {
    const { desk, office, fleet, run } = await twoServers();
    desk.write("zones/z01.example.zone", zoneText("ns1 ns2", "192.0.2.9"));
    expect((await run("plan --out plan.json")).code).toBe(0);
    const applied = await run("apply plan.json --yes --allow G04");
    expect([applied.code, nsOf(office.port), nsOf(fleet.port), wwwOf(office.port)]).toEqual([
      0,
      ["ns1.example.net.", "ns2.example.net."],
      ["ns1.example.net.", "ns2.example.net."],
      "192.0.2.9\n",
    ]);
    // Once more, it is used up: the change is taken back, and the file does not bring it again.
    desk.write("zones/z01.example.zone", zoneText("ns1 ns2", "192.0.2.1"));
    expect((await run("apply --yes")).code).toBe(0);
    desk.write("zones/z01.example.zone", zoneText("ns1 ns2", "192.0.2.9"));
    const again = await run("apply plan.json --yes --allow G04");
    expect([again.code, again.talk.match(/^error\[[\w-]+\]/gm)]).toEqual([
      4,
      ["error[plan-consumed]", "error[plan-stale]"],
    ]);
  },
);

test.skipIf(isMissing("named", "dig"))("the undo of a second pass names the first one, which stays", async () => {
  const { desk, office, run } = await twoServers();
  desk.write("zones/z01.example.zone", zoneText("ns1 ns2", "192.0.2.9"));
  expect((await run("apply --yes --allow G04")).code).toBe(0);
  const undone = await run("undo last --target office --yes --allow G04");
  const [, first = ""] = /^note {2}run \S+ continued run (\S+), whose changes stay/m.exec(undone.out) ?? [];
  expect([undone.code, nsOf(office.port), wwwOf(office.port)]).toEqual([0, ["ns1.example.net."], "192.0.2.9\n"]);
  expect((await run(`undo ${first} --target office --yes`)).code).toBe(0);
  expect(wwwOf(office.port)).toBe("192.0.2.1\n");
});

test.skipIf(isMissing("named", "dig")).each(["apply --yes", "apply plan.json --yes"])(
  "`%s` creates a zone on two targets, and its NS records need no approval",
  async (words) => {
    const desk = new Desk();
    const servers = await Promise.all(
      ["one", "two"].map(async (name) => {
        mkdirSync(join(desk.folder, name));
        const server = await startFileServer("bind", { "z01.example": join(desk.folder, name, "z01.example.zone") });
        onTestFinished(() => server.stop());
        return { name, ...server };
      }),
    );
    const targets = servers.map(
      ({ name, port, reload }, index) =>
        `  ${name}: { kind: files, folder: ${name}, reload: ${JSON.stringify(reload)}, verify_at: "127.0.0.1:${port}", nameservers: { ns${index + 1}.example.net: "127.0.0.1:${port}" } }\n`,
    );
    desk.write("zonewright.yaml", `targets:\n${targets.join("")}zones: { path: zones, targets: [one, two] }\n`);
    desk.write("zones/z01.example.zone", zoneText("ns1 ns2"));
    const { PATH, HOME } = process.env;
    const run = (words: string) => new Program(desk.folder, words, { PATH, HOME }).end();
    const planned = await run("plan --out plan.json --detailed-exitcode");
    expect([planned.code, planned.out]).toEqual([2, expect.not.stringContaining("blocked")]);
    const applied = await run(words);
    expect([applied.code, servers.map(({ port }) => nsOf(port))]).toEqual([
      0,
      [
        ["ns1.example.net.", "ns2.example.net."],
        ["ns1.example.net.", "ns2.example.net."],
      ],
    ]);
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

/** The same names in another view, at other addresses. */
const ofView = `  inside: { kind: files, folder: inside, nameservers: { ns1.example.net: "127.0.0.1:2", ns2.example.net: "127.0.0.1:2" } }
zones:
  - { path: zones, targets: [office, fleet] }
  - { path: view, targets: inside }
`;

test.each([
  {
    title: "the declared servers of its target",
    declared: ['nameservers: { ns1.example.net: "127.0.0.1:1" }', 'nameservers: { ns2.example.net: "127.0.0.1:1" }'],
    code: 5,
    waits: ["waiting up to 1 second for ns2.example.net (on office), ns1.example.net (on fleet)"],
    sets: [["ns1.example.net."], ["ns2.example.net."]],
    warnings: [
      "z01.example: ns2.example.net does not answer with the zone yet (127.0.0.1:1: the server is unreachable (ECONNREFUSED)); its NS record is left out until it does",
      "z01.example: no name server answers with the zone yet; it starts with the NS records of the servers of office: ns1.example.net",
      "z01.example: ns1.example.net does not answer with the zone yet (127.0.0.1:1: the server is unreachable (ECONNREFUSED)); its NS record is left out until it does",
      "z01.example: no name server answers with the zone yet; it starts with the NS records of the servers of fleet: ns2.example.net",
    ],
  },
  {
    title: "all of its file, if its target declares none",
    declared: ["serial: unixtime", "serial: unixtime"],
    code: 0,
    waits: [],
    sets: [
      ["ns1.example.net.", "ns2.example.net."],
      ["ns1.example.net.", "ns2.example.net."],
    ],
    warnings: ["office", "fleet"].map(
      (name) =>
        `z01.example: no name server answers with the zone yet; it starts with the NS records of its file, because ${"`nameservers`"} of ${name} are not set: ns1.example.net, ns2.example.net`,
    ),
  },
])("a zone whose name servers are all silent starts with $title", async ({ declared, code, waits, sets, warnings }) => {
  const targets = ["office", "fleet"].map(
    (name, index) => `  ${name}: { kind: files, folder: ${name}, ${declared[index]} }\n`,
  );
  const desk = new Desk({
    "zonewright.yaml": `targets:\n${targets.join("")}${ofView}`,
    "view/z01.example.zone": zoneText("ns1 ns2"),
    "zones/z01.example.zone": zoneText("ns1 ns2"),
  });
  for (const name of ["office", "fleet", "inside"]) mkdirSync(join(desk.folder, name));
  const applied = await desk.run("apply --yes --wait 1s");
  const found = [...applied.out.matchAll(/^warning {2}(.*)$/gm)].map(([, text]) => text);
  const setOf = (name: string) =>
    [...desk.read(`${name}/z01.example.zone`).matchAll(/\sNS\s+(\S+)/g)].map(([, server]) => server).sort();
  const waiting = applied.talk.match(/^waiting .*$/gm) ?? [];
  expect([applied.code, found, waiting, ["office", "fleet"].map(setOf)]).toEqual([code, warnings, waits, sets]);
});

test("one warning tells of all zones of a server that have the same reason", async () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((label) => `${label}.example`);
  const declared = (server: string) => `nameservers: { ${server}.example.net: "127.0.0.1:1" }`;
  const desk = new Desk({
    "zonewright.yaml": `targets:
  office: { kind: files, folder: office, ${declared("ns1")} }
  fleet: { kind: files, folder: fleet, ${declared("ns2")} }
zones: { path: zones, targets: [office, fleet] }
`,
    ...Object.fromEntries(
      names.map((name) => [`zones/${name}.zone`, zoneText("ns1 ns2").replaceAll("z01.example", name)]),
    ),
  });
  for (const name of ["office", "fleet"]) mkdirSync(join(desk.folder, name));
  const { out } = await desk.run("plan");
  const why = "does not answer with 6 zones yet (127.0.0.1:1: the server is unreachable (ECONNREFUSED))";
  const list = "a.example, b.example, c.example, d.example, e.example and 1 more";
  expect(out.match(/^warning.*/gm)).toEqual(
    [
      ["ns2", "ns1", "office"],
      ["ns1", "ns2", "fleet"],
    ].flatMap(([silent = "", own = "", target = ""]) => [
      `warning  ${silent}.example.net ${why}: ${list}; its NS records are left out until it does (on ${target})`,
      `warning  no name server answers with 6 zones yet (${list}); each starts with the NS records of the servers of ${target}: ${own}.example.net (on ${target})`,
    ]),
  );
});

test("a new zone whose file names no server of its target waits for those of others", async () => {
  const declared = {
    office: '{ ns1.example.net: "127.0.0.1:1", ns2.example.net: "127.0.0.1:1" }',
    fleet: "[a.test]",
  };
  const targets = Object.entries(declared).map(
    ([name, servers]) => `  ${name}: { kind: files, folder: ${name}, nameservers: ${servers} }\n`,
  );
  const desk = new Desk({
    "zonewright.yaml": `targets:\n${targets.join("")}zones: { path: zones, targets: [office, fleet] }\n`,
    "zones/z01.example.zone": zoneText("ns1 ns2"),
  });
  for (const name of Object.keys(declared)) mkdirSync(join(desk.folder, name));
  const { code, out } = await desk.run("apply --yes --wait 1s");
  const why = "does not answer with the zone yet (127.0.0.1:1: the server is unreachable (ECONNREFUSED))";
  expect([code, out.match(/^warning.*once it does$/gm)]).toEqual([
    5,
    ["ns1", "ns2"].map((name) => `warning  z01.example: ${name}.example.net ${why}; the zone is created once it does`),
  ]);
  expect(existsSync(join(desk.folder, "fleet/z01.example.zone"))).toBe(false);
});

test.skipIf(isMissing("named", "dig")).each(["apply --yes --allow G13", "apply plan.json --yes"])(
  "`%s` creates a zone on a target that its NS records do not name, once they answer",
  async (words) => {
    const { desk, office, fleet, run } = await twoServers();
    desk.write("zones/z01.example.zone", zoneText("ns1", "192.0.2.9"));
    expect((await run("plan --out plan.json --allow G13")).code).toBe(0);
    const { code, out, talk } = await run(words);
    expect([code, nsOf(office.port), nsOf(fleet.port), code === 0 ? "" : out + talk]).toEqual([
      0,
      ["ns1.example.net."],
      ["ns1.example.net."],
      "",
    ]);
  },
);

function wwwOf(port: number): string {
  return execFileSync("dig", ["@127.0.0.1", "-p", `${port}`, "+short", "A", "www.z01.example"]).toString();
}
