import { existsSync, realpathSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { configFile } from "../config/config.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import { hasErrors, type Problem, ProblemError, usageError } from "../diagnostics/problem.ts";
import { count } from "../diagnostics/quantities.ts";
import { readIfPresent } from "../file-system.ts";
import { findingsText, problemsText } from "../report/findings/findings.ts";
import { exitCodeOf } from "../workflow/apply/outcome.ts";
import { formatZones, writeFormatted } from "../workflow/export/fmt.ts";
import { type IndexCopy, withIndexCopy } from "../workflow/git/index-copy.ts";
import { type ExitCode, exitCode } from "../workflow/project/exit-code.ts";
import { internalErrorText } from "../workflow/project/internal-error.ts";
import { openProject, type Project } from "../workflow/project/project.ts";
import type { RunContext } from "../workflow/project/run-context.ts";
import { lineOfFile } from "../workflow/project/source-lines.ts";
import { findStateIn } from "../workflow/project/state-folder.ts";
import { validateZones } from "../workflow/snapshot/validate.ts";

type Write = (text: string) => void;

/** A hook before commits: git shows its output at a terminal or in a log. */
type Hook = (project: Project, copy: IndexCopy, write: Write) => Promise<ExitCode>;

const style = { color: false, unicode: true };

const hooks: Readonly<Record<string, Hook>> = { validate, fmt };

/** The options of both hooks, which `args` of .pre-commit-config.yaml gives them. */
const options = {
  config: { type: "string", multiple: true },
  zones: { type: "string", multiple: true },
  strict: { type: "boolean" },
} as const;

/**
 * Runs a hook of .pre-commit-hooks.yaml on all zone files of the next commit. Never throws: the exit code says how it
 * ended.
 */
export async function runHook(context: RunContext, [name = "", ...args]: readonly string[], write: Write) {
  const hook = hooks[name];
  if (hook === undefined) {
    write(`error: the hook is ${Object.keys(hooks).join(" or ")}, not "${escapeControl(name)}"\n`);
    return exitCode.usage;
  }
  try {
    const given = readOptions(args);
    return await withIndexCopy(context.cwd, async (copy) => {
      const state = findStateIn(copy.files);
      if (state) throw new ProblemError(state);
      const inCopy = (path: string) => pathInside(copy, path);
      const zones = given.zones?.map(inCopy);
      const found = given.config?.map(inCopy) ?? (zones ? [configFile] : configsIn(copy.files));
      if (found.length === 0) write("no zone files\n");
      let worst: ExitCode = exitCode.done;
      // A config of the commit that names files elsewhere would have them read as they are there.
      const confined = { ...context, cwd: copy.folder, env: { ...context.env, CI: "true" } };
      for (const config of found) {
        const chosen = { config, strict: given.strict ?? false, ...(zones && { zones }) };
        const code = await runOn(confined, (inCopy) => hook(openProject(inCopy, chosen), copy, write));
        if (code !== exitCode.done) worst = code;
      }
      return worst;
    });
  } catch (error) {
    return report(context, error);
  }

  async function runOn(inCopy: RunContext, act: (context: RunContext) => Promise<ExitCode>): Promise<ExitCode> {
    try {
      return await act(inCopy);
    } catch (error) {
      return report(inCopy, error);
    }
  }

  function report(at: RunContext, error: unknown): ExitCode {
    if (!(error instanceof ProblemError)) {
      write(`${internalErrorText(at, error)}\n`);
      return exitCode.failed;
    }
    write(problemText(at.cwd, error.problems));
    return exitCodeOf(error);
  }
}

/** @throws {ProblemError} `usage` for an unknown option, and for words without one */
function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    const [why] = (error instanceof Error ? error.message : "").split(/\. |\n/);
    throw usageError(`the \`args\` of the hook: ${escapeControl(why ?? "")}. The hooks know ${known.join(", ")}.`);
  }
}

/**
 * A path of `args` in the work tree as one in the copy of the index.
 * @throws {ProblemError} `usage` for a path outside of the repository, of which nothing is staged
 */
function pathInside({ top }: IndexCopy, path: string): string {
  const inside = relative(top, existsSync(path) && isAbsolute(path) ? realpathSync(path) : resolve(top, path)) || ".";
  if (inside !== ".." && !inside.startsWith("../") && !isAbsolute(inside)) return inside;
  throw usageError(
    `the \`args\` of the hook name "${escapeControl(path)}", which is outside the repository. Hooks check staged files only: name a path inside it.`,
  );
}

/** The configs that the commit contains, in any folder; the top folder needs none for its zone files. */
function configsIn(files: readonly string[]): readonly string[] {
  const found = files.filter((file) => basename(file) === configFile);
  const isTop = !found.includes(configFile) && files.some((file) => file.startsWith("zones/"));
  return isTop ? [configFile, ...found] : found;
}

async function validate(project: Project, _: IndexCopy, write: Write): Promise<ExitCode> {
  const validation = await validateZones(project, []);
  write(findingsText({ ...validation, lineOf: lineOfFile(project.cwd) }, style));
  return hasErrors(validation.problems) ? exitCode.invalid : exitCode.done;
}

/** pre-commit fails the hook if it changes files. */
async function fmt(project: Project, { top }: IndexCopy, write: Write): Promise<ExitCode> {
  const { changes, problems } = await formatZones(project, [], {});
  write(problemText(project.cwd, problems));
  const isStaged = ({ file, before }: (typeof changes)[number]) => {
    const bytes = readIfPresent(join(top, file));
    return bytes !== undefined && Buffer.compare(Buffer.from(bytes), before) === 0;
  };
  const staged = changes.filter(isStaged);
  await writeFormatted({ ...project, cwd: top }, staged);
  for (const { newFile } of staged) write(`wrote ${escapeControl(newFile)}\n`);
  for (const change of changes)
    if (!staged.includes(change)) write(`not written: ${escapeControl(change.file)} has changes that are not staged\n`);
  write(`${count(staged.length, "file")} written\n`);
  return staged.length < changes.length ? exitCode.invalid : exitCode.done;
}

function problemText(cwd: string, problems: readonly Problem[]): string {
  return problems.length === 0 ? "" : problemsText(problems, lineOfFile(cwd), style);
}
