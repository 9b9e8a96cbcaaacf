import { nearest } from "../../diagnostics/nearest.ts";
import { plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import {
  isProblemId,
  type ProblemId,
  type ProblemSet,
  problemIds,
  type RegisteredProblem,
  registry,
} from "../../diagnostics/registry.ts";
import type { Guard } from "../../planner/guard.ts";
import { guards } from "../../planner/guards.ts";
import { isRecordLimit, unyielding } from "../../targets/api/limits.ts";

import { ruleSets, yielding } from "../../workflow/switchable.ts";
import { defineCommand } from "../command.ts";
import { codesOfKinds, exitCode, exitMeanings } from "../exit-code.ts";

/** What the sets are about, in the order of the list. */
const sets: Readonly<Record<ProblemSet, string>> = {
  api: "limits of the API",
  dns: "rules of DNS",
  practice: "good practice",
  reading: "syntax of zone files; cannot be switched",
  project: "files, plans and runs of a project",
  service: "the API, name servers and the database",
};

/**
 * `zonewright explain [word]`: the reason of a rule, what keeps and what breaks it, and how to switch it; what a guard
 * blocks; what an exit code means; without a word the list of all of these.
 */
export const command = defineCommand({
  example: `  zonewright explain                         every rule, guard and exit code
  zonewright explain private-address
`,
  arguments: {
    "[word]":
      "the id in brackets after error or warning, a guard such as G05, an exit code, or exit-codes; lists all if none is given",
  },
  run(terminal, { word }) {
    terminal.print(word === undefined ? list() : textOf(word));
    return exitCode.done;
  },
});

function textOf(word: string): string {
  const guard = guards.find((known) => known.guard === word.toUpperCase());
  if (guard) return guardExplanation(guard);
  if (word === "exit-codes") return `${exitCodeLines().join("\n")}\n`;
  const code = exitMeanings.find(([known]) => String(known) === word);
  return code ? exitCodeExplanation(code) : explanation(found(word));
}

function exitCodeExplanation([code, meaning]: (typeof exitMeanings)[number]): string {
  const kinds = codesOfKinds.filter(([, known]) => known === code).map(([kind]) => kind);
  const ids = problemIds.filter((id) => kinds.includes(registry[id].kind)).sort();
  const isRest = code === exitCode.invalid;
  return [
    `exit code ${code}`,
    `  ${meaning}`,
    ...(isRest ? ["", "Errors: all that no other exit code names."] : []),
    ...(ids.length > 0 && !isRest ? ["", "Errors", ...ids.map((id) => `  ${id}`)] : []),
    "",
  ].join("\n");
}

function exitCodeLines(): string[] {
  return exitMeanings.map(([code, meaning]) => `  ${String(code).padEnd(20)} ${meaning}`);
}

function guardExplanation({ guard, about, ofNew }: Guard): string {
  return [
    `${guard}: guard`,
    `  It blocks such changes until someone approves them: ${about}.`,
    `  New zones: ${ofNew ? "looked at too" : "not looked at"}.`,
    "",
    `Approve the changes for one run with --allow ${guard}, or in acks.yaml with the line that zonewright plan prints.`,
    "",
  ].join("\n");
}

function found(word: string): RegisteredProblem {
  // As it is copied from a finding: error[private-address].
  const id = word.replace(/^(?:\w+)?\[(.*)\]$/, "$1").toLowerCase();
  if (isProblemId(id)) return registry[id];
  const near = nearest(id, problemIds);
  const fix = near ? `Did you mean ${near}?` : "zonewright explain lists all rules, guards and exit codes.";
  throw new ProblemError(problem("rule-unknown", `${plain(word)} is no rule`, { fix }));
}

/** Everything there is to say of one rule. */
export function explanation(entry: RegisteredProblem): string {
  const { id, set, severity, why, example } = entry;
  return [
    `${id}: ${severity}, set ${set} (${sets[set]})`,
    `  ${why}`,
    ...(example ? ["", "OK", indented(example.ok), "", "KO", indented(example.ko)] : []),
    "",
    ...advice(entry),
    "",
  ].join("\n");
}

function advice({ id, set, severity }: RegisteredProblem): string[] {
  if (unyielding.has(id)) return ["It cannot be switched: the API refuses what breaks it."];
  if (!yielding.includes(id)) return ["It cannot be switched."];
  if (severity === "note") return ["Switched in zonewright.yaml:", `  rules: { ${id}: off }`];
  const isLimit = isRecordLimit(id);
  const milder = isLimit ? "note" : "off";
  return [
    isLimit
      ? "Milder in zonewright.yaml; a record that breaks it then stays in the file and is not sent:"
      : "Switched in zonewright.yaml, alone or with its set (error, warning, note or off):",
    `  rules: { ${id}: ${milder} }`,
    `  rules: { ${set}: ${isLimit ? "warning" : "off"} }`,
    "Excused at one name, where an error becomes a warning and a warning a note:",
    `  www: { lenient: [${id}], A: 192.0.2.1 }   # in YAML`,
    `  ;@ lenient www: ${id}`,
  ];
}

function list(): string {
  const blocks = Object.entries(sets).map(([set, about]) => {
    const entries = problemIds.map((id) => registry[id]).filter((entry) => entry.set === set);
    const isSwitched = (ruleSets as readonly string[]).includes(set);
    const lines = entries
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, severity }) =>
        `  ${id.padEnd(20)} ${isSwitched ? severity.padEnd(8) : ""}${firstWords(id)}`.trimEnd(),
      );
    return [`${set}: ${about}`, ...lines].join("\n");
  });
  const lines = guards.map(({ guard, about }) => `  ${guard.padEnd(20)} ${about}`);
  blocks.push(["guards: changes that are blocked until someone approves them", ...lines].join("\n"));
  blocks.push(["exit codes: how a command ended", ...exitCodeLines()].join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

/** The reason without its sources. */
function firstWords(id: ProblemId): string {
  return registry[id].why.replaceAll(/ \([^()]*\)/g, "");
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
