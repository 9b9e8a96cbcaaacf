import { spellName } from "../../dns/name/name.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import { keepNotation, splitRdata } from "../kit/rdata-words.ts";
import { targetSpeller } from "../kit/target-speller.ts";
import type { Range } from "./token-columns.ts";
import { type Entry, headIndexes, type RecordEntry, type Tree, type TreeNode } from "./tree.ts";

/** The layout of a record: cells in columns, then RDATA on one or more lines. */
interface RecordLines {
  readonly cells: Cells;
  readonly above: readonly string[];
  readonly data: readonly DataLine[];
}

type Cells = readonly [owner: string, ttl: string, recordClass: string, type: string];

/** One line of RDATA with its comment. */
interface DataLine {
  readonly words: readonly string[];
  readonly comment: string;
}

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
  const widths = columnWidths(text, nodes);
  // At most one blank line in a row, and none at the start.
  const lines: string[] = [];
  for (const node of nodes)
    for (const line of linesOf(text, node, widths)) if (line !== "" || (lines.at(-1) ?? "") !== "") lines.push(line);
  lines.push("");
  return lines.join(lineEnd).replace(/(?:^|(?<=\n))\r?\n$/, "");
}

function linesOf(text: string, node: TreeNode, widths: readonly number[]): readonly string[] {
  if (node.kind === "record") return printRecord(recordLines(text, node), widths);
  if (node.kind === "blank") return [""];
  if (node.kind === "comment") {
    const isInColumnOne = node.comments[0]?.start === node.start;
    return isInColumnOne ? commentTexts(text, node) : commentTexts(text, node).map(toComment);
  }
  return "origin" in node ? directiveLines(text, node) : none;
}

/** The widths of the columns of owner, TTL, class and type. */
function columnWidths(text: string, nodes: readonly TreeNode[]): readonly number[] {
  const widths = [1, 0, 0, 0];
  for (const node of nodes) {
    if (node.kind !== "record") continue;
    cellsOf(text, node, node.tokens).forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(widestCell, cell.length));
    });
  }
  return widths;
}

function cellsOf(text: string, entry: RecordEntry, tokens: readonly Range[]): Cells {
  const { ttlAt, classAt } = headIndexes(text, entry, tokens);
  const written = (token: number) => text.slice(tokens[token]?.start ?? 0, tokens[token]?.end ?? 0);
  return [entry.inheritsOwner ? "" : written(0), written(ttlAt), written(classAt).toUpperCase(), entry.record.type];
}

/** The comments of a node, with their semicolons. */
function commentTexts(text: string, { comments }: Pick<TreeNode, "comments">): string[] {
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
  const cells = cellsOf(text, entry, tokens);
  const first = entry.typeAt + 1;
  const words = tokens.slice(first).map(({ start, end }) => text.slice(start, end));
  const isCanonical = rdataText(record, (name) => spellName(name, origin)) === words.join(" ");
  // A name that the author wrote in another form, such as by its octets, must not look like one without its final dot.
  const canonical = isCanonical ? words.join(" ") : rdataText(record, targetSpeller({ name: origin, records: [] }));
  const own = isCanonical ? words : splitRdata(canonical);
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
  const above = commentTexts(text, { comments: entry.comments.filter(({ start }) => start < dataAt) });
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

function printRecord({ cells, above, data }: RecordLines, widths: readonly number[]): readonly string[] {
  const [first, ...others] = data;
  const head = cells
    .flatMap((cell, column) => (widths[column] === 0 ? [] : cell.padEnd(widths[column] ?? 0)))
    .join(" ");
  const words = first?.words.join(" ") ?? "";
  // Data may end in an escaped blank, or in white space of other scripts.
  const start = words === "" ? head.trimEnd() : `${head} ${words}`;
  return [...above.map(toComment), addComment(start, first?.comment ?? ""), ...continuationLines(others)];
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
