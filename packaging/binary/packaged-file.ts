import { getAsset, getAssetKeys } from "node:sea";

/** Reads a file of the package from the single executable. */
export function readPackagedFile(path: string): string {
  return getAsset(path, "utf8");
}

/** The names of the files in a folder of the package, sorted; those below it as `folder/file`. */
export function listPackagedFiles(folder: string): string[] {
  const start = `${folder}/`;
  return getAssetKeys()
    .flatMap((path) => (path.startsWith(start) ? path.slice(start.length) : []))
    .sort();
}
