import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

type SchemaKind = "zone" | "template" | "config";

/** Path of the schema for a kind of file, in the package and in the repository. */
export function schemaFile(kind: SchemaKind): string {
  return join("schemas", `${kind}.schema.json`);
}

/**
 * The path from a file to its schema, for editors: in the installed package, or a copy in the repository. Undefined if
 * there is neither: an editor should not fetch it from another host.
 */
export function schemaFor(cwd: string, file: string, kind: SchemaKind = "zone"): string | undefined {
  const schema = schemaFile(kind);
  const folder = dirname(resolve(cwd, file));
  const top = resolve(cwd);
  for (let at = folder; ; at = dirname(at)) {
    const found = [join(at, "node_modules", "zonewright", schema), join(at, schema)].find((path) => existsSync(path));
    if (found) return relative(folder, found).split(sep).join("/");
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** Returns the text of a YAML file; a schema line that names a missing file is replaced. */
export function withSchemaLine(text: string, cwd: string, file: string, kind: SchemaKind = "zone"): string {
  const [line, written = ""] = /^#[ \t]*yaml-language-server:[ \t]*\$schema=(\S+)[ \t]*\r?\n/m.exec(text) ?? [];
  if (line === undefined || /^[a-z]+:\/\//i.test(written) || existsSync(resolve(cwd, dirname(file), written)))
    return text;
  const found = schemaFor(cwd, file, kind);
  return found === undefined ? text : text.replace(line, line.replace(written, found));
}
