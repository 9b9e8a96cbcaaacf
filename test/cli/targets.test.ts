import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { titled } from "../titles.ts";
import { Desk } from "./run.ts";
import { targetDesk } from "./target-desk.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";
const both = "TARGETS\nzones: { path: zones, targets: [public, office] }\n";
const split = "TARGETS\nzones:\n  - { path: outside, targets: public }\n  - { path: inside, targets: [office] }\n";

test("doctor examines each target, and names the keys of its tokens", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  desk.now = new Date();
  expect((await desk.run("doctor")).out.replace(/zonewright [\d.]+, Node v[\d.]+/, "VERSIONS")).toBe(`\
ok    versions       VERSIONS
ok    config         zonewright.yaml
warn  git            this folder is not in a repository
                     Run \`git init\`, so that changes of zones can be reviewed.
ok    zone files     1 zone, 1 record
ok    public: runs   /desk/.zonewright/targets/public can be written; no runs yet
ok    public: API    http://public/v4: 0 zones in the account
ok    public: token  valid, from ZONEWRIGHT_PUBLIC_TOKEN, with all scopes
ok    public: clock  agrees with the clock of the API
ok    office: runs   /desk/.zonewright/targets/office can be written; no runs yet
ok    office: API    http://office/v4: 0 zones in the account
ok    office: token  valid, from ZONEWRIGHT_OFFICE_TOKEN, with all scopes
ok    office: clock  agrees with the clock of the API
`);
  const env = { ZONEWRIGHT_OFFICE_TOKEN: undefined, ZONEWRIGHT_TOKEN: desk.env.ZONEWRIGHT_PUBLIC_TOKEN };
  const { code, out } = await desk.run("doctor --target office", { env });
  expect(code).toBe(1);
  expect(out).toContain("fail  office: token  no token is set for the target office\n");
  expect(out).toContain("Set ZONEWRIGHT_OFFICE_TOKEN, or `token_file` of the target to a file outside of git.\n");
  // The token for another service was not sent to this one.
  expect(desk.services.office.requests.length).toBeGreaterThan(0);
  expect(
    (await desk.run("doctor", { env: { ZONEWRIGHT_OFFICE_TOKEN: desk.env.ZONEWRIGHT_PUBLIC_TOKEN } })).out,
  ).toMatch(/^fail {2}office: token {2}.*\n.*The token is from ZONEWRIGHT_OFFICE_TOKEN\./m);
});

test("validate reads a zone once for several targets, and the same zone in folders of different ones", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  expect((await desk.run("validate")).out).toMatch(/^valid: 1 zone, 1 record/);
  const views = await targetDesk(["public", "office"], {
    "zonewright.yaml": split,
    "outside/example.com.yaml": zone,
    "inside/example.com.yaml": zone.replace("www", "intranet"),
    "inside/example.com.zone": ";@ soa_email: a@example.com\n$ORIGIN example.com.\nwww 300 IN A 192.0.2.1\n",
  });
  const twice = await views.run("validate");
  expect([twice.code, twice.out.match(/both contain the zone/g)?.length]).toEqual([3, 1]);
  expect(twice.out).toContain("inside/example.com.yaml and inside/example.com.zone both contain");
  expect((await views.run("validate --target public")).code).toBe(0);
  views.write("inside/example.com.zone", "");
  views.write(
    "inside/example.com.zone",
    ";@ targets: office\n$ORIGIN example.net.\n$TTL 1h\n@ SOA ns a ( 1 1h 1h 1h 1h )\n",
  );
  expect((await views.run("validate example.com outside/example.com.yaml")).out).toMatch(/^valid: 2 zones, 2 records/);
});

test("a problem of the rules across zones names the targets that have it", async () => {
  const alias = "soa_email: a@example.com\nrecords:\n  www:\n    CNAME: gone.example.net.\n";
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml":
      "TARGETS\nzones:\n  - { path: zones, targets: [public, office] }\n  - { path: inside, targets: office }\n",
    "zones/example.com.yaml": alias,
    "inside/example.net.yaml": zone,
  });
  const { out } = await desk.run("validate");
  expect(out).toMatch(/target-elsewhere.* \(on office\)$/m);
  expect((await desk.run("validate --target office")).out).toMatch(/target-elsewhere.*[^)]$/m);
  expect((await desk.run("validate --target public")).out).not.toContain("target-elsewhere");
});

