import { problemError } from "../diagnostics/problem.ts";
import { decodeText } from "../diagnostics/source-text.ts";
import { nameKey } from "../dns/name/name.ts";
import { fromOctets, isUtf8, toOctets } from "../dns/name/text.ts";
import { targetsOf } from "../dns/rdata/record-type.ts";
import { typeOf } from "../dns/types/index.ts";
import type { Zone } from "../dns/zone/zone.ts";
import { readBindComments, scanComments, withInnerComments } from "./bind/comments.ts";
import { formatBind } from "./bind/format.ts";
import { type BindFile, readBind, readBindFile } from "./bind/read.ts";
import { type ImplicitRecords, writeBind } from "./bind/write.ts";
import {
  type Comment,
  type CommentedText,
  type CommentMap,
  commentTexts,
  mapComments,
  withComments,
} from "./edit/comments.ts";
import { compareZones, isSameZone } from "./edit/difference.ts";
import { withOneTtl } from "./edit/reconcile-soa.ts";
import { templatesText } from "./edit/templates-text.ts";
import { scopeText } from "./kit/scope.ts";
import { formatExcuse } from "./kit/setting.ts";
import type { ReadResult, WriteOptions, ZoneFileBytes } from "./kit/source.ts";
import { readOctodnsComments } from "./octodns/comments.ts";
import { readOctodns } from "./octodns/read.ts";
import type { FolderFormat } from "./readers.ts";
import { findComments, readYamlComments } from "./yaml/comments.ts";
import { normalizeYaml } from "./yaml/normalize.ts";
import { readYamlFile, type YamlFile } from "./yaml/read.ts";
import { readTemplateAlone, type TemplateFile } from "./yaml/template.ts";
import { schemaComment, writeYaml } from "./yaml/write.ts";

type Form = "yaml" | "bind";

/** A file with lazily read parts. */
class BindPage {
  readonly file: ZoneFileBytes;
  #read: BindFile | undefined;

  constructor(file: ZoneFileBytes) {
    this.file = file;
  }

  get zone(): Zone {
    return this.reading.zone;
  }

  get read(): ReadResult {
    return this.reading;
  }

  commentedText(): CommentedText {
    return readBindComments(this.reading);
  }

  /** The texts of its comments. */
  get texts(): string[] {
    return bindComments(this.reading, { areSettingsLeftOut: true });
  }

  /** The lines of `$INCLUDE` and `$GENERATE`. */
  get unrolled(): number[] {
    const { text, entries } = this.reading.tree;
    const more = entries.filter(({ kind }) => kind === "include" || kind === "generate");
    return lineNumbers(
      text,
      more.map(({ start }) => start),
    );
  }

  /** Records that the file has only for name servers that load it. */
  get implicit(): Omit<ImplicitRecords, "settings"> {
    const records = this.reading.tree.entries.flatMap((entry) =>
      entry.kind === "record" && entry.role === "implicit" ? entry.record : [],
    );
    const nameservers = records
      .filter(({ type }) => type === "NS")
      .flatMap(({ data }) => targetsOf(typeOf("NS"), data));
    return { nameservers, soa: records.find(({ type }) => type === "SOA")?.data };
  }

  get reading(): BindFile {
    this.#read ??= readBindFile(this.file);
    return this.#read;
  }
}

class YamlPage {
  readonly file: ZoneFileBytes;
  #read: YamlFile | undefined;
  #comments: CommentedText | undefined;

  constructor(file: ZoneFileBytes) {
    this.file = file;
  }

  get zone(): Zone {
    return this.#reading.zone;
  }

  get read(): ReadResult {
    return this.#reading;
  }

  /** Comments by their records, read once for the zone as read and with one TTL for each set. */
  commentedText(zone: Zone): CommentedText {
    this.#comments ??= readYamlComments(this.#reading, zone);
    return this.#comments;
  }

  /** The lines of aliases. */
  get unrolled(): number[] {
    const { tree, text } = this.#reading;
    return lineNumbers(
      text,
      [...(tree?.library?.targets.keys() ?? [])].map(({ range }) => range?.[0] ?? 0),
    );
  }

  get texts(): string[] {
    return findComments(decodeText(this.file.bytes).text).map(({ text }) => toOctets(text));
  }

  get #reading(): YamlFile {
    this.#read ??= readYamlFile(this.file, { forEdits: true });
    return this.#read;
  }
}

/** A file of octoDNS, which is only read. */
class OctodnsPage {
  readonly file: ZoneFileBytes;
  readonly unrolled: readonly number[] = [];
  readonly zone: Zone;

  constructor(file: ZoneFileBytes) {
    this.file = file;
    this.zone = readOctodns(file).zone;
  }

