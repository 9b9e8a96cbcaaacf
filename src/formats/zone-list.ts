import { isAbsolute, join } from "node:path";
import type { Place } from "../diagnostics/problem.ts";
import { Fault } from "../dns/fault.ts";
import { type ConfigToken, configTokens } from "../dns/transfer/key-file.ts";

/** A zone that a file lists. */
export interface ListedZone {
  readonly name: string;
  readonly place: Place;
  /** Why it is not transferred. */
  readonly skipped?: string;
  /** Its zone in BIND's configuration. */
  readonly bind?: BindZone;
}

/** A zone of BIND's configuration. */
export interface BindZone {
  readonly type: string;
  /** The path of its zone file, below the `directory` of the options; absent if it has none. */
  readonly file?: string;
  /** The view that it is in. */
  readonly view?: string;
  /** The statements in its block, such as `allow-transfer`, with their words. */
  readonly statements: ReadonlyMap<string, readonly string[]>;
}

/** A text file, and its path in messages. */
export interface ListFile {
  readonly file: string;
  readonly text: string;
}

/** Opens the files that a configuration includes; `path` may be a pattern. @throws {Fault} `include-read` */
export type OpenIncluded = (path: string, from: string) => readonly ListFile[];

/**
 * Reads the zones that a file lists: the configuration of BIND, Knot or NSD with the files that it includes, or one
 * name per line, where `#` and `;` begin comments.
 * @throws {Fault} `include-read`, `include-depth`, `include-loop`
 */
export function readZoneList(file: ListFile, open: OpenIncluded): ListedZone[] {
  const reading: Reading = { open, read: new Map(), depth: 0, bind: { directory: undefined } };
  const listed = [...zonesOf(file, reading)].map((zone) => withDirectory(zone, reading.bind));
  const keyOf = ({ name }: ListedZone) => name.toLowerCase().replace(/\.$/, "");
  const catalogs = new Set(listed.filter(({ skipped }) => skipped === catalogReason).map(keyOf));
  return listed.map((zone) => (catalogs.has(keyOf(zone)) ? { ...zone, skipped: catalogReason } : zone));
}

const deepest = 16;

const catalogReason = "it is a catalog zone; its members are transferred with --catalog";

interface Reading {
  readonly open: OpenIncluded;
  /** Files that are being read or were read. A file is read once: patterns may include it again and again. */
  readonly read: Map<string, "begun" | "done">;
  readonly depth: number;
  readonly bind: BindOptions;
}

/** The options of BIND's configuration, which may be after the zones, and in another file. */
interface BindOptions {
  directory: string | undefined;
}

function withDirectory(zone: ListedZone, { directory }: BindOptions): ListedZone {
  const { file } = zone.bind ?? {};
  if (!zone.bind || file === undefined || directory === undefined || isAbsolute(file)) return zone;
  return { ...zone, bind: { ...zone.bind, file: join(directory, file) } };
}

function* zonesOf(file: ListFile, reading: Reading): Generator<ListedZone> {
  const { open, read, depth } = reading;
  const before = read.get(file.file);
  if (before === "done") return;
  if (before === "begun") throw new Fault("include-loop", `it includes ${file.file} in a loop`, "Remove the loop.");
  if (depth > deepest)
    throw new Fault("include-depth", `files are included more than ${deepest} levels deep`, "Remove the loop.");
  read.set(file.file, "begun");
  const include: Include = function* (path) {
    for (const other of open(path, file.file)) yield* zonesOf(other, { ...reading, depth: depth + 1 });
  };
  yield* zonesOfText(file, include, reading.bind);
  read.set(file.file, "done");
}