test("a zone file leaves out targets of its folder, in both formats", async () => {
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml": both,
    "zones/example.com.yaml": `targets: office\n${zone}`,
    "zones/example.net.zone":
      ";@ targets: public\n;@ soa_email: a@example.com\n$ORIGIN example.net.\nwww 300 IN A 192.0.2.1\n",
  });
  expect((await desk.run("validate")).out).toMatch(/^valid: 2 zones/);
  expect((await desk.run("validate --target public")).out).toMatch(/^valid: 1 zone, 1 record/);
  expect((await desk.run("fmt --check")).code).toBe(0);
  await desk.run("fmt --to bind");
  expect(desk.read("zones/example.com.zone")).toContain(";@ targets: office\n");
  await desk.run("fmt --to yaml");
  expect(desk.read("zones/example.com.yaml")).toContain("targets: [office]\n");
  expect(desk.read("zones/example.net.yaml")).toContain("targets: [public]\n");
});

test("an entry of lenient holds for the targets that it names, in both formats", async () => {
  const lab = "lenient: [{ rule: private-address, targets: office }]\n    A: 10.0.0.1\n";
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml": `rules: { private-address: error }\n${both}`,
    "zones/example.com.yaml": `soa_email: a@example.com\nrecords:\n  lab:\n    ${lab}`,
  });
  const findings = async (command: string) =>
    (await desk.run(command)).out.match(/^(?:error|warning|note|valid)\b.*/gm)?.join("\n");
  expect(await findings("validate")).toBe(`\
error[private-address] lab A publishes the private address 10.0.0.1 (on public)
warning[private-address] lab A publishes the private address 10.0.0.1 (on office)`);
  expect(await findings("validate --target office")).toBe(`\
warning[private-address] lab A publishes the private address 10.0.0.1
valid: 1 zone, 1 record, 1 warning`);
  expect((await desk.run("plan --target public")).code).toBe(3);
  await desk.run("fmt --to bind");
  expect(desk.read("zones/example.com.zone")).toContain(";@ lenient lab: private-address for office\n");
  expect(await findings("validate --target public")).toBe(
    "error[private-address] lab A publishes the private address 10.0.0.1",
  );
  await desk.run("fmt --to yaml");
  expect(desk.read("zones/example.com.yaml")).toContain("    lenient: [{rule: private-address, targets: office}]\n");
  // The guard of new private addresses (G12) reads the same entries.
  desk.write("zonewright.yaml", desk.read("zonewright.yaml").replace(/^rules.*\n/, ""));
  const { out } = await desk.run("plan");
  expect(out.match(/.*: publishes the private address.*|.*lab A publishes.*/gm)).toEqual([
    "  blocked by G12 (special-purpose address): lab.example.com A: publishes the private address 10.0.0.1 (10.0.0.0/8, RFC 1918) (on public)",
    "warning  lab A publishes the private address 10.0.0.1 (on public)  zones/example.com.yaml:6",
    "note  lab A publishes the private address 10.0.0.1 (on office)  zones/example.com.yaml:6",
  ]);
});

const wrongExcuses: [what: string, config: string, head: string, targets: string, problem: readonly string[]][] = [
  [
    "a misspelt target",
    both,
    "",
    "ofice",
    ['error[zone-target] the project has no target "ofice"', "zones/example.com.yaml:2:62", 'Did you mean "office"?'],
  ],
  [
    "a target of another folder",
    split,
    "",
    "office",
    [
      'error[zone-target] the zone is not applied to the target "office"',
      "outside/example.com.yaml:2:62",
      "Remove it here. Targets of the zone: public.",
    ],
  ],
  [
    "a target that the file leaves out",
    both,
    "targets: public\n",
    "[public, office]",
    [
      'error[zone-target] the zone is not applied to the target "office"',
      "zones/example.com.yaml:3:71",
      "Remove it here. Targets of the zone: public.",
    ],
  ],
  [
    "a project without targets",
    "zones: outside\n",
    "",
    "office",
    [
      'error[zone-target] the project has no target "office"',
      "outside/example.com.yaml:2:62",
      "Remove it, or add `targets:` to zonewright.yaml.",
    ],
  ],
];

test.each(titled(wrongExcuses, ([what]) => `reports ${what} in an entry of lenient`))("%s", async (_, ...row) => {
  const [, config, head, targets, problem] = row;
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml": config,
    [`${config === both ? "zones" : "outside"}/example.com.yaml`]: `${head}soa_email: a@example.com
records: { lab: { lenient: { rule: private-address, targets: ${targets} }, A: 10.0.0.1 } }
`,
    "inside/example.net.yaml": zone,
  });
  const { out } = await desk.run("validate");
  const [first, place, , , fix] = out.slice(out.indexOf("error"), out.indexOf("\n\n")).split("\n");
  expect([first, place?.trim(), fix?.trim()]).toEqual(problem);
});

