import type { ApiOptions } from "../workflow/connect/connection.ts";
import { type ExitCode, exitCode } from "../workflow/project/exit-code.ts";
import type { Project } from "../workflow/project/project.ts";
import type { RunContext } from "../workflow/project/run-context.ts";
import type { Inputs } from "./inputs.ts";
import type { Outputs, Result } from "./outputs.ts";
import type { Runner } from "./runner.ts";

/** One step of a workflow. */
export interface Job {
  readonly context: RunContext;
  readonly inputs: Inputs;
  readonly project: Project;
  readonly runner: Runner;
}

/** How a command ended. */
export interface ActionResult {
  readonly result: Result;
  /** The exit code of the process, as of the command line; the runner fails the step unless it is 0. */
  readonly code: ExitCode;
  readonly outputs?: Outputs;
  /** The text for the summary of the job, in Markdown of at most `budget` octets. */
  readonly summary?: (budget: number) => string;
}

/** The style of texts in the log. */
export const logStyle = { color: false, unicode: true, door: "action" } as const;

/** The settings of connections to the API. */
export function apiOptions({ inputs }: Job): ApiOptions {
  const apiUrl = inputs["api-url"];
  return { tokenName: "the input `token`", ...(apiUrl !== undefined && { apiUrl }) };
}

/** The exit code of results that `fail-on` decides about. */
export function codeByFailOn(result: "in-sync" | "changes" | "blocked" | "drift", { inputs }: Job): ExitCode {
  const failing: Readonly<Record<Inputs["fail-on"], readonly Result[]>> = {
    changes: ["changes", "blocked", "drift"],
    guards: ["blocked"],
    drift: ["drift"],
    never: [],
  };
  if (!failing[inputs["fail-on"]].includes(result)) return exitCode.done;
  return result === "blocked" ? exitCode.invalid : exitCode.differences;
}
