import { closeSync, type Dirent, openSync, readdirSync, readSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularFile } from "../../file-system.ts";
import { yamlLibrary } from "../../lazy-packages.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";

/**
 * `zonewright __complete zones|targets|services|runs -- WORDS`: words for completion, one per line. Of the words before
 * the cursor, the options `--config` and `--zones` count. A shell waits for it at each key press, so it does not read
 * zone files and takes zones from file names. It reports no errors, because a message would appear in the command line
 * being typed.
 */
export const completeCommand = defineCommand({
  example: "  zonewright __complete zones\n",
  arguments: {
    "<what>": "zones, targets (of apply), services (of the config) or runs",
    "[words...]": "the words before the cursor",
  },
  async run({ cwd, print }, { what, words }) {
    const config = resolve(cwd, valuesOf("--config", words).at(-1) ?? "zonewright.yaml");
    const folders = valuesOf("--zones", words).map((folder) => resolve(cwd, folder));
    const zones = () => listZones(config, folders);
    const listNames: Readonly<Record<string, () => Promise<string[]>>> = {
      zones,
      targets: async () => [...(await zones()), ...listPlans(cwd)],
      services: async () => Object.keys(settingsOf(config).targets ?? {}),
      runs: async () => ["last", ...listRuns(dirname(config))],
    };
    const names = Object.hasOwn(listNames, what) ? await listNames[what]?.() : undefined;
    print(
      (names ?? [])
        .filter((name) => isHarmless.test(name))
        .map((name) => `${name}\n`)
        .join(""),
    );
    return exitCode.done;
  },
});

/** File names are as untrusted as the repository: a shell must not expand or run any part of them. */
const isHarmless = /^\w[\w./-]*$/;

/** The values of an option, as `--config FILE` or `--config=FILE`, which bash passes as three words. */
function valuesOf(option: string, words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (word.startsWith(`${option}=`)) return [unquote(word.slice(option.length + 1))];
    const [next, afterNext] = words.slice(index + 1);
    const value = next === "=" ? afterNext : next;
    return word === option && value !== undefined ? [unquote(value)] : [];
  });
}

/** Removes the quotes and backslashes of a shell; bash passes words as they are typed. */
function unquote(word: string): string {
  return word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, "$1$2$3");
}

async function listZones(config: string, given: readonly string[]): Promise<string[]> {
  const folders = given.length > 0 ? given : await zoneFolders(config);
  const names = folders.flatMap((folder) =>
    list(folder).flatMap((file) => {
      const [, name] = /^(.+)\.(?:ya?ml|zone|db)$/.exec(file) ?? [];
      return name === undefined ? [] : [name.replaceAll(/%([0-9a-f]{2})/gi, (_, code) => decode(code))];
    }),
  );
  return [...new Set(names)].sort();
}

async function zoneFolders(config: string): Promise<string[]> {
  const { zones = "zones" } = settingsOf(config);
  return [zones].flat().map((folder) => resolve(dirname(config), String(folder?.path ?? folder)));
}

/** The settings of a config as they are written; none if it cannot be read. */
// biome-ignore lint/suspicious/noExplicitAny: any YAML, with any mistakes.
function settingsOf(config: string): any {
  try {
    return yamlLibrary().parse(readRegularFile(config).toString(), { logLevel: "error" }) ?? {};
  } catch {
    return {};
  }
}

/** The most octets before the format of a plan file. */
const planHead = 200;

/** The plan files in a folder and the folders in it, such as `plans/plan.json`. */
function listPlans(cwd: string): string[] {
  const inside = entriesOf(cwd)
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    .map(({ name }) => name);
  return ["", ...inside].flatMap((folder) =>
    entriesOf(join(cwd, folder))
      .filter((entry) => entry.isFile() && entry.name.endsWith(".json") && isPlan(join(cwd, folder, entry.name)))
      .map(({ name }) => join(folder, name)),
  );
}

function isPlan(file: string): boolean {
  try {
    const head = Buffer.alloc(planHead);
    const handle = openSync(file, "r");
    try {
      readSync(handle, head, 0, planHead, 0);
    } finally {
      closeSync(handle);
    }
    return head.includes('"zonewright.plan/');
  } catch {
    return false;
  }
}

/** The ids of runs, also of those of targets, newest first. */
function listRuns(root: string): string[] {
  const state = join(root, ".zonewright");
  const targets = entriesOf(join(state, "targets")).map(({ name }) => join(state, "targets", name));
  const runs = [state, ...targets].flatMap((folder) => entriesOf(join(folder, "runs")));
  return runs
    .map(({ name }) => name)
    .sort()
    .reverse();
}

/** A folder such as `/` has too many entries for a key press. */
const mostEntries = 20_000;

/** The names of the files in a folder and its subfolders, those of the upper ones first. */
function list(folder: string): string[] {
  const names: string[] = [];
  const folders = [folder];
  let entries = 0;
  for (const path of folders) {
    for (const entry of entriesOf(path)) {
      if (++entries > mostEntries) return names;
      if (entry.isDirectory()) folders.push(join(path, entry.name));
      else names.push(entry.name);
    }
  }
  return names;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function decode(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
