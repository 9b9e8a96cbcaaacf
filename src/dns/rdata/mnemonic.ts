import { Fault } from "../name/fault.ts";
import { type FieldKind, uint8 } from "./field.ts";
import { typeCode, typeName } from "./type-codes.ts";

/** DNSSEC algorithms (IANA, DNS Security Algorithm Numbers) by their mnemonics in zone files. */
const algorithms: Readonly<Record<string, number>> = {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  NSEC3DSA: 6,
  NSEC3RSASHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECCGOST: 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
};

/** A DNSSEC algorithm by number or name. */
export const algorithm: FieldKind<number> = {
  json: "integer",
  read(tokens, field) {
    const text = tokens.unquoted(field).toUpperCase();
    const code = algorithms[text] ?? (/^\d{1,3}$/.test(text) ? Number(text) : 256);
    if (code <= 255) return code;
    throw new Fault(
      "rdata-algorithm",
      `${field} is not a DNSSEC algorithm`,
      'Write its number, or a mnemonic such as "ECDSAP256SHA256".',
    );
  },
  format: String,
  decode: (wire) => wire.uint(1),
  encode: (code, wire) => wire.uint(1, code),
};

/** Options of `named` numbers: `kind` reads those without a name, `isSpelled` writes names. */
interface MnemonicOptions {
  readonly kind?: FieldKind<number>;
  readonly isSpelled?: boolean;
}

/** A number, by default of one octet, or its mnemonic in zone files. */
export function mnemonic(
  names: Readonly<Record<string, number>>,
  { kind = uint8, isSpelled = false }: MnemonicOptions = {},
): FieldKind<number> {
  const spellings = new Map(isSpelled ? Object.entries(names).map(([name, code]) => [code, name]) : []);
  return {
    ...kind,
    read(tokens, field) {
      const index = tokens.next;
      const word = tokens.text.slice(tokens.starts[index], tokens.ends[index]).toUpperCase();
      const code = Object.hasOwn(names, word) ? names[word] : undefined;
      if (code === undefined || tokens.isQuoted) return kind.read(tokens, field);
      tokens.next++;
      return code;
    },
    format: (code) => spellings.get(code) ?? String(code),
  };
}

/** A DNSSEC algorithm written as its mnemonic, as BIND writes it in CERT records. */
export const algorithmName: FieldKind<number> = mnemonic(algorithms, { isSpelled: true });

/** A record type by its mnemonic or as TYPEnnn. */
export const typeMnemonic: FieldKind<string> = {
  json: "string",
  read: (tokens, field) => readType(tokens.unquoted(field), field),
  format: (type) => type,
  decode: (wire) => typeName(wire.uint(2)),
  encode: (type, wire) => wire.uint(2, codeOf(type)),
};

/** The types that exist at a name (RFC 4034 §4.1.2), in the order of their codes. */
export const typeBitmap: FieldKind<readonly string[]> = {
  json: "words",
  mayBeEmpty: true,
  read(tokens, field) {
    const types: string[] = [];
    while (!tokens.isAtEnd) types.push(readType(tokens.unquoted(field), field));
    return [...new Set(types)].sort((a, b) => codeOf(a) - codeOf(b));
  },
  format: (types) => types.join(" "),
  decode(wire) {
    const types: string[] = [];
    for (let before = -1; !wire.isAtEnd; ) {
      const window = wire.uint(1) * 256;
      const bits = [...wire.shortText()].map((octet) => octet.charCodeAt(0));
      if (window <= before || bits.length > 32 || !bits.at(-1))
        throw new Fault("rdata-wire", "the type bitmap in the RDATA is not in canonical form");
      before = window;
      for (const [index, octet] of bits.entries()) {
        for (let bit = 0; bit < 8; bit++) if (octet & (128 >> bit)) types.push(typeName(window + index * 8 + bit));
      }
    }
    return types;
  },
  encode(types, wire) {
    const windows = new Map<number, number[]>();
    for (const code of types.map(codeOf)) {
      const bits = windows.get(code >> 8) ?? [];
      const index = (code & 255) >> 3;
      while (bits.length <= index) bits.push(0);
      bits[index] = (bits[index] ?? 0) | (128 >> (code & 7));
      windows.set(code >> 8, bits);
    }
    for (const [window, bits] of windows) {
      wire.uint(1, window);
      wire.shortText(String.fromCharCode(...bits));
    }
  },
};

/** The code of a type that is known to be valid. */
function codeOf(type: string): number {
  return typeCode(type) ?? 0;
}

function readType(text: string, field: string): string {
  const code = typeCode(text.toUpperCase());
  if (code === undefined)
    throw new Fault(
      "unknown-type",
      `"${text}" in ${field} is not a record type`,
      "Write the mnemonic of the type, or TYPE and its number.",
    );
  return typeName(code);
}