const wrongZones: [what: string, config: string, targets: string, problem: RegExp][] = [
  ["a misspelt target", both, "targets: [ofice]", /no target "ofice"[\s\S]*:1:\d+[\s\S]*Did you mean "office"\?/],
  [
    "a target of another folder",
    split,
    "targets: office",
    /does not have the target "office"[\s\S]*can only leave out/,
  ],
  ["no target", both, "targets: []", /"targets" names no target/],
  [
    "a project without targets",
    "zones: outside\n",
    "targets: office",
    /has no target "office"[\s\S]*add `targets:` to/,
  ],
];

test.each(titled(wrongZones, ([what]) => `reports ${what} in a zone file`))(
  "%s",
  async (_, __, config, targets, said) => {
    const desk = await targetDesk(["public", "office"], { "zonewright.yaml": config });
    for (const folder of ["zones", "outside"]) desk.write(`${folder}/example.com.yaml`, `${targets}\n${zone}`);
    desk.write("inside/example.net.yaml", zone);
    const { code, out } = await desk.run("validate");
    expect([code, out]).toEqual([3, expect.stringMatching(said)]);
  },
);

const service = "{ kind: api, url: https://api.example.com }";
const wrongConfigs: [what: string, text: string, problem: RegExp][] = [
  [
    "an unknown target, which is one error with its fix",
    `targets: { office: ${service} }\nzones: { path: zones, targets: [ofice] }\n`,
    /^error\[config-value\] [^\n]+ names a target that is not in `targets:`\n {2}[^\n]*:2:33\n[^\n]+\n[^\n]+\n {2}The targets of its zones, by name; all if there is one\. Did you mean "office"\?\n$/,
  ],
  [
    "a folder without a target",
    `targets: { a: ${service}, b: ${service} }\nzones: [zones, { path: x, targets: [a, b] }]\n`,
    /zones entry 1 has no targets[\s\S]*:2:9[\s\S]*`\{ path: zones, targets: \[a, b\] \}`/,
  ],
  [
    "a target without a folder",
    `targets: { a: ${service}, b: ${service} }\nzones: { path: zones, targets: a }\n`,
    /targets\.b has no zones[\s\S]*:1:63/,
  ],
  ["targets of a folder alone", "zones: { path: zones, targets: a }\n", /zones\.targets needs `targets:`/],
  [
    "one variable for two",
    `targets: { a-b: ${service}, A_b: ${service} }\nzones: { path: zones, targets: [a-b, A_b] }\n`,
    /targets\.A_b takes its token from ZONEWRIGHT_A_B_TOKEN, like a-b/,
  ],
  [
    "a variable with another meaning",
    `targets: { serve: ${service} }\n`,
    /ZONEWRIGHT_SERVE_TOKEN, which has another meaning/,
  ],
  [
    "a token",
    `targets: { office: { kind: api, url: "https://api.example.com", token: s3cr3tvalue } }\n`,
    /Set ZONEWRIGHT_OFFICE_TOKEN/,
  ],
  [
    "another kind",
    "targets: { office: { kind: bind, url: https://api.example.com } }\n",
    /targets\.office\.kind must be api/,
  ],
  [
    "a former setting beside them",
    `targets: { office: ${service} }\napi_url: https://api.example.com\n`,
    /api_url has no meaning beside `targets:`[\s\S]*`url` of a target/,
  ],
  ["an unusable name", `targets: { ../x: ${service} }\n`, /must begin with a letter/],
];

test.each(titled(wrongConfigs, ([what]) => `reports ${what} in the config`))("%s", async (_, __, text, said) => {
  const desk = new Desk({ "zonewright.yaml": text, "zones/example.com.yaml": zone });
  desk.secrets.push("s3cr3tvalue");
  const { code, talk } = await desk.run("validate");
  expect([code, talk]).toEqual([3, expect.stringMatching(said)]);
});

