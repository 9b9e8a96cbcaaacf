import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * The folder for files that can be made again; undefined without a home. Relative folders are ignored, as the XDG Base
 * Directory Specification demands: they would be in the project.
 */
export function cacheFolder(env: NodeJS.ProcessEnv, home: string): string | undefined {
  const base = [env.XDG_CACHE_HOME ?? "", join(home, ".cache")].find((folder) => isAbsolute(folder));
  return base && join(base, "zonewright");
}

/** Lets Node 22.1 and later keep compiled scripts, in a folder that only this user can write. */
export function cacheCompiledScripts(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  try {
    const folder = cacheFolder(process.env, homedir());
    if (folder !== undefined) enableCompileCache?.(folder);
  } catch {
    // without a home, each start compiles
  }
}
