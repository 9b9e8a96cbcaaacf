import { readBind } from "./bind/read.ts";
import { rewriteBind } from "./bind/rewrite.ts";
import { writeBind } from "./bind/write.ts";
import type { Source } from "./source.ts";
import { readYaml } from "./yaml/read.ts";
import { writeYaml } from "./yaml/write.ts";

/** Every format of zone files; the ending of a file's name chooses. */
export const formats = {
  yaml: { name: "yaml", endings: [".yaml", ".yml"], read: readYaml, write: writeYaml },
  bind: { name: "bind", endings: [".zone", ".db"], read: readBind, write: writeBind, rewrite: rewriteBind },
} as const satisfies Record<string, Source>;

export type FormatName = keyof typeof formats;

/** The format of a file by its ending. */
export function formatOf(file: string): Source | undefined {
  return Object.values(formats).find(({ endings }: Source) => endings.some((ending) => file.endsWith(ending)));
}
