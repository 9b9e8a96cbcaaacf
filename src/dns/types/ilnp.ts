import { Fault } from "../name/fault.ts";
import type { Name } from "../name/name.ts";
import { address4, domainName, type FieldKind, uint16 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/**
 * 64 bits in four groups of hexadecimal digits, separated by colons, without omissions. Each group is written with four
 * digits: Knot reads no others.
 */
const locator64: FieldKind<string> = {
  json: "string",
  read(tokens, field) {
    const text = tokens.unquoted(field);
    if (/^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/i.test(text))
      return text
        .split(":")
        .map((group) => group.toLowerCase().padStart(4, "0"))
        .join(":");
    throw new Fault(
      "rdata-locator",
      `${field} is not four groups of hexadecimal digits`,
      'Write four groups such as "2001:db8:1140:1000".',
    );
  },
  format: (text) => text,
  decode: (wire) => Array.from({ length: 4 }, () => wire.uint(2).toString(16).padStart(4, "0")).join(":"),
  encode(text, wire) {
    for (const group of text.split(":")) wire.uint(2, Number.parseInt(group, 16));
  },
};

const preference = { kind: uint16, about: "the preference, lowest first", example: "10" };

/** RFC 6742 §2.1 */
export const NID = recordType<{ preference: number; node_id: string }>({
  type: "NID",
  fields: { preference, node_id: { kind: locator64, about: "the node", example: "0014:4fff:ff20:ee64" } },
});

/** RFC 6742 §2.2 */
export const L32 = recordType<{ preference: number; locator: string }>({
  type: "L32",
  fields: { preference, locator: { kind: address4, about: "the network of the node", example: "10.1.2.0" } },
});

/** RFC 6742 §2.3 */
export const L64 = recordType<{ preference: number; locator: string }>({
  type: "L64",
  fields: { preference, locator: { kind: locator64, about: "the network of the node", example: "2001:db8:1140:1000" } },
});

/** RFC 6742 §2.4 */
export const LP = recordType<{ preference: number; fqdn: Name }>({
  type: "LP",
  fields: {
    preference,
    fqdn: { apiName: "target", kind: domainName, about: "a name with L32 or L64 records", example: "net.example.com." },
  },
});
