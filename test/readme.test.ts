import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Desk } from "./cli/run.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

test("names existing commands and scripts and the required Node version", async () => {
  const { out } = await new Desk().run("--help");
  const rows = [...readme.matchAll(/^\| `zonewright (\w+)/gm)].map(([, command]) => command);
  const commands = [...new Set(rows)]; // a group, such as import, has a row for each of its commands
  const listed = [...out.matchAll(/^ {2}(\w+) {2}/gm)].map(([, command]) => command);
  expect(commands.sort()).toEqual(listed.sort());
  const scripts = [...readme.matchAll(/npm run (\w+)/g)].map(([, script]) => script ?? "");
  expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
  expect(readme).toContain(`Node ${manifest.engines.node.replace(">=", "")} or newer`);
});
