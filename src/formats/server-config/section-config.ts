import { dirname, isAbsolute, join } from "node:path";
import { escapeControl } from "../../diagnostics/escape.ts";
import type { Place } from "../../diagnostics/problem.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { isServerSection } from "../kit/other-format.ts";
import type { ConfigFiles, ListFile } from "./config-files.ts";
import {
  type ConfiguredZone,
  catalogReason,
  configFault,
  type ListedZone,
  localReason,
  placeAt,
} from "./listed-zone.ts";

/** Settings and sections that only NSD has. */
const nsdLine = /^\s*(?:name|zonefile|zonesdir|ip-address|include-pattern|pattern|remote-control)\s*:/m;

/** Sections that NSD accepts with an indent; its sections do not nest. */
const indentable: ReadonlySet<string> = new Set(["key", "pattern", "remote-control", "server", "tls-auth", "zone"]);

/** Settings with one value. */
const single: ReadonlySet<string> = new Set([
  ...["default-ttl", "domain", "file", "include-pattern", "name", "storage", "template", "zonefile", "zonesdir"],
]);

/** A setting, or the start of a section, while its words are read. */
interface Setting {
  readonly key: string;
  readonly words: string[];
  readonly place: Place;
  readonly indent: string;
  /** Whether it starts an item of a list. */
  readonly isItem: boolean;
}

/** The words of a setting, each time that it is given. */
type Settings = Map<string, readonly (readonly string[])[]>;

/** A section without items, or one item of a section. */
interface Item {
  readonly section: string;
  place: Place;
  readonly settings: Settings;
}

/** The zones of the configuration of Knot or NSD, with those in included files. @throws {ProblemError} */
export function readSectionConfig(file: ListFile, files: ConfigFiles): ListedZone[] {
  const reader = new SectionReader(file, files);
  return zonesOf(reader.items());
}

/** Reads sections of Knot (`zone:` with items `- domain: …`) and NSD (`zone:` with `name: …`), and `include: file`. */
class SectionReader {
  readonly #first: ListFile;
  readonly #files: ConfigFiles;
  readonly #items: Item[] = [];
  #isNsd = false;

  constructor(first: ListFile, files: ConfigFiles) {
    this.#first = first;
    this.#files = files;
  }

  items(): readonly Item[] {
    this.#files.read(this.#first, (file) => this.#read(file));
    return this.#items;
  }

