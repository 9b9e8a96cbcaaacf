import { addressOctets, readAddress4, readAddress6 } from "../name/address.ts";
import { Fault } from "../name/fault.ts";
import { fromHex, toHex } from "../rdata/binary.ts";
import type { FieldKind } from "../rdata/field.ts";
import { octetsForm, recordType } from "../rdata/record-type.ts";
import { WireReader } from "../rdata/wire-reader.ts";
import { WireWriter } from "../rdata/wire-writer.ts";

/** One prefix: address family 1 is IPv4, 2 is IPv6. The address of any other is its octets in hexadecimal digits. */
export interface Prefix {
  readonly isNegated: boolean;
  readonly family: number;
  readonly address: string;
  readonly length: number;
}

const prefixes: FieldKind<readonly Prefix[]> = {
  json: "words",
  mayBeEmpty: true,
  read(tokens, field) {
    const list: Prefix[] = [];
    while (!tokens.isAtEnd) list.push(readPrefix(tokens.unquoted(field)));
    return list;
  },
  format(list) {
    if (list.every(({ family }) => family in sizes))
      return list
        .map(({ isNegated, family, address, length }) => `${isNegated ? "!" : ""}${family}:${address}/${length}`)
        .join(" ");
    // Only the generic form has other families.
    const wire = WireWriter.plain();
    prefixes.encode(list, wire);
    return octetsForm(wire.bytes().toString("latin1"));
  },
  decode(wire) {
    const list: Prefix[] = [];
    while (!wire.isAtEnd) {
      const family = wire.uint(2);
      const length = wire.uint(1);
      const octet = wire.uint(1);
      const octets = wire.take(octet & 127);
      const size = sizes[family];
      if (octets.endsWith("\0") || (size !== undefined && (octets.length > size || length > size * 8)))
        throw new Fault("rdata-wire", "a prefix in the RDATA is invalid for its address family");
      const address = size === undefined ? toHex(octets) : addressOf(octets.padEnd(size, "\0"));
      list.push({ isNegated: octet > 127, family, address, length });
    }
    return list;
  },
  encode(list, wire) {
    for (const { isNegated, family, address, length } of list) {
      const octets = family in sizes ? addressOctets(address).replace(/\0+$/, "") : fromHex(address);
      wire.uint(2, family);
      wire.uint(1, length);
      wire.uint(1, (isNegated ? 128 : 0) + octets.length);
      wire.octets(octets);
    }
  },
};

/** The octets of an address by its family. */
const sizes: Readonly<Record<number, number>> = { 1: 4, 2: 16 };

function addressOf(octets: string): string {
  const wire = WireReader.ofData(octets);
  return octets.length === 4 ? wire.address4() : wire.address6();
}

function readPrefix(text: string): Prefix {
  const [, negation, family, written = "", digits] = /^(!?)([12]):(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const length = Number(digits);
  const most = family === "1" ? 32 : 128;
  if (family === undefined || length > most)
    throw new Fault(
      "rdata-prefix",
      `"${text}" is not an address prefix`,
      'Write a prefix such as "1:192.0.2.0/24" for IPv4 or "2:2001:db8::/32" for IPv6, with "!" before it to exclude it.',
    );
  const address = family === "1" ? readAddress4(written) : readAddress6(written);
  return { isNegated: negation === "!", family: family === "1" ? 1 : 2, address, length };
}

/** RFC 3123 §4 */
export const APL = recordType<{ prefixes: readonly Prefix[] }>({
  type: "APL",
  fields: { prefixes: { kind: prefixes, about: "address prefixes", example: "1:192.0.2.0/24 !1:192.0.2.128/25" } },
});
