import { escapeControl } from "../diagnostics/escape.ts";
import { hasErrors, type Place } from "../diagnostics/problem.ts";
import { shellWord } from "../diagnostics/shell-word.ts";
import { SourceText } from "../diagnostics/source-text.ts";
import { relativeTo, shownName, withoutDot } from "../dns/name/name.ts";
import { problemsText } from "../report/findings/findings.ts";
import { colorPatch, patchText } from "../report/format/patch.ts";
import { type EditedFile, writeEdited } from "../workflow/edit/edit-records.ts";
import type { Project } from "../workflow/project/project.ts";
import { lineOfFile } from "../workflow/project/source-lines.ts";
import { apiFlags, flag, type Options, projectFlags, text } from "./command.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** The flags of the commands that edit one RRset. */
export const editFlags = {
  ...projectFlags,
  zone: text("<zone>", "zone of the name, or its file; needed if the name does not end in one of several"),
  target: apiFlags.target,
  check: flag("show the change without writing it, and exit with 3 if there is one"),
};

/** Shows the change of a zone file and writes it, unless it makes new errors. */
export async function finishEdit(
  terminal: Terminal,
  project: Project,
  edited: EditedFile,
  options: Options<typeof editFlags>,
): Promise<ExitCode> {
  const { zone, owner, type, before, after, problems } = edited;
  const file = escapeControl(edited.file);
  if (Buffer.compare(before, after) === 0) {
    const about = `${escapeControl(shownName(relativeTo(owner, zone)))} ${type}`;
    terminal.log(`${file} is unchanged: ${about} is as wanted already\n`);
    return exitCode.done;
  }
  if (problems.length > 0) terminal.log(problemsText(problems, lineAfter(terminal, edited), terminal.logStyle));
  if (hasErrors(problems)) {
    terminal.log(`${file} is not written: the change would make it invalid\n`);
    if (problems.some(({ id }) => id === "cname-alone")) {
      const first = commandOf("unset", [owner, type === "CNAME" ? "TYPE" : "CNAME"], options);
      terminal.log(`first: \`${first}\`${type === "CNAME" ? ", for each of the other types" : ""}\n`);
    }
    return exitCode.invalid;
  }
  const patch = patchText(edited.file, edited.file, Buffer.from(before).toString(), Buffer.from(after).toString());
  terminal.print(colorPatch(patch, terminal.printStyle));
  if (options.check) {
    terminal.log(`${file} would change\n`);
    return exitCode.invalid;
  }
  await writeEdited(project, edited);
  if (options.quiet) return exitCode.done;
  terminal.log(`wrote ${file}\nnext: \`${commandOf("plan", [withoutDot(zone)], options)}\`\n`);
  return exitCode.done;
}

/** The lines of problems, in the changed file before it is written. */
function lineAfter({ cwd }: Terminal, { file, after }: EditedFile): (place: Place) => string | undefined {
  const lineOf = lineOfFile(cwd);
  const changed = new SourceText(file, Buffer.from(after).toString("latin1"), "latin1");
  return (place) => (place.file === file ? changed.line(place.line) : lineOf(place));
}

/** A command with the options that say which project it is in. */
function commandOf(name: string, words: readonly string[], options: Options<typeof editFlags>): string {
  const { config, zones = [], target = [] } = options;
  const all = [
    ...["zonewright", name, ...words],
    ...(config === projectFlags.config.initial ? [] : ["--config", config]),
    ...zones.flatMap((folder) => ["--zones", folder]),
    ...target.flatMap((name) => ["--target", name]),
  ];
  return all.map((word) => shellWord(escapeControl(word))).join(" ");
}
