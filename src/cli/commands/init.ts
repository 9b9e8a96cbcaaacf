import { count, plain } from "../../diagnostics/plain.ts";
import { hasErrors, type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { connect } from "../../workflow/connect.ts";
import { formatNames } from "../../workflow/files.ts";
import { type InitPlan, type KeptFile, planInit, readSetup, type Setup, writeInit } from "../../workflow/init.ts";
import { openProject, toName } from "../../workflow/project.ts";
import { validateZones } from "../../workflow/validate.ts";
import { readZoneSources, type ZoneSources } from "../../workflow/zone-sources.ts";
import { apiFlags, choice, defineCommand, flag, type Options, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import type { Terminal } from "../terminal.ts";

const sources = ["api", "files", "empty"] as const;

const flags = {
  from: choice("<source>", sources, "current place of the zones: the account, files, or nowhere"),
  format: choice("<format>", formatNames, "format of new zone files; files in this format are copied unchanged"),
  zone: text("<name>", "name of the example zone, with --from empty"),
  soaEmail: text("<address>", "contact address for zones without one"),
  ...apiFlags,
  yes: flag("do not ask questions"),
};
type InitOptions = Options<typeof flags>;

/** The source of the zones; without `from`, the zones of the project. */
interface Chosen {
  readonly from?: (typeof sources)[number];
  readonly paths?: readonly string[];
  readonly apiUrl?: string | undefined;
}

/** `zonewright init`: the files of a new project. Existing files stay as they are. */
export const command = defineCommand({
  example: `  zonewright init                            ask, then write
  zonewright init --from api --yes           import the zones of the account
  zonewright init ../bind --yes              copy BIND zone files
  zonewright init ../octodns --soa-email hostmaster@example.com --yes
`,
  arguments: { "[paths...]": "zone files, or folders of them: BIND, octoDNS or zonewright" },
  flags,
  async run(terminal, { paths }, options) {
    checkUsage(terminal, paths, options);
    const { signal } = terminal;
    const setup = await readSetup(terminal);
    const questions = options.yes ? undefined : new Questions(terminal);
    const chosen = chooseSource(terminal, setup, paths, options) ?? (await questions?.source(options.from));
    const { from, paths: files = [], apiUrl } = chosen ?? {};
    const found = from === "files" ? await readZoneSources(terminal, files) : undefined;
    const request = {
      apiUrl: apiUrl ?? options.apiUrl ?? terminal.env.ZONEWRIGHT_API_URL?.trim(),
      format: options.format ?? (found || from === undefined ? undefined : await questions?.format()),
      soaEmail: options.soaEmail ?? (found && (await contactAddress(setup, found, questions))),
      signal,
    };
    const zone = options.zone ?? (from === "empty" ? await questions?.zone() : undefined) ?? "example.com";
    const plan = await (from === "api"
      ? connect(terminal, setup.project, { ...options, ...(apiUrl !== undefined && { apiUrl }) }, ({ target }) =>
          planInit(setup, { ...request, source: { from, target } }),
        )
      : planInit(setup, {
          ...request,
          source: found ? { from: "files", sources: found } : from && { from: "empty", zone: toName(zone) },
        }));
    signal.throwIfAborted();
    await writeInit(terminal, plan);
    printInit(terminal, plan, found);
    if (plan.zoneFiles.length + plan.keptZones.length > 0 || from === undefined) await printNext(terminal, from);
    return plan.failed.length > 0 ? exitCode.partly : exitCode.done;
  },
});

function checkUsage(terminal: Terminal, paths: readonly string[], { yes, from, zone }: InitOptions): void {
  const fault = (text: string) => new ProblemError(problem("usage", text));
  const choices = "--from api, --from empty or the path of your zone files, and --format yaml or bind";
  if (!yes && !terminal.ask) throw fault(`init asks questions, and there is no terminal: add --yes, with ${choices}.`);
  if (paths.length > 0 && from !== undefined && from !== "files")
    throw fault(`--from ${from} reads no files: leave out ${paths.join(" ")}.`);
  if (yes && from === "files" && paths.length === 0)
    throw fault("--from files needs the path of the files: zonewright init FOLDER.");
  if (zone !== undefined && from !== "empty") throw fault("--zone names the example that --from empty writes.");
}

/** Chooses the source from the command line or the folder; undefined if the user has to choose. */
function chooseSource(
  terminal: Terminal,
  setup: Setup,
  paths: readonly string[],
  { from, yes, tokenFile }: InitOptions,
): Chosen | undefined {
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
  throw new ProblemError(problem("usage", plain(summary)));
}

/** The questions of `init`. Each has a default, which the empty answer takes; Ctrl-C ends the command. */
class Questions {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async source(from: InitOptions["from"]): Promise<Chosen> {
    const { env } = this.#terminal;
    const wanted =
      from ??
      (await this.#choose("Where are your zones now?", [
        ["api", "in the account of an API: import them"],
        ["files", "in files: BIND, octoDNS or zonewright"],
        ["empty", "nowhere yet: start with an example"],
      ]));
    if (wanted === "files") return { from: wanted, paths: [await this.#ask("Folder or file", "zones")] };
    if (wanted === "empty") return { from: wanted };
    const url = await this.#ask("URL of the API", env.ZONEWRIGHT_API_URL?.trim() || "http://127.0.0.1:4119");
    return { from: wanted, apiUrl: url };
  }

  format(): Promise<(typeof formatNames)[number]> {
    return this.#choose("Which format should the zone files have?", [
      ["yaml", "YAML: checked by your editor as you type"],
      ["bind", "BIND zone files"],
    ]);
  }

  zone(): Promise<string> {
    return this.#ask("Name of your first zone", "example.com");
  }

  contact(zone: string): Promise<string> {
    return this.#ask("Contact address of the zones, for their SOA records", `hostmaster@${zone}`);
  }

  async #ask(question: string, initial: string): Promise<string> {
    const { ask, signal } = this.#terminal;
    const answer = await ask?.(`${question} [${plain(initial)}]: `);
    signal.throwIfAborted();
    return answer?.trim() || initial;
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
  const { files, zoneFiles, kept, keptZones, notes, failed } = plan;
  const { print, log } = terminal;
  const problems = plan.problems.filter(({ severity }) => severity !== "note");
  if (problems.length <= mostFrames) printProblems(terminal, problems);
  else for (const problem of problems) log(`${lineOf(problem)}\n`);
  for (const note of notes) log(`note  ${plain(note)}\n`);
  for (const file of found?.skipped ?? []) log(`note  ${plain(file)} is skipped: it does not look like a zone file\n`);
  const names = zoneFiles.map(({ file }) => file);
  for (const file of names.slice(0, mostListed)) print(`wrote  ${plain(file)}\n`);
  if (names.length > mostListed) print(`wrote  ${count(names.length - mostListed, "more zone file")} beside them\n`);
  for (const { file } of files) print(`wrote  ${plain(file)}\n`);
  const same = keptZones.filter(({ advice }) => advice === undefined);
  const differing = keptZones.filter(({ advice }) => advice !== undefined);
  if (same.length > 0) print(`kept   ${count(same.length, "zone file")}\n`);
  for (const file of [...differing, ...kept]) print(keptLine(file));
  if (failed.length > 0)
    print(
      `\nskipped ${count(failed.length, "file")} with errors: ${failed.slice(0, mostListed).map(plain).join(", ")}${
        failed.length > mostListed ? ` and ${failed.length - mostListed} more` : ""
      }\nFix them and run the same command again: it adds their zones.\n`,
    );
  if (files.length + zoneFiles.length === 0) print("nothing to do: all files exist already\n");
}

