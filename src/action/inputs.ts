import { escapeControl } from "../diagnostics/escape.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { readDuration } from "../dns/name/duration.ts";
import { Fault } from "../dns/name/fault.ts";
import { readServer } from "../dns-client/server-address.ts";
import { readGuards } from "../workflow/plan/allowed-guards.ts";
import { signingVariable } from "../workflow/project/plan-keys.ts";

export const commandNames = ["validate", "plan", "apply", "verify", "drift", "import", "snapshot"] as const;
export type CommandName = (typeof commandNames)[number];

/** An input of the action. */
interface Input<T> {
  /** The value if the workflow does not set it; empty if there is none. */
  readonly initial: string;
  /** The commands that read it; all if absent. For others it is an error to set it. */
  readonly commands?: readonly CommandName[];
  /** Reads the trimmed value. @throws {InputFault} with the end of a sentence that begins with the input's name. */
  readonly read: (text: string) => T;
}

/** Why the value of an input is invalid. */
class InputFault extends Error {}

const text = (initial: string, commands?: readonly CommandName[]): Input<string> => ({
  initial,
  ...(commands && { commands }),
  read: (value) => value,
});

/** An input that may be empty. */
const optional = (commands?: readonly CommandName[]): Input<string | undefined> => ({
  initial: "",
  ...(commands && { commands }),
  read: (value) => (value === "" ? undefined : value),
});

/** Words separated by spaces or line breaks. */
const words = (commands?: readonly CommandName[]): Input<string[]> => ({
  initial: "",
  ...(commands && { commands }),
  read: (value) => value.split(/\s+/).filter(Boolean),
});

const choice = <const T extends string>(
  choices: readonly T[],
  initial: NoInfer<T> | "",
  commands?: readonly CommandName[],
): Input<T> => ({
  initial,
  ...(commands && { commands }),
  read: (value) => {
    const found = choices.find((one) => one === value);
    if (found === undefined) throw new InputFault(`must be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`);
    return found;
  },
});

const flag = (initial: boolean, commands?: readonly CommandName[]): Input<boolean> => ({
  initial: `${initial}`,
  ...(commands && { commands }),
  // The words of YAML 1.2's core schema, as for `core.getBooleanInput`.
  read: (value) => {
    if (/^(?:true|True|TRUE)$/.test(value)) return true;
    if (/^(?:false|False|FALSE)$/.test(value)) return false;
    throw new InputFault("must be true or false");
  },
});

const live: readonly CommandName[] = ["plan", "apply", "verify", "drift", "import", "snapshot"];

/** The inputs of the action, as in action.yml. */
export const inputs = {
  command: choice(commandNames, ""),
  config: text("zonewright.yaml"),
  zones: words(),
  target: words(),
  "api-url": optional(live),
  token: optional(live),
  against: text("live", ["plan"]),
  "github-token": optional(), // for every command, because the runner passes the default of action.yml
  plan: optional(["plan", "apply"]),
  expires: text("7d", ["plan"]),
  comment: choice(["sticky", "new", "off", "on-change"], "sticky", ["plan"]),
  summary: flag(true),
  annotations: flag(true),
  sarif: optional(["validate", "plan"]),
  junit: optional(["validate", "plan"]),
  html: optional(["plan", "drift"]),
  "fail-on": choice(["changes", "guards", "drift", "never"], "guards", ["plan", "drift"]),
  allow: words(["plan", "apply"]),
  "delete-zones": words(["plan", "apply"]),
  "skip-invalid": flag(false, ["plan", "apply"]),
  "two-people": flag(false, ["apply"]),
  verify: choice(["off", "api", "rendered", "auth"], "", ["apply", "verify"]),
  nameservers: words(["apply", "verify"]),
  wait: text("1m", ["apply", "verify"]),
  snapshot: optional(["plan", "drift"]),
  base: optional(["plan", "drift"]), // the former name
  write: flag(false, ["drift"]),
  "open-pr": flag(false, ["drift"]),
  source: words(["import"]),
  ref: text("refs/zonewright/snapshot", ["snapshot"]),
} as const satisfies Readonly<Record<string, Input<unknown>>>;

export type InputName = keyof typeof inputs;

/** The values of the inputs. */
export type Inputs = { readonly [Name in InputName]: ReturnType<(typeof inputs)[Name]["read"]> };

