import { dirname, isAbsolute, join } from "node:path";
import type { Place } from "../../diagnostics/problem.ts";
import type { ConfigFiles, ListFile } from "./config-files.ts";
import { type ConfiguredZone, catalogReason, type ListedZone, localReason, placeAt } from "./listed-zone.ts";

/** Settings and sections that only NSD has. */
const nsdLine = /^\s*(?:name|zonefile|zonesdir|ip-address|include-pattern|pattern|remote-control)\s*:/m;

/** Sections that NSD accepts with an indent; its sections do not nest. */
const indentable: ReadonlySet<string> = new Set(["key", "pattern", "remote-control", "server", "tls-auth", "zone"]);

/** The words of a setting, each time that it is given. */
type Settings = Map<string, readonly (readonly string[])[]>;

/** A section without items, or one item of a section. */
interface Item {
  readonly section: string;
  place: Place;
  readonly settings: Settings;
}

/** The zones of the configuration of Knot or NSD, with those in included files. */
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
    for (const [index, line] of text.split("\n").entries()) {
      const [, indent = "", dash, written = ""] = /^(\s*)(-\s+)?(.*)$/.exec(line) ?? [];
      const place = placeAt(file, index + 1);
      for (const [key, words] of settingsOf(written)) {
        if (key === "include" && words[0] !== undefined) this.#include(words[0], file);
        else if (words.length === 0 && (indent === "" || indentable.has(key))) this.#begin(key, place);
        else {
          const item = this.#items.at(-1);
          if (dash !== undefined && item) this.#begin(item.section, place);
          this.#add(key, words, place);
        }
      }
    }
  }

  #begin(section: string, place: Place): void {
    this.#items.push({ section, place, settings: new Map() });
  }

  #add(key: string, words: readonly string[], place: Place): void {
    const item = this.#items.at(-1);
    if (!item) return;
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

/** The settings of a line, of which NSD allows several. */
function* settingsOf(line: string): Generator<[key: string, words: readonly string[]]> {
  const token = /(?<=^|\s)#.*|"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s,[\]"']+)/g;
  let words: string[] | undefined;
  let last: string | undefined;
  for (const [, double, single, plain] of line.matchAll(token)) {
    const [, key, value] = /^([\w-]+):(.*)$/.exec(plain ?? "") ?? [];
    const isKey = key !== undefined && (words === undefined || value === "");
    if (isKey) {
      if (last !== undefined && words) yield [last, words];
      [last, words] = [key, value === "" || value === undefined ? [] : [value]];
    } else {
      const word = double ?? single ?? plain;
      if (word !== undefined) words?.push(word);
    }
  }
  if (last !== undefined && words) yield [last, words];
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
    const [domain, name] = [first(settings, "domain"), first(settings, "name")];
    if (domain !== undefined) {
      const all = new Map([...(templates.get(first(settings, "template") ?? "default") ?? []), ...settings]);
      const skipped = first(all, "catalog-role") === "interpret" ? catalogReason : localReason(domain);
      return [listed(domain, place, skipped, knotZone(domain, all, { remotes, acls }))];
    }
    if (name === undefined) return [];
    return [listed(name, place, localReason(name), nsdZone(name, withPatterns(settings, patterns), zonesdir))];
  });
}

function listed(name: string, place: Place, skipped: string | undefined, configured: ConfiguredZone): ListedZone {
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
    statements,
  };
}

/** The folder of zone files without `storage`, as the packages of Knot set it. */
const knotStorage = "/var/lib/knot";

/** Paths are relative to `storage`; those in a zone file are relative to that file (knot.conf(5)). */
function knotZone(
  domain: string,
  settings: Settings,
  { remotes, acls }: Readonly<Record<"remotes" | "acls", ReadonlyMap<string | undefined, Settings>>>,
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
    statements,
  };
}

function withoutPort(address: string): string {
  return address.replace(/@.*/, "");
}
