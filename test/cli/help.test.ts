import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { Desk } from "./run.ts";

const root = join(import.meta.dirname, "../..");

const pages = new Map(
  ["docs", "docs/server"]
    .flatMap((folder) =>
      readdirSync(join(root, folder))
        .sort()
        .map((file) => [file.slice(0, -3).replace("README", "server"), join(root, folder, file)]),
    )
    .filter(([, path = ""]) => path.endsWith(".md")) as [topic: string, path: string][],
);
const topics = [...pages.keys()];

test("help lists commands and topics, those of the toolkit before those of the server; help of a command is its --help", async () => {
  const desk = new Desk();
  const { code, out } = await desk.run("help");
  expect(code).toBe(0);
  expect(out.startsWith((await desk.run("--help")).out)).toBe(true);
  const [, list = ""] = out.split("\nTopics:\n");
  expect([...list.matchAll(/^ {2}([\w-]+)(?:\.md)? {2,}\S/gm)].map(([, topic]) => topic)).toEqual(topics);
  expect(await desk.run("help server token create")).toEqual(await desk.run("server token create --help"));
});

test.each(topics)(
  "help %s.md shows the whole page without Markdown, in 80 columns except for examples",
  async (topic) => {
    const { code, out, talk } = await new Desk().run(`help ${topic}.md`);
    expect([code, talk]).toEqual([0, ""]);
    expect(out).not.toMatch(/^#|^\||^```|\*\*|\]\(|<!--/m);
    const text = out.split("\n").filter((line) => line.length > 80 && !line.startsWith("    ") && line.includes(" "));
    expect(text).toEqual([]);
    const words = (text: string) => text.match(/[A-Za-z]{4,}/g) ?? [];
    const markdown = readFileSync(pages.get(topic) ?? "", "utf8")
      .replaceAll(/^<!--.*?-->$/gms, "")
      .replaceAll(/^```[\w-]*$|\]\([^)]*\)/gm, "")
      .replaceAll(/^\|[^|]*(?=.*\n\|[\s|:-]+\n)/gm, "");
    const shown = new Set(words(out));
    expect(words(markdown).filter((word) => !shown.has(word))).toEqual([]);
  },
);

test("a page has bold headings on a terminal, and no colour in a pipe", async () => {
  const desk = new Desk();
  expect((await desk.run("help guards")).out.split("\n")[0]).toBe("Guards");
  desk.obeys = true;
  expect((await desk.run("help guards --color always")).out.split("\n")[0]).toBe("\u001b[1mGuards\u001b[22m");
});

test("help of a command that is a topic as well shows both, and its page alone by the name of the file", async () => {
  const desk = new Desk();
  const [help, page] = [await desk.run("drift --help"), await desk.run("help drift.md")];
  expect(await desk.run("help drift")).toEqual({ code: 0, out: `${help.out}\n${page.out}`, talk: "" });
});

test.each([
  ["G05", "explain G05"],
  ["acks", "explain acks"],
  ["acks.yaml", "explain acks"],
  ["private-address", "explain private-address"],
  ["exit-codes", "help exit-codes.md"],
  ["docs/guards.md", "help guards.md"],
  ["./docs/guards.md", "help guards"],
  ["getting started", "help getting-started"],
  ["import file", "import file --help"],
])("help %s is the same as %s", async (words, other) => {
  const desk = new Desk();
  expect(await desk.run(`help ${words}`)).toEqual(await desk.run(other));
});

test.each([
  ["zones", "zone-files"],
  ["plan-apply", "plan-and-apply"],
  ["octodns", "migrate-from-octodns"],
  ["github-action", "action"],
])("help %s: did you mean %s?", async (word, topic) => {
  expect((await new Desk().run(`help ${word}`)).talk).toMatch(new RegExp(`^error: .* Did you mean "${topic}"\\?`));
});

test.each(["token", "user add", "operator node"])("help %s names the command of the server", async (words) => {
  const { code, talk } = await new Desk().run(`help ${words}`);
  expect([code, talk]).toEqual([64, `error: "${words}" is not a command. Did you mean "server ${words}"?\n`]);
});

test("an unknown word lists the topics", async () => {
  const { code, talk } = await new Desk().run("help gards");
  expect(code).toBe(64);
  expect(talk).toMatch(
    /^error: "gards" is neither a command nor a topic. Did you mean "guards"\? Topics:\n(?: {2}\S+ .*\n)+$/,
  );
});

/** The manual page that `npm run build` puts into the package. */
async function manualPage(): Promise<{ desk: Desk; page: string }> {
  const desk = new Desk();
  const { code, out } = await desk.run("man --source");
  expect(code).toBe(0);
  desk.write("zonewright.1", out);
  return { desk, page: join(desk.folder, "zonewright.1") };
}

test.skipIf(isMissing("mandoc"))("mandoc finds no fault in the manual page", async () => {
  const { desk, page } = await manualPage();
  const { stdout } = spawnSync("mandoc", ["-T", "lint", "-W", "warning", page], { encoding: "utf8" });
  expect(stdout.split("\n").filter((line) => line !== "" && !line.includes("missing date"))).toEqual([]);
  const shown = spawnSync("mandoc", ["-T", "ascii", page], { encoding: "utf8" }).stdout.replaceAll(/.\u0008/g, "");
  const help = (await desk.run("plan --help")).out;
  for (const [flag] of help.matchAll(/--[a-z-]{3,}/g)) expect(shown).toContain(flag);
});

test.skipIf(isMissing("groff"))("groff finds no fault in the manual page", async () => {
  const { page } = await manualPage();
  const { stderr } = spawnSync("groff", ["-ww", "-man", "-z", page], { encoding: "utf8" });
  expect(stderr).toBe("");
});

test("man opens the page, and in a pipe prints it", async () => {
  const desk = new Desk({ "bin/man": '#!/bin/sh\necho "opened $#"\nhead -1 "$1"\n' });
  chmodSync(join(desk.folder, "bin/man"), 0o755);
  const { code, out } = await desk.run("man", { env: { PATH: `${desk.folder}/bin:${process.env.PATH}` } });
  expect([code, out]).toEqual([0, expect.stringMatching(/^opened 1\n\.TH ZONEWRIGHT 1 /)]);
});

test("without man, the command names the pages of help", async () => {
  expect(await new Desk().run("man", { env: { PATH: "/nowhere" } })).toEqual({
    code: 1,
    out: "",
    talk: "man cannot be run. Install it, or read the pages that `zonewright help` lists.\n",
  });
});
