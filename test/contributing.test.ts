import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { headingsOf, readPage, root } from "./docs/page.ts";

const page = readPage("CONTRIBUTING.md");
const [screen = ""] = page.split(/^## /m);
/** Words in backticks, outside blocks. */
const words = [...page.replaceAll(/^```\w*\n.*?^```$/gms, "").matchAll(/(`+)(.+?)\1/g)].map(([, , word = ""]) => word);
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (file) => !/(?:^|\/)(?:node_modules|\.git|dist|\.judges)\//.test(file),
);

/** Whether a path with `<word>`, `*` or `…` for any text is the end of a file's path, or a folder. */
function exists(path: string): boolean {
  const parts = path.split(/<[\w-]+>|…|\*/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?:^|/)${parts.join("[^/]+")}$`);
  return files.some((file) => pattern.test(path.endsWith("/") ? `${file}/` : file));
}

test("the first screen has at most 40 lines: the rooms, how to run a test, what never to do", () => {
  expect(screen.split("\n").length).toBeLessThanOrEqual(41);
  for (const heading of ["Find a place", "Run one test", "Never"]) expect(screen).toContain(`**${heading}**`);
  expect(screen).toContain("](test/README.md)");
  expect(headingsOf(page)).toEqual(expect.arrayContaining(["where-do-i-add-", "inside-the-rooms"]));
});

test("every file and folder that it names exists", () => {
  const paths = words.filter(
    (word) => /^[\w.…<>*-]+(?:\/[\w.…<>*-]+)*\/?$/.test(word) && /\.(?:ts|md|json|yml)$|\//.test(word),
  );
  expect(paths.length).toBeGreaterThan(60);
  const written = /^(?:dist|\.bench|\.judges)(?:\/|$)/; // made by commands
  expect(paths.filter((path) => !written.test(path) && !/^[/]/.test(path) && !exists(path))).toEqual([]);
});

test("every suite that it names exists", () => {
  const named = [...page.matchAll(/npx vitest run ([^\s`]+)/g)].map(([, suite = ""]) => suite);
  expect(named.filter((suite) => !suite.startsWith("-") && suite !== "FILE" && !exists(suite))).toEqual([]);
});

test("every identifier that a row tells to touch stands in a file that the row names", () => {
  const rows = page.split("\n").map((line) => line.split(" | "));
  const lost = rows.flatMap(([, cell = "", ...more]) => {
    if (more.length !== 1) return [];
    const own = [...cell.matchAll(/`([^`\s]+)`/g)].map(([, word = ""]) => word);
    const paths = own.filter((word) => /\.\w+$/.test(word));
    const texts = files
      .filter((file) => paths.some((path) => file.endsWith(basename(path))))
      .map((file) => readPage(file));
    return own.filter((word) => /^[a-z]+[A-Z]\w*$/.test(word) && !texts.some((text) => text.includes(word)));
  });
  expect(lost).toEqual([]);
});
