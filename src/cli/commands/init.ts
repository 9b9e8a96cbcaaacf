import { configFile } from "../../config/config.ts";
import { adviceText } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { hasErrors, type Problem, usageError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { groupBy } from "../../group-by.ts";
import { formatNames } from "../../workflow/project/files.ts";
import { openProject, toName } from "../../workflow/project/project.ts";
import { validateZones } from "../../workflow/snapshot/validate.ts";
import { ciServices, packagedCommit } from "../../workflow/start/ci-files.ts";
import {
  type InitPlan,
  type InitRequest,
  type KeptFile,
  planFromApi,
  planFromPrimary,
  planInit,
  readSetup,
  type Setup,
  shippedTemplates,
  writeInit,
} from "../../workflow/start/init.ts";
import { type NewKind, type NewTarget, newKinds, newTarget } from "../../workflow/start/new-target.ts";
import { readZoneSources, type ZoneSources } from "../../workflow/zones/zone-sources.ts";
import { apiFlags, choice, defineCommand, flag, list, type Options, projectFlags, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import { printText, type Terminal } from "../terminal.ts";

const sources = ["api", "files", "rfc2136", "powerdns", "empty"] as const;
const choices =
  "--from api, --from rfc2136, --from powerdns, --from empty or the path of your zone files, and --format yaml or bind";

const flags = {
  from: choice(
    "<source>",
    sources,
    "where the zones are now: api, files, rfc2136 (a name server), powerdns (its API) or empty",
  ),
  format: choice("<format>", formatNames, "format of new zone files; files in this format are copied unchanged"),
  zone: list(
    "<name>",
    "zone of the name server, repeatable (of PowerDNS all by default); with --from empty, name of the example zone",
  ),
  tsigKey: text("<file>", "file outside of git with the TSIG key of the name server, as tsig-keygen writes it"),
  apiKey: text("<file>", "file outside of git with the API key of PowerDNS"),
  soaEmail: text("<address>", "contact address for zones without one"),
  template: list("<name>", "copy a shipped template, for example no-mail; repeatable"),
  ci: choice("<service>", ciServices, "add workflows that plan pull requests, apply main and find drift"),
  ...apiFlags,
  target: text("<name>", "name of the target that is written for the name server, by default from its host"),
  quiet: projectFlags.quiet,
  yes: flag("do not ask questions"),
};
type InitOptions = Options<typeof flags>;

/** The source of the zones; without `from`, the zones of the project. */
interface ChosenSource {
  readonly from?: (typeof sources)[number];
  readonly paths?: readonly string[];
  readonly apiUrl?: string | undefined;
  readonly primary?: ChosenPrimary;
}

/** A name server, and its zones. */
interface ChosenPrimary {
  readonly zones: readonly string[];
  readonly entry: NewTarget;
}

/** `zonewright init`: the files of a new project. Existing files stay as they are. */
export const initCommand = defineCommand({
  example: `  zonewright init                            ask, then write
  zonewright init --from api --yes           import the zones of the account
  zonewright init ../bind --yes              copy BIND zone files
  zonewright init --from rfc2136 ns1.example.net --zone example.com --yes
  zonewright init --from powerdns http://127.0.0.1:8081 --api-key ../pdns --yes
  zonewright init ../octodns --soa-email hostmaster@example.com --yes
`,
  arguments: {
    "[paths...]":
      "zone files, or folders of them: BIND, octoDNS or zonewright; with --from rfc2136 the name server, with --from powerdns its URL",
  },
  flags,
  async run(terminal, { paths }, options) {
    checkUsage(terminal, paths, options);
    const { signal } = terminal;
    const questions = options.yes ? undefined : new Questions(terminal);
    const { setup, chosen } = await findSource(terminal, paths, options, questions);
    const { from, paths: files = [], apiUrl } = chosen ?? {};
    const found = from === "files" ? await readZoneSources(setup.project, files) : undefined;
    const request = {
      apiUrl: apiUrl ?? options.apiUrl ?? terminal.env.ZONEWRIGHT_API_URL?.trim(),
      format: options.format ?? (found || from === undefined ? undefined : await questions?.format()),
      soaEmail: options.soaEmail ?? (found && (await contactAddress(setup, found, questions))),
      templates: options.template,
      ci: options.ci,
      commit: packagedCommit(),
      isTwoPeople: options.ci === "github" ? await questions?.twoPeople() : undefined,
      signal,
    };
    const zone = options.zone?.[0] ?? (from === "empty" ? await questions?.zone(setup) : undefined);
    const plan = await planFrom(terminal, setup, { ...chosen, found, zone, request }, options);
    signal.throwIfAborted();
    await writeInit(terminal, plan);
    printInit(terminal, plan, found);
    const hasZones = plan.zoneFiles.length + plan.keptZones.length > 0;
    const isFirst = plan.files.some(({ file }) => file === configFile);
    if (hasZones || from === undefined) await printNext(terminal, from, isFirst ? moreFiles(options) : []);
    if (plan.failed.length + plan.failedZones.length === 0) return exitCode.done;
    return hasZones ? exitCode.partly : exitCode.invalid;
  },
});

/** The folder, and the source of its zones. A name server becomes the target of the project. */
async function findSource(
  terminal: Terminal,
  paths: readonly string[],
  options: InitOptions,
  questions: Questions | undefined,
): Promise<{ readonly setup: Setup; readonly chosen: ChosenSource | undefined }> {
  const { from } = options;
  const [server] = paths;
  if (isServer(from) && server !== undefined) {
    const primary = primaryOf(from, server, options);
    return { setup: await readSetup(terminal, primary.entry), chosen: { from, primary } };
  }
  const setup = await readSetup(terminal);
  const chosen = chooseSource(terminal, setup, paths, options) ?? (await questions?.source(options));
  return { setup: chosen?.primary ? await readSetup(terminal, chosen.primary.entry) : setup, chosen };
}

function primaryOf(kind: NewKind, server: string, { zone: zones = [], ...options }: InitOptions): ChosenPrimary {
  const keyFile = kind === "powerdns" ? options.apiKey : options.tsigKey;
  return { zones, entry: newTarget({ kind, server, name: options.target, keyFile }) };
}

function isServer(from: InitOptions["from"]): from is NewKind {
  return newKinds.some((kind) => kind === from);
}

interface Found extends ChosenSource {
  readonly found: ZoneSources | undefined;
  /** The name of the example. */
  readonly zone: string | undefined;
  readonly request: Omit<InitRequest, "source">;
}

async function planFrom(
  terminal: Terminal,
  setup: Setup,
  { from, primary, apiUrl, found, zone, request }: Found,
  { target: _, ...api }: InitOptions,
): Promise<InitPlan> {
  if (primary) return planFromPrimary(terminal, setup, { ...request, ...primary });
  if (from === "api") return planFromApi(terminal, setup, { ...api, ...(apiUrl !== undefined && { apiUrl }) }, request);
  if (found) return planInit(setup, { ...request, source: { from: "files", sources: found } });
  const name = zone === undefined ? undefined : toName(zone);
  return planInit(setup, { ...request, source: from && { from: "empty", zone: name } });
}

function checkUsage(terminal: Terminal, paths: readonly string[], options: InitOptions): void {
  const { yes, from, zone = [], template = [] } = options;
  if (!yes && !terminal.ask)
    throw usageError(`init asks questions, and there is no terminal: add --yes, with ${choices}.`);
  if (isServer(from)) checkPrimaryUsage(from, paths, options);
  else if (paths.length > 0 && from !== undefined && from !== "files")
    throw usageError(`--from ${from} reads no files: leave out ${paths.join(" ")}.`);
  if (yes && from === "files" && paths.length === 0)
    throw usageError("--from files needs the path of the files: `zonewright init FOLDER`.");
  if (zone.length > 0 && !isServer(from) && (from !== "empty" || zone.length > 1))
    throw usageError("--zone names zones of a name server, or the example that --from empty writes.");
  if (from !== "rfc2136" && options.tsigKey !== undefined)
    throw usageError("--tsig-key belongs to a name server: add --from rfc2136 SERVER.");
  if (from !== "powerdns" && options.apiKey !== undefined)
    throw usageError("--api-key belongs to PowerDNS: add --from powerdns URL.");
  if (!isServer(from) && options.target !== undefined)
    throw usageError("--target belongs to a name server: add --from rfc2136 SERVER, or --from powerdns URL.");
  const shipped = template.length === 0 ? [] : shippedTemplates();
  for (const name of template) {
    if (shipped.includes(name)) continue;
    const near = nearest(name, shipped);
    const hint = near === undefined ? `there are ${shipped.join(", ")}` : `did you mean ${near}?`;
    throw usageError(`--template ${escapeControl(name)} is not shipped with zonewright; ${hint}`);
  }
}

function checkPrimaryUsage(from: NewKind, paths: readonly string[], { yes, zone = [] }: InitOptions): void {
  const usage =
    from === "powerdns"
      ? "`zonewright init --from powerdns http://127.0.0.1:8081 --api-key FILE`"
      : "`zonewright init --from rfc2136 SERVER --zone example.com`";
  if (paths.length > 1) throw usageError(`--from ${from} reads one name server: ${usage}.`);
  const isAsked = !yes && paths.length === 0;
  if (paths.length === 0 && !isAsked)
    throw usageError(`--from ${from} needs the ${from === "powerdns" ? "URL" : "name server"}: ${usage}.`);
  if (from === "rfc2136" && zone.length === 0 && !isAsked)
    throw usageError(`--from rfc2136 needs --zone: a name server does not list its zones. ${usage}`);
}

/** Chooses the source from the command line or the folder; undefined if the user has to choose. */
function chooseSource(
  terminal: Terminal,
  setup: Setup,
  paths: readonly string[],
  { from, yes, tokenFile }: InitOptions,
): ChosenSource | undefined {
  if (paths.length > 0) return { from: "files", paths };
  if (from === "api" || from === "empty") return { from };
  if (setup.zones.length > 0 && from === undefined)
    return setup.hasConfig ? {} : { from: "files", paths: setup.project.folders.map(({ file }) => file) };
  if (!yes) return undefined;
  const { ZONEWRIGHT_TOKEN, ZONEWRIGHT_TOKEN_FILE } = terminal.env;
  return { from: (tokenFile ?? (ZONEWRIGHT_TOKEN || ZONEWRIGHT_TOKEN_FILE)) ? "api" : "empty" };
}

/** The contact address for zones without one: asks for it, or reports that --soa-email is missing. */
async function contactAddress(
  { hasConfig, project }: Setup,
  { zones }: ZoneSources,
  questions: Questions | undefined,
): Promise<string | undefined> {
  const without = zones.filter(
    ({ zone: { settings } }) => settings.soa_email === undefined && settings.type !== "slave",
  );
  const first = without.find(({ zone: { name } }) => !name.endsWith(".arpa.")) ?? without[0];
  if (!first || hasConfig || project.defaults.soa_email !== undefined) return undefined;
  if (questions) return questions.contact(first.zone.name.slice(0, -1));
  const number = without.length === zones.length ? "the files name" : `${count(without.length, "file")} name`;
  const summary = `${number} no contact address for the SOA record: add --soa-email, such as --soa-email hostmaster@${first.zone.name.slice(0, -1)}.`;
  throw usageError(escapeControl(summary));
}

/** The questions of `init`. Each has a default, which the empty answer takes; Ctrl-C ends the command. */
class Questions {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async source(options: InitOptions): Promise<ChosenSource> {
    const { env } = this.#terminal;
    const wanted =
      options.from ??
      (await this.#choose("Where are your zones now?", [
        ["api", "in the account of an API: import them"],
        ["files", "in files: BIND, octoDNS or zonewright"],
        ["empty", "nowhere yet: start with an example"],
        ["rfc2136", "on a name server that takes dynamic updates: transfer them"],
        ["powerdns", "on a PowerDNS with its API: import them"],
      ]));
    if (wanted === "files") return { from: wanted, paths: [await this.#ask("Folder or file", "zones")] };
    if (wanted === "empty") return { from: wanted };
    if (wanted === "rfc2136") return { from: wanted, primary: await this.#primary(options) };
    if (wanted === "powerdns") return { from: wanted, primary: await this.#powerDns(options) };
    const url = await this.#ask("URL of the API", env.ZONEWRIGHT_API_URL?.trim() || "http://127.0.0.1:4119");
    return { from: wanted, apiUrl: url };
  }

  async #primary(options: InitOptions): Promise<ChosenPrimary> {
    const server = await this.#ask("Name server", "127.0.0.1");
    const zones = options.zone ?? (await this.#ask("Zones, with spaces between", "example.com")).split(/[\s,]+/);
    const file = options.tsigKey ?? (await this.#ask("File with the TSIG key, outside of git; - for none", "-"));
    return primaryOf("rfc2136", server, { ...options, zone: zones, ...(file !== "-" && { tsigKey: file }) });
  }

  async #powerDns(options: InitOptions): Promise<ChosenPrimary> {
    const url = await this.#ask("URL of PowerDNS", "http://127.0.0.1:8081");
    const apiKey = options.apiKey ?? (await this.#ask("File with the API key, outside of git", "../keys/pdns"));
    return primaryOf("powerdns", url, { ...options, apiKey });
  }

  format(): Promise<(typeof formatNames)[number]> {
    return this.#choose("Which format should the zone files have?", [
      ["yaml", "YAML: checked by your editor as you type"],
      ["bind", "BIND zone files"],
    ]);
  }

  zone({ zones }: Setup): Promise<string> {
    return this.#ask(`Name of your ${zones.length === 0 ? "first" : "new"} zone`, "example.com");
  }

  contact(zone: string): Promise<string> {
    return this.#ask("Contact address of the zones, for their SOA records", `hostmaster@${zone}`);
  }

  async twoPeople(): Promise<boolean> {
    const answer = await this.#choose("Does a second person approve each pull request?", [
      ["yes", "yes: apply refuses changes that only their author has approved"],
      ["no", "no: one person works on these zones alone"],
    ]);
    return answer === "yes";
  }

  async #ask(question: string, initial: string): Promise<string> {
    const { ask, signal } = this.#terminal;
    const answer = await ask?.(`${question} [${escapeControl(initial)}]: `);
    signal.throwIfAborted();
    if (answer === undefined)
      throw usageError(
        `the input ended before all questions were answered: nothing was written. Add --yes, with ${choices}.`,
      );
    return answer.trim() || initial;
  }

  async #choose<const T extends string>(question: string, choices: readonly (readonly [T, string])[]): Promise<T> {
    const list = choices.map(([, about], index) => `  ${index + 1}  ${about}\n`).join("");
    this.#terminal.log(`${question}\n${list}`);
    for (;;) {
      const answer = await this.#ask(`1 to ${choices.length}`, "1");
      const [chosen] = choices[Number(answer) - 1] ?? choices.find(([word]) => word === answer) ?? [];
      if (chosen !== undefined) return chosen;
    }
  }
}

