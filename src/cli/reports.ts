import { plain } from "../diagnostics/plain.ts";
import { usageError } from "../diagnostics/problem.ts";
import { type Flag, list } from "./command.ts";

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
      throw usageError(`--report ${plain(value)}: unknown format "${plain(word)}". Formats: ${formats.join(", ")}.`);
    if (file === "") throw usageError(`--report ${plain(value)} names no file. Write FORMAT=FILE, or FORMAT alone.`);
    return { format, ...(file !== undefined && { file }) };
  });
  const printed = wanted.filter(({ file }) => file === undefined);
  if (printed.length > 1)
    throw usageError(
      `--report ${printed.map(({ format }) => format).join(" and ")}: only one report can go to standard output. Write FORMAT=FILE for the others.`,
    );
  return printed.length === 1 ? wanted : [{ format: formats[0] }, ...wanted];
}
