import { formatDuration } from "../../dns/duration.ts";
import { spellName } from "../../dns/name.ts";
import { parseRdata, type Rdata } from "../../dns/rdata/record-type.ts";
import { typeOf } from "../../dns/types/index.ts";
import { rdataText, type Zone } from "../../dns/zone.ts";
import { Scanner } from "../scan.ts";
import type { ZoneFile } from "../source.ts";
import { words } from "./edit.ts";
import { type Entry, type RecordEntry, readLayout, recordsIn } from "./layout.ts";

/** A record as it will be written: cells in columns, then data over one or several lines. */
interface RecordLines {
  readonly cells: readonly [owner: string, ttl: string, type: string];
  readonly above: readonly string[];
  readonly data: readonly DataLine[];
}

/** One line of data, and the comment behind it. */
interface DataLine {
  readonly words: readonly string[];
  readonly comment: string;
}

type Line = string | RecordLines;

const none: readonly string[] = [];
const indent = " ".repeat(8);
/** Wider cells do not move the columns of all others. */
const widestCell = 24;

/**
 * A master file, which was read without a fault as `zone`, with its entries, comments and blank lines in the author's
 * order: words in one spelling, records in columns, one blank line where there were several. Octets, one character for each.
 */
export function tidyBind(file: ZoneFile, zone: Zone): string {
  const layout = readLayout(file);
  const { text, entries, lineEnd } = layout;
  const scanner = new Scanner(text);
  const lines: Line[] = [];
  let before = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  let index = 0;
  for (const entry of entries) {
    if (before < entry.from) lines.push(...between(text, before, entry.from));
    before = entry.to;
    if (entry.kind === "record" && entry.record) {
      // Data that reading has made is not made again.
      const data = entry.record.role === "record" ? zone.records[index]?.data : entry.record.soa;
      lines.push(recordLines(text, data ?? readData(scanner, entry, entry.record), entry, entry.record));
    } else lines.push(...directiveLines(text, entry));
    index += recordsIn(entry);
  }
  lines.push(...between(text, before, text.length));
  return joined(inColumns(lines), lineEnd).replace(/(?:^|(?<=\n))\r?\n$/, "");
}

/** The lines as one text, with one blank line where there are several, and none at the start. */
function joined(lines: readonly string[], lineEnd: string): string {
  const kept: string[] = [];
  for (const line of lines) if (line !== "" || (kept.at(-1) ?? "") !== "") kept.push(line);
  kept.push("");
  return kept.join(lineEnd);
}

/** Comments and blank lines between entries. In column one `;@` is a directive, elsewhere a comment, and stays that. */
function between(text: string, from: number, to: number): string[] {
  if (from >= to) return [];
  const lines = text
    .slice(from, to)
    .replace(/\r?\n$/, "")
    .split("\n");
  return lines.map((line) => (line.startsWith(";@") ? line.trimEnd() : asComment(line.trim())));
}

/** A comment that stands in column one and is no directive there. */
function asComment(text: string): string {
  return text.startsWith(";@") ? `; ${text.slice(1)}` : text;
}

function directiveLines(text: string, entry: Entry): string[] {
  const { kind, tokens, seconds, record } = entry;
  const written = tokens.map(({ start, end }) => text.slice(start, end));
  written[0] = (written[0] ?? "").toUpperCase();
  if (kind === "ttl" && seconds !== undefined) written[1] = formatDuration(seconds);
  // Owner and data of a $GENERATE are templates: only what stands between them has another spelling.
  if (kind === "generate" && record)
    for (let at = 3; at < written.length - 1; at++) written[at] = (written[at] ?? "").toUpperCase();
  const comments = gaps(text, entry, 0)
    .flatMap(({ parts }) => parts.map(({ comment }) => comment))
    .filter(Boolean);
  const last = comments.pop();
  return [...comments.map(asComment), `${written.join(" ")}${last === undefined ? "" : ` ${last}`}`];
}

function recordLines(text: string, data: Rdata, entry: Entry, record: RecordEntry): RecordLines {
  const { tokens, origin } = entry;
  const first = record.typeAt + 1;
  const spelled = rdataText({ type: record.type, data }, (name) => spellName(name, origin));
  const ttl = record.ownTtl === undefined ? "" : String(record.ownTtl);
  const cells = [spellName(record.owner, origin), ttl, record.type] as const;
  const comment = lineComment(text, entry);
  if (comment !== undefined && !hasHighOctets(text, tokens[first]?.start ?? 0, tokens.at(-1)?.end ?? 0))
    return { cells, above: none, data: [{ words: [spelled], comment }] };
  const written = tokens.slice(first).map(({ start, end }) => text.slice(start, end));
  const own = words(spelled);
  const isSameCount = own.length === written.length;
  // Text in UTF-8 stays readable, and what the canonical form joins stays in the author's parts.
  const shown = written.map((word, index) => (isSameCount && !/[\x80-\xff]/.test(word) ? (own[index] ?? word) : word));
  const all = gaps(text, entry, 0);
  const head = all
    .slice(0, first - 1)
    .flatMap(({ parts }) => parts.map(({ comment }) => comment))
    .filter(Boolean);
  const inside = all.slice(first - 1);
  const isSeveral =
    inside.slice(0, -1).some(({ parts }) => parts.length > 1) ||
    inside.some(({ parts }) => parts.slice(0, -1).some(({ comment }) => comment !== ""));
  if (!isSeveral) {
    const comment = inside.at(-1)?.parts.find(({ comment }) => comment !== "")?.comment ?? "";
    const isKept = isSameCount && shown.some((word, index) => word !== own[index]);
    return { cells, above: head, data: [{ words: [isKept ? shown.join(" ") : spelled], comment }] };
  }
  return { cells, above: head, data: severalLines(shown, inside) };
}

