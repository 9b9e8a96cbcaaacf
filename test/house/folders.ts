import { dirname } from "node:path";
import type { SourceFile } from "./files.ts";

/** Folders whose files are the entries of a list: types, rules, guards, sets of ids, commands, endpoints. */
const lists = [
  "src/dns/types",
  "src/dns/rules",
  "src/dns/across",
  "src/planner/guards",
  "src/cli/commands",
  "src/contract/endpoints",
  "src/contract/resources",
];

/** Folders and the number of files directly in them, the largest first; without those whose files are list entries. */
export function flatFolders(files: readonly SourceFile[]): readonly (readonly [folder: string, files: number])[] {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([folder]) => !lists.includes(folder)).sort(([, a], [, b]) => b - a);
}
