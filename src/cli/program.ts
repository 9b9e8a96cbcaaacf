import { Command as Commander, CommanderError, InvalidArgumentError, Option } from "commander";
import type { Problem } from "../diagnostics/problem.ts";
import { flagName } from "../diagnostics/shell-word.ts";
import { version } from "../workflow/project/version.ts";
import type { Command, CommandGroup, DescribedCommand, Flag } from "./command.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { fitMessages, type Terminal } from "./terminal.ts";

/** A command's name, its summary, and its file, which exports `planCommand` for `plan`. */
type CommandEntry = readonly [name: string, summary: string, load: () => Promise<CommandFile>];
type CommandFile = { readonly [Name in `${string}Command`]: Command | CommandGroup };

/** The commands, as the help lists them. A command's file, with its flags and examples, is loaded on demand. */
const commands: readonly CommandEntry[] = [
  ["init", "set up a folder: config, zone files, approvals", () => import("./commands/init.ts")],
  ["validate", "check zone files: syntax, DNS rules, limits of the API", () => import("./commands/validate.ts")],
  ["set", "set the values of a record in its zone file", () => import("./commands/set.ts")],
  ["unset", "remove a record, or some of its values, from its zone file", () => import("./commands/unset.ts")],
  ["explain", "describe a rule, guard or exit code", () => import("./commands/explain.ts")],
  ["plan", "show what apply would write, in order; writes nothing", () => import("./commands/plan.ts")],
  ["apply", "plan, ask, write and verify; or only what plan files approve", () => import("./commands/apply.ts")],
  ["verify", "check that the zones' name servers answer as the files say", () => import("./commands/verify.ts")],
  [
    "snapshot",
    "save the live zones of the account as one file, to plan against",
    () => import("./commands/snapshot.ts"),
  ],
  ["drift", "show what changed outside git, and who did it", () => import("./commands/drift.ts")],
  ["compare", "show which records and answers of two sides differ", () => import("./commands/compare.ts")],
  ["runs", "list past runs, or show what happened in one", () => import("./commands/runs.ts")],
  ["undo", "plan the inverse of a run, ask, write and verify", () => import("./commands/undo.ts")],
  ["expand", "print a zone with its templates and defaults written out", () => import("./commands/expand.ts")],
  ["export", "write zones in another form; files need no project", () => import("./commands/export.ts")],
  ["fmt", "normalise zone files; order, sections and comments stay", () => import("./commands/fmt.ts")],
  ["import", "import zones into git", () => import("./commands/import.ts")],
  ["doctor", "check config, API, token, clock, git and name servers", () => import("./commands/doctor.ts")],
  ["api", "call any operation of the API", () => import("./commands/api.ts")],
  ["serve", "run the API server locally", () => import("./commands/serve.ts")],
  ["server", "tokens, users, backups and operation of that server", () => import("./commands/server.ts")],
  ["completion", "print completion for bash, zsh or fish", () => import("./commands/completion.ts")],
  ["help", "show the help of a command, or a topic", () => import("./commands/help.ts")],
  ["man", "open the manual page", () => import("./commands/man.ts")],
  ["demo", "show plan, apply and export on a temporary server", () => import("./commands/demo.ts")],
];

/** Commands of earlier versions that are now under `zonewright server`; accepted for one version. */
const moved = ["backup", "token", "user", "operator"];

/** Commands for scripts of the package itself, which no help lists. */
const hidden: typeof commands = [
  [
    "__complete",
    "list zones or runs for completion",
    async () => ({ __completeCommand: (await import("./commands/complete.ts")).completeCommand }),
  ],
];

/** Every command, with its flags and examples. */
export async function describeCommands(): Promise<DescribedCommand[]> {
  const loaded = await Promise.all(
    commands.map(async (entry) => [entry[0], entry[1], await loadCommand(entry)] as const),
  );
  return loaded.flatMap(([name, summary, command]) => describe(name, summary, command));
}

async function loadCommand([name, , load]: CommandEntry): Promise<Command | CommandGroup> {
  const { [`${name}Command` as const]: command } = await load();
  if (command === undefined) throw new Error(`the file of ${name} has no command of this name`);
  return command;
}

