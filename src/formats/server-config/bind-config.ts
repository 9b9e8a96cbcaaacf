import { dirname, isAbsolute, join } from "node:path";
import { type ConfigToken, configTokens } from "../../dns/transfer/key-file.ts";
import { checkSyntax, type FileToken, missingSemicolon } from "./bind-syntax.ts";
import type { ConfigFiles, ListFile } from "./config-files.ts";
import {
  type ConfiguredZone,
  catalogReason,
  configFault,
  type ListedZone,
  localReason,
  placeAt,
} from "./listed-zone.ts";

/** Zone types of BIND that it answers from its own data. */
const withData = new Set(["primary", "master", "secondary", "slave", "mirror", "redirect"]);

/** The zones of BIND's configuration, also those in views and in included files. @throws {ProblemError} */
export function readBindConfig(file: ListFile, files: ConfigFiles): ListedZone[] {
  const reader = new BindConfigReader(file, files);
  return reader.zones();
}

class BindConfigReader {
  readonly #first: ListFile;
  readonly #files: ConfigFiles;
  /** The tokens of all files, those of an included file in its place. */
  readonly #tokens: FileToken[] = [];
  /** The keywords of the open blocks. */
  readonly #blocks: string[] = [];
  /** The folder in which the server works from the option on; zones before it have it as well. */
  #directory: string | undefined;

  constructor(first: ListFile, files: ConfigFiles) {
    this.#first = first;
    this.#files = files;
  }

  zones(): ListedZone[] {
    this.#files.read(this.#first, (file) => this.#read(file));
    checkSyntax(this.#tokens);
    const directory = this.#directory ?? ".";
    return findZones(this.#tokens).map((zone) => {
      const { configured } = zone;
      if (!configured) return zone;
      const { file } = configured;
      const path = file === undefined || isAbsolute(file) ? file : join(directory, file);
      return { ...zone, configured: { ...configured, directory, ...(path !== undefined && { file: path }) } };
    });
  }

  #read({ file, text }: ListFile): void {
    const tokens = [...configTokens(text)];
    let keyword = "";
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] as ConfigToken;
      const value = tokens[at + 1]?.text;
      if (isStart(tokens, at)) {
        keyword = token.text.toLowerCase();
        if (keyword === "directory" && this.#blocks.at(-1) === "options") this.#directory ??= value;
        if (keyword === "include" && value !== undefined) {
          const end = tokens[at + 2];
          if (end?.text !== ";") throw missingSemicolon({ ...(tokens[at + 1] as ConfigToken), file }, end);
          this.#include(value, file);
          at += 2;
          continue;
        }
      }
      if (token.text === "{") this.#blocks.push(keyword);
      if (token.text === "}") this.#blocks.pop();
      this.#tokens.push({ ...token, file });
    }
  }

  /** Several zones and options may include the same statements; zones are listed once. */
  #include(path: string, from: string): void {
    // A relative path is that of the server's working folder, which changes with `directory`.
    const start = dirname(this.#first.file);
    const directory = this.#directory;
    const working = directory === undefined ? [] : [isAbsolute(directory) ? directory : join(start, directory)];
    const once = this.#blocks.every((keyword) => keyword === "view");
    this.#files.include(path, [...working, start, dirname(from)], (file) => this.#read(file), { once });
  }
}

/** Whether a statement begins here. */
function isStart(tokens: readonly ConfigToken[], at: number): boolean {
  return at === 0 || [";", "{", "}"].includes(tokens[at - 1]?.text ?? "");
}

/** `zone "example.com" IN { type primary; … };`, also inside of views. */
function findZones(tokens: readonly FileToken[]): ListedZone[] {
  const listed: ListedZone[] = [];
  const textAt = (at: number) => tokens[at]?.text;
  /** The position of the bracket or the end of the statement that begins here. */
  const openAfter = (start: number) => {
    let open = start;
    while (open < tokens.length && ![";", "{"].includes(textAt(open) ?? "")) open++;
    return open;
  };
  const classAt = (at: number, open: number) => (at === open ? undefined : textAt(at)?.toLowerCase());
  let depth = 0;
  let inCatalogs: number | undefined;
  let view: { readonly name: string; readonly class: string; readonly depth: number } | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const { text: written, line, file } = tokens[at] as FileToken;
    const text = written.toLowerCase();
    if (text === "{") depth++;
    if (text === "}" && --depth === inCatalogs) inCatalogs = undefined;
    if (text === "}" && depth === view?.depth) view = undefined;
    const value = textAt(at + 1);
    if (!isStart(tokens, at) || value === undefined) continue;
    if (text === "view") view = { name: value, class: classAt(at + 2, openAfter(at + 1)) ?? "in", depth };
    else if (text === "catalog-zones") inCatalogs = depth;
    else if (text === "zone") {
      const open = openAfter(at + 1);
      if (inCatalogs !== undefined) {
        listed.push({ name: value, place: placeAt(file, line), skipped: catalogReason });
        continue;
      }
      const zoneClass = classAt(at + 2, open) ?? view?.class ?? "in";
      if (textAt(open) !== "{" || zoneClass !== "in") continue;
      const name = value.replace(/^(?=$)/, ".");
      const statements = blockOf(tokens, open);
      if (!["type", "in-view", "template"].some((key) => statements.has(key)))
        throw configFault(
          `the zone "${name}" has no type`,
          placeAt(file, line),
          "Write a type, such as `type primary;`.",
        );
      const zone = readConfiguredZone(name, statements, view?.name);
      listed.push({ name, place: placeAt(file, line), ...zone });
      at = open;
      depth++;
    }
  }
  return listed;
}

function readConfiguredZone(
  name: string,
  statements: Map<string, string[]>,
  view: string | undefined,
): Pick<ListedZone, "skipped" | "configured"> {
  const type = statements.get("type")?.[0]?.toLowerCase();
  const skipped = type === undefined || withData.has(type) ? localReason(name) : `it is of type ${type}`;
  const [path] = statements.get("file") ?? [];
  const configured: ConfiguredZone = {
    server: "BIND",
    type: type === "master" ? "primary" : (type ?? ""),
    ...(path !== undefined && { file: path }),
    ...(view !== undefined && { view }),
    statements,
  };
  return { ...(skipped !== undefined && { skipped }), configured };
}

/** The statements directly in the block that begins here, with their words, those of inner blocks included. */
function blockOf(tokens: readonly ConfigToken[], open: number): Map<string, string[]> {
  const statements = new Map<string, string[]>();
  let depth = 0;
  let words: string[] | undefined;
  for (let at = open; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? "";
    if (text === "{") depth++;
    else if (text === "}") depth--;
    else if (text === ";" && depth === 1) words = undefined;
    else if (text !== ";" && depth === 1 && words === undefined) {
      words = [];
      statements.set(text.toLowerCase(), words);
    } else if (text !== ";") words?.push(text);
    if (depth === 0) break;
  }
  return statements;
}
