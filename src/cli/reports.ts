import { escapeControl } from "../diagnostics/escape.ts";
import { usageError } from "../diagnostics/problem.ts";
import { type FileToWrite, writeFiles } from "../workflow/project/files.ts";
import { type Flag, list, text } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** A report to write: to a file, or else to standard output. */
export interface WantedReport<F extends string> {
  readonly format: F;
  readonly file?: string;
}

/** `--report <format>`, repeatable: `--report json` or `--report json=plan.json`. */
export function reportFlag(formats: readonly string[]): Flag<string[] | undefined> {
  const words = `${formats.slice(0, -1).join(", ")} or ${formats.at(-1)}`;
  const summary = `output format: ${words}; FORMAT=FILE writes it to a file; repeatable`;
  return { ...list("<format>", summary), suggestions: formats };
}

/**
 * Reads the values of `--report`. One report goes to standard output: the first format, if all others have files.
 * @throws {ProblemError} `usage` for an unknown format, or several without a file.
 */
export function readReports<F extends string>(
  values: readonly string[] | undefined,
  formats: readonly [F, ...F[]],
): WantedReport<F>[] {
  const wanted = (values ?? []).map((value): WantedReport<F> => {
    const [, word = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
    const format = formats.find((known) => known === word);
    if (format === undefined)
      throw usageError(
        `--report ${escapeControl(value)}: unknown format "${escapeControl(word)}". Formats: ${formats.join(", ")}.`,
      );
    if (file === "")
      throw usageError(`--report ${escapeControl(value)} names no file. Write FORMAT=FILE, or FORMAT alone.`);
    return { format, ...(file !== undefined && { file }) };
  });
  const printed = wanted.filter(({ file }) => file === undefined);
  if (printed.length > 1)
    throw usageError(
      `--report ${printed.map(({ format }) => format).join(" and ")}: only one report can go to standard output. Write FORMAT=FILE for the others.`,
    );
  const files = wanted.flatMap(({ file }) => file ?? []);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined)
    throw usageError(`--report names the file ${escapeControl(twice)} twice. Give each report its own file.`);
  return printed.length === 1 ? wanted : [{ format: formats[0] }, ...wanted];
}

/** `--report-url`: where people find the full report. */
export const reportUrl = text("<url>", "link to the full report from the Markdown of github and gitlab");

/**
 * Checks the value of `--report-url`.
 * @throws {ProblemError} `usage` for anything but an address of http or https without a password.
 */
export function readReportUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw usageError(`--report-url ${escapeControl(value)} is not an http or https address.`);
  if (url.username !== "" || url.password !== "")
    throw usageError("--report-url has a user name or password, which everyone who reads the report would see.");
  return url.href;
}

/**
 * Writes the reports that go to files, at once, and returns the one for standard output. `textOf` gives undefined for a
 * format that cannot show it, which is then left out.
 */
export async function writeReports<F extends string>(
  { cwd, signal }: Pick<Terminal, "cwd" | "signal">,
  wanted: readonly WantedReport<F>[],
  textOf: (format: F, isFile: boolean) => string | undefined | Promise<string | undefined>,
  others: readonly FileToWrite[] = [],
): Promise<string | undefined> {
  const files = [...others];
  let printed: string | undefined;
  for (const { format, file } of wanted) {
    const text = await textOf(format, file !== undefined);
    if (file === undefined) printed = text;
    else if (text !== undefined) files.push({ file, text });
  }
  if (files.length > 0) await writeFiles({ cwd, signal }, files, "Name a file in a folder that this user may write.");
  return printed;
}
