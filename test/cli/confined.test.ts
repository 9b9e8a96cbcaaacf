import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Desk } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nrecords: { www: { A: 192.0.2.1 } }\n";
const outside = "the-secret of this machine\n";

/** A repository in a folder beside another one with a secret, and the file or folder of the case in it. */
function createDesk(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>>): Desk {
  const desk = new Desk({ "machine/secret.zone": outside, "machine/zones/example.org.yaml": outside });
  mkdirSync(join(desk.folder, "repository/.git"), { recursive: true });
  for (const [file, text] of Object.entries({ "zones/example.com.yaml": zone, ...files }))
    desk.write(`repository/${file}`, text);
  for (const [file, target] of Object.entries(links)) symlinkSync(target, join(desk.folder, "repository", file));
  return Object.assign(desk, { folder: join(desk.folder, "repository") });
}

const config = (text: string) => ({ "zonewright.yaml": text });

/** Repositories as a pull request could make them, and the path that leads out of them. */
const attempts: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>>,
  path: string,
])[] = [
  ["a zone file", {}, { "zones/example.net.zone": "../../machine/secret.zone" }, "zones/example.net.zone"],
  ["a zone file by an absolute link", {}, { "zones/example.net.zone": "/proc/self/environ" }, "zones/example.net.zone"],
  ["a folder of zones", {}, { "zones/more": "../../machine/zones" }, "zones/more"],
  ["a link to a link", {}, { "zones/a.zone": "b.link", "zones/b.link": "../../machine/secret.zone" }, "zones/a.zone"],
  ["the folder", config("zones: [zones, ../machine/zones]\n"), {}, "machine/zones"],
  ["the folder by an absolute path", config("zones: /etc\n"), {}, "etc"],
  ["the folder by a link", config("zones: [zones, linked]\n"), { linked: "../machine/zones" }, "linked"],
  ["the folder of templates", config("templates: ../machine/zones\n"), {}, "machine/zones"],
  [
    "a template",
    { "templates/mine.yaml": "" },
    { "templates/a.yaml": "../../machine/secret.zone" },
    "templates/a.yaml",
  ],
  ["the config", {}, { "zonewright.yaml": "../machine/secret.zone" }, "zonewright.yaml"],
  [
    "a zone file in a folder that a link adds",
    {},
    { "zones/more": "../other", other: "linked", linked: "../machine/zones" },
    "zones/more",
  ],
  [
    "a link in a folder that a link adds",
    { "other/readme.txt": "" },
    { "zones/more": "../other", "other/example.net.zone": "../../machine/secret.zone" },
    "zones/more/example.net.zone",
  ],
  [
    "git's own config",
    { ".git/config": outside },
    { "zones/example.net.zone": "../.git/config" },
    "zones/example.net.zone",
  ],
  ["the acknowledgements", {}, { "acks.yaml": "../machine/secret.zone" }, "acks.yaml"],
];

test.each(attempts)("in CI, %s does not lead out of the repository", async (_, files, links, path) => {
  const desk = createDesk(files, links);
  for (const command of ["validate", "fmt", "export --to bind", "plan --against live.json"]) {
    const { code, out, talk } = await desk.run(command, { env: { CI: "true" } });
    expect([command, code, out]).toEqual([command, 3, ""]);
    expect(talk).toMatch(new RegExp(`^error\\[path-outside\\] (?:\\.\\./)*${path} leads out of the repository$`, "m"));
    expect(talk).not.toContain("the-secret");
  }
});

test("in CI, a folder of the repository that the command line names does not lead out of it", async () => {
  const desk = createDesk({}, { "zones/example.net.zone": "../../machine/secret.zone", linked: "../machine/zones" });
  for (const [folder, path] of [
    ["zones", "zones/example.net.zone"],
    ["linked", "linked"],
  ]) {
    const { code, talk } = await desk.run(`validate --zones ${folder}`, { env: { CI: "true" } });
    expect([code, talk.split("\n")[0]]).toEqual([3, `error[path-outside] ${path} leads out of the repository`]);
  }
});

test("includes do not read the files of git itself, whose config may contain a token", async () => {
  const desk = createDesk({ "zonewright.yaml": "zones: .\n", "example.net.zone": "$INCLUDE .git/config\n" }, {});
  desk.write(".git/config", outside);
  const { code, out } = await desk.run("validate");
  expect([code, out.split("\n")[0], out.includes("the-secret")]).toEqual([
    3,
    'error[include-outside] ".git/config" is outside the zones folder',
    false,
  ]);
});

