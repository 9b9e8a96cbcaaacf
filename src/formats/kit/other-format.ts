import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { findConflict, type SourceText } from "../../diagnostics/source-text.ts";
import { configTokens } from "../../dns/transfer/key-file.ts";

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

/** The one error for a file that is not a zone file in any format; undefined for others. */
export function findForeignContent(source: SourceText): Problem | undefined {
  const known = findBinaryFile(source) ?? findConflict(source) ?? findServerConfig(source);
  if (known) return known;
  const [, what, fix] = foreignContents.find(([start]) => start.test(source.text)) ?? [];
  if (what === undefined) return undefined;
  return problem("file-format", `the file is ${what}, not a zone file`, { place: source.place(0), fix });
}

const foreignContents: readonly (readonly [start: RegExp, what: string, fix: Fix])[] = [
  [
    /^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*(?:<\?xml.{0,200}?\?>\s*)?(?:<!--.{0,2000}?-->\s*)?<(?:!doctype html|(?:html|head|title|meta|script|body|div)\b[^<>\n]*>)/is,
    "an HTML page",
    "Download the file itself, such as the raw file of a code host, instead of the page that shows it.",
  ],
  [
    /^\s*\{\s*"format":\s*"zonewright\.plan\//,
    "a plan",
    advise`Run ${{ run: "apply" }} with it, which shows the plan and asks before it writes. Name a zone or a zone file here.`,
  ],
  [/^(?:\ufeff|\u00ef\u00bb\u00bf)?<\?xml\s/, "an XML document", "Name a zone file, or remove this one."],
  [
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\noid /,
    "a pointer of Git LFS",
    "Run `git lfs pull` to get its content. In a workflow, set `lfs: true` for the checkout.",
  ],
];

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
const otherTools: readonly [endings: RegExp, tool: string, fix: Fix][] = [
  [
    /\.(?:js|ts)$/i,
    "a program, such as a configuration of DNSControl",
    advise`Run \`dnscontrol get-zones --format=zone\` to get its zones as BIND zone files, or ${{ run: "import api" }} to get the live zones.`,
  ],
  [
    /\.(?:tf|tfvars|hcl|tfstate)$/i,
    "Terraform code",
    advise`Run ${{ run: "import file" }} with the state (terraform.tfstate), or ${{ run: "import api" }} to get the live zones.`,
  ],
  [
    /\.json$/i,
    "JSON",
    "JSON is valid YAML: if it has the keys of a zone file, rename the file so that its name ends in .yaml.",
  ],
  [/\.(?:csv|tsv|xlsx?|ods)$/i, "a table", "Write its records as a zone file, in YAML or as a BIND zone file."],
];

/** The fault of the ending of a file's name, as a predicate, and what to do. */
export function explainEnding(file: string): { readonly fault: string; readonly fix: Fix } | undefined {
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

/** The one error for the configuration of a name server. */
function findServerConfig(source: SourceText): Problem | undefined {
  const kind = configKind(source.text);
  const first = kind && firstLine(source.text);
  if (!first) return undefined;
  const summary = `the file is a configuration of ${kind === "BIND" ? "BIND" : "Knot or NSD"}, not a zone file`;
  const fix = advise`Import its zones with ${{ run: "import file" }} and this file, or name its zone files.`;
  return formatProblem(source, first, summary, fix);
}

/** The syntax of a name server's configuration, by its first statement; undefined for other texts. */
export function configKind(text: string): "BIND" | "sections" | undefined {
  if (isBindConfig(text)) return "BIND";
  return isSectionConfig(text) ? "sections" : undefined;
}

/** The statements of named.conf(5) that have a block; `include` has none. */
export const bindStatements: ReadonlySet<string> = new Set([
  ...["acl", "controls", "dlz", "dnssec-policy", "dyndb", "http", "key", "key-store", "logging", "managed-keys"],
  ...["masters", "options", "parental-agents", "plugin", "primaries", "remote-servers", "server", "template"],
  ...["statistics-channels", "tls", "trust-anchors", "trusted-keys", "view", "zone"],
]);
/** The most words before the block of a statement, its keyword included: `primaries x port 53 source 192.0.2.1 {`. */
const mostWords = 8;

function isBindConfig(text: string): boolean {
  const words: string[] = [];
  for (const token of configTokens(text)) {
    const keyword = (words[0] ?? token.text).toLowerCase();
    if (token.text === "{") return bindStatements.has(keyword);
    if (token.text === ";") return keyword === "include" && words.length === 2;
    if (words.push(token.text) > mostWords || (keyword !== "include" && !bindStatements.has(keyword))) return false;
  }
  return false;
}

/** The sections of knot.conf(5) and nsd.conf(5); modules of Knot have a section each. */
const sectionLine =
  /^\s*(?:acl|control|database|dnskey-sync|dnstap|external|key|keystore|log|mod-[a-z-]+|pattern|policy|remote|remote-control|remotes|server|statistics|submission|template|tls-auth|verify|xdp|zone):(?=\s|$)[ \t]*/;

export function isServerSection(name: string): boolean {
  return sectionLine.test(`${name}:`);
}

/** A setting of a server. Zone files have other keys there, and types in capitals. */
const settingLine = /^\s*(?:-\s*)?(?!(?:octodns|records|templates|ttl|type|values?):)[a-z][a-z-]*:/;

function isSectionConfig(text: string): boolean {
  const first = firstLine(text);
  if (!first) return false;
  const { start, line } = first;
  if (/^\s*include:[ \t]*["'/\w*]/.test(line)) return true;
  const section = sectionLine.exec(line);
  if (!section) return false;
  const rest = line.slice(section[0].length);
  return settingLine.test(/^[^#\s]/.test(rest) ? rest : (firstLine(text.slice(start + line.length))?.line ?? ""));
}

function formatProblem(
  source: SourceText,
  { start, line }: { start: number; line: string },
  summary: string,
  fix: Fix,
): Problem {
  return problem("file-format", summary, { place: source.place(start, start + line.length), fix });
}
