import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { type Place, type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { shellWord } from "../../diagnostics/shell-word.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { readZoneRef } from "../../formats/files.ts";
import { type ForeignResult, type ForeignZone, omittedProblem } from "../../formats/foreign/foreign-format.ts";
import type { Folder, IncludeRule } from "../../formats/include.ts";
import { findSlips } from "../../formats/kit/find-slips.ts";
import type { ConfiguredZone, ListedZone } from "../../formats/server-config/listed-zone.ts";
import type { MayRead } from "../project/confine.ts";
import { toName } from "../project/project.ts";
import { readListedZones } from "./listed-zones.ts";

/**
 * Reads the primary zones of the configuration of BIND, Knot or NSD from their zone files, without a name server.
 * Other zones are reported. A zone file is at its path there, or else below the folder of the configuration.
 * @throws {ProblemError} for a configuration that cannot be read
 */
export function readServerConfig(
  { cwd, settings, mayRead = () => true }: Omit<Location, "from">,
  file: string,
): ForeignResult {
  const listed = readListedZones(cwd, file, mayRead).filter(isConfigured);
  const isPrimary = ({ skipped, configured }: ListedZone) => skipped === undefined && configured?.type === "primary";
  const problems: Problem[] = [];
  const primary = listed.filter(isPrimary).flatMap((zone) => {
    try {
      return [{ ...zone, name: toName(zone.name) }];
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      problems.push(...error.problems.map((found) => ({ ...found, place: zone.place })));
      return [];
    }
  });
  const byName = new Map<NameKey, ForeignZone>();
  for (const zone of primary) {
    const same = primary.filter((other) => nameKey(other.name) === nameKey(zone.name));
    const views = same.map(({ configured }) => configured.view);
    const read = () => readPrimary({ cwd, settings, mayRead, from: file }, zone);
    byName.set(nameKey(zone.name), views.length > 1 ? inViews(zone.name, views, zone.place) : read());
  }
  problems.push(...listed.filter((zone) => !isPrimary(zone)).map(skippedZone));
  return { zones: [...byName.values()], problems };
}

function isConfigured(zone: ListedZone): zone is ListedZone & { readonly configured: ConfiguredZone } {
  return zone.configured !== undefined;
}

function skippedZone({ name, place, configured, skipped }: ListedZone): Problem {
  const [view] = configured?.statements.get("in-view") ?? [];
  const ofOtherType = advise`it is of type ${configured?.type ?? ""}; ${{ run: "import axfr" }} transfers it`;
  const why = skipped ?? (view === undefined ? ofOtherType : `the view ${view} has it`);
  const found = omittedProblem(`the zone ${name}`, why, place);
  // Every name server has these, and no account needs them.
  const isUsual = configured?.type === "hint" || configured?.type === "primary" || view !== undefined;
  return isUsual ? { ...found, severity: "note" } : found;
}

function inViews(name: ForeignZone["name"], views: readonly (string | undefined)[], place: Place): ForeignZone {
  const summary = `the configuration has several versions of ${name}: ${views.map((view) => view ?? "without a view").join(", ")}`;
  const fix = "A project has one version of a zone. Import the file of each in a project of its own.";
  const problems = [problem("zone-twice", summary, { place, fix })];
  return { name, settings: {}, records: [], unread: [], problems };
}

interface Location {
  readonly cwd: string;
  readonly settings: readonly Setting[];
  /** The files that may be read; all if absent. */
  readonly mayRead?: MayRead;
  readonly from: string;
}

function readPrimary(
  location: Location,
  { name, place, configured }: ListedZone & { name: ForeignZone["name"]; configured: ConfiguredZone },
): ForeignZone {
  const failed = (...problems: Problem[]): ForeignZone => ({ name, settings: {}, records: [], unread: [], problems });
  if (configured.file === undefined) return failed(problem("file-read", `the zone ${name} has no file`, { place }));
  const format = configured.statements.get("masterfile-format")?.[0] ?? "text";
  if (format !== "text") {
    const fix = `Convert it with \`named-compilezone -f ${shellWord(format)} -F text -o FILE ${shellWord(name)} ${shellWord(configured.file)}\`.`;
    return failed(problem("value-shape", `the file of ${name} has the format ${format}`, { place, fix }));
  }
  const found = findFile(location, configured.file, configured);
  if (!found) {
    const fix = "Run the command on the name server, or copy its zone files beside the configuration.";
    return failed(problem("file-read", `${configured.file}, the file of ${name}, does not exist`, { place, fix }));
  }
  try {
    const { defaultTtl } = configured;
    const ref = { ...found.locate(found.zoneFile), ...(defaultTtl !== undefined && { defaultTtl }) };
    const read = readZoneRef(ref, location.settings, name, found);
    const { settings, problems } = readStatements(configured, place);
    return {
      name,
      settings: { ...read.zone.settings, ...settings },
      records: [...read.zone.records],
      unread: [],
      problems: [...read.problems, ...findSlips(read.zone), ...problems],
    };
  } catch (error) {
    if (error instanceof ProblemError) return failed(...error.problems);
    throw error;
  }
}

/**
 * Finds a zone file as it is configured, or else in a copy beside the configuration: of the whole disk, of the folder
 * in which the server works, or of single files. The files that it includes are then in the same copy.
 */
function findFile(
  { cwd, mayRead = () => true, from }: Location,
  file: string,
  { server, directory }: ConfiguredZone,
): IncludeRule | undefined {
  const beside = resolve(cwd, dirname(from));
  const working = resolve(beside, directory ?? dirname(file));
  const isWorking = (path: string) => path.startsWith(`${working}${sep}`);
  const copies: ((path: string) => string)[] = [
    (path) => path,
    (path) => join(beside, path),
    (path) => (isWorking(path) ? join(beside, relative(working, path)) : join(beside, path)),
    (path) => join(beside, basename(path)),
  ];
  const zoneFile = resolve(beside, file);
  const copy = copies.find((copy) => mayRead(copy(zoneFile)) && existsSync(copy(zoneFile)));
  if (!copy) return undefined;
  const locate = (named: string): Folder => {
    const path = copy(named);
    const shown = relative(cwd, path);
    return { path, file: isAbsolute(from) || shown.startsWith("..") ? path : shown };
  };
  return { server, zoneFile, locate, mayRead, directory: directory === undefined ? undefined : working };
}

/** Statements of a zone that are read here, or that mean nothing for its records and its service. */
const harmless: Readonly<Record<ConfiguredZone["server"], ReadonlySet<string>>> = {
  BIND: new Set(["type", "file", "masterfile-format", "notify", "allow-query", "zone-statistics", "key-directory"]),
  Knot: new Set([
    ...["id", "domain", "default-ttl", "file", "storage", "template", "semantic-checks", "adjust-threads"],
    ...["zonefile-sync", "zonefile-load", "journal-content", "journal-max-usage", "journal-max-depth"],
  ]),
  NSD: new Set(["name", "zonefile", "include-pattern", "zonestats", "allow-query"]),
};

/** Statements whose addresses are those of secondaries. */
const ofSecondaries = new Set(["allow-transfer", "also-notify", "acl", "notify", "provide-xfr"]);

/** Statements that change the records of a zone while the name server runs. */
const dynamic = new Set(["allow-update", "update-policy"]);

function readStatements(
  { server, statements }: ConfiguredZone,
  place: Place,
): Pick<ForeignZone, "settings" | "problems"> {
  const problems: Problem[] = [];
  const omit = (name: string, why: string) => problems.push(omittedProblem(`the statement ${name}`, why, place));
  const addresses: string[] = [];
  for (const [name, words] of statements) {
    if (harmless[server].has(name) || (words.length === 1 && words[0] === "none")) continue;
    if (ofSecondaries.has(name)) {
      addresses.push(...words.filter(isAddress));
      const others = words.filter((word) => !isAddress(word));
      if (others.length > 0) omit(name, `\`axfr_ips\` has only addresses, not ${others.join(" ")}`);
    } else if (dynamic.has(name))
      omit(name, "if clients change the zone, its file may be old: run `rndc sync` before the import");
    else if (/^(?:dnssec-(?:policy|signing)|auto-dnssec|inline-signing)$/.test(name))
      omit(name, "the service does not sign zones");
    else omit(name, "a zone file has no such setting");
  }
  const unique = [...new Set(addresses)].sort();
  return { settings: unique.length > 0 ? { axfr_ips: unique } : {}, problems };
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}
