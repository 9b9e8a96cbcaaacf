import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const needed = 2 ** 30;

/**
 * Keeps the temporary files of all tests in memory, where it has space and lets programs run: journals and databases
 * wait for the disk after each line, and no test is about the loss of power. A `TMPDIR` of the user stays.
 */
export default function setup(): (() => void) | undefined {
  if (process.env.TMPDIR || !hasSpace()) return;
  const folder = mkdtempSync(join(memory, "zonewright-tests-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  chmodSync(folder, 0o755); // PostgreSQL does not run as root
  if (!canRunPrograms(folder)) {
    remove();
    return;
  }
  process.env.TMPDIR = folder; // which the processes of the tests inherit
  return () => {
    delete process.env.TMPDIR;
    remove();
  };
}

function hasSpace(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= needed;
}

/** Containers often mount the folder without this right. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  return spawnSync(program).status === 0;
}