/** A command, or the commands of a group, its own first. */
function describe(name: string, summary: string, command: Command | CommandGroup): DescribedCommand[] {
  if (!("commands" in command)) return [{ name, summary, command }];
  const subs = Object.entries(command.commands).flatMap(([sub, [summary, one]]) =>
    describe(`${name} ${sub}`, summary, one),
  );
  return command.self ? [{ name, summary, command: command.self }, ...subs] : subs;
}

const example = `Example:
  zonewright serve             run a DNS API locally; prints its URL and a token
  export ZONEWRIGHT_TOKEN=...
  zonewright init              write zone files: of the account, or an example
  zonewright plan              show what would change, and in which order
  zonewright apply             ask, write and verify
`;

/** A run of the program. The command that is under way sets its own values. */
interface ProgramRun {
  readonly argv: readonly string[];
  terminal: Terminal;
  code: ExitCode;
  interruption: string;
  reportProblems: (problems: readonly Problem[]) => Promise<string | undefined>;
  /** The error of commander for an invalid command line. */
  refusal: string;
}

/** Runs the program. Never throws: the exit code says how it ended. */
export async function runProgram(given: Terminal, argv: readonly string[]): Promise<ExitCode> {
  const terminal = fitMessages(given);
  const at = argv.findIndex((word) => !word.startsWith("-"));
  const named = argv[at];
  if (named !== undefined && moved.includes(named)) {
    terminal.log(
      `note: \`zonewright ${named}\` is now \`zonewright server ${named}\`; the old form ends with the next version\n`,
    );
    return await runProgram(given, argv.toSpliced(at, 0, "server"));
  }
  const run: ProgramRun = {
    argv,
    terminal,
    code: exitCode.done,
    interruption: "no further writes are sent",
    reportProblems: async () => undefined,
    refusal: "",
  };
  const program = createProgram(run);
  try {
    for (const entry of commands) {
      const commander = program.command(entry[0]).description(entry[1]);
      if (entry[0] === named) registerCommand(run, commander, await loadCommand(entry));
    }
    for (const entry of hidden.filter(([name]) => name === named))
      registerCommand(run, program.command(entry[0], { hidden: true }).description(entry[1]), await loadCommand(entry));
    const isKnown = named === undefined || program.commands.some((one) => one.name() === named);
    // Commander shows the help of the program when an unknown command has --help.
    await program.parseAsync(isKnown ? [...argv] : [named], { from: "user" });
    return run.code;
  } catch (error) {
    if (error instanceof CommanderError) return await reportRefusal(run, program, error);
    if (terminal.signal.aborted) {
      terminal.log(`interrupted: ${run.interruption}\n`);
      return exitCode.interrupted;
    }
    const { reportError } = await import("./print-error.ts");
    return await reportError(run.terminal, error, run.reportProblems);
  }
}

function createProgram(run: ProgramRun): Commander {
  const { terminal } = run;
  return new Commander("zonewright")
    .description("DNS zones in git: validate, plan and apply changes without ever leaving a name unresolvable.")
    .version(version())
    .addHelpText("before", example)
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      getOutHelpWidth: () => Math.min(terminal.printWidth() ?? 80, 100),
      writeOut: terminal.print,
      writeErr: terminal.log,
      outputError: (text) => {
        run.refusal = text;
      },
    });
}

/** Reports an invalid command line; after help or the version, commander ends with an error of exit code 0. */
async function reportRefusal(
  { terminal, argv, refusal }: ProgramRun,
  program: Commander,
  error: CommanderError,
): Promise<ExitCode> {
  if (error.exitCode === 0) return exitCode.done;
  if (refusal !== "") {
    const { usageHint } = await import("./usage-hint.ts");
    const { escapeControl } = await import("../diagnostics/escape.ts");
    const [message = ""] = refusal.split("\n");
    terminal.log(`${escapeControl(message)}\n  ${escapeControl(usageHint(program, argv, error.code, refusal))}\n`);
  }
  return exitCode.usage;
}

