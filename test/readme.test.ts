import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiDesk, Desk } from "./cli/run.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

/** What is live before the first screen's plan. */
const before = `
soa_email: hostmaster@example.com
ttl_sec: 1h
records:
  "@":
    A: 192.0.2.10
    MX: 10 mail
    TXT: v=spf1 -all
  www: { CNAME: "@" }
  shop: { CNAME: shops.example.net. }
  mail: { A: 192.0.2.25 }
  old-vpn: { A: 192.0.2.44 }
`;

function block(language: string, index = 0): string {
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, found]) => found === language);
  return blocks[index]?.[2] ?? "";
}

test("the commands of the first screen print the output shown", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": before });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", block("yaml"));
  let session = "";
  for (const command of block("console").match(/(?<=^\$ zonewright ).*$/gm) ?? []) {
    const { out, talk } = await desk.run(command);
    session += `$ zonewright ${command}\n${command.startsWith("apply") ? talk + (out.trimEnd().split("\n").at(-1) ?? "") : out.trimEnd()}\n`;
  }
  expect(session).toBe(block("console"));
});

test("names existing commands and scripts and the required Node version", async () => {
  const { out } = await new Desk().run("--help");
  const commands = [...readme.matchAll(/^\| `zonewright (\w+)/gm)].map(([, command]) => command);
  const listed = [...out.matchAll(/^ {2}(\w+) {2}/gm)].map(([, command]) => command);
  expect(commands.sort()).toEqual(listed.sort());
  const scripts = [...readme.matchAll(/npm run (\w+)/g)].map(([, script]) => script ?? "");
  expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
  expect(readme).toContain(`Node ${manifest.engines.node.replace(">=", "")} or newer`);
});
