import { problemIds, registry } from "../../diagnostics/registry.ts";
import { explanationText, rulesText } from "../../report/api/explanation.ts";
import { explain } from "../../workflow/start/explain.ts";
import { defineCommand } from "../command.ts";
import { codesOfKinds, exitCode, exitMeanings } from "../exit-code.ts";
import { printText } from "../terminal.ts";

/** `zonewright explain [word]`: describes a rule, a guard or an exit code; without a word, lists all of them. */
export const explainCommand = defineCommand({
  example: `  zonewright explain                         every rule, guard and exit code
  zonewright explain private-address
`,
  arguments: {
    "[word]":
      "the id in brackets after error or warning, a guard such as G05, an exit code, exit-codes, effects or acks; lists all if none is given",
  },
  run(terminal, { word }) {
    printText(terminal, word === undefined ? listText() : textOf(word));
    return exitCode.done;
  },
});

function listText(): string {
  return `${rulesText()}\n${["exit codes: how a command ended", ...exitCodeLines()].join("\n")}\n`;
}

function textOf(word: string): string {
  if (word === "exit-codes") return `${exitCodeLines().join("\n")}\n`;
  const code = exitMeanings.find(([known]) => String(known) === word);
  return code ? exitCodeText(code) : explanationText(explain(word));
}

function exitCodeText([code, meaning]: (typeof exitMeanings)[number]): string {
  const kinds = codesOfKinds.filter(([, known]) => known === code).map(([kind]) => kind);
  const ids = problemIds.filter((id) => kinds.includes(registry[id].kind)).sort();
  const isRest = code === exitCode.invalid;
  return [
    `exit code ${code}`,
    `  ${meaning}`,
    ...(isRest ? ["", "Errors: all that end with no other exit code."] : []),
    ...(ids.length > 0 && !isRest ? ["", "Errors", ...ids.map((id) => `  ${id}`)] : []),
    "",
  ].join("\n");
}

function exitCodeLines(): string[] {
  return exitMeanings.map(([code, meaning]) => `  ${String(code).padEnd(20)}  ${meaning}`);
}
