import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { count, plain } from "../../diagnostics/plain.ts";
import { hasErrors, type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name.ts";
import { IndexedZone, toProblem } from "../../dns/rule.ts";
import { ownerSpelling } from "../../dns/rules/owner-spelling.ts";
import type { Zone } from "../../dns/zone.ts";
import type { ReadZone } from "../../formats/files.ts";
import { formatOf, formats } from "../../formats/formats.ts";
import { type Formatted, formatCanonical, formatFile } from "../../formats/formatting.ts";
import { patchText } from "../../report/patch.ts";
import { openProject, toName } from "../../workflow/project.ts";
import { schemaFor, withSchemaLine } from "../../workflow/schema-line.ts";
import { fileName, writeFiles } from "../../workflow/write-files.ts";
import { readZones } from "../../workflow/zones.ts";
import { choice, defineCommand, flag, type Options, projectFlags } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import type { Terminal } from "../terminal.ts";

const flags = {
  ...projectFlags,
  check: flag("write nothing: show what would change, and exit with 3 if anything would"),
  sort: flag("sort the records in canonical order"),
  to: choice("<format>", ["bind", "yaml"], "convert to this format"),
};
type FmtOptions = Options<typeof flags>;

/** What one file is to become. */
interface Job {
  readonly read: ReadZone;
  readonly newFile: string;
  readonly result: Formatted;
}

/**
 * `zonewright fmt`: zone files with one spelling and layout, in the author's order and sections. With `--sort` they are put
 * in canonical order, with `--to` in another format: comments go with their records then, and a file whose comments would
 * lose their place, or that is more than its records, is left alone. One file with errors, and nothing is written.
 */
export const command = defineCommand({
  example: `  zonewright fmt                             every zone file of the project
  zonewright fmt --sort                      records in canonical order
  zonewright fmt --check                     exit with 3 on a difference
  zonewright fmt zones/example.com.zone --to yaml
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags,
  run: (terminal, { zones }, options) => fmt(terminal, zones, options),
});

async function fmt(terminal: Terminal, args: readonly string[], options: FmtOptions): Promise<ExitCode> {
  const project = openProject(terminal, options);
  const { zones } = readZones(project, args);
  const errors = zones.flatMap(({ problems }) => problems).filter(({ severity }) => severity === "error");
  if (hasErrors(errors)) throw new ProblemError(errors);
  const { nameservers } = project.config;
  const servers = nameservers.length > 0 ? nameservers.map(toName) : undefined;
  const said: Problem[] = [];
  const jobs = zones.flatMap((read) => jobOf(terminal, read, options, servers, said));
  const changes = jobs.filter(({ read, newFile, result }) => newFile !== read.file || !same(read.bytes, result.bytes));
  if (said.length > 0) printProblems(terminal, said);
  if (options.check) {
    for (const { read, newFile, result } of changes)
      terminal.print(patchText(read.file, newFile, text(read.bytes), text(result.bytes)));
    terminal.log(`${count(changes.length, "file")} would change\n`);
    return changes.length > 0 ? exitCode.invalid : exitCode.done;
  }
  const files = changes.map(({ newFile, result }) => ({
    path: resolve(terminal.cwd, newFile),
    file: newFile,
    text: result.bytes,
  }));
  writeFiles(files, "Make the folder writable.");
  for (const job of changes) finish(terminal, job);
  terminal.log(`${count(changes.length, "file")} written, ${zones.length - changes.length} left as they were\n`);
  return exitCode.done;
}

/** None for a file that is left alone; why, is said. */
function jobOf(
  terminal: Terminal,
  read: ReadZone,
  { to, sort }: FmtOptions,
  nameservers: readonly Name[] | undefined,
  said: Problem[],
): Job[] {
  const { file, format } = read;
  const from = formatOf(file)?.name === "yaml" ? "yaml" : "bind";
  const target = to ?? from;
  const isMoved = target !== from;
  const leave = (summary: string, line?: number): Job[] => {
    const place = line === undefined ? undefined : { file, line, column: 1, length: 1 };
    said.push(problem("fmt-left-alone", `${file} is left alone: ${summary}`, { place }));
    return [];
  };
  if (format !== undefined) {
    const summary = `${file} is left alone: files of ${format} are only read`;
    const fix = "To keep the zone in another form from now on: zonewright export --to yaml, or --to bind.";
    said.push(problem("fmt-left-alone", summary, { severity: "note", fix }));
    return [];
  }
  if (isMoved && to === undefined) return [];
  const newFile = isMoved ? renamed(read, target) : file;
  if (isMoved && existsSync(resolve(terminal.cwd, newFile)))
    throw new ProblemError(
      problem("file-exists", `${newFile} is there already`, { fix: `Remove it, or ${file}: both are the zone.` }),
    );
  let result: Formatted;
  try {
    result =
      sort || isMoved
        ? formatCanonical(read, from, target, { nameservers, schema: schemaFor(terminal.cwd, newFile) })
        : { bytes: formatFile(read, from), lost: [], unrolled: [] };
    if (target === "yaml")
      result = { ...result, bytes: Buffer.from(withSchemaLine(text(result.bytes), terminal.cwd, newFile)) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return leave("in its normal form it would not say the same");
  }
  // In the author's order every TTL stays as it is written; else a set gets the one that counts.
  if (sort || isMoved) said.push(...read.problems.filter(({ id }) => id === "rrset-ttl"));
  // One key holds all records of a name.
  if (isMoved && target === "yaml") said.push(...spellingNotes(read.zone));
  if (isMoved) return [{ read, newFile, result }];
  const [unrolled] = result.unrolled;
  const [lost] = result.lost;
  if (unrolled !== undefined) return leave("what stands here would be written out", unrolled);
  if (lost !== undefined) return leave("in another order, this comment would be about something else", lost);
  return [{ read, newFile, result }];
}

function spellingNotes(zone: Zone): Problem[] {
  return [...ownerSpelling.check(new IndexedZone(zone))].map((finding) => toProblem(ownerSpelling.id, finding));
}

function finish(terminal: Terminal, { read, newFile, result }: Job): void {
  const { file } = read;
  if (newFile === file) return terminal.log(`wrote ${plain(file)}\n`);
  const lines = [...result.lost, ...result.unrolled].sort((a, b) => a - b);
  if (lines.length === 0) {
    rmSync(resolve(terminal.cwd, file));
    return terminal.log(`wrote ${plain(newFile)}, removed ${plain(file)}\n`);
  }
  const what = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
  terminal.log(`wrote ${plain(newFile)}; ${plain(file)} stays, as not all of its ${what} could go over: remove it\n`);
}

/** `example.com.zone` → `example.com.yaml`; a name without an ending is that of the zone. */
function renamed({ file, zone }: ReadZone, to: "bind" | "yaml"): string {
  const ending = formatOf(file)?.endings.find((ending) => file.endsWith(ending));
  const name = ending === undefined ? fileName(zone.name) : basename(file).slice(0, -ending.length);
  return join(dirname(file), name + formats[to].endings[0]);
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
