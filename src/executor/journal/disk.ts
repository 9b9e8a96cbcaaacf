import { chmod, open, writeFile } from "node:fs/promises";
import { makeFolder } from "../../make-folder.ts";
import type { Appender } from "./journal.ts";

/** File operations of a run. Tests make each of them fail. */
export interface JournalDisk {
  /** Creates a folder and its parents, accessible only to this user. */
  folder(path: string): Promise<void>;
  /** Writes a file, readable only by this user; resolves once it is flushed to disk. */
  write(path: string, text: string): Promise<void>;
  /** Creates a file to append to; fails if it exists. */
  create(path: string): Promise<Appender>;
}

export const ownDisk: JournalDisk = {
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
