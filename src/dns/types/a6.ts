import type { ProblemId } from "../../diagnostics/registry.ts";
import { addressOctets, addressWords, formatAddress6, readAddress6 } from "../name/address.ts";
import { Fault } from "../name/fault.ts";
import type { Name } from "../name/name.ts";
import { type FieldKind, uint8 } from "../rdata/field.ts";
import { readPart } from "../rdata/part.ts";
import { recordType } from "../rdata/record-type.ts";

export interface Suffix {
  readonly prefix: number;
  /** Bits before the suffix are zero; undefined if the prefix is the whole address. */
  readonly suffix: string | undefined;
  readonly name: Name | undefined;
}

const suffix: FieldKind<Suffix> = {
  json: "words",
  read(tokens) {
    const prefix = checkPrefix(uint8.read(tokens, "the prefix length"), "rdata-number");
    const address =
      prefix === 128
        ? undefined
        : readPart(tokens, "the address", (tokens, what) => readAddress6(tokens.unquoted(what)));
    const name = prefix === 0 ? undefined : readPart(tokens, "the prefix name", (tokens, what) => tokens.name(what));
    return { prefix, suffix: address === undefined ? undefined : maskAddress(address, prefix), name };
  },
  format: ({ prefix, suffix, name }, spell) =>
    [prefix, suffix, name === undefined ? undefined : spell(name)].filter((part) => part !== undefined).join(" "),
  decode(wire) {
    const prefix = checkPrefix(wire.uint(1), "rdata-wire");
    const octets = [...wire.take(octetsOf(prefix))].map((octet) => octet.charCodeAt(0));
    while (octets.length < 16) octets.unshift(0);
    const words = Array.from({ length: 8 }, (_, at) => (octets[2 * at] ?? 0) * 256 + (octets[2 * at + 1] ?? 0));
    const suffix = prefix === 128 ? undefined : maskAddress(formatAddress6(words), prefix);
    return { prefix, suffix, name: prefix === 0 ? undefined : wire.name() };
  },
  encode({ prefix, suffix, name }, wire) {
    wire.uint(1, prefix);
    const octets = suffix === undefined ? "" : addressOctets(suffix);
    wire.octets(octets.slice(16 - octetsOf(prefix)));
    if (name !== undefined) wire.name(name);
  },
};

function octetsOf(prefix: number): number {
  return prefix === 128 ? 0 : 16 - (prefix >> 3);
}

function maskAddress(address: string, prefix: number): string {
  const words = [...addressWords(address)];
  return formatAddress6(words.map((word, at) => word & (0xffff >> Math.min(16, Math.max(0, prefix - at * 16)))));
}

function checkPrefix(prefix: number, id: ProblemId): number {
  if (prefix <= 128) return prefix;
  throw new Fault(id, `the prefix length ${prefix} exceeds 128`, "Write a number from 0 to 128.");
}

/** RFC 2874 §3, historic by RFC 6563 */
export const A6 = recordType<{ suffix: Suffix }>({
  type: "A6",
  fields: {
    suffix: {
      kind: suffix,
      about: "prefix length, address suffix and prefix name",
      example: "64 ::1 net.example.com.",
    },
  },
});
