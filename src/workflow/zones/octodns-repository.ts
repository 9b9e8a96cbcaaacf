import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { decodeText, SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/name/fault.ts";
import { isSameName, type Name, type NameKey, nameKey, readName, relativeTo } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { Ignore, Scope } from "../../dns/zone/scope.ts";
import { copyRecord, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { findZoneFiles, originOf, readZoneRef, type ZoneFileRef, type ZoneOfFile } from "../../formats/files.ts";
import { type ForeignResult, type ForeignZone, omittedProblem } from "../../formats/foreign/foreign-format.ts";
import {
  type ConfigPart,
  isOff,
  isOn,
  isSplitProvider,
  type OctodnsConfig,
  type OctodnsZone,
  readOctodnsConfig,
  yamlProviderSettings,
} from "../../formats/octodns/config.ts";
import { type MayRead, refuseUnreadable } from "../project/confine.ts";

interface Repository {
  readonly cwd: string;
  /** The files that may be read; all if absent. */
  readonly mayRead?: MayRead;
  /** The configuration, as the user named it. */
  readonly file: string;
  readonly settings: readonly Setting[];
  readonly config: OctodnsConfig;
  /** The files of the zones of each provider that is a source. */
  readonly sources: Map<string, SourceFiles | Problem>;
}

/** The files of a source, by zone. `shared` is read for each of them. */
interface SourceFiles {
  readonly files: ReadonlyMap<NameKey, ZoneFileRef>;
  readonly shared?: ZoneFileRef;
  /** Whether its record sets replace those of the sources before it. */
  readonly isReplacing: boolean;
}

/**
 * Reads the zones of octoDNS's configuration from the files of its sources; undefined if the file is no such
 * configuration. Paths in it are relative to the working folder, or else to the configuration's folder or its parent.
 */
export function readOctodnsRepository(
  { cwd, settings, mayRead = () => true }: Pick<Repository, "cwd" | "settings" | "mayRead">,
  { file, bytes }: { readonly file: string; readonly bytes: Uint8Array },
): ForeignResult | undefined {
  const found: Problem[] = [];
  const source = new SourceText(file, decodeText(bytes).text);
  if (!/^providers\s*:/m.test(source.text)) return undefined;
  const config = readOctodnsConfig(source, (problem) => found.push(problem));
  if (!config) return undefined;
  const repository: Repository = { cwd, mayRead, file, settings, config, sources: new Map() };
  const problems: Problem[] = [...found, ...omittedParts(config)];
  const zones = new Map<NameKey, ForeignZone>();
  const wanted = expandZones(repository, problems);
  for (const { name, zone } of wanted)
    if (zone.alias === undefined) zones.set(nameKey(name), readOne(repository, name, zone));
  for (const { name, zone } of wanted)
    if (zone.alias !== undefined) zones.set(nameKey(name), readAlias(zones, name, zone));
  return { zones: wanted.flatMap(({ name }) => zones.get(nameKey(name)) ?? []), problems };
}

interface WantedZone {
  readonly name: Name;
  readonly zone: OctodnsZone;
}

/** The zones of the configuration, with those that `*` stands for. */
function expandZones(repository: Repository, problems: Problem[]): WantedZone[] {
  const wanted: WantedZone[] = [];
  const isThere = (name: Name) => wanted.some((other) => isSameName(other.name, name));
  const { zones } = repository.config;
  for (const zone of zones.filter(({ name }) => !name.startsWith("*"))) {
    try {
      wanted.push({ name: readName(toOctets(zone.name)), zone });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push({
        ...error.problem,
        summary: `the zone "${escapeControl(zone.name)}": ${error.message}`,
        place: zone.at,
      });
    }
  }
  for (const zone of zones.filter(({ name }) => name.startsWith("*"))) {
    try {
      const isWanted = patternOf(zone);
      for (const source of zone.sources) {
        const found = filesOf(repository, source, zone);
        // octoDNS lists only zones with a dot.
        const names = "files" in found ? [...found.files.keys()].filter((name) => name.slice(0, -1).includes(".")) : [];
        if ("id" in found) problems.push(found);
        for (const name of names.sort()) if (isWanted(name) && !isThere(name)) wanted.push({ name, zone });
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push({ ...error.problem, place: zone.at });
    }
  }
  return wanted;
}

/** The condition of a dynamic zone. @throws {Fault} for a regular expression that cannot be used */
function patternOf({ settings }: OctodnsZone): (name: Name) => boolean {
  const [glob] = settings.get("glob") ?? [];
  const [regex] = settings.get("regex") ?? [];
  if (glob === undefined && regex === undefined) return () => true;
  const pattern = readRegex(glob === undefined ? (regex ?? "") : fromGlob(glob));
  return (name) => pattern.test(name);
}

/** A pattern of Python's `fnmatch` as a regular expression. */
function fromGlob(glob: string): string {
  const parts = glob.split(/(\*|\?|\[!?[^\]]+\])/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return part === "*" ? ".*" : part === "?" ? "." : part.replace("[!", "[^");
  });
  return `^${parts.join("")}$`;
}

/** @throws {Fault} */
function readRegex(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    throw new Fault("value-shape", `"${escapeControl(text)}" is not a regular expression that zonewright can use`);
  }
}

