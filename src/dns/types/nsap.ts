import { Fault } from "../name/fault.ts";
import type { Name } from "../name/name.ts";
import { fromHex, toHex } from "../rdata/binary.ts";
import { domainName, type FieldKind } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** `0x` and pairs of hexadecimal digits, with optional dots between digits. */
const nsapAddress: FieldKind<string> = {
  json: "string",
  read(tokens, field) {
    const text = tokens.unquoted(field);
    const digits = /^0x([0-9a-f.]+)$/i.exec(text)?.[1]?.replaceAll(".", "").toLowerCase() ?? "";
    if (digits !== "" && digits.length % 2 === 0) return `0x${digits}`;
    throw new Fault(
      "rdata-hex",
      `${field} is not 0x and pairs of hexadecimal digits`,
      'Write "0x" and two hexadecimal digits for each octet, such as "0x47.0005.80".',
    );
  },
  format: (text) => text,
  decode: (wire) => `0x${toHex(wire.takeSome()).toLowerCase()}`,
  encode: (text, wire) => wire.octets(fromHex(text.slice(2))),
};

/** RFC 1706 §5 */
export const NSAP = recordType<{ address: string }>({
  type: "NSAP",
  fields: { address: { kind: nsapAddress, about: "an NSAP address", example: "0x47.0005.80.005a00" } },
});

/** RFC 1348, obsolete by RFC 1637 */
export const NSAP_PTR = recordType<{ target: Name }>({
  type: "NSAP-PTR",
  fields: { target: { kind: domainName, about: "the host with this address", example: "host.example.com." } },
});
