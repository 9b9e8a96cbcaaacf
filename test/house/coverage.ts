import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./files.ts";

const src = `${pathToFileURL(join(root, "src")).href}/`;

/** Counts calls in this process from now on; the result names the files of `src` in which a function ran meanwhile. */
export async function startCoverage(): Promise<() => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  return async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    session.disconnect();
    return result
      .filter(({ url }) => url.startsWith(src))
      .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
      .map(({ url }) => url.slice(src.length).replace(/\?.*$/, ""))
      .sort();
  };
}
