import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { quoteCases, readPage, root, runPage } from "./page.ts";

const pages = ["README.md", ...readdirSync(join(root, "docs")).map((page) => `docs/${page}`)].sort();

/** Consoles that other tests run: that of the README's first screen. */
const runElsewhere: Readonly<Record<string, number>> = { "README.md": 1 };

test.each(pages)("%s: the commands print the output shown", { timeout: 30_000 }, async (page) => {
  const { shown, unrun } = await runPage(quoteCases(readPage(page)));
  await expect(shown).toMatchFileSnapshot(join(root, page));
  expect(unrun).toBe(runElsewhere[page] ?? 0);
});

test.each(pages)("%s: the links lead to files and headings", (page) => {
  const broken = [...readPage(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(
    ([, file = "", heading]) => {
      const target = file === "" ? page : join(dirname(page), file);
      if (!existsSync(join(root, target))) return true;
      return heading !== undefined && !headingsOf(readPage(target)).includes(heading);
    },
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

test("the pages name the package file of this version", () => {
  const { version } = JSON.parse(readPage("package.json")) as { version: string };
  const named = pages.flatMap((page) => readPage(page).match(/zonewright-\d[\d.]*\d/g) ?? []);
  expect([...new Set(named)]).toEqual([`zonewright-${version}`]);
});

test("docs/troubleshooting.md quotes the messages of twenty mistakes", () => {
  const page = readPage("docs/troubleshooting.md");
  expect(page.match(/^<!-- case: .* -->$/gm)?.length).toBeGreaterThanOrEqual(20);
  expect(quoteCases(page)).not.toContain("no case ");
});

test("every command and option in the pages exists", async () => {
  const helps = new Map<string, string>();
  const help = async (command: string) => {
    const known = helps.get(command) ?? (await new Desk().run(`${command} --help`)).out;
    helps.set(command, known);
    return known;
  };
  const unknown: string[] = [];
  for (const page of pages)
    for (const [, line = ""] of codeOf(readPage(page)).matchAll(/(?<![\w/-])zonewright ([a-z][^\n`|;&]*)/g)) {
      const [name = "", second = ""] = line.split(/[\s)\\]+/);
      const command = ["token", "user", "import"].includes(name) && /^[a-z]/.test(second) ? `${name} ${second}` : name;
      if (command === "help") continue;
      const text = await help(command);
      const flags = [...line.replace(/ #.*/, "").matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag);
      if (!text.includes(`Usage: zonewright ${command}`)) unknown.push(`${page}: zonewright ${line}`);
      else unknown.push(...flags.filter((flag) => !text.includes(flag)).map((flag) => `${page}: ${command} ${flag}`));
    }
  expect(unknown).toEqual([]);
});

/** Code of a page: its blocks, and the words in backticks. */
function codeOf(text: string): string {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n(.*?)^```$/gms)].map(([, body = ""]) => body);
  const words = [...text.replaceAll(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
  return [...blocks.flatMap((block) => block.split("\n")), ...words].join("\n");
}

/** Anchors of the headings, as GitHub makes them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
