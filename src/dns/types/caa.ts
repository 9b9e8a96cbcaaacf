import { longText, uint8, word } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 8659 §4.1 */
export const CAA = recordType<{ flags: number; tag: string; value: string }>({
  type: "CAA",
  code: 257,
  fields: {
    flags: { kind: uint8, about: "whether an issuer must understand it", example: "0", default: 0 },
    tag: { kind: word, about: "the property that it sets", example: "issue" },
    value: { apiName: "target", kind: longText, about: "the value of its property", example: '"letsencrypt.org"' },
  },
});
