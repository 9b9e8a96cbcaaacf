import { type Dirent, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readRegularFile } from "../../read-file.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";

/**
 * `zonewright __complete zones|runs`: words for completion, one per line. A shell waits for it at each key press, so it
 * does not read zone files and takes zones from file names. It reports no errors, because a message would appear in the
 * command line being typed.
 */
export const command = defineCommand({
  example: "  zonewright __complete zones\n",
  arguments: { "<what>": "zones or runs" },
  async run({ cwd, print }, { what }) {
    const names = what === "zones" ? await listZones(cwd) : what === "runs" ? ["last", ...listRuns(cwd)] : [];
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

async function listZones(cwd: string): Promise<string[]> {
  const names = (await zoneFolders(cwd)).flatMap((folder) =>
    list(resolve(cwd, folder)).flatMap((file) => {
      const [, name] = /^(.+)\.(?:ya?ml|zone|db)$/.exec(file) ?? [];
      return name === undefined ? [] : [name.replaceAll(/%([0-9a-f]{2})/gi, (_, code) => decode(code))];
    }),
  );
  return [...new Set(names)].sort();
}

async function zoneFolders(cwd: string): Promise<string[]> {
  const initial = ["zones"];
  try {
    const text = readRegularFile(join(cwd, "zonewright.yaml")).toString();
    const { parse } = await import("yaml");
    const { zones = initial } = parse(text, { logLevel: "error" }) ?? {};
    return [zones].flat().map((folder) => String(folder?.path ?? folder));
  } catch {
    return initial;
  }
}

/** The ids of runs, newest first. */
function listRuns(cwd: string): string[] {
  try {
    return readdirSync(join(cwd, ".zonewright", "runs"))
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
