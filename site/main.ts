import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { guideSections, referenceSections, sidebarsOf } from "./navigation.ts";
import { listPages } from "./pages.ts";

/**
 * `npm run site`: writes the pages, those of `docs` and those that are printed from the program, and makes a static
 * site of them in `site/dist`. Only the first run needs the network, for the packages of the generator.
 */
const folder = fileURLToPath(new URL(".", import.meta.url));
const source = join(folder, ".pages");

rmSync(source, { recursive: true, force: true });
const pages = await listPages();
for (const { path, text } of pages) write(`${path}.md`, text);
write("index.md", frontPage());
write("navigation.json", JSON.stringify(sidebarsOf(pages)));

if (!existsSync(join(folder, "node_modules"))) run("npm", "ci", "--silent", "--no-audit", "--no-fund");
run(join(folder, "node_modules/.bin/vitepress"), "build", ".");

function write(path: string, text: string): void {
  const file = join(source, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function run(program: string, ...words: readonly string[]): void {
  const { status, error } = spawnSync(program, words, { cwd: folder, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** The first page: what zonewright is, and the pages by what a reader wants to do. */
function frontPage(): string {
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  const sections = guideSections.map(({ text, pages: hints }) => {
    const links = Object.entries(hints).map(([path, hint]) => `- [${titles.get(path)}](${path}.md): ${hint}`);
    return `## ${text}\n\n${links.join("\n")}`;
  });
  const kinds = Object.entries(referenceSections).map(([folder, text]) => `- [${text}](reference/${folder}/index.md)`);
  return `---
search: false
---

# zonewright: DNS zones in git

Keep DNS zones in git as YAML or BIND files. zonewright checks them, shows a plan to review in a pull request, and applies it in an order that
keeps every name resolvable. It writes to a hosted API, to PowerDNS, to name servers with dynamic updates, and to zone files. New here?
[Get started](getting-started.md), or see [why zonewright](compare.md). To find a command, a rule, a message or a record type, press \`/\` and type it.

${sections.join("\n\n")}

## Look it up

${kinds.join("\n")}

Why a rule is as it is: [decisions](decisions/index.md).
`;
}