test("a wrong --target is refused with the nearest name, in every command", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  for (const command of [
    "validate",
    "plan",
    "apply",
    "verify",
    "drift",
    "snapshot",
    "runs",
    "undo last",
    "import api",
  ]) {
    const { code, talk } = await desk.run(`${command} --target ofice`);
    expect([command, code, talk]).toEqual([command, 64, expect.stringContaining('Did you mean "office"?')]);
  }
  const plain = new Desk({ "zones/example.com.yaml": zone });
  expect((await plain.run("validate --target office")).talk).toContain("Add `targets:` to zonewright.yaml;");
  expect(desk.services.office.requests).toEqual([]);
});

test("a command for one service asks for one target", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  const { code, talk } = await desk.run("import api --yes");
  expect([code, talk]).toEqual([64, expect.stringContaining("set --target to one of public, office")]);
  expect((await desk.run("import api --yes --target office")).code).toBe(0);
  expect(desk.services.public.requests).toEqual([]);
  expect((await desk.run("api list-domains --target public --json")).code).toBe(0);
  expect(desk.services.public.requests).toEqual(["GET /v4/domains"]);
});

test("variables that would override every target are refused", async () => {
  const desk = await targetDesk(["office"], { "zonewright.yaml": "TARGETS\n", "zones/example.com.yaml": zone });
  for (const [name, value] of [
    ["URL", "http://127.0.0.1:9"],
    ["WORDS", "live"],
  ]) {
    const { code, talk } = await desk.run("snapshot", { env: { [`ZONEWRIGHT_API_${name}`]: value } });
    expect([code, talk]).toEqual([
      64,
      expect.stringContaining(`ZONEWRIGHT_API_${name} is set, but zonewright.yaml has targets`),
    ]);
  }
  expect(desk.services.office.requests).toEqual([]);
});

test("the token of a target: its variable, then a file outside of git, then the only target's ZONEWRIGHT_TOKEN", async () => {
  const desk = await targetDesk(["office"], { "zonewright.yaml": "TARGETS\n", "zones/example.com.yaml": zone });
  const token = desk.env.ZONEWRIGHT_OFFICE_TOKEN ?? "";
  delete desk.env.ZONEWRIGHT_OFFICE_TOKEN;
  expect((await desk.run("snapshot")).talk).toContain("no API token is set");
  expect((await desk.run("snapshot", { env: { ZONEWRIGHT_TOKEN: token } })).code).toBe(0);
  desk.write("zonewright.yaml", desk.read("zonewright.yaml").replace(" }", ', token_file: "keys/office" }'));
  desk.write("keys/office", `${token}\n`);
  expect((await desk.run("snapshot", { env: { ZONEWRIGHT_TOKEN: "wrong" } })).code).toBe(0);
  const inCi = await desk.run("snapshot", { env: { CI: "true" } });
  expect([inCi.code, inCi.talk]).toEqual([3, expect.stringContaining("no API token is set")]);
  const unknown = await desk.run("snapshot", { env: { ZONEWRIGHT_OFICE_TOKEN: "x", ZONEWRIGHT_OFFICE_TOKEN: token } });
  expect(unknown.talk).toContain("ZONEWRIGHT_OFICE_TOKEN is set, but zonewright does not read it");
  expect(unknown.talk).not.toContain("ZONEWRIGHT_OFFICE_TOKEN is set");
  execFileSync("git", ["init", "-q"], { cwd: desk.folder });
  execFileSync("git", ["add", "keys/office"], { cwd: desk.folder });
  const committed = "the token file of the target office is committed";
  expect((await desk.run("snapshot")).talk).toContain(committed);
  symlinkSync("office", join(desk.folder, "keys/link"));
  desk.write("zonewright.yaml", desk.read("zonewright.yaml").replace("keys/office", "keys/link"));
  expect((await desk.run("snapshot")).talk, "a link to it").toContain(committed);
});

test("a target can have the name of a property that every object has", async () => {
  const desk = await targetDesk(["constructor"], { "zonewright.yaml": "TARGETS\n", "zones/example.com.yaml": zone });
  for (const command of ["plan", "apply --yes", "plan", "drift", "runs"])
    expect((await desk.run(command)).code, command).toBe(0);
});

test("completion knows the targets, and the runs of each", async () => {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both });
  desk.write(".zonewright/targets/office/runs/20260304T120000Z-aaaaaa/journal.jsonl", "");
  desk.write(".zonewright/targets/public/runs/20260304T120001Z-bbbbbb/journal.jsonl", "");
  expect((await desk.run("__complete services -- plan --target")).out).toBe("public\noffice\n");
  expect((await desk.run("__complete runs -- undo")).out).toBe(
    "last\n20260304T120001Z-bbbbbb\n20260304T120000Z-aaaaaa\n",
  );
});
