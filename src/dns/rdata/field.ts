import { readAddress4, readAddress6 } from "../name/address.ts";
import { readDuration } from "../name/duration.ts";
import { Fault } from "../name/fault.ts";
import { asName, type Name } from "../name/name.ts";
import type { OctetLine } from "./octet-line.ts";
import type { TokenTable } from "./token-table.ts";
import type { WireReader } from "./wire-reader.ts";
import type { WireWriter } from "./wire-writer.ts";

/** Spells names inside RDATA: unchanged, in lower case for comparison, or relative for writing. */
export type SpellName = (name: Name) => string;

/** A kind of value in RDATA: reads it from tokens and from the wire, and writes it. */
export interface FieldKind<T> {
  /**
   * Its form in an object of a YAML file: `text` without the quotes and escapes of zone files; `words` as in zone
   * files.
   */
  readonly json: "integer" | "string" | "text" | "texts" | "words";
  /** Requires a next token. @throws {Fault} if it is invalid. */
  read(tokens: TokenTable, field: string): T;
  format(value: T, spell: SpellName): string;
  /**
   * Skips the next word of a line if `read` would certainly accept it, without creating a value. False means unknown:
   * `read` decides.
   */
  take?(line: OctetLine): boolean;
  /** Decodes the value from octets of a message or of RFC 3597 data. */
  decode(wire: WireReader): T;
  encode(value: T, wire: WireWriter): void;
  /** Whether an empty list is valid: the field is not missing if the data ends before it. */
  readonly mayBeEmpty?: boolean;
}

/** A field of a record type, named as in the RFC. */
export interface Field<T = unknown> {
  readonly name: string;
  /** The API's name, if different; objects in YAML files may use either. */
  readonly apiName?: string;
  readonly kind: FieldKind<T>;
  /** Noun phrase that completes "names …" in a message. */
  readonly about: string;
  readonly example: string;
  /** Default of an object in a YAML file. */
  readonly default?: T;
  /** Whether resolvers look up this name in turn. */
  readonly isTarget?: boolean;
  /** Whether it is a mailbox, in which a dot stands for the @ (RFC 1035 §8). */
  readonly isMailbox?: boolean;
  /** Whether its letter case is kept: when records are compared and shown, or only when they are shown. */
  readonly letters?: "compared" | "shown";
  /** The field with the algorithm of a digest, and the octets of its digests. */
  readonly digestOf?: { readonly algorithm: string; readonly octets: Readonly<Record<number, number>> };
  /** Whether each of its strings is a value of its own, such as a key, not a part of one text. */
  readonly isList?: boolean;
}

const longestData = 65535;

export const uint8 = uint(1);
export const uint16 = uint(2);
export const uint32 = uint(4);

/** A number of which only the order matters. */
export const preference = withAdvice(
  uint16,
  'Write a small number such as "10". Only the order of the numbers matters.',
);

/** Flags of which services, such as the API, support none. */
export const flags = withAdvice(uint8, 'Write "0".');

/** A number whose advice names no limit, because services have lower ones than DNS. */
function withAdvice(kind: FieldKind<number>, fix: string): FieldKind<number> {
  return {
    ...kind,
    read(tokens, field) {
      const at = tokens.next;
      try {
        return kind.read(tokens, field);
      } catch (error) {
        if (!(error instanceof Fault) || error.problem.id !== "rdata-number") throw error;
        const isNumber = /^\d+$/.test(tokens.text.slice(tokens.starts[at], tokens.ends[at]));
        throw new Fault("rdata-number", `${field} is ${isNumber ? "too large" : "not a whole number"}`, fix);
      }
    },
  };
}

/** A time in seconds, with or without units. */
export const duration: FieldKind<number> = {
  json: "integer",
  read: (tokens, field) => readDuration(tokens.unquoted(field)),
  format: String,
  decode: (wire) => readDuration(String(wire.uint(4))),
  encode: (seconds, wire) => wire.uint(4, seconds),
};

export const address4: FieldKind<string> = {
  json: "string",
  read: (tokens, field) => readAddress4(tokens.unquoted(field)),
  format: identity,
  decode: (wire) => wire.address4(),
  encode: (address, wire) => wire.address4(address),
  take: (line) => line.takeAddress4(),
};
export const address6: FieldKind<string> = {
  json: "string",
  read: (tokens, field) => readAddress6(tokens.unquoted(field)),
  format: identity,
  decode: (wire) => wire.address6(),
  encode: (address, wire) => wire.address6(address),
  take: (line) => line.takeAddress6(),
};

export const domainName: FieldKind<Name> = {
  json: "string",
  read: (tokens, field) => tokens.name(field),
  format: (name, spell) => spell(name),
  decode: (wire) => wire.name(),
  encode: (name, wire) => wire.name(name),
  take: (line) => line.takeName(),
};

