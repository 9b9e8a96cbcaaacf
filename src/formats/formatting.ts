import { decodeText } from "../diagnostics/decode.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { type Name, nameKey, readName } from "../dns/name.ts";
import { fromOctets, isUtf8, toOctets } from "../dns/text.ts";
import type { Zone } from "../dns/zone.ts";
import { readBindComments, withInnerComments } from "./bind/comments.ts";
import { dataSplices } from "./bind/edit.ts";
import { readLayout } from "./bind/layout.ts";
import { readBind } from "./bind/read.ts";
import { tidyBind } from "./bind/tidy.ts";
import { writeBind } from "./bind/write.ts";
import {
  type Comment,
  type CommentedText,
  type CommentMap,
  commentTexts,
  mapComments,
  withComments,
} from "./comments.ts";
import { compareZones, isSameZone } from "./difference.ts";
import { withOneTtl } from "./reconcile-soa.ts";
import { scopeText } from "./scope.ts";
import type { WriteOptions, ZoneFile } from "./source.ts";
import { applySplices } from "./splice.ts";
import { findComments, readYamlComments } from "./yaml/comments.ts";
import { normalizeYaml } from "./yaml/normalize.ts";
import { readYaml, readYamlFile, type YamlFile } from "./yaml/read.ts";
import { schemaComment, writeYaml } from "./yaml/write.ts";

type Form = "yaml" | "bind";

/** A file with what was read of it: each thing once, and when somebody asks for it. */
class MasterPage {
  readonly file: ZoneFile;
  #zone: Zone | undefined;

  constructor(file: ZoneFile) {
    this.file = file;
  }

  get zone(): Zone {
    this.#zone ??= readBind(this.file).zone;
    return this.#zone;
  }

  commentedText(zone: Zone): CommentedText {
    return readBindComments(this.file, zone);
  }

  /** The texts of its comments. */
  get texts(): string[] {
    return masterComments(Buffer.from(this.file.bytes).toString("latin1"), { areDirectivesLeftOut: true });
  }
}

class YamlPage {
  readonly file: ZoneFile;
  #read: YamlFile | undefined;
  #comments: CommentedText | undefined;

  constructor(file: ZoneFile) {
    this.file = file;
  }

  get zone(): Zone {
    return this.#reading.zone;
  }

  /** The same for the zone that was read and for that zone with one TTL for each set. */
  commentedText(zone: Zone): CommentedText {
    this.#comments ??= readYamlComments(this.#reading, zone);
    return this.#comments;
  }

  /** The lines of aliases. */
  get unrolled(): number[] {
    const { tree, text } = this.#reading;
    return lineNumbers(
      text,
      [...(tree?.targets.keys() ?? [])].map(({ range }) => range?.[0] ?? 0),
    );
  }

  get texts(): string[] {
    return findComments(decodeText(this.file.bytes).text).map(({ text }) => toOctets(text));
  }

  get #reading(): YamlFile {
    this.#read ??= readYamlFile(this.file, { keepSourceTokens: true });
    return this.#read;
  }
}

/** A zone file in canonical form, and what of it the form has no place for. */
export interface Formatted {
  readonly bytes: Uint8Array;
  /** Lines with comments that belong to nothing that the other text has. */
  readonly lost: readonly number[];
  /** Lines that are more than their records: `$INCLUDE`, `$GENERATE`, aliases. Their records are written out. */
  readonly unrolled: readonly number[];
}

/**
 * The zone of a file, which was read without a fault, in the canonical form of a format, with its comments: those above
 * a line or at its end go where their record, name or setting goes.
 * @throws {ProblemError} `fmt-inexact` where that does not say the same, in records or in comments.
 */
export function formatCanonical(file: ZoneFile, from: Form, to: Form, options: WriteOptions): Formatted {
  const source = from === "bind" ? new MasterPage(file) : new YamlPage(file);
  const zone = to === "yaml" ? withOneTtl(source.zone) : source.zone;
  const commented = source.commentedText(zone);
  const comments = mapComments(commented);
  const { page, lost } =
    to === "bind" ? asBind(file, zone, comments, from, options) : asYaml(file, zone, comments, options);
  const { bytes } = page.file;
  const isSame = isSameZone(zone, page.zone) && said(zone) === said(page.zone);
  const isWhole = sameTexts(commentTexts(commented), page.texts, [...comments.unattached, ...lost]);
  if (!isSame || !isWhole)
    throw new ProblemError(problem("fmt-inexact", `the canonical form of ${file.file} would not say the same`));
  const missing = lineNumbers(
    commented.text,
    [...comments.unattached, ...lost].map(({ at }) => at),
  );
  const unrolled = source instanceof MasterPage ? unrolledBind(file) : source.unrolled;
  return { bytes, lost: missing, unrolled };
}