function keptLine({ file, advice }: KeptFile): string {
  return `kept   ${plain(file)}${advice === undefined ? "" : `: ${plain(advice)}`}\n`;
}

function lineOf({ severity, id, summary, place }: Problem): string {
  const at = place ? `${place.file}:${place.line}:${place.column}: ` : "";
  return plain(`${at}${severity}[${id}] ${summary}`);
}

/** Prints the state of the zones, and the next command. */
async function printNext(terminal: Terminal, from: Chosen["from"]): Promise<void> {
  const { ZONEWRIGHT_TOKEN, ZONEWRIGHT_TOKEN_FILE } = terminal.env;
  const { zones, records, problems } = await validateZones(openProject(terminal, { config: "zonewright.yaml" }), []);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  terminal.print(
    `\n${count(zones, "zone")}, ${count(records, "record")}${errors > 0 ? `, ${count(errors, "error")}` : ""}\n`,
  );
  const isConnected = from === "api" || ZONEWRIGHT_TOKEN || ZONEWRIGHT_TOKEN_FILE;
  if (hasErrors(problems)) terminal.print("next: `zonewright validate` lists what to fix\n");
  else if (isConnected) terminal.print("next: `zonewright plan` compares the files with the account\n");
  else
    terminal.print(
      "next: set ZONEWRIGHT_TOKEN (`zonewright serve` runs an API here and prints one), then run `zonewright plan`\n",
    );
}
