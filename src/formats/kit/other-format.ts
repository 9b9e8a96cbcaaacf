import { type Problem, problem } from "../../diagnostics/problem.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { isSettingName } from "./setting.ts";

/** A master file says `$TTL` or `$ORIGIN` at its head, or starts with a record. */
const masterLine =
  /^(?:\$(?:TTL|ORIGIN|INCLUDE|GENERATE)\s|(?:[^\s:;'"{[]+)?[ \t]+(?:\d\w*[ \t]+|IN[ \t]+)*(?:SOA|NS|A|AAAA|MX|CNAME|TXT|SRV|PTR|CAA)[ \t]+[^\s:])/i;

/** The first line with something in it that neither format takes for a comment. */
function firstLine(text: string): { start: number; line: string } | undefined {
  const line = /^(?![ \t]*(?:[;#]|\/\/|---\s*$|%YAML|\r?$))[^\r\n]*\S[^\r\n]*/m.exec(
    text.replace(/^\ufeff|^\u00ef\u00bb\u00bf/, (mark) => " ".repeat(mark.length)),
  );
  return line ? { start: line.index, line: line[0] } : undefined;
}

/** The one error for a file that is YAML though its name says master file; undefined for any other. */
export function yamlInside(source: SourceText): Problem | undefined {
  const first = firstLine(source.text);
  if (!first) return undefined;
  const { line } = first;
  const key = /^(?:"[^"]*"|'[^']*'|[^\s:;"'()]*[^\s:;"'()\\]):(?=\s|$)/.exec(line);
  const isSetting = key !== null && (line.startsWith("records:") || isSettingName(key[0].slice(0, -1)));
  const isMap = key !== null && /^\S+:(?:\s*$|\s+\S)/.test(line);
  if (!isSetting && !isMap && !/^[{[]/.test(line)) return undefined;
  const fix = "Rename the file so that its name ends in .yaml, or write master file syntax.";
  return told(source, first, "the file contains YAML but is named like a master file", fix);
}

/** The one error for a file that is a master file though its name says YAML; undefined for any other. */
export function masterFileInside(source: SourceText): Problem | undefined {
  const first = firstLine(source.text);
  if (!first || !masterLine.test(first.line)) return undefined;
  const fix = "Rename the file so that its name ends in .zone, or write it in YAML.";
  return told(source, first, "the file is a master file but is named like YAML", fix);
}

function told(
  source: SourceText,
  { start, line }: { start: number; line: string },
  summary: string,
  fix: string,
): Problem {
  return problem("file-format", summary, { place: source.place(start, start + line.length), fix });
}
