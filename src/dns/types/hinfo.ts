import { shortText } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1035 §3.3.2; RFC 8482 answers ANY with it */
export const HINFO = recordType<{ cpu: string; os: string }>({
  type: "HINFO",
  fields: {
    cpu: { kind: shortText, about: "the processor", example: '"RFC8482"' },
    os: { kind: shortText, about: "the operating system", example: '""' },
  },
});
