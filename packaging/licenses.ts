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
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:\.md|\.txt)?$/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no file with its licence, which the bundle has to contain`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return `${about.name} ${about.version} (${about.license})\n\n${text}\n`;
}
