import { Fault } from "../name/fault.ts";
import { fromHex, toHex } from "../rdata/binary.ts";
import type { FieldKind } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** Pairs of hexadecimal digits with hyphens between them; as in BIND, a leading zero can be omitted. */
function hardwareAddress(size: number): FieldKind<string> {
  const form = new RegExp(`^[0-9a-f]{1,2}(?:-[0-9a-f]{1,2}){${size - 1}}$`);
  const example = Array.from({ length: size }, () => "00").join("-");
  return {
    json: "string",
    read(tokens, field) {
      const text = tokens.unquoted(field).toLowerCase();
      if (form.test(text))
        return text
          .split("-")
          .map((pair) => pair.padStart(2, "0"))
          .join("-");
      throw new Fault(
        "rdata-eui",
        `${field} is not ${size} pairs of hexadecimal digits`,
        `Write pairs with hyphens, such as ${example}.`,
      );
    },
    format: (text) => text,
    decode: (wire) =>
      toHex(wire.take(size))
        .toLowerCase()
        .replace(/..(?!$)/g, "$&-"),
    encode: (text, wire) => wire.octets(fromHex(text.replaceAll("-", ""))),
  };
}

/** RFC 7043 §3 */
export const EUI48 = recordType<{ address: string }>({
  type: "EUI48",
  fields: { address: { kind: hardwareAddress(6), about: "a hardware address", example: "00-00-5e-00-53-2a" } },
});

/** RFC 7043 §4 */
export const EUI64 = recordType<{ address: string }>({
  type: "EUI64",
  fields: { address: { kind: hardwareAddress(8), about: "a hardware address", example: "00-00-5e-ef-10-00-00-2a" } },
});
