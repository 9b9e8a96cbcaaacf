import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findMissing, judgesFolder, programFolders, registryJudges } from "../judges.ts";

/** The folder of the Node packages. */
export const nodeModules = join(judgesFolder, "node_modules");

/** The output of a program, which finds the others next to it and uses no network. */
export function runJudge(command: readonly string[], cwd: string): { code: number | null; text: string } {
  const [program = "", ...words] = command;
  const PATH = [...programFolders, process.env.PATH].join(delimiter);
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const neutral = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: "1" };
  // A Java program that runs for seconds spends half of them on optimising itself.
  const short = { JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" };
  const env = { PATH, HOME: cwd, LC_ALL: "C.UTF-8", NODE_PATH: nodeModules, ...quiet, ...neutral, ...short };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: "utf8" });
  return { code: status, text: stdout + stderr };
}

/** The folders with a lockfile of their own: those of the single executable and of the site. */
const ownFolders = ["packaging/binary", "site"].map((folder) =>
  fileURLToPath(new URL(`../../${folder}/`, import.meta.url)),
);

/** The packages to install, of npm, of Python and of Go, with their versions. */
const lists = ["package.json", "package-lock.json", "requirements.txt", "go.txt"];

/** Installs what test/openapi/tools lists, unless it is installed. */
export function install(): void {
  const listed = fileURLToPath(new URL("tools/", import.meta.url));
  const isSame = (file: string) =>
    existsSync(join(judgesFolder, file)) &&
    readFileSync(join(judgesFolder, file)).equals(readFileSync(join(listed, file)));
  if (lists.every(isSame) && findMissing(registryJudges).length === 0) return;
  mkdirSync(judgesFolder, { recursive: true });
  for (const file of lists) cpSync(join(listed, file), join(judgesFolder, file));
  run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  for (const folder of ownFolders) run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder);
  // Its package has a script for that.
  const multitool = join(nodeModules, `@microsoft/sarif-multitool-${process.platform}`, "Sarif.Multitool");
  if (existsSync(multitool)) chmodSync(multitool, 0o755);
  run("python3", "-m", "venv", "venv");
  run(join(judgesFolder, "venv", "bin", "pip"), "install", "--quiet", "--requirement", "requirements.txt");
  for (const [program] of readFileSync(join(listed, "go.txt"), "utf8").matchAll(/^[^#\n]+$/gm))
    run("go", "install", program);
}

function run(program: string, ...words: string[]): void {
  const env = { ...process.env, GOBIN: join(judgesFolder, "bin") };
  spawnSync(program, words, { cwd: judgesFolder, stdio: "inherit", env });
}
