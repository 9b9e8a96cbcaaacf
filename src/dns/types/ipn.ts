import { Fault } from "../name/fault.ts";
import type { FieldKind } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** A 64-bit unsigned number in decimal digits, which exceeds JavaScript's safe integers. */
const uint64: FieldKind<string> = {
  json: "string",
  read(tokens, field) {
    const text = tokens.unquoted(field);
    if (/^\d{1,30}$/.test(text) && BigInt(text) < 2n ** 64n) return String(BigInt(text));
    throw new Fault("rdata-number", `${field} is not a whole number from 0 to 18446744073709551615`);
  },
  format: (text) => text,
  decode: (wire) => String(BigInt(wire.uint(4)) * 2n ** 32n + BigInt(wire.uint(4))),
  encode(text, wire) {
    wire.uint(4, Number(BigInt(text) >> 32n));
    wire.uint(4, Number(BigInt(text) & 0xffffffffn));
  },
};

/** IANA, IPN/ipn-completed-template: a node of the bundle protocol */
export const IPN = recordType<{ node: string }>({
  type: "IPN",
  fields: { node: { kind: uint64, about: "the number of a node", example: "977000" } },
});
