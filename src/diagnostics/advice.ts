import { type AdvisedCommand, type AdvisedOption, advisedCommands, advisedOptions } from "./advised.ts";
import { flagName, shellWord, spellWithHyphens } from "./shell-word.ts";

/** The door through which a person uses zonewright: the command line, the action, or the functions of the package. */
export type Door = "cli" | "action" | "library";

/** Option values: `true` for a switch, a list for a repeated option, `<name>` or `FILE` for values to fill in. */
type Values<Name extends string> = { readonly [Option in Name]?: string | true | readonly string[] };

/** A command to run, with its arguments and options. */
export type RunStep = {
  [Name in AdvisedCommand]: {
    readonly run: Name;
    readonly args?: readonly (string | number)[];
    readonly with?: Values<(typeof advisedCommands)[Name]["options"][number]>;
  };
}[AdvisedCommand];

/** An operation of the API to call, such as `listDomains`; `with` are options of `zonewright api`. */
interface CallStep {
  readonly call: string;
  readonly args?: readonly (string | number)[];
  readonly with?: Values<"set" | "filter" | "body">;
}

/** An option to set, to leave out or to change. */
interface SetStep {
  readonly set: AdvisedOption;
  readonly to?: string;
}

/** A step in advice. Each door writes it in its own terms: flags, inputs, or functions. */
export type AdvisedStep = RunStep | CallStep | SetStep;

/** Sentences of advice, in which steps are data. `toString` words them for users of the library. */
export class Advice {
  /** @internal */
  readonly parts: readonly (Fix | AdvisedStep)[];

  /** @internal */
  constructor(parts: readonly (Fix | AdvisedStep)[]) {
    this.parts = parts;
  }

  toString(): string {
    return adviceText(this, "library");
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Advice, as sentences without flags and commands, or with steps. */
export type Fix = string | Advice;

/** Builds advice from a template, whose values are steps, texts, or advice to insert. */
export function advise(texts: TemplateStringsArray, ...values: readonly Value[]): Advice {
  return new Advice(
    texts.flatMap((text, index) => {
      const value = values[index];
      return value === undefined ? [text] : [text, typeof value === "number" ? `${value}` : value];
    }),
  );
}

/** A value in a template of advice. */
type Value = AdvisedStep | Fix | number;

/** Advice in the words of a door. */
export function adviceText(advice: Fix, door: Door): string {
  if (typeof advice === "string") return advice;
  return advice.parts
    .map((part) => (typeof part === "string" || part instanceof Advice ? adviceText(part, door) : stepText(part, door)))
    .join("");
}

/** Writes a template with steps in the words of a door. */
export function inWordsOf(door: Door): (texts: TemplateStringsArray, ...values: readonly Value[]) => string {
  return (texts, ...values) => adviceText(advise(texts, ...values), door);
}

function stepText(step: AdvisedStep, door: Door): string {
  if ("set" in step) return optionText(step, door);
  if ("call" in step)
    return door === "library" ? `\`client.${step.call}()\`` : `\`${prefixOf(door)}${commandLine(step)}\``;
  return `\`${ownText(step, door) ?? prefixOf(door) + commandLine(step)}\``;
}

/** A command as the action or the library has it; undefined if only the command line has it. */
function ownText(step: RunStep, door: Door): string | undefined {
  if (door === "cli" || (step.args?.length ?? 0) > 0) return undefined;
  const name = advisedCommands[step.run][door];
  const given = Object.entries(step.with ?? {}) as [AdvisedOption, string | true | readonly string[]][];
  const names = given.map(([option]) => advisedOptions[option][door]);
  if (name === null || names.includes(null)) return undefined;
  if (door === "library") return names.length === 0 ? `${name}()` : `${name}(…, { ${names.join(", ")} })`;
  return [`command: ${name}`, ...given.map(([, value], at) => `${names[at]}: ${value}`)].join("`, `");
}

/** Elsewhere than in a shell with the package, its command line is run by npx. */
function prefixOf(door: Door): string {
  return door === "cli" ? "" : "npx ";
}

function optionText({ set, to }: SetStep, door: Door): string {
  const name = door === "cli" ? null : advisedOptions[set][door];
  if (name === null) {
    const flag = [flagName(set), ...(to === undefined ? [] : [to])].join(" ");
    return door === "cli" ? flag : `\`${flag}\` of the command line`;
  }
  if (to !== undefined) return `${name}: ${to}`;
  return door === "action" ? `the input \`${name}\`` : `the option \`${name}\``;
}

/** A step as a line of a shell. */
export function commandLine(step: RunStep | CallStep): string {
  const name = "run" in step ? step.run : `api ${spellWithHyphens(step.call)}`;
  const given: [string, string | true | readonly string[]][] = Object.entries(step.with ?? {});
  const options = given.flatMap(([option, value]) => {
    if (value === true) return [flagName(option)];
    return [value].flat().flatMap((one) => [flagName(option), quote(one)]);
  });
  return ["zonewright", name, ...(step.args ?? []).map(quote), ...options].join(" ");
}

/** Values to replace, such as `<name>`, are not quoted. */
function quote(given: string | number): string {
  const word = `${given}`;
  return /<[a-z -]+>/.test(word) || word === "…" ? word : shellWord(word);
}