/** A name that may be compressed in messages: one in a type of RFC 1035 (RFC 3597 §4). */
export const sharedName: FieldKind<Name> = { ...domainName, encode: (name, wire) => wire.sharedName(name) };

/** A mnemonic of letters and digits. Its case is kept, but ignored in comparisons. */
export const mnemonicWord: FieldKind<string> = {
  json: "string",
  read(tokens, field) {
    const text = tokens.unquoted(field);
    if (isWord(text)) return text;
    throw new Fault("rdata-syntax", `${field} is not a word of letters and digits`);
  },
  format: (text, spell) => spell(asName(text)), // comparisons ignore case
  decode(wire) {
    const text = wire.shortText();
    if (isWord(text)) return text;
    throw new Fault("rdata-wire", "a field of the RDATA is not a word of letters and digits");
  },
  encode: (text, wire) => wire.shortText(text),
};

/** One character-string of up to 255 octets. */
export const shortText: FieldKind<string> = {
  json: "text",
  read: (tokens) => checkShort(tokens.octets()),
  format: quote,
  decode: (wire) => wire.shortText(),
  encode: (text, wire) => wire.shortText(text),
};

/** Octets up to the end of the RDATA, written as one string. */
export const longText: FieldKind<string> = {
  json: "text",
  read: (tokens, field) => checkDataLength(tokens.octets(), field),
  format: quote,
  decode: (wire) => wire.takeRest(),
  encode: (text, wire) => wire.octets(text),
};

/** Like `longText`, for types that require the quotes. */
export const quotedText: FieldKind<string> = {
  ...longText,
  read(tokens, field) {
    if (tokens.isQuoted) return longText.read(tokens, field);
    tokens.next++;
    throw new Fault("rdata-syntax", `${field} is not quoted`, "Put it in quotes.");
  },
};

/** One or more character-strings, each up to 255 octets (RFC 1035 §3.3.14). */
export const texts: FieldKind<readonly string[]> = {
  json: "texts",
  take: (line) => line.takeStrings(),
  read(tokens) {
    const strings: string[] = [];
    while (!tokens.isAtEnd) strings.push(checkShort(tokens.octets()));
    return checkStrings(strings);
  },
  format: (strings) => strings.map(quote).join(" "),
  decode(wire) {
    const strings = [wire.shortText()];
    while (!wire.isAtEnd) strings.push(wire.shortText());
    return strings;
  },
  encode(strings, wire) {
    for (const text of strings) wire.shortText(text);
  },
};

function isWord(text: string): boolean {
  return /^[a-z0-9]{1,255}$/i.test(text);
}

/** A whole number of `size` octets. */
function uint(size: number): FieldKind<number> {
  const max = 256 ** size - 1;
  return {
    json: "integer",
    read(tokens, field) {
      const value = tokens.number(field);
      if (value <= max) return value;
      throw new Fault(
        "rdata-number",
        `${field} is not a whole number from 0 to ${max}`,
        `Write a number from 0 to ${max}.`,
      );
    },
    format: String,
    decode: (wire) => wire.uint(size),
    encode: (value, wire) => wire.uint(size, value),
    take: (line) => line.takeNumber(max),
  };
}

/**
 * Checks that the strings fit into a record: with a length octet each, at most 65535 octets (RFC 1035 §3.2.1).
 * @throws {Fault} `text-too-long`
 */
export function checkStrings(strings: readonly string[]): readonly string[] {
  if (strings.length < 256 && strings.every(({ length }) => length < 256)) return strings;
  const length = strings.reduce((sum, { length }) => sum + length + 1, 0);
  if (length <= longestData) return strings;
  throw new Fault(
    "text-too-long",
    `the text needs ${length} octets; the limit of a record is ${longestData}`,
    "Shorten it.",
  );
}

/**
 * Checks that the octets fit into a record: at most 65535 (RFC 1035 §3.2.1).
 * @throws {Fault} `rdata-length`
 */
export function checkDataLength(octets: string, field: string): string {
  if (octets.length <= longestData) return octets;
  const summary = `${field} is ${octets.length} octets long; the limit of a record is ${longestData}`;
  throw new Fault("rdata-length", summary, "Shorten it.");
}

function checkShort(octets: string): string {
  if (octets.length <= 255) return octets;
  const fix = 'Split it into several strings: "first part" "second part".';
  throw new Fault("text-too-long", `the string is ${octets.length} octets long; the limit is 255`, fix);
}

function identity(text: string): string {
  return text;
}

/** Octets as a quoted string: `"` and `\` with a backslash, octets outside printable ASCII as `\DDD`. */
export function quote(octets: string): string {
  const escaped = octets.replace(/["\\]|[^ -~]/g, (character) =>
    character === '"' || character === "\\"
      ? `\\${character}`
      : `\\${String(character.charCodeAt(0)).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
