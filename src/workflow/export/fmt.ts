import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { IndexedZone, toProblem } from "../../dns/lookup/rule.ts";
import { ownerSpelling } from "../../dns/rules/owner-spelling.ts";
import { fileName, type ZoneOfFile } from "../../formats/files.ts";
import { formatOf, formats } from "../../formats/formats.ts";
import { type Formatted, formatCanonical, formatFile, formatTemplate } from "../../formats/formatting.ts";
import { findUnwritable } from "../../formats/kit/find-slips.ts";
import type { IncludedFile } from "../../formats/kit/source.ts";
import type { FormatName } from "../../formats/readers.ts";
import { writeFiles } from "../project/files.ts";
import { mapItems } from "../project/progress.ts";
import { nameserversOf, type Project } from "../project/project.ts";
import { schemaFor, withSchemaLine } from "../project/schema-line.ts";
import { checkWritten } from "../zones/check-written.ts";
import { refersToNodes } from "../zones/resolve-nodes.ts";
import { completeRead, readZones, splitTemplates } from "../zones/zones.ts";

export interface FormatOptions {
  /** Sorts records in canonical order. */
  readonly sort?: boolean;
  readonly to?: FormatName;
}

/** A file that another layout, order or format would change. */
export interface FormattedFile {
  readonly file: string;
  /** Equal to `file`, unless the format changes. */
  readonly newFile: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Lines of the old file that the new format cannot contain; if there are any, the old file is kept. */
  readonly lost: readonly number[];
}

export interface FormatReport {
  readonly changes: readonly FormattedFile[];
  /** Skipped files, and values that the new form changes. */
  readonly problems: readonly Problem[];
  /** The number of files that were read. */
  readonly files: number;
}

/**
 * Formats zone files and templates: normalises spelling and layout, and keeps the author's order and sections. With
 * canonical order or another format, comments move with their records; a file that would lose comments, or whose
 * includes, `$GENERATE` or aliases would be expanded, is skipped. Templates keep their order and format. Nothing is
 * written.
 * @throws {ProblemError} with the errors of all files.
 */
export async function formatZones(
  project: Project,
  names: readonly string[],
  options: FormatOptions,
): Promise<FormatReport> {
  const named = splitTemplates(project, names);
  const ofTemplates = names.length === 0 ? [...project.templates.files().keys()] : named.templates;
  const isToBind = options.to === "bind";
  const templates = isToBind ? [] : ofTemplates.map((name) => project.templates.readAlone(name));
  const isTemplates = named.templates.length > 0 && named.others.length === 0;
  const zones = isTemplates ? [] : (await readZones(project, named.others)).zones;
  const found = new Set([...zones, ...templates].flatMap(({ problems }) => problems));
  const errors = [...found].filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new ProblemError(errors);
  const problems: Problem[] = [];
  if (isToBind && named.templates.length > 0)
    problems.push(
      problem("fmt-skipped", `${named.templates.join(", ")}: templates are skipped, which are always YAML`),
    );
  const formatted = await mapItems(project, ["formatting files", "file"], zones, (read) =>
    formatOne(project, read, options, problems),
  );
  const changes = [
    ...formatted.flat(),
    ...templates.flatMap((template) => formatOneTemplate(project, template, problems)),
  ].filter(({ file, newFile, before, after }) => newFile !== file || Buffer.compare(before, after) !== 0);
  return { changes, problems, files: zones.length + templates.length };
}

function formatOneTemplate(
  { cwd, settings }: Project,
  { file, bytes }: IncludedFile,
  problems: Problem[],
): FormattedFile[] {
  try {
    const text = Buffer.from(formatTemplate({ file, bytes, settings })).toString("utf8");
    const after = Buffer.from(withSchemaLine(text, cwd, file, "template"));
    return [{ file, newFile: file, before: bytes, after, lost: [] }];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    problems.push(problem("fmt-skipped", `${file} is skipped: the normalized form would change its records`));
    return [];
  }
}

/** Writes formatted files, all or none, and removes files that were completely converted. */
export async function writeFormatted(project: Project, changes: readonly FormattedFile[]): Promise<void> {
  const { cwd } = project;
  await writeFiles(
    project,
    changes.map(({ newFile, after }) => ({ file: newFile, text: after })),
    "Make the folder writable.",
  );
  for (const { file, newFile, lost } of changes) if (newFile !== file && lost.length === 0) rmSync(resolve(cwd, file));
}