/** The comment behind an entry that stands in one line, empty where it has none; undefined for other entries. */
function lineComment(text: string, { from, to, tokens }: Entry): string | undefined {
  const newline = text.indexOf("\n", from);
  if (newline !== -1 && newline < to - 1) return undefined;
  const end = tokens.at(-1)?.end ?? from;
  const at = text.indexOf(";", end);
  return at === -1 || at >= to ? "" : text.slice(at, to).trimEnd();
}

function hasHighOctets(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) > 127) return true;
  return false;
}

/** Data in the lines that the author gave it, in parentheses. */
function severalLines(shown: readonly string[], inside: readonly Gap[]): DataLine[] {
  const data: { words: string[]; comment: string }[] = [{ words: [], comment: "" }];
  inside.forEach(({ parts }, index) => {
    // The first gap is that between the type and its data.
    const word = index === 0 ? undefined : shown[index - 1];
    if (word !== undefined) data.at(-1)?.words.push(word);
    const isLast = index === inside.length - 1;
    parts.forEach(({ comment, closes }, at) => {
      if (at > 0 && !(isLast && comment === "" && !closes)) data.push({ words: [], comment: "" });
      const line = data.at(-1);
      if (!line) return;
      if (isLast && closes) line.words.push(")");
      line.comment = comment;
    });
  });
  const last = data.at(-1);
  if (last && !data.some(({ words }) => words.includes(")"))) last.words.push(")");
  data[0]?.words.push("(");
  return data.filter(({ words, comment }, index) => index === 0 || words.length > 0 || comment !== "");
}

/** Text between two words: the comment of each line, and whether it closes a parenthesis. */
interface Gap {
  readonly parts: readonly { readonly comment: string; readonly closes: boolean }[];
}

/** The gaps behind each word of an entry, from the word `first` on. */
function gaps(text: string, { tokens, to }: Entry, first: number): Gap[] {
  return tokens.slice(first).map(({ end }, index) => {
    const lines = text
      .slice(end, tokens[first + index + 1]?.start ?? to)
      .replace(/\r?\n$/, "")
      .split("\n");
    return {
      parts: lines.map((line) => {
        const at = line.indexOf(";");
        const comment = at === -1 ? "" : line.slice(at).trimEnd();
        return { comment, closes: (at === -1 ? line : line.slice(0, at)).includes(")") };
      }),
    };
  });
}

/** The data of a record that the zone does not hold. */
function readData(scanner: Scanner, { from, origin }: Entry, { type, typeAt }: RecordEntry): Rdata {
  scanner.moveTo(from);
  scanner.next();
  const { table } = scanner;
  table.origin = origin;
  table.next = typeAt + 1;
  return parseRdata(typeOf(type), table);
}

function inColumns(lines: readonly Line[]): string[] {
  const widths = [0, 0, 0];
  for (const line of lines) {
    if (typeof line === "string") continue;
    for (let column = 0; column < 3; column++)
      widths[column] = Math.max(widths[column] ?? 0, Math.min(widestCell, line.cells[column]?.length ?? 0));
  }
  const [ownerWidth = 0, ttlWidth = 0, typeWidth = 0] = widths;
  const out: string[] = [];
  for (const line of lines) {
    if (typeof line === "string") {
      out.push(line);
      continue;
    }
    const [owner, ttl, type] = line.cells;
    const [first, ...others] = line.data;
    for (const comment of line.above) out.push(asComment(comment));
    const ttlCell = ttlWidth === 0 ? "" : `${ttl.padEnd(ttlWidth)} `;
    const data = first?.words.join(" ") ?? "";
    const start = `${owner.padEnd(ownerWidth)} ${ttlCell}IN ${type.padEnd(typeWidth)} ${data}`.trimEnd();
    out.push(behind(start, first?.comment ?? ""));
    if (others.length > 0) out.push(...furtherLines(others));
  }
  return out;
}

/** The lines of the data behind the first one, their comments in a column. */
function furtherLines(lines: readonly DataLine[]): string[] {
  const width = lines.reduce(
    (widest, { words, comment }) => (comment === "" ? widest : Math.max(widest, words.join(" ").length)),
    0,
  );
  return lines.map(({ words, comment }) => {
    const text = words.join(" ");
    return indent + (text === "" ? comment : behind(comment === "" ? text : text.padEnd(width), comment));
  });
}

function behind(text: string, comment: string): string {
  return comment === "" ? text : `${text} ${comment}`;
}
