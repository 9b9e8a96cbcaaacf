import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { commandNames, inputs, readInputs } from "../../src/action/inputs.ts";
import { outputNames, results } from "../../src/action/outputs.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Metadata {
  readonly inputs: Readonly<Record<string, { description: string; default?: string; required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { description: string }>>;
  readonly runs: { readonly using: string; readonly main: string };
}

const action = parse(read("action.yml")) as Metadata;

/** The cells of the tables of a page whose first column has a name in backticks, by the heading above. */
function tableOf(heading: string): Record<string, string[]> {
  const [, part = ""] = read("docs/action.md").split(`\n## ${heading}\n`);
  const rows = (part.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \| (.*) \|$/gm);
  return Object.fromEntries([...rows].map(([, name = "", rest = ""]) => [name, rest.split(" | ")]));
}

test("action.yml declares the inputs that the action reads, in their order and with their defaults", () => {
  expect(Object.keys(action.inputs)).toEqual(Object.keys(inputs));
  const defaults = Object.entries(inputs).map(([name, { initial }]) => [name, initial]);
  const declared = Object.entries(action.inputs).map(([name, { default: given = "" }]) => [name, given]);
  expect(Object.fromEntries(declared)).toEqual({
    ...Object.fromEntries(defaults),
    "github-token": "${{ github.token }}", // the runner fills it in
  });
  const required = Object.entries(action.inputs).filter(([, { required = false }]) => required);
  expect(required.map(([name]) => name)).toEqual(["command"]);
});

test("each input is read somewhere else than where it is declared", () => {
  const sources = readdirSync(join(root, "src/action"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && file !== "inputs.ts")
    .map((file) => read(`src/action/${file}`));
  const isRead = (name: string) => {
    const property = new RegExp(
      `\\binputs\\??(?:\\.${name}\\b|\\["${name}"\\])|\\{[^{}]*\\b${name}\\b[^{}]*\\}(?:: Pick<)?.*\\binputs\\b|INPUT_${name.toUpperCase()}\\b`,
      "i",
    );
    const destructured = new RegExp(`const \\{[^}]*\\b${name}\\b[^}]*\\} = inputs;`);
    const picked = new RegExp(`Pick<Inputs,[^>]*"${name}"`);
    return sources.some((text) => property.test(text) || destructured.test(text) || picked.test(text));
  };
  expect(Object.keys(inputs).filter((name) => !isRead(name))).toEqual([]);
});

test("the runner's defaults of action.yml suit every command", () => {
  const defaults = Object.entries(action.inputs).map(([name, { default: given = "" }]) => [
    `INPUT_${name.toUpperCase()}`,
    given,
  ]);
  for (const command of commandNames)
    expect(readInputs({ ...Object.fromEntries(defaults), INPUT_COMMAND: command }).command).toBe(command);
});

test("action.yml declares the outputs that the action writes, and the results", () => {
  expect(Object.keys(action.outputs)).toEqual([...outputNames]);
  const { description = "" } = action.outputs.result ?? {};
  expect(description).toBe(`Result of the command: ${results.slice(0, -1).join(", ")} or ${results.at(-1)}.`);
  const { description: commands = "" } = action.inputs.command ?? {};
  expect(commands).toBe(`Command to run: ${commandNames.slice(0, -1).join(", ")} or ${commandNames.at(-1)}.`);
});

test("descriptions are sentences", () => {
  const all = [...Object.values(action.inputs), ...Object.values(action.outputs)].map(({ description }) => description);
  expect(all.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
});

test("docs/action.md lists the inputs with their commands and defaults, and the outputs", () => {
  const listed = Object.entries(tableOf("Inputs")).map(([name, [commands, initial]]) => [name, commands, initial]);
  expect(listed).toEqual(
    Object.entries<{ initial: string; commands?: readonly string[] }>(inputs).map(([name, { initial, commands }]) => [
      name,
      name === "github-token" ? "plan, apply, drift" : (commands?.join(", ") ?? "all"),
      name === "github-token" ? "that of the job" : initial === "" ? "" : `\`${initial}\``,
    ]),
  );
  expect(Object.keys(tableOf("Outputs"))).toEqual([...outputNames]);
  expect(Object.keys(tableOf("Results"))).toEqual([...results]);
});

test("the bundle that action.yml names is checked in", () => {
  expect(action.runs).toEqual({ using: "node20", main: "action/index.js" });
  expect(read(action.runs.main)).toMatch(/^#!\/usr\/bin\/env node\nimport /);
});
