import { chmod, mkdir, open, writeFile } from "node:fs/promises";
import type { Appender } from "./journal.ts";

/** What a run writes to the disk with. Each of these can fail, and tests let them. */
export interface Disk {
  /** Makes a folder and those above it, for this user alone. */
  folder(path: string): Promise<void>;
  /** Writes a whole file, for this user alone; it is on the disk when this resolves. */
  write(path: string, text: string): Promise<void>;
  /** Makes a file that is not there yet, to append to. */
  create(path: string): Promise<Appender>;
}

export const ownDisk: Disk = {
  folder: async (path) => {
    const made = await mkdir(path, { recursive: true, mode: 0o700 });
    if (made === undefined) await chmod(path, 0o700);
  },
  write: (path, text) => writeFile(path, text, { mode: 0o600, flush: true }),
  create: async (path) => {
    const file = await open(path, "ax", 0o600);
    return {
      append: async (text) => {
        await file.appendFile(text);
        await file.datasync();
      },
      close: () => file.close(),
    };
  },
};