function* zonesOfText(file: ListFile, include: Include, options: BindOptions): Generator<ListedZone> {
  const { text } = file;
  const bind =
    /^\s*(?:zone|view|include|acl|key|masters|primaries|channel)\s+["\w!]|^\s*(?:options|logging|controls)\s*\{|^\s*\/[/*]/im;
  if (bind.test(text)) yield* bindZones(file, include, options);
  else if (/^\s*(?:zone|include|server|template|pattern|remote|key|acl|log|database)\s*:/m.test(text))
    yield* sectionZones(file, include);
  else yield* namesPerLine(file);
}

type Include = (path: string) => Generator<ListedZone>;

function placeAt(file: string, line: number): Place {
  return { file, line, column: 1, length: 1 };
}

/** Zone types of BIND that it answers from its own data. */
const withData = new Set(["primary", "master", "secondary", "slave", "mirror", "redirect"]);

/** `zone "example.com" IN { type primary; … };`, also inside of views, and `include "file";` */
function* bindZones({ file, text }: ListFile, include: Include, options: BindOptions): Generator<ListedZone> {
  const tokens = [...configTokens(text)];
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
    const { text: written, line } = tokens[at] as ConfigToken;
    const text = written.toLowerCase();
    if (text === "{") depth++;
    if (text === "}" && --depth === inCatalogs) inCatalogs = undefined;
    if (text === "}" && depth === view?.depth) view = undefined;
    const isStart = at === 0 || [";", "{", "}"].includes(textAt(at - 1) ?? "");
    if (!isStart) continue;
    const value = textAt(at + 1);
    if (text === "options" && value === "{") {
      const [directory] = blockOf(tokens, at + 1).get("directory") ?? [];
      options.directory ??= directory;
    }
    if (text === "include" && value !== undefined) yield* include(value);
    else if (text === "view" && value !== undefined)
      view = { name: value, class: classAt(at + 2, openAfter(at + 1)) ?? "in", depth };
    else if (text === "catalog-zones") inCatalogs = depth;
    else if (text === "zone" && value !== undefined) {
      const open = openAfter(at + 1);
      if (inCatalogs !== undefined) {
        yield { name: value, place: placeAt(file, line), skipped: catalogReason };
        continue;
      }
      const zoneClass = classAt(at + 2, open) ?? view?.class ?? "in";
      if (textAt(open) !== "{" || zoneClass !== "in") continue;
      const statements = blockOf(tokens, open);
      const type = statements.get("type")?.[0]?.toLowerCase();
      const skipped = type === undefined || withData.has(type) ? undefined : `it is of type ${type}`;
      const name = value.replace(/^(?=$)/, ".");
      const [path] = statements.get("file") ?? [];
      const bind: BindZone = {
        type: type ?? "",
        ...(path !== undefined && { file: path }),
        ...(view && { view: view.name }),
        statements,
      };
      yield { name, place: placeAt(file, line), ...skip(skipped ?? localReason(name)), bind };
      at = open;
      depth++;
    }
  }
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

/** Sections that NSD accepts with an indent; its sections do not nest. */
const indentable: ReadonlySet<string> = new Set(["key", "pattern", "remote-control", "server", "tls-auth", "zone"]);

/** Sections of Knot (`zone:` with items `- domain: …`) and NSD (`zone:` with `name: …`), and `include: file`. */
function* sectionZones({ file, text }: ListFile, include: Include): Generator<ListedZone> {
  let section = "";
  let pending: { name: string; line: number; skipped?: string } | undefined;
  const finish = function* (): Generator<ListedZone> {
    if (pending)
      yield {
        name: pending.name,
        place: placeAt(file, pending.line),
        ...skip(pending.skipped ?? localReason(pending.name)),
      };
    pending = undefined;
  };
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.replace(/(^|\s)#.*$/, "").trimEnd();
    const [, indent = "", isItem, key, written = ""] = /^(\s*)(-\s+)?([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (key === undefined) continue;
    const value = written.trim().replace(/^(["'])(.*)\1$/, "$2");
    if (value === "" && (indent === "" || indentable.has(key))) {
      yield* finish();
      section = key;
    } else if (key === "include" && (section === "" || indent === "" || section === "zone" || section === "server")) {
      yield* finish();
      yield* include(value);
    } else if (section === "zone" && (key === "domain" || key === "name")) {
      yield* finish();
      pending = { name: value, line: index + 1 };
    } else if (pending && key === "catalog-role" && value === "interpret") pending.skipped = catalogReason;
    else if (isItem !== undefined && section === "zone") yield* finish();
  }
  yield* finish();
}

function* namesPerLine({ file, text }: ListFile): Generator<ListedZone> {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const name = line.replace(/[#;].*/, "").trim();
    if (name !== "") yield { name, place: placeAt(file, index + 1) };
  }
}

function skip(reason: string | undefined): { skipped?: string } {
  return reason === undefined ? {} : { skipped: reason };
}

/** Name servers answer these themselves (RFC 6303, RFC 6761); BIND's packages list them as zones. */
function localReason(name: string): string | undefined {
  const isLocal = /^(?:|localhost|(?:0|127|255|0\.0\.127|1\.0\.0\.127)\.in-addr\.arpa|[01]\.(?:0\.){31}ip6\.arpa)\.?$/i;
  return isLocal.test(name) ? "every name server has this local zone itself" : undefined;
}
