import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished } from "vitest";
import { bundle } from "../../action/bundle.ts";
import { runAction } from "../../src/action/run-action.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import type { Desk } from "../cli/run.ts";
import { type ObeyedCommand, obey, readOutputs } from "./runner-rules.ts";

/** The result of a step, as a runner sees it. */
export interface StepResult {
  /** The exit code, or the signal that ended the process. */
  readonly code: number | string;
  readonly outputs: Record<string, string>;
  /** The summary of the job. */
  readonly summary: string;
  /** Annotations such as `error zones/example.com.yaml:3 cname-alone: …`. */
  readonly annotations: string[];
  /** Every command that the runner obeyed. */
  readonly commands: ObeyedCommand[];
  /** The lines of the log that are no commands. */
  readonly log: string;
}

export interface StepOptions {
  /** The variables of the runner besides its files. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The payload of the event. */
  readonly event?: unknown;
}

const built = mkdtempSync(join(tmpdir(), "zonewright-action-"));
let isBuilt: Promise<void> | undefined;

/** Has the tests of a file run the bundle of the present sources. */
export function useBundle(): void {
  beforeAll(async () => {
    process.once("exit", () => rmSync(built, { recursive: true, force: true }));
    writeFileSync(join(built, "package.json"), '{ "type": "module" }');
    isBuilt ??= bundle(built);
    await isBuilt;
  });
}

/** Runs the action with these variables in its environment; returns its exit code and output. */
type Run = (env: NodeJS.ProcessEnv) => Promise<{ code: number | string; output: string }>;

/**
 * Runs the action as a runner does, with the inputs in its environment, in the folder of a desk. Fails if the output, a
 * file of the runner or the summary contains a secret of the desk, or if the summary is too long.
 */
export function runStep(
  desk: Desk,
  inputs: Readonly<Record<string, string>>,
  options: StepOptions = {},
): Promise<StepResult> {
  return observeStep(desk, inputs, options, async (env) => {
    let output = "";
    const context = createRunContext({ ...process, cwd: () => desk.folder, env });
    const code = await runAction(context, (text) => {
      output += text;
    });
    return { code, output };
  });
}

/** The same with the bundle, in a process of its own. A test file that calls it begins with `useBundle`. */
export function runBundle(
  desk: Desk,
  inputs: Readonly<Record<string, string>>,
  options: StepOptions & {
    /** Called with the process. */
    readonly onStart?: (child: ChildProcess) => void;
  } = {},
): Promise<StepResult> {
  return observeStep(desk, inputs, options, async (env) => {
    const child = spawn(process.execPath, [join(built, "index.js")], { cwd: desk.folder, env });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    options.onStart?.(child);
    const code = await new Promise<number | string>((resolve) =>
      child.once("close", (code, signal) => resolve(code ?? signal ?? "")),
    );
    expect(errors).toBe("");
    return { code, output };
  });
}

async function observeStep(
  desk: Desk,
  inputs: Readonly<Record<string, string>>,
  { env = {}, event = {} }: StepOptions,
  run: Run,
): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-runner-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text = "") => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const files = {
    GITHUB_OUTPUT: file("output"),
    GITHUB_STEP_SUMMARY: file("summary"),
    GITHUB_EVENT_PATH: file("event.json", JSON.stringify(event)),
    RUNNER_TEMP: join(folder, "temp"),
  };
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const { PATH, HOME } = process.env;
  const own = { PATH, HOME, CI: "true", GITHUB_ACTIONS: "true", ...files, ...Object.fromEntries(given), ...env };
  const { code, output } = await run(own);
  const { commands, shown } = obey(output);
  const read = (path: string) => readFileSync(path, "utf8");
  const summary = read(files.GITHUB_STEP_SUMMARY);
  const outputs = readOutputs(read(files.GITHUB_OUTPUT));
  const masked = new Set(commands.filter(({ name }) => name === "add-mask").map(({ data }) => data));
  const rest = [
    ...shown,
    ...commands.filter(({ name }) => name !== "add-mask").map((one) => JSON.stringify(one)),
    summary,
    JSON.stringify(outputs),
  ].join("\n");
  for (const secret of desk.secrets) {
    expect(rest).not.toContain(secret);
    if (output.includes(secret)) expect(masked).toContain(secret);
  }
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(2 ** 20);
  const constant = (text: string) => desk.shown.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return {
    code,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, value]) => [name, constant(value).replace(folder, "/runner")]),
    ),
    summary: constant(summary),
    annotations: commands.filter(({ name }) => ["error", "warning", "notice"].includes(name)).map(annotationText),
    commands,
    log: constant(shown.join("\n")),
  };
}

function annotationText({ name, properties, data }: ObeyedCommand): string {
  const { file, line, title } = properties;
  const place = file === undefined ? "" : `${file}:${line} `;
  return `${name} ${place}${title}: ${data}`;
}
