import { Fault } from "../name/fault.ts";
import { toHex } from "../rdata/binary.ts";
import type { FieldKind } from "../rdata/field.ts";
import { octetsForm, recordType } from "../rdata/record-type.ts";

/** Format 0 is an AESA address, stored as octets; 1 an E.164 number, stored as digits. Others have no text form. */
export interface AtmAddress {
  readonly format: number;
  readonly octets: string;
}

const atmAddress: FieldKind<AtmAddress> = {
  json: "string",
  read(tokens, field) {
    const text = tokens.unquoted(field);
    const digits = text.replace(/^\+/, "").replaceAll(".", "");
    const isWhole = !/^\+?\.|\.\.|\.$/.test(text) && digits !== "";
    if (isWhole && text.startsWith("+") && /^\d+$/.test(digits)) return { format: 1, octets: digits };
    if (isWhole && /^(?:[0-9a-fA-F]{2})+$/.test(digits))
      return { format: 0, octets: Buffer.from(digits, "hex").toString("latin1") };
    throw new Fault(
      "rdata-atm",
      `${field} is not an ATM address`,
      'Write an E.164 number such as "+31.20.1234567", or pairs of hexadecimal digits such as "39.246f.00".',
    );
  },
  format({ format, octets }) {
    if (format === 1) return `+${octets}`;
    return format === 0 ? toHex(octets).toLowerCase() : octetsForm(String.fromCharCode(format) + octets);
  },
  decode(wire) {
    const format = wire.uint(1);
    const octets = wire.takeSome();
    if (format === 1 && !/^\d+$/.test(octets))
      throw new Fault("rdata-wire", "the ATM address in the RDATA contains characters other than digits");
    return { format, octets };
  },
  encode({ format, octets }, wire) {
    wire.uint(1, format);
    wire.octets(octets);
  },
};

/** ATM Name System Specification 2.0 (af-dans-0152) §5 */
export const ATMA = recordType<{ address: AtmAddress }>({
  type: "ATMA",
  fields: { address: { kind: atmAddress, about: "an ATM address", example: "+31.20.1234567" } },
});
