import { plain } from "../diagnostics/plain.ts";
import type { Problem } from "../diagnostics/problem.ts";
import type { Findings } from "./findings.ts";

/** Findings as workflow commands of GitHub Actions, which shows them at their lines. All text is escaped. */
export function findingsGithub({ problems }: Findings): string {
  return problems.map(command).join("");
}

function command({ id, severity, summary, detail, fix, place: at, via = [] }: Problem): string {
  const place = at
    ? [`file=${property(at.file)}`, `line=${at.line}`, `col=${at.column}`, `endColumn=${at.column + at.length}`]
    : [];
  const properties = [...place, `title=${property(id)}`].join(",");
  const included = via.map(({ file, line }) => `Included in ${file}:${line}.`);
  const text = [`${summary}.`, detail, fix, ...included].filter((part) => part !== undefined).join(" ");
  return `::${severity === "note" ? "notice" : severity} ${properties}::${data(plain(text))}\n`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(plain(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
