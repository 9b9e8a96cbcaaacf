import type { Command as Commander } from "commander";
import { toJsonSchema } from "../contract/json-schema.ts";
import { nearest } from "../diagnostics/nearest.ts";
import { listFields } from "./api/field.ts";
import { operations } from "./api/operation.ts";

/** Commands of other tools (Terraform, OpenTofu, octoDNS, DNSControl, git), and their equivalents in zonewright. */
const commandHints: readonly [words: string, hint: string][] = [
  ["diff preview refresh status", "`zonewright plan` shows how the live zones differ from the files."],
  ["push sync deploy up update", "`zonewright apply` shows the plan, asks, and writes."],
  ["dump get-zones pull download fetch", "`zonewright import api` writes the live zones as zone files."],
  [
    "state",
    "zonewright keeps no state: `zonewright plan` compares the files with the live zones, and `zonewright runs` lists past runs.",
  ],
  ["login auth check-creds", "Set ZONEWRIGHT_TOKEN to a token; `zonewright plan` shows whether it works."],
  ["check lint test", "`zonewright validate` checks the zone files."],
  [
    "destroy delete rm remove",
    "`zonewright unset NAME TYPE` removes a record from its zone file, and `zonewright apply --delete-zone NAME` deletes a domain that has none.",
  ],
  ["show list ls get", "`zonewright export --live --to records NAME` prints the live records of a zone."],
  ["rollback revert", "`zonewright undo last` reverts the last run."],
  ["add create edit record update-record", "`zonewright set NAME TYPE VALUE` writes a record into its zone file."],
  ["format", "`zonewright fmt` normalises zone files."],
  ["convert", "`zonewright fmt --to yaml` or `--to bind` converts zone files."],
  ["version", "`zonewright --version` prints the version."],
];

/** Hints for options of other programs; given only if the command supports the option `needs`. */
const optionHints: readonly [pattern: RegExp, needs: string | undefined, hint: string][] = [
  [/^-{1,2}(?:auto-approve|assume-yes|doit)$|^-y$/, "--yes", "`--yes` applies without asking."],
  [
    /^-{1,2}force$|^-f$/,
    "--allow",
    "`--yes` applies without asking, and `--allow` approves what the named guards block.",
  ],
  [/^-{1,2}dry-?run$|^-n$/, "--check", "`--check` shows the change, and writes nothing."],
  [/^-{1,2}dry-?run$|^-n$/, undefined, "`zonewright plan` shows what apply would write, and writes nothing."],
  [/^-o$|^-{1,2}output$/, "--out", "`--out` takes the file or folder to write."],
  [/^-{1,2}json$/, "--report", "`--report json` prints JSON."],
  [/^-{1,2}(?:domain|origin)s?$|^-z$/, "--zone", "`--zone` takes the name of the zone."],
  [
    /^-{1,2}(?:target|zone|domain)s?$|^-z$/,
    undefined,
    "Name zones without an option, as in `zonewright plan example.com`.",
  ],
  [
    /^-{1,2}(?:api-)?token$/,
    "--token-file",
    "Other users of this machine can see options: set ZONEWRIGHT_TOKEN, or name a file with --token-file.",
  ],
  [/^-{1,2}w(?:rite)?$/, "--check", "It writes without an option; `--check` only shows what would change."],
  [/^-v$|^-version$/, undefined, "`zonewright --version` prints the version."],
];

/** Options of the operations of `zonewright api` whose reply is a list. */
const listOptions = ["--columns", "--filter", "--order-by", "--page", "--page-size", "--all"];

/**
 * Returns a hint about a command line that commander rejects; `code` and `message` are commander's, `argv` is the
 * command line.
 */