/**
 * The zone file in the author's order and sections, with one spelling and layout for its words.
 * @throws {ProblemError} `fmt-inexact` where that does not say the same, in records, settings or comments.
 */
export function formatFile(file: ZoneFile, form: Form): Uint8Array {
  const { zone, bytes } = form === "bind" ? tidiedBind(file) : tidiedYaml(file);
  // What is in that form already needs no second reading.
  if (Buffer.compare(bytes, file.bytes) === 0) return bytes;
  const result: ZoneFile = { ...file, bytes };
  const again = (form === "bind" ? readBind(result) : readYaml(result)).zone;
  const isSame = compareZones(zone, again).isNone && said(zone) === said(again);
  const [texts, textsAgain] = [file, result].map(({ bytes }) => commentsOf(bytes, form)) as [string[], string[]];
  if (!isSame || texts.length !== textsAgain.length || texts.some((text, index) => text !== textsAgain[index]))
    throw new ProblemError(problem("fmt-inexact", `the normalised form of ${file.file} would not say the same`));
  return bytes;
}

function tidiedBind(file: ZoneFile): { zone: Zone; bytes: Uint8Array } {
  const { zone } = readBind(file);
  return { zone, bytes: Buffer.from(tidyBind(file, zone), "latin1") };
}

function tidiedYaml(file: ZoneFile): { zone: Zone; bytes: Uint8Array } {
  const read = readYamlFile(file);
  return { zone: read.zone, bytes: Buffer.from(normalizeYaml(read)) };
}

/** The texts of all comments, in an order of their own. */
function commentsOf(bytes: Uint8Array, form: Form): string[] {
  const text = Buffer.from(bytes).toString(form === "bind" ? "latin1" : "utf8");
  const found =
    form === "yaml" ? findComments(text.replace(/^\ufeff/, "")).map(({ text }) => text) : masterComments(text);
  return found.map((text) => text.trim()).sort();
}

/** Comments of a master file; directive comments begin with `;@` in column one. */
function masterComments(text: string, { areDirectivesLeftOut = false } = {}): string[] {
  return [...text.matchAll(/"(?:\\.|[^"\\])*"|\\.|;([^\n]*)/gs)].flatMap(({ index, 1: comment }) => {
    const isDirective = comment?.startsWith("@") && (index === 0 || text[index - 1] === "\n");
    return comment === undefined || (isDirective && areDirectivesLeftOut) ? [] : [comment];
  });
}

interface Written {
  readonly page: MasterPage | YamlPage;
  readonly lost: readonly Comment[];
}

function asBind(file: ZoneFile, zone: Zone, comments: CommentMap, from: Form, options: WriteOptions): Written {
  const head = from === "bind" ? comments.head : withoutModeline(comments.head);
  const text = writeBind(zone, from === "bind" ? { nameservers: implicitServers(file) } : options);
  const plain = Buffer.from(toOctets(text), "latin1");
  const canonical = fileOf(
    from === "bind" && hasImplicit(file) ? withImplicitSoa(fileOf(plain, zone), file) : plain,
    zone,
  );
  const page = new MasterPage(canonical);
  const plainText = isAboutParts(comments)
    ? page.commentedText(page.zone)
    : withoutTargets(Buffer.from(canonical.bytes).toString("latin1"));
  const commented = withComments(plainText, { ...comments, head }, { mark: ";", behindFrom: 3 });
  const again = fileOf(Buffer.from(commented.text, "latin1"), zone);
  if (comments.inner.size === 0) return { page: new MasterPage(again), lost: commented.lost };
  const { text: octets, lost } = withInnerComments(again, readBind(again).zone, comments);
  return { page: new MasterPage(fileOf(Buffer.from(octets, "latin1"), zone)), lost: [...commented.lost, ...lost] };
}

/** Are there comments whose place in the file must be found? */
function isAboutParts({ above, behind }: Pick<CommentMap, "above" | "behind">): boolean {
  return above.size > 0 || behind.size > 0;
}

/** A file to which only comments before everything and behind it are added. */
function withoutTargets(text: string): CommentedText {
  return { text, targets: [], comments: [], inner: [] };
}

function hasImplicit({ bytes }: ZoneFile): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("implicit");
}

