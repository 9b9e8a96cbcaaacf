import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file or folder of this package, such as `schemas/zone.schema.json`. */
export function packagedFile(path: string): string {
  return fileURLToPath(new URL(path, packageFolder()));
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
