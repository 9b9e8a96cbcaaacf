import { quotedText, uint16 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 7553 §4 */
export const URI = recordType<{ priority: number; weight: number; target: string }>({
  type: "URI",
  fields: {
    priority: { kind: uint16, about: "the priority, lowest first", example: "10" },
    weight: { kind: uint16, about: "the share among those of the same priority", example: "1" },
    target: { kind: quotedText, about: "the URI", example: '"https://example.com/"' },
  },
});
