import { Fault } from "../name/fault.ts";
import { type FieldKind, shortText } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

const optionalText: FieldKind<string | undefined> = {
  json: "text",
  mayBeEmpty: true,
  read: (tokens, field) => (tokens.isAtEnd ? undefined : shortText.read(tokens, field)),
  format: (text, spell) => (text === undefined ? "" : shortText.format(text, spell)),
  decode: (wire) => (wire.isAtEnd ? undefined : shortText.decode(wire)),
  encode(text, wire) {
    if (text !== undefined) shortText.encode(text, wire);
  },
};

/** RFC 1183 §3.2 */
export const ISDN = recordType<{ address: string; subaddress: string | undefined }>({
  type: "ISDN",
  fields: {
    address: { kind: shortText, about: "an ISDN number", example: '"150862028003217"' },
    subaddress: { kind: optionalText, about: "its subaddress", example: '"004"' },
  },
});

/** RFC 1183 §3.1 */
export const X25 = recordType<{ address: string }>({
  type: "X25",
  fields: { address: { kind: shortText, about: "a PSDN address of at least four digits", example: '"311061700956"' } },
  check({ address }) {
    if (/^\d{4,}$/.test(address)) return;
    throw new Fault("rdata-x25", "the address is not at least four digits", 'Write digits, such as "311061700956".');
  },
});

/** RFC 1712 §3 */
export const GPOS = recordType<{ longitude: string; latitude: string; altitude: string }>({
  type: "GPOS",
  fields: {
    longitude: { kind: shortText, about: "the longitude in degrees", example: '"-32.6882"' },
    latitude: { kind: shortText, about: "the latitude in degrees", example: '"116.8652"' },
    altitude: { kind: shortText, about: "the altitude in meters", example: '"10.0"' },
  },
});
