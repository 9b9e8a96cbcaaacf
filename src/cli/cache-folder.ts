import { isAbsolute, join } from "node:path";

/**
 * The folder for files that can be made again; undefined without a home. Relative folders are ignored, as the XDG Base
 * Directory Specification demands: they would be in the project.
 */
export function cacheFolder(env: NodeJS.ProcessEnv, home: string): string | undefined {
  const base = [env.XDG_CACHE_HOME ?? "", join(home, ".cache")].find((folder) => isAbsolute(folder));
  return base && join(base, "zonewright");
}
