import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readPackagedFile } from "../../packaged-file.ts";

export type SchemaKind = "zone" | "config" | "template" | "acks";

/** Path of the schema for a kind of file, in the package and in the repository. */
export function schemaFile(kind: SchemaKind): string {
  return `schemas/${kind}.schema.json`;
}

/** The text of a copy of a schema in a repository: on one line, which is less than half as long. */
export function schemaCopy(kind: SchemaKind): string {
  return `${JSON.stringify(JSON.parse(readPackagedFile(schemaFile(kind))))}\n`;
}

/** Whether a text is a copy of the schema of this version, in any format. */
export function isSchemaCopy(text: string, kind: SchemaKind): boolean {
  try {
    return `${JSON.stringify(JSON.parse(text))}\n` === schemaCopy(kind);
  } catch {
    return false;
  }
}

/**
 * The path from a file to its schema, for editors: in the installed package, or a copy in the repository; also in a
 * folder above, as in a workspace of npm. Undefined if there is neither: an editor should not fetch it from a host.
 */
export function schemaFor(cwd: string, file: string, kind: SchemaKind = "zone"): string | undefined {
  const schema = schemaFile(kind);
  const folder = dirname(resolve(cwd, file));
  const top = topOf(resolve(cwd));
  for (let at = folder; ; at = dirname(at)) {
    const found = [join(at, "node_modules", "zonewright", schema), join(at, schema)].find((path) => existsSync(path));
    if (found) return relative(folder, found).split(sep).join("/");
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** The top folder of the git repository; the folder itself if it is in none. */
export function topOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return folder;
  }
}

/** The path of a folder in its git repository; empty for the top folder, and outside of one. */
export function folderInRepository(cwd: string): string {
  return relative(topOf(resolve(cwd)), resolve(cwd))
    .split(sep)
    .join("/");
}

/** Returns the text of a YAML file; a schema line that names a missing file is replaced. */
export function withSchemaLine(text: string, cwd: string, file: string, kind: SchemaKind = "zone"): string {
  const [line, written = ""] = /^#[ \t]*yaml-language-server:[ \t]*\$schema=(\S+)[ \t]*\r?\n/m.exec(text) ?? [];
  if (line === undefined || /^[a-z]+:\/\//i.test(written) || existsSync(resolve(cwd, dirname(file), written)))
    return text;
  const found = schemaFor(cwd, file, kind);
  return found === undefined ? text : text.replace(line, line.replace(written, found));
}