/** The inputs with secret values. */
const secret: readonly InputName[] = ["token", "github-token"];

type Environment = Readonly<Record<string, string | undefined>>;

/** The values that may not be in any output. */
export function readSecretInputs(env: Environment): string[] {
  return [
    ...secret.map((name) => givenValue(env, name)),
    ...Object.keys(env).flatMap((name) => (isSecretVariable(name) ? (env[name]?.trim() ?? "") : [])),
  ].filter(Boolean);
}

/** The token, those of targets, and the key of plan files. */
function isSecretVariable(name: string): boolean {
  return name === signingVariable || /^ZONEWRIGHT_(?:\w+_)?TOKEN$/.test(name);
}

/**
 * Reads the inputs that the runner passes in the environment.
 * @throws {ProblemError} `action-input` with a problem for each wrong input.
 */
export function readInputs(env: Environment): Inputs {
  const wrong: string[] = [];
  const values: Record<string, unknown> = {};
  const { command: initial } = inputs;
  const command = givenValue(env, "command") || initial.initial;
  for (const [name, input] of Object.entries<Input<unknown>>(inputs) as [InputName, Input<unknown>][]) {
    const given = givenValue(env, name);
    const value = given === "" ? initialOf(name, input, command) : given;
    try {
      values[name] = input.read(value);
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      wrong.push(
        given === ""
          ? `the input "${name}" is missing: it ${error.message}`
          : `${describeInput(name, given)} ${error.message}`,
      );
      continue;
    }
    const isRead = input.commands === undefined || input.commands.some((one) => one === command);
    if (isRead || given === "" || given === input.initial || name === "command") continue;
    if (commandNames.some((one) => one === command))
      wrong.push(`the input "${name}" does not apply to the command ${command}, only to ${input.commands?.join(", ")}`);
  }
  if (wrong.length === 0) wrong.push(...findIgnored(values as Inputs));
  if (wrong.length > 0) throw new ProblemError(wrong.map((summary) => inputProblem(summary)));
  return values as Inputs;
}

/** The inputs that have no effect beside the others. */
function findIgnored({ plan, "two-people": isTwoPeople, verify, nameservers }: Inputs): string[] {
  const ignored: string[] = [];
  if (isTwoPeople && plan !== "auto")
    ignored.push('the input "two-people" is "true", which needs the input "plan" to be "auto"');
  if (nameservers.length > 0 && verify !== "auth")
    ignored.push('the input "nameservers" needs the input "verify" to be "auth"');
  return ignored;
}

/** The default; that of `verify` depends on the command. */
function initialOf(name: InputName, { initial }: Input<unknown>, command: string): string {
  if (name === "verify") return command === "verify" ? "auth" : "off";
  return initial;
}

/** The guards of the input `allow`. @throws {ProblemError} `action-input` */
export function readAllowed(words: readonly string[]): void {
  readGuards(
    words,
    (word, why) => new ProblemError(inputProblem(`the input "allow" is "${escapeControl(word)}": ${why}`)),
  );
}

/** The servers of the input `nameservers`. @throws {ProblemError} `action-input` */
export function readServers(words: readonly string[]): void {
  for (const word of words) nameInput("nameservers", word, () => readServer(word, "nameservers"));
}

/** The seconds of the inputs `wait` and `expires`. @throws {ProblemError} `action-input` */
export function readTime(name: "wait" | "expires", text: string): number {
  return nameInput(name, text, () => readDuration(text));
}

/** Reads part of the value of an input; errors name the input. */
function nameInput<T>(name: InputName, value: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault || error instanceof ProblemError)) throw error;
    throw new ProblemError(
      inputProblem(`the input "${name}" is "${escapeControl(value)}": ${error.message.replace(/\.$/, "")}`),
    );
  }
}

/** An error of an input; its name and value are not secret. */
export function inputProblem(summary: string) {
  return problem("action-input", summary, { fix: "docs/action.md lists the inputs and their values." });
}

function describeInput(name: InputName, value: string): string {
  return secret.includes(name) ? `the input "${name}"` : `the input "${name}" is "${escapeControl(value)}": it`;
}

function givenValue(env: Environment, name: InputName): string {
  return env[`INPUT_${name.toUpperCase()}`]?.trim() ?? "";
}
