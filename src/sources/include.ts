import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Fault } from "../zone/fault.ts";
import { type IncludedFile, type Includer, largestFile } from "./source.ts";

/** A folder, and how the user calls it. */
export interface Folder {
  readonly path: string;
  readonly file: string;
}

/**
 * Opens what a zone file includes: paths are relative to the file that includes. What lies outside of the root, also
 * behind a symbolic link, is refused by its path before anything of it is read.
 */
export function includer(root: Folder, zoneFile: string): Includer {
  return {
    identity: realpathSync(zoneFile),
    open(written, from): IncludedFile {
      const path = resolve(root.path, relative(root.file, dirname(from)), written);
      const realRoot = realpathSync(root.path);
      const real = realPath(path, written);
      if (!real.startsWith(realRoot + sep)) {
        throw new Fault("include-outside", `${written} is outside of the zone folder`, `Move it below ${root.file}.`);
      }
      const stats = statSync(real);
      if (!stats.isFile()) throw new Fault("include-read", `${written} is no file`, "Name a file.");
      if (stats.size > largestFile)
        throw new Fault("include-read", `${written} has more than ${largestFile} bytes`, "Split it.");
      return { file: join(root.file, relative(root.path, path)), bytes: readFileSync(real), identity: real };
    },
  };
}

function realPath(path: string, written: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new Fault("include-read", `${written} cannot be read`, "Write its path relative to this file.");
  }
}
