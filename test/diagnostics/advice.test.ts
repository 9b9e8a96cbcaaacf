import { expect, test } from "vitest";
import { commandNames, inputs } from "../../src/action/inputs.ts";
import { operations } from "../../src/cli/api/operation.ts";
import type { ClientOptions } from "../../src/client/client.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import { Advice, type AdvisedStep, adviceText, advise, type RunStep } from "../../src/diagnostics/advice.ts";
import {
  type AdvisedCommand,
  type AdvisedOption,
  advisedCommands,
  advisedOptions,
} from "../../src/diagnostics/advised.ts";
import { formatProblem } from "../../src/diagnostics/frame.ts";
import { aroundSummary, ProblemError, problem } from "../../src/diagnostics/problem.ts";
import { flagName } from "../../src/diagnostics/shell-word.ts";
import * as library from "../../src/library/index.ts";
import type { RemoteOptions, ServerOptions } from "../../src/library/server.ts";
import { Desk } from "../cli/run.ts";
import { filesOf } from "../house/files.ts";

const commands = Object.keys(advisedCommands) as AdvisedCommand[];
const options = Object.keys(advisedOptions) as AdvisedOption[];

/** The options of the functions of the library that advice may name. */
type LibraryOptions = library.PlanRequest &
  library.LoadPlanOptions &
  library.ApplyRequest &
  library.ProjectOptions &
  library.ApiOptions &
  library.VerifyingOptions &
  ClientOptions &
  ServerOptions &
  RemoteOptions;
type AdvisedInLibrary = Exclude<(typeof advisedOptions)[AdvisedOption]["library"], null>;
/** The compiler refuses an entry that no function of the library has as an option. */
const inLibrary: AdvisedInLibrary extends keyof LibraryOptions ? true : never = true;

/** Every command that advice names, alone and with each of its options. */
const steps = commands.flatMap((run): RunStep[] => [
  { run } as never,
  ...advisedCommands[run].options.map((option) => ({ run, with: { [option]: "X" } }) as never),
]);

const textOf = (step: AdvisedStep, door: "cli" | "action" | "library") => adviceText(advise`${step}`, door);

const shown = new Map<string, Promise<string>>();
/** The help of a command, which is printed from its definition. */
function helpOf(words: string): Promise<string> {
  const text = shown.get(words) ?? new Desk().run(`${words} --help`).then(({ code, out }) => `${code}${out}`);
  shown.set(words, text);
  return text;
}

test.each(steps.map((step) => [textOf(step, "cli"), step] as const))("%s is a command line", async (text, step) => {
  const help = await helpOf(step.run);
  expect(help).toMatch(new RegExp(`^0[^]*Usage: zonewright ${step.run}(?: |$)`, "m"));
  for (const option of Object.keys(step.with ?? {})) expect(help).toMatch(new RegExp(`^  ${flagName(option)}\\b`, "m"));
  expect(text).toMatch(new RegExp(`^\`zonewright ${step.run}`));
});

test("every command has words in the action: its own command and inputs, or a command line for npx", () => {
  const wrong = steps.filter((step) => {
    const text = textOf(step, "action");
    const own = /^`command: (\w+)`(?:, `([\w-]+): X`)?$/.exec(text);
    if (!own) return text !== textOf(step, "cli").replace("`", "`npx ");
    const [, command, input] = own;
    const known = commandNames.find((name) => name === command);
    if (known === undefined) return true;
    if (input === undefined) return false;
    const { commands: readers } = { commands: undefined, ...inputs[input as keyof typeof inputs] };
    return !(input in inputs) || (readers !== undefined && !(readers as readonly string[]).includes(known));
  });
  expect(wrong).toEqual([]);
});

test("every command has words in the library: one of its functions, or a command line for npx", () => {
  const wrong = steps.filter((step) => {
    const text = textOf(step, "library");
    const [, name] = /^`(\w+)\((?:…, \{ \w+ \})?\)`$/.exec(text) ?? [];
    return name === undefined ? text !== textOf(step, "cli").replace("`", "`npx ") : !(name in library);
  });
  expect(wrong).toEqual([]);
  expect(inLibrary).toBe(true);
});

test("every option is a flag of a command, and an input of the action if it has words there", async () => {
  const all = [...new Set([...commands, "import axfr", "compare", "server backup", "api create-node"])];
  const helps = (await Promise.all([...all, "server user grant", "validate"].map(helpOf))).join("\n");
  expect(options.filter((name) => !new RegExp(`^  ${flagName(name)}\\b`, "m").test(helps))).toEqual([]);
  expect(options.filter((name) => textOf({ set: name }, "cli") !== flagName(name))).toEqual([]);
  const ofAction = options.flatMap((name) => advisedOptions[name].action ?? []);
  expect(ofAction.filter((input) => !(input in inputs))).toEqual([]);
});

test("every operation that advice names is one of the API, a method of the client and a command", () => {
  const named = filesOf("src").flatMap(({ text }) =>
    [...text.matchAll(/\{ call: "(\w+)"/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !Object.hasOwn(endpoints, name))).toEqual([]);
  const lines = operations.map(({ name }) => `\`zonewright api ${name}\``);
  expect(named.filter((call) => !lines.includes(textOf({ call }, "cli")))).toEqual([]);
  expect(textOf({ call: "listDomains" }, "library")).toBe("`client.listDomains()`");
});

test("each door has its own words for one problem", () => {
  const fix = advise`Approve it with ${{ set: "allow", to: "G05" }}, or look at ${{ run: "plan" }} without ${{ set: "resume" }}.`;
  const found = problem("usage", advise`${{ set: "since" }} needs git`, { fix });
  expect(formatProblem(found, undefined, "cli")).toBe(
    "error[usage] --since needs git\n  Approve it with --allow G05, or look at `zonewright plan` without --resume.",
  );
  expect(formatProblem(found, undefined, "action")).toBe(
    "error[usage] `--since` of the command line needs git\n  Approve it with allow: G05, or look at `command: plan` without `--resume` of the command line.",
  );
  expect(formatProblem(found, undefined, "library")).toBe(
    "error[usage] the option `since` needs git\n  Approve it with allow: G05, or look at `planZones()` without the option `resume`.",
  );
  expect(new ProblemError(found).message).toBe("the option `since` needs git");
  expect(`${fix} ${JSON.stringify({ fix })}`).toBe(
    `${adviceText(fix, "library")} ${JSON.stringify({ fix: adviceText(fix, "library") })}`,
  );
  expect(formatProblem(aroundSummary(found, "a.zone: ", " here"))).toMatch(
    /^error\[usage\] a\.zone: --since needs git here\n/,
  );
});

test("values of steps are words of a shell, and placeholders stay as they are", () => {
  const step = {
    run: "server user add",
    args: ["a b", "<name>"],
    with: { account: "it's", restricted: true },
  } as const;
  expect(textOf(step, "cli")).toBe("`zonewright server user add 'a b' <name> --account 'it'\\''s' --restricted`");
  expect(adviceText(new Advice(["see ", advise`${{ set: "out" }}`]), "cli")).toBe("see --out");
});