/** Maximum number of listed zone files; further ones are counted. */
const mostListed = 10;

/** Maximum number of problems shown with their source lines; if there are more, each takes one line. */
const mostFrames = 10;

function printInit(terminal: Terminal, plan: InitPlan, found: ZoneSources | undefined): void {
  const { files, zoneFiles, kept, keptZones, notes, failed, failedZones } = plan;
  const { log } = terminal;
  const print = (text: string) => printText(terminal, text);
  const problems = plan.problems.filter(({ severity }) => severity !== "note");
  if (problems.length <= mostFrames) printProblems(terminal, problems);
  else for (const text of linesOf(problems)) log(`${text}\n`);
  for (const note of notes) log(`note  ${escapeControl(adviceText(note, "cli"))}\n`);
  for (const file of found?.skipped ?? [])
    log(`note  ${escapeControl(file)} is skipped: it does not look like a zone file\n`);
  const names = zoneFiles.map(({ file }) => file);
  for (const file of names.slice(0, mostListed)) print(`wrote  ${escapeControl(file)}\n`);
  if (names.length > mostListed) print(`wrote  ${count(names.length - mostListed, "more zone file")} beside them\n`);
  for (const { file } of files) print(`wrote  ${escapeControl(file)}\n`);
  const same = keptZones.filter(({ advice }) => advice === undefined);
  const differing = keptZones.filter(({ advice }) => advice !== undefined);
  if (same.length > 0) print(`kept   ${count(same.length, "zone file")}\n`);
  for (const file of [...differing, ...kept]) print(keptLine(file));
  const written = files.length + zoneFiles.length;
  if (failedZones.length > 0)
    print(
      `\nskipped ${count(failedZones.length, "zone")} with errors: ${listOf(failedZones)}\nCorrect them on the server and run the same command again: it adds them.\n`,
    );
  else if (failed.length > 0) {
    const list = listOf(failed);
    const isNone = written + keptZones.length === 0;
    const next =
      plan.isInPlace && !isNone
        ? "Fix them where they are."
        : "Fix them and run the same command again: it adds their zones.";
    if (isNone)
      print(`nothing was written: no file is valid. Errors are in ${list}\nFix them and run the same command again.\n`);
    else print(`\n${plan.isInPlace ? "" : "skipped "}${count(failed.length, "file")} with errors: ${list}\n${next}\n`);
  } else if (written === 0) print("nothing to do: all files exist already\n");
}