function readOne(repository: Repository, name: Name, zone: OctodnsZone): ForeignZone {
  const problems: Problem[] = [];
  const unread: ForeignZone["unread"][number][] = [];
  let records: ZoneRecord[] = [];
  for (const source of zone.sources) {
    const found = filesOf(repository, source, zone);
    if ("id" in found) {
      problems.push(found);
      continue;
    }
    const refs = [found.files.get(nameKey(name)), found.shared].filter((ref) => ref !== undefined);
    if (refs.length === 0) {
      const summary = `the source "${source}" has no file for ${name}`;
      problems.push(problem("file-read", summary, { place: zone.at, fix: "Check the directory of the source." }));
    }
    for (const ref of refs) {
      const read = readRef(repository, ref, name);
      if ("id" in read) {
        problems.push(read);
        continue;
      }
      problems.push(...read.problems);
      unread.push(...(read.omitted ?? []));
      records = merge(records, read, { isReplacing: found.isReplacing, problems });
    }
  }
  const filters = filtersOf(repository.config, zone, problems);
  const kept = records.filter((record) => filters.every(({ keeps }) => keeps(labelOf(record, name), record.type)));
  const isKept = new Set(kept);
  const others = records.filter((record) => !isKept.has(record));
  for (const { owner, type, ttl } of others)
    unread.push({ owner, type, ttl, reason: "a filter of octoDNS excludes it" });
  return { name, settings: {}, records: kept, unread, ...scopeOf(filters), problems };
}

