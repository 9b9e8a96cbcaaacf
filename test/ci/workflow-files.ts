import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

export const root = resolve(import.meta.dirname, "../..");

/** A workflow file of GitHub Actions, as far as these files use the format. */
export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Job {
  readonly name?: string;
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: unknown;
  readonly "timeout-minutes"?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

const folders = ["examples/github", ".github/workflows"];

/** The workflow files of users and of this repository, by their paths. */
export const workflowFiles: readonly string[] = folders
  .flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`))
  .sort();

export function readWorkflowText(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

export function readWorkflow(file: string): Workflow {
  return parse(readWorkflowText(file)) as Workflow;
}

/** The names of the secrets that a value uses, at any depth. */
export function secretsOf(value: unknown): string[] {
  const names = [...JSON.stringify(value).matchAll(/\bsecrets\.(\w+)|\b(secrets)\b(?!\.)/g)];
  return [...new Set(names.map(([, name, all]) => name ?? all ?? ""))].sort();
}
