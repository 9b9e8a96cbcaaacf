import type { Name } from "../../dns/name.ts";
import type { ZoneRecord } from "../../dns/zone.ts";
import { tokensOf, wordsOf } from "../kit/rdata-words.ts";
import type { Scanner } from "../kit/scan.ts";

/** Part of a text, from one offset up to another. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** From the semicolon to the end of the line. */
export interface CommentRange extends Range {
  /** The key of a directive comment, `;@ tags: production`. */
  readonly setting: string | undefined;
}

/** Whole lines of a file, with their ends. The nodes of a tree cover its text without gaps. */
interface Lines extends Range {
  /** Tokens with their quotes; those of RDATA are words, see `wordsOf`. */
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
export function headOf(text: string, entry: RecordEntry): { ttlAt: number; classAt: number } {
  let [ttlAt, classAt] = [-1, -1];
  for (let token = entry.inheritsOwner ? 0 : 1; token < entry.typeAt; token++) {
    if (ttlAt === -1 && /\d/.test(text[entry.tokens[token]?.start ?? 0] ?? "")) ttlAt = token;
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

/** Collects the nodes of one file while it is read. */
export class TreeBuilder {
  readonly nodes: TreeNode[] = [];
  readonly entries: Entry[] = [];
  readonly comments: CommentRange[] = [];
  readonly #text: string;
  readonly #scanner: Scanner;
  #at = 0;
  #comment = 0;

  constructor(text: string, scanner: Scanner) {
    this.#text = text;
    this.#scanner = scanner;
    if (scanner.at > 0) this.#addLine("mark", scanner.at);
  }

  /** Adds the last entry of the scanner. */
  add(part: EntryPart, place: Pick<EntryLines, "origin" | "ttlAfter" | "first" | "count">): void {
    const { start, at: end } = this.#scanner;
    this.addLinesTo(start);
    const all = tokensOf(this.#scanner);
    const data = part.kind === "record" ? part.typeAt + 1 : all.length;
    const tokens = [...all.slice(0, data), ...wordsOf(this.#text, all.slice(data))];
    const entry: Entry = { ...part, ...place, start, end, tokens, comments: this.#commentsTo(end) };
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