/** Formats one file; returns nothing for a skipped file, whose reason is added to `problems`. */
function formatOne(
  project: Project,
  read: ZoneOfFile,
  { to, sort = false }: FormatOptions,
  problems: Problem[],
): FormattedFile[] {
  const { cwd } = project;
  const { file } = read;
  const from = formatOf(file)?.name === "yaml" ? "yaml" : "bind";
  const target = to ?? from;
  const isMoved = target !== from;
  const unsupported = findUnsupported(read, to);
  if (unsupported) {
    problems.push(unsupported);
    return [];
  }
  const newFile = isMoved ? newFileName(read, target) : file;
  if (isMoved && existsSync(resolve(cwd, newFile)))
    throw problemError("file-exists", `${newFile} exists already`, {
      fix: `Remove it, or ${file}: both contain the zone.`,
    });
  const result = convert(project, read, { from, to: target, newFile, isCanonical: sort || isMoved });
  if (!result) {
    problems.push(describeSkip(read, "the normalised form would change its zone"));
    return [];
  }
  const { bytes, lost, unrolled } = result;
  if (result.read) checkWritten(project, completeRead(project, { ...read, file: newFile, bytes }, result.read), [read]);
  const after =
    target === "yaml" ? Buffer.from(withSchemaLine(Buffer.from(bytes).toString("utf8"), cwd, newFile)) : bytes;
  // In the author's order every TTL and every spelling is kept; otherwise each RRset gets one TTL, each text quotes.
  if (sort || isMoved)
    problems.push(...read.problems.filter(({ id }) => id === "rrset-ttl"), ...findUnwritable(read.zone));
  const loss = isMoved ? undefined : findLoss(read, result);
  if (loss) {
    problems.push(loss);
    return [];
  }
  // One key of YAML holds all records of a name.
  if (isMoved && target === "yaml")
    problems.push(
      ...[...ownerSpelling.check(new IndexedZone(read.zone))].map((finding) => toProblem(ownerSpelling.id, finding)),
    );
  return [{ file, newFile, before: read.bytes, after, lost: [...lost, ...unrolled].sort((a, b) => a - b) }];
}

function describeSkip({ file }: ZoneOfFile, reason: string, details?: Partial<Problem>): Problem {
  return problem("fmt-skipped", `${file} is skipped: ${reason}`, details);
}

/** The reason why no file of another format can contain what this one does. */
function findUnsupported(read: ZoneOfFile, to: FormatName | undefined): Problem | undefined {
  const { format, fromTemplates } = read;
  if (format !== undefined) {
    const fix = advise`To convert the zone: ${{ run: "export", with: { to: "yaml" } }}, or ${{ set: "to", to: "bind" }}.`;
    return describeSkip(read, `zonewright does not write ${format} files`, { severity: "note", fix });
  }
  if (to !== "bind") return undefined;
  if (fromTemplates) {
    const fix = advise`To expand the templates: ${{ run: "expand", with: { to: "bind" } }}.`;
    return describeSkip(read, "a BIND zone file cannot use templates", { fix });
  }
  if (!refersToNodes([read])) return undefined;
  const fix = advise`To write their addresses: ${{ run: "export", with: { to: "bind" } }}.`;
  return describeSkip(read, "a BIND zone file cannot refer to nodes", { fix });
}

/** The new text of a file; undefined if it would change the zone. */
function convert(
  project: Project,
  read: ZoneOfFile,
  conversion: {
    readonly from: FormatName;
    readonly to: FormatName;
    readonly newFile: string;
    /** Whether records get their canonical order; in the author's, every line stays where it is. */
    readonly isCanonical: boolean;
  },
): Formatted | undefined {
  const { from, to, newFile, isCanonical } = conversion;
  const { settings } = project;
  const options = { settings, nameservers: nameserversOf(project), schema: schemaFor(project.cwd, newFile) };
  try {
    if (isCanonical) return formatCanonical(read, from, to, options);
    return { ...formatFile(read, from), lost: [], unrolled: [] };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return undefined;
  }
}

/** The first line that another order would expand or misplace. */
function findLoss(read: ZoneOfFile, { lost, unrolled }: Formatted): Problem | undefined {
  const [line = lost[0]] = unrolled;
  if (line === undefined) return undefined;
  const reason =
    line === unrolled[0]
      ? "this line would be expanded"
      : "in another order, this comment would refer to other records";
  return describeSkip(read, reason, { place: { file: read.file, line, column: 1, length: 1 } });
}

/** `example.com.zone` → `example.com.yaml`; a name without an ending is that of the zone. */
function newFileName({ file, zone }: ZoneOfFile, to: FormatName): string {
  const ending = formatOf(file)?.endings.find((ending) => file.endsWith(ending));
  const name = ending === undefined ? fileName(zone.name) : basename(file).slice(0, -ending.length);
  return join(dirname(file), name + formats[to].endings[0]);
}
