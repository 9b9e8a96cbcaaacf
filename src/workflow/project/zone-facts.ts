import { join, relative } from "node:path";
import * as z from "zod";
import type { NameKey } from "../../dns/name/name.ts";
import { readOctetsIfPresent, writeFiles } from "./files.ts";
import type { Project } from "./project.ts";
import type { RunContext } from "./run-context.ts";
import { stateFolder } from "./state-folder.ts";

/** Facts about zones of a target that this machine keeps, in a file of its state folder. */
export interface ZoneFacts<T> {
  /** The name of the file, such as `primaries.json`. */
  readonly file: string;
  readonly schema: z.ZodType<T>;
}

function pathOf(project: Project, file: string): string {
  return relative(project.cwd, join(stateFolder(project), file));
}

/** The facts by zone; none if the file is damaged, so that they are found again. */
export function readZoneFacts<T>(project: Project, { file, schema }: ZoneFacts<T>): Readonly<Record<string, T>> {
  const text = readOctetsIfPresent(project.cwd, pathOf(project, file))?.toString() ?? "";
  try {
    return z.object({ zones: z.record(z.string(), schema) }).parse(JSON.parse(text)).zones;
  } catch {
    return {};
  }
}

/** Keeps facts of zones, and forgets those that are undefined; those of other zones stay. */
export async function keepZoneFacts<T>(
  { cwd, signal }: Pick<RunContext, "cwd" | "signal">,
  project: Project,
  kept: ZoneFacts<T>,
  facts: ReadonlyMap<NameKey, T | undefined>,
): Promise<void> {
  const zones = { ...readZoneFacts(project, kept), ...Object.fromEntries(facts) };
  const files = [
    { file: pathOf(project, ".gitignore"), text: "*\n" },
    { file: pathOf(project, kept.file), text: `${JSON.stringify({ zones })}\n` },
  ];
  await writeFiles({ cwd, signal }, files, "Make the folder writable for this user.");
}
