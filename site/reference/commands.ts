import { type DescribedCommand, type Flag, listFlags } from "../../src/cli/command.ts";
import { describeCommands } from "../../src/cli/program.ts";
import { flagName } from "../../src/diagnostics/shell-word.ts";
import { block, type Page, prose, table } from "../page.ts";

/** A page for each command, with what `--help` shows. */
export async function listCommands(): Promise<Page[]> {
  return (await describeCommands()).map((command) => ({
    path: `reference/commands/${command.name.replaceAll(" ", "-")}`,
    title: `zonewright ${command.name}`,
    text: commandText(command),
  }));
}

function commandText({ name, summary, command }: DescribedCommand): string {
  const words = Object.entries(command.arguments ?? {});
  const flags = listFlags(command);
  return [
    `# zonewright ${name}`,
    `${prose(summary)}.`,
    "## Example",
    block(command.example.replaceAll(/^ {2}/gm, ""), "sh"),
    ...(words.length === 0
      ? []
      : [
          "## Arguments",
          table(
            ["argument", "meaning"],
            words.map(([word, about]) => [`\`${word}\``, prose(about)]),
          ),
        ]),
    ...(flags.length === 0
      ? []
      : [
          "## Options",
          table(
            ["option", "meaning"],
            flags.map(([key, flag]) => [optionOf(key, flag), meaningOf(flag)]),
          ),
        ]),
    ...(command.notes === undefined ? [] : ["## Notes", block(command.notes)]),
    "Every command also has `--color` and `--help`. [Exit codes](../exit-codes/index.md) say how it ended.",
    "",
  ].join("\n\n");
}

const optionOf = (key: string, { value }: Flag<unknown>) =>
  `\`--${flagName(key)}${value === undefined ? "" : ` ${value}`}\``;

function meaningOf({ summary, choices, initial, isRepeatable, isRequired }: Flag<unknown>): string {
  const facts = [
    ...(isRequired ? ["required"] : []),
    ...(choices ? [`one of ${choices.map((word) => `\`${word}\``).join(", ")}`] : []),
    ...(initial === undefined ? [] : [`by default \`${String(initial)}\``]),
    ...(isRepeatable && !/repeatable/.test(summary) ? ["repeatable"] : []),
  ];
  return `${prose(summary)}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}`;
}
