import { addToList, groupBy } from "../../group-by.ts";
import { applySplices, type Splice } from "./splice.ts";

/** A comment: its text as octets without its mark, and its offset. */
export interface Comment {
  readonly text: string;
  readonly at: number;
}

/** A part of a file that can have a comment. `rank` 1 is the outermost: a name, then its types, then records. */
export interface CommentTarget {
  readonly key: string;
  readonly rank: number;
  readonly at: number;
}

/** A zone file with its comments and their possible targets. */
export interface CommentedText {
  readonly text: string;
  readonly targets: readonly CommentTarget[];
  readonly comments: readonly Comment[];
  /** Comments inside a record of several lines, by the word of its data that they follow. */
  readonly inner: readonly { readonly key: string; readonly word: number; readonly comment: Comment }[];
}

/** The comments of a file by the key of their target. */
export interface CommentMap {
  /** Comments before the first entry and after the last; undefined is an empty line. */
  readonly head: readonly (Comment | undefined)[];
  readonly tail: readonly (Comment | undefined)[];
  readonly above: ReadonlyMap<string, readonly Comment[]>;
  readonly behind: ReadonlyMap<string, readonly Comment[]>;
  readonly inner: ReadonlyMap<string, ReadonlyMap<number, readonly Comment[]>>;
  /** Comments without a target, such as a title of a section: in another order they would be wrong. */
  readonly unattached: readonly Comment[];
}

/**
 * Maps each comment to its target: at the end of a line, the part that starts in that line; on a separate line, the
 * part that starts in the next one; at the start or end of the file, the file.
 */
export function mapComments({ text, targets, comments, inner }: CommentedText): CommentMap {
  const head: (Comment | undefined)[] = [];
  const above = new Map<string, Comment[]>();
  const behind = new Map<string, Comment[]>();
  const unattached: Comment[] = [];
  const loose: (Comment | undefined)[] = [];
  let block: Comment[] = [];
  let isBody = false;
  const targetsByLine = byLine(text, targets);
  const commentsByLine = byLine(text, comments);
  for (const { start, end } of linesOf(text)) {
    const [comment, ...others] = commentsByLine.get(start) ?? [];
    const here = targetsByLine.get(start) ?? [];
    const isOwn = comment !== undefined && text.slice(start, comment.at).trim() === "";
    if (isOwn && here.length === 0) block.push(comment);
    else if (text.slice(start, end).trim() === "") {
      (isBody ? loose : head).push(...block, ...(block.length > 0 ? [undefined] : []));
      block = [];
    } else if (isBody || here.length > 0) {
      unattached.push(...loose.flatMap((comment) => comment ?? []));
      loose.length = 0;
      const [first] = here;
      if (!isBody) head.push(...block);
      else if (first) append(above, first.key, block);
      else unattached.push(...block);
      block = [];
      isBody = true;
      const about = lineTarget(here);
      if (comment && about) append(behind, about.key, [comment, ...others]);
      else if (comment) unattached.push(comment, ...others);
    } else head.push(...block.splice(0), ...(comment ? [comment] : [])); // marks of the document
  }
  const rest = [...loose, ...block];
  while (rest.length > 0 && rest.at(-1) === undefined) rest.pop();
  return {
    head: isBody ? head : [],
    tail: isBody ? rest : [...head, ...rest],
    above,
    behind,
    inner: innerByKey(inner),
    unattached,
  };
}

/** The comment syntax of a format. */
export interface CommentStyle {
  readonly mark: ";" | "#";
  /** The outermost rank whose lines can have a comment at their end. */
  readonly behindFrom: number;
}