/** Registers a command with commander, and of a group the commands that the command line names. */
function registerCommand(run: ProgramRun, commander: Commander, command: Command | CommandGroup): void {
  if ("commands" in command) {
    const { self } = command;
    const example =
      self?.example ??
      command.example ??
      describe("", "", command)
        .map(({ command }) => command.example)
        .join("");
    commander.addHelpText("before", `Example:\n${example}`);
    if (self) {
      const options = { isDefault: true, hidden: true };
      registerCommand(run, commander.command("__self", options).allowUnknownOption(), self);
    }
    for (const [name, [summary, one]] of Object.entries(command.commands)) {
      const sub = commander.command(name).description(summary);
      if (run.argv.includes(name)) registerCommand(run, sub, one); // the API has a hundred operations
    }
    return;
  }
  // Functions: the help of every operation of the API would take longer to write than a call of one of them.
  commander.addHelpText("before", () => `Example:\n${command.example}`);
  commander.addHelpText("after", () => {
    const { notes } = command;
    return notes === undefined ? "" : `\n${notes.trimEnd()}`;
  });
  for (const [name, summary] of Object.entries(command.arguments ?? {})) commander.argument(name, summary);
  for (const [name, flag] of Object.entries(command.flags ?? {})) commander.addOption(optionOf(name, flag));
  commander.addOption(
    new Option("--color <when>", "when to use colours").choices(["always", "never", "auto"]).default("auto"),
  );
  commander.action((...given: unknown[]) => runCommand(run, commander, command, given));
}

/** Runs a command with the arguments that commander read. */
async function runCommand(run: ProgramRun, commander: Commander, command: Command, given: unknown[]): Promise<void> {
  const { terminal, argv } = run;
  const options = commander.opts<{ color: string; quiet?: boolean; config?: string }>();
  const args = Object.fromEntries(commander.registeredArguments.map((arg, index) => [arg.name(), given[index]]));
  const { ProgressDisplay, progressMode } = await import("./progress-display.ts");
  const colored = withColor(terminal, options.color);
  const progress = new ProgressDisplay(colored, progressMode(colored, options.quiet ?? false));
  run.terminal = colored;
  run.interruption = command.interruption ?? run.interruption;
  run.reportProblems = async (problems) => command.reportProblems?.(problems, options, colored);
  // Completion is silent: a message would appear in the command line being typed.
  const isSilent = hidden.some(([name]) => name === commander.name());
  if (!isSilent && Object.keys(terminal.env).some((name) => /^ZONEWRIGHT_/i.test(name))) {
    const { unknownVariables } = await import("../workflow/project/variables.ts");
    const { adviceText } = await import("../diagnostics/advice.ts");
    for (const text of unknownVariables(terminal, options.config ?? "zonewright.yaml"))
      terminal.log(`warning: ${adviceText(text, "cli")}\n`);
  }
  try {
    run.code = await command.run(progress.terminal, args, options, {
      run: runProgram,
      describe: describeCommands,
      argv,
    });
  } finally {
    progress.end();
  }
}

function optionOf(name: string, flag: Flag<unknown>): Option {
  const { value, summary, choices, initial, isRepeatable, isRequired, isFormer } = flag;
  const long = flagName(name);
  const option = new Option(value === undefined ? long : `${long} ${value}`, summary);
  option.negate = false; // --no-console is `noConsole`, like every other flag
  option.hidden = isFormer ?? false;
  if (choices) option.choices(choices);
  if (initial !== undefined) option.default(initial);
  if (isRequired) option.makeOptionMandatory();
  if (isRepeatable) option.argParser((word, words: string[] = []) => [...words, word]);
  else if (value !== undefined && !choices) option.argParser(refuseEmpty);
  return option;
}

/** Refuses the value of a variable of a shell that is not set. */
function refuseEmpty(word: string): string {
  if (word === "") throw new InvalidArgumentError("It is empty.");
  return word;
}

/** The flag takes precedence over the environment. */
function withColor(terminal: Terminal, when: string): Terminal {
  if (when === "auto") return terminal;
  const color = when === "always";
  const { printStyle, logStyle } = terminal;
  return { ...terminal, printStyle: { ...printStyle, color }, logStyle: { ...logStyle, color } };
}
