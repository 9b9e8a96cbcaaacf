import { type Problem, problem } from "../../diagnostics/problem.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";

/** A BIND zone file starts with `$TTL`, `$ORIGIN` or a record. */
const masterLine =
  /^(?:\$(?:TTL|ORIGIN|INCLUDE|GENERATE)\s|(?:[^\s:;'"{[]+)?[ \t]+(?:\d\w*[ \t]+|IN[ \t]+)*(?:SOA|NS|A|AAAA|MX|CNAME|TXT|SRV|PTR|CAA)[ \t]+[^\s:])/i;

/** The first line that is neither empty nor a comment in one of the formats. */
function firstLine(text: string): { start: number; line: string } | undefined {
  const line = /^(?![ \t]*(?:[;#]|\/\/|---\s*$|%YAML|\r?$))[^\r\n]*\S[^\r\n]*/m.exec(
    text.replace(/^\ufeff|^\u00ef\u00bb\u00bf/, (mark) => " ".repeat(mark.length)),
  );
  return line ? { start: line.index, line: line[0] } : undefined;
}

/** The one error for a file that is no zone file in any format; undefined for others. */
export function findForeignContent(source: SourceText): Problem | undefined {
  const known = findBinaryFile(source) ?? findConflict(source);
  if (known) return known;
  const [, what, fix] = foreignContents.find(([start]) => start.test(source.text)) ?? [];
  if (what === undefined) return undefined;
  return problem("file-format", `the file is ${what}, not a zone file`, { place: source.place(0), fix });
}

const foreignContents: readonly (readonly [start: RegExp, what: string, fix: string])[] = [
  [
    /^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*(?:<\?xml.{0,200}?\?>\s*)?(?:<!--.{0,2000}?-->\s*)?<(?:!doctype html|(?:html|head|title|meta|script|body|div)\b[^<>\n]*>)/is,
    "an HTML page",
    "Download the file itself, such as the raw file of a code host, instead of the page that shows it.",
  ],
  [/^(?:\ufeff|\u00ef\u00bb\u00bf)?<\?xml\s/, "an XML document", "Name a zone file, or remove this one."],
  [
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\noid /,
    "a pointer of Git LFS",
    "Run `git lfs pull` to get its content. In a workflow, set `lfs: true` for the checkout.",
  ],
];

/** The one error for a file with a marker of a merge, which may be the only one that is left. */
function findConflict(source: SourceText): Problem | undefined {
  const marker = /^(?:(?:<{7}|\|{7}|>{7})(?: [^\r\n]*)?|={7})\r?$/m.exec(source.text);
  if (!marker) return undefined;
  const fix = "Keep one of the two sides, and remove the lines that start with <<<<<<<, ======= and >>>>>>>.";
  const place = source.place(marker.index, marker.index + marker[0].trimEnd().length);
  return problem("merge-conflict", "the file has an unresolved merge conflict", { place, fix });
}

/** The one error for a file that is not text, or text in UTF-16; undefined for any other. */
function findBinaryFile(source: SourceText): Problem | undefined {
  const start = source.text.slice(0, 200);
  if (!start.includes("\0")) return undefined;
  const isUtf16 =
    /^(?:\ufffd\ufffd|\u00ff\u00fe|\u00fe\u00ff)/.test(source.text) || /^(?:[\t\n\r -~]\0){4}/.test(source.text);
  // Single control characters are reported where they occur, so that the other lines are read.
  const controls = start.match(/[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd]/g)?.length ?? 0;
  if (!isUtf16 && controls < start.length / 10) return undefined;
  const summary = isUtf16 ? "the file is encoded in UTF-16" : "the file contains binary data";
  const fix = isUtf16 ? "Save it as UTF-8." : "Name a zone file, which is text, or remove this one.";
  return problem("encoding", summary, { place: source.place(0), fix });
}

/** The endings of zone files, in any letter case. */
const zoneFileEnding = /\.(?:ya?ml|zone|db)$/i;

/** Files of other tools, by the ending of their names, and how to import their zones. */
const otherTools: readonly [endings: RegExp, tool: string, fix: string][] = [
  [
    /\.(?:js|ts)$/i,
    "a program, such as a configuration of DNSControl",
    "Run `dnscontrol get-zones --format=zone` to get its zones as BIND zone files, or `zonewright import api` to get the live zones.",
  ],
  [
    /\.(?:tf|tfvars|hcl|tfstate)$/i,
    "Terraform code",
    "Run `zonewright import file` with the state (terraform.tfstate), or `zonewright import api` to get the live zones.",
  ],
  [
    /\.json$/i,
    "JSON",
    "JSON is valid YAML: if it has the keys of a zone file, rename the file so that its name ends in .yaml.",
  ],
  [/\.(?:csv|tsv|xlsx?|ods)$/i, "a table", "Write its records as a zone file, in YAML or as a BIND zone file."],
];

/** The fault of the ending of a file's name, as a predicate, and what to do. */
export function explainEnding(file: string): { readonly fault: string; readonly fix: string } | undefined {
  const ending = zoneFileEnding.exec(file)?.[0];
  const lower = ending?.toLowerCase();
  if (ending !== lower)
    return { fault: `has its ending in capitals (${ending})`, fix: `Rename it to end in ${lower}, in small letters.` };
  const [, tool, fix] = otherTools.find(([endings]) => endings.test(file)) ?? [];
  return tool === undefined || fix === undefined ? undefined : { fault: `is ${tool}, not a zone file`, fix };
}

/** The one error for a file of another tool; undefined for any other. */
export function findOtherToolFile(source: SourceText): Problem | undefined {
  const ending = explainEnding(source.file);
  if (!ending) return undefined;
  return problem("file-format", `the file ${ending.fault}`, { place: source.place(0), fix: ending.fix });
}

/** The format of a text by its first line, and the ending of its files. */
export function guessFormat(text: string): { readonly what: string; readonly ending: string } | undefined {
  if (masterLine.test(firstLine(text)?.line ?? "")) return { what: "a BIND zone file", ending: ".zone" };
  return /^records:(?:[ \t]|\r?$)/m.test(text) ? { what: "a zone file in YAML", ending: ".yaml" } : undefined;
}

/** The only error of a YAML file with the name of a BIND zone file; undefined for other files. */
export function findYamlInside(source: SourceText): Problem | undefined {
  const first = firstLine(source.text);
  if (!first) return undefined;
  const { line } = first;
  const hasKey = /^(?:"[^"]*"|'[^']*'|[^\s:;"'()]*[^\s:;"'()\\]):(?=\s|$)/.test(line);
  const isMap = hasKey && /^\S+:(?:\s*$|\s+\S)/.test(line);
  if (!isMap && !/^[{[]/.test(line)) return undefined;
  if (isServerConfig(source.text)) {
    const advice = "Import its zones with `zonewright import file` and this file, or name its zone files.";
    return formatProblem(source, first, "the file is a configuration of Knot or NSD, not a zone file", advice);
  }
  const fix = "Rename the file to end in .yaml, or write BIND zone file syntax.";
  return formatProblem(source, first, "the file contains YAML, but its name is that of a BIND zone file", fix);
}

/** The only error of a BIND zone file with the extension of YAML; undefined for other files. */
export function findZoneFileInside(source: SourceText): Problem | undefined {
  const first = firstLine(source.text);
  if (!first || !masterLine.test(first.line)) return undefined;
  const fix = "Rename the file to end in .zone, or write it in YAML.";
  return formatProblem(source, first, "the file is a BIND zone file, but its name is that of YAML", fix);
}

/** Whether a text has sections and settings that the configurations of Knot and NSD have. */
export function isServerConfig(text: string): boolean {
  return (
    /^(?:server|zone|template|pattern|remote|remote-control|key|acl|log|database):[ \t]*(?:#.*)?\r?$/m.test(text) &&
    /^[ \t]+(?:-[ \t]*domain|listen|ip-address|zonesdir|zonefile|storage):/m.test(text)
  );
}

function formatProblem(
  source: SourceText,
  { start, line }: { start: number; line: string },
  summary: string,
  fix: string,
): Problem {
  return problem("file-format", summary, { place: source.place(start, start + line.length), fix });
}
