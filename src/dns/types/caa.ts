import { flags, longText, mnemonicWord } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 8659 §4.1 */
export const CAA = recordType<{ flags: number; tag: string; value: string }>({
  type: "CAA",
  fields: {
    flags: {
      kind: flags,
      about: "128 if an issuer must understand the property, otherwise 0",
      example: "0",
      default: 0,
    },
    tag: { kind: mnemonicWord, letters: "shown", about: "the property", example: "issue" },
    value: { apiName: "target", kind: longText, about: "the value of the property", example: '"letsencrypt.org"' },
  },
});
