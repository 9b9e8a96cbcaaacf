import { Fault } from "../name/fault.ts";
import { checkDataLength, type FieldKind } from "./field.ts";
import type { TokenTable } from "./token-table.ts";

/** Octets up to the end of the data, in hexadecimal digits with optional white space between them. */
export const hex: FieldKind<string> = {
  json: "words",
  read(tokens, field) {
    const digits = readHex(joinRest(tokens, field), field);
    checkDataLength(digits.slice(digits.length / 2), field);
    return digits;
  },
  format: (digits) => digits,
  decode: (wire) => toHex(wire.takeSome()),
  encode: (digits, wire) => wire.octets(fromHex(digits)),
};

/** The salt of NSEC3 (RFC 5155 §3.3): hexadecimal digits, `-` for none. */
export const salt: FieldKind<string> = {
  json: "string",
  read(tokens, field) {
    const text = tokens.unquoted(field);
    if (text === "-") return text;
    if (text.length <= 510) return readHex(text, field);
    throw new Fault("rdata-hex", `${field} is longer than 255 octets`, 'Shorten it, or write "-" for none.');
  },
  format: (digits) => digits,
  decode: (wire) => toHex(wire.shortText()) || "-",
  encode: (digits, wire) => wire.shortText(digits === "-" ? "" : fromHex(digits)),
};

/** Octets up to the end of the data, in base64 with optional white space (RFC 4648 §4). */
export const base64: FieldKind<string> = {
  json: "words",
  read: (tokens, field) => readBase64(joinRest(tokens, field), field),
  format: (text) => text,
  decode: (wire) => Buffer.from(wire.takeSome(), "latin1").toString("base64"),
  encode: (text, wire) => wire.octets(Buffer.from(text, "base64").toString("latin1")),
};

/** Like `base64`, but may be empty. */
export const base64OrNone: FieldKind<string> = {
  ...base64,
  mayBeEmpty: true,
  read: (tokens, field) => (tokens.isAtEnd ? "" : base64.read(tokens, field)),
  decode: (wire) => (wire.isAtEnd ? "" : base64.decode(wire)),
};

const base32Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

/** A hashed owner name of NSEC3: base32 with the extended hex alphabet, unpadded (RFC 4648 §7, RFC 5155 §3.3). */
export const base32hex: FieldKind<string> = {
  json: "string",
  read(tokens, field) {
    const text = tokens.unquoted(field).toUpperCase();
    if (isBase32hex(text)) return text;
    throw new Fault("rdata-base32", `${field} is not base32 with the digits 0-9 and A-V`);
  },
  format: (text) => text,
  decode(wire) {
    const bits = [...wire.takeSomeText()].map((octet) => octet.charCodeAt(0).toString(2).padStart(8, "0")).join("");
    return (bits.match(/.{1,5}/g) ?? []).map((five) => base32Digits[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
  },
  encode(text, wire) {
    const bits = [...text].map((digit) => base32Digits.indexOf(digit).toString(2).padStart(5, "0")).join("");
    wire.shortText((bits.match(/.{8}/g) ?? []).map((eight) => String.fromCharCode(Number.parseInt(eight, 2))).join(""));
  },
};

/** Whether a text is base32 with the digits 0-9 and A-V, unpadded. */
export function isBase32hex(text: string): boolean {
  return /^[0-9A-V]+$/.test(text) && isWhole(text);
}

/**
 * Whether the digits encode whole octets: of their five bits each, the remainder must be shorter than a digit, and
 * zero.
 */
function isWhole(text: string): boolean {
  const left = (text.length * 5) % 8;
  return left < 5 && base32Digits.indexOf(text.at(-1) ?? "") % 2 ** left === 0;
}

export function fromHex(digits: string): string {
  return Buffer.from(digits, "hex").toString("latin1");
}

export function toHex(octets: string): string {
  return Buffer.from(octets, "latin1").toString("hex").toUpperCase();
}

/** @throws {Fault} `rdata-base64` */
export function readBase64(text: string, field: string): string {
  const octets = Buffer.from(text, "base64");
  checkDataLength(octets.toString("latin1"), field);
  if (octets.toString("base64") === text) return text;
  throw new Fault(
    "rdata-base64",
    `${field} is not base64`,
    'Write it in base64: A-Z, a-z, 0-9, "+" and "/", padded with "=" to a multiple of four.',
  );
}

/** @throws {Fault} `rdata-hex` */
export function readHex(text: string, field: string): string {
  if (/^(?:[0-9a-fA-F]{2})+$/.test(text)) return text.toUpperCase();
  throw new Fault(
    "rdata-hex",
    `${field} is not pairs of hexadecimal digits`,
    "Write two hexadecimal digits for each octet.",
  );
}

function joinRest(tokens: TokenTable, field: string): string {
  let text = "";
  while (!tokens.isAtEnd) text += tokens.unquoted(field);
  return text;
}
