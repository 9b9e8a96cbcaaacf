import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { performance } from "node:perf_hooks";
import { escapeControl } from "../diagnostics/escape.ts";
import { count, listFirst } from "../diagnostics/quantities.ts";
import type { Terminal } from "./terminal.ts";

/** Time between two looks at the files, in milliseconds; slow looks are rarer, so that they take a twentieth of it. */
const lookEveryMs = 300;

/** By path, a text that changes with the file. */
type Stamps = ReadonlyMap<string, string>;

/**
 * Does the work, and again whenever a file was changed, added or removed, until the program is interrupted. It looks at
 * the files itself, because network file systems and some containers send no notifications.
 *
 * @param places returns the files, and the folders with all files below them except those of hidden folders
 */
export async function repeatOnChange(
  terminal: Terminal,
  places: () => readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { signal, cwd } = terminal;
  for (let known = stampsOf(places()); ; ) {
    await work();
    known = withOlder(stampsOf(places()), known);
    terminal.log(`watching ${count(known.size, "file")}; Ctrl-C ends\n`);
    const found = await waitForChange(terminal, known, () => stampsOf(places()));
    if (signal.aborted) return;
    const names = changedFiles(known, found).map((file) => escapeControl(relative(cwd, file)));
    terminal.log(`\nchanged: ${listFirst(names)}\n`);
    known = found;
  }
}

/** Editors write a file in several steps: a change is over when two looks in a row found the same. */
async function waitForChange({ sleep, signal }: Terminal, known: Stamps, look: () => Stamps): Promise<Stamps> {
  for (let last = known; !signal.aborted; ) {
    const start = performance.now();
    const found = look();
    if (changedFiles(last, found).length === 0 && changedFiles(known, found).length > 0) return found;
    last = found;
    await sleep(Math.max(lookEveryMs, 20 * (performance.now() - start)), signal);
  }
  return known;
}

/** The files of now, with the stamps that they had before the work, during which they may have changed. */
function withOlder(found: Stamps, known: Stamps): Stamps {
  return new Map([...found].map(([file, stamp]) => [file, known.get(file) ?? stamp]));
}

function changedFiles(before: Stamps, after: Stamps): string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((file) => before.get(file) !== after.get(file));
}

function stampsOf(places: readonly string[]): Stamps {
  const stamps = new Map<string, string>();
  for (const place of places) addStamps(stamps, place);
  return stamps;
}

/** Adds a file, or those of a folder and below it. Links to folders are not followed: they may lead up. */
function addStamps(stamps: Map<string, string>, path: string): void {
  const stats = tryTo(() => statSync(path));
  if (!stats?.isDirectory()) {
    if (stats) stamps.set(path, `${stats.ino} ${stats.size} ${stats.mtimeMs}`);
    return;
  }
  for (const entry of tryTo(() => readdirSync(path, { withFileTypes: true })) ?? []) {
    const below = join(path, entry.name);
    const isHidden = entry.name.startsWith(".") || entry.name === "node_modules";
    const isFolder = entry.isDirectory() || tryTo(() => statSync(below))?.isDirectory();
    if (!isFolder || (entry.isDirectory() && !isHidden)) addStamps(stamps, below);
  }
}

/** Undefined for what was removed meanwhile, or cannot be read: the work itself reports it. */
function tryTo<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
