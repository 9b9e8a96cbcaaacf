import { nameKey } from "../../dns/name.ts";
import { canonical, type Zone } from "../../dns/zone.ts";
import { type Comment, type CommentedText, type CommentMap, type CommentTarget, countKeys } from "../comments.ts";
import type { ZoneFile } from "../source.ts";
import { applySplices, type Splice } from "../splice.ts";
import { type Entry, readLayout, recordsIn } from "./layout.ts";

/** The comments of a master file and their targets; `zone` is what was read of it. */
export function readBindComments(file: ZoneFile, zone: Zone): CommentedText {
  const { text, entries, directives } = readLayout(file);
  const targets: CommentTarget[] = [];
  const comments: Comment[] = [];
  const inner: { key: string; word: number; comment: Comment }[] = [];
  const once = countKeys();
  const seen = new Set<string>();
  const first = (key: string, rank: number, at: number) => {
    if (!seen.has(key)) targets.push({ key, rank, at });
    seen.add(key);
  };
  const marks = new Set(directives.map(({ start }) => start - 2));
  for (const { name, start } of directives)
    first(name.startsWith("lenient") ? lenientKey(name, zone) : `setting ${name}`, 1, start - 2);
  let record = 0;
  let before = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  for (const entry of entries) {
    comments.push(...commentsBetween(text, before, entry.from, marks));
    before = entry.to;
    const { from: at } = entry;
    let key = "";
    if (entry.kind === "origin") first("setting zone", 1, at);
    else if (entry.kind === "ttl") first("setting ttl_sec", 1, at);
    else if (entry.kind !== "record") record += recordsIn(entry);
    else if (entry.record?.role === "implicit") {
      key = once(`implicit ${entry.record.type}`);
      targets.push({ key, rank: 3, at });
    } else if (entry.record?.role === "record") {
      const data = zone.records[record++];
      const owner = nameKey(entry.record.owner);
      first(`owner ${owner}`, 1, at);
      first(`set ${owner} ${entry.record.type}`, 2, at);
      key = once(`record ${owner} ${entry.record.type} ${data ? canonical(data) : ""}`);
      targets.push({ key, rank: 3, at });
    }
    for (const { word, comment } of commentsInside(text, entry)) {
      if (key !== "" && word >= 0 && word < lastWord(entry)) inner.push({ key, word, comment });
      else comments.push({ ...comment, at: key === "" ? comment.at : Math.min(comment.at, endOfLine(text, at)) });
    }
  }
  comments.push(...commentsBetween(text, before, text.length, marks));
  return { text, targets, comments, inner };
}

/** Canonical text with comments inside of records: behind a word that has one the record goes on in the next line. */
export function withInnerComments(
  file: ZoneFile,
  zone: Zone,
  { inner }: CommentMap,
): { text: string; lost: Comment[] } {
  const { text, entries } = readLayout(file);
  const splices: Splice[] = [];
  const open = new Map(inner);
  const { targets } = readBindComments(file, zone);
  const keys = new Map(targets.filter(({ rank }) => rank === 3).map(({ at, key }) => [at, key]));
  for (const entry of entries) {
    const key = keys.get(entry.from) ?? "";
    const words = open.get(key);
    if (!words || entry.kind !== "record") continue;
    const tokens = entry.tokens.slice((entry.record?.typeAt ?? 0) + 1);
    const [start = 0] = words.keys();
    if ([...words.keys()].some((word) => word < 0 || word >= tokens.length - 1)) continue;
    open.delete(key);
    const opening = tokens[Math.min(...words.keys(), start)];
    if (opening) splices.push({ start: opening.start, end: opening.start, text: "( " });
    for (const [word, comments] of words) {
      const next = tokens[word + 1];
      if (!next) continue;
      const lines = comments.map(({ text }) => `;${text}`.trimEnd()).join("\n        ");
      splices.push({ start: tokens[word]?.end ?? next.start, end: next.start, text: ` ${lines}\n        ` });
    }
    const end = tokens.at(-1)?.end ?? entry.to;
    splices.push({ start: end, end, text: " )" });
  }
  return { text: applySplices(text, splices), lost: [...open.values()].flatMap((words) => [...words.values()].flat()) };
}

function lenientKey(name: string, { name: zone }: Zone): string {
  const owner = name.slice("lenient ".length);
  return `lenient ${owner === "@" ? zone : owner.endsWith(".") ? owner : `${owner}.${zone}`}`.toLowerCase();
}

/** The index of the last word of an entry's data. */
function lastWord({ tokens, record }: Entry): number {
  return tokens.length - (record?.typeAt ?? 0) - 2;
}

/** Comments on lines of their own; directive comments are none. */
function commentsBetween(text: string, from: number, to: number, directives: ReadonlySet<number>): Comment[] {
  const found: Comment[] = [];
  for (let at = from; at < to; at = endOfLine(text, at) + 1) {
    const start = text.indexOf(";", at);
    if (start === -1 || start >= Math.min(to, endOfLine(text, at))) continue;
    if (!directives.has(start)) found.push(commentAt(text, start));
  }
  return found;
}

/** Comments of an entry, and behind which word of its data they stand. */
function commentsInside(text: string, { from, to, tokens, record }: Entry): { word: number; comment: Comment }[] {
  const found: { word: number; comment: Comment }[] = [];
  const bounds = [from, ...tokens.map(({ end }) => end)];
  bounds.forEach((start, index) => {
    const end = tokens[index]?.start ?? to;
    for (let at = start; at < end; at++) {
      if (text[at] !== ";") continue;
      found.push({ word: index - 2 - (record?.typeAt ?? 0), comment: commentAt(text, at) });
      at = endOfLine(text, at);
    }
  });
  return found;
}

function commentAt(text: string, at: number): Comment {
  return { text: text.slice(at + 1, endOfLine(text, at)).trimEnd(), at };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
