import { configSchema } from "../../config/config.ts";
import { adviceText, inWordsOf } from "../../diagnostics/advice.ts";
import {
  type ProblemId,
  type ProblemSet,
  problemIds,
  type RegisteredProblem,
  registry,
} from "../../diagnostics/registry.ts";
import { asName, nameKey } from "../../dns/name/name.ts";
import { ackFields, guardText } from "../../planner/blocks/acks.ts";
import { guards } from "../../planner/blocks/guards.ts";
import type { Guard, Thresholds } from "../../planner/risk/guard.ts";
import { adjustableRules, isRecordLimit, isStrict, ruleSets } from "../../workflow/project/switchable.ts";
import { type Explanation, type Term, terms } from "../../workflow/start/explain.ts";

/** The subject of each set, in the order of the list. */
const sets: Readonly<Record<ProblemSet, string>> = {
  api: "limits of the API",
  dns: "rules of DNS",
  practice: "good practice",
  reading: "syntax of zone files; severity is fixed",
  project: "files, plans and runs of a project",
  service: "the API, name servers and the database",
  github: "GitHub, for pull requests",
};

/**
 * The reason of a rule, examples that pass and fail it, and how to set its severity; or the changes that a guard
 * blocks, how it counts them, an example, and how to approve it.
 */
export function explanationText(explanation: Explanation): string {
  if (explanation.kind === "guard") return explainGuard(explanation.guard, explanation.formerId);
  if (explanation.kind === "term") return termTexts[explanation.term];
  const { rule, formerId } = explanation;
  return `${formerId === undefined ? "" : `${formerId} is now ${rule.id}\n\n`}${ruleText(rule)}`;
}

const words = inWordsOf("cli");

const termTexts: Readonly<Record<Term, string>> = {
  effects: words`effects: the digest of what a plan changes
  An effect is the creation, change or deletion of one record or setting, with its values before and after. The digest in the last lines of a plan is of all its effects: two plans with the same digest change the same things, in whatever order or commit.
  Each block of a guard has a digest of its own, of the effects that it blocks. An approval in acks.yaml contains it, so that it approves these changes and no others.
  Guards and plan files compare effects, not files: a comment or another order in a zone file changes none.

More: ${{ run: "help", args: ["guards"] }}, ${{ run: "help", args: ["plan-and-apply"] }}.
`,
  acks: words`acks.yaml: approvals of changes that guards block
  A list beside zonewright.yaml, which is reviewed in git like the zone files. \`plan\` prints each entry; only its reason is yours to write.

  - guard: G05                     # the guard that blocks
    zone: example.com              # or * for a guard of the whole run
    effects: "dc27227fa7842531"    # of the blocked changes; others stay blocked
    reason: mail moves to the new host
    until: 2026-04-03              # the last day on which it is valid

  An entry that is used, expired or about other effects approves nothing, and can be deleted. ${{ set: "allow", to: "G05" }} approves for one run instead.

More: ${{ run: "help", args: ["guards"] }}.
`,
};

/** `formerId` is that of the check of the whole run, of which the rest is then left out. */
function explainGuard(entry: Guard, formerId: string | undefined): string {
  const { guard, title, about, ofNew, counts, thresholds = [], zoneSetting, examples } = entry;
  const { valid, invalid, invalidOfRun } = examples ?? {};
  const blocked = [...(formerId === undefined && invalid ? [invalid] : []), ...(invalidOfRun ? [invalidOfRun] : [])];
  const zones = blocked.length === 0 ? ["*"] : blocked.map(({ zone = "example.com" }) => zone);
  return [
    ...(formerId === undefined ? [] : [`${formerId} is now ${guard}, for the run as a whole (zone "*")`, ""]),
    `${guard}: guard (${title})`,
    `  Blocks a plan that ${about}.`,
    `  Applies to new zones: ${ofNew ? "yes" : "no"}.`,
    "",
    "How it counts",
    `  ${counts}`,
    ...settingLines(thresholds, zoneSetting),
    "",
    ...blocked.flatMap(({ lines, finding, zone }) => [
      `Example${zone === "*" ? " of a run" : ""} (- before, + after)`,
      ...lines.map((line) => `  ${line}`),
      "",
      `  blocked by ${guardText({ guard })}: ${finding}`,
      "",
    ]),
    ...(valid ? ["Not blocked", ...valid.map((line) => `  ${line}`), ""] : []),
    words`To approve the changes for one run: ${{ set: "allow", to: formerId ?? guard }}`,
    words`Or in acks.yaml, with the digits that ${{ run: "plan" }} prints, and a reason:`,
    ...zones.map((name) => {
      const zone = name === "*" ? name : nameKey(asName(`${name}.`));
      return `  - { ${ackFields({ guard, zone, effectDigest: "…" }, "…").join(", ")} }`;
    }),
    "",
  ].join("\n");
}

