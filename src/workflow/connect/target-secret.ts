import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { secretOf } from "../../config/target-kinds.ts";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import { readRegularFile } from "../../file-system.ts";
import { fileErrorReason } from "../../formats/files.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { tryGit } from "../project/run-git.ts";
import type { ConfiguredTarget } from "../project/targets.ts";

/** A setting, and where it was found. */
export interface ResolvedSetting {
  readonly value: string;
  readonly from: Fix;
  /** The whole path of the file that it is in. */
  readonly file?: string;
}

/**
 * The token or key of a target: of its variable, or of the file that the config names. Undefined if it has none of its
 * own.
 * @throws {ProblemError} `token-missing` for a file that is committed or cannot be read
 */
export function findTargetSecret(
  { env }: Pick<RunContext, "env">,
  { root, file, isConfined }: Pick<Project, "root" | "file" | "isConfined">,
  target: ConfiguredTarget,
): ResolvedSetting | undefined {
  const { name, kind, variable } = target;
  const secret = secretOf(kind);
  if (secret === undefined || variable === undefined) return undefined;
  const { word, setting } = secret;
  const value = env[variable]?.trim();
  if (value) return { value, from: variable };
  const secretFile = secretFileOf(target);
  if (secretFile === undefined || isConfined) return undefined;
  const path = resolve(root, secretFile);
  if (isCommitted(path)) {
    const fix = `Keep it outside of git, and replace the ${word}: it is in the history.`;
    throw problemError("token-missing", `the ${word} file of the target ${name} is committed`, { fix });
  }
  return readSecret({ cwd: root }, { word, setting: `targets.${name}.${setting} in ${file}`, path: secretFile });
}

/** The error of a target without a token or key. `input`: passed by the action, which has no files outside of git. */
export function missingSecret(target: ConfiguredTarget, { isInAction = false } = {}): ProblemError {
  const { name, kind, variable } = target;
  const secret = secretOf(kind);
  if (secret === undefined) throw new Error("a target of this kind needs no secret");
  const { word, setting } = secret;
  const hasFile = secretFileOf(target) !== undefined;
  const isLeftOut = hasFile ? `: in CI, ${setting} is not read` : "";
  const fix = isInAction
    ? `Set ${variable} in the environment of the step, from a secret.`
    : `Set ${variable}${hasFile ? "" : `, or \`${setting}\` of the target to a file outside of git`}.`;
  return problemError("token-missing", `no ${word} is set for the target ${name}${isLeftOut}`, { fix });
}

function secretFileOf(target: ConfiguredTarget): string | undefined {
  const setting = secretOf(target.kind)?.setting;
  return setting === undefined ? undefined : (target as unknown as Partial<Record<string, string>>)[setting];
}

/** Whether a file is in git, or the one that it is a link to. */
function isCommitted(path: string): boolean {
  return [path, ...(existsSync(path) ? [realpathSync(path)] : [])].some((one) => {
    const { status, stdout } = tryGit(dirname(one), ["ls-files", "-z", "--", basename(one)]);
    return status === 0 && stdout !== "";
  });
}

/** Whether a path may be the secret itself: long, without a dot, and in no folder that is there. */
function mayBeSecret(cwd: string, path: string): boolean {
  const isLong = /^[\w+=:/-]{16,}$/.test(path);
  const folder = dirname(resolve(cwd, path));
  return isLong && (!path.includes("/") || folder === dirname(folder) || !existsSync(folder));
}

/** Reads a file with a token or key, which `setting` names. @throws {ProblemError} `token-missing` */
export function readSecret(
  { cwd }: Pick<RunContext, "cwd">,
  { word, setting, path }: { readonly word: string; readonly setting: Fix; readonly path: string },
): ResolvedSetting {
  const file = mayBeSecret(cwd, path) ? "of this name" : path;
  const fix = `Name a file that contains only the ${word}.`;
  const subject = advise`the ${word} file ${file} (${setting})`;
  try {
    const value = readRegularFile(resolve(cwd, path)).toString().trim();
    if (value !== "") return { value, from: advise`the file ${file} (${setting})`, file: resolve(cwd, path) };
  } catch (error) {
    throw problemError("token-missing", advise`${subject} cannot be read: ${fileErrorReason(error)}`, { fix });
  }
  throw problemError("token-missing", advise`${subject} is empty`, { fix });
}
