import type { Name } from "../../dns/name/name.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { Scanner } from "../kit/scan.ts";
import { type Range, TokenColumns } from "./token-columns.ts";

/** From the semicolon to the end of the line. */
export interface CommentRange extends Range {
  /** The key of a directive comment, `;@ tags: production`. */
  readonly setting: string | undefined;
}

/** Whole lines of a file, with their ends. The nodes of a tree cover its text without gaps. */
interface Lines extends Range {
  /** Tokens with their quotes; those of RDATA are words, see `isContinued`. Made at each use. */
  readonly tokens: readonly Range[];
  readonly comments: readonly CommentRange[];
}

/** A line between entries, the byte order mark, or a line of an invalid entry. */
interface OtherLine extends Lines {
  readonly kind: "blank" | "comment" | "mark" | "invalid";
}

interface EntryLines extends Lines {
  /** Completes relative names after the entry. */
  readonly origin: Name;
  /** The TTL of records without one after the entry; undefined means the zone's, NaN an error. */
  readonly ttlAfter: number | undefined;
  /** The zone's records from this entry: index of the first, and their number. */
  readonly first: number;
  readonly count: number;
}

export interface RecordEntry extends EntryLines {
  readonly kind: "record";
  readonly record: ZoneRecord;
  readonly ownTtl: number | undefined;
  readonly inheritsOwner: boolean;
  /** Index of the type among the tokens. */
  readonly typeAt: number;
  /**
   * `implicit` records represent those of the service, `repeat` the SOA record at the end of a transfer: neither is in
   * the zone.
   */
  readonly role: "record" | "implicit" | "repeat";
}

export interface GenerateEntry extends EntryLines {
  readonly kind: "generate";
  /** The first of its records. */
  readonly record: ZoneRecord;
  readonly ownTtl: number | undefined;
}

interface OriginEntry extends EntryLines {
  readonly kind: "origin";
}

interface TtlEntry extends EntryLines {
  readonly kind: "ttl";
  readonly seconds: number;
}

interface IncludeEntry extends EntryLines {
  readonly kind: "include";
  /** The entries of the included file. */
  readonly inner: readonly Entry[];
}

export type Entry = RecordEntry | GenerateEntry | OriginEntry | TtlEntry | IncludeEntry;
export type TreeNode = Entry | OtherLine;

/** Indexes of the TTL and the class among the tokens of a record; -1 for none. */
export function headIndexes(
  text: string,
  { inheritsOwner, typeAt }: RecordEntry,
  tokens: readonly Range[],
): { ttlAt: number; classAt: number } {
  let [ttlAt, classAt] = [-1, -1];
  for (let token = inheritsOwner ? 0 : 1; token < typeAt; token++) {
    if (ttlAt === -1 && /\d/.test(text[tokens[token]?.start ?? 0] ?? "")) ttlAt = token;
    else classAt = token;
  }
  return { ttlAt, classAt };
}

/** A BIND zone file as a list of nodes. */
export interface Tree {
  readonly text: string;
  readonly nodes: readonly TreeNode[];
  readonly entries: readonly Entry[];
  /** The directive comments of the file, wherever they stand. */
  readonly settings: readonly (CommentRange & { readonly setting: string })[];
  readonly implicit: readonly string[];
  /** The zone's default TTL, from `$TTL` or the SOA record. */
  readonly zoneTtl: number | undefined;
  readonly lineEnd: "\n" | "\r\n";
}

/** The properties of an entry that depend on its kind, not on its place. */
type Part<E> = E extends Entry ? Omit<E, keyof EntryLines> : never;
export type EntryPart = Part<Entry>;
type EntryPlace = Pick<EntryLines, "origin" | "ttlAfter" | "first" | "count">;

/** Collects the nodes of one file while it is read. */
export class TreeBuilder {
  readonly nodes: TreeNode[] = [];
  readonly entries: Entry[] = [];
  readonly comments: CommentRange[] = [];
  readonly #text: string;
  readonly #scanner: Scanner;
  readonly #tokens = new TokenColumns();
  #at = 0;
  #comment = 0;

  constructor(text: string, scanner: Scanner) {
    this.#text = text;
    this.#scanner = scanner;
    if (scanner.at > 0) this.#addLine("mark", scanner.at);
  }

  /** Adds the last entry of the scanner. */
  add(part: EntryPart, place: EntryPlace): void {
    const { start, at: end, table } = this.#scanner;
    this.addLinesTo(start);
    const tokens = this.#tokens.add(table, part.kind === "record" ? part.typeAt + 1 : table.count);
    const lines = new EntryText(this.#tokens, tokens, place, { start, end }, this.#commentsTo(end));
    const entry: Entry = Object.assign(lines, part);
    this.nodes.push(entry);
    this.entries.push(entry);
    this.#at = end;
  }

  /** Adds the lines before an offset that are not entries. */
  addLinesTo(offset: number): void {
    while (this.#at < offset) {
      const found = this.#text.indexOf("\n", this.#at) + 1;
      const end = found === 0 || found > offset ? offset : found;
      const written = this.#text.slice(this.#at, Math.min(end, this.comments[this.#comment]?.start ?? end));
      const isComment = (this.comments[this.#comment]?.start ?? end) < end;
      this.#addLine(/[^\s()]/.test(written) ? "invalid" : isComment ? "comment" : "blank", end);
    }
  }

  #addLine(kind: OtherLine["kind"], end: number): void {
    this.nodes.push({ kind, start: this.#at, end, tokens: [], comments: this.#commentsTo(end) });
    this.#at = end;
  }

  #commentsTo(offset: number): CommentRange[] {
    const first = this.#comment;
    while ((this.comments[this.#comment]?.start ?? offset) < offset) this.#comment++;
    return first === this.#comment ? none : this.comments.slice(first, this.#comment);
  }
}

const none: CommentRange[] = [];

/**
 * An entry without the properties of its kind. Its tokens become objects only on use: those of a whole file would take
 * more memory than its records.
 */
class EntryText implements EntryLines {
  readonly origin: Name;
  readonly ttlAfter: number | undefined;
  readonly first: number;
  readonly count: number;
  readonly start: number;
  readonly end: number;
  readonly comments: readonly CommentRange[];
  readonly #columns: TokenColumns;
  readonly #place: number;

  constructor(
    columns: TokenColumns,
    place: number,
    { origin, ttlAfter, first, count }: EntryPlace,
    { start, end }: Range,
    comments: readonly CommentRange[],
  ) {
    this.origin = origin;
    this.ttlAfter = ttlAfter;
    this.first = first;
    this.count = count;
    this.start = start;
    this.end = end;
    this.comments = comments;
    this.#columns = columns;
    this.#place = place;
  }

  get tokens(): Range[] {
    return this.#columns.get(this.#place);
  }
}
