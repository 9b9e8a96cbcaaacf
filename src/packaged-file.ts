import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * Reads a file of this package, such as `schemas/zone.schema.json`. The single executable, which has its files in
 * itself, has another module in the place of this one.
 *
 * @throws {NodeJS.ErrnoException} if there is none
 */
export function readPackagedFile(path: string): string {
  return readFileSync(new URL(path, packageFolder()), "utf8");
}

/** The names of the files in a folder of this package, sorted; those below it as `folder/file`. */
export function listPackagedFiles(folder: string): string[] {
  const entries = readdirSync(new URL(`${folder}/`, packageFolder()), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      if (!entry.isDirectory()) return entry.name;
      return listPackagedFiles(`${folder}/${entry.name}`).map((name) => `${entry.name}/${name}`);
    })
    .sort();
}

/** The next folder above with a package.json: the sources and the bundled program lie at different depths. */
function packageFolder(): URL {
  let folder = new URL("./", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("../", folder);
    if (above.href === folder.href) throw new Error(`no folder above ${import.meta.url} has a package.json`);
    folder = above;
  }
  return folder;
}
