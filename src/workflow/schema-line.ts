import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** The schema of a kind of file, below the package and below the repository. */
export function schemaFile(kind: "zone" | "config"): string {
  return join("schemas", `${kind}.schema.json`);
}

/**
 * The schema of zone files, or of the config, as an editor finds it from a file: that of the installed package, or a
 * copy in the repository. Undefined where there is neither, because no editor should ask a foreign host for it.
 */
export function schemaFor(cwd: string, file: string, kind: "zone" | "config" = "zone"): string | undefined {
  const schema = schemaFile(kind);
  const folder = dirname(resolve(cwd, file));
  const top = resolve(cwd);
  for (let at = folder; ; at = dirname(at)) {
    const found = [join(at, "node_modules", "zonewright", schema), join(at, schema)].find((path) => existsSync(path));
    if (found) return relative(folder, found).split(sep).join("/");
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** The text of a YAML file whose schema line, if it names a file that does not exist, names one that does. */
export function withSchemaLine(text: string, cwd: string, file: string): string {
  const [line, written = ""] = /^#[ \t]*yaml-language-server:[ \t]*\$schema=(\S+)[ \t]*\r?\n/m.exec(text) ?? [];
  if (line === undefined || /^[a-z]+:\/\//i.test(written) || existsSync(resolve(cwd, dirname(file), written)))
    return text;
  const found = schemaFor(cwd, file);
  return found === undefined ? text : text.replace(line, line.replace(written, found));
}
