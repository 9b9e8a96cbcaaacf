import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { type Place, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import { shellWord } from "../diagnostics/shell-word.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import type { Setting } from "../dns/zone-settings.ts";
import { readZoneFile } from "../formats/files.ts";
import { type ForeignResult, type ForeignZone, omitted } from "../formats/foreign/foreign-format.ts";
import type { BindZone, ListedZone } from "../formats/zone-list.ts";
import { listedIn } from "./listed-zones.ts";
import { toName } from "./project.ts";

/** Whether a file looks like BIND's configuration: it has zones, views, or includes files. */
export function isNamedConf(bytes: Uint8Array): boolean {
  return /^\s*(?:zone|view)\s[^;{}\n]*\{|^\s*include\s+"/im.test(Buffer.from(bytes).toString("latin1"));
}

/**
 * Reads the primary zones of BIND's configuration from their zone files, without a name server; undefined if the file
 * is no such configuration. Other zones are reported. A zone file is at its path there, or else below the folder of the
 * configuration.
 * @throws {ProblemError} for a configuration that cannot be read
 */
export function readNamedConf(
  { cwd, settings }: { readonly cwd: string; readonly settings: readonly Setting[] },
  file: string,
): ForeignResult | undefined {
  const listed = listedIn(cwd, file).filter(hasBind);
  if (listed.length === 0) return undefined;
  const isPrimary = ({ skipped, bind }: ListedZone) =>
    skipped === undefined && (bind?.type === "primary" || bind?.type === "master");
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
    const views = primary.filter((other) => nameKey(other.name) === nameKey(zone.name)).map(({ bind }) => bind.view);
    const read = () => readPrimary({ cwd, settings, from: file }, zone);
    byName.set(nameKey(zone.name), views.length > 1 ? inViews(zone.name, views, zone.place) : read());
  }
  problems.push(...listed.filter((zone) => !isPrimary(zone)).map(skippedZone));
  return { zones: [...byName.values()], problems };
}

function hasBind(zone: ListedZone): zone is ListedZone & { readonly bind: BindZone } {
  return zone.bind !== undefined;
}

function skippedZone({ name, place, bind, skipped }: ListedZone): Problem {
  const why = skipped ?? `it is of type ${bind?.type}; \`zonewright import axfr\` transfers it`;
  const found = omitted(`the zone ${name}`, why, place);
  // Every name server has these, and no account needs them.
  const isUsual = bind?.type === "hint" || bind?.type === "primary" || bind?.type === "master";
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
  /** The configuration. */
  readonly from: string;
}

function readPrimary(
  location: Location,
  zone: ListedZone & { name: ForeignZone["name"]; bind: BindZone },
): ForeignZone {
  const { name, place, bind } = zone;
  const failed = (...problems: Problem[]): ForeignZone => ({ name, settings: {}, records: [], unread: [], problems });
  if (bind.file === undefined) return failed(problem("file-read", `the zone ${name} has no file`, { place }));
  const format = bind.statements.get("masterfile-format")?.[0] ?? "text";
  if (format !== "text") {
    const fix = `Convert it with \`named-compilezone -f ${shellWord(format)} -F text -o FILE ${shellWord(name)} ${shellWord(bind.file)}\`.`;
    return failed(problem("value-shape", `the file of ${name} has the format ${format}`, { place, fix }));
  }
  const file = findFile(location, bind.file);
  if (file === undefined) {
    const fix = "Run the command on the name server, or copy its zone files beside the configuration.";
    return failed(problem("file-read", `${bind.file}, the file of ${name}, does not exist`, { place, fix }));
  }
  try {
    const read = readZoneFile({ path: resolve(location.cwd, file), file }, location.settings, name);
    const { settings, problems } = readStatements(bind, place);
    return {
      name,
      settings: { ...read.zone.settings, ...settings },
      records: [...read.zone.records],
      unread: [],
      problems: [...read.problems, ...problems],
    };
  } catch (error) {
    if (error instanceof ProblemError) return failed(...error.problems);
    throw error;
  }
}

/** The path of a zone file: as it is configured, or else in a copy beside the configuration. */
function findFile({ cwd, from }: Location, file: string): string | undefined {
  const beside = dirname(from);
  const relative = isAbsolute(file) ? file.slice(1) : file;
  const paths = [...(isAbsolute(file) ? [file] : []), join(beside, relative), join(beside, basename(file))];
  return paths.find((path) => existsSync(resolve(cwd, path)));
}

/** Statements of a zone that are read here, or that mean nothing for its records and its service. */
const harmless = new Set([
  "type",
  "file",
  "masterfile-format",
  "notify",
  "allow-query",
  "zone-statistics",
  "key-directory",
]);

/** Statements that change the records of a zone while the name server runs. */
const dynamic = new Set(["allow-update", "update-policy"]);

function readStatements({ statements }: BindZone, place: Place): Pick<ForeignZone, "settings" | "problems"> {
  const problems: Problem[] = [];
  const omit = (name: string, why: string) => problems.push(omitted(`the statement ${name}`, why, place));
  const addresses: string[] = [];
  for (const [name, words] of statements) {
    if (harmless.has(name) || (words.length === 1 && words[0] === "none")) continue;
    if (name === "allow-transfer" || name === "also-notify") {
      addresses.push(...words.filter(isAddress));
      const others = words.filter((word) => !isAddress(word));
      if (others.length > 0) omit(name, `\`axfr_ips\` has only addresses, not ${others.join(" ")}`);
    } else if (dynamic.has(name))
      omit(name, "if clients change the zone, its file may be old: run `rndc sync` before the import");
    else if (/^(?:dnssec-policy|auto-dnssec|inline-signing)$/.test(name)) omit(name, "the service does not sign zones");
    else omit(name, "a zone file has no such setting");
  }
  const unique = [...new Set(addresses)].sort();
  return { settings: unique.length > 0 ? { axfr_ips: unique } : {}, problems };
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}
