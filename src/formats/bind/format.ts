import { spellName } from "../../dns/name.ts";
import { rdataText } from "../../dns/zone.ts";
import { keepNotation, splitRdata } from "../kit/rdata-words.ts";
import { type Entry, headOf, type RecordEntry, type Tree, type TreeNode } from "./tree.ts";

/** The layout of a record: cells in columns, then RDATA on one or more lines. */
interface RecordLines {
  readonly cells: readonly [owner: string, ttl: string, recordClass: string, type: string];
  readonly above: readonly string[];
  readonly data: readonly DataLine[];
}

/** One line of RDATA with its comment. */
interface DataLine {
  readonly words: readonly string[];
  readonly comment: string;
}

type Line = string | RecordLines;

const none: readonly string[] = [];
const indent = " ".repeat(8);
/** Wider cells do not affect the columns. */
const widestCell = 24;

/**
 * A zone file, read without errors, with its entries, comments and blank lines in the author's order: records in
 * columns, directives and types in capitals, RDATA in one spelling, one blank line where there were several. Choices
 * of the author stay: names relative or absolute, times in units or seconds, repeated or omitted owners, classes.
 * Octets, one character for each.
 */
export function formatBind({ text, nodes, lineEnd }: Tree): string {
  const lines = nodes.flatMap((node): Line[] => {
    if (node.kind === "record") return [recordLines(text, node)];
    if (node.kind === "blank") return [""];
    if (node.kind === "comment") {
      const isInColumnOne = node.comments[0]?.start === node.start;
      return isInColumnOne ? commentTexts(text, node) : commentTexts(text, node).map(toComment);
    }
    return "origin" in node ? directiveLines(text, node) : [];
  });
  return joinLines(alignColumns(lines), lineEnd).replace(/(?:^|(?<=\n))\r?\n$/, "");
}

/** Joins the lines, with at most one blank line in a row, and none at the start. */
function joinLines(lines: readonly string[], lineEnd: string): string {
  const kept: string[] = [];
  for (const line of lines) if (line !== "" || (kept.at(-1) ?? "") !== "") kept.push(line);
  kept.push("");
  return kept.join(lineEnd);
}

/** The comments of a node, with their semicolons. */
function commentTexts(text: string, { comments }: TreeNode): string[] {
  return comments.map(({ start, end }) => text.slice(start, end).trimEnd());
}

/** A comment for column one, where `;@` would be a directive. */
function toComment(text: string): string {
  return text.startsWith(";@") ? `; ${text.slice(1)}` : text;
}

function directiveLines(text: string, entry: Exclude<Entry, RecordEntry>): string[] {
  const written = entry.tokens.map(({ start, end }) => text.slice(start, end));
  written[0] = (written[0] ?? "").toUpperCase();
  // Owner and RDATA of a $GENERATE are templates: only the words between them are normalised.
  if (entry.kind === "generate")
    for (let at = 3; at < written.length - 1; at++) written[at] = (written[at] ?? "").toUpperCase();
  const comments = commentTexts(text, entry);
  const last = comments.pop();
  return [...comments.map(toComment), `${written.join(" ")}${last === undefined ? "" : ` ${last}`}`];
}