function readRef({ settings, mayRead = () => true }: Repository, ref: ZoneFileRef, name: Name): ZoneOfFile | Problem {
  try {
    refuseUnreadable(mayRead, ref.split?.parts ?? [ref]);
    return readZoneRef(ref, settings, name);
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
}

interface MergeOptions {
  readonly isReplacing: boolean;
  readonly problems: Problem[];
}

/** Adds the record sets of a file, as octoDNS does: a second one for a name is an error, or replaces the first. */
function merge(
  records: ZoneRecord[],
  { zone, file }: ZoneOfFile,
  { isReplacing, problems }: MergeOptions,
): ZoneRecord[] {
  const keyOf = ({ owner, type }: ZoneRecord) => `${nameKey(owner)} ${type}`;
  const before = new Set(records.map(keyOf));
  const twice = new Map(zone.records.filter((record) => before.has(keyOf(record))).map((one) => [keyOf(one), one]));
  if (isReplacing) return [...records.filter((record) => !twice.has(keyOf(record))), ...zone.records];
  for (const { owner, type } of twice.values()) {
    const fix = "Keep one of them, or set populate_should_replace.";
    problems.push(problem("duplicate-set", `"${owner}" has a second ${type} set in ${file}`, { fix, owner }));
  }
  return [...records, ...zone.records];
}

/** An alias has the records of another zone, below its own name. */
function readAlias(zones: ReadonlyMap<NameKey, ForeignZone>, name: Name, { alias = "", at }: OctodnsZone): ForeignZone {
  const of = zones.get(nameKey(readName(toOctets(alias || "."))));
  if (!of) {
    const summary = `the zone ${name} is an alias of "${alias}", which is not in the configuration`;
    return { name, settings: {}, records: [], unread: [], problems: [problem("value-shape", summary, { place: at })] };
  }
  const move = (owner: Name) => {
    const label = relativeTo(owner, of.name);
    return label === "@" ? name : readName(label, name);
  };
  const records = of.records.map((record) => copyRecord(record, { owner: move(record.owner) }));
  const unread = of.unread.map((record) => ({ ...record, owner: move(record.owner) }));
  return { ...of, name, records, unread };
}

/** The files of a source. A source that cannot be read is an error: the zone would lack its records. */
function filesOf(repository: Repository, source: string, zone: OctodnsZone): SourceFiles | Problem {
  const before = repository.sources.get(source);
  if (before) return before;
  const provider = repository.config.providers.get(source);
  const found = provider
    ? findFiles(repository, provider)
    : problem("value-shape", `the source "${source}" is not among the providers`, { place: zone.at });
  repository.sources.set(source, found);
  return found;
}

function findFiles(repository: Repository, provider: ConfigPart): SourceFiles | Problem {
  const { name, settings, at } = provider;
  const text = (key: string) => settings.get(key)?.[0];
  const kind = text("class") ?? "";
  const isYaml = /^octodns\.provider\.yaml\.(?:Split)?YamlProvider$/.test(kind);
  const isBind = kind === "octodns_bind.ZoneFileSource" || kind === "octodns_bind.ZoneFileProvider";
  if (!isYaml && !isBind) {
    const fix = advise`Import its zones with another command, such as ${{ run: "import axfr" }}.`;
    return problem("foreign-omitted", `the source "${name}" is not read: it is of class ${kind || "unknown"}`, {
      ...{ severity: "error", place: at, fix },
    });
  }
  const folder = folderOf(repository, text("directory") ?? "");
  if (folder === undefined) {
    const summary = `the folder "${text("directory") ?? ""}" of the source "${name}" does not exist`;
    const fix = "Run the command in the folder in which octoDNS runs.";
    return problem("file-read", summary, { place: at, fix });
  }
  const path = resolve(repository.cwd, folder);
  if (isBind) return { files: bindFiles({ path, file: folder }, text("file_extension") ?? "."), isReplacing: false };
  const options = { format: "octodns" as const, ...yamlProviderSettings(provider) };
  const { files } = findZoneFiles(path, folder, options);
  const shared = text("shared_filename");
  const isWithoutFiles = isSplitProvider(settings) || isOn(text("disable_zonefile") ?? "");
  const own = files.filter((ref) => dirname(ref.split ? dirname(ref.path) : ref.path) === path || ref.split);
  return {
    files: new Map(
      own
        .filter((ref) => ref.split || (!isWithoutFiles && ref.file.endsWith(".yaml")))
        .map((ref) => [originOf(ref.split ? `${ref.split.zone}.yaml` : ref.file), ref]),
    ),
    ...(shared !== undefined &&
      !isOff(shared) && {
        shared: { path: join(path, shared), file: join(folder, shared), ...options, splitExtension: undefined },
      }),
    isReplacing: isOn(text("populate_should_replace") ?? ""),
  };
}

/** The BIND zone files of octodns-bind: `example.com.` with the extension `.`, which is the default. */
function bindFiles({ path, file }: { path: string; file: string }, extension: string): Map<NameKey, ZoneFileRef> {
  const { files, others } = findZoneFiles(path, file);
  const refs = [...files.map(({ file }) => file), ...others.map(({ file }) => file)]
    .filter((name) => name.endsWith(extension))
    .map((name): [NameKey, ZoneFileRef] => {
      const base = name.slice(file.length + 1, -extension.length);
      return [originOf(`${base}.zone`), { path: join(path, name.slice(file.length + 1)), file: name }];
    });
  return new Map(refs);
}

function folderOf({ cwd, mayRead = () => true, file }: Repository, directory: string): string | undefined {
  const config = dirname(file);
  return [directory, join(config, directory), join(config, "..", directory)].find((folder) => {
    const path = resolve(cwd, folder);
    return directory !== "" && mayRead(path) && existsSync(path) && statSync(path).isDirectory();
  });
}

/** A processor that only filters. */
interface Filter {
  /** Whether octoDNS keeps a record; the label is empty at the apex. */
  readonly keeps: (label: string, type: string) => boolean;
  readonly ignore: readonly Ignore[];
  readonly isListed: boolean;
}

const filterPrefix = "octodns.processor.filter.";

/** Processors without a counterpart that is needed: the service has its own name servers. */
const needless = new Set([`${filterPrefix}IgnoreRootNsFilter`, `${filterPrefix}ExcludeRootNsChanges`]);

function filtersOf({ manager, processors }: OctodnsConfig, zone: OctodnsZone, problems: Problem[]): Filter[] {
  const names = [...(manager?.settings.get("processors") ?? []), ...zone.processors];
  return names.flatMap((name) => {
    const processor = processors.get(name);
    if (!processor) {
      problems.push(omittedProblem(`the processor "${name}"`, "it is not among the processors", zone.at));
      return [];
    }
    const filter = readFilter(processor, problems);
    return filter ? [filter] : [];
  });
}

function readFilter({ name, settings, at }: ConfigPart, problems: Problem[]): Filter | undefined {
  const kind = settings.get("class")?.[0] ?? "";
  if (needless.has(kind)) return undefined;
  const [, subject, isAllow] =
    /^octodns\.processor\.filter\.(Type|Name)(?:(Allowlist|Whitelist)|Rejectlist|Blacklist)Filter$/.exec(kind) ?? [];
  const omit = (why: string) => problems.push(omittedProblem(`the processor "${name}" (${kind})`, why, at));
  if (subject === undefined) {
    omit("only octoDNS can run it; check how it changes the records");
    return undefined;
  }
  const list = settings.get(isAllow ? "allowlist" : "rejectlist") ?? [];
  const patterns = list.map((item) => matcherOf(item, subject === "Name"));
  if (patterns.includes(undefined)) {
    omit("it has a regular expression that zonewright cannot use");
    return undefined;
  }
  const matches = (label: string, type: string) =>
    patterns.some((pattern) => pattern?.(subject === "Name" ? label : type));
  const isTarget = !isOff(settings.get("include_target")?.[0] ?? "true");
  if (isAllow) {
    if (isTarget)
      omit(
        "instead, the zone has `manage: listed`, so live records that the files do not list stay, whatever their type",
      );
    return { keeps: matches, ignore: [], isListed: isTarget };
  }
  const isPattern = (item: string) => subject === "Name" && (item.startsWith("/") || item.includes("*"));
  const unusable = isTarget ? list.filter(isPattern) : [];
  if (unusable.length > 0)
    omit(`\`ignore\` has no such names: ${unusable.join(", ")}. Live records that they match would be deleted`);
  const reason = `the processor ${name} of octoDNS`;
  const ignore = list
    .filter((item) => isTarget && !isPattern(item))
    .map((item): Ignore => (subject === "Name" ? { name: item || "@", reason } : { type: item, reason }));
  return { keeps: (label, type) => !matches(label, type), ignore, isListed: false };
}

/** An item of a list of names or types; undefined for a regular expression that cannot be used. */
function matcherOf(item: string, isName: boolean): ((text: string) => boolean) | undefined {
  if (!isName || !item.startsWith("/")) return (text) => text === item;
  try {
    const pattern = readRegex(item.slice(1, -1));
    return (text) => pattern.test(text);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function scopeOf(filters: readonly Filter[]): { scope?: Scope } {
  const ignore = filters.flatMap((filter) => filter.ignore);
  const isListed = filters.some((filter) => filter.isListed);
  if (ignore.length === 0 && !isListed) return {};
  return { scope: { ...(isListed && { manage: "listed" }), ignore } };
}

function labelOf({ owner }: ZoneRecord, zone: Name): string {
  const label = relativeTo(owner, zone);
  return label === "@" ? "" : label;
}

/** The settings of a zone that are read. */
const zoneKeys = new Set(["sources", "targets", "processors", "alias", "glob", "regex"]);

/** Parts of the configuration that only octoDNS uses. */
function omittedParts({ manager, zones }: OctodnsConfig): Problem[] {
  const found: Problem[] = [];
  const ofManager = [...(manager?.settings.keys() ?? [])].filter((key) => key !== "processors");
  if (manager && ofManager.length > 0)
    found.push(omittedProblem(`the part "manager" (${ofManager.join(", ")})`, "only octoDNS uses it", manager.at));
  const targets = new Set(zones.flatMap((zone) => zone.targets));
  const [first] = zones;
  if (targets.size > 1)
    found.push(
      omittedProblem(`the list of targets ${[...targets].join(", ")}`, "a project has one account", first?.at),
    );
  for (const { name, settings, at } of zones) {
    const others = [...settings.keys()].filter((key) => !zoneKeys.has(key));
    if (others.length > 0)
      found.push(omittedProblem(`the part "${name}" (${others.join(", ")})`, "only octoDNS uses it", at));
  }
  return found;
}
