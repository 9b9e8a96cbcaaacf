import { mkdirSync, symlinkSync } from "node:fs";
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
