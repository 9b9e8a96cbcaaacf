import { escapeControl } from "../../diagnostics/escape.ts";
import { nearestByWords } from "../../diagnostics/nearest.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { kebabCase, operations, summaryOf } from "../api/operation.ts";
import { operationCommand } from "../api/operation-command.ts";
import { operationList } from "../api/operation-list.ts";
import { type CommandGroup, defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";

/** `zonewright api` without an operation that it knows. */
const self = defineCommand({
  example: `  zonewright api                             list the operations
  zonewright api list-domains --filter domain=example.com
  zonewright api create-record 1 --set type=A --set name=www \\
    --set target=192.0.2.1
  zonewright api delete-record 1 2 --yes
`,
  arguments: { "[operation...]": "an operation with its parameters; lists all if none is given" },
  run({ print, printStyle, printWidth }, { operation: words }) {
    if (words.length > 0) throw unknownOperation(words);
    print(operationList(printStyle, printWidth()));
    return exitCode.done;
  },
});

/** `zonewright api`: every operation of the API, made from the contract. */
export const apiCommand: CommandGroup = {
  self,
  commands: Object.fromEntries(
    operations.map((operation) => [operation.name, [summaryOf(operation.endpoint), operationCommand(operation)]]),
  ),
};

const names = operations.map(({ name }) => name);

function unknownOperation(words: readonly string[]): Error {
  const [name = ""] = words;
  const known = words.find((word) => names.includes(word));
  if (name.startsWith("-")) {
    if (known === undefined)
      return usageError(`unknown option '${escapeControl(name)}'. \`zonewright api\` lists the operations.`);
    return usageError(`options follow the operation, as in \`zonewright api ${known} --json\`.`);
  }
  const call = words
    .filter((word) => /^[a-z]/i.test(word))
    .map(kebabCase)
    .join("-");
  const near = nearOperation(call);
  const hint = near === undefined ? "`zonewright api` lists the operations." : `Did you mean ${near}?`;
  return usageError(`unknown operation '${escapeControl(name)}'. ${hint}`);
}

/** The operation with the words that are most like those of a call; those of its path count, too. */
function nearOperation(call: string): string | undefined {
  const known = operations.map(({ name, endpoint }) => {
    const path = endpoint.path.replaceAll(/\{[^}]*\}/g, "").split(/[^a-z]+/);
    return { name, more: path.filter((word) => word !== "") };
  });
  return /[a-z][-_ ]+[a-z]/.test(call) ? nearestByWords(call, known) : undefined;
}
