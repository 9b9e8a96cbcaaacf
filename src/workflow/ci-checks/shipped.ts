import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { configFile } from "../../config/config.ts";
import { advise, commandLine } from "../../diagnostics/advice.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import { openProject } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type CiOptions, type CiTarget, ciFiles, type WorkflowName } from "../start/ci-files.ts";
import type { Examination } from "../start/doctor.ts";
import { notChecked } from "./not-checked.ts";
import { type ActionStep, readWorkflow, type WorkflowFile } from "./workflow-files.ts";

/** The workflows that `init` writes, with the command by which a file of the repository is recognised. */
const commands: readonly [WorkflowName, command: "validate" | "plan" | "apply" | "drift"][] = [
  ["check", "validate"],
  ["plan", "plan"],
  ["apply", "apply"],
  ["drift", "drift"],
];

/** The lines of the files, for each project of the repository: whether each is there, and whether it was changed. */
export function examineWorkflows(context: RunContext, top: string, files: readonly WorkflowFile[]): Examination[] {
  const compareOwn = (subject: WorkflowName, own: ActionStep) =>
    compare(subject, own, files, targetsOf({ ...context, cwd: top }, own));
  const jobs = files.flatMap((one) => one.jobs);
  const steps = jobs.flatMap(({ actions }) => actions);
  const configs = new Set(steps.map(({ config }) => config));
  const lines = commands.flatMap(([subject, command]) =>
    [...configs].flatMap((config): Examination[] => {
      const own = steps.find((step) => step.role === command && step.config === config);
      if (own !== undefined) return [compareOwn(subject, own)];
      const other = jobs.find((job) => job.commands.some(({ role }) => role === command));
      if (other !== undefined)
        return [
          notChecked(subject, `${other.file}, which runs \`${commandLine({ run: command })}\` without the action`),
        ];
      const next = advise`Run ${{ run: "init", with: { ci: "github" } }}, which adds the missing files.`;
      const project = configs.size > 1 ? ` for ${config}` : "";
      return [{ subject, state: "warn", text: `no workflow runs the command ${command}${project}`, next }];
    }),
  );
  return [...lines, ...[...configs].flatMap((config) => examineConfig(top, config))];
}

function examineConfig(top: string, config: string): Examination[] {
  if (config === configFile || config.includes("${{") || existsSync(join(top, config))) return [];
  const next = "Name the config from the top folder of the repository.";
  return [{ subject: "config", state: "fail", text: `the config ${config} of a workflow does not exist`, next }];
}

/** The targets in the config of a step; none if it cannot be read, which other lines say. */
function targetsOf(context: RunContext, { config }: ActionStep): readonly CiTarget[] {
  try {
    return openProject(context, { config }).targets;
  } catch (error) {
    if (error instanceof ProblemError) return [];
    throw error;
  }
}

function compare(
  subject: WorkflowName,
  { file, config }: ActionStep,
  files: readonly WorkflowFile[],
  targets: readonly CiTarget[],
): Examination {
  const own = files.find((one) => one.file === file);
  const folder = posix.dirname(config);
  const at = folder === "." ? "" : folder;
  // A name server may be in a network that only own runners reach.
  const hasOwnRunner = targets.some(({ kind }) => kind !== "api");
  const isUnexpected = (place: string) => !(hasOwnRunner && /\.runs-on(?:\.|$)/.test(place));
  const [places = []] = [false, true]
    .flatMap((isFurther) => {
      const original = shippedWorkflows({ at, isFurther, targets }).get(subject);
      return own && original ? [differences(original.data, own.data).filter(isUnexpected)] : [];
    })
    .sort((a, b) => a.length - b.length);
  if (places.length === 0) return { subject, state: "ok", text: file };
  const text = `${file} differs from the file of this version at ${listed(places)}`;
  const next = `Compare it with examples/github/${subject}.yml of the package, unless you meant this.`;
  return { subject, state: "warn", text, next };
}

/** The workflows that `init` writes for a project. */
export function shippedWorkflows(
  project: Pick<CiOptions, "at" | "isFurther" | "targets"> = {},
): ReadonlyMap<WorkflowName, WorkflowFile> {
  const { files } = ciFiles("github", { commit: undefined, isTwoPeople: true, ...project });
  return new Map(
    files.flatMap(({ file, name, text }) => {
      const workflow = name && readWorkflow(file, text);
      return workflow ? [[name, workflow] as const] : [];
    }),
  );
}

const mostPlaces = 4;

function listed(places: readonly string[]): string {
  const more = places.length - mostPlaces;
  return `${places.slice(0, mostPlaces).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The keys at which two values differ. The pin of an action, and `two-people`, which has a line of its own, may. */
function differences(one: unknown, other: unknown, path = ""): string[] {
  if (one === other || /\.(?:uses|two-people)$/.test(path)) return [];
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return [path];
  const [left, right] = [one, other] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  return [...keys].flatMap((key) => differences(left?.[key], right?.[key], path === "" ? key : `${path}.${key}`));
}