/** Writes comments into a file; `lost` are those without a place there. */
export function withComments(
  { text, targets }: CommentedText,
  comments: CommentMap,
  { mark, behindFrom }: CommentStyle,
): { text: string; lost: Comment[] } {
  const splices: Splice[] = [];
  const { above: wantedAbove, behind: wantedBehind } = adaptTargets(comments, targets);
  const open = new Set([...wantedAbove.keys(), ...wantedBehind.keys()]);
  const targetsByLine = byLine(text, targets);
  for (const { start, end } of linesOf(text)) {
    const here = targetsByLine.get(start) ?? [];
    const lines: Comment[] = [];
    let last: readonly Comment[] = [];
    for (const { key, rank } of here) {
      open.delete(key);
      lines.push(...(wantedAbove.get(key) ?? []));
      const fresh = wantedBehind.get(key) ?? [];
      if (fresh.length === 0) continue;
      const isBehind = rank >= behindFrom && lineTarget(here.filter((target) => target.rank <= rank)) !== undefined;
      if (!isBehind) lines.push(...fresh);
      else {
        lines.push(...last);
        last = fresh;
      }
    }
    const indent = /^ */.exec(text.slice(start, end))?.[0] ?? "";
    const [tail, ...others] = last;
    const above = [...lines, ...others].map((comment) => `${indent}${formatComment(comment, mark)}\n`).join("");
    if (above !== "") splices.push({ start, end: start, text: above });
    if (tail) splices.push({ start: end, end, text: ` ${formatComment(tail, mark)}` });
  }
  const lost = [...open].flatMap((key) => [...(wantedAbove.get(key) ?? []), ...(wantedBehind.get(key) ?? [])]);
  const head = comments.head.map((comment) => `${comment ? formatComment(comment, mark) : ""}\n`).join("");
  const tail = comments.tail.map((comment) => `${comment ? formatComment(comment, mark) : ""}\n`).join("");
  return { text: head + applySplices(text, splices) + (tail === "" ? "" : `\n${tail}`), lost };
}

/** Moves comments whose target has no line in the other format to the enclosing part: from a TTL to its set. */
function adaptTargets(
  { above, behind }: CommentMap,
  targets: readonly CommentTarget[],
): Pick<CommentMap, "above" | "behind"> {
  const known = new Set(targets.map(({ key }) => key));
  const moved = new Map<string, Comment[]>();
  const rest = new Map<string, Comment[]>();
  const knownKey = (key: string) =>
    known.has(key)
      ? key
      : key === "setting records"
        ? (targets[0]?.key ?? key)
        : key.replace(/^(?:ttl|values) /, "set ");
  for (const [key, comments] of above) append(moved, knownKey(key), comments);
  for (const [key, comments] of behind) append(knownKey(key) === key ? rest : moved, knownKey(key), comments);
  return { above: moved, behind: rest };
}

/** The texts of all comments, which must be the same before and after. */
export function commentTexts({ comments, inner }: CommentedText): string[] {
  return [...comments, ...inner.map(({ comment }) => comment)].map(({ text }) => text.trim());
}

/** Numbers keys that occur several times. */
export function countKeys(): (key: string) => string {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key} #${count}`;
  };
}

function formatComment({ text }: Comment, mark: string): string {
  // In column one ;@ would be a directive.
  if (mark === ";" && text.startsWith("@")) return `; ${text}`.trimEnd();
  return `${mark}${text}`.trimEnd();
}

/** The target of a comment at the end of a line: the innermost that starts there, unless several of its rank do. */
function lineTarget(targets: readonly CommentTarget[]): CommentTarget | undefined {
  for (let rank = 4; rank > 0; rank--) {
    const [first, second] = targets.filter((target) => target.rank === rank);
    if (first && !second) return first;
  }
  return undefined;
}

function innerByKey(inner: CommentedText["inner"]): Map<string, Map<number, Comment[]>> {
  const keys = new Map<string, Map<number, Comment[]>>();
  for (const { key, word, comment } of inner) {
    const words = keys.get(key) ?? new Map<number, Comment[]>();
    keys.set(key, words);
    addToList(words, word, comment);
  }
  return keys;
}

function append(map: Map<string, Comment[]>, key: string, comments: readonly Comment[]): void {
  if (comments.length > 0) map.set(key, [...(map.get(key) ?? []), ...comments]);
}

function* linesOf(text: string): Generator<{ start: number; end: number }> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const next = found === -1 ? text.length : found;
    yield { start, end: text[next - 1] === "\r" ? next - 1 : next };
    start = next + 1;
  }
}

/** Groups items by the start of their line. */
function byLine<T extends { readonly at: number }>(text: string, things: readonly T[]): Map<number, T[]> {
  return groupBy(things, ({ at }) => text.lastIndexOf("\n", at - 1) + 1);
}
