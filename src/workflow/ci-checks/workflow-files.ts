import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import * as z from "zod";
import { configFile } from "../../config/config.ts";
import { advise } from "../../diagnostics/advice.ts";
import { yamlLibrary } from "../../lazy-packages.ts";
import { readText } from "../project/files.ts";
import { attempt, type Examination } from "../start/doctor.ts";
import { notChecked } from "./not-checked.ts";

export const workflowFolder = ".github/workflows";

const values = z.record(z.string(), z.unknown());
const permissionsShape = z.union([z.string(), z.record(z.string(), z.string())]).nullish();

const workflowShape = z.object({
  on: z.unknown(),
  permissions: permissionsShape,
  env: z.union([z.string(), values]).nullish(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      name: z.string().optional(),
      /** A reusable workflow, instead of steps. */
      uses: z.string().optional(),
      permissions: permissionsShape,
      environment: z.union([z.string(), z.object({ name: z.string() })]).nullish(),
      env: z.union([z.string(), values]).nullish(),
      steps: z
        .array(
          z.looseObject({
            uses: z.string().optional(),
            run: z.string().optional(),
            with: values.nullish(),
            env: z.union([z.string(), values]).nullish(),
          }),
        )
        .default([]),
    }),
  ),
});

export type WorkflowPermissions = z.output<typeof permissionsShape>;

export interface WorkflowFile {
  readonly file: string;
  /** All that is in it, and the jobs that are examined. */
  readonly data: unknown;
  readonly jobs: readonly WorkflowJob[];
}

/** A job of a workflow, with the settings that it inherits from the workflow. */
export interface WorkflowJob {
  readonly file: string;
  readonly id: string;
  /** Its name as a status check. */
  readonly check: string;
  readonly permissions: WorkflowPermissions;
  readonly environment: string | undefined;
  /** The events of the workflow, and of those that call it, with their filters. */
  readonly events: Readonly<Record<string, unknown>>;
  /** All values that it can use, as JSON: its own keys and the variables of the workflow. */
  readonly text: string;
  readonly actions: readonly ActionStep[];
  /** The commands of zonewright that it runs without the action, such as `apply`, with their lines. */
  readonly commands: readonly { readonly role: string; readonly line: string }[];
}

/** A step that runs the action, with the settings that it inherits from its job and workflow. */
export interface ActionStep extends Pick<WorkflowJob, "file" | "check" | "permissions" | "environment" | "events"> {
  readonly uses: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The path of the config in the repository. */
  readonly config: string;
  /** The command, where a plan against a snapshot is one of its own. */
  readonly role: string;
  readonly env: Readonly<Record<string, unknown>>;
}

/** Reads the workflows of the repository; one that cannot be read is a line. */
export async function readWorkflows(top: string, found: Examination[]): Promise<WorkflowFile[]> {
  const folder = join(top, workflowFolder);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.ya?ml$/.test(name)) : [];
  const files: { readonly file: string; readonly parsed: Parsed }[] = [];
  for (const name of names.sort()) {
    const file = `${workflowFolder}/${name}`;
    await attempt(found, "CI files", () => {
      const text = readText(top, file);
      const parsed = parseWorkflow(text);
      if (parsed) files.push({ file, parsed });
      else if (/zonewright/i.test(text)) {
        const next = advise`Remove it and run ${{ run: "init", with: { ci: "github" } }}, which writes it again.`;
        found.push({ subject: "CI files", state: "fail", text: `${file} is not a workflow of GitHub`, next });
      } else if (/\bsecrets\b/i.test(text)) found.push(notChecked("CI files", `${file}, which cannot be read`));
    });
  }
  const events = eventsOfFiles(files);
  return files.map(({ file, parsed }) => ({
    file,
    data: parsed.data,
    jobs: jobsOf(file, parsed.workflow, events.get(file) ?? {}),
  }));
}

/** The jobs of a text that is a workflow, such as a shipped one. */
export function readWorkflow(file: string, text: string): WorkflowFile | undefined {
  const parsed = parseWorkflow(text);
  return parsed && { file, data: parsed.data, jobs: jobsOf(file, parsed.workflow, eventsOf(parsed.workflow.on)) };
}

type Workflow = z.output<typeof workflowShape>;

interface Parsed {
  readonly data: unknown;
  readonly workflow: Workflow;
}

function parseWorkflow(text: string): Parsed | undefined {
  try {
    const data: unknown = yamlLibrary().parse(text);
    return { data, workflow: workflowShape.parse(data) };
  } catch {
    return undefined;
  }
}

type Events = WorkflowJob["events"];

/** The events of each file. A reusable workflow also has those of the workflows that call it. */
function eventsOfFiles(files: readonly { readonly file: string; readonly parsed: Parsed }[]): Map<string, Events> {
  const events = new Map(files.map(({ file, parsed }) => [file, eventsOf(parsed.workflow.on)]));
  const calls = files.flatMap(({ file, parsed }) =>
    Object.values(parsed.workflow.jobs).flatMap(({ uses }) =>
      uses?.startsWith("./") ? [{ caller: file, called: posix.normalize(uses) }] : [],
    ),
  );
  // Calls may be nested, one round for each level.
  for (const _ of calls)
    for (const { caller, called } of calls) events.set(called, { ...events.get(caller), ...events.get(called) });
  return events;
}

function jobsOf(file: string, workflow: Workflow, events: Events): WorkflowJob[] {
  return Object.entries(workflow.jobs).map(([id, job]): WorkflowJob => {
    const environment = typeof job.environment === "string" ? job.environment : job.environment?.name;
    const shared = {
      file,
      check: job.name ?? id,
      permissions: job.permissions ?? workflow.permissions,
      environment: environment || undefined,
      events,
    };
    const actions = job.steps.flatMap(({ uses = "", with: given, env }): ActionStep[] => {
      // GitHub ignores the case of owners and names.
      if (!/\/zonewright@/i.test(uses)) return [];
      const inputs = given ?? {};
      const isOfSnapshot = inputs.command === "plan" && (inputs.against ?? "live") !== "live";
      return [
        {
          ...shared,
          uses,
          inputs,
          config: posix.normalize(String(inputs.config ?? configFile)),
          role: isOfSnapshot ? "plan against a snapshot" : String(inputs.command),
          env: { ...variablesOf(workflow.env), ...variablesOf(job.env), ...variablesOf(env) },
        },
      ];
    });
    const lines = job.steps.flatMap(({ run = "" }) => run.replaceAll(/\\\r?\n/g, " ").split("\n"));
    const commands = lines.flatMap((line) => {
      const [, role] = /^[^#]*\bzonewright(?:@\S+)?\s+(validate|plan|apply|drift)\b/.exec(line) ?? [];
      return role === undefined ? [] : [{ role, line }];
    });
    return { ...shared, id, text: JSON.stringify([workflow.env, job]), actions, commands };
  });
}

/** Variables that are listed; an expression may stand for all of them. */
function variablesOf(env: string | Readonly<Record<string, unknown>> | null | undefined) {
  return typeof env === "string" ? {} : env;
}

function eventsOf(on: unknown): Events {
  const names = typeof on === "string" ? [on] : Array.isArray(on) ? on.map(String) : undefined;
  if (names) return Object.fromEntries(names.map((name) => [name, null]));
  return typeof on === "object" && on !== null ? { ...on } : {};
}
