import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { acksFile } from "../config/acks.ts";
import { configFile } from "../config/read.ts";
import { type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey } from "../dns/name.ts";
import type { ReadZone } from "../formats/files.ts";
import { type FormatName, formatOf, formats } from "../formats/formats.ts";
import { formatCanonical } from "../formats/formatting.ts";
import { findComments } from "../formats/yaml/comments.ts";
import type { Target } from "../targets/target.ts";
import { type FileToWrite, fileName, readText, writeFiles } from "./files.ts";
import { importZones } from "./import.ts";
import { nameserversOf, openProject, type Project, toName } from "./project.ts";
import type { RunContext } from "./run-context.ts";
import { schemaFile, schemaFor } from "./schema-line.ts";
import { targetKind } from "./target.ts";
import type { ZoneSources } from "./zone-sources.ts";
import { existingZones } from "./zones.ts";

/** A folder before `init`, described by its config or by the defaults. */
export interface Setup {
  readonly project: Project;
  readonly hasConfig: boolean;
  readonly zones: readonly ReadZone[];
}

export async function readSetup(context: RunContext): Promise<Setup> {
  const project = openProject(context, { config: configFile });
  return { project, hasConfig: existsSync(join(context.cwd, configFile)), zones: await existingZones(project) };
}

/** The source of the first zones; `undefined` for existing ones of the project. */
export type InitSource =
  | { readonly from: "api"; readonly target: Pick<Target, "accept" | "read"> }
  | { readonly from: "files"; readonly sources: ZoneSources }
  | { readonly from: "empty"; readonly zone: Name };

export interface InitRequest {
  readonly source: InitSource | undefined;
  /** The format of zone files; if absent, usable files are kept as they are. */
  readonly format: FormatName | undefined;
  /** Settings for the config. */
  readonly apiUrl: string | undefined;
  readonly soaEmail: string | undefined;
  readonly signal?: AbortSignal;
}

/** An existing file that is kept. */
export interface KeptFile {
  readonly file: string;
  /** Advice about the file; absent if `init` would write the same. */
  readonly advice?: string;
}

/** The files that `init` would write. */
export interface InitPlan {
  readonly files: readonly FileToWrite[];
  readonly zoneFiles: readonly FileToWrite[];
  readonly kept: readonly KeptFile[];
  readonly keptZones: readonly KeptFile[];
  /** Notes about values and comments that a new file does not contain as its source does. */
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
  /** Files with errors, whose zones are skipped. */
  readonly failed: readonly string[];
}

/**
 * Plans the files of a new project, or those that an existing one lacks. Nothing is written, and no existing file
 * changes.
 * @throws {ProblemError} as when reading the account
 */
export async function planInit(
  { project, hasConfig, zones: existing }: Setup,
  { source, format, apiUrl, soaEmail, signal }: InitRequest,
): Promise<InitPlan> {
  const { cwd } = project;
  const zones = new ZoneFilePlan(project, existing);
  const inPlace = source?.from === "files" && format === undefined ? foldersInside(cwd, source.sources) : undefined;
  if (source?.from === "api") {
    await zones.addLive(source.target, format ?? "yaml", signal);
    if (zones.files.length + zones.kept.length === 0) {
      zones.addExample(toName("example.com"), format ?? "yaml", soaEmail);
      zones.notes.push("the account has no zones yet, so the zone file is an example");
    }
  }
  if (source?.from === "files" && !inPlace) zones.addFiles(source.sources, format);
  if (source?.from === "empty") zones.addExample(source.zone, format ?? "yaml", soaEmail);
  const others: FileToWrite[] = [];
  const kept: KeptFile[] = [];
  const add = (file: string, text: string | Uint8Array, advice?: (before: string) => string | undefined) => {
    const path = join(cwd, file);
    if (!lstatSync(path, { throwIfNoEntry: false })) return void others.push({ file, text });
    if (!statSync(path, { throwIfNoEntry: false }))
      return void kept.push({ file, advice: "it is a link to a file that does not exist" });
    const advised = advice?.(readText(cwd, file));
    kept.push({ file, ...(advised !== undefined && { advice: advised }) });
  };
  const isYaml = zones.files.some(({ file }) => file.endsWith(".yaml"));
  if (isYaml && !schemaFor(cwd, zones.files[0]?.file ?? ""))
    add(schemaFile("zone"), readPackagedFile(schemaFile("zone")));
  if (!hasConfig && !schemaFor(cwd, configFile, "config"))
    add(schemaFile("config"), readPackagedFile(schemaFile("config")));
  const schema = schemaFor(cwd, configFile, "config") ?? schemaFile("config");
  const email = source?.from === "empty" ? undefined : soaEmail;
  add(configFile, configText({ schema, apiUrl, soaEmail: email, folders: inPlace ?? ["zones"] }));
  add(acksFile, acksText);
  const hasPackages = existsSync(join(cwd, "package.json"));
  add(".gitignore", hasPackages ? `${ignoreText}node_modules/\n` : ignoreText, adviseIgnore);
  const failed = source?.from === "files" && !inPlace ? source.sources : undefined;
  return {
    files: others,
    zoneFiles: zones.files,
    kept,
    keptZones: inPlace && source?.from === "files" ? source.sources.zones.map(({ file }) => ({ file })) : zones.kept,
    notes: zones.notes,
    problems: [...(failed?.problems ?? []), ...zones.problems],
    failed: [...(failed?.failed ?? []), ...zones.failed],
  };
}