export function usageHint(program: Commander, argv: readonly string[], code: string, message: string): string {
  const { command, path } = findCommand(program, argv);
  const options = command.options.map(({ long }) => long ?? "");
  const [, word = ""] = /'([^']*)'/.exec(message) ?? [];
  const help = `Run \`${path} --help\` for its usage.`;
  if (code === "commander.unknownCommand") {
    if (command !== program) {
      const all = command.commands.map((one) => one.name()).join(", ");
      return `${path} has the commands: ${all}. ${help}`;
    }
    const [, hint] = commandHints.find(([words]) => words.split(" ").includes(word)) ?? [];
    return hint ?? suggestionIn(message) ?? help;
  }
  if (code === "commander.unknownOption") {
    const [name = ""] = word.split("=");
    if (path.startsWith("zonewright api ")) {
      if (listOptions.includes(name) && !options.includes(name))
        return `Only operations that return a list have ${name}. \`--json\` prints all of its reply.`;
      const field = findField(command.name(), name.replace(/^-+/, "").replaceAll("-", "_"));
      const set = field === undefined ? help : `Fields follow --set, as in \`--set ${field}=VALUE\`.`;
      return suggestionIn(message) ?? set;
    }
    const [, , hint] =
      optionHints.find(([pattern, needs]) => pattern.test(name) && (!needs || options.includes(needs))) ?? [];
    if (name !== word && options.includes(name)) return `${name} takes no value.`;
    const subcommands = command.commands.filter((one) => !one.name().startsWith("__")).map((one) => one.name());
    if (subcommands.length > 0 && command !== program)
      return `Options follow one of its commands: ${subcommands.join(", ")}. ${help}`;
    const isOneDash = /^-[^-]/.test(name) && options.includes(`-${name}`);
    if (isOneDash) return `Options have two dashes: -${word}`;
    const behind = valuesHint(command, path, word);
    return hint ?? suggestionIn(message) ?? behind ?? help;
  }
  if (code === "commander.excessArguments") {
    const hint = hintForExcess(command, path, argv);
    if (hint !== undefined) return hint;
  }
  if (code === "commander.missingMandatoryOptionValue") {
    const option = command.options.find(({ flags }) => flags === word);
    return option?.argChoices ? `Choose one: ${option.argChoices.join(", ")}. ${help}` : help;
  }
  return suggestionIn(message) ?? help;
}

/** A hint about a value that starts with a hyphen; undefined for commands without values. */
function valuesHint(command: Commander, path: string, word: string): string | undefined {
  const hasValues = command.registeredArguments.some((one) => one.name() === "values");
  return hasValues ? `Values that start with a hyphen follow --: \`${path} NAME TYPE -- ${word}\`` : undefined;
}

/** A hint about a word that lacks its option: a field of an operation, or a number that is a port. */
function hintForExcess(command: Commander, path: string, argv: readonly string[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith("-"));
  const field = words.map((word) => /^([\w.]+)=/.exec(word)?.[1]).find((name) => name !== undefined);
  if (field !== undefined && path.startsWith("zonewright api "))
    return `Fields follow --set, as in \`--set ${findField(command.name(), field) ?? field}=VALUE\`.`;
  const port = words.find((word) => /^\d+$/.test(word));
  const hasPort = command.options.some(({ long }) => long === "--port");
  return hasPort && port !== undefined ? `The port is an option: \`--port ${port}\`.` : undefined;
}

/** The field of an operation's body that was most likely meant by an option; undefined if it has none like it. */
function findField(operation: string, written: string): string | undefined {
  const { endpoint } = operations.find(({ name }) => name === operation) ?? {};
  if (endpoint?.body === undefined || endpoint.media) return undefined;
  const fields = listFields(toJsonSchema(endpoint.body, "input")).map(({ path }) => path);
  return nearest(written, fields);
}

/** Finds the command that the words name, and its full name. */
function findCommand(program: Commander, argv: readonly string[]): { command: Commander; path: string } {
  let command = program;
  let path = "zonewright";
  for (const word of argv.filter((word) => !word.startsWith("-"))) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) break;
    [command, path] = [next, `${path} ${word}`];
  }
  return { command, path };
}

/** Turns commander's `(Did you mean apply?)` into a sentence. */
function suggestionIn(message: string): string | undefined {
  const [, suggestion] = /\((Did you mean .*\?)\)/.exec(message) ?? [];
  return suggestion;
}
