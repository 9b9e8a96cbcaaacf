import { base64 } from "../rdata/binary.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 7929 §2 */
export const OPENPGPKEY = recordType<{ public_key: string }>({
  type: "OPENPGPKEY",
  fields: { public_key: { kind: base64, about: "the key", example: "mQENBFVHm5sBCAAA" } },
});
