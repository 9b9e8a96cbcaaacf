import { Fault } from "../name/fault.ts";
import type { Name } from "../name/name.ts";
import { domainName, type FieldKind } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";
import { typeCode, typeName } from "../rdata/type-codes.ts";

const mostType = 127;

/** The types below 128, one bit each, without the windows of NSEC (RFC 2535 §5.2). */
const types: FieldKind<readonly string[]> = {
  json: "words",
  mayBeEmpty: true,
  read(tokens, field) {
    const codes = new Set<number>();
    while (!tokens.isAtEnd) {
      const text = tokens.unquoted(field).toUpperCase();
      const code = typeCode(text) ?? (/^\d{1,5}$/.test(text) ? Number(text) : Number.NaN);
      if (!(code <= mostType))
        throw new Fault(
          "unknown-type",
          `"${text}" is not a record type that NXT can list`,
          "Write types with codes up to 127.",
        );
      codes.add(code);
    }
    return [...codes].sort((a, b) => a - b).map(typeName);
  },
  format: (types) => types.join(" "),
  decode(wire) {
    const octets = [...wire.takeRest()].map((octet) => octet.charCodeAt(0));
    if (octets.length > 16 || octets.at(-1) === 0 || (octets[0] ?? 0) > 127)
      throw new Fault("rdata-wire", "the type bitmap in the RDATA is not in canonical form");
    return octets.flatMap((octet, at) =>
      [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => octet & (128 >> bit)).map((bit) => typeName(at * 8 + bit)),
    );
  },
  encode(types, wire) {
    const codes = types.map((type) => typeCode(type) ?? 0);
    const octets = new Uint8Array(((codes.at(-1) ?? -8) >> 3) + 1);
    for (const code of codes) octets[code >> 3] = (octets[code >> 3] ?? 0) | (128 >> (code & 7));
    wire.octets(Buffer.from(octets).toString("latin1"));
  },
};

/** RFC 2535 §5.2, obsolete by RFC 3755 */
export const NXT = recordType<{ next: Name; types: readonly string[] }>({
  type: "NXT",
  fields: {
    next: { kind: domainName, about: "the next name of the zone", example: "host.example.com." },
    types: { kind: types, about: "the types at this name", example: "A NXT" },
  },
});
