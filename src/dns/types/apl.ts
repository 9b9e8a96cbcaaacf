import { addressOctets, readAddress4, readAddress6 } from "../address.ts";
import { Fault } from "../fault.ts";
import type { FieldKind } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";
import { WireReader } from "../rdata/wire-reader.ts";

/** One prefix: address family 1 is IPv4, 2 is IPv6. */
export interface Prefix {
  readonly isNegated: boolean;
  readonly family: 1 | 2;
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
  format: (list) =>
    list
      .map(({ isNegated, family, address, length }) => `${isNegated ? "!" : ""}${family}:${address}/${length}`)
      .join(" "),
  decode(wire) {
    const list: Prefix[] = [];
    while (!wire.isAtEnd) {
      const family = wire.uint(2);
      const length = wire.uint(1);
      const octet = wire.uint(1);
      const octets = wire.take(octet & 127);
      const size = family === 1 ? 4 : 16;
      if ((family !== 1 && family !== 2) || octets.length > size || octets.endsWith("\0") || length > size * 8)
        throw new Fault("rdata-wire", "a prefix in the RDATA is not an IPv4 or IPv6 prefix");
      const padded = WireReader.ofData(octets.padEnd(size, "\0"));
      const address = family === 1 ? padded.address4() : padded.address6();
      list.push({ isNegated: octet > 127, family, address, length });
    }
    return list;
  },
  encode(list, wire) {
    for (const { isNegated, family, address, length } of list) {
      const octets = addressOctets(address).replace(/\0+$/, "");
      wire.uint(2, family);
      wire.uint(1, length);
      wire.uint(1, (isNegated ? 128 : 0) + octets.length);
      wire.octets(octets);
    }
  },
};

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