  commentedText(zone: Zone): CommentedText {
    return readOctodnsComments(this.file, zone);
  }
}

type SourcePage = BindPage | YamlPage | OctodnsPage;

const pages = { bind: BindPage, yaml: YamlPage, octodns: OctodnsPage };

/** A file in another form. */
export interface Reformatted {
  readonly bytes: Uint8Array;
  /** The file as it was read back; absent if it is unchanged. */
  readonly read?: ReadResult;
}

/** A zone file in canonical form, and the parts that it cannot express. */
export interface Formatted extends Reformatted {
  /** Lines with comments that have no place in the other text. */
  readonly lost: readonly number[];
  /** Lines that are replaced by their records: `$INCLUDE`, `$GENERATE`, aliases. */
  readonly unrolled: readonly number[];
}

/**
 * The zone of a valid file in the canonical form of a format, with its comments: those above a line or at its end move
 * with their record, name or setting. @throws {ProblemError} `fmt-inexact` if records or comments would change.
 */
export function formatCanonical(
  file: ZoneFileBytes,
  from: Form | FolderFormat,
  to: Form,
  options: WriteOptions,
): Formatted {
  const source = new pages[from](file);
  const zone = to === "yaml" ? withOneTtl(source.zone) : source.zone;
  const commented = source.commentedText(zone);
  const comments = mapComments(commented);
  const { page, lost } =
    to === "bind" ? formatAsBind(source, zone, comments, options) : formatAsYaml(file, zone, comments, options);
  const { bytes } = page.file;
  const isSame = isSameZone(zone, page.zone) && partsToCompare(zone) === partsToCompare(page.zone);
  const isWhole = sameTexts(commentTexts(commented), page.texts, [...comments.unattached, ...lost]);
  if (!isSame || !isWhole)
    throw problemError("fmt-inexact", `the canonical form of ${file.file} would change its zone`);
  const missing = lineNumbers(
    commented.text,
    [...comments.unattached, ...lost].map(({ at }) => at),
  );
  return { bytes, read: page.read, lost: missing, unrolled: source.unrolled };
}

/**
 * The zone file in the author's order and sections, with normalised words and layout. @throws {ProblemError}
 * `fmt-inexact` if records, settings or comments would change.
 */
export function formatFile(file: ZoneFileBytes, form: Form): Reformatted {
  return form === "bind" ? formatWith(file, bindForm) : formatWith(file, yamlForm);
}

/** A template in the author's order, with normalized words and layout. @throws {ProblemError} as `formatFile` */
export function formatTemplate(file: Omit<ZoneFileBytes, "origin">): Uint8Array {
  return formatWith(file, templateForm).bytes;
}

/** The readings of a format, and its layout function. */
interface FileForm<File, Read extends Whole> {
  readonly read: (file: File) => Read;
  readonly format: (read: Read) => Uint8Array;
  readonly comments: (read: Read) => readonly string[];
  /** Reads a formatted file, only to compare it. */
  readonly check: (file: File) => Compared;
}

interface Whole extends Pick<ReadResult, "zone" | "problems"> {}

/** A file as it was read, with its comments. */
interface Compared extends Whole {
  readonly comments: readonly string[];
}

const bindForm: FileForm<ZoneFileBytes, BindFile> = {
  read: readBindFile,
  format: ({ tree }) => Buffer.from(formatBind(tree), "latin1"),
  comments: (read) => bindComments(read),
  check: (file) => ({ ...readBind(file), comments: scanComments(file.bytes) }),
};

const yamlForm: FileForm<ZoneFileBytes, YamlFile> = {
  read: readYamlFile,
  format: (read) => Buffer.from(normalizeYaml(read)),
  comments: yamlComments,
  check: (file) => {
    const read = readYamlFile(file);
    return { zone: read.zone, problems: read.problems, comments: yamlComments(read) };
  },
};

function yamlComments({ text }: Pick<YamlFile, "text">): string[] {
  return findComments(text).map(({ text }) => text);
}

const templateForm: FileForm<Omit<ZoneFileBytes, "origin">, TemplateFile> = {
  read: readTemplateAlone,
  format: (read) => Buffer.from(normalizeYaml(read)),
  comments: templateComments,
  check: (file) => {
    const read = readTemplateAlone(file);
    return { zone: read.zone, problems: read.problems, comments: templateComments(read) };
  },
};

function templateComments({ text, parameters }: TemplateFile): string[] {
  return [JSON.stringify([...parameters]), ...yamlComments({ text })];
}

