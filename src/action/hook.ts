import { configFile } from "../config/read.ts";
import { count, plain } from "../diagnostics/plain.ts";
import { hasErrors, type Problem, ProblemError } from "../diagnostics/problem.ts";
import { findingsText, problemsText } from "../report/findings.ts";
import { type ExitCode, exitCode } from "../workflow/exit-code.ts";
import { formatZones, writeFormatted } from "../workflow/fmt.ts";
import { internalErrorText } from "../workflow/internal-error.ts";
import { exitCodeOf } from "../workflow/outcome.ts";
import { openProject, type Project } from "../workflow/project.ts";
import type { RunContext } from "../workflow/run-context.ts";
import { lineOfFile } from "../workflow/source-lines.ts";
import { validateZones } from "../workflow/validate.ts";

type Write = (text: string) => void;

/** A hook before commits: git shows its output at a terminal or in a log. */
type Hook = (project: Project, write: Write) => Promise<ExitCode>;

const style = { color: false, unicode: true };

const hooks: Readonly<Record<string, Hook>> = { validate, fmt };

/** Runs a hook of .pre-commit-hooks.yaml on all zone files. Never throws: the exit code says how it ended. */
export async function runHook(context: RunContext, name: string, write: Write): Promise<number> {
  const hook = hooks[name];
  if (hook === undefined) {
    write(`error: the hook is ${Object.keys(hooks).join(" or ")}, not "${plain(name)}"\n`);
    return exitCode.usage;
  }
  try {
    return await hook(openProject(context, { config: configFile }), write);
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      write(`${internalErrorText(context, error)}\n`);
      return exitCode.failed;
    }
    write(problemText(context.cwd, error.problems));
    return exitCodeOf(error);
  }
}

async function validate(project: Project, write: Write): Promise<ExitCode> {
  const validation = await validateZones(project, []);
  write(findingsText({ ...validation, lineOf: lineOfFile(project.cwd) }, style));
  return hasErrors(validation.problems) ? exitCode.invalid : exitCode.done;
}

/** pre-commit fails the hook if it changes files. */
async function fmt(project: Project, write: Write): Promise<ExitCode> {
  const { changes, problems } = await formatZones(project, [], {});
  write(problemText(project.cwd, problems));
  await writeFormatted(project, changes);
  for (const { newFile } of changes) write(`wrote ${plain(newFile)}\n`);
  write(`${count(changes.length, "file")} written\n`);
  return exitCode.done;
}

function problemText(cwd: string, problems: readonly Problem[]): string {
  return problems.length === 0 ? "" : problemsText(problems, lineOfFile(cwd), style);
}
