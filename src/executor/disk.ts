import { chmod, open, writeFile } from "node:fs/promises";
import { makeFolder } from "../formats/make-folder.ts";
import type { Appender } from "./journal.ts";

/** File operations of a run. Tests make each of them fail. */
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
    if (!makeFolder(path, 0o700)) await chmod(path, 0o700);
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
