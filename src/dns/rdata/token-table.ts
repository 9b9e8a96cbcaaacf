import { Fault } from "../name/fault.ts";
import { isInternational } from "../name/idn.ts";
import { looksAbsolute, type Name, plainName, readName, root } from "../name/name.ts";

/** Bits of a token's kind. */
export const bare = 0;
export const quoted = 1;
export const withEscape = 2;

/**
 * The tokens of one entry: offsets into a text of octets. A scanner fills the table and reuses it for the next entry,
 * which saves copies. `next` is the next token to read.
 */
export class TokenTable {
  text: string;
  origin: Name = root;
  count = 0;
  next = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly kinds: number[] = [];
  /** Relative targets that contain a dot, by token: often absolute names without their final dot. */
  readonly dotless: { name: Name; token: number }[] = [];

  /** Names converted from internationalized ones. */
  readonly converted: { name: Name; token: number }[] = [];

  constructor(text: string) {
    this.text = text;
  }

  add(start: number, end: number, kind: number): void {
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.kinds[this.count++] = kind;
  }

  clear(): void {
    this.count = 0;
    this.next = 0;
    // Setting the length costs as much as reading a token.
    if (this.dotless.length > 0) this.dotless.length = 0;
    if (this.converted.length > 0) this.converted.length = 0;
  }

  /** Start and end offset of each token, with its quotes. */
  startOf(token: number): number {
    return (this.starts[token] ?? 0) - ((this.kinds[token] ?? 0) & quoted);
  }

  endOf(token: number): number {
    return (this.ends[token] ?? 0) + ((this.kinds[token] ?? 0) & quoted);
  }

  get isAtEnd(): boolean {
    return this.next >= this.count;
  }

  get isQuoted(): boolean {
    return !this.isAtEnd && ((this.kinds[this.next] ?? 0) & quoted) !== 0;
  }

  /** Whether the data is in the generic form, which starts with `\\#` (RFC 3597 §5). */
  get isUnknownForm(): boolean {
    const start = this.starts[this.next] ?? 0;
    return (
      !this.isAtEnd &&
      this.kinds[this.next] === withEscape &&
      this.ends[this.next] === start + 2 &&
      this.text.startsWith("\\#", start)
    );
  }

  /** The text of the next token, which must be unquoted. @throws {Fault} `rdata-syntax` if it has quotes. */
  unquoted(field: string): string {
    const isQuoted = this.isQuoted;
    const raw = this.raw();
    if (isQuoted) throw new Fault("rdata-syntax", `${field} must not be quoted`, "Remove the quotes.");
    return raw;
  }

  /** The text of the next token, without its quotes. */
  raw(): string {
    const index = this.next++;
    return this.text.slice(this.starts[index], this.ends[index]);
  }

  /** The next token as a whole number of at most fifteen digits; NaN for anything else. */
  number(field: string): number {
    if (this.isQuoted) this.unquoted(field);
    const index = this.next++;
    return digits(this.text, this.starts[index] ?? 0, this.ends[index] ?? 0);
  }

  /** The next token as a domain name, completed with the origin. */
  name(field: string): Name {
    if (this.isQuoted) this.unquoted(field);
    const start = this.starts[this.next] ?? 0;
    const end = this.ends[this.next] ?? 0;
    const raw = this.raw();
    const name = plainName(this.text, start, end, this.origin) ?? readName(raw, this.origin);
    if (isInternational(raw)) this.converted.push({ name, token: this.next - 1 });
    if (looksAbsolute(raw)) this.dotless.push({ name, token: this.next - 1 });
    return name;
  }

  /** The next token as octets, one character for each (RFC 1035 §5.1). */
  octets(): string {
    const escapes = ((this.kinds[this.next] ?? 0) & withEscape) !== 0;
    const raw = this.raw();
    return escapes ? decodeEscapes(raw) : raw;
  }
}

/** The octets of a token, with its escapes decoded. */
export function octetsOf({ text, starts, ends, kinds }: TokenTable, token: number): string {
  const raw = text.slice(starts[token], ends[token]);
  return ((kinds[token] ?? 0) & withEscape) !== 0 ? decodeEscapes(raw) : raw;
}

/**
 * The value of the digits from `start` up to `end`; NaN for other characters, an empty text, or more than fifteen
 * significant digits.
 */
export function digits(text: string, start: number, end: number): number {
  if (end === start) return Number.NaN;
  let first = start;
  while (end - first > 15 && text.charCodeAt(first) === 48) first++;
  if (end - first > 15) return Number.NaN;
  let value = 0;
  for (let at = first; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function decodeEscapes(raw: string): string {
  return raw.replace(/\\(?:(\d{1,3})|(.))?/gs, (_, code, character) => {
    if (character !== undefined) return character;
    if (code === undefined)
      throw new Fault("text-escape", "the text ends with a backslash", "Write \\\\ for a backslash.");
    if (code.length === 3 && Number(code) < 256) return String.fromCharCode(Number(code));
    throw new Fault(
      "text-escape",
      "a backslash before a digit must be followed by three digits up to 255",
      "Write \\\\ for a backslash.",
    );
  });
}