/** The first names, and the number of the others. */
function listOf(names: readonly string[]): string {
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : "";
  return names.slice(0, mostListed).map(escapeControl).join(", ") + more;
}

function keptLine({ file, advice }: KeptFile): string {
  return `kept   ${escapeControl(file)}${advice === undefined ? "" : `: ${escapeControl(adviceText(advice, "cli"))}`}\n`;
}

/** One line for each error, and one for each kind of warning: they repeat in the files of a folder. */
function linesOf(problems: readonly Problem[]): string[] {
  const groups = groupBy(problems, ({ id, severity, summary, place }) =>
    JSON.stringify([id, severity, severity === "error" ? place : "", kindOf(summary)]),
  );
  return [...groups.values()].map((group) => {
    const [{ id, severity, summary, place }] = group as [Problem];
    const at = place ? `${place.file}:${place.line}:${place.column}` : undefined;
    const files = new Set(group.map(({ place }) => place?.file)).size;
    if (files < 2) return escapeControl(`${at === undefined ? "" : `${at}: `}${severity}[${id}] ${summary}`);
    return escapeControl(`${severity}[${id}] in ${count(files, "file")}: ${kindOf(summary)}; first at ${at}`);
  });
}

/** The summary without counts. */
function kindOf(summary: string): string {
  return summary.replaceAll(/ \(\d+ times\)/g, "");
}

