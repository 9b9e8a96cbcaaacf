import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBinary } from "../../packaging/binary/build.ts";

/** The single executable, built into a folder of its own for a suite; `remove` at its end. */
export async function buildForTests(): Promise<{ folder: string; program: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-binary-"));
  await buildBinary(folder);
  return { folder, program: join(folder, "zonewright"), remove: () => rmSync(folder, { recursive: true }) };
}

/** The exit code and the output of a command, in a folder that is also its home, with no Node on its PATH. */
export function runBare(cwd: string, program: string, ...words: string[]) {
  const env = { HOME: cwd, PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: "utf8" });
  return { code: status, out: stdout, talk: stderr };
}
