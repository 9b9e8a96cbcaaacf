import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";

const here = fileURLToPath(new URL("tools/", import.meta.url));

/** Where `npm run judges` puts what tools/package.json and tools/requirements.txt name. */
const home = fileURLToPath(new URL("../../.judges/", import.meta.url));

/** The folder of the Node packages. */
export const nodeModules = join(home, "node_modules");

const folders = [join(nodeModules, ".bin"), join(home, "venv", "bin")];

/** The registry that brings each program: these are judges without a Debian package. */
const programs = {
  redocly: "npm package @redocly/cli",
  spectral: "npm package @stoplight/spectral-cli",
  "openapi-typescript": "npm package openapi-typescript",
  "openapi-python-client": "PyPI package openapi-python-client",
  "openapi-generator-cli": "PyPI package openapi-generator-cli",
} as const;

export type Program = keyof typeof programs;

function isInstalled(name: Program): boolean {
  return folders.some((folder) => existsSync(join(folder, name)));
}

/** Skips the test where a program is not installed, in CI too: their registries are not always to be had. */
export function needs({ skip }: TestContext, name: Program): void {
  skip(!isInstalled(name), `${name} (${programs[name]}) is not installed; npm run judges installs it`);
}

/** What a program says at its end. It finds the others beside it, and asks nobody on the network. */
export function runJudge(command: readonly string[], cwd: string): { code: number | null; text: string } {
  const [program = "", ...words] = command;
  const PATH = [...folders, process.env.PATH].join(delimiter);
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const env = { PATH, HOME: cwd, LC_ALL: "C.UTF-8", NODE_PATH: nodeModules, ...quiet };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: "utf8" });
  return { code: status, text: stdout + stderr };
}

/** Installs all of them; gives what could not be had. */
export function install(): string[] {
  mkdirSync(home, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(here, file), join(home, file));
  run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  run("python3", "-m", "venv", "venv");
  run(join(home, "venv", "bin", "pip"), "install", "--quiet", "--requirement", join(here, "requirements.txt"));
  return Object.entries(programs).flatMap(([name, origin]) =>
    isInstalled(name as Program) ? [] : [`${name} (${origin})`],
  );
}

function run(program: string, ...words: string[]): void {
  spawnSync(program, words, { cwd: home, stdio: "inherit" });
}
