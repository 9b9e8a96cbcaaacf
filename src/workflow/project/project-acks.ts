import { dirname, join, resolve } from "node:path";
import { type Ack, acksFile, readAcks } from "../../config/acks.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { fileErrorReason } from "../../formats/files.ts";
import { findGuard, guardIds } from "../../planner/blocks/guards.ts";
import { readIfPresent } from "../../read-file.ts";
import { readFix } from "./files.ts";
import type { Project } from "./project.ts";

/**
 * The acknowledgements of a project, beside its config.
 * @throws {ProblemError} `file-read`, and those of `readAcks`
 */
export function acksOf({ cwd, file: config }: Pick<Project, "cwd" | "file">): Ack[] {
  const file = join(dirname(config), acksFile);
  return readAcks(file, readAcksFile(cwd, file), guardIds, (id) => findGuard(id) !== undefined);
}

function readAcksFile(cwd: string, file: string): string | Uint8Array {
  try {
    return readIfPresent(resolve(cwd, file)) ?? "";
  } catch (error) {
    throw problemError("file-read", `${file} cannot be read: ${fileErrorReason(error)}`, { fix: readFix(error) });
  }
}
