import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** The names, versions and licences of the packages in a bundle, with the texts of their licences. */
export function licensesOf(root: string, { inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap((file) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => licenseOf(join(root, folder)))
    .join("\n");
}

function licenseOf(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${about.name} ${about.version} (${about.license})\n\n${licenseText(folder)}\n`;
}

/** Some packages have the text of their licence at the end of README.md. */
function licenseText(folder: string): string {
  const files = readdirSync(folder);
  const read = (file: string) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n");
  const file = files.find((name) => /^licen[cs]e(?:\.md|\.txt)?$/i.test(name));
  if (file !== undefined) return read(file).trim();
  const text = files.includes("README.md")
    ? /^## license\n(.*Permission is hereby granted.*)/ims.exec(read("README.md"))
    : null;
  if (text?.[1] === undefined) throw new Error(`${folder} has no text of its licence, which the bundle has to contain`);
  return text[1].trim();
}
