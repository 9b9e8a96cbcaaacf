import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flagName } from "../../diagnostics/shell-word.ts";
import { makeTemporaryFolder } from "../../workflow/project/temporary-folder.ts";
import { variables } from "../../workflow/project/variables.ts";
import { version } from "../../workflow/project/version.ts";
import { type DescribedCommand, defineCommand, flag, listFlags } from "../command.ts";
import { type ExitCode, exitCode, exitMeanings } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

/** `zonewright man`: opens the manual page of the package, which describes every command. */
export const manCommand = defineCommand({
  example: `  zonewright man
  zonewright man --source > zonewright.1     the page in roff
`,
  flags: { source: flag("print the source of the page, in the man macros of roff") },
  async run(terminal, _, { source }, { describe }) {
    const page = manualPage(await describe());
    if (source) terminal.print(page);
    else return openPage(terminal, page);
    return exitCode.done;
  },
});

/** Opens a page with `man`, in its pager on a terminal. */
function openPage(terminal: Terminal, page: string): ExitCode {
  const folder = makeTemporaryFolder("man");
  try {
    const file = join(folder, "zonewright.1");
    writeFileSync(file, page);
    const shown = terminal.printWidth() === undefined ? "pipe" : "inherit";
    const { error, status, stdout } = spawnSync("man", [file], {
      env: terminal.env,
      stdio: ["inherit", shown, "inherit"],
    });
    if (error !== undefined)
      terminal.log("man cannot be run. Install it, or read the pages that `zonewright help` lists.\n");
    else if (stdout !== null) terminal.print(stdout.toString());
    return status === 0 ? exitCode.done : exitCode.failed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The page in roff's man macros. */
function manualPage(commands: readonly DescribedCommand[]): string {
  return [
    `.TH ZONEWRIGHT 1 "" "zonewright ${version()}"`,
    ".SH NAME",
    "zonewright \\- DNS zones in git: validate, plan and apply changes",
    ".SH SYNOPSIS",
    ".B zonewright",
    "\\fIcommand\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    "zonewright compares zone files with a hosted DNS API, shows a plan to review, and applies it without ever leaving",
    "a name unresolvable. It reads zonewright.yaml of the working folder. zonewright help",
    "\\fItopic\\fR shows the documentation.",
    ".SH COMMANDS",
    ...commands.flatMap((command) => {
      const listed = commands.filter(({ name }) => name.startsWith(`${command.name} `));
      if (listed.length > 0) return [...commandLines(command), ...listed.flatMap(listedLines)];
      return commands.some(({ name }) => command.name.startsWith(`${name} `)) ? [] : commandLines(command);
    }),
    ".SH COMMON OPTIONS",
    ".TP",
    "\\fB\\-\\-color\\fR \\fI<when>\\fR",
    "when to use colours (always, never, auto)",
    ".TP",
    ".B \\-\\-help",
    "show the help of a command",
    ".SH ENVIRONMENT",
    ...[...variables, ["NO_COLOR, FORCE_COLOR", "switch colours off, or on"] as const].flatMap(([name, about]) => [
      ".TP",
      `.B ${name}`,
      escapeLine(about),
    ]),
    ".SH EXIT STATUS",
    ...exitMeanings.flatMap(([code, meaning]) => [".TP", `.B ${code}`, escapeLine(meaning)]),
    "",
  ].join("\n");
}

function commandLines({ name, summary, command }: DescribedCommand): string[] {
  const args = Object.keys(command.arguments ?? {}).map((arg) => ` ${arg}`);
  const flags = listFlags(command).flatMap(([key, { value, summary, choices }]) => [
    ".TP",
    `\\fB${escapeLine(flagName(key))}\\fR${value === undefined ? "" : ` \\fI${escapeLine(value)}\\fR`}`,
    escapeLine(choices ? `${summary} (${choices.join(", ")})` : summary),
  ]);
  const ofArguments = Object.entries(command.arguments ?? {}).flatMap(([arg, about]) => [
    ".TP",
    `\\fI${escapeLine(arg)}\\fR`,
    escapeLine(about),
  ]);
  const examples = command.example
    .trimEnd()
    .split("\n")
    .map((line) => escapeLine(line.slice(2)));
  return [
    `.SS zonewright ${escapeLine(name + args.join(""))}`,
    escapeLine(summary),
    ...ofArguments,
    ...flags,
    ".PP",
    ".nf",
    ...examples,
    ".fi",
  ];
}

/** A command that the command before it lists, such as an operation of the API; its own help describes its options. */
function listedLines({ name, summary, command }: DescribedCommand): string[] {
  const words = [name, ...Object.keys(command.arguments ?? {})].join(" ");
  return [".TP", `.B zonewright ${escapeLine(words)}`, escapeLine(summary)];
}

/** Escapes a line so that roff reads no requests or escapes in it. */
function escapeLine(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^[.']/, "\\&$&").replaceAll("…", "...");
}