function formatWith<File extends Pick<ZoneFileBytes, "file" | "bytes">, Read extends Whole>(
  file: File,
  form: FileForm<File, Read>,
): Reformatted {
  const { bytes, before } = formatOnce(file, form);
  // A file that is already in that form need not be read again.
  if (!before) return { bytes };
  const after = form.check({ ...file, bytes });
  const isSame =
    compareZones(before.zone, after.zone).isNone && partsToCompare(before.zone) === partsToCompare(after.zone);
  const [texts, textsAgain] = [before, after].map(({ comments }) => JSON.stringify(comments.map(trimText).sort()));
  if (!isSame || texts !== textsAgain)
    throw problemError("fmt-inexact", `the normalised form of ${file.file} would change its zone`);
  return { bytes, read: { zone: after.zone, problems: after.problems } };
}

/** The formatted text, and the parts to compare if it differs. The tree is freed, before the text is read again. */
function formatOnce<File extends Pick<ZoneFileBytes, "bytes">, Read extends Whole>(
  file: File,
  { read, format, comments }: FileForm<File, Read>,
): { bytes: Uint8Array; before?: Compared } {
  const before = read(file);
  const bytes = format(before);
  if (Buffer.compare(bytes, file.bytes) === 0) return { bytes };
  return { bytes, before: { zone: before.zone, problems: before.problems, comments: comments(before) } };
}

const trimText = (text: string) => text.trim();

function bindComments({ tree: { text, nodes } }: BindFile, { areSettingsLeftOut = false } = {}): string[] {
  return nodes.flatMap(({ comments }) =>
    comments
      .filter(({ setting }) => setting === undefined || !areSettingsLeftOut)
      .map(({ start, end }) => text.slice(start + 1, end)),
  );
}

interface Written {
  readonly page: BindPage | YamlPage;
  readonly lost: readonly Comment[];
}

function formatAsBind(source: SourcePage, zone: Zone, comments: CommentMap, options: WriteOptions): Written {
  const isBind = source instanceof BindPage;
  const head = isBind ? comments.head : withoutModeline(comments.head);
  const { settings } = options;
  const text = toOctets(writeBind(zone, isBind ? { settings, ...source.implicit } : options));
  const pageOf = (text: string) =>
    new BindPage({ file: "canonical.zone", bytes: Buffer.from(text, "latin1"), origin: zone.name, settings });
  const plainText = isAboutParts(comments) ? pageOf(text).commentedText() : withoutTargets(text);
  const commented = withComments(plainText, { ...comments, head }, { mark: ";", behindFrom: 3 });
  const page = pageOf(commented.text);
  if (comments.inner.size === 0) return { page, lost: commented.lost };
  const { text: octets, lost } = withInnerComments(page.reading, comments);
  return { page: pageOf(octets), lost: [...commented.lost, ...lost] };
}

/** Whether some comments have a target in the file. */
function isAboutParts({ above, behind }: Pick<CommentMap, "above" | "behind">): boolean {
  return above.size > 0 || behind.size > 0;
}

/** A file that gets comments only at its start and end. */
function withoutTargets(text: string): CommentedText {
  return { text, targets: [], comments: [], inner: [] };
}

function formatAsYaml({ file }: ZoneFileBytes, zone: Zone, comments: CommentMap, options: WriteOptions): Written {
  const { settings, schema } = options;
  const body = new YamlPage({ file, bytes: Buffer.from(writeYaml(zone, { settings })), origin: zone.name, settings });
  const isOwn = schema === undefined || comments.head.some((comment) => comment && isModeline(comment));
  const head = isOwn ? comments.head : [{ text: toOctets(schemaComment(schema)), at: 0 }, undefined, ...comments.head];
  const isText = (comment: Comment) => isUtf8(comment.text);
  // Comments between the words of a record have no line here: they are placed above it, in order.
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
  const page = isBody ? body : new YamlPage({ file: "zone.yaml", bytes, origin: zone.name, settings });
  return { page, lost: isReadable ? lost : [...lost, ...(unreadable as Comment[])] };
}

/** The head without the modeline for YAML editors. */
function withoutModeline(head: CommentMap["head"]): CommentMap["head"] {
  const at = head.findIndex((comment) => comment && isModeline(comment));
  return head.filter((comment, index) => index !== at && !(index === at + 1 && at !== -1 && comment === undefined));
}

function isModeline({ text }: Comment): boolean {
  return /^\s*yaml-language-server:/.test(text);
}

/** The line numbers of ascending offsets, in one pass. */
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

/** The parts of a zone other than settings and records, for comparison. */
function partsToCompare({ excused = [], ...zone }: Zone): string {
  const rules = excused.map((excuse) => `${nameKey(excuse.owner)} ${formatExcuse(excuse)}`);
  return scopeText(zone) + templatesText(zone) + JSON.stringify([...new Set(rules)].sort());
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