/** Writes all files of a plan, or none. */
export function writeInit(context: RunContext, { files, zoneFiles }: InitPlan): Promise<void> {
  return writeFiles(context, [...zoneFiles, ...files], "Make the folder writable.");
}

/** Zone files to write, and existing ones that are kept. */
class ZoneFilePlan {
  readonly files: FileToWrite[] = [];
  readonly kept: KeptFile[] = [];
  readonly notes: string[] = [];
  readonly problems: Problem[] = [];
  readonly failed: string[] = [];
  readonly #project: Project;
  readonly #existing: ReadonlyMap<NameKey, ReadZone>;

  constructor(project: Project, existing: readonly ReadZone[]) {
    this.#project = project;
    this.#existing = new Map(existing.map((read) => [nameKey(read.zone.name), read]));
  }

  async addLive(
    target: Pick<Target, "accept" | "read">,
    to: FormatName,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for await (const zone of await importZones(this.#project, target, [], { to, signal })) {
      this.notes.push(...zone.notes);
      if (zone.state === "new") this.files.push({ file: zone.file, text: this.#withSchema(zone.text, zone.file) });
      else if (zone.state === "same") this.kept.push({ file: zone.file });
      else
        this.kept.push({ file: zone.file, advice: "it differs from the live zone: `zonewright import api` shows how" });
    }
  }

  addFiles({ zones }: ZoneSources, format: FormatName | undefined): void {
    const uncommented: string[] = [];
    for (const read of zones) {
      const from = read.format ?? (formatOf(read.file)?.name === "yaml" ? "yaml" : "bind");
      const to = format ?? (from === "bind" ? "bind" : "yaml");
      const file = this.#fileOf(read.zone.name, to);
      const before = this.#existing.get(nameKey(read.zone.name));
      if (before) {
        const isSame = Buffer.compare(before.bytes, Buffer.from(this.#textOf(read, from, to, file) ?? "")) === 0;
        this.kept.push({ file: before.file, ...(!isSame && { advice: `it differs from ${read.file}` }) });
        continue;
      }
      const text = this.#textOf(read, from, to, file);
      if (text !== undefined) this.files.push({ file, text });
      const bytes = Buffer.from(read.bytes).toString("utf8");
      if (from === "octodns" && bytes.includes("#") && findComments(bytes).length > 0) uncommented.push(read.file);
    }
    if (uncommented.length > 0)
      this.notes.push(
        `comments of octoDNS files are not copied: ${uncommented.slice(0, 3).join(", ")}${
          uncommented.length > 3 ? ` and ${uncommented.length - 3} more` : ""
        }`,
      );
  }

  addExample(zone: Name, to: FormatName, soaEmail: string | undefined): void {
    if (this.#existing.size > 0) return;
    const file = this.#fileOf(zone, to);
    const text = exampleText(zone, to, soaEmail ?? `hostmaster@${zone.slice(0, -1)}`);
    this.files.push({ file, text: this.#withSchema(text, file) });
  }

  /** Converts a zone file with its comments; unchanged if the format is the same and nothing is included. */
  #textOf(read: ReadZone, from: FormatName | "octodns", to: FormatName, file: string): string | Uint8Array | undefined {
    const { settings } = this.#project.target.capabilities;
    const options = { settings, nameservers: nameserversOf(this.#project), schema: this.#schemaOf(file) };
    if (from === "octodns") return formats[to].write(read.zone, options);
    if (from === to && read.included.length === 0) return read.bytes;
    try {
      const { bytes, lost } = formatCanonical(read, from, to, options);
      if (lost.length > 0)
        this.notes.push(`${read.file}: comments that ${file} cannot contain: lines ${lost.join(", ")}`);
      return bytes;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.problems.push(...error.problems);
      this.failed.push(read.file);
      return undefined;
    }
  }

  #fileOf(zone: Name, to: FormatName): string {
    const folder = this.#project.folders.find(({ format }) => format === undefined);
    if (folder) return join(folder.file, `${fileName(zone)}${formats[to].endings[0]}`);
    const fix = `add a folder for files that zonewright writes to zones: in ${configFile}.`;
    throw new ProblemError(problem("usage", `zonewright does not write the octoDNS folders of this project: ${fix}`));
  }

  #schemaOf(file: string): string {
    const copy = relative(dirname(file), schemaFile("zone")).split(sep).join("/");
    return schemaFor(this.#project.cwd, file) ?? copy;
  }

  #withSchema(text: string | Uint8Array, file: string): string | Uint8Array {
    const mark = "# yaml-language-server:";
    return typeof text !== "string" || !file.endsWith(".yaml") || text.startsWith(mark)
      ? text
      : `${mark} $schema=${this.#schemaOf(file)}\n${text}`;
  }
}

/**
 * The `zones` of a config that reads the sources in place; undefined if some of them are outside of the folder, or
 * would not be found by their endings.
 */
function foldersInside(cwd: string, { folders, zones, failed }: ZoneSources): string[] | undefined {
  const isInside = (file: string, folder: string) =>
    `${resolve(cwd, file)}${sep}`.startsWith(`${resolve(cwd, folder)}${sep}`);
  const files = [...zones.map(({ file }) => file), ...failed];
  const isUsable =
    folders.every(({ folder, isWhole }) => isWhole && isInside(folder, ".")) &&
    files.every((file) => folders.some(({ folder }) => isInside(file, folder)));
  if (!isUsable || folders.length === 0) return undefined;
  return folders.map(({ folder, octodns }) => {
    const path = quoteYaml(folder);
    const options = Object.entries(octodns ?? {}).map(([key, value]) => `, ${key}: ${JSON.stringify(value)}`);
    return octodns ? `{ path: ${path}, format: octodns${options.join("")} }` : path;
  });
}

/** A file of this package. */
function readPackagedFile(file: string): Uint8Array {
  return readFileSync(fileURLToPath(new URL(`../../${file.split(sep).join("/")}`, import.meta.url)));
}

/** Quotes a string for YAML if necessary. */
function quoteYaml(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

interface ConfigText {
  readonly schema: string;
  readonly apiUrl: string | undefined;
  readonly soaEmail: string | undefined;
  readonly folders: readonly string[];
}

function configText({ schema, apiUrl, soaEmail, folders }: ConfigText): string {
  const mark = soaEmail === undefined ? "# " : "";
  return `# yaml-language-server: $schema=${schema.startsWith(".") ? schema : `./${schema}`}
# Settings of zonewright for this folder. All are optional; lines that begin with "#" show examples.

# The scheme and host of the API. The token is never in a file of this repository: set the environment variable
# ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file elsewhere that contains it.
${apiUrl === undefined ? "# api_url: https://api.example.com" : `api_url: ${quoteYaml(apiUrl)}`}

# The folders with zone files. Each zone is one file, such as example.com.yaml or example.com.zone.
${folders.length > 1 ? `zones:\n${folders.map((one) => `  - ${one}`).join("\n")}` : `zones: ${folders[0]}`}

# Settings of zones that do not set them themselves.
${mark}defaults:
${mark}  soa_email: ${quoteYaml(soaEmail ?? "hostmaster@example.com")} # the contact address in SOA records
#   ttl_sec: 1h # the TTL of records that name none

# "all": records that a zone file does not list are deleted. "listed": only the names and types that it lists are
# managed, and everything else stays. A zone may set this itself.
# manage: all

# The severity of rules: error, warning, note or off. \`zonewright explain\` lists the rules.
# rules:
#   private-address: off

# A plan that exceeds these thresholds is blocked until someone approves it. \`zonewright explain G01\` describes the guard.
# guards:
#   run_deletes: 25
`;
}

const acksText = `# Approvals of changes that a guard blocks. \`zonewright plan\` prints the lines to add here, such as:
#
# - guard: G01
#   zone: example.com
#   effects: "fe1a14ae90b1c2d3"
#   reason: the shop moved to another host
#   until: 2027-01-31
#
# An approval is valid for exactly these effects, until that day. \`zonewright explain G01\` describes the guard.
`;

const ignoreFolder = ".zonewright/";

const ignoreText = `# Runs and local data of zonewright
${ignoreFolder}
`;

function adviseIgnore(before: string): string | undefined {
  const isThere = before.split(/\r?\n/).some((line) => /^\/?(?:\*\*\/)?\.zonewright\/?\*?$/.test(line.trim()));
  return isThere ? undefined : `add the line ${ignoreFolder}`;
}

/** An example of a valid zone, which shows the syntax of zone files. */
function exampleText(zone: Name, to: FormatName, soaEmail: string): string | Uint8Array {
  const text = `# The zone ${zone.slice(0, -1)}: an example to edit. \`zonewright plan\` shows what would change.
soa_email: ${quoteYaml(soaEmail)} # the contact address in the SOA record
ttl_sec: 1h # the TTL of records that name none

records:
  "@": # the zone itself
    A: 192.0.2.10 # an address reserved for documentation: replace it
    MX: 10 mail # names without a final dot are inside the zone
    TXT: v=spf1 mx -all

  www:
    CNAME: "@"
  mail:
    A: { ttl_sec: 5m, values: 192.0.2.25 }
`;
  if (to === "yaml") return text;
  const { settings } = targetKind.capabilities;
  const file = { file: "example.yaml", bytes: Buffer.from(text), origin: zone, settings };
  return formatCanonical(file, "yaml", "bind", { settings }).bytes;
}
