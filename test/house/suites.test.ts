import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readPage } from "../docs/page.ts";
import { marks } from "../suite-marks.ts";
import { filesOf, root } from "./files.ts";
import { listedFolders, suitesOf, suitesTable } from "./suites.ts";

const sources = filesOf("src");
const tests = filesOf("test");
/** Programs that tests start, by what their files are built from. */
const built: Readonly<Record<string, readonly string[]>> = {
  "dist/cli/main.js": ["src/cli/main.ts"],
  "action/index.js": ["src/action/main.ts"],
  "dist/library": sources.map(({ path }) => path).filter((path) => path.startsWith("src/library/")),
};
const imports = new Map(
  [...sources, ...tests].map(({ path, text }) => [
    path,
    [
      ...[...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, file = ""]) => join(dirname(path), file)),
      ...Object.entries(built).flatMap(([program, from]) => (text.includes(`${program}"`) ? from : [])),
    ],
  ]),
);

/** The test files that a word of the table means. */
function filesFor(word: string): string[] {
  const own = `test/${word}.test.ts`;
  return imports.has(own)
    ? [own]
    : tests.map(({ path }) => path).filter((path) => path.startsWith(`test/${word}/`) && path.endsWith(".test.ts"));
}

/** Every file that suites load, also at their first use. */
function loadedBy(files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(files);
  for (const file of loaded) for (const target of imports.get(file) ?? []) loaded.add(target);
  return loaded;
}

test("the table of suites names folders of src, and suites that exist", () => {
  expect(listedFolders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  const words = listedFolders.flatMap(suitesOf);
  expect([...new Set(words)].filter((word) => filesFor(word).length === 0)).toEqual([]);
});

test("every file of src is loaded by a suite of its folder", () => {
  const loaded = new Map(
    [...new Set(sources.map(({ path }) => dirname(path)))].map((folder) => [
      folder,
      loadedBy(suitesOf(folder).flatMap(filesFor)),
    ]),
  );
  expect(sources.map(({ path }) => path).filter((path) => !loaded.get(dirname(path))?.has(path))).toEqual([]);
});

test("test/README.md shows the table", async () => {
  const page = readPage("test/README.md");
  const [head = ""] = page.split("| folder | suites |");
  const words = Object.entries(marks).map(([word, about]) => `| \`${word}\` | ${about} |`);
  expect(head).toContain(["| word | meaning |", "|---|---|", ...words, ""].join("\n"));
  await expect(`${head}${suitesTable()}`).toMatchFileSnapshot(join(root, "test/README.md"));
});