test("in CI, links inside the repository and folders on the command line are read", async () => {
  const links = { "zones/example.net.yaml": "../shared/example.net.yaml", "zones/gone.yaml": "nowhere.yaml" };
  const desk = createDesk(
    { "shared/example.net.yaml": zone },
    { "zones/example.net.yaml": links["zones/example.net.yaml"] },
  );
  const env = { CI: "true" };
  expect(await desk.run("validate", { env })).toEqual({ code: 0, out: "valid: 2 zones, 2 records\n", talk: "" });
  desk.write("../machine/good/example.org.yaml", zone);
  expect(await desk.run("validate --zones ../machine/good", { env })).toMatchObject({ code: 0 });
});

test("outside of CI, a project may have its zones elsewhere", async () => {
  const desk = createDesk({ "zonewright.yaml": "zones: ../machine/good\n" }, {});
  desk.write("../machine/good/example.org.yaml", zone);
  expect(await desk.run("validate")).toMatchObject({ code: 0 });
  expect(await desk.run("validate", { env: { CI: "false" } })).toMatchObject({ code: 0 });
});

/** Texts that other tools expand; in zone files and config, they are the text itself or an error. */
test.each([
  "${ZONEWRIGHT_TOKEN}",
  "$ZONEWRIGHT_TOKEN",
  "$(id)",
  "`id`",
  "{{ env.ZONEWRIGHT_TOKEN }}",
  "%ZONEWRIGHT_TOKEN%",
])("%s in a zone file is that text", async (text) => {
  const desk = new Desk({ "zones/example.com.yaml": `soa_email: a@example.com\nrecords: { t: { TXT: '${text}' } }\n` });
  const { code, out } = await desk.run("export --to bind", { env: { ZONEWRIGHT_TOKEN: "the-secret" } });
  expect([code, out.includes(text), out.includes("the-secret")]).toEqual([0, true, false]);
});

test.each(["!!js/function", "!include", "!ENV", "!!python/object/apply:os.system"])(
  "the tag %s in the config has no effect, and in a zone file it is an error",
  async (tag) => {
    const desk = new Desk({
      "zonewright.yaml": `defaults: { soa_email: ${tag} secret@example.com }\n`,
      "zones/example.com.yaml": "records: { t: { TXT: text } }\n",
      "secret@example.com": "the-secret\n",
    });
    const { code, out } = await desk.run("expand example.com", {
      env: { "secret@example.com": "the-secret" },
    });
    expect([code, out.includes("secret@example.com"), out.includes("the-secret")]).toEqual([0, true, false]);
    desk.write("zones/example.com.yaml", `records: { t: { TXT: ${tag} secret@example.com } }\n`);
    expect((await desk.run("validate")).code).toBe(3);
  },
);

const head = "$TTL 300\n@ SOA ns1 h 1 7200 3600 1209600 300\n@ NS ns1\nns1 A 192.0.2.1\n";
const named = (file: string, options = "") =>
  `options { ${options} };\nzone "a.test" { type primary; file "${file}"; };\n`;
const octodns = (settings: string) =>
  `providers:\n  a: { class: octodns.provider.yaml.YamlProvider, ${settings} }\nzones:\n  a.test.: { sources: [a], targets: [] }\n`;