function settingLines(thresholds: readonly (keyof Thresholds)[], zoneSetting: string | undefined): string[] {
  if (zoneSetting !== undefined) return [`  To switch it off at one name of a zone file: ${zoneSetting}`];
  if (thresholds.length === 0) return ["  No setting changes that."];
  const usual = configSchema([]).shape.guards.parse({});
  return [
    "",
    "  To change it in zonewright.yaml; these are the defaults:",
    "    guards:",
    ...thresholds.map((name) => `      ${name}: ${usual[name]}`),
  ];
}

export function ruleText(entry: RegisteredProblem): string {
  const { id, set, severity, why, example } = entry;
  return [
    `${id}: ${severity}, set ${set} (${sets[set]})`,
    `  ${adviceText(why, "cli")}`,
    ...(example ? ["", "Valid", indent(example.valid), "", "Invalid", indent(example.invalid)] : []),
    "",
    ...advice(entry),
    "",
  ].join("\n");
}

function advice({ id, set, severity }: RegisteredProblem): string[] {
  if (isStrict(id)) return ["Its severity is fixed: the API rejects violations."];
  if (!adjustableRules.includes(id)) return ["Its severity is fixed."];
  if (severity === "note") return ["To switch it off in zonewright.yaml:", `  rules: { ${id}: off }`];
  const isLimit = isRecordLimit(id);
  // A limit on whole zones belongs to no name, and its set contains limits that cannot be switched off.
  if (set === "api" && !isLimit)
    return ["To change it in zonewright.yaml (error, warning, note, off):", `  rules: { ${id}: off }`];
  const milder = isLimit ? "note" : "off";
  return [
    isLimit
      ? "To lower it in zonewright.yaml; a record that violates it is then kept in the file and not sent:"
      : "To change it in zonewright.yaml, alone or as a set (error, warning, note, off):",
    `  rules: { ${id}: ${milder} }`,
    `  rules: { ${set}: ${isLimit ? "warning" : "off"} }`,
    "To lower it at one name, where an error becomes a warning and a warning a note:",
    `  www: { lenient: [${id}], A: 192.0.2.1 }   # in YAML`,
    `  ;@ lenient www: ${id}`,
  ];
}

/** All rules by set, and all guards. */
export function rulesText(): string {
  const blocks = Object.entries(sets).map(([set, about]) => {
    const entries = problemIds.map((id) => registry[id]).filter((entry) => entry.set === set);
    const isSwitched = (ruleSets as readonly string[]).includes(set);
    const lines = entries
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, severity }) => `  ${id.padEnd(20)}  ${isSwitched ? severity.padEnd(9) : ""}${firstWords(id)}`);
    return [`${set}: ${about}`, ...lines].join("\n");
  });
  const lines = guards.map(({ guard, about }) => `  ${guard.padEnd(20)}  ${about}`);
  blocks.push(
    ["words of plans and files", ...terms.map((term) => `  ${term.padEnd(20)}  ${firstLine(term)}`)].join("\n"),
  );
  blocks.push(["guards: each blocks a plan that …, until someone approves it", ...lines].join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

/** The first sentence of the reason, without sources. */
function firstWords(id: ProblemId): string {
  return adviceText(registry[id].why, "cli").replaceAll(/ \([^()]*\)/g, "");
}

/** The meaning of a term, without its name. */
function firstLine(term: Term): string {
  return termTexts[term].split("\n")[0]?.replace(/^\S+: /, "") ?? "";
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
