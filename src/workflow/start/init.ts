import { existsSync, lstatSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { stringify } from "yaml";
import { acksFile } from "../../config/acks.ts";
import { configFile } from "../../config/config.ts";
import { configKinds, secretVariable } from "../../config/target-kinds.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import { advise, commandLine, type Fix } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError, problemError, usageError } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { statIfPresent } from "../../file-system.ts";
import { errorsOf } from "../../formats/edit/fresh-errors.ts";
import { fileName, type ZoneOfFile } from "../../formats/files.ts";
import { formatOf, formats } from "../../formats/formats.ts";
import { formatCanonical } from "../../formats/formatting.ts";
import { findUnwritable } from "../../formats/kit/find-slips.ts";
import type { FormatName } from "../../formats/readers.ts";
import { findComments } from "../../formats/yaml/comments.ts";
import { listPackagedFiles, readPackagedFile } from "../../packaged-file.ts";
import type { Target } from "../../targets/target.ts";
import { connect, connectToRead } from "../connect/connect.ts";
import type { ApiOptions } from "../connect/connection.ts";
import { importZones } from "../import/import.ts";
import { type FileToWrite, readText, writeNewFiles } from "../project/files.ts";
import { mapItems } from "../project/progress.ts";
import { nameserversOf, openProject, type Project, toName } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { folderInRepository, type SchemaKind, schemaCopy, schemaFile, schemaFor } from "../project/schema-line.ts";
import { defaultKind } from "../project/target-kind.ts";
import { checkWritten } from "../zones/check-written.ts";
import type { ZoneSources } from "../zones/zone-sources.ts";
import { checkFile, existingZones, readContents } from "../zones/zones.ts";
import { type CiService, type CiTarget, ciFiles } from "./ci-files.ts";
import { ignoreLine, keyFileOf, keyNotes, type NewTarget, openWithTarget, targetText } from "./new-target.ts";

/** A folder before `init`, described by its config or by the defaults. */
export interface Setup {
  readonly project: Project;
  readonly hasConfig: boolean;
  readonly zones: readonly ZoneOfFile[];
}

/** @throws {ProblemError} `usage` for a new target and a config that lacks it */
export async function readSetup(context: RunContext, target?: NewTarget): Promise<Setup> {
  const project = target ? openWithTarget(context, target) : openProject(context, { config: configFile });
  return { project, hasConfig: existsSync(join(context.cwd, configFile)), zones: await existingZones(project) };
}

/** The source of the first zones; `undefined` for existing ones of the project. */
export type InitSource =
  | { readonly from: "api"; readonly target: Pick<Target, "accept" | "read"> }
  | PrimarySource
  | { readonly from: "files"; readonly sources: ZoneSources }
  /** An example; without `zone`, `example.com.` unless the project has zones. */
  | { readonly from: "empty"; readonly zone: Name | undefined };

interface PrimarySource {
  readonly from: "server";
  readonly target: Pick<Target, "accept" | "read">;
  readonly zones: readonly string[];
  /** The target that the config gets. */
  readonly entry: NewTarget;
}

export interface InitRequest {
  readonly source: InitSource | undefined;
  /** The format of zone files; if absent, usable files are kept as they are. */
  readonly format: FormatName | undefined;
  /** Settings for the config. */
  readonly apiUrl: string | undefined;
  readonly soaEmail: string | undefined;
  /** Names of shipped templates to copy. */
  readonly templates?: readonly string[] | undefined;
  /** The CI whose workflows are written. */
  readonly ci?: CiService | undefined;
  /** Whether a second person approves each pull request (`ci`); by default one does. */
  readonly isTwoPeople?: boolean | undefined;
  /** The commit that the action of these workflows is pinned to. */
  readonly commit?: string | undefined;
  /** The records of the API, for the config. */
  readonly records?: RecordsSetting;
  readonly signal?: AbortSignal;
}

/** An existing file that is kept. */
export interface KeptFile {
  readonly file: string;
  /** Advice about the file; absent if `init` would write the same. */
  readonly advice?: Fix;
}

/** The files that `init` would write. */
export interface InitPlan {
  readonly files: readonly FileToWrite[];
  readonly zoneFiles: readonly FileToWrite[];
  readonly kept: readonly KeptFile[];
  readonly keptZones: readonly KeptFile[];
  /** Notes about values and comments that a new file does not contain as its source does. */
  readonly notes: readonly Fix[];
  readonly problems: readonly Problem[];
  /** Files with errors, whose zones are skipped. */
  readonly failed: readonly string[];
  /** Live zones that no file can contain, or that cannot be read, without a final dot. */
  readonly failedZones: readonly string[];
  /** Whether the files stay where they are, and the project reads them there. */
  readonly isInPlace: boolean;
}

/**
 * Plans the files of a new project, or those that an existing one lacks. Nothing is written, and no existing file
 * changes. If every file of the source has errors, the plan is empty.
 * @throws {ProblemError} `zones-empty` for a source without zone files, and the errors of reading the account
 */
export async function planInit(setup: Setup, request: InitRequest): Promise<InitPlan> {
  const { source, format } = request;
  const { cwd } = setup.project;
  const inPlace = source?.from === "files" && format === undefined ? foldersInside(cwd, source.sources) : undefined;
  const isInPlace = inPlace !== undefined;
  const sources = source?.from === "files" ? source.sources : undefined;
  if (sources && sources.zones.length + sources.failed.length === 0) throw noZoneFiles(sources);
  if (sources?.zones.length === 0)
    return { ...emptyPlan, problems: sources.problems, failed: sources.failed, isInPlace };
  const zones = new ZoneFilePlan(setup.project, setup.zones);
  await addZones(zones, setup, request, isInPlace);
  const others = new OtherFilePlan(cwd);
  others.addTemplates(setup.project, request.templates ?? []);
  others.addSchemas(setup, zones.files);
  others.addSettings(request, inPlace ?? ["zones"]);
  return {
    files: others.files,
    zoneFiles: zones.files,
    kept: others.kept,
    keptZones: inPlace && sources ? sources.zones.map(({ file }) => ({ file })) : zones.kept,
    notes: [...zones.notes, ...others.addWorkflows(request, targetsOf(setup, request))],
    problems: [...(sources?.problems ?? []), ...zones.problems],
    failed: [...(sources?.failed ?? []), ...zones.failed],
    failedZones: zones.failedZones,
    isInPlace,
  };
}

/**
 * Plans the files of a new project for a name server, whose zones are transferred.
 * @throws {ProblemError} `zone-unknown`, and the errors of reading the zones
 */
export function planFromPrimary(
  context: RunContext,
  setup: Setup,
  { zones, entry, ...request }: Omit<InitRequest, "source"> & Pick<PrimarySource, "zones" | "entry">,
): Promise<InitPlan> {
  const { project } = setup;
  return connectToRead(context, project, { zoneNames: zones.map(toName) }, async ({ target }) => {
    const plan = await planInit(setup, { ...request, source: { from: "server", target, zones, entry } });
    return { ...plan, notes: [...keyNotes(context, project), ...plan.notes] };
  });
}

/**
 * Plans the files of a new project for an account of the API. A new config has the records setting of the server.
 * @throws {ProblemError} the errors of reading the account
 */
export async function planFromApi(
  context: RunContext,
  existing: Setup,
  options: ApiOptions,
  request: Omit<InitRequest, "source" | "records">,
): Promise<InitPlan> {
  const { readRecordsSetting } = await import("../connect/connect-api.ts"); // few sources need a client
  const records = existing.hasConfig ? "documented" : await readRecordsSetting(context, existing.project, options);
  const setup = records === "open" ? await readOpenSetup(context) : existing;
  return connect(context, setup.project, options, ({ target }) =>
    planInit(setup, { ...request, records, source: { from: "api", target } }),
  );
}

/** A folder without a config, whose config will have open records. */
async function readOpenSetup(context: RunContext): Promise<Setup> {
  const setting = { api_records: "open" } as const;
  const project = openProject(context, { config: configFile, kind: defaultKind(setting) });
  const open = { ...project, config: { ...project.config, ...setting } };
  return { project: open, hasConfig: false, zones: await existingZones(open) };
}

/** Plans the zone files of the source; files that the project reads in place are not copied. */
async function addZones(
  zones: ZoneFilePlan,
  { zones: existing }: Setup,
  { source, format, soaEmail, signal }: InitRequest,
  isInPlace: boolean,
): Promise<void> {
  const addExample = (zone: Name) => zones.addExample(zone, format ?? "yaml", soaEmail);
  if (source?.from === "files" && !isInPlace) await zones.addFiles(source.sources, format);
  if (source?.from === "api") {
    await zones.addLive(source.target, [], { to: format ?? "yaml", signal });
    if (zones.files.length + zones.kept.length + zones.failedZones.length > 0) return;
    addExample(toName("example.com"));
    zones.notes.push("the account has no zones yet, so the zone file is an example");
  }
  if (source?.from === "server") await zones.addLive(source.target, source.zones, { to: format ?? "yaml", signal });
  if (source?.from === "empty") {
    const zone = source.zone ?? (existing.length === 0 ? toName("example.com") : undefined);
    if (zone !== undefined) addExample(zone);
    else
      zones.notes.push(
        advise`the project has zones already, so no example is written: ${{ set: "zone", to: "NAME" }} adds a zone`,
      );
  }
}

/** Templates, schemas, settings and workflows to write, and existing ones that are kept. */
/** The targets that the config has, or will have. */
function targetsOf({ hasConfig, project }: Setup, { source }: InitRequest): readonly CiTarget[] {
  if (hasConfig || source?.from !== "server") return project.targets;
  const { name, settings } = source.entry;
  return [{ name, kind: settings.kind }];
}

class OtherFilePlan {
  readonly files: FileToWrite[] = [];
  readonly kept: KeptFile[] = [];
  readonly #cwd: string;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  addTemplates({ cwd, templates }: Project, names: readonly string[]): void {
    for (const name of names) {
      const file = join(templates.folder.file, `${name}.yaml`);
      const schema = schemaPath(cwd, file, "template");
      const text = readPackagedFile(`templates/${name}.yaml`);
      this.#add(file, text.replace(/(\$schema=)\S+/, `$1${schema}`));
    }
  }

  /** Schemas that editors need for the planned files; the first of the others is a template, if there is one. */
  addSchemas({ hasConfig }: Setup, zoneFiles: readonly FileToWrite[]): void {
    const kinds: [SchemaKind, string | undefined][] = [
      ["zone", zoneFiles.find(({ file }) => file.endsWith(".yaml"))?.file],
      ["config", hasConfig ? undefined : configFile],
      ["template", this.files[0]?.file],
    ];
    for (const [kind, file] of kinds)
      if (file !== undefined && !schemaFor(this.#cwd, file, kind)) this.#add(schemaFile(kind), schemaCopy(kind));
  }

  addSettings({ source, apiUrl, records, soaEmail }: InitRequest, folders: readonly string[]): void {
    const schema = schemaFor(this.#cwd, configFile, "config") ?? schemaFile("config");
    const email = source?.from === "empty" ? undefined : soaEmail;
    const target = source?.from === "server" ? source.entry : undefined;
    this.#add(configFile, configText({ schema, apiUrl, records, soaEmail: email, folders, target }));
    this.#add(acksFile, acksText(schemaFor(this.#cwd, acksFile, "acks")));
    const keyFile = target && keyFileOf(target);
    const keyLine = keyFile === undefined ? undefined : ignoreLine(this.#cwd, keyFile);
    const hasPackages = existsSync(join(this.#cwd, "package.json"));
    const more = [...(keyLine === undefined ? [] : [keyLine]), ...(hasPackages ? ["node_modules/"] : [])];
    this.#add(".gitignore", [ignoreText, ...more.map((line) => `${line}\n`)].join(""), (before) =>
      adviseIgnore(before, keyLine),
    );
  }

  /** Adds the workflows of a CI; returns notes about them. */
  addWorkflows({ ci, commit, isTwoPeople = true }: InitRequest, targets: readonly CiTarget[]): readonly Fix[] {
    if (ci === undefined) return [];
    const options = { commit, isTwoPeople, at: folderInRepository(this.#cwd), targets };
    const usual = ciFiles(ci, options);
    const isOther = ({ file }: FileToWrite) =>
      stateOf(this.#cwd, file) === "file" && isOfOther(readText(this.#cwd, file), options.at);
    const { files, notes } = usual.files.some(isOther) ? ciFiles(ci, { ...options, isFurther: true }) : usual;
    for (const { file, text, advice } of files) this.#add(file, text, () => advice);
    return notes;
  }

  #add(file: string, text: string | Uint8Array, advise?: (before: string) => Fix | undefined): void {
    const state = stateOf(this.#cwd, file);
    if (state === "missing") return void this.files.push({ file, text });
    const advice = state === "file" ? advise?.(readText(this.#cwd, file)) : state.advice;
    this.kept.push({ file, ...(advice !== undefined && { advice }) });
  }
}

/** An error of an example, which no file contains yet. */
function ofFlag({ place: _, ...error }: Problem): Problem {
  return error.id === "domain-name"
    ? { ...error, fix: advise`Name another one, such as ${{ set: "zone", to: "example.com" }}.` }
    : error;
}

/** Whether a CI file runs zonewright, but for another project than that in a folder of the repository. */
function isOfOther(text: string, at: string): boolean {
  if (!/\/zonewright@|local: *\S*zonewright\.yml/i.test(text)) return false;
  const configs = [...text.matchAll(/\bconfig: *"?([^"#{}\s]+)/g)].map(([, path = ""]) => posix.normalize(path));
  return !(configs.length === 0 ? [configFile] : configs).includes(posix.join(at, configFile));
}

const emptyPlan = { files: [], zoneFiles: [], kept: [], keptZones: [], notes: [], failedZones: [] };

function noZoneFiles({ skipped }: ZoneSources): ProblemError {
  const others =
    skipped.length === 0
      ? ""
      : `: ${skipped.slice(0, 3).join(", ")}${skipped.length > 3 ? " and others" : ""} do not look like zone files`;
  const fix = "Name zone files, or a folder that contains some.";
  return problemError("zones-empty", `no zone files found${others}`, { fix });
}

/** The state of a path: nothing, a regular file (or a link to one), or the reason why it is neither. */
function stateOf(cwd: string, file: string): "missing" | "file" | { readonly advice: Fix } {
  const path = join(cwd, file);
  if (!lstatSync(path, { throwIfNoEntry: false })) return "missing";
  const stats = statIfPresent(path);
  if (stats?.isFile()) return "file";
  if (stats) return { advice: "it is not a regular file" };
  return { advice: "it is a link to a file that does not exist" };
}

/** The names of the templates that are shipped. */
export function shippedTemplates(): string[] {
  const files = listPackagedFiles("templates").filter((file) => file.endsWith(".yaml"));
  return files.map((file) => file.replace(/\.yaml$/, ""));
}

/** Writes the files of a plan; none of them replaces a file. */
export function writeInit(context: RunContext, { files, zoneFiles }: InitPlan): Promise<void> {
  return writeNewFiles(context, [...zoneFiles, ...files], "Make the folder writable.");
}

/** Zone files to write, and existing ones that are kept. */
class ZoneFilePlan {
  readonly files: FileToWrite[] = [];
  readonly kept: KeptFile[] = [];
  readonly notes: Fix[] = [];
  readonly problems: Problem[] = [];
  readonly failed: string[] = [];
  readonly failedZones: string[] = [];
  readonly #project: Project;
  readonly #existing: ReadonlyMap<NameKey, ZoneOfFile>;

  constructor(project: Project, existing: readonly ZoneOfFile[]) {
    this.#project = project;
    this.#existing = new Map(existing.map((read) => [nameKey(read.zone.name), read]));
  }

  async addLive(
    target: Pick<Target, "accept" | "read">,
    names: readonly string[],
    options: { readonly to: FormatName; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    for await (const zone of await importZones(this.#project, target, names, options)) {
      this.notes.push(...zone.notes);
      if (zone.state === "new") this.#add(zone.file, this.#withSchema(zone.text, zone.file));
      else if (zone.state === "secondary") continue;
      else if (zone.state === "same") this.kept.push({ file: zone.file });
      else if (zone.state === "manual" && !this.#existing.has(nameKey(zone.name))) {
        this.problems.push(...zone.problems);
        this.failedZones.push(withoutDot(zone.name));
      } else
        this.kept.push({
          file: zone.file,
          advice: advise`it differs from the live zone: ${{ run: "import api" }} shows how`,
        });
    }
  }

  async addFiles({ zones }: ZoneSources, format: FormatName | undefined): Promise<void> {
    await mapItems(this.#project, ["converting zone files", "file"], zones, (read) => {
      const from = read.format ?? (formatOf(read.file)?.name === "yaml" ? "yaml" : "bind");
      const to = format ?? (from === "bind" ? "bind" : "yaml");
      const file = this.#fileOf(read.zone.name, to);
      const before = this.#existing.get(nameKey(read.zone.name));
      if (before) {
        const isSame = Buffer.compare(before.bytes, Buffer.from(this.#textOf(read, from, to, file) ?? "")) === 0;
        this.kept.push({ file: before.file, ...(!isSame && { advice: `it differs from ${read.file}` }) });
        return;
      }
      const text = this.#textOf(read, from, to, file);
      if (text === undefined) return;
      if (text !== read.bytes) {
        const bytes = Buffer.from(text);
        const { settings } = this.#project;
        const written = readContents(this.#project, { file, bytes, origin: read.zone.name, settings }, bytes);
        checkWritten(this.#project, written, [read]);
        this.problems.push(...findUnwritable(read.zone));
      }
      this.#add(file, text);
    });
  }

  addExample(zone: Name, to: FormatName, soaEmail: string | undefined): void {
    const before = this.#existing.get(nameKey(zone));
    if (before) return void this.kept.push({ file: before.file, advice: `it contains ${zone.slice(0, -1)} already` });
    const file = this.#fileOf(zone, to);
    const { settings } = this.#project;
    const text = exampleText({ zone, to, soaEmail: soaEmail ?? `hostmaster@${zone.slice(0, -1)}`, settings });
    const bytes = Buffer.from(text);
    const written = readContents(this.#project, { file, bytes, origin: zone, settings }, bytes);
    const errors = errorsOf(checkFile(this.#project, written));
    if (errors.length > 0) throw new ProblemError(errors.map(ofFlag));
    this.#add(file, this.#withSchema(text, file));
  }

  #add(file: string, text: string | Uint8Array): void {
    const state = stateOf(this.#project.cwd, file);
    if (state === "missing") return void this.files.push({ file, text });
    const reason = state === "file" ? "it exists, but is not a zone of the project" : state.advice;
    const fix = "Move it away.";
    throw problemError("file-write", `${file} cannot be written: ${reason}`, { fix });
  }

  /** Converts a zone file with its comments; unchanged if the format is the same and nothing is included. */
  #textOf(
    read: ZoneOfFile,
    from: FormatName | "octodns",
    to: FormatName,
    file: string,
  ): string | Uint8Array | undefined {
    const { settings } = this.#project;
    const options = { settings, nameservers: nameserversOf(this.#project), schema: this.#schemaOf(file) };
    const hasParts = read.included.length > 0;
    if (from === to && !hasParts) return read.bytes;
    if (from === "octodns" && (hasParts || !hasComments(read.bytes))) {
      if ([read, ...read.included].some(({ bytes }) => hasComments(bytes)))
        this.notes.push(`${read.file}: comments of a zone in several files are not copied`);
      return formats[to].write(read.zone, options);
    }
    try {
      const { bytes, lost } = formatCanonical(read, from, to, options);
      if (lost.length > 0)
        this.notes.push(`${read.file}: comments that ${file} does not contain: lines ${lost.join(", ")}`);
      return bytes;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (from === "octodns") {
        this.notes.push(`${read.file}: its comments are not copied`);
        return formats[to].write(read.zone, options);
      }
      this.problems.push(...error.problems);
      this.failed.push(read.file);
      return undefined;
    }
  }

  #fileOf(zone: Name, to: FormatName): string {
    const folder = this.#project.folders.find(({ format }) => format === undefined);
    if (folder) return join(folder.file, `${fileName(zone)}${formats[to].endings[0]}`);
    const fix = `add a folder for files that zonewright writes to zones: in ${configFile}.`;
    throw usageError(`zonewright does not write the octoDNS folders of this project: ${fix}`);
  }

  #schemaOf(file: string): string {
    return schemaPath(this.#project.cwd, file, "zone");
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

/** The path from a file to its schema, which `init` copies if it is missing. */
function schemaPath(cwd: string, file: string, kind: SchemaKind): string {
  return schemaFor(cwd, file, kind) ?? relative(dirname(file), schemaFile(kind)).split(sep).join("/");
}

function hasComments(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString("utf8");
  return text.includes("#") && findComments(text).length > 0;
}

/** Quotes a string for YAML if necessary. */
function quoteYaml(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

interface ConfigText {
  readonly schema: string;
  readonly apiUrl: string | undefined;
  readonly records: RecordsSetting | undefined;
  readonly soaEmail: string | undefined;
  readonly folders: readonly string[];
  readonly target: NewTarget | undefined;
}

function configText({ schema, apiUrl, records, soaEmail, folders, target }: ConfigText): string {
  return `# yaml-language-server: $schema=${schema.startsWith(".") ? schema : `./${schema}`}
# Settings of zonewright for this folder. All are optional; lines that begin with "#" show examples.

${target ? serverText(target) : apiText(apiUrl, records)}

# The folders with zone files. Each zone is one file, such as example.com.yaml or example.com.zone.
${folders.length > 1 ? `zones:\n${folders.map((one) => `  - ${one}`).join("\n")}` : `zones: ${folders[0]}`}

# Settings of zones that do not set them themselves.
${defaultsText(soaEmail, target)}

# "all": records that a zone file does not list are deleted. "listed": only the names and types that it lists are
# managed, and everything else stays. A zone may set this itself.
# manage: all

# The severity of rules: error, warning, note or off. \`${commandLine({ run: "explain" })}\` lists the rules.
# rules:
#   private-address: off

# A plan that exceeds these thresholds is blocked until someone approves it. \`${commandLine({ run: "explain", args: ["G01"] })}\` describes the guard.
# guards:
#   run_deletes: 25
`;
}

function apiText(apiUrl: string | undefined, records: RecordsSetting | undefined): string {
  const open = records === "open" ? `\n\n# The server holds records of every type and any TTL.\napi_records: open` : "";
  return `# The scheme and host of the API. The token is never in a file of this repository: set the environment variable
# ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file elsewhere that contains it.
${apiUrl === undefined ? "# api_url: https://api.example.com" : `api_url: ${quoteYaml(apiUrl)}`}${open}`;
}

function serverText({ name, settings }: NewTarget): string {
  const { setting, word } = configKinds[settings.kind].secret;
  return `# The name server of the zones. Its ${word} is never in a file of this repository: it is in a file elsewhere, which
# ${setting} names, or in the environment variable ${secretVariable(name, settings.kind)}.
targets:
  ${name}: ${targetText(settings)}`;
}

/** A name server keeps its SOA records, so that they have no contact address here. */
function defaultsText(soaEmail: string | undefined, target: NewTarget | undefined): string {
  const mark = soaEmail === undefined ? "# " : "";
  const contact = `${mark}  soa_email: ${quoteYaml(soaEmail ?? "hostmaster@example.com")} # the contact address in SOA records\n`;
  return `${target ? "# " : mark}defaults:\n${target ? "" : contact}#   ttl_sec: 1h # the TTL of records that name none`;
}

/** Starts with the line for editors where the package is installed; a copy of the schema would be a file more. */
function acksText(schema: string | undefined): string {
  return `${schema === undefined ? "" : `# yaml-language-server: $schema=${schema}\n`}# Approvals of changes that a guard blocks. \`${commandLine({ run: "plan" })}\` prints the lines to add here, such as:
#
# - guard: G01
#   zone: example.com
#   effects: "fe1a14ae90b1c2d3"
#   reason: the shop moved to another host
#   until: 2027-01-31
#
# An approval is valid for exactly these effects, until that day. \`${commandLine({ run: "explain", args: ["G01"] })}\` describes the guard.
`;
}

const ignoreText = `# Runs and local data of zonewright, and incomplete files of an interrupted command
.zonewright/
.*.part
`;

/** The lines that an existing `.gitignore` lacks. */
function adviseIgnore(before: string, keyLine: string | undefined): string | undefined {
  const lines = before.split(/\r?\n/).map((line) => line.trim().replace(/^\/?(?:\*\*\/)?/, "/"));
  const missing = [
    ...(lines.some((line) => /^\/\.zonewright\/?\*?$/.test(line)) ? [] : [".zonewright/"]),
    ...(lines.some((line) => /^\/(?:\.\*|\*)\.part$/.test(line)) ? [] : [".*.part"]),
    ...(keyLine === undefined || lines.includes(keyLine) ? [] : [keyLine]),
  ];
  if (missing.length === 0) return undefined;
  return `add the ${missing.length === 1 ? "line" : "lines"} ${missing.join(" and ")}`;
}

interface Example {
  readonly zone: Name;
  readonly to: FormatName;
  readonly soaEmail: string;
  readonly settings: readonly Setting[];
}

/** An example of a valid zone, which shows the syntax of zone files. */
function exampleText({ zone, to, soaEmail, settings }: Example): string | Uint8Array {
  const text = `# The zone ${zone.slice(0, -1)}: an example to edit. \`${commandLine({ run: "plan" })}\` shows what would change.
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
  const file = { file: "example.yaml", bytes: Buffer.from(text), origin: zone, settings };
  return formatCanonical(file, "yaml", "bind", { settings }).bytes;
}
