import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "./page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where files are that are not pages. */
export const repository = "https://github.com/zonewright/zonewright";

/** The pages of `docs`, which stay readable on their own: only links that leave the folder are changed. */
export function readGuides(): Page[] {
  const files = readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  return files.sort().map((file) => {
    const text = readFileSync(`${root}docs/${file}`, "utf8");
    return {
      path: file.replace(/\.md$/, "").replace(/(^|\/)README$/, "$1index"),
      title: /^# (.+)$/m.exec(text)?.[1] ?? file,
      text: withKnownLanguages(withLinks(text, file)),
    };
  });
}

/** Links as the site has them: to its own pages, or to the repository. */
function withLinks(text: string, file: string): string {
  return text.replaceAll(/\]\((?!https?:|#)([^)\s]+)\)/g, (_, link: string) => {
    const [path = "", anchor] = link.split("#");
    const target = posix.normalize(posix.join("docs", posix.dirname(file), path));
    const fragment = anchor === undefined ? "" : `#${anchor}`;
    if (target.startsWith("docs/") && target.endsWith(".md"))
      return `](${path.replace(/(^|\/)README\.md$/, "$1index.md")}${fragment})`;
    const kind = /\.\w+$/.test(target) ? "blob" : "tree";
    return `](${repository}/${kind}/main/${target}${fragment})`;
  });
}

/** Configurations of name servers and zone files, which the generator cannot colour, as plain text. */
function withKnownLanguages(text: string): string {
  return text.replaceAll(/^(\s*`{3,})(?:bind|caddy|dns|knot|nsd)$/gm, "$1text");
}