/** Prints the number of zones and the next command; the first `init` also names the flags for more files. */
async function printNext(terminal: Terminal, from: ChosenSource["from"], more: readonly string[]): Promise<void> {
  const { env } = terminal;
  const print = (text: string) => printText(terminal, text);
  const project = openProject(terminal, { config: configFile });
  const { zones, records, problems } = await validateZones(project, []);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  print(`\n${count(zones, "zone")}, ${count(records, "record")}${errors > 0 ? `, ${count(errors, "error")}` : ""}\n`);
  for (const [index, line] of more.entries()) print(`${index === 0 ? "more:" : "     "} ${line}\n`);
  if (!hasErrors(problems) && isServer(from))
    return print("next: `zonewright plan` compares the files with the name server\n");
  const isConnected = from === "api" || env.ZONEWRIGHT_TOKEN || env.ZONEWRIGHT_TOKEN_FILE;
  if (hasErrors(problems)) print("next: `zonewright validate` lists what to fix\n");
  else if (project.targets.length > 0) print("next: `zonewright doctor` examines the targets\n");
  else if (isConnected) print("next: `zonewright plan` compares the files with the account\n");
  else
    print(
      "next: set ZONEWRIGHT_TOKEN, then run `zonewright plan`\n      (`zonewright serve` runs an API on this machine, and prints a token)\n",
    );
}

/** Other files that `init` writes. */
function moreFiles({ ci, template }: InitOptions): string[] {
  return [
    ...(ci === undefined ? ["`zonewright init --ci github` adds workflows for pull requests; or `--ci gitlab`"] : []),
    ...(template === undefined
      ? ["`zonewright init --template NAME` copies records that zones share:", shippedTemplates().join(", ")]
      : []),
  ];
}
