import { uint16, uint32 } from "../rdata/field.ts";
import { typeBitmap } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 7477 §2.1 */
export const CSYNC = recordType<{ serial: number; flags: number; types: readonly string[] }>({
  type: "CSYNC",
  fields: {
    serial: { kind: uint32, about: "the serial of the zone from which the parent may copy", example: "66" },
    flags: { kind: uint16, about: "1 for immediate, 2 for a minimum serial", example: "3" },
    types: { kind: typeBitmap, about: "the types to copy", example: "A NS AAAA" },
  },
});