function asYaml({ file }: ZoneFile, zone: Zone, comments: CommentMap, { schema }: WriteOptions): Written {
  const body = new YamlPage({ file, bytes: Buffer.from(writeYaml(zone)), origin: zone.name });
  const isOwn = schema === undefined || comments.head.some((comment) => comment && isModeline(comment));
  const head = isOwn ? comments.head : [{ text: toOctets(schemaComment(schema)), at: 0 }, undefined, ...comments.head];
  const isText = (comment: Comment) => isUtf8(comment.text);
  // Comments behind the words of one record have no line of their own here: they stand above it, in their order.
  const above = new Map(comments.above);
  for (const [key, words] of comments.inner) above.set(key, [...(above.get(key) ?? []), ...[...words.values()].flat()]);
  const { behind } = comments;
  const plainText = isAboutParts({ above, behind })
    ? body.commentedText(body.zone)
    : withoutTargets(Buffer.from(body.file.bytes).toString("latin1"));
  const { text, lost } = withComments(plainText, { ...comments, above, head }, { mark: "#", behindFrom: 1 });
  const unreadable = [...comments.above.values(), ...comments.behind.values(), comments.head, comments.tail]
    .flat()
    .filter((comment) => comment && !isText(comment));
  const isReadable = unreadable.length === 0;
  const bytes = Buffer.from(isReadable ? text : toOctets(fromOctets(text)), "latin1");
  const isBody = Buffer.compare(bytes, body.file.bytes) === 0;
  const page = isBody ? body : new YamlPage({ file: "zone.yaml", bytes, origin: zone.name });
  return { page, lost: isReadable ? lost : [...lost, ...(unreadable as Comment[])] };
}

/** The head without the line that only editors of YAML read. */
function withoutModeline(head: CommentMap["head"]): CommentMap["head"] {
  const at = head.findIndex((comment) => comment && isModeline(comment));
  return head.filter((comment, index) => index !== at && !(index === at + 1 && at !== -1 && comment === undefined));
}

function isModeline({ text }: Comment): boolean {
  return /^\s*yaml-language-server:/.test(text);
}

/** The name servers that a file names only for those who load it. */
function implicitServers(file: ZoneFile): Name[] {
  if (!hasImplicit(file)) return [];
  const { entries, text } = readLayout(file);
  return entries.flatMap(({ record, tokens, origin }) => {
    const data = record?.role === "implicit" && record.type === "NS" ? tokens[record.typeAt + 1] : undefined;
    return data ? [readName(text.slice(data.start, data.end), origin)] : [];
  });
}

/** The SOA record that a file has only for those who load it stays what it is. */
function withImplicitSoa(canonical: ZoneFile, file: ZoneFile): Buffer {
  const own = readLayout(file).entries.find(({ record }) => record?.soa && record.role === "implicit")?.record;
  const { text, entries } = readLayout(canonical);
  const entry = entries.find(({ record }) => record?.soa && record.role === "implicit");
  if (!own?.soa || !entry?.record?.soa) return Buffer.from(canonical.bytes);
  return Buffer.from(
    applySplices(text, dataSplices({ text, entry, record: entry.record }, entry.record.soa, own.soa)),
    "latin1",
  );
}

function unrolledBind(file: ZoneFile): number[] {
  if (!/\$(?:INCLUDE|GENERATE)/i.test(Buffer.from(file.bytes).toString("latin1"))) return [];
  const { text, entries } = readLayout(file);
  const more = entries.filter(({ kind }) => kind === "include" || kind === "generate");
  return lineNumbers(
    text,
    more.map(({ from }) => from),
  );
}

/** The line numbers of offsets, in ascending order; the text is walked once. */
function lineNumbers(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let newline = text.indexOf("\n");
  return [...offsets]
    .sort((a, b) => a - b)
    .map((offset) => {
      for (; newline !== -1 && newline < offset; newline = text.indexOf("\n", newline + 1)) line++;
      return line;
    });
}

/** What a zone says besides settings and records. */
function said({ excused = [], ...zone }: Zone): string {
  return scopeText(zone) + JSON.stringify(excused.map(({ owner, rule }) => `${nameKey(owner)} ${rule}`).sort());
}

function sameTexts(before: readonly string[], after: readonly string[], lost: readonly Comment[]): boolean {
  const left = new Map<string, number>();
  const count = (text: string, by: number) => left.set(text, (left.get(text) ?? 0) + by);
  for (const text of before) count(text, 1);
  for (const { text } of lost) count(text.trim(), -1);
  for (const text of after) count(text.trim(), -1);
  return [...left].every(
    ([text, count]) => count === 0 || isModeline({ text, at: 0 }) || !isUtf8(text) || text.includes("\ufffd"),
  );
}

function fileOf(bytes: Uint8Array, { name }: Zone): ZoneFile {
  return { file: "canonical.zone", bytes, origin: name };
}