  #read({ file, text }: ListFile): void {
    this.#isNsd ||= nsdLine.test(text);
    let setting: Setting | undefined;
    for (const [index, line] of text.split("\n").entries()) {
      const [start = "", indent = "", dash] = /^(\s*)(-\s+)?/.exec(line) ?? [];
      let isFirst = true;
      let lists = 0;
      for (const { text: word, kind, at } of tokensOf(line, start.length)) {
        const place = placeAt(file, index + 1, at + 1, word.length || 1);
        if (kind === "bracket") lists += word === "[" ? 1 : -1;
        if (kind === "unclosed" && !(this.#isNsd && word.startsWith("'")))
          throw configFault("the string is not closed", place, `Add ${word[0]} at its end.`);
        if (kind === "bracket") continue;
        const [, key, value] = (kind === "plain" && /^([\w-]+):(.*)$/.exec(word)) || [];
        if (key !== undefined && (value === "" || (!this.#isNsd && isFirst))) {
          if (setting) this.#end(setting, file);
          setting = { key, words: value ? [value] : [], place, indent, isItem: isFirst && dash !== undefined };
        } else if (setting && this.#continues(setting, word, isFirst)) setting.words.push(word);
        else {
          const summary = isFirst
            ? `"${escapeControl(word)}" is not a setting`
            : `"${escapeControl(word)}" is one value too many`;
          const fix = isFirst ? "Write a colon after the name of a setting or section." : "Write one value.";
          throw configFault(summary, place, fix);
        }
        isFirst = false;
      }
      if (lists !== 0 && !this.#isNsd)
        throw configFault(
          "the list is not closed",
          placeAt(file, index + 1, start.length + 1),
          "Write it on one line.",
        );
    }
    if (setting) this.#end(setting, file);
  }

  /** Whether a word is a value of the setting before it. Only NSD continues a setting on the next line. */
  #continues({ key, words }: Setting, word: string, isFirst: boolean): boolean {
    if (words.length > 0 && single.has(key)) return false;
    if (!isFirst) return true;
    if (!this.#isNsd || indentable.has(word) || key === "zone") return false;
    return words.length === 0 || /xfr|notify/.test(key);
  }

  #end({ key, words, place, indent, isItem }: Setting, file: string): void {
    const item = this.#items.at(-1);
    if (key === "include" && words[0] !== undefined) this.#include(words[0], file);
    else if (words.length === 0 && !isItem && (indent === "" || indentable.has(key))) {
      if (!isServerSection(key))
        throw configFault(`Knot and NSD have no section "${escapeControl(key)}"`, place, "Check its spelling.");
      this.#begin(key, place);
    } else if (words.length === 0 && this.#isNsd)
      throw configFault(`"${escapeControl(key)}" has no value`, place, "Write its value, or check its spelling.");
    else {
      if (key === "domain" && !isItem && item?.section === "zone")
        throw configFault("the zone does not start a list item", place, "Write `- domain:`.");
      if (isItem && item) this.#begin(item.section, place);
      this.#add(key, words, place);
    }
  }

  #begin(section: string, place: Place): void {
    this.#items.push({ section, place, settings: new Map() });
  }

  #add(key: string, words: readonly string[], place: Place): void {
    const item = this.#items.at(-1);
    if (!item) throw configFault(`"${escapeControl(key)}" is in no section`, place, "Write its section before it.");
    if (key === "name" || key === "domain") item.place = place;
    item.settings.set(key, [...(item.settings.get(key) ?? []), words]);
  }

  /**
   * NSD reads a relative path in the folder where it starts, and the text as if it stood here; Knot reads it beside the
   * file.
   */
  #include(path: string, from: string): void {
    const folders = this.#isNsd ? [dirname(this.#first.file), dirname(from)] : [dirname(from)];
    this.#files.include(path, folders, (file) => this.#read(file), { once: !this.#isNsd });
  }
}

interface Token {
  readonly text: string;
  readonly kind: "plain" | "quoted" | "unclosed" | "bracket";
  /** Its offset in the line. */
  readonly at: number;
}

/** The words of a line from an offset on, without comments and commas. */
function* tokensOf(line: string, start: number): Generator<Token> {
  const token = /(?<=^|\s)#.*|"((?:[^"\\]|\\.)*)"|'([^']*)'|([[\]])|(["'].*)|([^\s,[\]"']+)/g;
  token.lastIndex = start;
  for (let match = token.exec(line); match; match = token.exec(line)) {
    const [, double, single, bracket, unclosed, plain] = match;
    const text = double ?? single ?? bracket ?? unclosed ?? plain;
    if (text === undefined) continue;
    const kind = plain !== undefined ? "plain" : unclosed !== undefined ? "unclosed" : bracket ? "bracket" : "quoted";
    yield { text, kind, at: match.index };
  }
}

function zonesOf(items: readonly Item[]): ListedZone[] {
  const byId = (section: string, key: string) =>
    new Map(items.filter((item) => item.section === section).map(({ settings }) => [first(settings, key), settings]));
  const [patterns, templates] = [byId("pattern", "name"), byId("template", "id")];
  const [remotes, acls] = [byId("remote", "id"), byId("acl", "id")];
  // NSD takes the last one.
  const zonesdirs = items.flatMap(({ section, settings }) =>
    section === "server" ? wordsOf(settings, "zonesdir") : [],
  );
  const zonesdir = zonesdirs.at(-1) || ".";
  return items.flatMap(({ section, place, settings }) => {
    if (section !== "zone") return [];
    // NSD takes the last name of a zone.
    const [domain, name] = [first(settings, "domain"), settings.get("name")?.at(-1)?.[0]];
    if (domain !== undefined) {
      const all = new Map([...(templates.get(first(settings, "template") ?? "default") ?? []), ...settings]);
      const skipped = first(all, "catalog-role") === "interpret" ? catalogReason : localReason(domain);
      return [toListedZone(domain, place, skipped, knotZone(domain, all, { remotes, acls, place }))];
    }
    if (name === undefined) {
      if (settings.size === 0) return []; // the line that begins a section of Knot
      throw configFault("the zone has no name", place, "Write its name.");
    }
    return [toListedZone(name, place, localReason(name), nsdZone(name, withPatterns(settings, patterns), zonesdir))];
  });
}

function toListedZone(
  name: string,
  place: Place,
  skipped: ListedZone["skipped"],
  configured: ConfiguredZone,
): ListedZone {
  return { name, place, ...(skipped !== undefined && { skipped }), configured };
}

function wordsOf(settings: Settings, key: string): string[] {
  return settings.get(key)?.flat() ?? [];
}

function first(settings: Settings, key: string): string | undefined {
  return settings.get(key)?.[0]?.[0];
}

function statementsOf(settings: Settings): Map<string, readonly string[]> {
  return new Map([...settings].map(([key, given]) => [key, given.flat()]));
}

/** The settings of a zone or pattern after those of the patterns that it includes. */
function withPatterns(
  settings: Settings,
  patterns: ReadonlyMap<string | undefined, Settings>,
  within: ReadonlySet<Settings> = new Set([settings]),
): Settings {
  const all: Settings = new Map();
  for (const pattern of wordsOf(settings, "include-pattern")) {
    const included = patterns.get(pattern);
    if (!included || within.has(included)) continue;
    for (const [key, words] of withPatterns(included, patterns, new Set([...within, included])))
      if (key !== "name") all.set(key, [...(all.get(key) ?? []), ...words]);
  }
  for (const [key, words] of settings) all.set(key, key === "zonefile" ? words : [...(all.get(key) ?? []), ...words]);
  return all;
}

/** Paths are relative to `zonesdir`, in a zone file as well (nsd.conf(5); NSD 4.10.0 is an exception). */
function nsdZone(name: string, settings: Settings, zonesdir: string): ConfiguredZone {
  const written = settings.get("zonefile")?.at(-1)?.[0];
  const labels = name.split(".").filter(Boolean);
  const values: Readonly<Record<string, string | undefined>> = {
    s: name,
    1: name[0],
    2: name[1],
    3: name[2],
    z: labels.at(-1),
    y: labels.at(-2),
    x: labels.at(-3),
  };
  const file = written?.replaceAll(/%([s123xyz])/g, (_, sign) => values[sign] ?? ".");
  const statements = statementsOf(settings);
  for (const key of ["provide-xfr", "notify"]) {
    const clients = (settings.get(key) ?? []).filter(([, credential]) => credential !== "BLOCKED");
    if (clients.length > 0)
      statements.set(
        key,
        clients.map(([client = ""]) => client),
      );
    else statements.delete(key);
  }
  return {
    server: "NSD",
    type: statements.has("request-xfr") ? "secondary" : "primary",
    ...(file !== undefined && { file: isAbsolute(file) ? file : join(zonesdir, file) }),
    directory: zonesdir,
    defaultTtl,
    statements,
  };
}

/** The folder of zone files without `storage`, as the packages of Knot set it. */
const knotStorage = "/var/lib/knot";

/** Paths are relative to `storage`; those in a zone file are relative to that file (knot.conf(5)). */
function knotZone(
  domain: string,
  settings: Settings,
  {
    remotes,
    acls,
    place,
  }: Readonly<Record<"remotes" | "acls", ReadonlyMap<string | undefined, Settings>>> & {
    readonly place: Place;
  },
): ConfiguredZone {
  const name = domain.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".").reverse();
  const file = (first(settings, "file") ?? "%s.zone").replaceAll(
    /%(?:(%)|(s)|l\[(\d+)\]|c\[(\d+)(?:-(\d+))?\])/g,
    (_, percent, whole, label, from, to) => {
      if (percent) return "%";
      if (whole) return name.replaceAll("/", "_");
      if (label) return labels[Number(label)] ?? "";
      return `${name}.`.slice(Number(from), Number(to ?? from) + 1);
    },
  );
  const storage = first(settings, "storage") ?? knotStorage;
  const statements = statementsOf(settings);
  const addressesOf = (id: string) => remotes.get(id)?.get("address")?.flat().map(withoutPort) ?? [id];
  if (settings.has("notify")) statements.set("notify", wordsOf(settings, "notify").flatMap(addressesOf));
  const clientsOf = (id: string) => {
    const acl = acls.get(id) ?? new Map();
    const isTransfer = wordsOf(acl, "action").includes("transfer") && first(acl, "deny") !== "on";
    const clients = [...wordsOf(acl, "address"), ...wordsOf(acl, "remote").flatMap(addressesOf)];
    return isTransfer && clients.length > 0 ? clients : [id];
  };
  if (settings.has("acl")) statements.set("acl", wordsOf(settings, "acl").flatMap(clientsOf));
  return {
    server: "Knot",
    type: settings.has("master") ? "secondary" : "primary",
    file: isAbsolute(file) ? file : join(storage, file),
    defaultTtl: knotTtl(settings, place),
    statements,
  };
}

/** The TTL that Knot and NSD give to records without one. */
const defaultTtl = 3600;

function knotTtl(settings: Settings, place: Place): number {
  const written = first(settings, "default-ttl");
  if (written === undefined) return defaultTtl;
  // An M is a month in Knot, which a TTL never is.
  if (/^\d+[smhdw]?$/.test(written)) return readDuration(written);
  throw configFault(
    `the default-ttl "${escapeControl(written)}" is not a time`,
    place,
    "Write seconds, or a time such as 1h.",
  );
}

function withoutPort(address: string): string {
  return address.replace(/@.*/, "");
}
