import { nameKey } from "../../dns/name/name.ts";
import { canonical, type Zone } from "../../dns/zone/zone.ts";
import { type Comment, type CommentedText, type CommentMap, type CommentTarget, countKeys } from "../edit/comments.ts";
import { applySplices, type Splice } from "../edit/splice.ts";
import { Scanner } from "../kit/scan.ts";
import type { BindFile } from "./read.ts";
import type { CommentRange, RecordEntry } from "./tree.ts";

/** The comments of a BIND zone file and their targets. Directive comments are settings, and targets themselves. */
export function readBindComments({ zone, tree }: BindFile): CommentedText {
  const { text } = tree;
  const targets: CommentTarget[] = [];
  const comments: Comment[] = [];
  const inner: { key: string; word: number; comment: Comment }[] = [];
  const once = countKeys();
  const known = new Set<string>();
  const addFirst = (key: string, rank: number, at: number) => {
    if (!known.has(key)) targets.push({ key, rank, at });
    known.add(key);
  };
  for (const { setting, start } of tree.settings)
    addFirst(setting.startsWith("lenient") ? lenientKey(setting, zone) : `setting ${setting}`, 1, start);
  for (const node of tree.nodes) {
    const { start: at } = node;
    let key = "";
    if (node.kind === "origin") addFirst("setting zone", 1, at);
    else if (node.kind === "ttl") addFirst("setting ttl_sec", 1, at);
    else if (node.kind === "record" && node.role !== "repeat") {
      const { type } = node.record;
      if (node.role === "record") {
        const owner = nameKey(node.record.owner);
        addFirst(`owner ${owner}`, 1, at);
        addFirst(`set ${owner} ${type}`, 2, at);
        key = once(`record ${owner} ${type} ${canonical(node.record)}`);
      } else key = once(`implicit ${type}`);
      targets.push({ key, rank: 3, at });
    }
    for (const range of node.comments) {
      if (range.setting !== undefined) continue;
      const comment = { text: text.slice(range.start + 1, range.end).trimEnd(), at: range.start };
      if (key === "" || node.kind !== "record") comments.push(comment);
      else {
        const word = wordBefore(range, node);
        if (word >= 0 && word < node.tokens.length - node.typeAt - 2) inner.push({ key, word, comment });
        else comments.push({ ...comment, at: Math.min(comment.at, endOfLine(text, at)) });
      }
    }
  }
  return { text, targets, comments, inner };
}

/** The comments of a file without syntax errors, without their semicolons. */
export function scanComments(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const scanner = new Scanner(text);
  const comments: string[] = [];
  scanner.onComment = (start, end) => comments.push(text.slice(start + 1, end));
  while (scanner.next());
  return comments;
}

/** The index of the word of RDATA before a comment. */
function wordBefore(comment: CommentRange, { tokens, typeAt }: RecordEntry): number {
  return tokens.filter(({ start }) => start < comment.start).length - typeAt - 2;
}

/** Canonical text with comments inside records: after a commented word the record continues on the next line. */
export function withInnerComments(read: BindFile, { inner }: CommentMap): { text: string; lost: Comment[] } {
  const { text, entries } = read.tree;
  const splices: Splice[] = [];
  const open = new Map(inner);
  const { targets } = readBindComments(read);
  const keys = new Map(targets.filter(({ rank }) => rank === 3).map(({ at, key }) => [at, key]));
  for (const entry of entries) {
    const key = keys.get(entry.start) ?? "";
    const words = open.get(key);
    if (!words || entry.kind !== "record") continue;
    const tokens = entry.tokens.slice(entry.typeAt + 1);
    if ([...words.keys()].some((word) => word < 0 || word >= tokens.length - 1)) continue;
    open.delete(key);
    const opening = tokens[Math.min(...words.keys())];
    if (opening) splices.push({ start: opening.start, end: opening.start, text: "( " });
    for (const [word, comments] of words) {
      const next = tokens[word + 1];
      if (!next) continue;
      const lines = comments.map(({ text }) => `;${text}`.trimEnd()).join("\n        ");
      splices.push({ start: tokens[word]?.end ?? next.start, end: next.start, text: ` ${lines}\n        ` });
    }
    const end = tokens.at(-1)?.end ?? entry.end;
    splices.push({ start: end, end, text: " )" });
  }
  return { text: applySplices(text, splices), lost: [...open.values()].flatMap((words) => [...words.values()].flat()) };
}

function lenientKey(setting: string, { name: zone }: Zone): string {
  const owner = setting.slice("lenient ".length);
  return `lenient ${owner === "@" ? zone : owner.endsWith(".") ? owner : `${owner}.${zone}`}`.toLowerCase();
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