/** Sources of an import that lead out of the repository: the source, its files, and its links. */
const sources: readonly (readonly [
  what: string,
  source: string,
  files: Readonly<Record<string, string>>,
  links?: Readonly<Record<string, string>>,
])[] = [
  ["$INCLUDE", "named.conf", { "named.conf": named("a.zone"), "a.zone": `${head}$INCLUDE OUTSIDE/secret.zone\n` }],
  [
    "$INCLUDE, upwards",
    "named.conf",
    { "named.conf": named("a.zone"), "a.zone": `${head}$INCLUDE ../machine/secret.zone\n` },
  ],
  [
    "$INCLUDE of a link",
    "named.conf",
    { "named.conf": named("a.zone"), "a.zone": `${head}$INCLUDE b.zone\n` },
    { "b.zone": "../machine/secret.zone" },
  ],
  [
    "$INCLUDE in an included file",
    "named.conf",
    { "named.conf": named("a.zone"), "a.zone": `${head}$INCLUDE b.zone\n`, "b.zone": "$INCLUDE OUTSIDE/secret.zone\n" },
  ],
  [
    "$INCLUDE in the folder of the server",
    "named.conf",
    { "named.conf": named("REPOSITORY/a.zone", 'directory "OUTSIDE";'), "a.zone": `${head}$INCLUDE secret.zone\n` },
  ],
  [
    "$INCLUDE of git's own config",
    "named.conf",
    { "named.conf": named("a.zone"), "a.zone": `${head}$INCLUDE .git/config\n`, ".git/config": outside },
  ],
  ["the zone file", "named.conf", { "named.conf": named("OUTSIDE/secret.zone") }],
  ["the zone file, upwards", "named.conf", { "named.conf": named("../machine/secret.zone") }],
  ["the zone file by a link", "named.conf", { "named.conf": named("b.zone") }, { "b.zone": "../machine/secret.zone" }],
  ["the folder of BIND", "named.conf", { "named.conf": named("secret.zone", 'directory "../machine";') }],
  ["include", "named.conf", { "named.conf": 'include "OUTSIDE/secret.zone";\n' }],
  ["include of a pattern", "named.conf", { "named.conf": 'include "../machine/*.zone";\n' }],
  [
    "include of a link by a pattern",
    "named.conf",
    { "named.conf": 'include "c/*";\n', "c/a.conf": "" },
    { "c/b.conf": "../../machine/secret.zone" },
  ],
  [
    "the folder of NSD",
    "nsd.conf",
    { "nsd.conf": "server:\n  zonesdir: OUTSIDE\nzone:\n  name: a.test\n  zonefile: secret.zone\n" },
  ],
  [
    "the folder of Knot",
    "knot.conf",
    { "knot.conf": "zone:\n  - domain: a.test\n    storage: OUTSIDE\n    file: secret.zone\n" },
  ],
  [
    "$INCLUDE of Knot",
    "knot.conf",
    {
      "knot.conf": "zone:\n  - domain: a.test\n    storage: REPOSITORY\n    file: a.zone\n",
      "a.zone": `${head}$INCLUDE OUTSIDE/secret.zone\n`,
    },
  ],
  ["the folder of octoDNS", "octodns.yaml", { "octodns.yaml": octodns("directory: OUTSIDE/octodns") }],
  [
    "a link in the folder of octoDNS",
    "octodns.yaml",
    { "octodns.yaml": octodns("directory: ./config"), "config/b.yaml": "" },
    { "config/a.test.yaml": "../../machine/octodns/a.test.yaml" },
  ],
  [
    "octoDNS's shared file",
    "octodns.yaml",
    {
      "octodns.yaml": octodns("directory: ./config, shared_filename: ../../machine/octodns/a.test.yaml"),
      "config/a.test.yaml": "{}\n",
    },
  ],
  ["a source that is a link", "b.zone", {}, { "b.zone": "../machine/secret.zone" }],
  ["a link in a folder", "old", { "old/a.zone": head }, { "old/b.zone": "../../machine/secret.zone" }],
  ["a folder that a link adds", "old", { "old/a.zone": head }, { "old/more": "../../machine/zones" }],
];

function createSources(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> | undefined = {},
): Desk {
  const desk = createDesk({}, {});
  const machine = join(desk.folder, "../machine");
  desk.write("../machine/octodns/a.test.yaml", "www:\n  type: TXT\n  value: the-secret of this machine\n");
  for (const [file, text] of Object.entries(files))
    desk.write(file, text.replaceAll("OUTSIDE", machine).replaceAll("REPOSITORY", desk.folder));
  for (const [file, target] of Object.entries(links)) symlinkSync(target, join(desk.folder, file));
  return desk;
}

test.each(sources.map(([what, source, files, links = {}]) => [what, source, files, links] as const))(
  "in CI, an import does not read another machine's files by %s",
  async (_, source, files, links) => {
    const desk = createSources(files, links);
    const { code, out, talk } = await desk.run(`import file ${source}`, { env: { CI: "true" } });
    expect([code === 0, out + talk]).toEqual([false, expect.not.stringContaining("the-secret")]);
    const written = readdirSync(join(desk.folder, "zones")).map((file) => desk.read(`zones/${file}`));
    expect(written.join()).not.toContain("the-secret");
  },
);

test.each(["linked.txt", "named.conf", "linked.conf"])(
  "in CI, the list %s of zones to transfer does not leave the repository",
  async (list) => {
    const links = { "linked.txt": "../machine/secret.zone", "c.conf": "../machine/secret.conf" };
    const include: Record<string, string> = {
      "named.conf": 'include "OUTSIDE/secret.conf";\n',
      "linked.conf": 'include "c.conf";\n',
    };
    const desk = createSources(include, links);
    desk.write("../machine/secret.conf", 'zone "the-secret.test" { type primary; };\n');
    const env = { CI: "true" };
    const { code, out, talk } = await desk.run(`import axfr --from 127.0.0.1:1 --zones-file ${list}`, { env });
    expect([code, out + talk]).toEqual([3, expect.not.stringContaining("the-secret")]);
    expect(talk).toContain("path-outside");
  },
);

test("in CI, a configuration that the command line names elsewhere is read with its files", async () => {
  const desk = createSources({});
  desk.write("../machine/named.conf", named("a.zone"));
  desk.write("../machine/a.zone", `${head}$INCLUDE b.inc\n`);
  desk.write("../machine/b.inc", "www A 192.0.2.9\n");
  const { code } = await desk.run("import file ../machine/named.conf", { env: { CI: "true" } });
  expect([code, desk.read("zones/a.test.yaml").includes("192.0.2.9")]).toEqual([0, true]);
});
