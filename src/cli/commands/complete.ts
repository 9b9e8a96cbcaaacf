import { type Dirent, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { yamlLibrary } from "../../lazy-packages.ts";
import { readRegularFile } from "../../read-file.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";

/**
 * `zonewright __complete zones|runs -- WORDS`: words for completion, one per line. Of the words before the cursor, the
 * options `--config` and `--zones` count. A shell waits for it at each key press, so it
 * does not read zone files and takes zones from file names. It reports no errors, because a message would appear in the
 * command line being typed.
 */
export const command = defineCommand({
  example: "  zonewright __complete zones\n",
  arguments: { "<what>": "zones or runs", "[words...]": "the words before the cursor" },
  async run({ cwd, print }, { what, words }) {
    const config = resolve(cwd, valuesOf("--config", words).at(-1) ?? "zonewright.yaml");
    const folders = valuesOf("--zones", words).map((folder) => resolve(cwd, folder));
    const listNames = { zones: () => listZones(config, folders), runs: () => ["last", ...listRuns(dirname(config))] };
    const names = what === "zones" || what === "runs" ? await listNames[what]() : [];
    print(
      names
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
  const initial = [resolve(dirname(config), "zones")];
  try {
    const text = readRegularFile(config).toString();
    const { zones = "zones" } = yamlLibrary().parse(text, { logLevel: "error" }) ?? {};
    return [zones].flat().map((folder) => resolve(dirname(config), String(folder?.path ?? folder)));
  } catch {
    return initial;
  }
}

/** The ids of runs, newest first. */
function listRuns(root: string): string[] {
  try {
    return readdirSync(join(root, ".zonewright", "runs"))
      .sort()
      .reverse();
  } catch {
    return [];
  }
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
