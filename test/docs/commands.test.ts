import { join } from "node:path";
import { expect, test } from "vitest";
import { type DescribedCommand, listFlags } from "../../src/cli/command.ts";
import { describeCommands } from "../../src/cli/program.ts";
import { flagName } from "../../src/diagnostics/shell-word.ts";
import { readPage, root } from "./page.ts";

const file = "docs/commands.md";

/** The page that explains a command at length, by the beginning of its name; the longest decides. */
const explainedIn: Readonly<Record<string, string>> = {
  init: "[Getting started](getting-started.md)",
  validate: "[Zone files](zone-files.md)",
  plan: "[Plan and apply](plan-and-apply.md)",
  apply: "[Plan and apply](plan-and-apply.md)",
  verify: "[Plan and apply](plan-and-apply.md#verify)",
  undo: "[Plan and apply](plan-and-apply.md)",
  drift: "[Drift](drift.md)",
  compare: "[Cut over](cut-over.md)",
  expand: "[Zone files](zone-files.md#templates)",
  export: "[Export zones](export.md)",
  import: "[Move zones](import.md)",
  doctor: "[CI](ci.md)",
  api: "[Call the API](api.md). `zonewright api` lists all operations",
  serve: "[The server](server/README.md)",
  server: "[Operating the server](server/operate.md)",
  "server operator client": "[Sign in with OAuth](server/oauth.md#stop-an-application)",
  "server operator managed": "[Managed monitoring](server/managed.md)",
  "server operator credential": "[Managed monitoring](server/managed.md)",
  "server operator sshkey": "[Managed monitoring](server/managed.md)",
  "server operator node": "[Nodes](server/nodes.md)",
  "server operator maintenance": "[Nodes](server/nodes.md)",
};

test("docs/commands.md has every command with its arguments and options, in the words of the program", async () => {
  const all = await describeCommands();
  const isGroup = (name: string) => all.some((one) => one.name.startsWith(`${name} `));
  // Operations of the API have a help of their own, which lists their fields.
  const shown = all.filter(({ name }) => !name.startsWith("api ") && (name === "api" || !isGroup(name)));
  const [head] = readPage(file).split("\n## ");
  const rows = shown.map(({ name, summary }) => `| [\`${name}\`](#${name.replaceAll(" ", "-")}) | ${cell(summary)} |`);
  const list = ["## All commands", "", "| command | does |", "|---|---|", ...rows].join("\n");
  await expect(`${head}\n${list}\n\n${shown.map(sectionOf).join("\n")}`).toMatchFileSnapshot(join(root, file));
});

function sectionOf({ name, summary, command }: DescribedCommand): string {
  const given = Object.entries(command.arguments ?? {});
  const parts = name.split(" ").map((_, index, words) => words.slice(0, words.length - index).join(" "));
  const page = parts.map((part) => explainedIn[part]).find((found) => found !== undefined);
  const options = listFlags(command).map(([key, flag]) => {
    const { value, summary, choices, initial, isRequired } = flag;
    const more = [
      ...(isRequired ? ["required"] : []),
      ...(choices ? [`one of ${choices.map((one) => `\`${one}\``).join(", ")}`] : []),
      ...(initial !== undefined ? [`default \`${initial}\``] : []),
    ];
    const about = `${cell(summary)}${more.length > 0 ? ` (${more.join("; ")})` : ""}`;
    return `| \`${[flagName(key), ...(value === undefined ? [] : [value])].join(" ").replaceAll("|", "\\|")}\` | ${about} |`;
  });
  const table = [...given.map(([arg, about]) => `| \`${arg}\` | ${cell(about)} |`), ...options];
  return [
    `## ${name}`,
    "",
    `${cell(summary[0]?.toUpperCase() ?? "")}${cell(summary.slice(1))}.${page === undefined ? "" : ` See ${page}.`}`,
    "",
    "```text",
    command.example.trimEnd().replaceAll(/^ {2}/gm, ""),
    "```",
    "",
    ...(table.length > 0 ? ["| argument or option | meaning |", "|---|---|", ...table, ""] : []),
  ].join("\n");
}

/** A text of the program in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll(/[|<*[\]]/g, "\\$&");
}
