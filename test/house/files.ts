import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

export interface SourceFile {
  /** Relative to the root of the repository, such as `src/dns/name/name.ts`. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

/** The TypeScript files below a folder of the repository. */
export function filesOf(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => {
      const path = join(root, folder, name);
      const text = readFileSync(path, "utf8");
      return { path: relative(root, path).replaceAll(sep, "/"), text, lines: text.split("\n").length - 1 };
    });
}

/** The text of a file without its comments and the words of its messages: what the compiler reads. */
export function codeOf(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|(?<=^|[\s;])\/\/[^\n]*/g, (part) =>
    part.startsWith('"') ? '""' : "",
  );
}