function recordLines(text: string, entry: RecordEntry): RecordLines {
  const { tokens, origin, record, start, end } = entry;
  const written = tokens.map(({ start, end }) => text.slice(start, end));
  const { ttlAt, classAt } = headOf(text, entry);
  const owner = entry.inheritsOwner ? "" : written[0];
  const [ttl = "", recordClass = ""] = [written[ttlAt], written[classAt]?.toUpperCase()];
  const cells = [owner ?? "", ttl, recordClass, record.type] as const;
  const first = entry.typeAt + 1;
  const words = written.slice(first);
  const canonical = rdataText(record, (name) => spellName(name, origin));
  const own = canonical === words.join(" ") ? words : splitRdata(canonical);
  const isSameCount = own.length === words.length;
  // UTF-8 text stays readable, and strings that the canonical form joins stay separate.
  const shown = words.map((word, index) =>
    isSameCount && !/[\x80-\xff]/.test(word) ? keepNotation(word, own[index] ?? word, origin) : word,
  );
  const spelled = isSameCount ? shown.join(" ") : canonical;
  const newline = text.indexOf("\n", start);
  if (newline === -1 || newline >= end - 1)
    return { cells, above: none, data: [{ words: [spelled], comment: commentTexts(text, entry)[0] ?? "" }] };
  const dataAt = tokens[first - 1]?.end ?? start;
  const above = commentTexts(text, { ...entry, comments: entry.comments.filter(({ start }) => start < dataAt) });
  const gaps = gapsAfter(text, entry, first - 1);
  const isSeveral =
    gaps.slice(0, -1).some((lines) => lines.length > 1) ||
    gaps.some((lines) => lines.slice(0, -1).some(({ comment }) => comment !== ""));
  if (isSeveral) return { cells, above, data: splitOverLines(shown, gaps) };
  const comment = gaps.at(-1)?.find(({ comment }) => comment !== "")?.comment ?? "";
  return { cells, above, data: [{ words: [spelled], comment }] };
}

/** RDATA in the author's lines, in parentheses. */
function splitOverLines(shown: readonly string[], gaps: readonly GapLine[][]): DataLine[] {
  const data: { words: string[]; comment: string }[] = [{ words: [], comment: "" }];
  gaps.forEach((lines, index) => {
    // The first gap is that between the type and its data.
    const word = index === 0 ? undefined : shown[index - 1];
    if (word !== undefined) data.at(-1)?.words.push(word);
    const isLast = index === gaps.length - 1;
    lines.forEach(({ comment, closes }, at) => {
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

/** One line of the text between two words. */
interface GapLine {
  readonly comment: string;
  /** Whether it closes a parenthesis. */
  readonly closes: boolean;
}

/** The lines of the gap after each word of an entry, from the word `first` on. */
function gapsAfter(text: string, { tokens, comments, end: entryEnd }: RecordEntry, first: number): GapLine[][] {
  return tokens.slice(first).map(({ end }, index) => {
    const gap = text.slice(end, tokens[first + index + 1]?.start ?? entryEnd).replace(/\r?\n$/, "");
    let at = end;
    return gap.split("\n").map((line) => {
      const lineEnd = at + line.length;
      const comment = comments.find(({ start }) => start >= at && start < lineEnd);
      const closes = text.slice(at, comment?.start ?? lineEnd).includes(")");
      at = lineEnd + 1;
      return { comment: comment ? text.slice(comment.start, comment.end).trimEnd() : "", closes };
    });
  });
}

function alignColumns(lines: readonly Line[]): string[] {
  const widths = [1, 0, 0, 0];
  for (const line of lines) {
    if (typeof line === "string") continue;
    line.cells.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(widestCell, cell.length));
    });
  }
  const out: string[] = [];
  for (const line of lines) {
    if (typeof line === "string") {
      out.push(line);
      continue;
    }
    const [first, ...others] = line.data;
    for (const comment of line.above) out.push(toComment(comment));
    const cells = line.cells.flatMap((cell, column) => (widths[column] === 0 ? [] : cell.padEnd(widths[column] ?? 0)));
    const head = cells.join(" ");
    const data = first?.words.join(" ") ?? "";
    // Data may end in an escaped blank, or in white space of other scripts.
    const start = data === "" ? head.trimEnd() : `${head} ${data}`;
    out.push(addComment(start, first?.comment ?? ""));
    if (others.length > 0) out.push(...continuationLines(others));
  }
  return out;
}

/** The lines of RDATA after the first one, with aligned comments. */
function continuationLines(lines: readonly DataLine[]): string[] {
  const width = lines.reduce(
    (widest, { words, comment }) => (comment === "" ? widest : Math.max(widest, words.join(" ").length)),
    0,
  );
  return lines.map(({ words, comment }) => {
    const text = words.join(" ");
    return indent + (text === "" ? comment : addComment(comment === "" ? text : text.padEnd(width), comment));
  });
}

function addComment(text: string, comment: string): string {
  return comment === "" ? text : `${text} ${comment}`;
}
