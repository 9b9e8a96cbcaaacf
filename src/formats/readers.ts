import { readBind } from "./bind/read.ts";
import type { Source } from "./kit/source.ts";
import { readOctodns } from "./octodns/read.ts";
import { readYaml } from "./yaml/read.ts";

/** The reader for the files of a folder. */
export type Reader = Pick<Source, "name" | "endings" | "read">;

/** The reading of every format of zone files, apart from `formats.ts`: most commands write none. */
export const readers = {
  yaml: { name: "yaml", endings: [".yaml", ".yml"], read: readYaml },
  bind: { name: "bind", endings: [".zone", ".db"], read: readBind },
} as const satisfies Record<string, Reader>;

/** Read-only formats whose extension is ambiguous: the config sets them for a folder. */
export const folderFormats = {
  octodns: { name: "octodns", endings: [".yaml", ".yml"], read: readOctodns },
} as const satisfies Record<string, Reader>;

export type FormatName = keyof typeof readers;
export type FolderFormat = keyof typeof folderFormats;

export const formatNames = Object.values(readers)
  .map(({ name }) => name)
  .sort();

/** The reader of a file by its extension. */
export function readerOf(file: string): Reader | undefined {
  return Object.values(readers).find(({ endings }: Reader) => endings.some((ending) => file.endsWith(ending)));
}
